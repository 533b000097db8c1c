"""Adaptations: F and Cr drawn for each trial from a memory, which learns from the trials that beat their targets.

An adaptation is two kernels. `sample` (i, memory, rng, F_Cr) writes F and Cr of trial i into column i of F_Cr. `learn`
(F_Cr, gain, memory, cell), after a generation, changes the memory, whose columns are pairs of F and Cr, and returns the
column to be changed next. gain[i] is f(target) − f(trial), 0 for a trial that replaced an equal target, and negative
for one that did not replace its target.
"""

from math import isinf, pi, tan

import numpy as np
from numpy.typing import NDArray

from debox.jit import kernel

TERMINAL = -1.0  # in the place of a Cr: from this cell Cr = 0 for good


def are_pairs(F_Cr: NDArray[np.float64], has_terminal_cells: bool = False) -> bool:
    """Is every column a pair of 0 < F ≤ 2 and 0 ≤ Cr ≤ 1? Trials and memories have no others, but for terminal cells.

    With others, drawing F until it is positive might never end.
    """
    F, Cr = F_Cr
    is_Cr = ((Cr >= 0) & (Cr <= 1)) | (has_terminal_cells & (Cr == TERMINAL))
    return bool((is_Cr & (F > 0) & (F <= 2)).all())


@kernel
def draw_F(mean, rng):
    """F ~ Cauchy(mean, 0.1), drawn again while F ≤ 0, cut at 1"""
    F = 0.0
    while F <= 0.0:
        F = mean + 0.1 * tan(pi * (rng.random() - 0.5))
    return min(F, 1.0)


@kernel
def draw_Cr(mean, rng):
    """Cr ~ N(mean, 0.1), cut to [0, 1]"""
    return min(max(mean + 0.1 * rng.standard_normal(), 0.0), 1.0)


@kernel
def sample_fixed(i, memory, rng, F_Cr):
    """F and Cr are the same for all trials"""
    F_Cr[0, i], F_Cr[1, i] = memory[0, 0], memory[1, 0]


@kernel
def learn_nothing(F_Cr, gain, memory, cell):
    """The memory stays as it is"""
    return cell


@kernel
def sample_jde(i, memory, rng, F_Cr):
    """F = 0.1 + 0.9 U with chance 0.1, Cr = U with chance 0.1, else those of the individual"""
    F_Cr[0, i] = 0.1 + 0.9 * rng.random() if rng.random() < 0.1 else memory[0, i]
    F_Cr[1, i] = rng.random() if rng.random() < 0.1 else memory[1, i]


@kernel
def learn_jde(F_Cr, gain, memory, cell):
    """An individual takes F and Cr of the trial that replaces it"""
    for i in range(gain.size):
        if gain[i] >= 0.0:
            memory[0, i], memory[1, i] = F_Cr[0, i], F_Cr[1, i]
    return cell


@kernel
def sample_jade(i, memory, rng, F_Cr):
    """F ~ Cauchy(μ_F, 0.1), Cr ~ N(μ_Cr, 0.1)"""
    F_Cr[0, i], F_Cr[1, i] = draw_F(memory[0, 0], rng), draw_Cr(memory[1, 0], rng)


@kernel
def learn_jade(F_Cr, gain, memory, cell):
    """μ_F ← 0.9 μ_F + 0.1 ΣF²/ΣF, μ_Cr ← 0.9 μ_Cr + 0.1 mean(Cr), over the successes"""
    if weigh_equally(gain):
        memory[0, 0] = 0.9 * memory[0, 0] + 0.1 * lehmer_mean(gain, F_Cr, 0)
        memory[1, 0] = 0.9 * memory[1, 0] + 0.1 * arithmetic_mean(gain, F_Cr, 1)
    return cell


@kernel
def sample_shade(i, memory, rng, F_Cr):
    """F ~ Cauchy(M_F, 0.1), Cr ~ N(M_Cr, 0.1), M a random cell of the memory"""
    cell = int(rng.random() * memory.shape[1])
    F_Cr[0, i], F_Cr[1, i] = draw_F(memory[0, cell], rng), draw_Cr(memory[1, cell], rng)


@kernel
def learn_shade(F_Cr, gain, memory, cell):
    """M_F ← Σw F²/Σw F, M_Cr ← Σw Cr/Σw over the successes, w = Δf; one cell after the other"""
    if not weigh(gain):
        return cell
    memory[0, cell], memory[1, cell] = lehmer_mean(gain, F_Cr, 0), arithmetic_mean(gain, F_Cr, 1)
    return (cell + 1) % memory.shape[1]


@kernel
def sample_lshade(i, memory, rng, F_Cr):
    """F ~ Cauchy(M_F, 0.1), Cr ~ N(M_Cr, 0.1), M a random cell of the memory; Cr = 0 from a terminal cell"""
    cell = int(rng.random() * memory.shape[1])
    F_Cr[0, i] = draw_F(memory[0, cell], rng)
    F_Cr[1, i] = 0.0 if memory[1, cell] == TERMINAL else draw_Cr(memory[1, cell], rng)


@kernel
def learn_lshade(F_Cr, gain, memory, cell):
    """M ← Σw s²/Σw s over the successes, for s = F and s = Cr, w = Δf; if all these Cr are 0, the cell is terminal"""
    is_terminal = memory[1, cell] == TERMINAL or largest_Cr(gain, F_Cr) == 0.0  # before weights, of which some may be 0
    if not weigh(gain):
        return cell
    for row in range(2):
        memory[row, cell] = lehmer_mean(gain, F_Cr, row)
    if is_terminal:
        memory[1, cell] = TERMINAL
    return (cell + 1) % memory.shape[1]


@kernel
def largest_Cr(gain, F_Cr):
    """max Cr over the successes"""
    largest = 0.0
    for i in range(gain.size):
        if gain[i] > 0.0:
            largest = max(largest, F_Cr[1, i])
    return largest


@kernel
def weigh_equally(gain):
    """Turn gains into weights: 1 for a success, 0 for none; is there any?"""
    any_success = False
    for i in range(gain.size):
        any_success |= gain[i] > 0.0
        gain[i] = 1.0 if gain[i] > 0.0 else 0.0
    return any_success


@kernel
def weigh(gain):
    """Turn gains into weights Δf/max Δf, or 0 without success; is there any? Infinite gains share the weight equally"""
    largest = 0.0
    for i in range(gain.size):
        largest = max(largest, gain[i])
    for i in range(gain.size):
        if isinf(largest):
            gain[i] = 1.0 if isinf(gain[i]) else 0.0
        else:
            gain[i] = gain[i] / largest if gain[i] > 0.0 else 0.0
    return largest > 0.0


@kernel
def arithmetic_mean(weights, F_Cr, row):
    """Σ w s / Σ w"""
    total = weighted = 0.0
    for i in range(weights.size):
        total += weights[i]
        weighted += weights[i] * F_Cr[row, i]
    return weighted / total


@kernel
def lehmer_mean(weights, F_Cr, row):
    """Σ w s² / Σ w s; 0 if all s with a weight are 0"""
    weighted = squared = 0.0
    for i in range(weights.size):
        weighted += weights[i] * F_Cr[row, i]
        squared += weights[i] * F_Cr[row, i] * F_Cr[row, i]
    return squared / weighted if weighted > 0.0 else 0.0
