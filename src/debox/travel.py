"""Errors on their way from one process to another, which some of them do not survive."""

from __future__ import annotations

import pickle
import traceback


def portable(error: BaseException, where: str = "") -> BaseException:
    """The error, if another process can be given it; else one that can, with its type, message and traceback as text.

    One that does not pickle, or not back, breaks a pool of processes, which then tells of everything but the error.
    `where` is a sentence to put before the text.
    Raise what this gives outside the `except` block: else it has the first error for its context, which may travel too.
    """
    try:
        again = pickle.loads(pickle.dumps(error))
        if type(again) is type(error) and str(again) == str(error):
            return error
    except Exception:  # whatever the error's own methods make of it
        pass
    story = "".join(traceback.format_exception_only(error) + traceback.format_exception(error)).strip()
    return RuntimeError(f"{where}{story}")
