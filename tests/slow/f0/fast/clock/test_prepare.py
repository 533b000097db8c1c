"""What the fast engine prepares for a configuration, what it refuses, and for which configurations code is the same."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from fast_tables import prepared
from operator_lists import FAST_MUTATIONS

from debox import Box, Config, jit, registry
from debox.f0.engines import Fast, choose_engine
from debox.f0.fast import scan
from debox.f0.fast.clock import prepare, smallest_config_with_same_code


def test_the_two_ways_to_count_share_the_points():
    sim, enum = prepared("DE/rand/1/exp sat, N=5, F=0.5, Cr=0.5")
    assert sim.points is enum.points


@pytest.mark.parametrize("n", [1, 30, 32, 33, 70])
@pytest.mark.parametrize("crossover", ["bin", "exp"])
def test_the_words_of_a_trial_are_as_long_as_a_row(n, crossover):
    sim, enum = prepared(f"DE/rand/1/{crossover} sat, N=5, F=0.5, Cr=0.5", n)
    for words in (sim.mask, enum.all_bits):
        assert words.shape == (int(sim.points.width) // 32, scan.BATCH)
        assert np.array_equal(words, scan.all_components(n))  # bin takes all, until exp says otherwise
    assert enum.words.shape == (len(enum.all_bits),)
    assert sim.mask is not enum.all_bits  # which exp writes


def test_every_column_of_a_batch_is_a_parent_before_anything_is_drawn():
    sim, _ = prepared(
        "DE/best/1/bin sat, N=2, F=0.5, Cr=0.5"
    )  # donors that a mutation does not use are read all the same
    assert sim.parents.shape == (7, scan.BATCH)
    assert not sim.parents.any()


@pytest.mark.parametrize(
    "text", ["DE/rand/1/exp sat, N=5, F=0.5, Cr=0.5", "DE/curr-to-best/1/bin sat, N=5, F=0.5, Cr=0.5"]
)
def test_what_two_engines_share_no_run_changes(text):
    """They run in different threads"""

    def arrays(value):
        parts = value if isinstance(value, tuple) else ()
        return [value] if isinstance(value, np.ndarray) else [array for part in parts for array in arrays(part)]

    one, other = (Fast(Config(text), Box.of([(0, 1)] * 3), 5000, np.array([100])) for _ in range(2))
    pairs = product(arrays(one.tables), arrays(other.tables))
    shared = [mine for mine, theirs in pairs if np.shares_memory(mine, theirs)]
    before = [array.copy() for array in shared]
    one.begin(np.random.default_rng(1))
    one.advance(5000)
    assert len(shared) < len(arrays(one.tables))
    assert all(map(np.array_equal, shared, before))


@pytest.fixture
def arithmetic(monkeypatch):
    """A crossover of one's own: one function, one line of the registry"""
    mine = replace(registry.find("crossover", "bin"), name="mine", short="mine", exchanges="")
    monkeypatch.setattr(registry, "OPERATORS", (*registry.OPERATORS, mine))
    return Config("DE/rand/1/mine sat, N=5, F=0.5, Cr=0.5")


def test_a_crossover_without_a_closed_form_is_run_plainly_and_never_taken_for_another(arithmetic):
    assert choose_engine("auto", arithmetic.operators, arithmetic.N, 1000) == "plain"
    with pytest.raises(ValueError, match=r"knows no law of crossover 'mine', .*; use engine='plain'"):
        prepare(arithmetic, 3)


@pytest.mark.parametrize("size", ["N", "n"])
def test_numbers_that_32_bits_do_not_hold_are_refused(size):
    sizes = {"N": 5, "n": 3, size: 2**31}
    with pytest.raises(ValueError, match=f"{size} must be at most 2147483647 for the fast engine, got 2147483648"):
        prepare(Config("DE/rand/1/bin sat", N=sizes["N"], F=0.5, Cr=0.5), sizes["n"])


@pytest.mark.parametrize("mutation", [operator.name for operator in FAST_MUTATIONS])
@pytest.mark.parametrize("donors", ["distinct", "not-parents"])
@pytest.mark.parametrize("F", [0.7, 1.0])  # with F = 1 current-to-best/1 has a term less
@pytest.mark.parametrize("N", [7, 27, 28, 29, 141, 142, 30_000])  # around where there are too many chances for a table
def test_the_smallest_config_is_compiled_to_the_same_code(mutation, donors, F, N, monkeypatch):
    asked = []
    monkeypatch.setattr(jit, "counter", lambda function, *args: asked.append(function))
    names = {"mutation": mutation, "crossover": "bin", "strategy": "dismiss", "donors": donors}
    config = Config(**names, N=N, F=F, Cr=0.3, reevaluate=False)
    prepare(config, 3)
    prepare(smallest_config_with_same_code(config), 1)
    assert len(asked) == 4  # scan, chances
    assert asked[:2] == asked[2:]
    assert smallest_config_with_same_code(config).N <= 20_001
