"""What to cite: BibTeX of debox, of the paper and of operators, and the methods of a stored study in a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from textwrap import fill
from typing import Any

from debox import operators
from debox.config import DEFAULTS, defaults_with, parse
from debox.store.store import Store
from debox.study.plan import plan
from debox.version import RELEASED, __version__, public_address

# The keys in references.bib of the citations in the table of operators.
KEYS = {
    operators.STORN95: "storn1995",
    operators.STORN97: "storn1997",
    operators.BOOK: "price2005",
    operators.INFEASIBLE: "caraffini2019",
    operators.PRICE99: "price1999",
    operators.SADE: "qin2009",
    operators.SCIPY: "virtanen2020",
    operators.CONFINED: "padhye2015",
    operators.JADE: "zhang2009",
    operators.BOUNDS: "biedrzycki2019",
    operators.MODDE: "vermetten2023",
    operators.MINION: "minion2025",
    operators.JDE: "brest2006",
    operators.SHADE: "tanabe2013",
    operators.LSHADE: "tanabe2014",
    operators.PAPER: "kononova2021",
}
DEBOX, PAPER = "debox", KEYS[operators.PAPER]
POLISH = ("hansen2016", "byrd1995")  # of the local search of `minimize`: CMA-ES and L-BFGS-B
Named = tuple[str, str]  # a slot and the name of an operator


@cache
def entries() -> dict[str, str]:
    """BibTeX of debox and of everything in references.bib, by its key."""
    text = files("debox").joinpath("references.bib").read_text(encoding="utf-8")
    found = {re.split("[{,]", entry)[1]: entry.strip() for entry in re.split(r"\n(?=@)", text)}
    fields = {
        "author": "{The debox developers}",
        "title": "debox: {Differential Evolution} with bounds",
        "version": __version__,
        "year": RELEASED[:4],
    }
    if address := public_address("Source"):
        fields["url"] = address
    written = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return {DEBOX: f"@software{{{DEBOX},\n{written}\n}}"} | found


def operators_of(config: str) -> list[Named]:
    """The operators that a configuration or recipe names, and those that it has by default."""
    written = parse(config)
    recipe = operators.find_recipe(written.get("recipe"))
    said = {slot: getattr(recipe, slot) for slot in operators.RECIPE_SLOTS} if recipe else {}
    said |= {slot: operators.find(slot, written[slot]).name for slot in operators.SLOTS if slot in written}
    said.setdefault("adaptation", DEFAULTS["adaptation"])
    said.setdefault("donors", defaults_with(said["adaptation"])["donors"])
    return list(said.items())


def polishes(config: str) -> bool:
    """Whether `minimize` ends this configuration or recipe with a local search by default."""
    recipe = operators.find_recipe(parse(config).get("recipe"))
    return recipe is not None and recipe.polishes


def operators_in(store: Store) -> list[Named]:
    """The operators of a stored study."""
    return [(slot, name) for slot in operators.SLOTS for name in getattr(store.study, slot)]


def bibtex(named: Iterable[Named], polished: bool = False) -> str:
    """BibTeX of debox, of the paper, of these operators and perhaps of `polish`.

    A comment stands for an operator whose source debox does not know.
    """
    keys, comments = [DEBOX, PAPER], []
    for slot, name in named:
        operator = operators.find_or_none(slot, name)
        citation = operator.citation if operator else "not installed"
        if citation in KEYS:
            keys.append(KEYS[citation])
        else:
            comments.append(f"% {slot} {name}: {citation or 'it has no citation'}")
    keys += POLISH if polished else ()
    return "\n\n".join([*(entries()[key] for key in dict.fromkeys(keys)), *dict.fromkeys(comments)])


def methods(store: Store) -> str:
    """What was run, in a paragraph of LaTeX whose citations are those of `bibtex`."""
    study, finished = store.study, store.finished()
    left = [] if study.not_installed else plan(study, finished=finished)
    done = min(len(finished), study.n_runs - sum(chunk.n_runs for chunk in left))
    settings = {
        "mutations": _cited(store, "mutation"),
        "crossovers": _cited(store, "crossover"),
        "strategies for infeasible trials": _cited(store, "strategy"),
        "donor rules": _cited(store, "donors"),
        "population sizes N": _joined(study.values("N")),
        "scale factors F": _joined(study.values("F")),
        "crossover rates Cr": _joined(study.values("Cr")),
        **({} if study.adaptation == ("fixed",) else {"adaptations of F and Cr": _cited(store, "adaptation")}),
        **{name: _joined(study.values(name)) for name in DEFAULTS if _is_unusual(store, name)},
    }
    budgets = [f"n = {n} variables ({study.budget_for(n)} evaluations)" for n in study.dimension]
    some = "" if done == study.n_runs else f", of which {done} are finished"
    shares = [f"{100 * share:.4g}" for share in study.checkpoints]
    noted = f"after {_joined(shares)} % of the evaluations and " if shares else ""
    sentences = [
        f"Differential Evolution was run on f0, a function whose values are independent uniform random numbers, "
        f"as in~\\cite{{{PAPER}}}, with debox~\\cite{{{DEBOX}}}.",
        f"The study \\emph{{{study.name}}} has {study.count_configs()} configurations, which combine these "
        f"{'; '.join(f'{name}: {values}' for name, values in settings.items())}.",
        f"Each was run {study.runs} times on {_joined(budgets)}: {study.n_runs} runs{some}.",
        f"Every run has its own stream of random numbers (SFC64 of NumPy), which follows from the seed of the study "
        f"({study.seed}), the configuration, and the number of the run.",
        f"The proportion of infeasible solutions was noted {noted}at the end.",
        f"The runs were done with {'; and with '.join(_made_by(store))}.",
    ]
    escaped = re.sub("[_%]", r"\\\g<0>", " ".join(sentences))  # of LaTeX
    return fill(escaped, 100, break_long_words=False, break_on_hyphens=False)


def _cited(store: Store, slot: str) -> str:
    """The operators of a slot, each with its citation."""
    found = {name: operators.find_or_none(slot, name) for name in getattr(store.study, slot)}
    keys = {name: KEYS.get(operator.citation, "") if operator else "" for name, operator in found.items()}
    return _joined(f"{name}~\\cite{{{key}}}" if key else name for name, key in keys.items())


def _is_unusual(store: Store, name: str) -> bool:
    """Whether a setting that is not an operator has other values than usual."""
    return name not in operators.SLOTS and list(store.study.values(name)) != [DEFAULTS[name]]


def _made_by(store: Store) -> Iterator[str]:
    """Versions and platform of everything that wrote to the store, in words."""
    manifest = store.manifest
    for maker in ({"versions": manifest.versions, "platform": manifest.platform}, *manifest.also):
        versions = _joined(f"{name} {version}" for name, version in maker["versions"].items())
        yield f"{versions} on {maker['platform']}"


def _joined(values: Iterable[Any]) -> str:
    """``5, 20 and 100``"""
    *first, last = map(str, values)
    return f"{', '.join(first)} and {last}" if first else last
