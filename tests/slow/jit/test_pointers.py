"""One compiled loop calls any kernel through its pointer."""

import numpy as np
from counters import Sample, above, below

from debox import jit
from debox.jit import kernel


@kernel
def ask(count, sample, limit):
    return 100 + count(sample, limit)


def test_one_compiled_loop_asks_any_counter():
    sample = Sample(np.array([1.0, 2.0, 3.0, 4.0, 9.0]), 4)
    counters = [jit.counter(function, sample, 2.5) for function in (above, below)]
    for limit, answers in [(2.5, [102, 102]), (1.5, [103, 101]), (4.0, [100, 103])]:
        asks = [jit.bind(ask, count, sample, limit) for count in counters]
        assert asks[0] is asks[1]
        assert [asks[0](count, sample, limit) for count in counters] == answers
        with jit.interpreted():
            assert [jit.bind(ask, f, sample, limit)(f, sample, limit) for f in (above, below)] == answers


@kernel
def many(sample, limit):
    return sample.size << 40


def test_a_counter_may_count_beyond_32_bits():
    call = Sample(np.zeros(1), 3), 2.5
    count = jit.counter(many, *call)
    assert jit.bind(ask, count, *call)(count, *call) == 100 + 3 * 2**40


@kernel
def is_large(sample, limit):
    return sample.size > limit


def test_a_counter_may_answer_yes_or_no():
    sample = Sample(np.zeros(1), 3)
    answer = jit.counter(is_large, sample, 2.5)
    assert [jit.bind(ask, answer, sample, 2.5)(answer, sample, limit) for limit in (2.5, 3.5)] == [101, 100]


def test_a_counter_is_made_once_and_interpreted_it_is_the_function_itself():
    sample = Sample(np.zeros(1), 1)
    assert jit.counter(above, sample, 2.5) is jit.counter(above, sample, 3.5)
    assert jit.counter(above, sample, 2.5) is not above
    with jit.interpreted():
        assert jit.counter(above, sample, 2.5) is above
