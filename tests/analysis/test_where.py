from itertools import product

import pytest

from debox.analysis import where
from debox.analysis.runs import Runs


@pytest.mark.parametrize(
    ("texts", "arguments"),
    [
        (["N=5,20"], {"N": (5, 20)}),
        (["N=5", "N=20"], {"N": [5, 20]}),
        (["N=5,20"], {"N": "5,20"}),
        (["F<=1"], {"F": "<=1"}),
        ([" F <= 1 ", "F>0.2"], {"F": ("<=1", ">0.2")}),
        (["crossover=bin"], {"crossover": "bin"}),
        (["strategy=sat"], {"strategy": "saturation"}),
    ],
)
def test_texts_and_arguments_choose_the_same(made, texts, arguments):
    levels = product(("rand/1",), ("bin", "exp"), ("saturation", "mirror"), (5, 20, 100), (0.2, 0.5, 1.0, 2.0), (0.5,))
    given = made({key: [0.1] for key in levels})
    by_text, by_argument = Runs.of(given, where=texts), Runs.of(given, where=arguments)
    assert by_text.axes == by_argument.axes != Runs.of(given).axes


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [(5, (5,)), ("5", (5,)), ((100, 5), (5, 100)), ("<=20", (5, 20)), ((">5", "<100"), (20,)), ((5, 20, ">5"), (20,))],
)
def test_values_are_alternatives_and_comparisons_are_all_met(wanted, chosen):
    assert where.levels("N", (5, 20, 100), wanted) == chosen


def test_bounds_belong_to_the_levels_that_they_include():
    found = [where.levels("F", (0.5, 1.0, 2.0), c) for c in ("<1", "<=1", ">1", ">=1")]
    assert found == [(0.5,), (0.5, 1.0), (2.0,), (1.0, 2.0)]


WRONG = [
    (lambda: where.read(["N"]), "where: 'N' does not read as name=value or name<=value, such as N=5,20 or F<=1"),
    (lambda: where.read(["N=>5"]), "does not read"),
    (lambda: where.read([5]), "where: 5 does not read"),
    (lambda: where.read({"speed": 5}), "^a factor in where must be one of mutation, .*dimension.* got 'speed'"),
    (lambda: where.read({"n": 5, "dimension": 5}), "dimension is given twice"),
    (lambda: where.levels("N", (5, 20), 7), "where: N must be one of 5, 20, got 7"),
    (lambda: where.levels("N", (5, 20), "many"), "where: N must be one of 5, 20, got 'many'"),
    (lambda: where.levels("N", (5, 20), ">20"), "where: no N of 5, 20 is > 20"),
    (lambda: where.levels("strategy", ("mirror",), "sat"), "where: strategy must be one of mirror, got 'sat'"),
]


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_wrong_conditions_say_what_is_allowed(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_conditions_are_told_in_words():
    conditions = {"N": (20, 100), "F": ">=0.7", "Cr": (">0.1", "<1")}
    assert where.describe(conditions) == "N = 20, 100; F ≥ 0.7; Cr > 0.1 and < 1"
