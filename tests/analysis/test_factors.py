"""debox.factors: variances by hand, noise removed without bias, parts of a study, and the text of a result."""

import json
from dataclasses import replace
from itertools import product
from math import inf, isnan, nan

import numpy as np
import pytest
from scipy.stats import t

import debox
from debox.analysis.factors import STATISTICS, Factors, Share, curves, obstacle, variances
from debox.analysis.runs import Runs
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
OF = ("mean", "logit", "spread", "quantiles")


@pytest.fixture
def study(made):
    """pois of the runs of each configuration: its mean plus the jitter."""

    def make(means, jitter=JITTER):
        return made({key: [mean + one for one in jitter] for key, mean in means.items()})

    return make


def by_hand():
    """V_u of the product: ∏_{k ∈ u} s_k² ∏_{k ∉ u} m_k² for every u but the empty one."""
    V = {}
    for members in product((False, True), repeat=6):
        parts = [np.array(list(levels.values())) for levels in VALUES.values()]
        squares = [x.var() if there else x.mean() ** 2 for x, there in zip(parts, members, strict=True)]
        V[tuple(name for name, there in zip(AXES, members, strict=True) if there)] = float(np.prod(squares))
    del V[()]
    return V


def test_the_shares_of_a_product_are_those_derived_by_hand(study):
    found, V = debox.factors(study(PRODUCT, jitter=(0.0,) * 3)), by_hand()
    whole = sum(V.values())
    assert found.variance.value == pytest.approx(whole, rel=1e-9)
    assert (found.configurations, found.runs, found.planned) == (192, 3, 3)
    for u, v in V.items():
        assert found.components[u] == pytest.approx((v / whole,) * 3, abs=1e-9)
    assert found.alone.value == pytest.approx(sum(V[name,] for name in AXES) / whole, abs=1e-9)
    for name in AXES:
        of = {u: v / whole for u, v in V.items() if name in u}
        assert found.first[name].value == pytest.approx(V[name,] / whole, abs=1e-9)
        assert found.total[name].value == pytest.approx(sum(of.values()), abs=1e-9)
        assert found.shapley[name].value == pytest.approx(sum(v / len(u) for u, v in of.items()), abs=1e-9)


def test_noise_is_taken_from_each_component_by_its_degrees_of_freedom(study):
    """Runs keep their mean: raw V_u are those by hand; s²/R is (2 · 0.001² + 2 · 0.002²)/3/4, d_u/192 of it goes."""
    found, V = debox.factors(study(PRODUCT)), by_hand()
    noise, levels = 10e-6 / 3 / 4, {name: len(VALUES[name]) for name in AXES}
    for u, variance in found.variances.items():
        assert variance == pytest.approx(V[u] - np.prod([levels[name] - 1 for name in u]) / 192 * noise, abs=1e-15)
    assert found.noise == pytest.approx(191 / 192 * noise, abs=1e-15)
    assert min(found.variances.values()) < 0  # it stays below


def test_effects_are_deviations_from_the_mean_of_all(study):
    found = debox.factors(study(PRODUCT))
    mean = np.mean(list(PRODUCT.values()))
    of_F = np.array([np.mean([v for key, v in PRODUCT.items() if key[4] == F]) for F in VALUES["F"]]) - mean
    assert found.effects[()] == pytest.approx(mean)
    assert found.effects["F",] == pytest.approx(of_F)
    additive = mean + found.effects["crossover",][:, None] + of_F
    of_both = np.outer([1.0, 0.5], [0.1, 0.2, 0.4, 0.5]) * mean / (0.75 * 0.3)
    assert found.effects["crossover", "F"] + additive == pytest.approx(of_both)


@pytest.fixture
def noisy(made):
    """Eight runs of 2 × 3 × 4 cells."""
    rng = np.random.default_rng(8)
    cells = product(["rand/1"], ("bin", "exp"), ["mirror"], [5], (0.2, 0.5, 1.0), (0.1, 0.3, 0.6, 0.9))
    return made({key: rng.uniform(0, key[4] / 3, 8) + key[4] * rng.uniform(0.4, 0.6) for key in cells})


def every_share(found):
    kinds = [found.components, *found.shares().values()]
    return [found.variance, found.alone, *(one for kind in kinds for one in kind.values())]


@pytest.mark.parametrize("of", OF)
def test_shares_sum_to_one(noisy, of):
    found = debox.factors(noisy, of)
    assert len(found.components) == 63
    assert sum(found.variances.values()) == pytest.approx(found.variance.value, abs=1e-12)
    for shares in (found.components, found.shapley):
        assert sum(share.value for share in shares.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(("of", "together"), [("mean", 1), ("logit", 1), ("spread", 2), ("quantiles", 2)])
def test_intervals_are_those_of_a_jackknife_of_whole_studies(noisy, of, together):
    """Each run is left out, or each pair of runs where halves are compared; Student's t."""
    groups = 8 // together
    without = []
    for k in range(groups):
        fewer = {name: column[noisy["run"] // together != k] for name, column in noisy.items()}
        without.append([share.value for share in every_share(debox.factors(fewer, of))])
    half = t.ppf(0.9, groups - 1) * np.sqrt((groups - 1) * np.var(without, axis=0))
    for (value, low, high), width in zip(every_share(debox.factors(noisy, of, confidence=0.8)), half, strict=True):
        assert (value - low, high - value) == pytest.approx((width, width), abs=1e-12)


def test_a_shift_of_all_quantiles_has_the_shares_of_the_mean(study):
    curves, means = (debox.factors(study(PRODUCT, jitter=(0.0,) * 4), of) for of in ("quantiles", "mean"))
    for u in means.components:
        assert curves.components[u].value == pytest.approx(means.components[u].value, abs=1e-8)


def test_spread_is_the_mean_of_two_halves_whose_difference_is_noise(made):
    """Deviations have the standard deviation 0.01 F in runs 0, 2, 4 and 0.02 F in the others: 0.015 F ± 0.005 F.

    The variance of a mean of two is (0.01 F)²/4, on average 0.625 · 10⁻⁴, of which a quarter goes from F and from Cr.
    """
    deviations = np.array([-1, -2, 0, 0, 1, 2]) / 100
    found = debox.factors(made({(F, Cr): 0.5 + F * deviations for F in (1.0, 2.0) for Cr in (0.1, 0.9)}), "spread")
    assert found.effects["F",] == pytest.approx([-0.0075, 0.0075])
    assert found.variances["F",] == pytest.approx(0.0075**2 - 0.625e-4 / 4)
    assert found.variances["Cr",] == pytest.approx(-0.625e-4 / 4)


def test_long_quantile_functions_are_averaged_over_25_equal_parts():
    """30 runs are 150 steps of a fifth of a run, six to a part; the numbers of a cell stand before its halves."""
    found = curves(np.stack([np.arange(30.0)[::-1], np.arange(30.0) + 7]))
    expected = np.repeat(np.arange(30.0), 5).reshape(25, 6).mean(axis=1)
    assert found == pytest.approx(np.stack([expected, expected + 7], axis=-1))


@pytest.mark.parametrize("of", OF)
def test_of_cells_that_are_all_alike_nothing_is_left_on_average(of):
    """400 studies of 2 × 3 cells; 4 standard errors are 1 false alarm in 16 000. The control: noise is not removed."""
    statistic, rng, V, raw = STATISTICS[of], np.random.default_rng(3), [], []
    for _ in range(400):
        replicates = statistic.replicates(statistic.arrange(rng.exponential(size=(2, 3, 6))))
        V.append(variances(replicates)[1:].sum())
        raw.append(replicates.mean(axis=-1).var(axis=(0, 1)).mean())
    for found, is_biased in ((V, False), (raw, True)):
        assert (abs(np.mean(found)) > 4 * np.std(found) / 20) == is_biased


def test_a_factor_of_one_level_has_exactly_no_share(study):
    found = debox.factors(study(PRODUCT), N=5)
    assert found.axes["N"] == (5,)
    assert all(found.components[u] == (0, 0, 0) for u in found.components if "N" in u)
    assert found.total["N"] == (0, 0, 0)


def test_a_part_of_a_study_is_a_table_of_that_part(study):
    part = {key: mean for key, mean in PRODUCT.items() if key[1] == "bin" and key[4] <= 1}
    whole, some = debox.factors(study(PRODUCT), crossover="bin", F="<=1"), debox.factors(study(part))
    assert whole.components == some.components
    assert whole.where == {"crossover": ("bin",), "F": ("<=1",)}
    assert str(whole).startswith("mean POIS: 72 configurations of 4 runs, crossover = bin; F ≤ 1\n")


def test_a_complete_part_of_an_incomplete_study_is_analysed(study):
    """Of the first configuration, best/1/bin mirror with N=5, a run is missing: N=20 alone has all."""
    table = study(PRODUCT)
    fewer = {name: column[1:] for name, column in table.items()}
    assert debox.factors(fewer, N=20).components == debox.factors(table, N=20).components
    with pytest.raises(ValueError, match=r"every configuration needs the same 4 runs.*best/1/bin mirror, N=5.*: 3"):
        debox.factors(fewer, N=5)


def test_a_dimension_that_varies_is_a_factor(made):
    tables = [made({(F, Cr): [F / n] * 3 for F in (0.5, 1.0) for Cr in (0.1, 0.9)}, n=n) for n in (2, 10)]
    both = {name: np.concatenate([one[name] for one in tables]) for name in tables[0]}
    found = debox.factors(both)
    assert found.strongest_pair == ("dimension", "F")
    assert found.effects["dimension",] == pytest.approx([0.15, -0.15])
    assert debox.factors(both, n=10).components == debox.factors(tables[1]).components


def test_cells_that_are_all_alike_have_unknown_shares(study):
    found = debox.factors(study(dict.fromkeys(PRODUCT, 0.3), jitter=(0.0,) * 3))
    assert found.variance.value < 1e-20
    assert isnan(found.first["F"].value)
    assert (found.first["F"].low, found.first["F"].high) == (-inf, inf)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"of": "median"}, "of must be one of mean, logit, spread, quantiles, got 'median'"),
        ({"of": "spread"}, "of='spread' needs at least 6 runs of every configuration, these have 4"),
        ({"confidence": 95}, "confidence must be a number with 0 < confidence < 1, got 95"),
        ({"confidence": "high"}, "confidence must be a number with 0 < confidence < 1, got 'high'"),
        ({"N": 7}, "N must be one of 5, 20, got 7"),
        ({"budget": 7}, "budget must be one of 1000, got 7"),
        ({"nothing": 7}, "where must be one of"),
    ],
)
def test_what_is_asked_wrongly_is_named(study, arguments, said):
    with pytest.raises(ValueError, match=said):
        debox.factors(study(PRODUCT), **arguments)


def test_two_runs_give_shares_without_intervals(made):
    found = debox.factors(made({(F, Cr): [F / 5, F / 5 + Cr / 9] for F in (0.5, 2.0) for Cr in (0.1, 0.9)}))
    assert (found.first["F"].low, found.first["F"].high) == (-inf, inf)
    assert found.first["F"].value == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(("of", "least"), [("mean", 3), ("logit", 3), ("spread", 6), ("quantiles", 4)])
def test_as_few_runs_as_allowed_have_an_error(made, of, least):
    rng = np.random.default_rng(2)
    cells = {(F, Cr): F / 5 + F**2 * rng.random(least) / 9 for F in (0.1, 0.5, 2.0) for Cr in (0.1, 0.9)}
    found = debox.factors(made(cells), of)
    assert np.isfinite(found.first["F"]).all()


def test_what_a_comparison_of_factors_lacks_is_said(made, study):
    def said(table):
        return obstacle(Runs.of(table))

    assert said(study(PRODUCT)) == ""
    assert said(study(PRODUCT, jitter=(0.0,))).endswith("needs at least 2 runs of every configuration, these have 1")
    assert said(made({(0.5, 0.9): [0.1] * 3})).endswith("needs two with several levels, this study has none")
    fewer = {name: column[1:] for name, column in study(PRODUCT).items()}
    assert said(fewer).startswith("every configuration needs the same 4 runs")


# ---- What a result says ----------------------------------------------------------------------------------------------


@pytest.fixture
def result():
    """A result by hand."""
    shares = {("F",): Share(0.7, 0.6, 0.8), ("Cr",): Share(0.32, 0.2, 0.4), ("F", "Cr"): Share(-0.02, -0.1, 0.05)}
    return Factors(
        of="mean",
        axes={"F": (0.5, 1.0), "Cr": (0.1, 0.5, 0.9)},
        runs=50,
        planned=80,
        where={"crossover": ("bin",), "N": (5, 20)},
        confidence=0.95,
        variance=Share(0.04, 0.03, 0.05),
        noise=0.001,
        variances={u: 0.04 * share.value for u, share in shares.items()},
        components=shares,
        first={"F": shares["F",], "Cr": shares["Cr",]},
        total={"F": Share(0.68, 0.6, 0.75), "Cr": Share(0.3, -inf, inf)},
        shapley={"F": Share(0.69, 0.6, 0.78), "Cr": Share(nan, -inf, inf)},
        alone=Share(0.98, 0.9, 1.0),
        effects={(): np.array(0.5), ("F", "Cr"): np.zeros((2, 3))},
    )


def test_the_text_has_what_is_decomposed_and_every_share(result):
    assert str(result).splitlines() == [
        "mean POIS: 6 configurations of 50 of 80 planned runs, crossover = bin; N = 5, 20",
        "variance between configurations 0.04 [0.03, 0.05], sd 0.2; noise of 0.001 is removed",
        "shares of it with 95 % intervals (cells fixed, runs random)",
        "",
        "    levels  alone                    with interactions        Shapley",
        "F   2       70.0 % [60.0, 80.0]      68.0 % [60.0, 75.0]      69.0 % [60.0, 78.0]",
        "Cr  3       32.0 % [20.0, 40.0]      30.0 % [anything]        unknown",
        "",
        "The strongest interactions",
        "F × Cr                                  -2.0 % [-10.0, 5.0]",
    ]


def test_the_dictionary_is_json_and_what_is_not_finite_is_none(result):
    read = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    assert read["variance"] == {"value": 0.04, "low": 0.03, "high": 0.05}
    assert (read["where"]["N"], read["configurations"], read["planned"]) == ([5, 20], 6, 80)
    assert [row["factors"] for row in read["shares"]] == ["F", "Cr", "F × Cr", *["F", "Cr"] * 3, ""]
    assert read["shares"][-2] == {"kind": "shapley", "factors": "Cr", "share": None, "low": None, "high": None}
    assert read["shares"][2] == {"kind": "component", "factors": "F × Cr", "share": -0.02, "low": -0.1, "high": 0.05}


def test_interactions_are_of_factors_with_several_levels_the_strongest_first(result):
    more = {("F", "Cr", "N"): Share(0.1, 0, 0.2), ("F", "N"): Share(0.05, 0, 0.1)}
    V = {u: share.value for u, share in more.items()} | result.variances
    components = {**result.components, **more}
    several = replace(result, axes=result.axes | {"N": (5, 20)}, components=components, variances=V)
    assert [u for u, _ in several.interactions()] == [("F", "Cr", "N"), ("F", "N"), ("F", "Cr")]
    assert several.strongest_pair == ("F", "N")
    one = replace(several, axes=result.axes | {"N": (5,)})
    assert [u for u, _ in one.interactions()] == [("F", "Cr")]
    with pytest.raises(ValueError, match="needs two factors with several levels"):
        replace(result, axes={"F": (0.5, 1.0), "Cr": (0.1,)}).strongest_pair  # noqa: B018
