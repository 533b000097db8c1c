"""The page's core is debox's: runs that draw no normal or binomial number are Python's to the bit, others in law.

A test of the law rejects a right core with a chance of at most FALSE_ALARM; its seeds are fixed.
"""

from itertools import cycle, product

import numpy as np
import pytest
from scipy.stats import binom, chisquare, ks_2samp, kstest

import debox
from debox import Config, operators
from debox.box import Box
from debox.explore.data import operators_of
from debox.f0.engines import ENGINES, choose_engine

FALSE_ALARM = 0.01
HERE = {slot: [name for name, one in found.items() if one["here"]] for slot, found in operators_of({}).items()}
RUN = """([config, state]) => {
    const { c } = core, { N, n, budget } = config
    core.configure(plan(config))
    if (state) new BigUint64Array(c.memory.buffer, c.state_of_generator(), 4).set(state.map(BigInt))
    c.begin()
    return [c.advance(budget), c.count_of(2), [...core.floats(c.values(), N)], [...core.floats(c.population(), N * n)]]
}"""


def asked(config, n, budget):
    """A configuration as the page has it."""
    names = (*HERE, "N", "F", "Cr")
    return {name: getattr(config, name) for name in names if name != "adaptation"} | {"n": n, "budget": budget}


def in_python(config, n, budget, state):
    """Infeasible and accepted trials, values and population of a run from this state of the generator."""
    bits = np.random.SFC64(0)
    before = bits.state
    before["state"]["state"] = np.array(state, np.uint64)
    bits.state = before
    name = choose_engine("auto", config.operators, config.N, budget)
    engine = ENGINES[name](config, Box.unit(n), budget, np.zeros(0, np.int64))
    engine.begin(np.random.Generator(bits))
    engine.advance(budget)
    outcome = engine.outcome()
    return [outcome.infeasible, outcome.accepted, engine.f.tolist(), engine.P.ravel().tolist()]


LARGE = {2: 150, 3: 30, 4: 20, 5: 11}  # N by donors: too many tuples to enumerate, so that no binomial number is drawn
EXACT = [name for name in HERE["strategy"] if name != "COTN"]
LOGARITHMS = {"exp-target", "exp-center", "exp-spread"}  # those of the C library, which differ in the last bit
CASES = [  # every mutation with every rule for donors, all else in turn
    (f"DE/{m}/{c} {s}, N={LARGE[operators.find('mutation', m).donors]}, F={F}, Cr={Cr}, donors={d}", n)
    for (m, d), c, s, F, Cr, n in zip(
        product(HERE["mutation"], HERE["donors"]),
        cycle(("bin", "exp", "exp", "bin")),
        cycle(EXACT),
        cycle((0.4, 1.0, 1.35)),
        cycle((0.1, 0.99, 0.5, 0.9, 0.0)),
        cycle((30, 2, 70)),
        strict=False,
    )
]


@pytest.mark.parametrize("budget", [20, 20_000])
def test_runs_are_those_of_python_to_the_bit(modules, budget):
    """Both engines: that of Algorithm 1 does the few generations of the short runs."""
    assert {Config(text).strategy for text, _ in CASES} == set(EXACT)
    for seed, (text, n) in enumerate(CASES):
        config, most = Config(text), max(budget, 2 * Config(text).N)
        state = np.random.default_rng(seed).integers(0, 2**64, 4, np.uint64).tolist()
        found = modules.evaluate(RUN, [asked(config, n, most), [str(word) for word in state]])
        expected = in_python(config, n, most, state)
        if config.strategy in LOGARITHMS:
            assert found[:2] == expected[:2]
            np.testing.assert_allclose(found.pop(), expected.pop(), rtol=0, atol=1e-9)
        assert found == expected, text


LAW = [
    f"DE/{m}/{c} {s}, N=5, F={F}, Cr={Cr}, donors={d}"
    for (m, c), s, F, Cr, d in zip(
        product([name for name in HERE["mutation"] if operators.find("mutation", name).donors < 5], HERE["crossover"]),
        cycle(("saturation", "COTN", "mirror", "dismiss", "toroidal", "penalty")),
        cycle((0.7, 0.5, 1.2, 0.9)),
        cycle((0.99, 0.3, 0.05)),
        cycle(("distinct", "not-target", "distinct")),
        strict=False,
    )
]
SAMPLE = """([config, runs, spoilt]) => {
    const right = plan(config), F = spoilt ? 1.1 * config.F : config.F
    core.configure({ ...right, weights: plan({ ...config, F }).weights })
    return Array.from({ length: runs }, (_, run) => core.run(9, run))
}"""


@pytest.mark.parametrize("spoilt", [False, True])
def test_runs_whose_stretches_are_enumerated_have_the_law_of_pythons(modules, spoilt):
    """The control: weights of another F make wrong tables, with mutants that are still right."""
    runs, n, budget = 600, 30, 30_000
    p = []
    for text in LAW[:2] if spoilt else LAW:
        found = modules.evaluate(SAMPLE, [asked(Config(text), n, budget), runs, spoilt])
        p.append(ks_2samp(found, debox.measure(text, n=n, budget=budget, runs=runs, rng=5).pois * budget).pvalue)
    assert (min(p) < FALSE_ALARM / len(p)) == spoilt


def p_of_binomial(values, n, p):
    """Of a chi-square test in classes with at least a twentieth of the sample."""
    edges = np.unique(binom.ppf(np.linspace(0, 1, 21)[1:-1], n, p))
    expected = np.diff(binom.cdf(edges, n, p), prepend=0, append=1)
    observed = np.bincount(np.searchsorted(edges, values), minlength=len(expected))
    kept = expected > 0
    return chisquare(observed[kept], len(values) * expected[kept] / expected[kept].sum()).pvalue


@pytest.mark.parametrize(("n", "p"), [(20, 0.1), (300_000, 1e-5), (300_000, 0.37), (5000, 0.9999)])
def test_binomial_and_normal_numbers_have_their_laws_and_others_have_not(modules, n, p):
    """The control: numbers of a p that is larger by a quarter of the standard deviation, and normal ones by 1/8."""
    call = "(a) => { core.c.seed(3, 4); return Array.from({ length: 4000 }, () => core.c.binomial_number_of(...a)) }"
    assert p_of_binomial(modules.evaluate(call, [n, p]), n, p) > FALSE_ALARM
    other = min(p + 0.25 * (p * (1 - p) / n) ** 0.5, 1)
    assert p_of_binomial(modules.evaluate(call, [n, other]), n, p) < FALSE_ALARM
    normal = modules.evaluate("() => { core.c.seed(1, 2); return Array.from({ length: 4000 }, core.c.normal_number) }")
    assert kstest(normal, "norm").pvalue > FALSE_ALARM
    assert kstest(np.array(normal) + 1 / 8, "norm").pvalue < FALSE_ALARM


def test_streams_of_seeds_and_runs_differ_and_each_repeats_itself(modules):
    first = """([seeds, runs]) => {
        const at = (k) => [Math.floor(k / runs), k % runs]
        return Array.from({ length: seeds * runs }, (_, k) => { core.c.seed(...at(k)); return core.c.uniform_number() })
    }"""
    numbers = modules.evaluate(first, [60, 60])
    assert len(set(numbers)) == 3600
    assert kstest(numbers, "uniform").pvalue > FALSE_ALARM
    assert modules.evaluate(first, [60, 60]) == numbers


WALK = """
    const { LANDSCAPES } = await import('/inside.js')
    return Object.values(LANDSCAPES).map((valueAt) => {
        const walk = new m.Trials(core, plan(a), 3, valueAt), state = () => ({ P: [...walk.P], values: [...walk.f] })
        const steps = Array.from({ length: 120 }, () => ({ ...state(), ...walk.step(), after: state() }))
        return [steps, walk.infeasible, walk.evaluations, core.c.count_of(1)]
    })"""


@pytest.mark.parametrize(
    ("mutation", "strategy"),
    [("best/1", "mirror"), ("rand-to-best/1", "resample"), ("current-to-best/2", "penalty"), ("rand/2", "mirror")],
)
def test_trials_step_by_step_are_algorithm_1(run, mutation, strategy):
    """Values never rise, points stay in the box, a generation's mutants come from the population before it."""
    config = {"mutation": mutation, "crossover": "bin", "strategy": strategy, "donors": "distinct", "N": 6}
    for steps, infeasible, evaluations, counted in run("core", WALK, config | {"F": 0.9, "Cr": 0.8}):
        assert 0 < infeasible == counted == sum(t["outside"] for t in steps)
        assert evaluations == 6 + len(steps)
        for k, t in enumerate(steps):
            generation, i = divmod(k, 6)
            P, end, v = t["P"], steps[6 * generation + 5]["after"], t["base"][0]
            assert (t["target"], t["generation"], t["x"]) == (i, generation + 1, P[2 * i : 2 * i + 2])
            assert steps[6 * generation]["P"] == P  # nothing moves within a generation
            assert 0 <= min(P) <= max(P) <= 1
            if mutation == "best/1":
                assert t["base"] == P[2 * np.argmin(t["values"]) :][:2]
            for plus, minus in zip(t["pairs"][::2], t["pairs"][1::2], strict=True):
                v += 0.9 * (plus[0] - minus[0])
            assert t["mutant"][0] == v
            assert t["outside"] == (min(t["trial"]) < 0 or max(t["trial"]) > 1)
            assert t["trial"][0] == t["mutant"][0] or t["trial"][1] == t["mutant"][1]
            assert t["outside"] or t["repaired"] == t["trial"]
            assert t["accepted"] == (t["f"] <= t["before"])
            kept = (t["x"], t["before"])
            assert (end["P"][2 * i : 2 * i + 2], end["values"][i]) == (
                (t["repaired"], t["f"]) if t["accepted"] else kept
            )
            assert t["refused"] == (strategy == "penalty" and t["outside"])
            assert not (t["refused"] and t["accepted"])
            assert (t["drawn"] > 1) == (strategy == "resample" and t["outside"])
