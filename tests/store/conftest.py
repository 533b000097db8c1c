"""Stores of runs that were never run."""

import pytest
from stored_rows import MANIFEST

from debox.store.store import Store


@pytest.fixture
def store(tmp_path):
    """A store without runs."""
    return Store.create(tmp_path / "store", MANIFEST)
