"""Write the table of docs/operators.md that says the POIS of recipes on f0: python docs/write_recipes.py"""

import numpy as np
from write_table import ROOT, with_table

from debox import measure, operators

PAGE = ROOT / "docs" / "operators.md"
CLASSIC = "DE/rand/1/bin {strategy}, N=100, F=0.5, Cr=0.9"
ROWS = [CLASSIC, *(f"{name} {{strategy}}" for name in operators.RECIPES)]
STRATEGIES = ("saturation", "toroidal", "midpoint-target")
DIMENSIONS = (10, 30)
RUNS = 11


def cell(text: str, n: int) -> str:
    """Median, least and largest POIS of a configuration's runs in n dimensions."""
    pois = measure(text, n=n, budget=10_000 * n, runs=RUNS, engine="plain", workers=1).pois
    return f"{np.median(pois):.2f} ({pois.min():.2f} to {pois.max():.2f})"


def row(text: str) -> str:
    """The cells of one algorithm: every strategy, then every n."""
    name = "DE/rand/1/bin" if text == CLASSIC else text.split()[0]
    cells = [cell(text.format(strategy=strategy), n) for strategy in STRATEGIES for n in DIMENSIONS]
    return f"| {name} | {' | '.join(cells)} |"


def head() -> str:
    """The head of the table."""
    columns = [f"{strategy}, n = {n}" for strategy in STRATEGIES for n in DIMENSIONS]
    return f"| algorithm | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}"


if __name__ == "__main__":
    table = "\n".join([head(), *map(row, ROWS)])
    PAGE.write_text(with_table(PAGE.read_text(), "pois", table))
