"""A result of a claim, by hand, for tests of how results are written."""

from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.verdict import Result

HELD = Result(
    id="size-5-to-20",
    family="population size",
    statement="POIS rises from N=5 to N=20 in all configurations",
    place="4.1.1",
    figure="population-sizes",
    statistic="difference of the mean share",
    criterion="a cell agrees if …",
    verdict=Verdict.HOLDS,
    effect=0.06674,
    unit="difference of mean share",
    p=2e-5,
    p_part=1e-6,
    cells=1399,
    agree=0.943,
    evidence="mean share higher by a number on average",
    runs=50,
    planned=50,
)
