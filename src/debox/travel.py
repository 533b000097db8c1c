"""Errors that are sent from one process to another: not all of them can be pickled."""

from __future__ import annotations

import pickle
import traceback


def portable(error: BaseException, where: str = "") -> BaseException:
    """The error, if another process can be given it; else one that can, with its type, message and traceback as text.

    An error that cannot be pickled, or not be unpickled, breaks a pool of processes, which then hides the error.
    `where` is a sentence to put before the text. Raise the result outside the `except` block: else its context is the
    first error, which may be pickled, too.
    """
    try:
        copy = pickle.loads(pickle.dumps(error))
        if type(copy) is type(error) and str(copy) == str(error):
            return error
    except Exception:  # the error's own methods may raise anything
        pass
    story = "".join(traceback.format_exception_only(error) + traceback.format_exception(error)).strip()
    return RuntimeError(f"{where}{story}")
