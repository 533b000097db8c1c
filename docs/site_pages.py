"""The pages of the site that code writes: the API, the command line, Algorithm 1, notebooks; none is kept in git."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from reproduction.strategy_pictures import picture

import debox
from debox.analysis.contrast import Contrast
from debox.analysis.factors import Factors
from debox.analysis.predict import Prediction
from debox.cli import cli
from debox.operators import in_slot
from debox.optimize.compare import Comparison
from debox.optimize.optimizer import Result
from debox.optimize.variables import Variable
from debox.store.store import Store

ROOT = Path(__file__).parents[1]
RETURNED = {
    "Optimise": [Result, Comparison],
    "Study": [Store, Contrast, Factors, Prediction],
}  # what public functions give

# Where a reader finds each page: below it, in this order. Notebooks follow `start`.
PARTS = {
    "index": ["start", "optimise", "measure", "studies", "paper", "reference", "inside"],
    "optimise": ["walls", "defaults"],
    "studies": ["own-operators", "figures", "explore", "scaling"],
    "paper": ["findings", "claims", "collapse", "readings", "prediction", "factors"],
    "reference": ["api/index", "api/command", "operators"],
    "inside": ["spec", "api/algorithm", "speed", "reliability", "api/contributing", "api/changes"],
    "speed": ["law"],
}

PICTURES_SAY = (
    "In the pictures a trial (cross) left the box above and to the right. A filled dot is what becomes of it; many "
    "dots are draws of a strategy that uses random numbers. The circle is the target, the square the base."
)

# Files of the repository outside this folder that are pages of the site.
IN_SITE = {
    "CHANGELOG.md": "api/changes.md",
    "CONTRIBUTING.md": "api/contributing.md",
    "src/debox/reference.py": "api/algorithm.rst",
}


def groups() -> dict[str, list[str]]:
    """The public names by reader, as `help(debox)` groups them."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in (debox.__doc__ or "").splitlines()[1:]:
        if entry := re.match(r"    (\w.*?)(  |$)", line):
            names += entry[1].split(", ")
        elif re.match(r"\w", line):
            found[line] = names = []
    return {title: names for title, names in found.items() if names}


def titled(title: str, text: str) -> str:
    """A page in reStructuredText."""
    return f"{title}\n{'=' * len(title)}\n\n{text}\n"


def summary(value: object) -> str:
    """The first line of a docstring, without a full stop."""
    return (inspect.getdoc(value) or "").partition("\n")[0].rstrip(".")


def described(path: str, value: Any) -> str:
    """The directives that show the help of a public name."""
    if inspect.ismodule(value):
        functions = "\n".join(f".. autofunction:: {path}.{name}" for name in value.__all__)
        return f".. automodule:: {path}\n\n{functions}"
    if not inspect.isclass(value):
        return f".. autofunction:: {path}"
    names = [name for name in dir(value) if name[0] != "_"]
    inherited = (name for base in value.__mro__ if base.__module__ == "builtins" for name in dir(base))
    hidden = {*getattr(value, "__dataclass_fields__", {}), *inherited}
    names = [name for name in names if name not in hidden and getattr(value, name).__doc__]
    if issubclass(value, Variable):
        names = []  # what `minimize` calls
    members = f"\n   :members: {', '.join(names)}\n   :inherited-members:" if names else ""
    arguments = "()" if path.count(".") > 1 else ""  # only debox makes one
    return f".. autoclass:: {path}{arguments}{members}"


def whence(name: str, path: str) -> str:
    """Of a class that functions return, that it is not a public name, and where it is for annotations."""
    module = path.removesuffix(f".{name}")
    if module == "debox":
        return ""
    return f"Functions return it; there is no ``debox.{name}``. For annotations: ``from {module} import {name}``.\n\n"


def anchor(name: str, path: str, value: Any) -> str:
    """The other path of a name, by which links of sources back to its help may call it."""
    if inspect.ismodule(value):
        return ""
    other = f"{value.__module__}.{name}" if path == f"debox.{name}" else f"debox.{name}"
    return f'.. raw:: html\n\n   <span id="{other}"></span>\n\n'


def api() -> Iterator[tuple[str, str]]:
    """A page for each public name, and one that lists them by reader."""
    sections = []
    for title, names in groups().items():
        listed = {name: (f"debox.{name}", getattr(debox, name)) for name in names}
        listed |= {value.__name__: (f"{value.__module__}.{value.__name__}", value) for value in RETURNED.get(title, [])}
        for name, (path, value) in listed.items():
            yield (
                f"api/{name}.rst",
                titled(name, anchor(name, path, value) + whence(name, path) + described(path, value)),
            )
        rows = [f"   * - :doc:`{name} <{name}>`\n     - {summary(value)}" for name, (_, value) in listed.items()]
        tree = "\n".join(f"   {name}" for name in listed)
        table = ".. list-table::\n   :widths: 25 75\n\n" + "\n".join(rows)
        sections.append(f"{title}\n{'-' * len(title)}\n\n{table}\n\n.. toctree::\n   :hidden:\n\n{tree}\n")
    yield "api/index.rst", titled("API", "\n".join(sections))


def command_help(command: click.Command, name: str, above: click.Context | None = None) -> Iterator[str]:
    """What `--help` prints, of a command and of those below it."""
    context = click.Context(command, parent=above, info_name=name, terminal_width=88, max_content_width=88)
    heading = f"## {name}" if above else ""
    yield f"{heading}\n\n```none\n{command.get_help(context)}\n```"  # lines do not wrap: examples have columns
    for below in getattr(command, "commands", {}).values():
        if not below.hidden:
            yield from command_help(below, f"{name} {below.name}", context)


def notebooks() -> list[str]:
    """Those of the examples, which the site executes and shows."""
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("examples/*.ipynb"))


def below(page: str) -> list[str]:
    """The pages that a reader finds below a page."""
    return PARTS.get(page, []) + ([name.removesuffix(".ipynb") for name in notebooks()] if page == "start" else [])


def pages() -> Iterator[tuple[str, str]]:
    """Name and text of every page that code writes."""
    yield from api()
    yield "api/command.md", "\n\n".join(["# The command `debox`", *command_help(cli, "debox")])
    yield "api/algorithm.rst", titled("Algorithm 1 in Python", ".. literalinclude:: ../../src/debox/reference.py")
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        yield IN_SITE[name], (ROOT / name).read_text().replace("](docs/", "](../")
    for name in notebooks():
        yield name, (ROOT / name).read_text().replace("](../docs/", "](../")


def write(folder: Path) -> None:
    """Write them into the folder of the pages, but for those that have not changed: Sphinx would read them again."""
    made = {folder / name: text for name, text in pages()}
    for path in {*folder.glob("api/*"), *folder.glob("examples/*")} - made.keys():
        path.unlink()
    for path, text in made.items():
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def with_links(text: str) -> str:
    """The text with links to pages that only the site has: files of the repository, public names."""
    for name, page in IN_SITE.items():
        text = text.replace(f"](../{name})", f"]({page})")
    text = text.replace("**The API**", "**[The API](api/index.rst)**")
    text = text.replace("**The command `debox`**", "**[The command `debox`](api/command.md)**")
    text = text.replace("](../examples/", "](examples/")
    text = re.sub(r"\[([^\]]+)\]\(explorer.html\)", r'<a href="explorer.html">\1</a>', text)  # no page, and no download
    text = re.sub(r"^!\[(.*)\]\((.*)-light(.*)\)$", light_and_dark, text, flags=re.MULTILINE)
    blocks = re.split(r"^(```.*?^```)$", text, flags=re.MULTILINE | re.DOTALL)  # code, at odd places, stays
    name = re.compile(rf"(?<!\[)`debox\.({'|'.join(debox.__all__)})`")
    blocks[::2] = [name.sub(r"[`debox.\1`](api/\1.rst)", block) for block in blocks[::2]]
    return "".join(blocks)


def light_and_dark(image: re.Match[str]) -> str:
    """Two pictures, of which the theme shows one."""
    alt, start, end = image.groups()
    return "\n\n".join(
        f"```{{image}} {start}-{scheme}{end}\n:alt: {alt}\n:class: only-{scheme}\n```" for scheme in ("light", "dark")
    )


def with_pictures(text: str) -> str:
    """The page of operators with a picture in each row of the strategies."""
    for strategy in in_slot("strategy"):
        names = ", ".join(dict.fromkeys((strategy.name, strategy.short)))
        text = text.replace(f"\n| {names} |", f"\n| {picture(strategy)} | {names} |")
    return text.replace(
        "| strategy | what it does |\n|---|", f"{PICTURES_SAY}\n\n| picture | strategy | what it does |\n|---|---|"
    )


def read(app: Any, page: str, source: list[str]) -> None:
    """Put into a Markdown page what only the site has: the pages below it, links to pages made of code, pictures."""
    if app.env.doc2path(page).suffix != ".md":
        return
    text = source[0] if page.startswith("api/") else with_links(source[0])
    if page == "operators":
        text = with_pictures(text)
    if pages_below := below(page):
        text += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(pages_below) + "\n```\n"
    source[0] = text
