import io
import json
import sys

import pytest

from debox.cli import study as progress

START = {"event": "planned", "study": "mine", "runs": 1000, "of": 5000, "chunks": 7, "seconds": 400.0}
RUNNING = {"event": "running", "runs": 1000, "of": 5000, "workers": 2}


def at(runs):
    done = {"runs": runs, "buffered": 5 * (runs < 5000), "of": 5000, "evaluations": 3e8}
    return {"event": "progress", **done, "seconds": 10.0, "left": 75.0}


SPLIT = {"event": "split", "error": "ValueError: oh", "ids": [f"{k:016x}" for k in range(30)]}
END = {"event": "end", "runs": 5000, "of": 5000, "seconds": 85.0}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.04, "0.0 s"),
        (9.96, "10.0 s"),
        (42.4, "42 s"),
        (61, "1 min 1 s"),
        (3599, "59 min 59 s"),
        (7500, "2 h 5 min"),
        (3 * 86400 + 4 * 3600 + 5, "3 d 4 h"),
    ],
)
def test_a_duration_is_written_for_people(seconds, words):
    assert progress.duration(seconds) == words


def test_without_a_terminal_there_are_few_lines(capsys):
    with progress.reporting(as_json=False) as report:
        for event in (START, RUNNING, *(at(runs) for runs in range(1000, 5001, 10)), SPLIT, END):
            report(event)
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert lines[0] == "mine: 1,000 of 5,000 runs are stored, 6 min 40 s of CPU time to go"
    assert lines[1] == "1,000 of 5,000 runs, 5 to be written, 3e+07 evaluations/s, 1 min 15 s left"
    assert len(lines) == 1 + 9 + 1  # the beginning, the tenths from 2 to 10, the retry
    assert lines[-1].startswith("ValueError: oh (each configuration is tried alone) in runs 0000000000000000, ")
    assert lines[-1].endswith(f"{19:016x}, and 10 more")


def test_json_events_are_lines_on_stdout(capsys):
    with progress.reporting(as_json=True) as report:
        for event in (START, RUNNING, at(2000), END):
            report(event)
    out, err = capsys.readouterr()
    assert err == ""
    assert [json.loads(line) for line in out.splitlines()] == [START, RUNNING, at(2000), END]


def test_a_terminal_shows_a_bar_with_runs_rate_and_time_left(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    with progress.reporting(as_json=False) as report:
        for event in (START, RUNNING, at(2000), SPLIT, {**at(5000), "left": 0.0}, END):
            report(event)
    shown = terminal.getvalue()
    assert "100 %" in shown
    assert "5,000 of 5,000 runs, 3e+07 evaluations/s, 0.0 s left" in shown
    assert "ValueError: oh" in shown


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({**START, "chunks": 0}, "nothing left to do"),
        ({"event": "redone", "runs": 7, "seconds": 2.0}, "repeated 7 of the stored runs in 2.0 s: the same to the bit"),
        ({"event": "waiting", "address": "tcp://host:8786"}, "waiting for workers at tcp://host:8786"),
        ({"event": "bad part", "part": "abc.parquet: cut"}, "damaged, its runs are done again: abc.parquet: cut"),
        ({**SPLIT, "event": "failed", "ids": ["00"]}, "(given up) in runs 00"),
    ],
)
def test_what_happened_is_said_in_words(event, words):
    assert words in progress.describe_event(event)
