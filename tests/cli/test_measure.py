"""debox measure: what it measures is what the library does; what a person, and a program, read of it."""

import json
import re

import numpy as np
import pytest
from commands import invoke, run_main

import debox
from debox import Config, Measurement, loop
from debox.cli import optimise

MEASURE = ["measure", "DE/rand/1/exp sat", "-N", "5", "-F", "0.7", "--cr", "0.99"]
SHORT = ["--runs", "12", "--n", "3", "--budget", "400"]


def facts_of(*arguments):
    result = invoke(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_without_the_core_measure_says_how_to_get_it_and_not_a_traceback(monkeypatch, capsys):
    monkeypatch.setattr(loop, "_core", None)
    assert run_main(monkeypatch, *MEASURE, *SHORT) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: the fast engine needs it: the C core of debox is not installed")
    assert err.endswith("; or use engine='plain', far slower\n")


@pytest.mark.parametrize("engine", ["fast", "plain"])
def test_json_is_what_the_library_measures(engine):
    facts = facts_of(*MEASURE, *SHORT, "--seed", "7", "--engine", engine, "--donors", "not-target", "--workers", "2")
    text = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99, donors=not-target"
    m = debox.measure(text, runs=12, n=3, budget=400, rng=7, engine=engine)
    assert facts["config"] == text
    assert facts["pois"] == m.pois.tolist()
    assert facts["pois_at"] == m.pois_at.tolist()
    assert facts["accepted"] == m.accepted.tolist()
    assert facts["best_f"] == m.best_f.tolist()
    assert [facts[name] for name in ("seed", "dimension", "budget", "runs", "engine")] == [7, 3, 400, 12, engine]


def test_a_configuration_is_written_whole_or_with_options_by_the_symbols_of_the_library():
    text = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"
    whole = facts_of("measure", text, *SHORT)
    assert whole["pois"] == debox.measure(text, runs=12, n=3, budget=400).pois.tolist()  # the seed, too, is the usual
    for size in (["--n", "3"], ["-n", "3"], ["--dimension", "3"]):
        parts = ["measure", MEASURE[1], "-N", "5", "-F", "0.7", "--Cr", "0.99", *size, *SHORT[:2], *SHORT[4:]]
        assert facts_of(*parts) | {"seconds": 0} == whole | {"seconds": 0}


@pytest.mark.parametrize(("written", "budget"), [("1e3", 1000), ("1200", 1200), ("1.5e3", 1500)])
def test_a_budget_may_be_written_with_an_exponent(written, budget):
    facts = facts_of(*MEASURE, "--runs", "1e0", "--budget", written)
    assert (facts["budget"], facts["runs"]) == (budget, 1)


def test_the_two_readings_of_the_text_are_options():
    dismiss = ["measure", "DE/rand/1/exp dism", *MEASURE[2:], *SHORT]
    assert facts_of(*dismiss)["config"] == "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.99"
    facts = facts_of(*dismiss, "--no-reevaluate", "--frozen")
    assert facts["config"] == "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.99, reevaluate=False, frozen=True"
    assert facts["accepted"] == [0] * 12


def test_a_seed_of_any_size_is_a_seed():
    facts = facts_of(*MEASURE, *SHORT, "--seed", str(10**40))
    assert facts["seed"] == 10**40
    assert facts["pois"] != facts_of(*MEASURE, *SHORT)["pois"]


def test_a_recipe_needs_nothing_else_and_its_parts_are_options(monkeypatch):
    """No run is done: the configuration is what counts."""
    asked = []
    monkeypatch.setattr(debox, "measure", lambda config, **_: asked.append(config) or 1 / 0)
    jDE = ["DE/rand/1/bin sat", "-N", "9", "--adaptation", "jDE"]
    for given in (["L-SHADE midpoint-target"], jDE, ["JADE", "-F", "1"]):
        invoke("measure", *given, "-n", "2")
    assert [config.N for config in asked] == [36, 9, 30]
    assert [config.adaptation for config in asked] == ["L-SHADE", "jDE", "JADE"]
    assert [config.F for config in asked] == [0.5, 0.5, 1.0]


SIZES = ["-N", "5", "-F", "0.7", "--cr", "0.99"]
WRONG = [
    ([*MEASURE, "--runs", "0"], "runs must be an integer ≥ 1, got 0"),
    ([*MEASURE, "--runs", "many"], "Invalid value for '--runs': 'many' is not a whole number"),
    ([*MEASURE, "--n", "0"], "n must be an integer ≥ 1, got 0"),
    ([*MEASURE, "--budget", "4"], "budget must"),
    ([*MEASURE, "--seed", "-1"], "-1 is not in the range"),
    ([*MEASURE, "--engine", "quick"], "engine must be one of auto, plain, fast, got 'quick'"),
    ([*MEASURE, "--workers", "0"], "workers must be an integer ≥ 1 or -1 for all cores, got 0"),
    ([*MEASURE, "--workers", "1000000"], "workers must be an integer ≤ 1024, got 1000000"),
    ([*MEASURE, "--runs", "1000000000000"], "runs must be an integer ≤ 10000000, got 1000000000000"),
    ([*MEASURE, "--budget", str(2**63)], f"budget must be at most {2**60} evaluations, got {2**63}"),
    ([*MEASURE, "--n", str(2**63)], "n must be an integer ≤"),
    ([*MEASURE, "--donors", "anyone"], "unknown donors 'anyone'; choose from"),
    (["measure", "DE/rand/1/exp saturn", *SIZES], "unknown strategy 'saturn'"),
    (["measure", "DE/rand/1/exp sat", "-N", "2", *SIZES[2:]], "N must"),
    (["measure", "DE/rand/1/exp sat", "-N", "5", "-F", "2.1", "--cr", "0.5"], "F must"),
    (["measure", "DE/rand/1/exp sat", "-N", "5", "-F", "0.7", "--cr", "nan"], "Cr must"),
    (["measure", "DE/rand/1/exp sat, N=6", *SIZES], "N is given twice"),
    (["measure", "DE/rand/1/exp sat"], "missing: N, F, Cr; for example 'DE/rand/1/bin sat, N=20"),
    (["measure", "DE/rand/1/exp sat, F=0.7", "-N", "5"], "missing: Cr;"),
    (["measure", "DE/rand/1/exp", *SIZES], "missing: strategy"),
    (["measure", "DE/rand/1/exp sat, frozen=True", *SIZES, "--frozen"], "frozen is given twice"),
    (["measure", "LSHADE"], "did you mean 'L-SHADE'?"),
    (["measure"], "Missing argument 'CONFIG'"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_what_is_wrong_is_named_and_ends_with_2(arguments, message):
    result = invoke(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_what_no_memory_holds_ends_with_1_and_the_numbers():
    result = invoke(*MEASURE, "-n", "1000000000000000")
    assert (result.exit_code, "Unable to allocate" in result.stderr) == (1, True)


# What a person, and a program, read.

POIS = [0.0, 0.1, 0.15, 0.3, 0.95]


def made(pois, seconds=1.25):
    runs = len(pois)
    asked = {"n": 2, "budget": 1000, "seed": 42, "engine": "fast", "checkpoints": (0.5,), "seconds": seconds}
    found = {"pois": np.array(pois, np.float64), "pois_at": np.full((runs, 1), 0.25), "accepted": np.arange(runs)}
    best = {"best_f": np.full(runs, 0.125), "best_x": np.zeros((runs, 2))}
    return Measurement(config=Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"), **asked, **found, **best)


def test_the_text_says_what_was_measured_and_what_came_out():
    text = optimise.as_text(made(POIS))
    assert "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99" in text
    assert "n=2, budget 1000, 5 runs, seed 42, fast engine" in text
    # mean 1.5/5; squares (0.09 + 0.04 + 0.0225 + 0 + 0.4225)/4 = 0.14375 = 0.3791²
    assert re.search(r"mean +0\.3000 +sd 0\.3791", text)
    # the five values stand at 0, 1/4, 1/2, 3/4, 1: 5 % is a fifth of the way from 0 to 0.1, 95 % as far from the end
    assert re.search(r"5% 0\.0200 +25% 0\.1000 +50% 0\.1500 +75% 0\.3000 +95% 0\.8200", text)
    assert re.search(r"range +0\.0000 to 0\.9500", text)
    assert text.endswith("colour violet, 1.25 s of computing")


def test_the_histogram_has_ten_lines_from_1_down_to_0():
    lines = re.findall(r"^ *([\[(]\d\.\d, \d\.\d\]) ?([█▏▎▍▌▋▊▉]*) *(\d*)$", optimise.as_text(made(POIS)), re.MULTILINE)
    intervals = [f"({k / 10}, {(k + 1) / 10}]" for k in range(9, 0, -1)]
    assert [interval for interval, _, _ in lines] == [*intervals, "[0.0, 0.1]"]
    assert [count for _, _, count in lines] == ["1", *[""] * 6, "1", "1", "2"]
    # 40 characters for all runs: 16 for two of five, 8 for one
    assert [bar for _, bar, _ in lines] == ["█" * 8, *[""] * 6, "█" * 8, "█" * 8, "█" * 16]


@pytest.mark.parametrize(
    ("share", "drawn"),
    [(0.0, ""), (1.0, "█" * 40), (1 / 40, "█"), (1 / 320, "▏"), (3 / 80, "█▌"), (319 / 320, "█" * 39 + "▉")],
)
def test_a_bar_is_drawn_to_an_eighth_of_a_character(share, drawn):
    assert optimise.bar(share) == drawn


def test_a_single_run_has_no_spread():
    assert "sd 0.0000" in optimise.as_text(made([0.5]))
    assert json.loads(optimise.as_json_text(made([0.5])))["sd"] == 0


def test_json_holds_the_same_facts():
    m = made(POIS)
    facts = json.loads(optimise.as_json_text(m))
    assert len({key.lower() for key in facts}) == len(facts)  # DuckDB cannot tell n from N
    parts = {name: facts[name] for name in ("mutation", "crossover", "strategy", "N", "F", "Cr", "donors")}
    assert (
        Config(facts["config"]) == Config(**parts, reevaluate=facts["reevaluate"], frozen=facts["frozen"]) == m.config
    )
    assert [facts[name] for name in ("dimension", "budget", "runs", "seed", "engine")] == [2, 1000, 5, 42, "fast"]
    assert (facts["mean"], facts["sd"]) == pytest.approx((0.3, 0.14375**0.5))
    quantiles = {"0.05": 0.02, "0.25": 0.1, "0.5": 0.15, "0.75": 0.3, "0.95": 0.82}
    assert facts["quantiles"] == pytest.approx(quantiles)
    assert facts["histogram"] == [2, 1, 1, 0, 0, 0, 0, 0, 0, 1]
    assert (facts["colour"], facts["seconds"], facts["pois"]) == ("violet", 1.25, POIS)
    assert (facts["checkpoints"], facts["pois_at"]) == ([0.5], [[0.25]] * 5)
    assert (facts["accepted"], facts["best_f"]) == ([0, 1, 2, 3, 4], [0.125] * 5)
