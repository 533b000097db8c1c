"""Notes are added to errors that take them. Whatever the error, another process gets it, or is told what it was."""

import copyreg
import pickle

import pytest

from debox.travel import add_note, portable


class TwoArguments(Exception):
    """Pickles, but does not unpickle: it is made anew from its message alone."""

    def __init__(self, what, where):
        super().__init__(f"{what} at {where}")


class HoldsAFunction(Exception):
    """Does not pickle."""

    def __init__(self, message):
        super().__init__(message)
        self.function = lambda: message


class Silent(Exception):
    """Cannot even be printed."""

    def __init__(self, message):
        self.message = lambda: message

    def __str__(self):
        raise TypeError("no")


def caught(error):
    try:
        raise error
    except Exception as raised:
        return portable(raised)


@pytest.mark.parametrize("error", [ValueError("x"), MemoryError("8 TB"), OSError(28, "No space left"), KeyError("k")])
def test_an_error_that_survives_is_left_alone(error):
    assert caught(error) is error


@pytest.mark.parametrize("error", [TwoArguments("boom", "x"), HoldsAFunction("boom")])
def test_an_error_that_does_not_survive_is_told_with_its_type_message_and_traceback(error, monkeypatch):
    monkeypatch.delitem(copyreg.dispatch_table, type(error), raising=False)  # where Dask is loaded, it helps out
    again = pickle.loads(pickle.dumps(caught(error)))
    assert type(again) is RuntimeError
    first, *rest = str(again).splitlines()
    assert type(error).__name__ in first
    assert "boom" in first
    assert any("in caught" in line for line in rest)


def test_an_error_that_cannot_be_printed_is_named():
    assert "Silent" in str(pickle.loads(pickle.dumps(caught(Silent("x")))))


def test_a_note_is_added_to_an_error_that_takes_notes_and_any_other_stays_as_it_is():
    class NoNotes(Exception):
        def add_note(self, text):
            raise TypeError("no notes, please")

    plain, without = ValueError("wrong"), NoNotes("wrong")
    for error in (plain, without):
        add_note(error, "3 evaluations were done")
    assert plain.__notes__ == ["debox: 3 evaluations were done"]
    assert not hasattr(without, "__notes__")
