"""The C core is reference.py to the bit: every operator, and whole runs of drawn configurations."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_c import Rng, in_c

from debox import Box, Config, loop, operators, reference

NUMBERS = [0.0, -0.0, 0.3, 1.0, 1.25, -7.5, 1e-300, -1e16, 1e307, -1e307, 1.7e308, np.inf, -np.inf, np.nan]
BOXES = [
    (0.0, 1.0),
    (-5.0, 10.0),
    (1e-3, 1e-3 + 1e-9),
    (-1e307, 1e307),
    (1.0, 1.0 + 2**-52),
    (0.0, 5e-324),
    (-9.3, 7.1),
]


def same(a, b):
    return np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a), np.signbit(b))


def for_all(slot, **fields):
    found = [o for o in operators.in_slot(slot) if all(getattr(o, k) == v for k, v in fields.items())]
    return pytest.mark.parametrize("operator", found, ids=lambda o: o.name)


@for_all("strategy", whole=False)
def test_a_strategy_of_components_gives_the_same_bits_for_any_number(operator):
    name, function = operator.function.__name__, in_c("strategy", operator.function.__name__)
    for k, (a, b) in enumerate(BOXES):
        near = [np.nextafter(a, -np.inf), np.nextafter(b, np.inf), a - 0.1 * (b - a), b + 2.5 * (b - a)]
        near += [a - (b - a), b + (b - a)]  # mirrored at one bound they lie on the other, up to rounding
        for u in [u for u in NUMBERS + near if not a <= u <= b]:
            for x, c in ((a, b), (b, a), (a / 2 + b / 2, a)):
                ours, theirs = np.random.default_rng(k), np.random.default_rng(k)
                with np.errstate(all="ignore"):
                    expected = getattr(reference, name)(u, x, c, a, b, theirs)
                assert same(function(u, x, c, a, b, Rng(ours)), expected), (name, u, x, c, a, b)
                assert ours.random() == theirs.random(), "other random numbers are drawn"


@for_all("strategy", whole=True)
def test_a_strategy_of_whole_trials_gives_the_same_bits(operator):
    name, draws = operator.function.__name__, np.random.default_rng(1)
    for case in range(300):
        n = case % 5 + 1
        a, b = np.array(draws.choice(BOXES, n)).T.copy()
        x, c = (np.clip(a + draws.random(n) * (b - a), a, b) for _ in range(2))
        u = draws.choice([*NUMBERS, *x, *c], n)
        mine, other = u.copy(), u.copy()
        in_c("whole", name)(mine, x, c, a, b, Rng(np.random.default_rng(case)), n)
        with np.errstate(all="ignore"):
            getattr(reference, name)(other, x, c, a, b, np.random.default_rng(case))
        assert same(mine, other), (name, u, x, c, a, b)


@for_all("mutation")
def test_a_mutation_gives_the_same_bits(operator):
    name, draws = operator.function.__name__, np.random.default_rng(1)
    for _ in range(50):
        parents, F, K, v = draws.normal(size=(7, 9)), draws.uniform(0, 2), draws.random(), np.empty(9)
        in_c("mutation", name)(*parents, F, K, v, 9)
        assert same(v, getattr(reference, name)(*parents, F, *[K] * operator.draws_K))


@for_all("crossover")
def test_a_crossover_takes_the_same_components(operator):
    name, draws = operator.function.__name__, np.random.default_rng(1)
    for case in range(200):
        n, Cr = case % 7 + 1, (0.0, 0.3, 0.9, 1.0)[case % 4]
        x, v, u, expected = draws.random(n), draws.random(n) + 2, np.empty(n), np.empty(n)
        in_c("crossover", name)(x, v, Cr, Rng(np.random.default_rng(case)), u, n)
        getattr(reference, name)(x, v, Cr, np.random.default_rng(case), expected)
        assert same(u, expected), (n, Cr)


@for_all("donors")
def test_a_donor_rule_draws_the_same_donors(operator):
    name = operator.function.__name__
    for case in range(200):
        k, target, best = case % 6, case % 8, (3 * case) % 8
        r, expected = np.zeros(k, np.uint64), np.zeros(k, np.uint64)
        in_c("donors", name)(8, target, best, Rng(np.random.default_rng(case)), k, r)
        getattr(reference, name)(8, target, best, np.random.default_rng(case), expected)
        assert same(r, expected), (k, target, best)


@for_all("adaptation")
def test_an_adaptation_samples_and_learns_the_same(operator):
    N, draws = 6, np.random.default_rng(1)
    cells = operator.memory or N
    sample, learn = (in_c(role, f.__name__) for role, f in (("sample", operator.function), ("learn", operator.learn)))
    for case in range(100):
        memory = np.array([draws.uniform(0.01, 2, cells), draws.random(cells)])
        memory[1, draws.random(cells) < 0.3] = -1.0 if operator.has_terminal_cells else 0.0
        F_Cr, expected = np.full((2, N), np.nan), np.full((2, N), np.nan)
        mine, theirs = np.random.default_rng(case), np.random.default_rng(case)
        for i in range(N):
            sample(i, memory, cells, Rng(mine), F_Cr, N)
            operator_in_python(operator.function)(i, memory, theirs, expected)
        assert same(F_Cr, expected)
        F_Cr[1, draws.random(N) < 0.3 + case % 2] = 0.0
        trials, cell = N - case % 3, case % cells
        gain = draws.choice([-1.0, 0.0, 0.3, 2.0, 1e300, 1e-300, np.inf][: 6 + case % 2], trials)
        copies = memory.copy(), gain.copy()
        next_cell = learn(F_Cr, N, gain, trials, memory, cells, cell)
        with np.errstate(over="ignore"):
            assert next_cell == operator_in_python(operator.learn)(F_Cr, copies[1], copies[0], cell)
        assert same(memory, copies[0])


def operator_in_python(function):
    return getattr(reference, function.__name__)


def test_of_several_strategies_debox_s_own_come_first():
    """They alone are asked about NaN: a user's would be asked in their place."""

    def lower(u, x, c, a, b, rng):
        """a"""
        return a

    own = operators.find("strategy", "COTN")
    users = replace(own, name="ours", short="ours", function=lower)
    found = loop.settings_of(Config("DE/rand/1/bin sat, N=5, F=0.5, Cr=0.5"), [users, own, users])
    assert (found["strategies"], found["n_own_strategies"]) == ([own.function, users.function], 1)
    assert found["strategy_of"].tolist() == [1, 0, 1]


def objective(kind, rng):
    """A landscape, one with plateaus, one with NaN and infinities."""
    if kind == "smooth":
        return lambda x: float((x * x).sum())
    if kind == "plateaus":
        return lambda x: float(np.floor(np.abs(x)).sum())
    return lambda x: (
        (np.nan, np.inf, -np.inf, 1.0)[int(min(abs(x[0]), 1e9) * 8) % 4] if abs(x[0]) > 0.5 else float(x[0])
    )


@st.composite
def configurations(draw):
    """A configuration, a box and strategies that a Config takes."""
    chosen = {slot: draw(st.sampled_from(operators.in_slot(slot))) for slot in operators.SLOTS}
    least = operators.smallest_population(chosen["mutation"], chosen["donors"])
    names = {slot: o.name for slot, o in chosen.items()}
    config = Config(
        **names,
        N=draw(st.integers(least, least + 8) | st.just(30)),  # of 30 some p-best are not the best two
        F=draw(st.sampled_from([0.05, 0.5, 0.9, 2.0])),
        Cr=draw(st.sampled_from([0.0, 0.3, 0.9, 1.0])),
        reevaluate=draw(st.booleans()),
        frozen=draw(st.sampled_from([False, False, False, True])),
        repair=draw(st.sampled_from(["trial", "mutant"])),
    )
    pairs = draw(
        st.lists(
            st.sampled_from([(0.0, 1.0), (-1e-3, 2.0), (-1e307, 1e307), (0.5, 0.5 + 1e-9)]), min_size=1, max_size=5
        )
    )
    own = [o for o in operators.in_slot("strategy") if not o.whole and not o.redraws]
    strategies = None
    if not (chosen["strategy"].whole or chosen["strategy"].redraws) and draw(st.booleans()):
        strategies = [draw(st.sampled_from(own)) for _ in pairs]
    budget = config.N + draw(st.integers(0, 12 * min(config.N, 12)))
    return config, Box.of(pairs), strategies, budget, draw(st.sampled_from(["smooth", "plateaus", "odd"]))


def finish(case, seed, core, monkeypatch, periodic=0, **fields):
    """A run with these fields to its end, and all that it leaves; bit j of `periodic`: variable j is periodic."""
    config, box, strategies, budget, kind = case
    with monkeypatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        if not core:
            patch.setattr(loop, "_core", None)
        rng = np.random.default_rng(seed)
        marks = np.unique([config.N, (config.N + budget) // 2, budget])
        P, where = box._sample(config.N, rng), rng.random((config.N, box.n))
        P = np.where(where < 0.1, box.lower, np.where(where > 0.9, box.upper, P))  # on a bound is inside
        run = loop.Loop(
            config,
            box,
            budget=budget,
            rng=rng,
            P=P,
            marks=marks,
            strategies=strategies,
            periodic=np.array([periodic >> j & 1 for j in range(box.n)], bool),
        )
        for name, value in fields.items():
            setattr(run.run, name, value)
        f, passed = objective(kind, rng), []
        while trials := run.propose():
            values = [f(x.copy()) for x in run.U[:trials]]
            unseen = (run.run.fate == reference.UNSEEN) & run.infeasible[:trials]
            run.f_U[:trials] = np.where(unseen, np.inf, values)
            passed.append(run.select())
    names = "P f counts infeasible_at violations wraps violations_at best_at spread_at memory sizes"
    left = {name: getattr(run, name) for name in names.split()}
    left["spread_at"] = np.abs(left["spread_at"])  # NaN of either sign
    left["order"] = run.order[: len(run.population)] if run.run.learn else np.arange(0)
    assert sum(passed) == run.counts[reference.MARKS_PASSED]
    return {
        **left,
        "passed": np.array(passed),
        "generator": np.array([rng.random()]),
        "best": np.array([run.run.best, run.run.generations]),
    }


FIELDS = st.fixed_dictionaries(
    {"target": st.sampled_from([np.nan, np.nan, 0.0, 1.0])},
    optional={
        "redraws": st.integers(1, 3),  # so few that some trials are still outside
        "periodic": st.integers(0, 31),
    },
)


@given(case=configurations(), seed=st.integers(0, 2**32), fields=FIELDS)
@settings(max_examples=400)
def test_a_run_of_the_core_is_that_of_the_reference(case, seed, fields):
    with pytest.MonkeyPatch.context() as monkeypatch:
        ours, theirs = (finish(case, seed, core, monkeypatch, **fields) for core in (True, False))
    for name, values in ours.items():
        assert same(values, theirs[name]), f"{name} differs: {case}"


@pytest.mark.parametrize("kind", ["smooth", "plateaus", "odd"])
@pytest.mark.parametrize("donors", [o.name for o in operators.in_slot("donors")])
@pytest.mark.parametrize("adaptation", [o.name for o in operators.in_slot("adaptation")])
def test_a_run_with_p_best_and_archive_that_shrinks_is_that_of_the_reference(adaptation, donors, kind, monkeypatch):
    """Few of the runs above have them; here all of them do, over many generations."""
    for N, strategy, seed in ((6, "dismiss", 1), (14, "midpoint-target", 2), (30, "saturation", 3)):
        text = f"DE/current-to-pbest/1/bin {strategy}, N={N}, F=0.5, Cr=0.5"
        config = Config(f"{text}, donors={donors}, adaptation={adaptation}")
        case = (config, Box.unit(2), None, 20 * N, kind)
        ours, theirs = (finish(case, seed, core, monkeypatch, least=4) for core in (True, False))
        for name, values in ours.items():
            assert same(values, theirs[name]), f"{name} differs: {case}"


def test_a_seed_makes_a_difference():
    """The comparison above can fail."""
    case = (Config("L-SHADE", N=8), Box.unit(3), None, 80, "smooth")
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert not same(finish(case, 1, True, monkeypatch)["P"], finish(case, 2, False, monkeypatch)["P"])
