"""The page's random numbers: published outputs, exact chances, and a wrong generator that is seen."""

import numpy as np
import pytest
from scipy.stats import binom, chisquare, kstest

# Of state (1, 2, 3, 4): the test vector of the authors' C code, as the Rust crate rand_xoshiro has it.
PUBLISHED = [11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804]
FALSE_ALARM = 1e-3  # of each test below, whose seeds are fixed


def test_the_generator_gives_the_published_numbers(modules):
    call = """async () => {
        const { nextBits } = await import('/rng.js'), state = Int32Array.of(1, 2, 3, 4)
        return Array.from({ length: 10 }, () => nextBits(state))
    }"""
    assert modules.evaluate(call) == PUBLISHED


def test_uniform_numbers_are_27_and_26_bits_of_the_generator(modules):
    """More than one buffer of them, so that the refilled one continues."""
    call = """async () => {
        const { nextBits, streamState, Random } = await import('/rng.js')
        const random = new Random(5, 9), state = streamState(5, 9), numbers = Array.from({ length: 600 })
        return [numbers.map(() => random.random()), numbers.map(() => [nextBits(state), nextBits(state)])]
    }"""
    uniform, bits = modules.evaluate(call)
    assert uniform == [((high >> 5) * 2**26 + (low >> 6)) / 2**53 for high, low in bits]


def test_streams_of_different_runs_and_seeds_differ(modules):
    call = """async () => {
        const { streamState } = await import('/rng.js'), states = new Set()
        for (let seed = 0; seed < 100; seed++)
            for (let run = 0; run < 100; run++) states.add(streamState(seed, run).join())
        return states.size
    }"""
    assert modules.evaluate(call) == 100 * 100


def test_first_numbers_of_streams_are_uniform_and_normal_ones_normal(modules):
    call = """async () => {
        const { Random } = await import('/rng.js'), runs = Array.from({ length: 4000 }, (_, run) => run)
        return [runs.map((run) => new Random(1, run).random()), runs.map((run) => new Random(2, run).normal())]
    }"""
    uniform, normal = map(np.array, modules.evaluate(call))
    assert kstest(uniform, "uniform").pvalue > FALSE_ALARM
    assert kstest(normal, "norm").pvalue > FALSE_ALARM
    assert kstest(1.05 * normal, "norm", alternative="two-sided").statistic > kstest(normal, "norm").statistic


@pytest.mark.parametrize(("n", "p"), [(1, 0.3), (7, 0.999), (50, 0.01), (300_000, 0.4), (299_995, 1e-5)])
def test_binomial_chances_are_exact(modules, n, p):
    call = (
        "async ([xs, n, p]) => { const m = await import('/rng.js'); return xs.map((x) => m.binomialChance(x, n, p)) }"
    )
    xs = sorted({0, n, *(min(n, max(0, round(n * p + d))) for d in (-300, -2, -1, 0, 1, 2, 300))})
    expected = binom.pmf(xs, n, p)
    np.testing.assert_allclose(modules.evaluate(call, [xs, n, p]), expected, rtol=1e-9, atol=1e-300)


def classes(n, p, size):
    """Values grouped such that a sample of this size has twenty and more in each: edges and expected counts."""
    x = np.arange(n + 1) if n < 1000 else np.arange(*binom.interval(1 - 1e-12, n, p)).astype(int)
    cumulative = np.searchsorted(np.linspace(0, size, 21)[1:-1], binom.cdf(x, n, p) * size)
    edges = [x[cumulative == k].max() for k in sorted(set(cumulative))]
    expected = np.diff(binom.cdf(edges[:-1], n, p), prepend=0, append=1) * size
    return edges, expected


def p_value(values, n, p):
    edges, expected = classes(n, p, len(values))
    observed = np.bincount(np.searchsorted(edges[:-1], values, side="left"), minlength=len(expected))
    return chisquare(observed, expected).pvalue


@pytest.mark.parametrize(("n", "p"), [(20, 0.1), (300_000, 1e-5), (300_000, 0.37), (5000, 0.9999)])
def test_binomial_numbers_have_their_law_and_rounded_normal_ones_have_not(modules, n, p):
    """Where the deviation is large a rounded normal number cannot be told from a binomial one by 4000 of them."""
    call = """async ([n, p]) => {
        const { Random } = await import('/rng.js'), random = new Random(3, 4), all = Array.from({ length: 4000 })
        const normal = () => Math.round(n * p + Math.sqrt(n * p * (1 - p)) * random.normal())
        return [all.map(() => random.binomial(n, p)), all.map(() => Math.min(n, Math.max(0, normal())))]
    }"""
    binomial, normal = map(np.array, modules.evaluate(call, [n, p]))
    assert p_value(binomial, n, p) > FALSE_ALARM
    if n * p * (1 - p) < 100:
        assert p_value(normal, n, p) < FALSE_ALARM
