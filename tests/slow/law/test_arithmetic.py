"""A core with a tolerance leaves alone what lies further out; stored runs of all readings come out again."""

import json
import subprocess
from pathlib import Path

import duckdb
import numpy as np
import pytest
from benchmarks import variants
from reproduction import readings

import debox
from debox import _core
from debox.operators import find

DATA = Path(__file__).parents[3] / "data"
TOLERANCE = 4 * np.spacing(1.0)

# With x, x and x − d the mutants of rand/1 with F = 1 are x ± d and x: the trials of the plain engine, and how many
# of 3000 the fast engine counts.
LOOK = """
import json, sys
import numpy as np
from debox import Box, Config
from debox.f0.engines import Fast
from debox.loop import Loop
from debox.reference import INFEASIBLE
config = Config("DE/rand/1/bin saturation, N=3, F=1, Cr=1, frozen=True")
rng = np.random.default_rng(1)
for low, high, points in json.loads(sys.argv[1]):
    P, no_marks = np.array(points)[:, None], np.empty(0, np.int64)
    loop, trials = Loop(config, Box.of([(low, high)]), budget=3000, rng=rng, P=P, marks=no_marks), set()
    loop.run.generations = 0
    for _ in range(50):
        loop.run.trials = 0
        loop.propose()
        trials |= {(x.hex(), bool(out)) for [x], out in zip(loop.U.tolist(), loop.infeasible, strict=True)}
    counted = None
    if (low, high) == (0, 1):
        engine = Fast(config, Box.unit(1), 3000, no_marks)
        engine.begin(rng)
        engine.P[:] = P
        engine.advance(3000)
        counted = int(engine.counts[INFEASIBLE])
    print(json.dumps([sorted(trials), counted]))
"""
CASES = {  # low, high, three points; is x ± d then beyond the tolerance?
    "at 0, by the tolerance": (0, 1, [0.0, 0.0, TOLERANCE], False),
    "at 0, by more": (0, 1, [0.0, 0.0, 1.01 * TOLERANCE], True),
    "at 1, by the tolerance": (0, 1, [1.0, 1.0, 1.0 - TOLERANCE], False),
    "at 1, by more": (0, 1, [1.0, 1.0, 1.0 - 1.25 * TOLERANCE], True),
    "at 10 of a box 20 wide, by less than 20 times as much": (-10, 10, [10.0, 10.0, 10.0 - 18 * TOLERANCE], False),
    "at 10 of a box 20 wide, by more": (-10, 10, [10.0, 10.0, 10.0 - 22 * TOLERANCE], True),
}


@pytest.mark.parametrize("name", ["as written", "tolerance"])
def test_what_is_nearly_on_a_bound_is_put_on_it_and_counts_as_inside(name):
    """Of six mutants two, x + d where x is a bound, lie outside: 1000 of 3000 ± 6 standard errors."""
    asked = json.dumps([case[:3] for case in CASES.values()])
    lines = variants.python(readings.core(name), LOOK, asked, stdout=subprocess.PIPE).stdout.splitlines()
    for (case, (low, high, points, is_more)), line in zip(CASES.items(), lines, strict=True):
        trials, counted = json.loads(line)
        counts = name == "as written" or is_more
        assert [points[0].hex(), counts] in trials, case
        assert any(infeasible for _, infeasible in trials) == counts, case
        assert all(low <= float.fromhex(u) <= high for u, _ in trials), case
        if (low, high) == (0, 1):
            assert 840 < counted < 1160 if counts else counted == 0, case


def infeasible(name, config, runs=3):
    """Infeasible trials of the first runs of the paper's study, on the core of an arithmetic."""
    code = f"import debox; print([round(3e5 * p) for p in debox.measure({config!r}, runs={runs}, rng=0).pois])"
    return json.loads(variants.python(readings.core(name), code, stdout=subprocess.PIPE).stdout)


def stored(reading, mutation, crossover, strategy, N, F, Cr, runs=3):
    where = f"reading = '{reading}' and mutation = '{mutation}' and crossover = '{crossover}'"
    where += f" and strategy = '{strategy}' and N = {N} and F = {F} and Cr = {Cr}"
    [(counts,)] = duckdb.sql(f"select infeasible from '{DATA / 'readings.parquet'}' where {where}").fetchall()
    return counts[:runs]


@pytest.mark.parametrize(
    ("reading", "option"),
    [("not-target", "donors=not-target"), ("no-reevaluation", "reevaluate=False"), ("frozen", "frozen=True")],
)
def test_runs_of_another_reading_done_again_come_out_as_they_are_stored(reading, option):
    config = f"DE/curr-to-best/1/bin dismiss, N=20, F=0.7, Cr=0.52, {option}"
    again = debox.measure(config, runs=3, rng=0).pois * 300_000
    assert np.round(again).tolist() == stored(reading, "current-to-best/1", "bin", "dismiss", 20, 0.7, 0.52)


def test_so_do_those_of_the_tolerance_which_are_others_than_the_papers():
    """Of the configuration that the tolerance changes most."""
    config = "DE/rand/2/exp sat, N=20, F=1.566, Cr=0.99"
    again = infeasible("tolerance", config)
    assert again == stored("tolerance", "rand/2", "exp", "saturation", 20, 1.566, 0.99)
    assert again != np.round(debox.measure(config, runs=3, rng=0).pois * 300_000).tolist()


def test_so_do_those_of_immediate_replacement_and_of_the_toroidal_equation_as_printed():
    """On cores or with an operator of their own; they are others than the paper's."""
    config = "DE/curr-to-best/1/bin tor, N=20, F=0.7, Cr=0.52"
    paper = np.round(debox.measure(config, runs=3, rng=0).pois * 300_000).tolist()
    immediate = infeasible("immediate", config)
    readings.define_toroidal_literally()
    literally = np.round(debox.measure(config.replace("tor", readings.LITERALLY), runs=3, rng=0).pois * 300_000)
    for name, again in (("immediate", immediate), (readings.LITERALLY, literally.tolist())):
        assert again == stored(name, "current-to-best/1", "bin", "toroidal", 20, 0.7, 0.52)
        assert again != paper


@pytest.mark.parametrize(("u", "expected"), [(30, 50), (100, 50), (-30, 60), (240, 40), (39.5, 40.5)])
def test_the_printed_equation_mirrors_below_the_box_and_wraps_above_it(u, expected):
    """In [40, 90]: z is −.2, 1.2, −1.4, 4 and −.01, z − ⌊z⌋ is .8, .2, .6, 0 and .99."""
    readings.define_toroidal_literally()
    literally = find("strategy", readings.LITERALLY)
    assert literally(u, 50.0, 50.0, 40.0, 90.0, None) == pytest.approx(expected)


def test_no_other_core_is_known():
    with pytest.raises(ValueError, match="core must be one of as written, tolerance, fused, immediate, got 'other'"):
        readings.core("other")


def test_a_process_that_has_a_core_gets_no_other():
    with pytest.raises(RuntimeError, match="adopt another one before debox is used"):
        variants.adopt(_core.__file__)
