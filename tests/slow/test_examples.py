"""The notebooks of examples/ are kept with what they show when they run, as the site executes them."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples").glob("*.ipynb"))
RENEW = "run `jupyter execute --inplace examples/*.ipynb`"


def shown(notebook):
    """The text that each cell prints, without the path of its kernel, and how many pictures it shows."""
    outputs = [cell.get("outputs", []) for cell in notebook.cells]
    texts = [re.sub(r"\S+ipykernel_\S+ ", "", "".join(one.get("text", "") for one in cell)) for cell in outputs]
    return list(zip(texts, [sum("image/png" in one.get("data", {}) for one in cell) for cell in outputs], strict=True))


def test_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.mark.filterwarnings("default")  # of what runs notebooks
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_what_it_shows_when_it_runs(path, tmp_path):
    kept = nbformat.read(path, 4)
    notebook = nbformat.read(path, 4)
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert shown(notebook) == shown(kept), RENEW
    assert path.stat().st_size < 300_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_begins_with_its_title_and_no_cell_ended_in_an_error(path):
    notebook = nbformat.read(path, 4)
    assert notebook.cells[0].source.startswith("# ")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)], RENEW
    assert not [output for cell in code for output in cell.outputs if output.output_type == "error"]
