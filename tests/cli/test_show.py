"""What a person, and a program, read of a measurement."""

import json
import re

import numpy as np
import pytest

from debox import Config, Measurement
from debox.cli import optimise

POIS = [0.0, 0.1, 0.15, 0.3, 0.95]


def made(pois, seconds=1.25):
    runs = len(pois)
    return Measurement(
        config=Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"),
        n=2,
        budget=1000,
        seed=42,
        engine="fast",
        checkpoints=(0.5,),
        pois=np.array(pois, np.float64),
        pois_at=np.full((runs, 1), 0.25),
        accepted=np.arange(runs),
        best_f=np.full(runs, 0.125),
        best_x=np.zeros((runs, 2)),
        seconds=seconds,
    )


def test_the_text_says_what_was_measured_and_what_came_out():
    text = optimise.as_text(made(POIS))
    assert "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99" in text
    assert "n=2, budget 1000, 5 runs, seed 42, fast engine" in text
    # mean 1.5/5; squares (0.09 + 0.04 + 0.0225 + 0 + 0.4225)/4 = 0.14375 = 0.3791²
    assert re.search(r"mean +0\.3000 +sd 0\.3791", text)
    # the five values stand at 0, 1/4, 1/2, 3/4, 1: 5 % is a fifth of the way from 0 to 0.1, 95 % as far from the end
    assert re.search(r"5% 0\.0200 +25% 0\.1000 +50% 0\.1500 +75% 0\.3000 +95% 0\.8200", text)
    assert re.search(r"range +0\.0000 to 0\.9500", text)
    assert "colour violet" in text
    assert "1.25 s" in text


def histogram_lines(text):
    """interval → (bar, count), in the order of the text"""
    lines = re.findall(r"^ *([\[(]\d\.\d, \d\.\d\]) ?([█▏▎▍▌▋▊▉]*) *(\d*)$", text, re.MULTILINE)
    return {interval: (bar, int(count or 0)) for interval, bar, count in lines}


def test_the_histogram_has_ten_lines_from_1_down_to_0():
    lines = histogram_lines(optimise.as_text(made(POIS)))
    intervals = [f"({k / 10}, {(k + 1) / 10}]" for k in range(9, 0, -1)]
    assert list(lines) == [*intervals, "[0.0, 0.1]"]
    assert [count for _, count in lines.values()] == [1, 0, 0, 0, 0, 0, 0, 1, 1, 2]
    assert sum(count for _, count in lines.values()) == len(POIS)
    # 40 characters for all runs: 16 for two of five, 8 for one
    assert [bar for bar, _ in lines.values()] == ["█" * 8, *[""] * 6, "█" * 8, "█" * 8, "█" * 16]


@pytest.mark.parametrize(
    ("share", "drawn"),
    [
        (0.0, ""),
        (1.0, "█" * 40),
        (0.5, "█" * 20),
        (1 / 40, "█"),
        (1 / 320, "▏"),
        (3 / 80, "█▌"),
        (319 / 320, "█" * 39 + "▉"),
    ],
)
def test_a_bar_is_drawn_to_an_eighth_of_a_character(share, drawn):
    assert optimise.bar(share) == drawn


def test_a_single_run_has_no_spread():
    text = optimise.as_text(made([0.5]))
    assert re.search(r"sd 0\.0000", text)
    assert json.loads(optimise.as_json_text(made([0.5])))["sd"] == 0


def test_no_two_keys_of_the_json_differ_in_capitals_alone():
    """DuckDB, which reads such a file as a table, cannot tell n from N."""
    keys = [key.lower() for key in json.loads(optimise.as_json_text(made(POIS)))]
    assert len(keys) == len(set(keys))


def test_json_holds_the_same_facts():
    m = made(POIS)
    facts = json.loads(optimise.as_json_text(m))
    assert Config(facts["config"]) == m.config
    parts = {name: facts[name] for name in ("mutation", "crossover", "strategy", "N", "F", "Cr", "donors")}
    assert Config(**parts, reevaluate=facts["reevaluate"], frozen=facts["frozen"]) == m.config
    assert [facts[name] for name in ("dimension", "budget", "runs", "seed", "engine")] == [2, 1000, 5, 42, "fast"]
    assert facts["mean"] == pytest.approx(0.3)
    assert facts["sd"] == pytest.approx(0.14375**0.5)
    quantiles = {"0.05": 0.02, "0.25": 0.1, "0.5": 0.15, "0.75": 0.3, "0.95": 0.82}
    assert facts["quantiles"] == pytest.approx(quantiles)
    assert facts["histogram"] == [2, 1, 1, 0, 0, 0, 0, 0, 0, 1]
    assert (facts["colour"], facts["seconds"]) == ("violet", 1.25)
    assert facts["pois"] == POIS
    assert (facts["checkpoints"], facts["pois_at"]) == ([0.5], [[0.25]] * 5)
    assert (facts["accepted"], facts["best_f"]) == ([0, 1, 2, 3, 4], [0.125] * 5)
