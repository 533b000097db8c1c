"""Write the numbers, pictures and pages of docs/ and the files of data/.

python -m reproduction NAME …          compute numbers into data/numbers.json, then fill the pages
python -m reproduction run NAME …      write what it has in data/, runs that are not done yet; after NAME what it takes
python -m reproduction draw NAME …     draw the pictures; after NAME what it takes
python -m reproduction pages           fill the pages only
"""

import sys
from importlib import import_module

from reproduction import numbers, pages

# Each is a module with `numbers()`; with `run(*words)`, `draw()`: those that have runs or pictures.
NAMES = {
    "defaults": "the default of minimize beside other solvers",
    "bound": "data/bound.parquet: POIS on other objective functions; hours",
    "claims": "verdicts on the paper's conclusions",
    "collapse": "why POIS falls at the largest Cr",
    "dimension": "data/dimension.parquet: POIS in several dimensions; runs of five minutes",
    "grid": "F and Cr of classic DE; measures some minutes",
    "walls": "strategies on problems whose minimum is on bounds or not",
    "counts": "data/paper.npz, which wheels carry, from data/paper.parquet",
    "explorer": "docs/explorer.html and pictures of it, README's moving ones too",
    "factors": "how much each factor makes of POIS; takes two minutes",
    "figures": "pictures that are figures of debox, of all pages, or of the names given",
    "findings": "what the paper's study says in short",
    "readings": "other readings of the paper's text; numbers of half an hour, runs of as much",
    "prediction": "how good debox.predict is between the levels of the study",
    "recipes": "POIS of published algorithms on f0; measures some minutes",
    "scaling": "what a run costs; measures half an hour, and writes debox.study.cost",
}


def main(words: list[str]) -> None:
    """Do what the words of the command line say."""
    action, names = (words[0], words[1:]) if words and words[0] in ("run", "draw", "pages") else ("numbers", words)
    chosen = names if action == "numbers" else names[:1]
    unknown = [name for name in chosen if name not in NAMES]
    if "--help" in words or unknown or bool(chosen) == (action == "pages"):
        listed = "\n".join(f"  {name:<12}{what}" for name, what in NAMES.items())
        sys.exit(f"{__doc__}\nNAME is one of\n{listed}" + "".join(f"\n\nno such NAME: {name}" for name in unknown))
    for name in chosen:
        module = import_module(f"reproduction.{name}")
        if not hasattr(module, action):
            sys.exit(f"there is nothing to {action} of {name}")
        if action == "numbers":
            numbers.store(name, module.numbers())
        else:
            getattr(module, action)(*names[1:])
    if action in ("numbers", "pages"):
        pages.write()


if __name__ == "__main__":
    main(sys.argv[1:])
