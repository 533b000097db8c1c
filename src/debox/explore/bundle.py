"""The modules in page/ joined into one script, in the order in which they need each other.

From file:// browsers load no module from another file, so the page holds all of them in one: imports and the word
export are taken away, and all share one scope. A test sees to it that no two modules use the same name.
"""

from __future__ import annotations

import re
from importlib.resources import files

IMPORT = re.compile(r'^import [^;]*? from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)


def source(name: str) -> str:
    """The text of a file in page/."""
    return files("debox.explore").joinpath("page", name).read_text(encoding="utf-8")


def in_order(entry: str) -> list[str]:
    """The names of a module and of all that it needs, each after those that it needs itself."""
    found: list[str] = []

    def visit(name: str) -> None:
        for needed in IMPORT.findall(source(f"{name}.js")):
            if needed not in found:
                visit(needed)
        found.append(name)

    visit(entry)
    return found


def bundle(entry: str) -> str:
    """A module and all that it needs as one script."""
    texts = (source(f"{name}.js") for name in in_order(entry))
    return "\n".join(EXPORT.sub("", IMPORT.sub("", text)) for text in texts)
