"""Errors and warnings on their way to the user: a note is added, a line found; other processes are sent errors."""

from __future__ import annotations

import pickle
import sys
import traceback
import warnings
from contextlib import suppress


def add_note(error: BaseException, text: str) -> None:
    """Add a line to an error; one that takes no notes stays as it is."""
    with suppress(Exception):
        error.add_note(f"debox: {text}")


def warn_user(text: str, category: type[Warning]) -> None:
    """Warn at the line of the user, the first above debox."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and (frame.f_globals.get("__name__", "") + ".").startswith(("debox.", "contextlib.")):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, level)


OF_OPERATOR = "an operator of yours raised this"


def is_of_operator(error: BaseException) -> bool:
    """Whether an operator of a user raised the error in a run, in this process or another one."""
    return f"debox: {OF_OPERATOR}" in getattr(error, "__notes__", ())


def portable(error: BaseException, where: str = "") -> BaseException:
    """The error, if another process can be given it; else one that can, with its type, message and traceback as text.

    Another breaks a pool of processes, which then hides it. `where` is put before the text. Raise the result outside
    the `except` block: else its context is the first error, which may be pickled, too.
    """
    with suppress(Exception):  # the error's own methods may raise anything
        copy = pickle.loads(pickle.dumps(error))
        if type(copy) is type(error) and str(copy) == str(error):
            return error
    story = "".join(traceback.format_exception_only(error) + traceback.format_exception(error)).strip()
    return RuntimeError(f"{where}{story}")
