"""Golden runs: the code of this tree gives what the revision before the C core gave, to the last bit.

The files in tests/golden were made by the compiled kernels of that revision, name every setting, and never change.
(They do not say what is right: in all other tests expectations come from elsewhere.)

    measure.jsonl       runs on f0
    minimize.jsonl      runs of minimize and Optimizer, with their ends
    optimizer*.npz      optimizers that were saved in the midst of a run
    store/, store.jsonl a store that was left half-done; the rows that it must have once the rest is done
    libm.json           a probe of the C library that made them

On a computer whose C library rounds exp, log or tan otherwise, runs that call them need to agree to 1e-12 only: counts
must be the same, digests of whole arrays are not compared. (There an ulp may also turn a comparison, and what follows
is another run: it did so in 1 to 4 of 135 runs when 1 call in 20 was made to be off by an ulp. A few single lines that
fail on such a computer are no fault; a group of them is.)
"""

import json
import math
import re
import shutil
from itertools import groupby

import pytest
from golden_runs import FOLDER, libm, replay, resumed, rows_of

FILES = ("measure.jsonl", "minimize.jsonl")


def lines_of(name):
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


GROUPS = {
    f"{name}: {group}": list(numbered)
    for name in FILES
    for group, numbered in groupby(
        sorted(enumerate(lines_of(name), 1), key=lambda one: (one[1]["group"], one[0])), key=lambda one: one[1]["group"]
    )
}


@pytest.fixture(scope="module")
def same_libm():
    return [libm()] == lines_of("libm.json")


def difference(golden, now, exact=True, where="gives"):
    """Where two results differ, in words; empty if they do not. Not exact: numbers to 1e-12, no digests."""
    if isinstance(golden, dict) and isinstance(now, dict) and golden.keys() == now.keys():
        found = (difference(golden[key], now[key], exact, f"{where}.{key}") for key in golden)
    elif isinstance(golden, list) and isinstance(now, list) and len(golden) == len(now):
        pairs = enumerate(zip(golden, now, strict=True))
        found = (difference(one, other, exact, f"{where}[{k}]") for k, (one, other) in pairs)
    else:
        same = type(golden) is type(now) and (golden == now or (not exact and is_close(golden, now)))
        return "" if same else f"{where} was {golden}, is {now}"
    return next(filter(None, found), "")


def is_close(golden, now):
    if not isinstance(golden, str):
        return False
    if golden.startswith("sha256:") and now.startswith("sha256:"):
        return True
    if not all(re.fullmatch(r"-?0x[\da-f.]+p[+-]\d+", text) for text in (golden, now)):
        return False
    return math.isclose(float.fromhex(golden), float.fromhex(now), rel_tol=1e-12, abs_tol=1e-14)


@pytest.mark.parametrize("group", GROUPS)
def test_a_golden_run_gives_what_it_gave(group, same_libm, tmp_path):
    failed = []
    for number, line in GROUPS[group]:
        exact = same_libm or not line["libm"]
        if differs := difference(line["gives"], replay(line, tmp_path), exact):
            settings = {key: value for key, value in line.items() if key != "gives"}
            failed.append(f"line {number}: {differs}\n    {json.dumps(settings)}")
    assert not failed, "\n".join([f"{len(failed)} of {len(GROUPS[group])} runs differ", *failed])


def test_a_store_that_was_left_half_done_is_completed_to_the_same_rows(same_libm, tmp_path):
    store = shutil.copytree(FOLDER / "store", tmp_path / "store")
    golden = lines_of("store.jsonl")
    now = rows_of(resumed(store))
    assert [row["id"] for row in now] == [row["id"] for row in golden]
    found = [difference(*rows, same_libm, f"row {rows[0]['id']}") for rows in zip(golden, now, strict=True)]
    failed = [differs for differs in found if differs]
    assert not failed, "\n".join(failed)


def test_a_difference_of_one_bit_is_seen():
    golden = {"x": ["0x1.0000000000000p+0"], "nfev": 3, "population": "sha256:0a"}
    one_ulp, far = {**golden, "x": ["0x1.0000000000001p+0"]}, {**golden, "x": ["0x1.0000000100000p+0"]}
    other_digest, other_count = {**golden, "population": "sha256:0b"}, {**golden, "nfev": 4}
    assert difference(golden, golden) == ""
    assert difference(golden, one_ulp) == "gives.x[0] was 0x1.0000000000000p+0, is 0x1.0000000000001p+0"
    assert difference(golden, other_digest)
    assert difference(golden, {**golden, "x": []})
    # on another libm
    assert not difference(golden, one_ulp, exact=False)
    assert not difference(golden, other_digest, exact=False)
    assert difference(golden, other_count, exact=False)
    assert difference(golden, far, exact=False)
