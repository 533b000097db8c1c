"""Interventions do what their names say, and the theory of the collapse is what a count gives; benchmarks/collapse."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from benchmarks.collapse import experiments, interventions, linear, rounding, table
from benchmarks.collapse.engine import Case, Engine
from benchmarks.collapse.judge import JUDGES
from benchmarks.collapse.predictions import PREDICTIONS
from benchmarks.collapse.sweeps import half_fall

CASE = Case("rand/1", "bin", "saturation", 5, 0.5, 0.755, 0.99, n=4, budget=50)


def made(intervention, **other):
    return interventions.of(CASE._replace(intervention=intervention, **other))


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
    made("jitter").population(P, 2, Always(1.0))
    assert P.tolist() == [[0, 1], [0, 1], [0, 0.9]]
    made("jitter").population(P, 0, Always(1.0))
    assert P.tolist() == [[1e-9, 1 - 1e-9], [0, 1], [0, 0.9]]


def test_redraw_gives_numbers_where_all_agree_and_nowhere_else():
    P = np.array([[0.0, 0.3], [0.0, 0.4]])
    made("redraw").population(P, 1, Always(0.7))
    assert P.tolist() == [[0, 0.3], [0.7, 0.4]]


@pytest.mark.parametrize(
    ("crossover", "share"), [("bin", 0.755 + 0.245 / 4), ("exp", (1 + 0.755 + 0.755**2 + 0.755**3) / 4)]
)
def test_whole_takes_the_mutant_as_often_as_a_component_would_be_exchanged(crossover, share):
    one, u, x = made("whole", crossover=crossover), np.ones(4), np.zeros(4)
    assert one.Cr(CASE) == 1
    assert one.individual(u, x, Always(share - 1e-9)) is u
    assert one.individual(u, x, Always(share + 1e-9)) is x


def test_the_clock_of_chance_has_the_law_of_records():
    """After generation t no replacement up to s: (t + 1)/(s + 1). At 2, the next after s = 3, 5: U ≤ 3/4, 3/6."""
    clock = made("chance").clock(100)
    for s, chance in [(3, 3 / 4), (5, 3 / 6)]:
        assert clock(2, 0.5, Always(1 - (chance - 1e-9))) > s  # the clock uses 1 − U
        assert clock(2, 0.5, Always(1 - (chance + 1e-9))) == s


def test_mean_variance_after_a_replacement_is_what_all_donors_give_on_average():
    x, F = np.array([0.1, 0.2, 0.9, 0.55]), 0.6
    after = []
    for slot, (r1, r2, r3) in product(range(4), permutations(range(4), 3)):
        y = x.copy()
        y[slot] = x[r1] + F * (x[r2] - x[r3])
        after.append(y.var())
    assert np.mean(after) / x.var() == pytest.approx(linear.mean_variance_factor(4, F, 1.0), rel=1e-12)
    assert linear.mean_variance_factor(4, 4**-0.5, 0.3) == pytest.approx(1)  # the threshold 1/√N knows no Cr


def test_a_population_of_two_points_and_their_best_shrinks_by_what_is_known():
    """best/1 with N = 2: the slot gets x_best ± F (x_1 − x_2). If it is the other one the distance d becomes F d, if it
    is the best itself (1 ± F) d; with F = 0.001 the median population has shrunk, with F = 3 it has grown."""
    rng = np.random.default_rng(1)
    assert linear.exponent("best/1", 2, 0.001, rng, 200) < -1
    assert linear.exponent("best/1", 2, 3.0, rng, 200) > 1


def test_the_critical_F_is_the_last_crossing_of_zero():
    F = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    assert linear.critical_F(np.array([1, -1, -1, 1, 2]), F) == pytest.approx(0.35)
    assert np.isnan(linear.critical_F(np.array([1, 1, 1, 1, 1]), F))


def test_the_half_fall_lies_half_way_on_a_logarithmic_scale():
    curve = [(0.9, 1.0), (0.99, 0.6), (0.999, 0.2), (1.0, 0.2)]
    assert half_fall([{"evolve": Cr, "share": share} for Cr, share in curve]) == pytest.approx(0.01)


def test_every_prediction_has_a_judge():
    assert list(JUDGES) == [prediction.id for prediction in PREDICTIONS]


def test_a_trial_outside_by_a_rounding_error_is_told_from_one_outside_by_more():
    """All at 1 but one: v − 1 is 0, ±F δ or so; δ of one unit in the last place is a rounding error, 0.1 is not."""
    engine = Engine(CASE._replace(F=1.0))
    for δ, tolerated in [(2.0**-52, True), (0.1, False)]:
        engine.P[:] = 1.0
        engine.P[0] -= δ
        found = rounding.outside(engine, np.random.default_rng(0))
        assert found["as written"] > 0.1
        assert found["tolerant"] == (0 if tolerated else found["as written"])
        assert found["fused"] == found["as written"]  # F = 1: products are exact


def test_a_fused_sum_keeps_what_the_product_loses():
    """F b − F b is 0 if both are rounded, and the rounding error of F b if one is not."""
    F, b = 0.916, 0.3
    rounded = F * b
    lost = float(Fraction(F) * Fraction(b) - Fraction(rounded))
    assert lost != 0
    assert rounding.plus_product(np.array([-rounded]), F, np.array([b]))[0] == pytest.approx(lost, rel=0.1)


def test_a_run_replaces_counts_and_ends():
    """9 generations of 5: H_10 − 1 = 1.93 replacements each, variance 1.38; 150 are off by 0.5 with chance < 1e-6."""
    engine = Engine(CASE)
    results = [engine.run(np.random.default_rng([3, k])) for k in range(30)]
    replaced = np.mean([result.replaced for result in results]) / 5
    assert replaced == pytest.approx(sum(1 / k for k in range(2, 11)), abs=0.5)
    assert all(0 <= result.share <= 1 for result in results)


def test_dimensions_by_themselves_do_not_share_donors():
    """x_r1 + F (x_r2 − x_r3) with equal columns: equal components, unless each has donors of its own."""
    for name, alike in [("", True), ("independent", False)]:
        engine = Engine(CASE._replace(intervention=name, evolve=1.0, F=0.05))
        engine.P[:] = np.array([0.3, 0.4, 0.5, 0.6, 0.7])[:, None]
        trials = engine.trials()
        assert bool((trials == trials[:, :1]).all()) == alike


@pytest.mark.parametrize("intervention", ["", "independent", "whole", "chance"])
def test_a_stored_case_done_again_comes_out_the_same(intervention):
    """24 runs of 300 000 evaluations; the random numbers of a case depend on its name."""
    cell, evolve = ("rand/2", "bin", "saturation", 5, 0.916), 0.755 if intervention == "whole" else 0.99
    stored = table.case(cell, intervention, evolve)
    again = experiments.run_case("fall", Case(*cell, evolve, 0.99, intervention), stored["runs"])
    assert {name: again[name] for name in ("share", "last", "replaced", "median_sd", "on_bound")} == {
        name: stored[name] for name in ("share", "last", "replaced", "median_sd", "on_bound")
    }
