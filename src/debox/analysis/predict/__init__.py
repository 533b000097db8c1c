"""What POIS would be between the levels of F and Cr that a study has: quantile functions interpolated, with a band.

grid       the runs of one panel, sorted within cells; the scale of logits; theory as a baseline
splines    interpolation along one axis
gaussian   a Gaussian process over both
methods    METHODS, the ways of interpolating that are compared, and CHOSEN
band       how far a fresh sample may be off, by leaving out rows and columns
judge      distances to samples; leaving out rows and columns
result     Prediction: quantiles, band, text
answer     predict(store, config): from stored runs to a Prediction
"""

from debox.analysis.predict.answer import predict as predict
from debox.analysis.predict.result import Prediction as Prediction
