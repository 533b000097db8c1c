"""A run of the page's engine in its parts: which trials are counted, drawn anew, accepted and lost, by hand."""

import pytest

N, n, BUDGET = 5, 2, 500
MAKE = """
    const { Engine } = await import('/engine.js'), { Random } = await import('/rng.js')
    const make = (given) => new Engine({ mutation: "rand/1", crossover: "bin", strategy: "mirror", N: 5, n: 2, F: 0.9,
                                         Cr: 0.5, budget: 500, ...given })
    const allOutside = (engine) => {  // every trial is infeasible, whoever draws it
        engine.enumeration.prepare = () => false
        engine.build = (i) => { engine.trials[i].fill(0.5); return true }
        engine.simulate = (from, to, begin) => {
            let count = 0
            for (let e = from; e < to; e++) count += e < begin || !engine.accepting[e - begin]
            return count
        }
        return engine
    }
"""


def run(modules, body, argument=None):
    return modules.evaluate(f"async (a) => {{ {MAKE} {body} }}", argument)


def test_every_infeasible_trial_is_counted_once(modules):
    """All trials are infeasible: 500 evaluations less the first population of 5, whether they are accepted or not."""
    body = "return allOutside(make()).run(new Random(1), [5, 6, 250])"
    found = run(modules, body)
    assert (found["infeasible"], found["infeasibleAt"]) == (BUDGET - N, [0, 1, 250 - N])
    assert found["accepted"] > 0


def test_a_penalised_trial_is_never_accepted(modules):
    """All trials are infeasible: under `penalty` the best stays the best of the first population, under others not."""
    body = """
        const engine = allOutside(make({ strategy: a })), first = new Random(2)
        for (let i = 0; i < 5 * 2; i++) first.random()
        const least = Math.min(...Array.from({ length: 5 }, () => first.random()))
        const { accepted, best } = engine.run(new Random(2))
        return [accepted, best === least]"""
    assert run(modules, body, "penalty") == [0, True]
    accepted, same = run(modules, body, "mirror")
    assert accepted > 0
    assert not same


def test_the_best_of_a_run_is_renewed(modules):
    """In each of 40 runs every trial is built with the slot of the least value as the best; in some it changes."""
    body = """
        return Array.from({ length: 40 }, (_, run) => {
            const engine = make({ mutation: "best/1", budget: 2000 }), asked = []
            const build = engine.build
            engine.build = (i, best, random) => { asked.push([best, engine.f.indexOf(Math.min(...engine.f))])
                                                  return build.call(engine, i, best, random) }
            const { best } = engine.run(new Random(2, run))
            return [best === Math.min(...engine.f), asked]
        })"""
    found = run(modules, body)
    assert all(least for least, _ in found)
    pairs = [pair for _, asked in found for pair in asked]
    assert all(best == least for best, least in pairs)
    assert any(asked[0][0] != asked[-1][0] for _, asked in found)


SCRIPTED = """
    const engine = make(a.config), drawn = []
    engine.P.set([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
    engine.drawTrial = (i, best, random) => {  // donors as always, trials as written, the last of them again and again
        engine.choose(i, best, random)
        drawn.push(engine.mutants.base / 2)
        engine.trials[i].set(a.trials[Math.min(drawn.length, a.trials.length) - 1])
    }
    const outside = engine.build(1, 3, new Random(4))
    return [outside, [...engine.trials[1]], drawn]
"""


@pytest.mark.parametrize(
    ("trials", "outside", "last", "draws"),
    [
        ([[0.5, 0.25]], False, [0.5, 0.25], 1),
        ([[1.5, 0.5], [0.5, -1], [0.75, 0.5]], True, [0.75, 0.5], 3),  # counted as infeasible, drawn until inside
        ([[1.5, -0.5]], True, [1, 0], 101),  # a hundred times anew, then the violated bounds
    ],
)
def test_a_trial_outside_is_drawn_anew_by_resample(modules, trials, outside, last, draws):
    found = run(modules, SCRIPTED, {"config": {"strategy": "resample"}, "trials": trials})
    assert (found[0], found[1], len(found[2])) == (outside, last, draws)


@pytest.mark.parametrize(
    ("mutation", "strategy", "slot"),
    [("best/1", "conservatism", 3), ("current-to-best/1", "conservatism", 1), ("best/1", "dismiss", 1)],
)
def test_a_strategy_has_the_base_and_the_target(modules, mutation, strategy, slot):
    """Slot 1 is the target and slot 3 the best: conservatism gives the base, dismiss the target."""
    P = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8], [0.9, 0.95]]
    config = {"mutation": mutation, "strategy": strategy}
    assert run(modules, SCRIPTED, {"config": config, "trials": [[1.5, 0.5]]})[:2] == [True, P[slot]]


def test_the_base_of_rand_is_a_donor(modules):
    _, trial, (base,) = run(modules, SCRIPTED, {"config": {"strategy": "conservatism"}, "trials": [[1.5, 0.5]]})
    assert trial == [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8], [0.9, 0.95]][base]


@pytest.mark.parametrize(
    ("donors", "mutation", "avoided"),
    [
        ("distinct", "best/1", set()),
        ("not-target", "best/1", {1}),
        ("not-parents", "best/1", {1, 3}),
        ("not-parents", "rand/1", {1}),  # has no best among its parents
    ],
)
def test_donors_avoid_whom_their_rule_names_and_nobody_else(modules, donors, mutation, avoided):
    """300 draws of two or three of five: one who may be drawn stays out with a chance below 0.6³⁰⁰ < 10⁻⁶⁶."""
    body = """
        const engine = make(a), random = new Random(5), count = engine.mutants.donors
        const draw = () => { engine.choose(1, 3, random); return [...engine.mutants.r.subarray(0, count)] }
        return Array.from({ length: 300 }, draw)"""
    found = run(modules, body, {"donors": donors, "mutation": mutation})
    assert all(len(set(drawn)) == len(drawn) for drawn in found)
    assert {donor for drawn in found for donor in drawn} == set(range(N)) - avoided
