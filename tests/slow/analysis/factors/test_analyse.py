"""Shares of a made-up study of all six factors, derived by hand; noise, missing cells, one level, stores and tables."""

from itertools import product
from math import isnan

import numpy as np
import pytest

from debox.analysis.factors import factors
from debox.analysis.factors.analyse import obstacle
from debox.analysis.old_runs import Runs
from debox.study.fields import AXES

VALUES = {  # of each factor's level, what its part of a product is
    "mutation": {"best/1": 1.0, "rand/1": 1.5},
    "crossover": {"bin": 1.0, "exp": 0.5},
    "strategy": {"mirror": 1.0, "saturation": 1.1, "toroidal": 1.2},
    "N": {5: 0.9, 20: 1.0},
    "F": {0.05: 0.1, 0.5: 0.2, 1.0: 0.4, 2.0: 0.5},
    "Cr": {0.1: 0.5, 0.99: 0.7},
}
PRODUCT = {
    key: float(np.prod([VALUES[n][v] for n, v in zip(AXES, key, strict=True)])) for key in product(*VALUES.values())
}
JITTER = (-0.001, 0.001, -0.002, 0.002)  # runs about a mean that they keep


@pytest.fixture
def study(made):
    """pois of the runs of each configuration: its mean plus the jitter."""

    def make(means, jitter=JITTER):
        return made({key: [mean + one for one in jitter] for key, mean in means.items()})

    return make


def by_hand(values=VALUES):
    """V_u of the product: ∏_{k ∈ u} s_k² ∏_{k ∉ u} m_k² for every u but the empty one."""
    V = {}
    for members in product((False, True), repeat=6):
        parts = {name: np.array(list(levels.values())) for name, levels in values.items()}
        squares = [x.var() if there else x.mean() ** 2 for x, there in zip(parts.values(), members, strict=True)]
        V[tuple(name for name, there in zip(AXES, members, strict=True) if there)] = float(np.prod(squares))
    del V[()]
    return V


def test_the_shares_of_a_product_are_those_derived_by_hand(study):
    found, V = factors(study(PRODUCT, jitter=(0.0, 0.0))), by_hand()
    whole = sum(V.values())
    assert list(found.components) == sorted(V, key=lambda u: [name in u for name in AXES])
    for u, share in found.components.items():
        assert share.value == pytest.approx(V[u] / whole, abs=1e-8)
        assert found.variances[u] == pytest.approx(V[u], abs=1e-8)
        assert (share.low, share.high) == pytest.approx((share.value, share.value), abs=1e-6)
    for name in AXES:
        of = {u: v / whole for u, v in V.items() if name in u}
        assert found.first[name].value == pytest.approx(V[name,] / whole, abs=1e-8)
        assert found.total[name].value == pytest.approx(sum(of.values()), abs=1e-8)
        assert found.shapley[name].value == pytest.approx(sum(v / len(u) for u, v in of.items()), abs=1e-8)


def test_noise_is_taken_from_each_component_by_its_degrees_of_freedom(study):
    """Runs keep their mean: raw V_u are those by hand; s²/R is (2 · 0.001² + 2 · 0.002²)/3/4, d_u/192 of it goes."""
    found, V = factors(study(PRODUCT)), by_hand()
    noise = 10e-6 / 3 / 4
    levels = {name: len(VALUES[name]) for name in AXES}
    for u, variance in found.variances.items():
        assert variance == pytest.approx(V[u] - np.prod([levels[name] - 1 for name in u]) / 192 * noise, abs=1e-15)
    assert found.noise == pytest.approx(191 / 192 * noise, abs=1e-15)
    assert min(found.variances.values()) < 0  # it stays below


@pytest.mark.parametrize("of", ["mean", "logit", "spread", "quantiles"])
def test_components_sum_to_the_variance_and_shares_to_one(study, of):
    rng = np.random.default_rng(8)
    found = factors(study({key: 0.1 + mean * rng.random() for key, mean in PRODUCT.items()}), of)
    assert sum(found.variances.values()) == pytest.approx(found.variance.value, abs=1e-10)
    assert len(found.components) == 63
    assert sum(share.value for share in found.components.values()) == pytest.approx(1, abs=1e-10)
    assert sum(share.value for share in found.shapley.values()) == pytest.approx(1, abs=1e-10)


def test_a_shift_of_all_quantiles_has_the_shares_of_the_mean(study):
    curves, means = (factors(study(PRODUCT, jitter=(0.0,) * 4), of) for of in ("quantiles", "mean"))
    for u in means.components:
        assert curves.components[u].value == pytest.approx(means.components[u].value, abs=1e-8)


def test_spread_that_doubles_with_one_factor_is_that_factor_s(made):
    """All cells are split alike: F has no raw variance, Cr that of its effect, and noise goes from both alike."""
    table = made({(F, Cr): [F / 4 + (1 + (Cr > 0.5)) * one for one in JITTER] for F in (0.5, 1) for Cr in (0.1, 0.9)})
    found = factors(table, "spread")
    low, high = found.effects["Cr",]
    assert found.effects[()] == pytest.approx(
        3 * high
    )  # spreads s and 2 s: their mean is 1.5 s, Cr moves it by ± 0.5 s
    assert found.effects["F",] == pytest.approx([0, 0], abs=1e-15)
    assert found.variances["F",] == pytest.approx(-found.noise / 3) == found.variances["F", "Cr"]
    assert found.variances["Cr",] == pytest.approx(high**2 - found.noise / 3) == low**2 - found.noise / 3
    assert factors(table).first["F"].value > 0.99  # means go with F


def test_effects_are_deviations_from_the_mean_of_all(study):
    found = factors(study(PRODUCT))
    mean = np.mean(list(PRODUCT.values()))
    assert found.effects[()] == pytest.approx(mean)
    at = [np.mean([v for key, v in PRODUCT.items() if key[4] == F]) for F in VALUES["F"]]
    assert found.effects["F",] == pytest.approx(np.array(at) - mean)
    assert found.effects["crossover", "F"].shape == (2, 4)


def test_a_factor_of_one_level_has_exactly_no_share(study):
    """And intervals of nothing; the rest is the study of the others."""
    found = factors(study(PRODUCT), N=5)
    assert all(found.components[u] == (0, 0, 0) for u in found.components if "N" in u)
    assert found.total["N"] == (0, 0, 0)
    assert found.axes["N"] == (5,)


def test_parts_of_a_study_are_those_of_a_table_of_that_part(study):
    part = {key: mean for key, mean in PRODUCT.items() if key[1] == "bin" and key[4] <= 1}
    whole, alone = factors(study(PRODUCT), crossover="bin", F="<=1"), factors(study(part))
    assert whole.components == alone.components
    assert whole.where == {"crossover": "bin", "F": "<=1"}


def test_configurations_that_are_all_alike_have_unknown_shares(study):
    found = factors(study(dict.fromkeys(PRODUCT, 0.5), jitter=(0.0, 0.0)))
    assert found.variance == (0, 0, 0)
    assert isnan(found.first["F"].value)


def test_missing_configurations_and_unequal_runs_are_refused_by_name(study):
    table = study(PRODUCT)
    with pytest.raises(ValueError, match=r"every configuration needs the same 4 runs.*best/1/bin mirror, N=5.*: 3"):
        factors({name: column[1:] for name, column in table.items()})


def test_a_complete_part_of_an_incomplete_study_is_analysed(study):
    """Of the first configuration, best/1/bin mirror with N=5, a run is missing: N=20 alone has all."""
    table = study(PRODUCT)
    less = {name: column[1:] for name, column in table.items()}
    assert factors(less, N=20).components == factors(table, N=20).components
    with pytest.raises(ValueError, match=r"best/1/bin mirror, N=5.*: 3"):
        factors(less, N=5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"of": "median"}, "of must be one of mean, logit, spread, quantiles, got 'median'"),
        ({"confidence": 95}, "confidence must be above 0 and below 1, got 95"),
        ({"confidence": "high"}, "confidence must be above 0 and below 1, got 'high'"),
        ({"N": 7}, "N must be one of 5, 20, got 7"),
        ({"budget": 7}, "no runs where budget is 7"),
        ({"nothing": 7}, "where must be one of"),
    ],
)
def test_what_is_asked_wrongly_is_named(study, arguments, said):
    with pytest.raises(ValueError, match=said):
        factors(study(PRODUCT), **arguments)


def test_runs_that_are_grouped_already_are_taken(study):
    table = study(PRODUCT)
    grouped = Runs.of(table)
    expected = factors(table).components
    assert factors(grouped).components == factors(grouped, budget=1000).components == expected
    with pytest.raises(ValueError, match="no runs where budget is 7"):
        factors(grouped, budget=7)


@pytest.mark.parametrize("of", ["mean", "logit", "spread", "quantiles"])
def test_a_study_of_one_configuration_has_no_variance(made, of):
    found = factors(made({(0.5, 0.9): [0.1, 0.2, 0.4, 0.3]}), of)
    assert found.variance == (0, 0, 0)
    assert "1 configurations of 4 runs" in str(found)


def test_more_runs_than_points_of_a_curve_are_no_matter(made):
    """A shift of all 200 runs by F: all of the variance between curves is F's."""
    rng = np.random.default_rng(10)
    runs = 0.1 * rng.random(200)
    found = factors(made({(F, Cr): F / 10 + runs for F in (0.5, 1.0, 2.0) for Cr in (0.1, 0.9)}), "quantiles")
    assert found.effects["F",] == pytest.approx([0.05 - 7 / 60, 0.1 - 7 / 60, 0.2 - 7 / 60])
    assert found.first["F"].value == pytest.approx(1, abs=0.01)


def test_what_a_comparison_of_factors_lacks_is_said(made, study):
    assert obstacle(Runs.of(study(PRODUCT))) == ""
    assert obstacle(Runs.of(study(PRODUCT, jitter=(0.0,)))).endswith(
        "needs at least 2 runs of every configuration, these have 1"
    )
    assert obstacle(Runs.of(made({(0.5, 0.9): [0.1, 0.2]}))).endswith(
        "needs two with several levels, this study has none"
    )
    fewer = {name: column[1:] for name, column in study(PRODUCT).items()}
    assert obstacle(Runs.of(fewer)).startswith("every configuration needs the same 4 runs")
