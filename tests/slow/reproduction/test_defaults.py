"""What data/defaults.parquet says of the default, and that its runs come out again."""

import pytest
from reproduction import defaults
from reproduction.numbers import load, plain
from reproduction.problems import problems
from reproduction.runs import Key, read
from reproduction.solvers import CLASSIC, DEFAULT


def rows(problems=1, **errors):
    """Runs on problems of SBOX at 1000 n, whose errors spread by up to 14 % over the seeds."""
    names = {"default": DEFAULT, "classic": CLASSIC, "other": "pycma"}
    return {
        Key("SBOX", f"f{k} Name", 10, 1000, names[name], seed): (error * (1 + seed / 100), 10_000, 0.02)
        for k in range(1, problems + 1)
        for name, error in errors.items()
        for seed in range(15)
    }


def test_the_numbers_are_what_the_committed_runs_say(tmp_path):
    found = defaults.numbers(read("defaults", out=tmp_path))
    assert load()["defaults"] == plain(found), "run `python -m reproduction defaults`"


def test_who_leads_is_counted_and_marked():
    found = defaults.numbers(rows(11, default=1.0, classic=1.01, other=5.0))
    counts = {row["solver"]: row["cells"][10] for row in found["first"]}
    assert counts == {DEFAULT: "11 of 11", CLASSIC: "11 of 11", "pycma": "0 of 11"}
    shown = found["medians"][2]["rows"]
    assert [row["problem"].split()[0] for row in shown] == [f"f{k}" for k in range(1, 12)]  # f10 after f9
    assert shown[1]["errors"] == pytest.approx([1.07, 1.07 * 1.01, 5.35])
    assert shown[1]["first"] == [True, True, False]


@pytest.mark.parametrize(
    ("problems", "default", "other", "won", "rival", "verdict"),
    [
        (24, 1.0, 2.0, 24, 0, "reached"),
        (24, 1.0, 1.0, 24, 24, "reached"),
        (24, 9.0, 2.0, 0, 24, "missed"),
        (23, 1.0, 2.0, 23, 0, "not yet run"),
    ],
)
def test_the_goal_is_reached_missed_or_not_yet_run(problems, default, other, won, rival, verdict):
    goals = defaults.numbers(rows(problems, default=default, other=other))["goals"]
    (one,) = (goal for goal in goals if (goal["suite"], goal["budget"]) == ("SBOX", 1000))
    assert (one["won"], one["rival"], one["verdict"]) == (won, rival, verdict)
    (one,) = (goal for goal in goals if (goal["suite"], goal["budget"]) == ("SBOX", 200))
    assert one["verdict"] == "not yet run"


def test_how_many_runs_are_done_is_counted():
    assert defaults.numbers(rows(24, default=1.0, other=2.0))["done"] == 24 * 15 * 2


def test_where_the_default_is_worse_than_classic_by_more_than_two_is_told():
    *_, classic = defaults.numbers(rows(2, default=1.9, classic=1))["compared"]
    assert (classic["of"], classic["worse"]) == (2, [])
    *_, classic = defaults.numbers(rows(1, default=3.0, classic=1))["compared"]
    assert classic["worse"] == ["f1 Name, n = 10, 1000 n"]


def test_a_solver_that_lacks_a_seed_takes_no_part():
    found = rows(1, default=5.0, other=1.0)
    del found[Key("SBOX", "f1 Name", 10, 1000, "pycma", 14)]
    (errors,) = defaults.contests(found).values()
    assert list(errors) == [DEFAULT]


def test_runs_of_debox_done_again_come_out_as_in_the_file(tmp_path, monkeypatch):
    """Else the default has changed: `python -m reproduction run defaults anew debox`."""
    rows = read("defaults", out=tmp_path)
    plain_python = {name: p._replace(fun=p.fun.py_func) for name, p in problems("tuning").items()}
    monkeypatch.setattr(defaults, "problems", lambda suite: plain_python)
    for n in (10, 20):
        for name in (DEFAULT, CLASSIC):
            for seed in (0, 14):
                key = Key("tuning", "Rastrigin", n, 50, name, seed)
                assert defaults.do(key)[:2] == (pytest.approx(rows[key][0], rel=1e-4), rows[key][1])
