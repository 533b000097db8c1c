"""debox.contrast: differences of matched cells by hand, tests that count, tables that can be pasted."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import false_discovery_control, t, ttest_1samp

import debox
from debox.analysis.runs import format_key

NOISE = np.array([-3, -1, 0, 1, 3, -2, 0, 2, -1, 1]) / 100  # of ten runs, on average 0
LEVELS = {"mirror": 0.2, "saturation": 0.3, "toroidal": 0.3}
BUDGET, N = 1005, 5  # 1000 trials


def study(made, means, noise=NOISE, **options):
    """A table whose shares of infeasible trials have these means; pois = infeasible ÷ budget."""
    cells = {key: np.round(1000 * (mean + noise)) / BUDGET for key, mean in means.items()}
    return made(cells, budget=BUDGET, **options)


@pytest.fixture
def table(made):
    """In three of four cells saturation and toroidal have 0.1 more than mirror; in one 0.3 more and 0.5 less."""
    means = {
        ("rand/1", "bin", strategy, N, F, Cr): mean
        for (strategy, mean), F, Cr in product(LEVELS.items(), (0.5, 1.0), (0.1, 0.9))
    }
    means["rand/1", "bin", "mirror", N, 1.0, 0.9] = 0.6
    means["rand/1", "bin", "saturation", N, 1.0, 0.9] = 0.9
    means["rand/1", "bin", "toroidal", N, 1.0, 0.9] = 0.1
    return study(made, means)


def test_each_two_levels_are_compared_in_matched_cells(table):
    found = debox.contrast(table, "strategy")
    assert [(one.low, one.high) for one in found.pairs] == list(combinations(LEVELS, 2))
    first, second, third = found.pairs
    # (3 · 0.1 + 0.3)/4, (3 · 0.1 − 0.5)/4, (0 + 0 + 0 − 0.8)/4
    assert [one.difference for one in found.pairs] == pytest.approx([0.15, -0.05, -0.2])
    assert [(one.rise, one.fall, one.cells) for one in found.pairs] == [(4, 0, 4), (3, 1, 4), (0, 1, 4)]
    assert (first.largest, second.largest, third.largest) == pytest.approx((0.3, -0.5, -0.8))
    assert format_key(first.where) == "rand/1/bin, N=5, F=1, Cr=0.9"


def test_the_interval_is_that_of_students_t_of_groups_of_runs(made):
    """One cell per strategy; ten runs are ten groups, so that the jackknife is the error of a mean of differences."""
    means = {("rand/1", "bin", strategy, N, 0.5, 0.5): mean for strategy, mean in (("mirror", 0.2), ("COTN", 0.3))}
    given = study(made, means)
    given["pois"][:10] = np.round(1000 * (0.3 + NOISE[::-1])) / BUDGET
    given["pois"][10:] = np.round(1000 * (0.2 + NOISE)) / BUDGET
    (pair,) = debox.contrast(given, "strategy", confidence=0.9).pairs
    shares = {name: given["pois"][given["strategy"] == name] * BUDGET / 1000 for name in ("COTN", "mirror")}
    differences = shares["mirror"] - shares["COTN"]
    error = differences.std(ddof=1) / np.sqrt(10)
    half = t.ppf(0.95, 9) * error
    assert (pair.low, pair.high) == ("COTN", "mirror")
    assert (pair.lower, pair.upper) == pytest.approx((differences.mean() - half, differences.mean() + half))
    assert pair.p == pytest.approx(2 * t.sf(abs(differences.mean()) / error, 9))


def test_p_values_are_corrected_for_all_pairs(made):
    """Levels 1, 2, 3 of F: Benjamini and Hochberg multiply the smallest of three p by 3, the largest by 1."""
    rng = np.random.default_rng(4)
    given = made({(F, 0.5): 0.3 + 0.004 * F + 0.01 * rng.random(10) for F in (0.5, 1.0, 2.0)}, budget=10**6)
    raw = [debox.contrast(given, "F", F=pair).pairs[0].p for pair in ((0.5, 1.0), (0.5, 2.0), (1.0, 2.0))]
    corrected = [one.p for one in debox.contrast(given, "F").pairs]
    order = np.argsort(raw)
    expected = np.minimum.accumulate([3 / rank * raw[k] for rank, k in zip((3, 2, 1), order[::-1], strict=True)])
    assert [corrected[k] for k in order[::-1]] == pytest.approx(expected)


def test_cells_are_corrected_for_all_cells_of_all_pairs_and_for_both_directions(made):
    """Ten runs are ten groups, so that p is that of a t-test of differences: three pairs of levels, eight cells."""
    rng, levels, Crs = np.random.default_rng(3), (0.5, 1.0, 2.0), tuple(k / 10 for k in range(1, 9))
    given = made({(F, Cr): 0.3 + 0.02 * Cr * F + 0.02 * rng.random(10) for F in levels for Cr in Crs}, budget=10**6)
    runs = np.round(given["pois"] * 10**6).reshape(3, 8, 10)
    apart = np.array([runs[1] - runs[0], runs[2] - runs[0], runs[2] - runs[1]])
    p = 2 * ttest_1samp(apart, 0, axis=-1, alternative="greater").pvalue
    shown, per_pair, one_sided = (
        (false_discovery_control(q, axis=axis).reshape(3, 8) <= 0.05).sum(-1).tolist()
        for q, axis in ((np.minimum(p, 1), None), (np.minimum(p, 1), -1), (p / 2, None))
    )
    assert shown not in (per_pair, one_sided)  # else this could not fail
    assert [one.rise for one in debox.contrast(given, "F").pairs] == shown


def test_spread_is_the_standard_deviation_of_the_share(made):
    means = {(F, 0.5): 0.4 for F in (0.5, 1.0)}
    given = study(made, means)
    given["pois"][given["F"] == 1.0] = np.round(1000 * (0.4 + 3 * NOISE)) / BUDGET
    (pair,) = debox.contrast(given, "F", of="spread").pairs
    assert pair.difference == pytest.approx(2 * NOISE.std(ddof=1))
    assert (pair.rise, pair.fall, pair.cells) == (1, 0, 1)


def test_where_nothing_differs_all_cells_are_open(made):
    means = {(F, Cr): 0.4 for F in (0.5, 1.0) for Cr in (0.1, 0.9)}
    given = study(made, means)
    given["pois"] = np.random.default_rng(1).permutation(given["pois"])
    (pair,) = debox.contrast(given, "F").pairs
    assert (pair.rise, pair.fall, np.isnan(pair.largest), pair.where) == (0, 0, True, {})
    assert pair.p > 0.05


def test_a_dimension_is_a_factor_and_where_chooses_a_part(made):
    tables = [study(made, {(F, 0.5): F / n for F in (0.5, 1.0)}, n=n) for n in (2, 10)]
    both = {name: np.concatenate([one[name] for one in tables]) for name in tables[0]}
    assert debox.contrast(both, "dimension").pairs[0].difference == pytest.approx(-0.3)
    assert debox.contrast(both, "F", n=10).pairs[0].difference == pytest.approx(0.05)
    with pytest.raises(ValueError, match="dimension = 2, 10; choose one"):
        debox.contrast(both, "F")


def test_the_tables_can_be_pasted(table):
    found = debox.contrast(table, "strategy", strategy=("sat", "mirror"))
    head, rule, row = found.to_markdown().splitlines()
    assert head == "| pair | difference | interval | p | rise | fall | cells | largest | where |"
    assert rule.count("---") == 9
    assert row.startswith("| saturation − mirror | +0.150 | [")
    assert row.endswith(" | 4 | 0 | 4 | +0.300 | rand/1/bin, N=5, F=1, Cr=0.9 |")
    lines = found.to_latex().splitlines()
    assert lines[0] == r"\begin{tabular}{lrrrrrrrl}"
    assert [lines[k] for k in (1, 3, -2, -1)] == [r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}"]
    assert lines[4].startswith(r"saturation $-$ mirror & $+0.150$ & $[")
    assert lines[4].count("&") == 8
    text = str(found).splitlines()
    assert text[0] == "strategy (n = 30, budget 1 005, 10 runs; strategy = sat, mirror)"
    assert "average difference in matched cells, 95% interval" in text[-2]


WRONG = [
    ("speed", {}, "factor must be one of mutation, .* got 'speed'"),
    ("strategy", {"of": "median"}, "of must be one of mean, spread, got 'median'"),
    ("strategy", {"confidence": 1}, "confidence must be a number with 0 < confidence < 1, got 1"),
    ("strategy", {"strategy": "mirror"}, "a contrast needs several strategy, the runs have mirror"),
    ("strategy", {"N": 7}, "where: N must be one of 5, got 7"),
]


@pytest.mark.parametrize(("factor", "options", "message"), WRONG)
def test_what_is_asked_wrongly_is_named(table, factor, options, message):
    with pytest.raises(ValueError, match=message):
        debox.contrast(table, factor, **options)


@pytest.mark.parametrize("of", ["mean", "spread"])
def test_too_few_runs_are_refused(made, of):
    """By chance the differences of a few runs are equal, and have no error; those of five hardly ever are."""
    given = made({(F, 0.5): [0.1, 0.2, 0.3, 0.4] for F in (0.5, 1.0)})
    with pytest.raises(
        ValueError, match=f"a contrast of the {of} needs at least 5 runs of every configuration, these have 4"
    ):
        debox.contrast(given, "F", of=of)
    rng = np.random.default_rng(1)
    levels = product((0.5, 1.0), np.arange(400) / 400)
    (pair,) = debox.contrast(made({key: rng.binomial(995, 0.01, 5) / 1000 for key in levels}, budget=1000), "F").pairs
    assert pair.cells == 400
    assert pair.rise + pair.fall <= 1
