"""A few attacks of `make torture`, and proof that a campaign sees when debox does not withstand one."""

import os
import time

import pytest
from benchmarks import torture
from benchmarks.torture import REFUSED, RIGHT, Child, Failure, campaign, program
from benchmarks.torture.__main__ import BEGIN, CAMPAIGNS, END, PAGE
from benchmarks.torture.damage import flips, paths
from benchmarks.torture.kills import checkpoints


@pytest.mark.parametrize("attacks", [checkpoints, flips, paths])
def test_debox_withstands_an_attack(attacks):
    """Kills, full disks, several writers and forks are in tests/slow/test_accidents.py, clusters in slow/study."""
    counts, failure = campaign(attacks, seconds=0, seed=1)
    assert failure == ""
    assert counts.total() >= 1
    assert Child.living == []


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import ctypes; ctypes.string_at(0)", "ends with -11"),
        ("import os; os._exit(1)", "silence"),
        ("1 / 0", "Traceback"),
        ("import sys; print('killed', file=sys.stderr); sys.exit(137)", "ends with 137: killed"),
    ],
)
def test_a_crash_silence_a_traceback_and_an_odd_end_are_failures(code, why, tmp_path):
    with pytest.raises(Failure, match=why):
        program(tmp_path, "-c", code).end()


def test_a_message_is_a_clear_error_and_an_end_without_one_is_right(tmp_path):
    assert program(tmp_path, "-c", "raise SystemExit('Error: the store is damaged')").end() == REFUSED
    assert program(tmp_path, "-c", "").end() == RIGHT


def test_a_hang_is_a_failure_and_what_the_child_started_is_ended_with_it(tmp_path):
    ours, theirs = os.pipe()

    def start_another_and_hang():
        if os.fork() == 0:
            os.write(theirs, b"begun")
        time.sleep(100)

    child = Child(tmp_path, start_another_and_hang)
    os.close(theirs)
    assert os.read(ours, 5) == b"begun"
    with pytest.raises(Failure, match="hangs"):
        child.result(seconds=0)
    assert os.read(ours, 1) == b""  # nobody is left who could write
    os.close(ours)


def test_an_exception_in_a_child_and_a_wrong_table_are_failures_that_a_campaign_names(tmp_path):
    def attacks(folder, rng):
        _, right = torture.victim(folder)
        store = folder / "undisturbed"
        yield [("one", torture.judge(store, right, "nothing"))]
        yield [("two", torture.try_to(torture.judge, folder / "nowhere", right, "no store"))]
        wrong = dict(right)
        wrong[min(wrong)] = wrong[min(wrong)].replace("1", "2", 1)
        Child(folder, torture.judge, store, wrong, "a changed row").result()

    counts, failure = campaign(attacks, seconds=60, seed=1)
    assert counts == {("one", RIGHT): 1, ("two", REFUSED): 1}
    assert "a changed row: another table, and no error" in failure


def test_the_page_has_counts_of_every_campaign():
    page = PAGE.read_text()
    counts = page[page.index(BEGIN) : page.index(END)]
    for attacks in CAMPAIGNS:
        assert f"| {attacks.__name__.replace('_', ' ')}: " in counts
