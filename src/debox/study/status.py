"""How far a study is: its store against its plan."""

from __future__ import annotations

import os
from typing import Any

from debox.store import lock
from debox.store.store import open_store
from debox.study.plan import plan


def status_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What `debox status` prints about a store, a directory or a packed file."""
    store = open_store(path)
    study, finished = store.study, store.finished()
    missing = study.not_installed  # without them nothing can be planned: runs are counted as they are
    left = [] if missing else plan(study, finished=finished)
    runs = len(finished) if missing else study.n_runs - sum(chunk.n_runs for chunk in left)
    writers = lock.living_owners(store.path) if store.path.is_dir() else []
    return {
        "study": study.name,
        "runs": runs,
        "of": study.n_runs,
        "seconds_left": None if missing else sum(chunk.seconds for chunk in left),
        "not_installed": [f"{slot} {name}" for slot, name in missing],
        "other_runs": len(finished) - runs,
        "parts": len(store.parts()),
        "bad_parts": [f"{part.name}: {part.reason}" for part in store.bad_parts()],
        "writers": [str(writer) for writer in writers],
    }
