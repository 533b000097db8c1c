import re
from itertools import product

import pytest
from matplotlib.figure import Figure
from stored_rows import edited, filled, rows

import debox
from debox.analysis.old_runs import Panel, Runs
from debox.store.manifest import Manifest
from debox.store.store import Writer


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Three runs of each of two crossovers, F and Cr."""
    cells = product(("bin", "exp"), (0.5, 1.0), (0.1, 0.9))
    parts = [rows(range(3), f"DE/rand/1/{crossover} sat, N=5, F={F}, Cr={Cr}") for crossover, F, Cr in cells]
    study = edited(crossover=["bin", "exp"], F=[0.5, 1.0], Cr=[0.1, 0.9], runs=3)
    return filled(Writer.create(tmp_path_factory.mktemp("runs") / "store", Manifest(study)), *parts)


def colours_of_overview(source):
    ax = debox.plot.overview(source, Figure().add_subplot())
    return [one.get_facecolor().tolist() for one in ax.collections], [text.get_text() for text in ax.texts]


ANALYSES = {
    "factors": lambda source: debox.factors(source.table if isinstance(source, Runs) else source).as_dict(),
    "overview": colours_of_overview,
}
SOURCES = {
    "path": lambda store: store.path,
    "text": lambda store: str(store.path),
    "mapping": lambda store: store.table(),
    "lists": lambda store: {name: column.tolist() for name, column in store.table().items()},
    "pandas": lambda store: store.to_pandas(),
    "polars": lambda store: store.to_polars(),
    "runs": lambda store: Runs.of(store.table()),
}


@pytest.mark.parametrize("name", ANALYSES)
def test_a_store_its_path_frames_and_mappings_are_analysed_alike(store, name):
    expected = ANALYSES[name](store)
    for kind, source in SOURCES.items():
        assert ANALYSES[name](source(store)) == expected, kind


SAT = "DE/rand/1/exp sat, N=5"


@pytest.mark.parametrize("name", ANALYSES)
def test_what_has_no_runs_is_an_error_that_names_the_argument_and_what_is_allowed(name):
    argument = "table" if name == "overview" else "source"
    message = f"{argument} must be a store, its path, a DataFrame or a mapping of columns, got "
    for wrong in (3, None, [], {0.5}, Panel.of(SAT)):
        with pytest.raises(ValueError, match=f"^{re.escape(message + repr(wrong))}$"):
            ANALYSES[name](wrong)
