"""Interventions do what their names say; data/collapse.parquet and the numbers of the page are what the code makes."""

import random

import numpy as np
import pytest
from reproduction import collapse, numbers
from reproduction.collapse import design, experiments, judge, rows
from reproduction.collapse.design import SWEPT
from reproduction.collapse.engine import Case, engine_of

CASE = Case("rand/1", "bin", "saturation", 5, 0.5, 0.755, 0.99, n=4, budget=50)
MEASURED, CASES = list(design.measured_cases()), list(design.cases())


def made(intervention, **other):
    return engine_of(CASE._replace(intervention=intervention, **other))


class Always:
    """A generator whose numbers are all the same."""

    def __init__(self, u):
        self.u = u

    def random(self, size=None):
        return self.u if size is None else np.full(size, self.u)


def test_off_bounds_moves_coordinates_on_bounds_inside_and_no_others():
    moved = made("off bounds").individual(np.array([0.0, 1.0, 0.5, 1e-12]), np.zeros(4), Always(0.5))
    assert moved.tolist() == [0.5e-9, 1 - 0.5e-9, 0.5, 1e-12]


def test_jitter_moves_clones_inside_and_no_others():
    P = np.array([[0.0, 1.0], [0.0, 1.0], [0.0, 0.9]])
    made("jitter").tidy(P, 2, Always(1.0))
    assert P.tolist() == [[0, 1], [0, 1], [0, 0.9]]
    made("jitter").tidy(P, 0, Always(1.0))
    assert P.tolist() == [[1e-9, 1 - 1e-9], [0, 1], [0, 0.9]]


def test_redraw_gives_numbers_where_all_agree_and_nowhere_else():
    P = np.array([[0.0, 0.3], [0.0, 0.4]])
    made("redraw").tidy(P, 1, Always(0.7))
    assert P.tolist() == [[0, 0.3], [0.7, 0.4]]


@pytest.mark.parametrize(
    ("crossover", "share"), [("bin", 0.755 + 0.245 / 4), ("exp", (1 + 0.755 + 0.755**2 + 0.755**3) / 4)]
)
def test_whole_takes_the_mutant_as_often_as_a_component_would_be_exchanged(crossover, share):
    one, u, x = made("whole", crossover=crossover), np.ones(4), np.zeros(4)
    assert one.Cr() == 1
    assert one.individual(u, x, Always(share - 1e-9)) is u
    assert one.individual(u, x, Always(share + 1e-9)) is x


def test_replacements_by_chance_have_the_law_of_records():
    """After generation t no replacement up to s: (t + 1)/(s + 1). At 2, the next after s = 3, 5: U ≤ 3/4, 3/6."""
    engine = made("chance")
    for s, chance in [(3, 3 / 4), (5, 3 / 6)]:
        assert engine.due(2, 0.5, Always(1 - (chance - 1e-9))) > s  # it uses 1 − U
        assert engine.due(2, 0.5, Always(1 - (chance + 1e-9))) == s


def test_even_replaces_as_often_as_records_are_expected():
    """9 generations: H_10 − 1 replacements."""
    assert made("even").chance == pytest.approx(sum(1 / k for k in range(2, 11)) / 9)


def test_a_run_replaces_counts_and_ends():
    """9 generations of 5: H_10 − 1 = 1.93 replacements each, variance 1.38; 150 are off by 0.5 with chance < 1e-6."""
    engine = engine_of(CASE)
    results = [engine.run(np.random.default_rng([3, k])) for k in range(30)]
    replaced = np.mean([result.replaced for result in results]) / 5
    assert replaced == pytest.approx(sum(1 / k for k in range(2, 11)), abs=0.5)
    assert all(0 <= result.share <= 1 for result in results)


def test_dimensions_by_themselves_do_not_share_donors():
    """x_r1 + F (x_r2 − x_r3) with equal columns: equal components, unless each has donors of its own."""
    for name, alike in [("", True), ("independent", False)]:
        engine = made(name, evolve=1.0, F=0.05)
        engine.P[:] = np.array([0.3, 0.4, 0.5, 0.6, 0.7])[:, None]
        trials = engine.trials()
        assert bool((trials == trials[:, :1]).all()) == alike


def test_a_population_of_two_points_and_their_best_shrinks_by_what_is_known():
    """best/1 with N = 2: the slot gets x_best ± F (x_1 − x_2). If it is the other one the distance d becomes F d, if it
    is the best itself (1 ± F) d; with F = 0.001 the median population has shrunk, with F = 3 it has grown."""
    rng = np.random.default_rng(1)
    assert experiments.exponent("best/1", 2, 0.001, rng, 200) < -1
    assert experiments.exponent("best/1", 2, 3.0, rng, 200) > 1


def test_the_critical_F_is_the_last_crossing_of_zero():
    F = [0.1, 0.2, 0.3, 0.4, 0.5]
    assert rows.last_crossing(list(zip(F, [1, -1, -1, 1, 2], strict=True))) == pytest.approx(0.35)
    assert np.isnan(rows.last_crossing(list(zip(F, [1, 1, 1, 1, 1], strict=True))))


def test_the_half_fall_lies_half_way_on_a_logarithmic_scale():
    curve = [(0.9, 1.0), (0.99, 0.6), (0.999, 0.2), (1.0, 0.2)]
    assert rows.half_fall([{"evolve": Cr, "share": share} for Cr, share in curve]) == pytest.approx(0.01)


def test_a_restored_share_and_its_error_by_hand(monkeypatch):
    """A − B = 0.4 and 0.2, I − B = 0.1 and 0.2: R = 0.5; all errors e: variance 2 (1 + R² + (1 − R)²) e² ÷ 0.6²."""
    known = {("a", "", 0.99): 0.5, ("a", "", 0.755): 0.9, ("a", "off bounds", 0.99): 0.6}
    known |= {("b", "", 0.99): 0.1, ("b", "", 0.755): 0.3, ("b", "off bounds", 0.99): 0.3}
    monkeypatch.setattr(
        rows, "case", lambda cell, name="", evolve=0.99: {"share": known[cell, name, evolve], "error": 0.03}
    )
    assert rows.restored("off bounds", ["a", "b"]) == pytest.approx((0.5, (2 * 1.5) ** 0.5 * 0.03 / 0.6, 2))


def test_intervals_of_how_often_do_not_grow_with_the_runs():
    """The estimate moves by less than its interval from 10 to 50 runs; what is detected grows fivefold."""
    found = numbers.load()["collapse"]["how_often"]
    _, low, high = (found["rows"] * number for number in found["all"])
    assert all(low <= row["estimate"] <= high for row in found["runs"])
    assert found["runs"][-1]["detected"] > 5 * found["runs"][0]["detected"]
    assert np.mean([one["share"][0] for one in found["N"]]) == pytest.approx(found["all"][0])


def test_the_numbers_of_the_page_are_those_of_the_data():
    assert numbers.load()["collapse"] == numbers.plain(collapse.numbers()), "run `python -m reproduction collapse`"


def test_all_that_is_planned_was_simulated():
    def key(row):
        return (row["experiment"], *(row[name] for name in Case._fields[:7]), row["intervention"] or "")

    stored = sorted((*key(row), row["n"], row["budget"]) for row in rows.rows() if row["budget"])
    planned = [(name, *case) for name, case, _ in CASES] + [(name, *case) for name, case in MEASURED]
    others = [one for one in stored if one[0] not in ("trace", "together")]
    assert others == sorted(planned)
    assert len(stored) - len(others) == 2 * 2 * 47 + 2 * 8  # rows of traces; how alike dimensions are
    assert experiments.FILE.stat().st_size < 100_000


QUICK = [(name, case, runs) for name, case, runs in CASES if case.budget <= 300_000 and case.N == 5]


@pytest.mark.parametrize(
    "intervention", ["", "independent", "whole", "off bounds", "jitter", "redraw", "chance", "even"]
)
def test_a_stored_case_done_again_comes_out_the_same(intervention):
    """The random numbers of a case depend on its name; a linear algebra of another kind may differ in the last bit."""
    name, case, runs = random.Random(intervention).choice([one for one in QUICK if one[1].intervention == intervention])
    (stored,) = rows.of(name, **case._asdict() | {"intervention": intervention or None})
    (again,) = experiments.simulated(name, case, runs)
    for column in ("runs", "share", "error", "last", "replaced", "median_sd", "on_bound", "dead"):
        assert again[column] == pytest.approx(stored[column], rel=1e-12, abs=0), column


def test_what_is_measured_and_traced_comes_out_the_same():
    name, case = MEASURED[20]
    (again,) = experiments.measured(name, case)
    (stored,) = rows.of(name, **case._asdict() | {"intervention": None})
    assert again["share"] == pytest.approx(stored["share"], rel=1e-12)
    stored = rows.of("trace", strategy="mirror", evolve=0.99)
    traced = experiments.traced(Case(*SWEPT[1], 0.99, 0.99))
    assert [row["share"] for row in traced] == pytest.approx([row["share"] for row in stored], rel=1e-12)
    (again,) = experiments.together(Case(*SWEPT[1], 0.97, 0.97))
    assert again["share"] == pytest.approx(rows.of("together", strategy="mirror", evolve=0.97)[0]["share"], rel=1e-12)
    stored = [row["share"] for row in rows.of("linear", mutation="rand/1", N=5)]
    assert [row["share"] for row in experiments.exponents("rand/1", 5)] == pytest.approx(stored, rel=1e-9)
    rises = experiments.frozen()
    assert [row["share"] for row in rises] == pytest.approx([row["share"] for row in rows.of("frozen")], rel=1e-6)


def test_every_prediction_of_the_page_has_an_outcome():
    page = (numbers.ROOT / "reproduction" / "pages" / "collapse.md").read_text("utf-8")
    assert all(f'outcome("{name}")' in page for name in judge.outcomes())
    assert page.count('{{ outcome("') == len(judge.outcomes()) == 25
