"""Is a trial infeasible? The inner loops of the fast engine, the only ones that know the mutation.

Crossover takes components of the mutant: for bin, as far as is known here, all of them; for exp L of them from I on,
cyclically. With k of those taken outside the box a trial is infeasible iff U ≥ keep[k]: for bin keep[k] =
(1 − k/n)(1 − Cr)ᵏ is the chance that none of the k is exchanged; for exp all are, so keep is 1, 0, 0, …
"""

import numpy as np

from debox.de.mutation import formula
from debox.f0.fast.bits import estimate, popcount, surely_and_perhaps
from debox.f0.fast.fixed_point import BEST, R1, R2, R3, R4, R5, TARGET, WORD, locate
from debox.f0.fast.gaps import chance_exp
from debox.jit import kernel

UNIT = 2.0**-46  # of a chance as an integer
FIRST_WORD = np.int64(0)  # kernels are compiled anew for each plain number they are called with
WORDS_BETWEEN_CHECKS = 4  # a check whether enough is known costs as much as they do: its outcome is hard to predict


@kernel
def row(points, parents, role, t, word):
    """Where 32 components of a parent of trial t start"""
    return np.uint64(parents[role, t]) * points.width + np.uint64(word) * WORD


@kernel
def outside(points, parents, t, F, word):
    """Which of 32 components of mutant t lie outside [0, 1], exactly"""
    rows, x, x_best = points.rows, row(points, parents, TARGET, t, word), row(points, parents, BEST, t, word)
    r1, r2, r3 = row(points, parents, R1, t, word), row(points, parents, R2, t, word), row(points, parents, R3, t, word)
    r4, r5 = row(points, parents, R4, t, word), row(points, parents, R5, t, word)
    found = np.uint32(0)
    for j in range(WORD):
        v = formula(
            rows[x + j], rows[x_best + j], rows[r1 + j], rows[r2 + j], rows[r3 + j], rows[r4 + j], rows[r5 + j], F
        )
        found |= np.uint32((v < 0.0) | (v > 1.0)) << np.uint32(j)
    return found


@kernel
def count_outside(points, parents, t, F, taken, word, words):
    """How many components of mutant t, if taken, lie outside [0, 1], exactly; in so many words from this one on"""
    k = np.uint32(0)
    for _ in range(words):
        k = np.uint32(k + popcount(np.uint32(outside(points, parents, t, F, word) & taken[word, t])))
        word = word + 1 if word + 1 < taken.shape[0] else 0
    return k


@kernel
def scan(points, trials, parents, places, taken, spans, F, keep, u, undecided):
    """How many of a batch of trials are infeasible; column t of each array is trial t"""
    codes, S = points.codes, points.S
    locate(points, trials, parents, places)
    if taken.shape[0] == 1:
        infeasible, left = scan_word(codes, S, trials, places, taken, keep, u, undecided)
    else:
        infeasible, left = scan_words(codes, S, trials, places, taken, spans, keep, u, undecided)
    for p in range(left):
        t = undecided[p]
        infeasible += u[t] >= keep[count_outside(points, parents, t, F, taken, spans[0, t], spans[1, t])]
    return infeasible


@kernel
def scan_word(codes, S, trials, places, taken, keep, u, undecided):
    """How many trials are surely infeasible, and how many are undecided, which are listed: if a word holds them"""
    infeasible = left = 0
    for t in range(trials):
        least, most = estimate(codes, S, places, t, taken, FIRST_WORD)
        is_infeasible = u[t] >= keep[least]
        infeasible += is_infeasible
        undecided[left] = t
        left += (u[t] >= keep[most]) & (not is_infeasible)
    return infeasible, left


@kernel
def scan_words(codes, S, trials, places, taken, spans, keep, u, undecided):
    """The same for any number of words: those in its span, until a trial is decided"""
    words, infeasible, left = taken.shape[0], 0, 0
    for t in range(trials):
        word, least, most = spans[0, t], np.uint32(0), np.uint32(0)
        for done in range(spans[1, t]):
            if done % WORDS_BETWEEN_CHECKS == 0 and u[t] >= keep[least]:
                break
            more, perhaps = estimate(codes, S, places, t, taken, word)
            least, most = np.uint32(least + more), np.uint32(most + perhaps)
            word = word + 1 if word + 1 < words else 0
        is_infeasible = u[t] >= keep[least]
        infeasible += is_infeasible
        undecided[left] = t
        left += (u[t] >= keep[most]) & (not is_infeasible)
    return infeasible, left


@kernel
def estimate_all(codes, S, places, t, whole):
    """How many components of mutant t are surely outside, and how many perhaps"""
    least = most = np.uint32(0)
    for word in range(whole.shape[0]):
        more, perhaps = estimate(codes, S, places, t, whole, word)
        least, most = np.uint32(least + more), np.uint32(most + perhaps)
    return least, most


@kernel
def chances(points, parents, places, whole, F, exp, keep, gaps, words, which, chance):
    """Write P(infeasible) for some tuples of donors in UNITs: column t of `parents` is number which[t]

    Returned is by how much their sum changed.
    """
    codes, S, change = points.codes, points.S, 0
    locate(points, which.size, parents, places)
    for t in range(which.size):
        if exp:
            for word in range(words.size):
                surely, perhaps = surely_and_perhaps(codes, S, places, t, word)
                in_doubt = (surely ^ perhaps) & whole[word, t]
                found = outside(points, parents, t, F, word) if in_doubt else surely
                words[word] = found & whole[word, t]
            p = chance_exp(gaps, words)
        else:
            k, most = estimate_all(codes, S, places, t, whole)
            if k != most:
                k = count_outside(points, parents, t, F, whole, FIRST_WORD, whole.shape[0])
            p = 1.0 - keep[k]
        p = np.int64(p / UNIT)
        change += p - chance[which[t]]
        chance[which[t]] = p
    return change


@kernel
def no_chances(points, parents, places, whole, F, exp, keep, gaps, words, which, chance):
    """In the place of `chances` where there are none to compute"""
    return 0
