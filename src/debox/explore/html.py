"""The explorer's page as one HTML file that asks for nothing but itself, under a policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from debox.analysis.runs import Runs, Source, open_source
from debox.explore.data import ALIKE, pack
from debox.store.store import Store
from debox.study.study import Study

POLICY = (  # wasm-unsafe-eval allows WebAssembly, and no script
    "default-src 'none'; script-src 'wasm-unsafe-eval' {script}; style-src {style}; worker-src blob:; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
IMPORT = re.compile(r'^import [^;]*? from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)


def explorer(source: Source, *, study: Study | None = None, where: Mapping[str, Any] | Iterable[str] = ()) -> str:
    """The explorer of stored runs as one self-contained HTML page.

    source: a store, its path, a DataFrame or a mapping of columns
    study: what was planned; a store knows its own
    where: of several dimensions, budgets, donors, … the one to show: {"dimension": 30}
    """
    content = open_source(source)
    planned = study or (content.study if isinstance(content, Store) else None)
    packed = pack(Runs.of(content, study, where).require_runs().require_one(*ALIKE), planned)
    script, worker, style = bundle("main"), bundle("worker"), read("page.css")
    title = f"How often does Differential Evolution leave the box? {packed.header['name']}".rstrip()
    return Template(read("page.html")).substitute(
        policy=POLICY.format(script=policy_hash(script), style=policy_hash(style)),
        title=escape(title),
        style=style,
        header=inert(json.dumps(packed.header, ensure_ascii=False, allow_nan=False)),
        counts=packed.counts,
        core=read("core.wasm.base64").strip(),
        worker=worker,
        script=script,
    )


def read(name: str) -> str:
    """The text of a file in page/."""
    return files("debox.explore").joinpath("page", name).read_text(encoding="utf-8")


def bundle(entry: str) -> str:
    """A module in page/ and all that it needs as one script: from file:// browsers load no module from another file.

    Imports and the word export are taken away, and all share one scope, in which no name may be declared twice.
    """
    return "\n".join(EXPORT.sub("", IMPORT.sub("", read(f"{name}.js"))) for name in in_order(entry))


def in_order(entry: str) -> list[str]:
    """The names of a module and of all that it needs, each after those that it needs itself."""
    found: list[str] = []

    def visit(name: str) -> None:
        for needed in IMPORT.findall(read(f"{name}.js")):
            if needed not in found:
                visit(needed)
        found.append(name)

    visit(entry)
    return found


def policy_hash(text: str) -> str:
    """What a Content-Security-Policy says to allow exactly this inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def inert(json_text: str) -> str:
    """JSON that ends no script element, whatever texts it holds."""
    return json_text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
