"""Predictions: interpolation and bands on cells whose law is known; stored cells as they are; errors by name."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from stored_rows import edited, filled, rows

import debox
from debox import Config
from debox.analysis import predict as predicting
from debox.analysis.between import Calibration, Cells, Guess, at_log_odds, from_angle, log_odds, to_angle
from debox.store.errors import StoreError
from debox.store.manifest import Manifest
from debox.store.store import Writer

TRIALS = 100_000
WIDE_F, WIDE_CR = np.array([0.1, 0.3, 0.6, 1.0, 1.5, 2.0]), np.array([0.1, 0.3, 0.6, 0.9])
ONE = np.ones((1, 1, 1))
BETWEEN = np.array([0.2, 0.8]), np.array([0.2, 0.5, 0.85])
MIDDLE_F, MIDDLE_CR = np.array([np.sqrt(0.7 * 1.7) - 0.2]), 1.1 - np.sqrt(0.9 * 0.5)  # of 0.5, 1.5 and 0.2, 0.6


def expit(logits):
    return 1 / (1 + np.exp(-logits))


def cells_of(law, F=WIDE_F, Cr=WIDE_CR, trials=TRIALS):
    """The runs of the cell (F, Cr) are law(F, Cr), sorted; theory says ½ everywhere."""
    counts = np.array([[np.sort(np.atleast_1d(law(f, c))) for c in Cr] for f in F], float)
    return Cells(np.array(F), np.array(Cr), counts, np.zeros(counts.shape[:2]), trials, n=10)


def noisy(seed, runs=20, spread=0.2):
    """Runs vary around a smooth surface of logits."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.uniform(-1, 1, 3)
    return lambda F, Cr: TRIALS * expit(rng.normal(a + 3 * b * np.sin(F + 3 * Cr) + 2 * c * Cr, spread, runs))


def expected(cells, F, Cr):
    return cells.interpolate(F, Cr, np.zeros((len(F), len(Cr))))


def two_steps():
    """All runs at 20 % where F = 0.5 and at 80 % where F = 1.5."""
    return cells_of(lambda F, Cr: np.full(3, 20_000 if F < 1 else 80_000), F=[0.5, 1.5], Cr=[0.2, 0.6])


# ---- Interpolation ---------------------------------------------------------------------------------------------------


def test_cells_are_kept_and_answers_sorted():
    cells = cells_of(noisy(1))
    assert expected(cells, cells.F, cells.Cr).counts == pytest.approx(cells.counts, rel=1e-9)
    between = expected(cells, *BETWEEN).counts
    assert between.shape == (2, 3, 20)
    assert (np.diff(between) >= 0).all()
    assert 0 <= between.min() <= between.max() <= TRIALS


def test_between_equal_levels_a_spline_is_flat_and_elsewhere_hermites_cubic():
    """Logits 0, 0, 2, over stretched F at 0, 1, 2: slopes 0, 0 and (3·2 − 0)/2 = 3; at 1.5: (0 + 2)/2 + (0 − 3)/8."""
    F, trials = np.exp([0.0, 1.0, 2.0]) - 0.2, 10**9
    cells = cells_of(lambda f, Cr: trials * expit(2.0 * (f > F[1])), F=F, trials=trials)
    found = expected(cells, np.exp([0.4, 1.5]) - 0.2, cells.Cr[:1]).counts.ravel()
    assert found == pytest.approx(trials * expit(np.array([0, 1 - 3 / 8])), rel=1e-8)


def test_two_camps_move_and_do_not_mix():
    """Two cells, all runs at 20 % and all at 80 %: in the middle no run is left at either."""
    assert expected(two_steps(), MIDDLE_F, np.array([0.4])).counts.ravel() == pytest.approx([50_000] * 3)
    all_or_none = cells_of(lambda F, Cr: np.array([0, TRIALS]))
    assert expected(all_or_none, *BETWEEN).counts == pytest.approx(np.tile([0.0, TRIALS], (2, 3, 1)), abs=1e-6)


# ---- The band: its parts by hand -------------------------------------------------------------------------------------


def test_roughness_is_what_both_neighbours_differ_by_over_both_axes():
    """Logits ±1 by F and ±½ by Cr; in the middle of the step between them a spline is at 0."""
    levels = 0.7 * (1.7 / 0.7) ** np.array([-1, 0, 1, 2]) - 0.2  # 0.5, 1.5 and one more on both sides
    cells = cells_of(lambda f, c: TRIALS * expit(np.sign(f - 1) + np.sign(c - 0.4) / 2), F=levels, Cr=[0.2, 0.6])
    by_F, by_Cr = np.log(1.7 / 0.7), np.log(0.9 / 0.5)  # steps

    def differ(low, high):
        return np.arcsin(np.sqrt(expit(high))) - np.arcsin(np.sqrt(expit(low)))

    both = np.hypot(differ(-1, 1) * np.sqrt(by_F), differ(-0.5, 0.5) * np.sqrt(by_Cr))
    found = expected(cells, MIDDLE_F, np.array([0.2, MIDDLE_CR])).roughness.ravel()
    assert found == pytest.approx([differ(-1.5, 0.5) * np.sqrt(by_F) + 0.002, both + 0.002], rel=1e-4)
    assert expected(cells, cells.F, cells.Cr).roughness == pytest.approx(np.full((4, 2, 1), 0.002))
    quarter = np.array([0.7 * np.exp(by_F / 4) - 0.2])  # 4 · ¼ · ¾ of what is in the middle
    found = expected(cells, quarter, cells.Cr[1:]).roughness.item()
    assert found == pytest.approx(0.75 * differ(-0.5, 1.5) * np.sqrt(by_F) + 0.002, rel=1e-4)
    with_theory = replace(cells, theory=cells.theory + 0.3).interpolate(MIDDLE_F, cells.Cr, np.full((1, 2), 0.3))
    assert with_theory.roughness == pytest.approx(expected(cells, MIDDLE_F, cells.Cr).roughness)


def test_a_mixture_of_cells_has_less_noise_than_one():
    cells = two_steps()
    assert expected(cells, cells.F, cells.Cr).noise.ravel().tolist() == [1, 1, 1, 1]
    found = expected(cells, MIDDLE_F, np.array([0.2, MIDDLE_CR])).noise.ravel()
    assert found == pytest.approx([1 / 2, 1 / 4])


def test_the_reach_of_the_median_run_by_hand():
    """Of 25 runs on a cell, the log-odds of the 13th vary by 2 · 2 ψ′(13) = 4 · 0.079957; ψ′(13) = π²/6 − 1.564977.

    ±1.64485 · √0.319829 = ±0.93022, so the levels are 1/(1 + exp ±0.93022): 25.5 · 0.28288 − 0.75 = 6.4634 places.
    """
    guess = Guess(from_angle(np.arange(25.0)[None, None] / 100, 10**6), 0.002 * ONE, ONE, 10**6)
    assert [100 * side[0, 0, 12] for side in guess.reach(0.9)] == pytest.approx([6.4634, 24 - 6.4634], abs=2e-4)


def test_levels_between_runs_lie_on_lines_and_beyond_them_on_the_outer_three_steps():
    """Levels of 5 runs are 0.75/5.5, 1.75/5.5, …; 3 steps over log-odds are log(3.75/1.75) − log(0.75/4.75)."""
    runs, known = np.array([0.0, 1.0, 3.0, 6.0, 6.0]), log_odds(5)
    assert known[1] == pytest.approx(np.log(1.75 / 3.75))
    between, step = np.log(1.25 / 4.25), np.log(3.75 / 1.75) - np.log(0.75 / 4.75)
    wanted = np.array([known[0] - 1, known[0], between, known[3], known[4], known[4] + 2])
    assert at_log_odds(runs, wanted).tolist() == pytest.approx([-6 / step, 0, 0.5, 6, 6, 6 + 2 * 5 / step])
    assert at_log_odds(np.array([4.0]), np.array([-1.0, 0, 1])).tolist() == [4, 4, 4]
    two = np.log(1.75 / 0.75)
    assert at_log_odds(np.array([1.0, 2.0]), np.array([-2 * two, 2 * two])) == pytest.approx([0.5, 2.5])


def test_a_band_is_wider_than_its_reach_by_a_multiple_of_the_roughness_but_never_narrower():
    guess = replace(expected(two_steps(), MIDDLE_F, np.array([0.2])), roughness=0.1 * ONE)
    low, high = guess.band(0.9, 2.0)  # runs that are all alike have no reach
    assert to_angle(high, TRIALS) - to_angle(low, TRIALS) == pytest.approx(0.4)
    assert guess.band(0.9, -1.0)[0] == pytest.approx(guess.counts)
    assert [side.ravel().tolist() for side in guess.band(0.9, 100.0)] == [[0] * 3, [TRIALS] * 3]


# ---- The band: how often it holds runs -------------------------------------------------------------------------------


def share_held(calibration, level, widening):
    """Of the runs that are left out, one in each cell."""
    count = 0
    for guess, there in calibration.pairs:
        low, high = guess.band(level, widening)
        count += ((low <= there + 1e-9) & (there <= high + 1e-9)).sum()
    return count / calibration.cells


def test_only_rows_and_columns_inside_are_left_out_and_predicted_from_all_others():
    cells = cells_of(noisy(4))
    pairs = Calibration(cells).pairs
    assert [there.shape[:2] for _, there in pairs] == [(1, 4)] * 4 + [(6, 1)] * 2
    assert (pairs[0][1] == cells.counts[1:2]).all()
    assert (pairs[-1][1] == cells.counts[:, 2:3]).all()
    others = cells_of(noisy(4), F=WIDE_F).keep(F=np.arange(6) != 1)
    assert (pairs[0][0].counts == expected(others, cells.F[1:2], cells.Cr).counts).all()


def test_the_widening_is_the_score_of_the_rank_that_the_level_asks_for():
    """One run in each of 28 cells: level 0.9 asks for the ⌈0.9 · 29⌉ = 27th score, 0.5 for the 15th."""
    calibration = Calibration(cells_of(noisy(6, runs=1)))
    assert calibration.cells == 28
    for level, rank in ((0.9, 27), (0.5, 15)):
        for narrower, count in ((1.0, rank), (1 - 1e-6, rank - 1)):
            widening = narrower * calibration.widening(level)
            assert share_held(calibration, level, widening) == pytest.approx(count / 28)


# ---- predict ---------------------------------------------------------------------------------------------------------

F, CR = (0.2, 0.5, 1.0, 1.4), (0.1, 0.5, 0.9)
SAT = "DE/rand/1/exp sat"


@pytest.fixture
def table(made):
    """Two crossovers, two N; three runs of each cell."""
    return made(
        {
            ("rand/1", crossover, "saturation", N, f, c): np.array([20, 0, 10]) / 1000 + f * (1 + c) / 4
            for crossover, N, f, c in product(("bin", "exp"), (5, 20), F, CR)
        }
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The runs of two dimensions."""
    cells = list(product((0.5, 1.0), (0.1, 0.9)))
    parts = [rows(range(3), f"{SAT}, N=5, F={f}, Cr={c}", n=n) for n in (2, 3) for f, c in cells]
    study = edited(F=[0.5, 1.0], Cr=[0.1, 0.9], dimension=[2, 3], runs=3)
    path = tmp_path_factory.mktemp("predict") / "store"
    return filled(Writer.create(path, Manifest(study)), *parts)


def test_a_stored_configuration_is_returned_to_the_bit(table):
    one = debox.predict(table, SAT, N=5, F=0.2, Cr=0.9)
    assert one.stored
    assert one.pois.tolist() == [np.round(x * 1000) / 1000 for x in np.array([0, 0.01, 0.02]) + 0.2 * 1.9 / 4]
    assert (one.dimension, one.budget, one.runs, one.panel.strategy) == (30, 1000, 3, "saturation")
    assert not one.pois.flags.writeable


def test_text_config_and_keywords_say_the_same(table):
    whole = debox.predict(table, f"{SAT}, N=5, F=0.6, Cr=0.7")
    for config in (SAT, f"{SAT}, N=5", Config(f"{SAT}, N=5, F=0.6, Cr=0.7")):
        named = {} if isinstance(config, Config) else {"F": 0.6, "Cr": 0.7} | ({"N": 5} if config == SAT else {})
        assert debox.predict(table, config, **named).pois.tolist() == whole.pois.tolist()
    assert not whole.stored
    assert debox.predict(table, SAT, N=20, F=0.6, Cr=0.7).pois.tolist() != whole.pois.tolist()


def test_odds_that_are_a_multiple_of_those_of_generation_1_are_predicted_as_such(made):
    """The control: of operators that are not installed theory knows nothing, and splines alone miss them."""

    def law(f, c):
        p = debox.theory.trial_infeasible(f"{SAT}, N=5, F={f}, Cr={c}", n=30)
        return 3 * p / (1 + 2 * p)

    for mutation, strategy, is_known in (("rand/1", "saturation", True), ("my-own/2", "wall", False)):
        cells = {(mutation, "exp", strategy, 5, f, c): [law(f, c)] for f in (0.5, 1.0) for c in (0.1, 0.9)}
        one = debox.predict(made(cells, budget=10**8), f"DE/{mutation}/exp {strategy}", N=5, F=0.7, Cr=0.3)
        assert (one.mean() == pytest.approx(law(0.7, 0.3), rel=1e-6)) == is_known
        assert abs(one.mean() - law(0.7, 0.3)) < 0.1
    assert one.config == "DE/my-own/2/exp wall, N=5, F=0.7, Cr=0.3"


WRONG = [
    ({"F": 0.1}, r"F must be a number with 0.2 ≤ F ≤ 1.4, the levels of the study .* got 0.1"),
    ({"Cr": 0.95}, r"Cr must be a number with 0.1 ≤ Cr ≤ 0.9"),
    ({"F": "much"}, "F must be a number"),
    ({"N": 7}, "^N must be one of 5, 20, got 7"),
    ({"N": 0}, "N must be an integer ≥ 1, got 0"),
    ({"F": None}, "missing: F; a configuration reads as 'DE/rand/1/exp sat, N=5"),
    ({"config": "DE/rand/1/exp"}, "missing: strategy"),
    ({"config": "DE/rand/1/exp tor"}, "strategy must be one of saturation, got 'tor'"),
    ({"config": f"{SAT}, F=0.3"}, "F is given twice: in 'DE/rand/1/exp sat, F=0.3' and as F=0.6"),
    ({"config": f"{SAT}, colour=red"}, "where must be one of .*dimension.*, got 'colour'"),
    ({"colour": "red"}, "where must be one of .*dimension.*, got 'colour'"),
    ({"donors": "not-target"}, "donors must be one of distinct, got 'not-target'"),
    ({"config": f"{SAT}, donors=distinct", "donors": "not-target"}, "donors is given twice: 'distinct' by the config"),
    ({"mutation": "best/1"}, "mutation is given twice: 'rand/1' by the configuration, 'best/1' besides"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_arguments_are_refused(table, given, message):
    with pytest.raises(ValueError, match=message):
        debox.predict(table, **{"config": SAT, "N": 5, "F": 0.6, "Cr": 0.7} | given)


def test_the_store_comes_first_then_a_config_or_its_text(table):
    for config in (f"{SAT}, N=5, F=0.6, Cr=0.5", Config(f"{SAT}, N=5, F=0.6, Cr=0.5")):
        with pytest.raises(ValueError, match=f"^the store comes first, then the configuration: got '{config}' as sour"):
            debox.predict(config, table)
        with pytest.raises(StoreError, match="out/nothing"):
            debox.predict("out/nothing", config)
    for wrong in (3, None, [SAT]):
        with pytest.raises(TypeError, match=r"^a configuration is a Config or its text, such as 'DE/rand/1/bin sat, "):
            debox.predict(table, wrong)


def test_missing_cells_of_the_panel_are_listed_and_others_do_not_matter(table):
    def without(keep):
        return {name: column[keep] for name, column in table.items()}

    lost = (table["F"] == 0.5) & (table["Cr"] == 0.5) & (table["N"] == 5) & (table["crossover"] == "exp")
    fewer = "same 3 runs, these have fewer: rand/1/exp saturation, N=5, F=0.5, Cr=0.5: 0"
    with pytest.raises(ValueError, match=fewer):
        debox.predict(without(~lost), SAT, N=5, F=0.6, Cr=0.7)
    assert debox.predict(without(~lost), SAT, N=20, F=0.6, Cr=0.7).runs == 3
    for name, level in (("F", 0.5), ("Cr", 0.1)):
        with pytest.raises(ValueError, match=f"at least 2 levels of {name}, the study has {level} alone"):
            debox.predict(without(table[name] == level), SAT, N=5, F=0.5, Cr=0.1)


def test_a_store_needs_a_choice_between_its_dimensions(store):
    with pytest.raises(ValueError, match="dimension = 2, 3; choose one"):
        debox.predict(store, SAT, N=5, F=0.7, Cr=0.5)
    two, three = (debox.predict(store, SAT, N=5, F=0.7, Cr=0.5, n=n) for n in (2, 3))
    assert (two.dimension, three.dimension) == (2, 3)
    assert two.pois.tolist() != three.pois.tolist()
    for again in (store.path, store.table()):
        assert debox.predict(again, f"{SAT}, n=3", N=5, F=0.7, Cr=0.5).pois.tolist() == three.pois.tolist()


def test_an_open_store_reads_a_panel_once_and_again_when_its_files_change(store, monkeypatch):
    opened, read = debox.open_store(store.path), []
    table_of = opened.table
    monkeypatch.setattr(opened, "table", lambda *a, **where: read.append(where) or table_of(*a, **where))
    for f in (0.6, 0.7):
        debox.predict(opened, SAT, N=5, F=f, Cr=0.5, n=3)
    assert read == [{"mutation": "rand/1", "crossover": "exp", "strategy": "saturation", "N": 5}]
    debox.predict(opened, SAT, N=5, F=0.7, Cr=0.5, n=2)
    assert len(read) == 2
    monkeypatch.setattr(predicting.files, "state", lambda path: (path.name, 1, 2))
    debox.predict(opened, SAT, N=5, F=0.7, Cr=0.5, n=3)
    assert len(read) == 3


@pytest.fixture
def adaptive(made):
    """Runs of JADE's recipe, and of the same without adaptation and all POIS a tenth."""
    cells = {("current-to-pbest/1", "bin", "midpoint-target", 20, f, c): [f * (1 + c) / 5] for f, c in product(F, CR)}
    jade, fixed = made(cells, donors="not-target"), made(cells, donors="not-target")
    fixed["pois"] = np.full(len(fixed["pois"]), 0.1)
    table = {name: np.concatenate([jade[name], fixed[name]]) for name in jade}
    return table | {"adaptation": np.repeat(np.array(["JADE", "fixed"], object), len(jade["pois"]))}


def test_a_recipe_is_read_as_its_parts_with_its_start(adaptive):
    whole = "DE/curr-to-pbest/1/bin mid-tgt, N=20, F=0.5, Cr=0.5, adaptation=JADE"
    for asked in ("JADE, N=20", "jade mid-tgt, N=20, F=0.5", "SHADE, N=20, adaptation=JADE", whole, Config(whole)):
        found = debox.predict(adaptive, asked)
        assert (found.stored, found.config, found.mean()) == (True, whole, pytest.approx(0.15))
        assert f'measure "{whole}" --n 30' in str(found)
    assert debox.predict(adaptive, "JADE, N=20", Cr=0.9).mean() == pytest.approx(0.19)
    assert debox.predict(adaptive, "JADE, N=20", adaptation="jade").stored
    fixed = debox.predict(adaptive, "JADE, N=20, adaptation=fixed", F=0.5, Cr=0.5)
    assert fixed.config == "DE/curr-to-pbest/1/bin mid-tgt, N=20, F=0.5, Cr=0.5, donors=not-target"
    assert fixed.mean() == pytest.approx(0.1)
    with pytest.raises(ValueError, match="adaptation is given twice: 'JADE' by the configuration, 'fixed' besides"):
        debox.predict(adaptive, "JADE, N=20", adaptation="fixed")


# ---- Prediction ------------------------------------------------------------------------------------------------------


@pytest.fixture
def of(made):
    """of(F, Cr): a prediction; ten runs of each cell lie around a tenth of F."""

    def make(at_F, Cr, levels=(0.1, 0.3, 0.6, 1.0, 1.5, 2.0), middle=WIDE_CR):
        cells = {("rand/1", "bin", "mirror", 5, f, c): f / 10 + np.arange(10) / 1000 for f in levels for c in middle}
        return debox.predict(made(cells, n=10, budget=100_000), "DE/rand/1/bin mirr", N=5, F=at_F, Cr=Cr)

    return make


def test_quantiles_are_those_of_the_expected_runs(of):
    one = of(0.6, 0.3)
    assert one.pois == pytest.approx(0.06 + np.arange(10) / 1000)
    assert one.mean() == pytest.approx(0.0645)
    assert one.quantiles([0, 0.05, 0.3, 0.5, 1]) == pytest.approx([0.06, 0.06, 0.0625, 0.0645, 0.069])
    for p in ([1.1], [-0.1], [np.nan], 0.5, "half"):
        with pytest.raises(ValueError, match="p"):
            one.quantiles(p)


def test_the_band_lies_around_the_expected_runs_also_if_all_are_alike(of, made):
    one = of(0.8, 0.4)
    band, wider = one.band(0.8), one.band(0.9)
    assert band.p.tolist() == pytest.approx(np.arange(0.05, 1, 0.1))
    assert one.mean_interval(0.8) == pytest.approx((band.low.mean(), band.high.mean()))
    assert (wider.high - wider.low).mean() > (band.high - band.low).mean()
    low, high = one.guess.band(0.8, one.calibration.widening(0.8))
    assert (band.low * 100_000, band.high * 100_000) == (pytest.approx(low[0, 0]), pytest.approx(high[0, 0]))
    cells = {("rand/1", "bin", "mirror", 5, f, c): [0.110_01] * 3 for f in WIDE_F for c in WIDE_CR}
    alike = debox.predict(made(cells, n=10, budget=100_000), "DE/rand/1/bin mirr", N=5, F=0.6, Cr=0.3)
    for found in (one, alike):  # counts that are turned into angles and back are not the same to the bit
        assert (found.band(0.5).low <= found.pois).all()
        assert (found.pois <= found.band(0.5).high).all()


def test_the_text_says_what_is_expected_what_intervals_mean_and_how_to_know_better(of):
    one = of(0.8, 0.4)
    first, second, mean, *quantiles, last = str(one).splitlines()
    assert first == "DE/rand/1/bin mirr, N=5, F=0.8, Cr=0.4: interpolated, no run was done"
    assert second == "f0, n=10, budget 100000; in brackets: 90 % prediction intervals for 10 fresh runs"
    assert [line.split()[0] for line in quantiles] == ["5%", "25%", "50%", "75%", "95%"]
    low, high = one.mean_interval()
    assert mean == f"POIS mean     {one.mean():.4f}  [{low:.4f}, {high:.4f}]"
    band = one.band()
    assert quantiles[0] == f"5% quantile   {one.pois[0]:.4f}  [{band.low[0]:.4f}, {band.high[0]:.4f}]"
    assert last == 'to know it better: debox measure "DE/rand/1/bin mirr, N=5, F=0.8, Cr=0.4" --n 10 --budget 100000'
    assert str(of(0.6, 0.3)).splitlines()[0].endswith("F=0.6, Cr=0.3: as stored")
    assert repr(one).startswith("<Prediction DE/rand/1/bin mirr, N=5, F=0.8, Cr=0.4: mean POIS 0.0")


def test_without_a_band_the_text_says_why(of):
    one = of(0.7, 0.5, levels=(0.5, 1.0), middle=(0.1, 0.9))
    assert "no intervals: 0 cells that can be left out are too few" in str(one)
    assert "[" not in str(one)
    assert one.as_dict()["band"] is None
    few = of(0.7, 0.5, levels=(0.1, 0.5, 1.0), middle=(0.1, 0.9))
    assert (few.band(0.6).high > few.pois).all()
    wrong = [(one, 0.5, "no level of F or Cr between two others")]
    wrong += [(few, level, "level must be a number with 0 < level < 1") for level in (0, 1, 90)]
    wrong += [(few, 0.9, r"2 cells .* too few for a band of level 0.9; ask for at most 0.667")]
    for prediction, level, message in wrong:
        with pytest.raises(ValueError, match=message):
            prediction.band(level)


def test_a_dictionary_goes_through_json_and_a_notebook_shows_a_table_and_a_histogram(of):
    one = of(0.8, 0.4)
    found = json.loads(json.dumps(one.as_dict(0.8)))
    assert (found["config"], found["pois"], found["mean"]) == (one.config, one.pois.tolist(), one.mean())
    assert found["band"]["low"] == one.band(0.8).low.tolist()
    assert found["mean_interval"] == list(one.mean_interval(0.8))
    assert (found["stored"], found["level"], found["N"]) == (False, 0.8, 5)
    html = one._repr_html_()
    assert all(part in html for part in ("<b>DE/rand/1/bin mirr, N=5, F=0.8, Cr=0.4: interp", "POIS mean", "<svg"))
