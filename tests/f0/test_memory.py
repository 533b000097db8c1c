import os

import pytest

from debox.f0 import memory


@pytest.fixture(autouse=True)
def a_gigabyte(monkeypatch):
    monkeypatch.setattr(memory, "physical_memory", lambda: 1e9)


def test_what_fits_passes():
    memory.refuse_more_than_there_is("a run", 10**6, 125)


def test_what_cannot_fit_is_refused_with_the_numbers():
    expected = r"no memory for a run with N = 5 in n = 126000000 dimensions: it takes 5.0 GB or more, .*has 1.0 GB"
    with pytest.raises(MemoryError, match=expected):
        memory.refuse_more_than_there_is("a run with N = 5", 5, 126 * 10**6)


def test_a_machine_that_does_not_say_how_much_it_has_refuses_nothing(monkeypatch):
    def unknown(name):
        raise ValueError("unrecognized configuration name")

    monkeypatch.undo()
    assert 10**8 < memory.physical_memory() < 10**16
    monkeypatch.setattr(os, "sysconf", unknown)
    assert memory.physical_memory() == float("inf")
    memory.refuse_more_than_there_is("a run", 10**300, 10**300)
