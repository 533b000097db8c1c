"""Which cells have a property, on studies that are built to have it in known cells."""

import numpy as np
import pytest

from debox.analysis.claims import properties
from debox.analysis.claims.levels import NotTestableError

RUNS = np.linspace(-0.01, 0.01, 8)


def test_100_percent_is_meant_of_all_runs_and_of_trials(cube_of):
    shares = {0.05: [1.0, 0.9991], 0.5: [1.0, 0.998], 0.9: [0.0005, 0.0], 1.5: [0.0, 1.0]}
    cube = cube_of(lambda F, **_: shares[F])
    assert properties.full(cube).has[0, 0, 0, :, :, 0].tolist() == [[True, False, False, False]] * 3
    assert properties.extreme(cube).has[0, 0, 0, 0, :, 0].tolist() == [True, False, True, False]
    assert properties.full_somewhere(cube).has.shape[4:] == (1, 1)
    assert properties.full_somewhere(cube).has.all()
    assert not properties.full_somewhere(cube.take(F=(0.5, 0.9))).has.any()


def test_medians_and_spreads(cube_of):
    cube = cube_of(lambda F, **_: {0.05: [0.04, 0.04, 0.9], 0.5: [0.89] * 3}.get(F, [0.91, 0.91, 0.1]))
    assert properties.low(cube).has[0, 0, 0, 0, :, 0].tolist() == [True, False, False, False]
    assert properties.high(cube).has[0, 0, 0, 0, :, 0].tolist() == [False, False, True, True]
    assert properties.narrow(cube).has[0, 0, 0, 0, :, 0].tolist() == [False, True, False, False]


def test_a_trend_is_shared_unless_one_mutation_goes_the_other_way(cube_of):
    def share(mutation, strategy, crossover, F, **_):
        if crossover == "exp":
            return 0.5 + RUNS  # nothing varies
        return 0.5 + (F / 4) * (-1 if (mutation, strategy) == ("rand/2", "mirror") else 1) + RUNS

    found = properties.same_trend(cube_of(share))
    assert found.has.shape == (1, 2, 5, 3, 1, 1)
    assert found.has[0, 0, :, 0, 0, 0].tolist() == [True, True, False, True, True]
    assert found.speaks[0, :, 0, 0, 0, 0].tolist() == [True, False]


def test_mutations_may_differ_in_spread_or_in_mean(cube_of):
    def share(mutation, strategy, **_):
        far = mutation == "rand/2"
        return {"COTN": 0.5 + RUNS * (1 + 9 * far), "mirror": 0.5 + 0.2 * far + RUNS}.get(strategy, 0.5 + RUNS)

    found = properties.spread_differs_more(cube_of(share))
    assert found.has[0, 0, :3, 0, 0, 0].tolist()[::2] == [True, False]
    assert found.speaks[0, 0, :, 0, 0, 0].tolist() == [True, False, True, False, False]


def test_where_mutations_differ_most(cube_of):
    def share(mutation, strategy, Cr, **_):
        far = {"COTN": Cr == 0.99, "mirror": Cr == 0.5}.get(strategy, False) and mutation == "rand/2"
        return 0.5 + 0.2 * far + RUNS

    found = properties.differ_most_at_last_Cr(cube_of(share))
    assert found.has[0, 0, :3, 0, 0, 0].tolist()[::2] == [True, False]
    assert found.speaks[0, 0, :, 0, 0, 0].tolist() == [True, False, True, False, False]
    with pytest.raises(NotTestableError, match=r"Cr of at least 0\.95"):
        properties.differ_most_at_last_Cr(cube_of(share, Cr=(0.1, 0.5)))


def test_two_groups_of_strategies(cube_of):
    together = {"COTN": 0.1, "saturation": 0.11}
    apart = {"toroidal": 0.3}
    cube = cube_of(lambda strategy, N, **_: 0.5 + (together if N == 5 else apart).get(strategy, 0) + RUNS)
    found = properties.two_groups(cube)
    assert found.has[0, 0, 0, :, 0, 0].tolist() == [True, False, False]
    assert found.speaks.all()


def test_falls_are_beyond_half_a_bin_and_beyond_chance(cube_of):
    def share(F, Cr, **_):
        falls = {0.05: 0.0, 0.5: 0.04, 0.9: 0.06, 1.5: 0.06}[F]
        return 0.8 - falls * (Cr == 0.99) - (F == 1.5) * 0.1 * (Cr > 0.1) + RUNS

    cube = cube_of(share)
    assert properties.falls_at_last(cube).has[0, 0, 0, 0, :, 0].tolist() == [False, False, True, True]
    elsewhere = properties.falls_nowhere_else(cube)
    assert elsewhere.speaks[0, 0, 0, 0, :, 0].tolist() == [False, False, True, True]
    assert elsewhere.has[0, 0, 0, 0, 2:, 0].tolist() == [True, False]
    noisy = cube_of(lambda F, Cr, **_: 0.5 - 0.06 * (Cr == 0.99) + 30 * RUNS)
    assert not properties.falls_at_last(noisy).has.any()


def test_shares_along_a_factor(cube_of):
    found = properties.full(cube_of(lambda N, F, **_: [1.0 if N == 20 and F > 1 else 0.5] * 2))
    assert list(found.along("N")) == [(5, 0, 480), (20, 120, 480), (100, 0, 480)]
    assert list(properties.full_somewhere(cube_of(lambda **_: [1.0, 1.0])).along("F")) == []


def test_a_wide_cell_makes_no_group(cube_of):
    """Saturation's mean is off by 0.02: three of the six pairs between the groups see it, one of the four within."""
    narrow, wide = (
        cube_of(lambda strategy, f=f, **_: 0.5 + (0.02 + f * RUNS if strategy == "saturation" else RUNS / 10))
        for f in (0.1, 40)
    )
    assert properties.two_groups(narrow).has.all()
    assert not properties.two_groups(wide).has.any()
