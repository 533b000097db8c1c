"""The page's operators give what Python's give for the same random numbers, to the last bit."""

import numpy as np
import pytest
from operator_lists import page_operators

from debox import operators, reference
from debox.operators import SLOTS

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


def run(modules, module, body, argument=None):
    code = f"async (a) => {{ {JAVASCRIPT} const m = await import('/{module}.js'); {body} }}"
    return modules.evaluate(code, argument)


def test_the_page_has_operators_of_debox_and_tests_go_through_all_of_them(modules):
    """An operator of Python needs no twin: without one it is shown as it is stored."""
    body = "return Object.fromEntries(Object.entries(m.OPERATORS).map(([k, v]) => [k, Object.keys(v)]))"
    there = run(modules, "limits", body)
    assert there == {slot: page_operators(slot) for slot in SLOTS if slot != "adaptation"}
    for slot, names in there.items():
        assert {"mutation": 8, "crossover": 2, "strategy": 19, "donors": 3}[slot] <= len(names), slot
        assert set(names) <= {operator.name for operator in operators.in_slot(slot)}


def test_a_mutation_has_the_donors_parents_and_base_of_the_registry(modules):
    body = """
        const { MUTATIONS, uses } = m
        return Object.entries(MUTATIONS).map(([k, v]) => [k, v.donors, v.base, uses(k, 'best'), uses(k, 'target')])"""
    for name, number, base, best, target in run(modules, "mutation", body):
        operator = operators.find("mutation", name)
        assert (number, base) == (operator.donors, operator.base)
        assert (best, target) == (operator.uses_best, operator.uses_target)


def test_a_strategy_has_the_marks_of_the_registry(modules):
    body = "return Object.entries(m.STRATEGIES).map(([k, v]) => [k, !!v.whole, v.redraws ?? 0, !!v.loses])"
    for name, whole, redraws, loses in run(modules, "strategies", body):
        operator = operators.find("strategy", name)
        assert (whole, redraws, loses) == (operator.whole, operator.redraws, operator.penalises)


@pytest.mark.parametrize("name", page_operators("mutation"))
def test_mutants_are_equal_to_the_last_bit(modules, name):
    rng = np.random.default_rng(1)
    P, F, r, target, best = rng.random((N, n)), 0.7, [4, 2, 0, 5, 1], 3, 6
    formula = operators.find("mutation", name).function
    expected = [formula(P[target, i], P[best, i], *(P[k, i] for k in r), F) for i in range(n)]
    body = """
        const mutants = new m.Mutants(a.name, a.F, a.n, Float64Array.from(a.P))
        mutants.choose(a.target, a.best, a.r)
        return Array.from({ length: a.n }, (_, i) => mutants.at(i))"""
    given = {"P": P.ravel().tolist(), "F": F, "r": r, "target": target, "best": best, "n": n, "name": name}
    assert run(modules, "mutation", body, given) == expected


@pytest.mark.parametrize("name", page_operators("donors"))
def test_donors_are_those_of_python(modules, name):
    numbers = np.random.default_rng(2).random(400).tolist()
    rule = {"distinct": reference.distinct, "not-target": reference.not_target, "not-parents": reference.not_parents}[
        name
    ]
    expected, rng = [], Scripted(numbers)
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
    assert run(modules, "mutation", body, {"name": name, "numbers": numbers, "N": N}) == [expected, rng.used[0]]


@pytest.mark.parametrize("name", page_operators("crossover"))
@pytest.mark.parametrize("Cr", [0.0, 0.3, 0.9, 1.0])
def test_trials_are_those_of_python(modules, name, Cr):
    numbers = np.random.default_rng(3).random(400).tolist()
    x, v = np.random.default_rng(4).random((2, n))
    operator = {"bin": reference.binomial, "exp": reference.exponential}[name]
    expected, rng = [], Scripted(numbers)
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
    assert run(modules, "crossover", body, given) == [expected, rng.used[0]]


WITH_LOGARITHMS = {"exp-target", "exp-center", "exp-spread"}  # computed by the browser's own log1p and expm1


@pytest.mark.parametrize("name", page_operators("strategy"))
@pytest.mark.parametrize("box", [(0.0, 1.0), (-5.0, 5.0)])
def test_repaired_points_are_those_of_python_to_the_last_bit(modules, name, box):
    """A trial with many components, and trials with two; the base is another point than the target."""
    a, b = box
    rng = np.random.default_rng(5)
    far = [a, b, a - (b - a), b + (b - a), b + 1e9, a - 1e-17]
    trials = [np.array([*(a + (b - a) * rng.normal(0.5, 2, 60)), *far]), *(a + (b - a) * rng.normal(0.5, 0.7, (12, 2)))]
    numbers, normal = rng.random(400).tolist(), rng.normal(size=300).tolist()
    operator, scripted, expected, given = operators.find("strategy", name), Scripted(numbers, normal), [], []
    for u in trials:
        x, c = a + (b - a) * rng.random((2, len(u)))
        given.append([u.tolist(), x.tolist(), c.tolist()])
        outside, repaired = (u < a) | (u > b), u.copy()
        if operator.whole and outside.any():
            operator.function(repaired, x, c, np.full(len(u), a), np.full(len(u), b), scripted)
        elif outside.any():
            old = zip(u[outside], x[outside], c[outside], strict=True)
            repaired[outside] = [operator.function(*values, a, b, scripted) for values in old]
        expected.append([bool(outside.any()), repaired.tolist()])
    body = """
        const random = scripted(a.random, a.normal)
        const found = a.trials.map(([u, x, c]) => {
            const [trial, target, base] = [u, x, c].map((values) => Float64Array.from(values))
            return [m.repair(trial, target, base, a.name, random, a.a, a.b), [...trial]]
        })
        return [found, random.used]"""
    asked = {"name": name, "trials": given, "random": numbers, "normal": normal, "a": a, "b": b}
    found, used = run(modules, "strategies", body, asked)
    assert used == scripted.used
    assert {flag for flag, _ in expected} == {True, False}
    if name in WITH_LOGARITHMS:
        assert [flag for flag, _ in found] == [flag for flag, _ in expected]
        for (_, ours), (_, theirs) in zip(found, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=4 * np.spacing(b))
    else:
        assert found == expected
