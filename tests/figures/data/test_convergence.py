import numpy as np
from results import EVALUATIONS, HISTORY, RESULT

from debox.figures.data.convergence import convergence
from debox.optimize.optimizer import Result


def test_the_curves_are_those_of_the_history():
    record = convergence(RESULT)
    assert record.title == "f = 2.5e-08 after 10,000 evaluations, POIS 0.400"
    for curve, name in zip(record.curves, ("fun", "spread", "pois"), strict=True):
        assert curve.evaluations == tuple(EVALUATIONS)
        assert curve.values == tuple(HISTORY[name])
    assert [curve.is_log for curve in record.curves] == [True, True, False]


def history(**changes):
    return convergence(RESULT | {"history": Result(HISTORY | changes)})


def test_infinite_values_are_left_out():
    record = history(fun=np.append(np.inf, HISTORY.fun[1:]))
    assert record.fun.evaluations[0] == 200
    assert len(record.fun.values) == 99


def test_negative_values_have_a_linear_axis_and_zeros_end_a_logarithmic_curve():
    assert history(fun=HISTORY.fun - 1000).fun.is_log is False
    spread = history(spread=np.append(HISTORY.spread[:50], np.zeros(50))).spread
    assert spread.is_log is True
    assert len(spread.values) == 50


def test_nearly_equal_values_and_nothing_but_zeros_have_a_linear_axis():
    record = history(fun=1000 + HISTORY.fun, spread=np.zeros(100))
    assert (record.fun.is_log, record.spread.is_log) == (False, False)
    assert len(record.spread.values) == 100
