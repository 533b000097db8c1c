import getpass
import json
import os
import platform
import socket
from dataclasses import replace

import pytest

from debox.store.errors import StoreError
from debox.store.manifest import Manifest
from debox.study.study import Study
from debox.version import __version__

GIVEN = {
    "name": "mine", "seed": 7, "engine": "auto", "checkpoints": [0.1], "F": [0.5, 0.1 + 0.2], "donors": "distinct",
    "mutation": "rand/1", "crossover": "bin", "strategy": ["sat", "my-own"], "N": 5, "Cr": 0.9, "dimension": [2, 3],
}  # fmt: skip
STUDY = Study.stored(GIVEN)
MANIFEST = Manifest(STUDY)


def edited(**changes):
    return Study.stored({**GIVEN, **changes})


def test_it_tells_study_versions_platform_and_schema():
    told = json.loads(MANIFEST.to_json())
    usual = {"repair": ["trial"], "adaptation": ["fixed"]}  # said only where it is another one
    assert told["study"] | usual == STUDY.as_dict()
    assert not told["study"].keys() & usual.keys()
    assert told["schema_version"] == 2
    assert told["versions"].keys() - {"numba"} == {"debox", "python", "numpy", "duckdb"}
    assert told["versions"]["debox"] == __version__
    assert told["platform"] == f"{platform.system()} {platform.machine()}"


def test_it_names_no_host_user_or_path():
    text = MANIFEST.to_json()
    assert socket.gethostname() not in text
    assert os.getcwd() not in text
    assert os.path.expanduser("~") not in text
    assert getpass.getuser() not in text.replace(platform.system(), "")


def test_another_schema_version_is_refused_with_both_versions_and_who_wrote_it():
    newer = replace(MANIFEST, schema_version=3, versions={"debox": "9.9"}).to_json()
    with pytest.raises(StoreError, match=r"here has schema version 3, this debox reads version 2.*9\.9"):
        Manifest.from_json(newer, "here")


def test_other_versions_and_platforms_that_write_on_are_noted_once():
    newer = replace(MANIFEST, study=edited(runs=9), versions={**MANIFEST.versions, "numpy": "9.9"})
    elsewhere = replace(MANIFEST, platform="Plan9 vax")
    both = MANIFEST.extend(newer).extend(elsewhere)
    assert (both.versions, both.platform) == (MANIFEST.versions, MANIFEST.platform)
    assert both.also == (
        {"versions": newer.versions, "platform": MANIFEST.platform},
        {"versions": MANIFEST.versions, "platform": "Plan9 vax"},
    )
    assert [maker["platform"] for maker in both.makers()] == [MANIFEST.platform, MANIFEST.platform, "Plan9 vax"]
    assert MANIFEST.extend(newer).study.runs == 9
    for again in (MANIFEST, newer, elsewhere, both):
        assert both.extend(again).also == both.also
    assert Manifest.from_json(both.to_json(), "here") == both
    assert "also" not in json.loads(MANIFEST.to_json())


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (Manifest(edited(name="yours")), r"here holds another study: name 'mine', not 'yours'"),
        (Manifest(edited(seed=8)), r"here holds another study: seed 7, not 8"),
        (Manifest(edited(engine="plain")), r"engine 'auto', not 'plain'; put engine back, or choose another"),
        (Manifest(edited(checkpoints=[])), r"checkpoints \(0.1,\), not \(\); put checkpoints back, or"),
    ],
)
def test_another_study_seed_engine_or_checkpoints_are_refused_with_the_reason(other, reason):
    with pytest.raises(StoreError, match=reason):
        MANIFEST.refuse_other_study(other, "here")


def test_an_edited_study_is_the_same_study():
    MANIFEST.refuse_other_study(Manifest(edited(F=[0.5, 0.9], runs=100)), "here")


GOOD = json.loads(MANIFEST.to_json())
MAKER = {"versions": {"numpy": "1"}, "platform": "x"}
ODD = {
    "no UTF-8": b'{"schema_version": 2, "study": "\xff"}',
    "nothing but deep": b"[" * 100_000,
    "a number of too many digits": json.dumps(GOOD).replace('"mine"', "1" * 5000),
    "a text": '"schema_version"',
    **{f"text {text!r}": text for text in ("null", "", "{", "[]", "{}", '{"schema_version": 2}')},
    **{
        f"{name} = {value!r}": json.dumps({**GOOD, name: value})
        for name, value in [
            ("study", []), ("study", "mine"), ("study", None), ("versions", "1.0"), ("versions", [["debox", "1"]]),
            ("also", 1), ("also", "ab"), ("also", [1]), ("also", [[]]), ("also", [{}]), ("also", {"a": 1}),
            ("also", [{**MAKER, "versions": "1"}]),
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize("what", ODD)
def test_whatever_a_manifest_holds_it_is_read_or_refused(what):
    with pytest.raises(StoreError, match="here holds no manifest of a debox store"):
        Manifest.from_json(ODD[what], "here")


def test_a_manifest_of_an_older_debox_is_read_and_what_it_said_of_its_code_is_dropped():
    older = json.dumps({**GOOD, "source": "1d18543b0dbcbc78 strategy:my-own=0123456789abcdef"})
    assert Manifest.from_json(older, "here") == MANIFEST


def test_the_good_manifest_of_these_tests_is_read():
    """So that none of them is refused for another reason."""
    assert Manifest.from_json(json.dumps({**GOOD, "also": [MAKER]}), "here").also == (MAKER,)


def test_a_manifest_with_half_a_study_is_refused():
    with pytest.raises(StoreError, match=r"here holds no manifest of a debox store \(ValueError: mutation is missing"):
        Manifest.from_json(json.dumps({**GOOD, "study": {"name": "mine"}}), "here")
