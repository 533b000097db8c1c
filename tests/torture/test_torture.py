"""A few attacks of every campaign of `make torture`, and proof that a campaign sees when debox does not withstand."""

import ctypes
import faulthandler
import re
import subprocess

import numpy as np
import pytest
from benchmarks.torture import crafted, flips, victim
from benchmarks.torture.__main__ import BEGIN, CAMPAIGNS, END, PAGE, campaign, failures
from commands import fork_python

import debox

# How many attacks of each: seconds, not minutes. Those on crafted optimizers, which come last, are in
# tests/slow/optimize/test_saved.py.
FEW = {"kills": 1, "flips": 20, "paths": 1, "forks": 1, "namespaces": 1, "crafted": 13, "outputs": 1}
KINDS = {  # that they reach with this seed
    "flips": {"store: part", "store: packed", "store: manifest.json", "saved optimizer"},
    "crafted": {"manifest", "study"},
}


def run_victim_in_fork(*arguments, code=victim.COMMAND):
    """As `victim.run`, without starting Python, for attacks that change nothing in how it starts."""
    process = fork_python(code, *arguments, stdin=subprocess.DEVNULL)
    try:
        _, told = process.communicate(timeout=victim.SECONDS)
    except subprocess.TimeoutExpired:
        raise victim.Failure(f"debox {arguments} hangs") from None
    finally:
        process.kill()
    return victim.judge_end(process.returncode, told, arguments)


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_debox_withstands_a_few_attacks(name, monkeypatch):
    monkeypatch.setattr(flips, "AT_A_TIME", 10)
    monkeypatch.setattr(crafted, "AT_A_TIME", 5)
    if name in ("flips", "outputs"):  # others change how Python starts, or kill it by themselves
        monkeypatch.setattr(victim, "run", run_victim_in_fork)
    attacks, _ = CAMPAIGNS[name]
    counts = campaign(attacks, seconds=600, seed=1, most=FEW[name])
    assert failures(counts) == []
    not_here = any(kind.endswith("not allowed here") for kind, _ in counts)
    assert counts.total() >= FEW[name] or not_here
    assert {kind for kind, _ in counts} >= KINDS.get(name, set())


def test_a_wrong_table_is_a_failure(tmp_path):
    right = victim.undisturbed(tmp_path)
    assert victim.judge_store(tmp_path / "undisturbed", right, "nothing") == victim.RIGHT
    with pytest.raises(victim.Failure, match="another table, and no error"):
        victim.judge_store(tmp_path / "undisturbed", "another content", "nothing")
    table = debox.open_store(tmp_path / "undisturbed").table()
    assert victim.content(table) == right
    table["pois"][3] = np.nextafter(table["pois"][3], 2)
    assert victim.content(table) != right


@pytest.mark.parametrize("end", [(-11, ""), (1, "Traceback (most recent call last):"), (1, ""), (139, "x")])
def test_a_crash_a_traceback_and_silence_are_failures(end):
    with pytest.raises(victim.Failure):
        victim.judge_end(*end, "an attack")


def test_a_message_is_a_clear_error():
    assert victim.judge_end(1, "Error: the store is damaged", "an attack") == victim.REFUSED


def crash():
    faulthandler.disable()  # pytest's would print where
    ctypes.string_at(0)


def test_a_crash_in_a_child_is_a_failure():
    with pytest.raises(victim.Failure, match="crashed"):
        victim.in_child(crash)


def test_a_campaign_counts_what_failed():
    def attacks(folder, rng):
        yield "one", victim.RIGHT
        raise victim.Failure("the second")

    counts = campaign(attacks, seconds=60, seed=1)
    assert counts == {("one", victim.RIGHT): 1, ("FAILED", "the second"): 1}
    assert failures(counts) == ["the second"]


def test_the_page_has_counts_of_every_campaign_and_no_failure():
    page = PAGE.read_text()
    counts = page[page.index(BEGIN) : page.index(END)]
    assert all(f"| {name} |" in counts for name in CAMPAIGNS)
    assert int(re.search(r"\| kills \| merge \| right table \| (\d+) \|", counts)[1]) > 10
    assert "FAILED" not in counts
