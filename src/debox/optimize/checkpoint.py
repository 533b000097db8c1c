"""A run that is saved while it goes on, so that the same call resumes it after a kill."""

from __future__ import annotations

import reprlib
from os import PathLike
from time import monotonic
from typing import Any, Literal

import numpy as np

from debox import files
from debox.optimize.objective import Evaluate
from debox.optimize.optimizer import Optimizer
from debox.optimize.saved import settings_of

SECONDS = 60.0  # between two saves
TOLERANCE = 1e-9, 1e-12  # of f and of the largest |f| so far: a generation may be rounded otherwise than one point


class Checkpoint:
    """The file of a run; entered, it saves the run at the beginning, at the end, and when called after a minute."""

    def __init__(self, path: str | PathLike[str], fresh: Optimizer) -> None:
        """`fresh` is the run as it would begin; `optimizer` is that or, if there is a file, the one saved there."""
        self.path = files.absolute(path, "checkpoint")
        self.is_resumed = self.path.exists() and (not self.path.is_file() or self.path.stat().st_size > 0)
        self.optimizer = Optimizer.load(self.path) if self.is_resumed else fresh
        self.was_done = self.optimizer.done
        theirs, ours = settings_of(self.optimizer), settings_of(fresh)
        differ = [
            f"{name} is {reprlib.repr(theirs[name])} there and {reprlib.repr(ours[name])} here"
            for name in ours
            if ours[name] != theirs[name]
        ]
        if differ:
            what = "give the same settings, another checkpoint, or delete the file"
            raise ValueError(f"checkpoint {str(self.path)!r} holds another run: {'; '.join(differ)}; {what}")

    def check_objective(self, evaluate: Evaluate) -> None:
        """Require the value of the best point in the file, unless the objective is noisy; nothing is counted."""
        loop = self.optimizer._loop
        best = loop.run.best
        saved = float(loop.f[best])
        if not self.is_resumed or not self.optimizer.nfev or not np.isfinite(saved):
            return
        x = self.optimizer.space.decode(loop.P[best : best + 1])
        known = np.concatenate([loop.f, loop.best_at])
        largest = np.abs(known[np.isfinite(known)]).max()
        now = float(evaluate(x)[0])
        if abs(now - saved) <= TOLERANCE[0] * abs(saved) + TOLERANCE[1] * largest:
            return
        again = float(evaluate(x)[0])
        if now == again or (np.isnan(now) and np.isnan(again)):
            found = f"fun gives {now:.9g} at the best point of checkpoint {str(self.path)!r}"
            what = "it holds a run of another fun; give another checkpoint, or delete the file"
            raise ValueError(f"{found}, which has {saved:.9g} there: {what}")

    def __enter__(self) -> None:
        if not self.is_resumed:
            self.save()
        self.saved_at = monotonic()

    def __exit__(self, *error: Any) -> Literal[False]:
        if not self.was_done:
            self.save()
        return False

    def __call__(self) -> None:
        """Save the run if that is due."""
        if monotonic() - self.saved_at >= SECONDS:
            self.save()
            self.saved_at = monotonic()

    def save(self) -> None:
        self.optimizer.save(self.path)
