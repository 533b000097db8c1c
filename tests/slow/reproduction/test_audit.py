"""Numbers of the pages are computed twice: by debox, and by SQL and NumPy alone."""

import ast
import copy
import sys
from pathlib import Path

import pytest
from reproduction import audit, numbers


@pytest.fixture(scope="module")
def stored():
    return numbers.load()


def test_numbers_computed_again_with_other_code_are_those_that_are_stored(stored):
    done, wrong = audit.compare(stored)
    assert done >= 60
    assert wrong == []


def test_each_altered_number_is_found(stored):
    """All at once, by ten times the tolerance; places that are asked for twice are altered twice."""
    altered, again = copy.deepcopy(stored), list(audit.computed())
    for place, _ in again:
        row = audit.at(altered, place[:-1])
        key = place[-1] if isinstance(row, dict) else int(place[-1])
        row[key] = f"{row[key]}." if isinstance(row[key], str) else row[key] * (1 + 1e-5) + 1e-8
    assert len(audit.compare(altered)[1]) == len(again)


def test_the_audit_imports_nothing_of_debox():
    tree = ast.parse(Path(audit.__file__).read_text("utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imported} - set(sys.stdlib_module_names) == {"duckdb", "numpy"}
