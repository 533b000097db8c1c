"""docs/defaults.md tells what the committed runs say."""

import pytest
from benchmarks.defaults import page
from benchmarks.defaults.grid import PAGE, replace
from benchmarks.defaults.results import Key, Outcome, read
from benchmarks.defaults.solvers import CLASSIC, DEFAULT


def rows(problems=1, **errors):
    """Runs on problems of SBOX at 1000 n, whose errors spread by up to 14 % over the seeds."""
    names = {"default": DEFAULT, "classic": CLASSIC, "other": "pycma"}
    return {
        Key("SBOX", f"f{k} Name", 10, 1000, names[name], seed): Outcome(error * (1 + seed / 100), 10_000, 0.02)
        for k in range(1, problems + 1)
        for name, error in errors.items()
        for seed in range(15)
    }


def test_the_page_is_what_the_committed_runs_say(tmp_path):
    text = PAGE.read_text()
    expected = replace(text, page.BEGIN, page.END, page.part(read(logs=tmp_path)))
    assert text == expected, "run `python -m benchmarks.defaults page`"


def test_who_leads_is_counted_and_bold():
    lines = page.part(rows(11, default=1.0, classic=1.01, other=5.0)).splitlines()
    counts = {line.split(" | ")[0][2:]: line.split(" | ")[11] for line in lines if " of " in line and line[0] == "|"}
    assert counts == {DEFAULT: "11 of 11", CLASSIC: "11 of 11", "pycma": "0 of 11"}
    assert "| f2 Name | 10 | **1.07** | **1.08** | 5.35 |" in lines
    names = [line.split()[1] for line in lines if line.startswith("| f")]
    assert names == [f"f{k}" for k in range(1, 12)]  # f10 after f9


@pytest.mark.parametrize(
    ("problems", "default", "other", "told"),
    [
        (24, 1.0, 2.0, "as pycma: 24 of 24, pycma 0, **reached**"),
        (24, 1.0, 1.0, "as pycma: 24 of 24, pycma 24, **reached**"),
        (24, 9.0, 2.0, "as pycma: 0 of 24, pycma 24, **missed**"),
        (23, 1.0, 2.0, "as pycma: **not yet run**"),
    ],
)
def test_the_goal_is_reached_missed_or_not_yet_run(problems, default, other, told):
    lines = page.part(rows(problems, default=default, other=other)).splitlines()
    (line,) = (line for line in lines if line.startswith("- SBOX, 1000 n"))
    assert line.endswith(f"{told}.")
    (line,) = (line for line in lines if line.startswith("- SBOX, 200 n"))
    assert line.endswith("**not yet run**.")


def test_how_many_runs_are_done_is_said():
    part = page.part(rows(24, default=1.0, other=2.0))
    assert part.startswith("720 of ")  # 24 problems, 15 seeds, 2 solvers
    assert "compared without them" in part


def test_where_the_default_is_worse_than_classic_by_more_than_two_is_told():
    assert "corrected for all 2 problems and budgets that were run): nowhere." in page.part(
        rows(2, default=1.9, classic=1)
    )
    assert "run): f1 Name, n = 10, 1000 n." in page.part(rows(1, default=3.0, classic=1))


def test_a_solver_that_lacks_a_seed_takes_no_part():
    found = rows(1, default=5.0, other=1.0)
    del found[Key("SBOX", "f1 Name", 10, 1000, "pycma", 14)]
    ((errors),) = page.contests(found).values()
    assert list(errors) == [DEFAULT]


def test_marks_that_are_missing_are_named():
    assert replace("a <b> x </b> c", "<b>", "</b>", "y") == "a <b>\ny\n</b> c"
    with pytest.raises(ValueError, match="no part between <i> and </i>"):
        replace("a", "<i>", "</i>", "y")
