"""Random numbers are made again from states they can be in, and from no others."""

import copy

import numpy as np
import pytest

from debox.optimize.archive import WrongContent
from debox.optimize.generators import BIT_GENERATORS, generator


def state_of(name, draws=5):
    """As JSON has it: lists, no arrays."""
    rng = np.random.Generator(getattr(np.random, name)(7))
    rng.integers(9, size=draws, dtype=np.uint32)
    state = rng.bit_generator.state
    return {key: plain(value) for key, value in state.items()}, rng


def plain(value):
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


def places(state, path=()):
    """The paths of all numbers and lists in a state."""
    for key, value in state.items() if isinstance(state, dict) else enumerate(state):
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))
        yield (*path, key)


def with_value(state, path, value):
    changed = copy.deepcopy(state)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize("draws", [0, 5, 700])
@pytest.mark.parametrize("name", BIT_GENERATORS)
def test_a_generator_goes_on_where_it_was(name, draws):
    state, rng = state_of(name, draws)
    assert generator(state).random(1000).tolist() == rng.random(1000).tolist()


@pytest.mark.parametrize("name", BIT_GENERATORS)
@pytest.mark.parametrize("value", [-1, 2**128, 0.5, True, None, "0", [], [0], {}], ids=repr)
def test_a_state_with_anything_else_in_it_is_an_error(name, value):
    state, _ = state_of(name)
    paths = list(places(state))
    for path in paths[:20] + paths[-20:]:  # a Mersenne twister has 624 alike
        with pytest.raises(WrongContent):
            generator(with_value(state, path, value))


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("MT19937", ("state", "pos"), 625),
        ("MT19937", ("state", "key", 3), 2**32),
        ("MT19937", ("state", "key"), [1] * 623),
        ("MT19937", ("state", "key"), [1] * 625),
        ("Philox", ("buffer_pos",), 5),
        ("Philox", ("buffer",), [1] * 5),
        ("SFC64", ("state", "state", 0), 2**64),
        ("PCG64", ("uinteger",), 2**32),
        ("PCG64", ("has_uint32",), 2),
        ("PCG64", ("bit_generator",), "MT19937"),
        ("PCG64", ("more",), 0),
    ],
)
def test_a_number_beyond_its_range_is_an_error(name, path, value):
    state, _ = state_of(name)
    with pytest.raises(WrongContent, match="has its numbers, in their range"):
        generator(with_value(state, path, value))


@pytest.mark.parametrize(
    "name", ["test", "Generator", "RandomState", "BitGenerator", "default_rng", "seed", "", 5, None, []]
)
def test_no_other_name_of_numpy_random_is_called(name):
    with pytest.raises(WrongContent, match=r"its bit generator is one of PCG64, PCG64DXSM, MT19937, Philox, SFC64$"):
        generator(state_of("PCG64")[0] | {"bit_generator": name})
    with pytest.raises(WrongContent, match="its bit generator is one of"):
        generator(name)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("MT19937", ("state", "key"), [0] * 624),
        ("MT19937", ("state", "key"), [2**31 - 1] + [0] * 623),
        ("PCG64", ("state",), {"state": 0, "inc": 0}),
        ("PCG64DXSM", ("state", "inc"), 2),
    ],
)
def test_a_state_that_draws_zeros_for_ever_is_an_error(name, path, value):
    with pytest.raises(WrongContent, match="is one it can reach"):
        generator(with_value(state_of(name)[0], path, value))
