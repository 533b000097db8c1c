"""The fast engine by its parts, on states made by hand, and what holds in every run.

Chi-square and Kolmogorov–Smirnov tests have the false-alarm rate FALSE_ALARM; seeds are fixed.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from operator_lists import FAST_STRATEGIES, PAPER_MUTATIONS
from scipy.stats import chisquare, kstest

from debox import Box, Config, jit, registry
from debox.de.algorithm import ACCEPTED, EVALUATIONS, INFEASIBLE, MARKS_PASSED, Tally, build_classic, propose_classic
from debox.f0.engines import Fast
from debox.f0.fast import clock
from debox.f0.fast.fixed_point import encode

FALSE_ALARM = 1e-6
NO_MARKS = np.zeros(0, np.int64)
NEVER = 10**6  # a generation beyond every budget here


def engine(text, n, budget, marks=()):
    """Interpreted: Python functions, which a test can put others in place of"""
    with jit.interpreted():
        return Fast(Config(text), Box.of([(0, 1)] * n), budget, np.array(marks, np.int64))


# Waiting.


def p_value_of_waits(f, assumed, M=20_000, seed=1):
    """Of M waits for success f, against P(T = t) = f (1 − f)ᵗ⁻¹ with the assumed f"""
    rng = np.random.default_rng(seed)
    wait = jit.bind(clock.wait, f, NEVER, rng)
    waits = np.array([wait(f, NEVER, rng) for _ in range(M)])
    last = max(2, int(np.log(10 / M / assumed) / np.log1p(-assumed)))  # where less than 10 are expected, put together
    t = np.arange(1, last)
    expected = M * np.append(assumed * (1 - assumed) ** (t - 1), (1 - assumed) ** (last - 1))
    return chisquare(np.bincount(np.minimum(waits, last), minlength=last + 1)[1:], expected).pvalue


@pytest.mark.parametrize("f", [0.02, 0.3, 0.9])
def test_waits_are_geometric(f):
    assert p_value_of_waits(f, assumed=f) > FALSE_ALARM


@pytest.mark.parametrize("f", [0.02, 0.3, 0.9])
def test_a_chance_off_by_10_percent_is_seen(f):
    assert p_value_of_waits(f, assumed=0.9 * f) < FALSE_ALARM


def test_the_wait_at_the_ends():
    rng = np.random.default_rng(1)
    wait = jit.bind(clock.wait, 0.5, 7, rng)
    assert {wait(1.0, 7, rng) for _ in range(1000)} == {1}
    assert {wait(f, 7, rng) for f in (0.0, 5e-324, 1e-300, 1e-17) for _ in range(1000)} == {7}
    waits = [wait(0.2, 7, rng) for _ in range(5000)]
    assert set(waits) == set(range(1, 8))
    # 7 stands for 7 and everything beyond: 0.8⁶ = 0.262 ± 0.0062; five standard errors, false-alarm rate 6e-7
    assert waits.count(7) / 5000 == pytest.approx(0.8**6, abs=5 * 0.0062)


def test_a_wait_of_hundreds_of_millions_of_generations_is_not_cut():
    rng = np.random.default_rng(1)
    wait = jit.bind(clock.wait, 0.5, 10**18, rng)
    waits = np.array([wait(1e-9, 10**18, rng) for _ in range(2000)])
    assert kstest(waits * 1e-9, "expon").pvalue > FALSE_ALARM  # the geometric law of a tiny chance


def test_the_earliest_acceptance_is_next():
    assert clock.earliest(np.array([9, 4, 7, 4])) == 4


# Counting.


@given(st.integers(2, 9), st.data())
def test_draw_count_counts_every_visit_once_but_those_to_be_accepted(N, data):
    event = N * data.draw(st.integers(1, 5))  # the generation in which slots accept: the last of a stretch
    begin = data.draw(st.integers(0, event + N))
    end = data.draw(st.integers(begin, event + N))
    whom = st.lists(st.booleans(), min_size=N, max_size=N)
    accepting = np.array(data.draw(whom))
    q = np.array(data.draw(st.one_of(st.lists(st.booleans(), min_size=1, max_size=1), whom)), np.float64)
    left = [e % N for e in range(begin, end) if not (e >= event and accepting[e % N])]
    certain = sum(q[i % q.size] for i in left)  # chances of 0 and 1 leave nothing to chance
    assert clock.draw_count(q, N, begin, end, event, accepting, np.random.default_rng(0)) == certain


def test_draw_count_is_binomial_for_every_target():
    q, rng = np.array([0.1, 0.5, 0.9]), np.random.default_rng(1)
    draws = [clock.draw_count(q, 3, 2, 2 + 3 * 4, 15, np.zeros(3, np.bool_), rng) for _ in range(5000)]
    p = [np.prod([1, *(q[i] if bit else 1 - q[i] for i, bit in enumerate(bits))]) for bits in np.ndindex(2, 2, 2)]
    once = np.bincount([sum(bits) for bits in np.ndindex(2, 2, 2)], p)  # one visit each
    pmf = np.convolve(np.convolve(once, once), np.convolve(once, once))  # four visits each
    cells = pmf > 0.002
    observed = np.bincount(draws, minlength=13)
    expected = 5000 * np.append(pmf[cells], 1 - pmf[cells].sum())
    assert chisquare([*observed[cells], observed[~cells].sum()], expected).pvalue > FALSE_ALARM


def test_count_stretch_notes_the_marks_it_reaches():
    tally = Tally.empty(np.array([2, 4, 4, 9]), 1)
    tally.infeasible_at[:] = -1
    for evaluations, infeasible in ((4, 3), (3, 1), (0, 0)):
        clock.count_stretch(tally, evaluations, infeasible)
    assert tally.infeasible_at.tolist() == [3, 3, 3, -1]
    assert tally.counts[[EVALUATIONS, INFEASIBLE, MARKS_PASSED]].tolist() == [7, 4, 3]


def test_the_next_mark_is_the_first_not_passed():
    tally, found = Tally.empty(np.array([2, 4]), 1), []
    for tally.counts[MARKS_PASSED] in range(3):
        found.append(clock.next_mark(tally, 9))
    assert found == [2, 4, 9]


@given(st.integers(1, 6), st.data())
def test_count_both_counts_what_is_accepted_and_infeasible(N, data):
    event = N * data.draw(st.integers(1, 3))
    begin = data.draw(st.integers(0, event + N))
    end = data.draw(st.integers(begin, event + N))
    accepting, infeasible = (np.array(data.draw(st.lists(st.booleans(), min_size=N, max_size=N))) for _ in range(2))
    both = sum(e >= event and accepting[e % N] and infeasible[e % N] for e in range(begin, end))
    assert clock.count_both(begin, end, event, accepting, infeasible) == both


# Trials, acceptance.


@pytest.mark.parametrize("strategy", [s for s in FAST_STRATEGIES if not s.redraws], ids=lambda s: s.name)
def test_build_is_a_trial_of_algorithm_1(strategy):
    run = engine(f"DE/curr-to-best/1/bin {strategy.name}, N=60, F=0.9, Cr=0.5", 2, 100)
    P, u, U, infeasible = np.random.default_rng(2).random((60, 2)), np.empty(2), np.empty((60, 2)), np.zeros(60, bool)
    F_Cr = np.array([[0.9] * 60, [0.5] * 60])
    propose_classic(run.de, F_Cr, P, 1, np.random.default_rng(3), U, infeasible, Tally.empty(NO_MARKS, 2))
    rng = np.random.default_rng(3)
    for i in range(60):
        assert build_classic(run.de, 0.9, 0.5, P, i, 1, rng, u, run.tally) == infeasible[i]
        assert u.tolist() == U[i].tolist()
    assert 0 < infeasible.sum() < 60


@pytest.mark.parametrize(
    ("strategy", "by_hand"), [("saturation", {0, 1}), ("toroidal", {0.5}), ("mirror", {0.5}), ("dismiss", {1})]
)
def test_a_built_trial_is_the_one_computed_by_hand(strategy, by_hand):
    # best 1/2, F = 2, Cr = 1: 1/2 ± 2·(1/2 or 1) is −1/2, 3/2, −3/2 or 5/2, always outside
    run, u = engine(f"DE/best/1/bin {strategy}, N=3, F=2, Cr=1", 1, 100), np.empty(1)
    P, rng, built = np.array([[0.0], [0.5], [1.0]]), np.random.default_rng(1), set()
    for _ in range(50):
        assert build_classic(run.de, 2.0, 1.0, P, 2, 1, rng, u, run.tally)
        built.add(u[0])
    assert built == by_hand
    assert not build_classic(run.de, 2.0, 1.0, np.full((3, 1), 0.5), 2, 1, rng, u, run.tally)
    assert u[0] == 0.5


def test_an_accepted_slot_takes_its_trial_and_no_other_does():
    P, trials, f = np.full((3, 2), 0.5), np.array([[0.1, 0.2], [0.3, 0.4], [0.6, 0.7]]), np.full(3, 0.5)
    clock.accept(P, f, 1, trials, np.random.default_rng(1))
    assert P.tolist() == [[0.5, 0.5], [0.3, 0.4], [0.5, 0.5]]
    assert f[0] == f[2] == 0.5
    assert 0 < f[1] < 0.5


def test_an_accepted_value_is_uniform_below_the_old_one():
    P, f, rng, values = np.zeros((3, 1)), np.empty(3), np.random.default_rng(1), np.empty(20_000)
    for k in range(values.size):
        f[1] = 0.3
        clock.accept(P, f, 1, P, rng)
        values[k] = f[1]
    assert kstest(values / 0.3, "uniform").pvalue > FALSE_ALARM
    assert kstest((values / 0.3) ** 1.1, "uniform").pvalue < FALSE_ALARM


# Advancing, from a state made by hand: N = 3, all of generation 1 is quiet, slots 0 and 2 accept in generation 2
# (evaluations 6 and 8), nobody later.

CERTAIN, NOTHING = (
    [[0.0], [0.5], [1.0]],
    [[0.5], [0.5], [0.5]],
)  # every quiet trial is infeasible (best 1/2, F = 2), none


def at_generation_1(P, marks=(), enumerated=True, monkeypatch=None, built=False, more="sat"):
    run = engine(f"DE/best/1/bin {more}, N=3, F=2, Cr=1", 1, 12, marks)
    run._advance = jit.bind(clock.advance, as_python=True)  # it sees what is put in the place of its kernels
    run.P[:], run.f[:], run.state.clock[:] = P, [0.5, 0.1, 0.4], [2, NEVER, 2]
    run.tally.counts[EVALUATIONS] = 3
    sim, enum = run.tables
    for i in range(3):
        encode(sim.points, run.P, i)
    enum.changed[:] = enumerated
    calls = []

    def build(de, F, Cr, P, i, best, rng, u, tally):
        calls.append((i, best, P.ravel().tolist()))
        u[:] = 0.25
        return built

    run.build = build
    monkeypatch.setattr(clock, "is_worthwhile", lambda *_: enumerated)
    monkeypatch.setattr(clock, "wait", lambda *_: NEVER)
    return run, calls


@pytest.mark.parametrize("enumerated", [True, False])
def test_marks_inside_a_generation_with_acceptances(monkeypatch, enumerated):
    marks = [4, 6, 7, 8, 9]
    for P, built, expected in (
        (CERTAIN, True, [1, 3, 4, 5, 6]),  # all infeasible
        (NOTHING, False, [0, 0, 0, 0, 0]),
        (NOTHING, True, [0, 0, 1, 1, 2]),  # only the accepted trials: evaluations 6 and 8
        (CERTAIN, False, [1, 3, 3, 4, 4]),  # only the others: 3, 4, 5, and 7
    ):
        run, _ = at_generation_1(P, marks, enumerated, monkeypatch, built)
        run.advance(9)
        assert run.tally.infeasible_at.tolist() == expected
        assert run.tally.counts[[EVALUATIONS, INFEASIBLE, ACCEPTED]].tolist() == [9, expected[-1], 2]


@pytest.mark.parametrize("reevaluate", [True, False])
@pytest.mark.parametrize("strategy", [s for s in FAST_STRATEGIES if not s.redraws], ids=lambda s: s.name)
def test_an_accepted_slot_takes_the_trial_unless_penalised_or_dismissed_for_good(monkeypatch, strategy, reevaluate):
    for infeasible in (False, True):
        more = f"{strategy.name}, reevaluate={reevaluate}"
        run, _ = at_generation_1(CERTAIN, monkeypatch=monkeypatch, built=infeasible, more=more)
        run.advance(9)
        for_good = (strategy.penalises or (strategy.dismisses and not reevaluate)) and infeasible
        assert run.P.ravel().tolist() == ([0.0, 0.5, 1.0] if for_good else [0.25, 0.5, 0.25])
        assert (run.f < [0.5, 0.1, 0.4]).tolist() == [not for_good, False, not for_good]
        assert run.tally.counts[ACCEPTED] == (0 if for_good else 2)
        assert run.state.clock.tolist() == [2 + NEVER, NEVER, 2 + NEVER]  # in any case
        assert not run.state.accepting.any()


def test_accepted_trials_are_what_the_inner_loops_see_next(monkeypatch):
    run, _ = at_generation_1(CERTAIN, enumerated=False, monkeypatch=monkeypatch)
    run.advance(9)
    sim, enum = run.tables
    assert enum.changed.tolist() == [True, False, True]
    assert sim.points.rows[:: int(sim.points.width)].tolist() == run.P.ravel().tolist() == [0.25, 0.5, 0.25]
    fresh = engine("DE/best/1/bin sat, N=3, F=2, Cr=1", 1, 12).tables[0].points
    for i in range(3):
        encode(fresh, run.P, i)
    assert np.array_equal(sim.points.codes, fresh.codes)
    assert fresh.codes.any()


def test_a_change_nobody_has_looked_at_is_not_forgotten_when_the_same_point_comes_again(monkeypatch):
    run, _ = at_generation_1([[0.25], [0.5], [0.25]], enumerated=False, monkeypatch=monkeypatch)
    changed = run.tables[1].changed
    changed[0] = True
    run.advance(9)  # slots 0 and 2 accept the point where they are
    assert changed.tolist() == [True, False, False]
    run.tally.counts[:] = 0  # another run, from the same points
    run.advance(3)
    assert changed.tolist() == [True, False, False]


def test_a_run_starts_with_its_points_encoded_and_nothing_saved_up():
    run = engine("DE/best/1/bin sat, N=3, F=2, Cr=1", 1, 12)
    sim, enum = run.tables
    enum.missed_savings[0], enum.changed[:] = 99, False
    run.advance(3)
    assert sim.points.rows[:: int(sim.points.width)].tolist() == run.P.ravel().tolist()
    assert enum.changed.all()
    assert enum.missed_savings[0] == 0


def test_trials_of_one_generation_are_built_from_the_population_before_it(monkeypatch):
    run, calls = at_generation_1(CERTAIN, monkeypatch=monkeypatch)
    run.advance(12)
    assert calls == [(0, 1, [0.0, 0.5, 1.0]), (2, 1, [0.0, 0.5, 1.0])]
    assert run.P.ravel().tolist() == [0.25, 0.5, 0.25]
    assert run.f[0] < 0.5
    assert run.f[1] == 0.1
    assert run.f[2] < 0.4
    assert run.state.clock.tolist() == [2 + NEVER, NEVER, 2 + NEVER]


@pytest.mark.parametrize(("until", "accepted"), [(4, []), (6, []), (7, [0]), (8, [0]), (9, [0, 2])])
def test_a_budget_that_ends_inside_a_generation_ends_its_acceptances(monkeypatch, until, accepted):
    run, _ = at_generation_1(NOTHING, monkeypatch=monkeypatch)
    before = run.f.copy()
    run.advance(until)
    assert run.tally.counts[EVALUATIONS] == until
    assert np.flatnonzero(run.f != before).tolist() == np.flatnonzero(run.P.ravel() == 0.25).tolist() == accepted


def test_the_best_is_looked_for_again_after_every_generation_with_acceptances(monkeypatch):
    run, calls = at_generation_1(NOTHING, monkeypatch=monkeypatch)
    run.state.clock[1] = 3
    monkeypatch.setattr(clock, "accept", lambda P, f, i, trials, rng: f.__setitem__(i, 0.01))
    run.advance(12)
    assert [(i, best) for i, best, _ in calls] == [(0, 1), (2, 1), (1, 0)]


# What holds in every run.

CONFIGS = st.builds(
    lambda m, c, s, rule, N, F, Cr, switch: (
        f"DE/{m.name}/{c.name} {s.name}, N={registry.smallest_population(m, rule) + N}, F={F}, Cr={Cr}, "
        f"donors={rule.name}{switch}"
    ),
    st.sampled_from(PAPER_MUTATIONS),
    st.sampled_from(registry.in_slot("crossover")),
    st.sampled_from([strategy for strategy in FAST_STRATEGIES if not strategy.redraws]),
    st.sampled_from(registry.in_slot("donors")),
    st.integers(0, 8),
    st.sampled_from([0.05, 0.7, 2.0]),
    st.sampled_from([0.0, 0.6, 1.0]),
    st.sampled_from(["", ", reevaluate=False", ", frozen=True"]),
)


@given(CONFIGS, st.sampled_from([1, 2, 17]), st.integers(0, 200), st.integers(0, 1000))
@settings(max_examples=60)
def test_every_generation_keeps_the_rules(text, n, beyond, seed):
    config = Config(text)
    N, budget = config.N, config.N + beyond
    marks = np.unique([1, N, (N + budget) // 2, budget])
    run = Fast(config, Box.of([(0, 1)] * n), budget, marks)
    run.begin(np.random.default_rng(seed))
    first, f, accepted = run.P.copy(), run.f.copy(), 0
    for until in [*range(N, budget, N), budget]:
        run.advance(until)
        assert run.tally.counts[EVALUATIONS] == until
        accepted += np.count_nonzero(run.f != f)
        assert np.all(run.f <= f)
        assert np.all((run.P >= 0) & (run.P <= 1))
        assert run.tally.counts[ACCEPTED] == accepted
        f = run.f.copy()
    outcome = run.outcome()
    assert outcome.best_f == f.min()
    assert outcome.best_x.tolist() == run.P[f.argmin()].tolist()
    noted = [0, *outcome.infeasible_at]
    assert noted[-1] == outcome.infeasible
    assert np.all(np.diff(noted) >= 0)
    assert np.all(np.diff(noted) <= np.diff([0, *np.maximum(marks - N, 0)]))  # no more than there were trials
    if config.frozen:
        assert accepted == 0
        assert np.array_equal(run.P, first)
