"""Adaptations from outside draw F and Cr that are allowed, and learn without breaking their memory."""

import re
from dataclasses import replace

import pytest
from foreign_kernels import learn_nothing

import debox
from debox import Config, Operator, registry
from debox.de.adaptations import TERMINAL
from debox.registry.checks.adaptation import check
from debox.registry.fingerprint import fingerprint


@pytest.mark.parametrize("adaptation", registry.in_slot("adaptation"), ids=lambda adaptation: adaptation.name)
def test_the_adaptations_of_debox_pass(adaptation):
    check(adaptation)


@debox.kernel
def dither(i, memory, rng, F_Cr):
    """F = U(0.5, 1), Cr from memory"""
    F_Cr[0, i], F_Cr[1, i] = 0.5 + 0.5 * rng.random(), memory[1, 0]


@debox.kernel
def learn_nothing_too(F_Cr, gain, memory, cell):
    """The memory stays, in other words"""
    return cell + 0


def make(**changed):
    return Operator(**{"slot": "adaptation", "name": "dither", "function": dither, "learn": learn_nothing, **changed})


def test_it_is_registered_and_named_in_configurations():
    debox.register(make())
    config = Config("DE/rand/1/bin sat, N=10, adaptation=dither")
    assert str(config) == "DE/rand/1/bin sat, N=10, F=0.5, Cr=0.5, adaptation=dither"
    assert Config(str(config)) == config


def test_it_does_the_runs_of_a_measurement():
    debox.register(make())
    pois = debox.sample_pois("DE/rand/1/bin sat, N=10, adaptation=dither", n=2, budget=100, runs=2)
    fixed = debox.sample_pois("DE/rand/1/bin sat, N=10, F=0.5, Cr=0.5", n=2, budget=100, runs=2)
    assert 0 < pois.mean() < 1
    assert pois.tolist() != fixed.tolist()


def test_what_it_learns_is_part_of_its_fingerprint():
    assert fingerprint(make()) == fingerprint(make())
    assert fingerprint(make()) != fingerprint(make(learn=learn_nothing_too))


@debox.kernel
def negative(i, memory, rng, F_Cr):
    """F = −1"""
    F_Cr[0, i], F_Cr[1, i] = -1.0, 0.5


@debox.kernel
def writes_Cr_only(i, memory, rng, F_Cr):
    """Cr = 2"""
    F_Cr[1, i] = 0.5


@debox.kernel
def writes_all(i, memory, rng, F_Cr):
    """F = Cr = 0.5, of all trials"""
    for k in range(F_Cr.shape[1]):
        F_Cr[0, k], F_Cr[1, k] = 0.5, 0.5


@debox.kernel
def writes_memory(i, memory, rng, F_Cr):
    """F = Cr = 0.5; the memory changes"""
    F_Cr[0, i], F_Cr[1, i] = 0.5, 0.5
    memory[0, 0] = 0.7


@debox.kernel
def next_cell(F_Cr, gain, memory, cell):
    """The next cell, beyond the last, too"""
    return cell + 1


@debox.kernel
def mean_of_gain(F_Cr, gain, memory, cell):
    """M_F = Σ gain F/Σ gain, which may be no number"""
    weighted = total = 0.0
    for i in range(gain.size):
        weighted += gain[i] * F_Cr[0, i]
        total += gain[i]
    memory[0, cell] = weighted / total if total != 0.0 else 0.5
    return cell


def test_terminal_cells_are_said_and_change_no_fingerprint():
    """L-SHADE's kernels leave Cr = −1 in a cell; what a memory may hold changes no number that is computed."""
    lshade = registry.find("adaptation", "L-SHADE")
    longer = replace(lshade, name="longer", memory=20)
    check(longer)
    unsaid = replace(longer, has_terminal_cells=False)
    assert fingerprint(longer) == fingerprint(unsaid)
    with pytest.raises(ValueError, match=r"Cr = −1 with has_terminal_cells=True"):
        check(replace(unsaid, learn=always_terminal))


@debox.kernel
def larger(i, memory, rng, F_Cr):
    """F = 1.1 M_F"""
    F_Cr[0, i], F_Cr[1, i] = 1.1 * memory[0, 0], memory[1, 0]


@debox.kernel
def smaller(F_Cr, gain, memory, cell):
    """M_F ← M_F − 10⁻³"""
    memory[0, cell] -= 1e-3
    return cell


@pytest.mark.parametrize(
    ("changed", "left"), [({"function": larger}, "left F = 2.2"), ({"learn": smaller}, "left mem")]
)
def test_it_begins_with_whatever_may_be_asked_for(changed, left):
    """From F = 0.5, its own start, it draws and learns what is allowed; F = 2 or 0.001 may be given."""
    with pytest.raises(ValueError, match=f"{left}.*; allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"):
        check(make(**changed))


@debox.kernel
def always_terminal(F_Cr, gain, memory, cell):
    """M_Cr is terminal"""
    memory[1, cell] = TERMINAL
    return cell


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"function": negative}, "left F = -1.0, Cr = 0.5; allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"),
        ({"function": writes_Cr_only}, "left F = nan, Cr = 0.5; allowed are 0 < F ≤ 2"),
        ({"function": writes_all}, "it may change column 0 alone"),
        ({"function": writes_memory}, "changed the memory to"),
        ({"learn": next_cell}, "returned 1; allowed is a column of the memory, an integer from 0 to 0"),
        ({"learn": mean_of_gain}, "left memory = [[nan], [0.5]]; allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"),
    ],
)
def test_what_it_must_not_do_is_named(changed, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check(make(**changed))
