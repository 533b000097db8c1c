"""The numbers of the last step of Cr."""

import pytest

from debox.analysis.runs import Runs
from debox.figures import last_step

KEYS = [("rand/1", "exp", strategy, N) for strategy in ("saturation", "toroidal") for N in (5, 20)]
MEANS = [(0.6, 0.2), (0.6, 0.7), (0.3, 0.5), (0.9, 0.1)]  # from Cr = 0.7 to 0.9
CELLS = {
    (*key, 0.5, Cr): [mean - 0.001, mean + 0.001]
    for key, pair in zip(KEYS, MEANS, strict=True)
    for Cr, mean in zip((0.7, 0.9), pair, strict=True)
}


def test_means_before_and_after_and_what_is_shown_to_fall(made):
    found = last_step.numbers(Runs.of(made(CELLS, budget=1_000_000)))
    assert [found[name].tolist() for name in ("strategy", "N", "F")] == [["saturation", "toroidal"], [5, 20], [0.5]]
    assert found["before"].ravel() == pytest.approx([0.6, 0.6, 0.3, 0.9], abs=1e-4)
    assert found["after"].ravel() == pytest.approx([0.2, 0.7, 0.5, 0.1], abs=1e-4)
    assert found["falls"].ravel().tolist() == [True, False, False, True]


@pytest.mark.parametrize(
    ("cells", "obstacle"),
    [
        (CELLS, ""),
        ({(0.5, 0.1): [0.1, 0.2]}, "the last step of Cr needs two values of Cr, this study has one"),
        (dict(list(CELLS.items())[1:]), "every configuration needs the same 2 runs, these have"),
        ({(0.5, 0.1): [0.1], (0.5, 0.9): [0.2]}, "the last step of Cr needs at least 2 runs of every configuration"),
    ],
)
def test_what_is_needed_is_said(made, cells, obstacle):
    (page,) = last_step.pages(Runs.of(made(cells)))
    assert page.obstacle.startswith(obstacle)
    assert bool(page.obstacle) is bool(obstacle)


def test_a_page_holds_a_few_N(made):
    cells = {("rand/1", "exp", "mirror", N, 0.5, Cr): [0.1, 0.2] for N in range(5, 12) for Cr in (0.1, 0.9)}
    (page,) = last_step.pages(Runs.of(made(cells)))
    assert page.size[0] == last_step.MOST_COLUMNS * last_step.WIDTH


def test_fifteen_strategies_look_different():
    assert len({tuple(last_step.look(k).values()) for k in range(15)}) == 15
