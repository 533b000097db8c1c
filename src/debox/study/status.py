"""How far a study is: its store against its plan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from debox.store import parts
from debox.store.store import open_store
from debox.study.plan import plan
from debox.study.study import Study


def status_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What `debox status` prints about a store, a directory or a packed file."""
    store = open_store(path)
    study, finished = store.study, store.finished()
    missing = study.not_installed  # without them nothing can be planned: runs are counted as they are
    left = [] if missing else plan(study, finished=finished)
    runs = len(finished) if missing else study.n_runs - sum(chunk.n_runs for chunk in left)
    bad = store.bad_parts()
    rows = store.table(["strategy", "reevaluate"]) if missing and not bad else {}
    return {
        "study": study.name,
        "runs": runs,
        "of": count_planned(study, rows),
        "seconds_left": None if missing else sum(chunk.seconds for chunk in left),
        "not_installed": [f"{slot} {name}" for slot, name in missing],
        "changed_operators": store.manifest.changed_operators(),
        "other_runs": len(finished) - runs,
        "parts": len(store.parts()),
        "bad_parts": [f"{part.name}: {part.reason}" for part in bad],
        "writers": parts.writers(store.path),
    }


def count_planned(study: Study, rows: Mapping[str, NDArray[Any]]) -> int:
    """How many runs the study asks for, its operators being installed or not; `rows` are those stored.

    A strategy that is not installed is taken to dismiss trials unless its rows show that it does not: Config stores
    reevaluate = True for all that do not, so that none of their runs has False.
    """
    stored = set(zip(rows["strategy"], rows["reevaluate"].tolist(), strict=True)) if rows else set()
    missing = [name for slot, name in study.not_installed if slot == "strategy"]
    plain = [name for name in missing if (name, True) in stored and (name, False) not in stored]
    if not plain or len(study.reevaluate) == 1:
        return study.n_runs
    return study.n_runs - Study.stored({**study.as_dict(), "strategy": plain}).n_runs // 2  # those with False
