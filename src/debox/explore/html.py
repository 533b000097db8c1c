"""The explorer's page as one HTML file that asks for nothing but itself, under a policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from string import Template
from typing import Any

from debox.analysis.old_runs import Runs, Table
from debox.explore.bundle import bundle, source
from debox.explore.data import pack
from debox.study.study import Study

POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; worker-src blob:; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


def explorer(table: Table, *, study: Study | None = None, where: Mapping[str, Any] | None = None) -> str:
    """The explorer of a table of runs as one self-contained HTML page.

    study: what was planned (`debox.open_store(path).study`)
    where: of several dimensions, budgets, donors, … the one to show: {"dimension": 30}
    """
    packed = pack(Runs.of(table, study, where).require_runs(), study)
    script, worker, style = bundle("main"), bundle("worker"), source("page.css")
    title = f"How often does Differential Evolution leave the box? {packed.header['name']}".rstrip()
    return Template(source("page.html")).substitute(
        policy=POLICY.format(script=policy_hash(script), style=policy_hash(style)),
        title=escape(title),
        style=style,
        header=inert(json.dumps(packed.header, ensure_ascii=False, allow_nan=False)),
        counts=packed.counts,
        worker=inert_script(worker),
        script=inert_script(script),
    )


def policy_hash(text: str) -> str:
    """What a Content-Security-Policy says to allow exactly this inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def inert(json_text: str) -> str:
    """JSON that ends no script element, whatever texts it holds."""
    return json_text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def inert_script(text: str) -> str:
    """A script of ours; an error if it would end its element."""
    if "</script" in text.lower() or "<!--" in text:
        raise ValueError("a module in page/ has a text that ends a script element")
    return text
