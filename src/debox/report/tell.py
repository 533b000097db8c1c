"""From a table of runs to the text of one HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from debox.analysis.old_runs import Runs, Table
from debox.report import html
from debox.report.material import Material
from debox.report.sections import SECTIONS
from debox.study.study import Study

LEAD = (
    "POIS is the proportion of infeasible solutions: of all evaluations of a run, those whose trial had left the box "
    "before it was repaired. The objective is f0, a fresh random number each time, so that what is seen is the "
    "algorithm's own doing."
)


def report(
    table: Table,
    *,
    study: Study | None = None,
    provenance: Mapping[str, str] | None = None,
    where: Mapping[str, Any] | None = None,
) -> str:
    """The report of a table of runs as one self-contained HTML page.

    study: what was planned (`debox.open_store(path).study`)     provenance: what made it, such as {"numpy": "2.0"}
    where: of several dimensions, budgets, donors, … the one to report: {"dimension": 30}
    """
    material = Material(Runs.of(table, study, where).require_runs(), study, provenance or {})
    title = f"How often does DE leave the box? Study {study.name if study else 'without a name'}"
    return html.page(title, LEAD, [(name, write(material)) for name, write in SECTIONS])
