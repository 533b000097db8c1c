"""An operator is tried before it is registered: debox's own pass, and an error shows where a wrong one goes wrong.

The law of a crossover or a donor rule is refused beyond 6 standard errors, once in 10⁹ comparisons; the random numbers
of the checks are fixed.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from debox.operators import find
from debox.operators.checks import BOXES, LAW_TIMES, LAWS, check, compare, points_outside

WHOLE, NO_WEIGHTS = {"whole": True}, {"weights": None}
DISMISSES = {"whole": True, "dismisses": True}
ALONE = "it may change u alone"
RULE = "each u_i must be x_i or v_i, and at least one v_i"
PAIRS = "allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"
WEIGHTS = r"its weights must be a tuple of 5 numbers \(target, best, donors\) that add up to 1 and give the same, got"
PARENTS = "depends on x_r1, x_r2, x_r3;"
DISTINCT = "allowed are distinct indices from 0 to"
WRONG = [  # slot, body of the function ("": the right one), fields, message
    ("strategy", "return u", {}, r"own\(u=.*, a=0.0, b=1.0\) gave .*; allowed are numbers in \[a, b\] = \[0.0, 1.0\]"),
    ("strategy", "return 2 * a - u if u < a else 2 * b - u", {}, r"own\(u=-2.5, .*\) gave 2.5; allowed"),
    ("strategy", "return a if abs(u) < 1e308 else u", {}, r"own\(u=-1.7976931348623157e\+308, .*\) gave"),
    ("strategy", "return None", {}, "gave None; allowed is a number"),
    ("strategy", "return True", {}, "gave True; allowed is a number"),
    ("strategy", "return [0.0][int(u > b)]", {}, r"own\(u=.*\) raised IndexError: list index out of range"),
    ("strategy", "CALLS.append(u); return (b, a)[len(CALLS) % 2]", {}, r"gave 0.0; then 1.0: with the same"),
    ("strategy", "return 2 * b - a if 0.5 < (x - a) / (b - a) < 0.6 else a", {}, "allowed are numbers in"),
    ("strategy", "u[0] = x[0]", WHOLE, r"gave \[.*\]; allowed are numbers in \[a, b\] = \[0.0, 1.0\]"),
    ("strategy", "return x", WHOLE, rf"returned \[.*\]; {ALONE} and returns nothing"),
    ("strategy", "x[:] = b + 1; u[:] = a", WHOLE, rf"changed x to \[.*\]; {ALONE}"),
    ("strategy", "c[:] = b + 1; u[:] = a", WHOLE, rf"changed c to \[.*\]; {ALONE}"),
    ("strategy", "u[:] = a; a[:] = b", WHOLE, rf"changed a to \[.*\]; {ALONE}"),
    ("strategy", "u[:] = a; b[:] = a", WHOLE, rf"changed b to \[.*\]; {ALONE}"),
    ("strategy", "u[:] = a; u[0] = x[0]", DISMISSES, "with dismisses=True the trial must become its target x"),
    ("mutation", "", NO_WEIGHTS | {"donors": 2}, f"{PARENTS} donors must be 3, got 2"),
    ("mutation", "", NO_WEIGHTS | {"donors": 4}, f"{PARENTS} donors must be 3, got 4"),
    ("mutation", "", {"uses_best": True}, "uses_best must be False, got True"),
    ("mutation", "", {"uses_target": True}, "uses_target must be False, got True"),
    ("mutation", "", {"base": "best"}, f"{PARENTS} base must be one of these, got 'best'"),
    ("mutation", "return F", NO_WEIGHTS | {"donors": 0}, "depends on no parent; base must be one of these, got 'r1'"),
    ("mutation", "", {"weights": lambda F: (0, 0, 1, F, -F)}, rf"own\(x=.*\) gave .*; {WEIGHTS} \(0, 0, 1, 0.05, -0"),
    ("mutation", "", {"weights": lambda F: (0, 0, 1, F)}, rf"{WEIGHTS} \(0, 0, 1, 0.05\)"),
    ("mutation", "", {"weights": lambda F: [0, 0, 1, F / 2, -F / 2]}, rf"{WEIGHTS} \[0, 0, 1, 0.025"),
    ("mutation", "", {"weights": lambda F: (0, 0.5, 1, F / 2, -F / 2)}, rf"{WEIGHTS} \(0, 0.5, 1,"),
    ("mutation", "", {"weights": lambda F: 1 / 0}, r"<lambda>\(F=0.05\) raised ZeroDivisionError: division by zero"),
    ("mutation", "return float(['x'][int(x_r1 < 0)])", NO_WEIGHTS, r"own\(x=.*\) raised"),
    ("mutation", "return x_r1 / (F - F)", NO_WEIGHTS | {"donors": 1}, "gave -?inf; allowed is a finite number"),
    ("crossover", "u[:] = x", {}, rf"own\(x=\[.*\], v=\[.*\], Cr=0.0, u=\[nan\]\) left u = \[.*\]; {RULE}"),
    ("crossover", "u[:] = (x + v) / 2", {}, rf"left u = \[.*\]; {RULE}"),
    ("crossover", "u[0] = v[0]", {}, rf"left u = \[.*nan.*\]; {RULE}"),
    ("crossover", "return v", {}, rf"returned \[.*\]; {ALONE} and returns nothing"),
    ("crossover", "u[:] = v; v[0] = x[0]", {}, rf"changed v to \[.*\]; {ALONE}"),
    ("donors", "r[:] = [N - k for k in range(r.size)]", {}, rf"left r = \[1\]; {DISTINCT} 0"),
    ("donors", "r[:] = 0", {}, rf"left r = \[0, 0\]; {DISTINCT} 1"),
    ("donors", "r[0] = 0", {}, rf"left r = \[0, 18446744073709551615\]; {DISTINCT}"),
    ("donors", "", {"avoids": ("target",)}, rf"left r = \[0\]; {DISTINCT} 1 but \[0\]: avoids=\('target',\)"),
    ("donors", "", {"avoids": ("best",)}, rf"left r = \[0\]; {DISTINCT} 1 but \[0\]: avoids=\('best',\)"),
    ("donors", "", {"uniform": True}, rf"with N = 5.*: the pair \(0, 1\) came {LAW_TIMES} times in {LAW_TIMES}; with"),
    ("adaptation", "F_Cr[0, i], F_Cr[1, i] = -1.0, 0.5", {}, rf"left F and Cr = \[-1.0, 0.5\]; {PAIRS}"),
    ("adaptation", "F_Cr[1, i] = 0.5", {}, rf"left F and Cr = \[nan, 0.5\]; {PAIRS}"),
    ("adaptation", "F_Cr[:] = 0.5", {}, "left F_Cr = .*; it may change column 0 alone"),
    ("adaptation", "F_Cr[:, i] = 0.5; F_Cr[:, 0] = 0.5 + 0.1 * i", {}, "F_Cr = .*; it may change column 1 alone"),
    ("adaptation", "F_Cr[:, i] = 0.5; memory[0, 0] = 0.7", {}, "changed memory to .*; it may change F_Cr alone"),
    ("adaptation", "F_Cr[:, i] = 1.1 * memory[0, 0], memory[1, 0]", {}, rf"left F and Cr = \[2.2.*, 1.0\]; {PAIRS}"),
    ("learn", "memory[0, cell] -= 1e-3; return cell", {}, rf"left memory = .*; {PAIRS}"),  # the start may be 0.001
    ("learn", "gain[F_Cr.shape[1] - 1]; return cell", {}, "raised IndexError: index 3 is out of bounds"),  # a cut one
    ("learn", "return cell + 1", {}, "returned 1; allowed is a column of the memory, an integer from 0 to 0"),
    ("learn", "return cell + 0.5", {}, "returned 0.5; allowed is a column of the memory"),
    ("learn", "memory[0, 0] = gain.sum() / gain.sum(); return cell", {}, rf"left memory = \[\[nan\].*; {PAIRS}"),
    ("learn", "F_Cr[0] = 1.0; return cell", {}, "changed F_Cr to .*; it may change memory and gain alone"),
    ("learn", "memory[1, cell] = TERMINAL; return cell", {}, "Cr = −1 with has_terminal_cells=True"),
]


@pytest.mark.parametrize(("slot", "body", "fields", "message"), WRONG)
def test_an_error_shows_what_was_passed_what_came_out_and_what_is_allowed(
    operator, function, slot, body, fields, message
):
    own = {"learn" if slot == "learn" else "function": function(slot, body)} if body else {}
    wrong = operator("adaptation" if slot == "learn" else slot, **own, **fields)
    with pytest.raises(ValueError, match=f"{wrong.slot} {wrong.name!r}.*{message}"):
        check(wrong)


def test_right_operators_pass(operator, function):
    for slot in ("strategy", "mutation", "crossover", "donors", "adaptation"):
        check(operator(slot))
    check(operator("strategy", function=function("strategy", "u[:] = a"), whole=True))
    check(operator("strategy", function=function("strategy", "pass"), whole=True, leaves_outside=True))
    larger = {"function": function("mutation", "return max(x, x_best)"), "uses_best": True, "uses_target": True}
    check(operator("mutation", **larger, donors=0, base="best", weights=None))
    with_K = function("mutation", "return x_r1 + K * F * (x_r2 - x_r3)", "K")
    check(operator("mutation", function=with_K, weights=lambda F, K: (0, 0, 1, K * F, -K * F)))
    check(replace(find("adaptation", "L-SHADE"), name="longer", memory=20))


def test_points_lie_outside_the_box_and_infinitely_far_but_none_is_nan():
    for a, b in BOXES:
        points = list(points_outside(a, b, np.random.default_rng(1)))
        assert not any(a <= u <= b for u in points)
        assert {-np.inf, np.inf} < set(points)
        assert not np.isnan(points).any()


@pytest.mark.parametrize("promised", ["each", "segment"])
@pytest.mark.parametrize("name", ["bin", "exp", "one"])
def test_the_law_that_a_crossover_promises_must_be_its_law(operator, name, promised):
    one = operator("crossover", exchanges=promised)
    own = one if name == "one" else replace(one, function=find("crossover", name).function)
    if (name, promised) in (("bin", "each"), ("exp", "segment")):
        check(own)
    else:
        with pytest.raises(ValueError, match=rf"the components \(.*\) came \d+ .* exchanges='{promised}' it must"):
            check(own)


def test_laws_are_those_computed_by_hand():
    # Cr = 1/2: {0, 2} is I = 0 or I = 2, the other taken, 1 not: 2/3 · 1/2 · 1/2; as a segment it begins at 2
    assert LAWS["each"](2, 0.5) == pytest.approx(1 / 6)
    assert LAWS["segment"](2, 0.5) == pytest.approx(1 / 12)
    # Cr = 0.3: {1} is I = 1, the others not: 1/3 · 0.7²; as a segment it begins at 1 and ends at once
    assert LAWS["each"](1, 0.3) == pytest.approx(0.49 / 3)
    assert LAWS["segment"](1, 0.3) == pytest.approx(0.7 / 3)
    for law in LAWS.values():  # 3 sets of one, 3 of two, all
        assert 3 * law(1, 0.3) + 3 * law(2, 0.3) + law(3, 0.3) == pytest.approx(1.0, abs=1e-12)


def test_frequencies_are_compared_at_six_standard_errors():
    fair = {(0,): 0.5, (1,): 0.5}  # of 10 000: 5000 ± 50
    compare("it", Counter({(0,): 5299, (1,): 4701}), fair, "a fair coin")
    with pytest.raises(ValueError, match=r"it \(0,\) came 5301 times in 10000; with a fair coin it must be about 5000"):
        compare("it", Counter({(0,): 5301, (1,): 4699}), fair, "a fair coin")
    with pytest.raises(ValueError, match=r"it \(2,\) came 1 times in 10000; .* about 0"):
        compare("it", Counter({(0,): 5000, (1,): 4999, (2,): 1}), fair, "a fair coin")
