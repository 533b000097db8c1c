"""The catalogue as a whole: names, order, texts, and what it does without."""

from commands import run_python
from grid_tables import grid_table

from debox.analysis.old_runs import Runs
from debox.figures.old_catalogue import choose


def names(runs, *patterns):
    return [entry.name for entry in choose(runs, patterns)]


WITHOUT_MATPLOTLIB = """
import sys
sys.modules['matplotlib'] = None
from debox.analysis.old_runs import Runs
from debox.figures.old_catalogue import choose
from debox.figures.data import strategy
strategy.DRAWS = 100  # of densities, to be quick
same = {'mutation': 'rand/1', 'crossover': 'exp', 'strategy': 'saturation', 'N': 5, 'dimension': 3, 'budget': 30}
same |= {'pois': 0.5, 'pois_at_third': 0.5, 'pois_at_two_thirds': 0.5}
table = {name: [value] * 8 for name, value in same.items()} | {'F': [0.5, 0.7] * 4, 'Cr': [0.5, 0.5, 0.9, 0.9] * 2}
runs = Runs.of(table)
for entry in choose(runs):
    assert entry.alt_text(runs) and entry.record(runs)
    print(entry.name)
"""


def test_names_texts_and_records_need_no_matplotlib():
    result = run_python(WITHOUT_MATPLOTLIB)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == names(Runs.of(grid_table()))
