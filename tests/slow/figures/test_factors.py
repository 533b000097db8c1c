"""How factors and their levels are named along the figure of an interaction; test_golden.py has its pictures."""

from itertools import product

import pytest
from drawings import whole

from debox.analysis.runs import Runs
from debox.figures import factor_interaction, factor_shares


@pytest.mark.parametrize(
    ("strategies", "Ns", "Fs", "rotation", "downward"),
    [(("mirror", "saturation"), (5,), 7, 90, True), (("mirror",), (5, 20), 6, 0, False)],
)
def test_many_levels_are_named_upright_numbers_grow_upward_and_names_are_read_downward(
    made, strategies, Ns, Fs, rotation, downward
):
    cells = {
        ("rand/1", "exp", s, N, k / 5, 0.5): [k / 50 * (1 + ((s, N) == (strategies[0], 5)))] * 3
        for s, N, k in product(strategies, Ns, range(1, Fs + 1))
    }
    (page,) = factor_interaction.pages(Runs.of(made(cells)))
    lines, shades = whole(page).axes
    assert {label.get_rotation() for ax in (lines, shades) for label in ax.get_xticklabels()} == {rotation}
    assert shades.yaxis_inverted() == downward
    assert shades.get_ylabel() == ("strategy" if downward else "N")


def test_a_factor_with_one_level_has_no_bars(made):
    """Mutation, crossover, strategy and Cr have one."""
    cells = {("rand/1", "exp", "mirror", N, F, 0.5): [N * F / 40] * 3 for N, F in product((5, 20), (0.5, 1.0))}
    (page,) = factor_shares.pages(Runs.of(made(cells)))
    labels = [label.get_text() for ax in whole(page).axes for label in ax.get_yticklabels()]
    assert sorted(labels) == ["F (2)", "N (2)"]
