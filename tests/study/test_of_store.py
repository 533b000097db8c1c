import json

import pytest

import debox
from debox.store.errors import StoreError
from debox.study.of_store import study_of

ODD = {
    "no study": {"name": "tiny"},
    "an unknown key": {"colour": 1},
    "a key of Python's": {"self": 1},
    "a list for a number": {"runs": [1]},
    "an object for a list": {"F": {"a": 1}},
    "an unknown operator": {"strategy": "torodial"},
    "a number for an operator": {"mutation": 5},
    "a list in a list": {"mutation": [["rand/1"]], "N": [[5]]},
    "nothing": {"n": None, "checkpoints": None},
    "a negative n": {"n": -3},
    "a name that leads elsewhere": {"name": "../../x"},
}


@pytest.fixture
def store(tiny, tmp_path):
    """A store with some runs of `tiny`."""
    return debox.run(tiny, tmp_path / "store", only="n=2,F=0.5,strategy=sat,mutation=rand/1")


def describe(store, changes):
    """Write these values into the study of the store's manifest."""
    path = store.path / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["study"] = changes if changes == ODD["no study"] else {**manifest["study"], **changes}
    path.write_text(json.dumps(manifest))
    return debox.open_store(store.path)


def test_the_study_of_a_store_is_the_one_that_was_run(store, tiny):
    assert study_of(store) == tiny


def test_a_manifest_that_describes_no_study_is_a_store_error(store):
    for what, changes in ODD.items():
        with pytest.raises(StoreError, match=r"the manifest of .* describes no study: "):
            print(what, study_of(describe(store, changes)))
