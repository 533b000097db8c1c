"""The page's operators give what Python's give for the same random numbers, to the last bit."""

import numpy as np
import pytest
from operator_lists import PAPER_MUTATIONS, PAPER_STRATEGIES

from debox import jit, registry
from debox.de import crossover, donors, mutation, strategies

pytestmark = pytest.mark.slow

N, n = 7, 6
JAVASCRIPT = """
const scripted = (random, normal = []) => ({
    used: [0, 0], random() { return random[this.used[0]++] }, normal() { return normal[this.used[1]++] },
})
"""


class Scripted:
    """Stands in for a Generator and counts what it gives."""

    def __init__(self, random, normal=()):
        self.given, self.used = {"random": list(random), "normal": list(normal)}, [0, 0]

    def random(self):
        self.used[0] += 1
        return self.given["random"][self.used[0] - 1]

    def standard_normal(self):
        self.used[1] += 1
        return self.given["normal"][self.used[1] - 1]


def run(modules, body, argument):
    code = f"async (a) => {{ {JAVASCRIPT} const m = await import('/operators.js'); {body} }}"
    return modules.evaluate(code, argument)


def names(slot):
    """Those of the paper; others are shown as they are stored, and not run in the page."""
    papers = {"mutation": PAPER_MUTATIONS, "strategy": PAPER_STRATEGIES}
    return [operator.name for operator in papers.get(slot, registry.in_slot(slot))]


def test_the_page_has_every_operator_of_the_paper_and_no_other(modules):
    body = "return [m.MUTATIONS, m.CROSSOVERS, m.STRATEGIES, m.DONORS].map(Object.keys)"
    there = run(modules, body, None)
    assert [set(found) for found in there] == [set(names(s)) for s in ("mutation", "crossover", "strategy", "donors")]


def test_a_mutation_has_the_donors_and_parents_of_the_registry(modules):
    body = (
        "return Object.keys(m.MUTATIONS).map((k) => [k, m.MUTATIONS[k].donors, m.uses(k,'best'), m.uses(k,'target')])"
    )
    for name, number, best, target in run(modules, body, None):
        operator = registry.find("mutation", name)
        assert (number, best, target) == (operator.donors, operator.uses_best, operator.uses_target)


@pytest.mark.parametrize("name", names("mutation"))
def test_mutants_are_equal_to_the_last_bit(modules, name):
    rng = np.random.default_rng(1)
    P, F, r, target, best = rng.random((N, n)), 0.7, [4, 2, 0, 5, 1], 3, 6
    formula = {o.name: o.function for o in registry.in_slot("mutation")}[name]
    with jit.interpreted():
        expected = [formula(P[target, i], P[best, i], *(P[k, i] for k in r), F) for i in range(n)]
    body = """
        const parents = [a.target, a.best, ...a.r], P = Float64Array.from(a.P)
        const rows = Array.from(m.rolesOf(a.name), (role) => parents[role] * a.n)
        const two = m.MUTATIONS[a.name].differences.length > 1
        return Array.from({ length: a.n }, (_, i) => m.mutantAt(P, ...rows, two, a.F, i))"""
    given = {"P": P.ravel().tolist(), "F": F, "r": r, "target": target, "best": best, "n": n, "name": name}
    assert run(modules, body, given) == expected
    assert mutation.rand_1.__doc__  # the formulas are those of this module


@pytest.mark.parametrize("name", names("donors"))
def test_donors_are_those_of_python(modules, name):
    numbers = np.random.default_rng(2).random(400).tolist()
    rule = {"distinct": donors.distinct, "not-target": donors.not_target, "not-parents": donors.not_parents}[name]
    expected, rng = [], Scripted(numbers)
    with jit.interpreted():
        for k in range(20):
            r = np.zeros(4, np.uint64)
            rule(N, k % N, 2, rng, r)
            expected.append(r.tolist())
    body = """
        const { target, best } = m.DONORS[a.name], random = scripted(a.numbers), found = []
        for (let k = 0; k < 20; k++) {
            const r = new Int32Array(4)
            m.drawDonors(a.N, target ? k % a.N : -1, best ? 2 : -1, random, r, 4)
            found.push([...r])
        }
        return [found, random.used[0]]"""
    assert run(modules, body, {"name": name, "numbers": numbers, "N": N}) == [expected, rng.used[0]]


@pytest.mark.parametrize("name", names("crossover"))
@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.9, 1.0])
def test_trials_are_those_of_python(modules, name, Cr):
    numbers = np.random.default_rng(3).random(400).tolist()
    x, v = np.random.default_rng(4).random((2, n))
    operator = {"bin": crossover.binomial, "exp": crossover.exponential}[name]
    expected, rng = [], Scripted(numbers)
    with jit.interpreted():
        for _ in range(20):
            u = np.empty(n)
            operator(x, v, Cr, rng, u)
            expected.append(u.tolist())
    body = """
        const random = scripted(a.numbers), found = []
        for (let k = 0; k < 20; k++) {
            const u = new Float64Array(a.x.length)
            m.CROSSOVERS[a.name](a.x, a.v, a.Cr, random, u)
            found.push([...u])
        }
        return [found, random.used[0]]"""
    given = {"name": name, "numbers": numbers, "x": x.tolist(), "v": v.tolist(), "Cr": Cr}
    assert run(modules, body, given) == [expected, rng.used[0]]


@pytest.mark.parametrize("name", names("strategy"))
@pytest.mark.parametrize("box", [(0.0, 1.0), (-5.0, 5.0)])
def test_repaired_points_are_those_of_python_to_the_last_bit(modules, name, box):
    a, b = box
    rng = np.random.default_rng(5)
    u = np.concatenate([a + (b - a) * rng.normal(0.5, 2, 60), [a, b, a - (b - a), b + (b - a), b + 1e9, a - 1e-17]])
    x, normal = a + (b - a) * rng.random(len(u)), rng.normal(size=300).tolist()
    function = {o.name: o.function for o in registry.in_slot("strategy")}[name]
    expected, scripted = u.copy(), Scripted([], normal)
    with jit.interpreted():
        outside = (u < a) | (u > b)
        if name == "dismiss":
            function(expected, x, x, np.full(len(u), a), np.full(len(u), b), scripted)
        else:
            expected[outside] = [
                function(*uv, uv[1], a, b, scripted) for uv in zip(u[outside], x[outside], strict=True)
            ]
    body = """
        const random = scripted([], a.normal), u = Float64Array.from(a.u), inside = Float64Array.of(a.a, a.b)
        const x = Float64Array.from(a.x)
        return [m.repair(u, x, a.name, random, a.a, a.b), [...u], random.used[1],
                m.repair(inside, inside, a.name, random, a.a, a.b)]"""
    given = {"name": name, "u": u.tolist(), "x": x.tolist(), "normal": normal, "a": a, "b": b}
    assert run(modules, body, given) == [True, expected.tolist(), scripted.used[1], False]
    assert strategies.dismiss.__doc__
