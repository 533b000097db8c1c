"""Adaptations from outside draw F and Cr that are allowed, and learn without breaking their memory."""

import re

import pytest
from for_each import for_each

import debox
from debox import Config, Operator, registry
from debox.registry.checks.adaptation import check
from debox.registry.fingerprint import fingerprint


@for_each("adaptation", registry.in_slot("adaptation"), ids=lambda adaptation: adaptation.name)
def test_the_adaptations_of_debox_pass(adaptation):
    check(adaptation)


@debox.kernel
def dither(i, memory, rng, F_Cr):
    """F = U(0.5, 1), Cr from memory"""
    F_Cr[0, i], F_Cr[1, i] = 0.5 + 0.5 * rng.random(), memory[1, 0]


@debox.kernel
def forget(F_Cr, gain, memory, cell):
    """Nothing is learned"""
    return cell


@debox.kernel
def forget_too(F_Cr, gain, memory, cell):
    """Nothing is learned, in other words"""
    return cell + 0


def make(**changed):
    return Operator(**{"slot": "adaptation", "name": "dither", "function": dither, "learn": forget, **changed})


def test_it_is_registered_and_named_in_configurations():
    debox.register(make())
    config = Config("DE/rand/1/bin sat, N=10, adaptation=dither")
    assert str(config) == "DE/rand/1/bin sat, N=10, F=0.5, Cr=0.5, adaptation=dither"
    assert Config(str(config)) == config


@pytest.mark.slow
def test_it_does_the_runs_of_a_measurement():
    debox.register(make())
    pois = debox.sample_pois("DE/rand/1/bin sat, N=10, adaptation=dither", n=2, budget=100, runs=2)
    fixed = debox.sample_pois("DE/rand/1/bin sat, N=10, F=0.5, Cr=0.5", n=2, budget=100, runs=2)
    assert 0 < pois.mean() < 1
    assert pois.tolist() != fixed.tolist()


def test_what_it_learns_is_part_of_its_fingerprint():
    assert fingerprint(make()) == fingerprint(make())
    assert fingerprint(make()) != fingerprint(make(learn=forget_too))


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


@for_each(
    ("changed", "message"),
    [
        ({"function": negative}, "left F = -1.0, Cr = 0.5; allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"),
        ({"function": writes_Cr_only}, "left F = nan, Cr = 0.5; allowed are 0 < F ≤ 2"),
        ({"function": writes_all}, "it may change column 0 alone"),
        ({"function": writes_memory}, "changed the memory to"),
        ({"learn": next_cell}, "returned 1; allowed is a column of the memory, an integer from 0 to 0"),
        ({"learn": mean_of_gain}, "left memory = [[nan], [0.5]]; allowed are finite numbers"),
    ],
)
def test_what_it_must_not_do_is_named(changed, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check(make(**changed))
