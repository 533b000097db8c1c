"""Crossovers from outside take components from target and mutant, with the law that they promise."""

import pytest

import debox
from debox import registry
from debox.registry.checks.crossover import check, law


@pytest.mark.parametrize("crossover", registry.in_slot("crossover"), ids=lambda crossover: crossover.name)
def test_the_crossovers_of_debox_pass(crossover):
    check(crossover)


@pytest.mark.parametrize("exchanges", ["each", "segment"])
@pytest.mark.parametrize("Cr", [0.0, 0.3, 1.0])
def test_the_probabilities_of_a_law_add_up_to_one(exchanges, Cr):
    assert sum(law(exchanges, 4, Cr).values()) == pytest.approx(1.0, abs=1e-12)


def test_laws_are_those_computed_by_hand():
    # n = 2: one of two is taken for certain; the other with Cr in both laws
    assert law("each", 2, 0.3) == pytest.approx({(0,): 0.35, (1,): 0.35, (0, 1): 0.3})
    assert law("segment", 2, 0.3) == pytest.approx({(0,): 0.35, (1,): 0.35, (0, 1): 0.3})
    # n = 3, Cr = 1/2: {0, 2} is I = 0 or I = 2, the other taken, 1 not: 2/3 · 1/2 · 1/2; as a segment it begins at 2
    assert law("each", 3, 0.5)[0, 2] == pytest.approx(1 / 6)
    assert law("segment", 3, 0.5)[0, 2] == pytest.approx(1 / 12)


@debox.kernel
def none(x, v, Cr, rng, u):
    """u = x"""
    for i in range(u.size):
        u[i] = x[i]


@debox.kernel
def mean(x, v, Cr, rng, u):
    """u = (x + v)/2"""
    for i in range(u.size):
        u[i] = (x[i] + v[i]) / 2


@debox.kernel
def some_left_out(x, v, Cr, rng, u):
    """u_1 = v_1"""
    u[0] = v[0]


@debox.kernel
def returns(x, v, Cr, rng, u):
    """v"""
    return v


@debox.kernel
def changes_mutant(x, v, Cr, rng, u):
    """u = v, v_1 = x_1"""
    for i in range(u.size):
        u[i] = v[i]
    v[0] = x[0]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            none,
            r"none\(x=\[.*\], v=\[.*\], Cr=0.0, u=\[nan\]\) left u = \[.*\]; each u_i must .*, and at least one v_i",
        ),
        (mean, r"left u = \[.*\]; each u_i must be x_i or v_i, and at least one v_i"),
        (some_left_out, r"left u = \[.*nan.*\]; each u_i must be x_i or v_i, and at least one v_i"),
        (returns, r"returned \[.*\]; a crossover writes into u and returns nothing"),
        (changes_mutant, r"it may change u alone"),
    ],
)
def test_a_wrong_crossover_is_told_what_was_passed_and_what_came_out(operator, function, message):
    with pytest.raises(ValueError, match=f"crossover 'one': .*{message}"):
        check(operator("crossover", function=function))


@pytest.mark.parametrize(
    ("name", "promised"), [("bin", "segment"), ("exp", "each"), ("one", "each"), ("one", "segment")]
)
def test_a_law_that_is_not_kept_is_told(operator, name, promised):
    function = operator("crossover").function if name == "one" else registry.find("crossover", name).function
    with pytest.raises(
        ValueError, match=rf"the components \(.*\) came \d+ times in 2000; with exchanges='{promised}' it must"
    ):
        check(operator("crossover", function=function, exchanges=promised))


def test_a_crossover_that_promises_no_law_may_have_any(operator):
    check(operator("crossover"))
