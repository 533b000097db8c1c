"""Studies for tables that were made by hand: what a test does not say is as the table has it."""

from debox.study.fields import FACTORS
from debox.study.study import Study

OTHERWISE = {"mutation": "rand/1", "crossover": "exp", "strategy": "saturation", "N": 5, "F": 0.5, "Cr": 0.1}


def planned(table, **given):
    """The study that planned a table; its operators need not be installed."""
    there = {name: sorted(set(table[name].tolist())) for name in FACTORS if name in table and len(table[name])}
    budgets = {"budget": int(table["budget"][0])} if "budget" in table and len(table["budget"]) else {}
    return Study.stored({"name": "made", **OTHERWISE, **there, **budgets, **given})
