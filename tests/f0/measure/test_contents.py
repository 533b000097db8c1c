"""What a measurement holds: of any configuration, box, checkpoints and engine."""

from dataclasses import FrozenInstanceError, replace
from inspect import signature

import numpy as np
import pytest
from docstrings import entries
from measurements import FIELDS, SMALL, TEXT, arrays, every_engine

import debox
from debox import Config


@every_engine
def test_a_configuration_is_a_config_or_its_text(engine):
    m = debox.measure(Config(TEXT), **SMALL, runs=4, engine=engine, rng=3)
    assert arrays(m) == arrays(debox.measure(TEXT, **SMALL, runs=4, engine=engine, rng=3))
    assert (m.config, m.n, m.budget, m.seed, m.engine) == (Config(TEXT), 3, 500, 3, engine)
    assert m.checkpoints == (1 / 3, 2 / 3)
    shapes = [getattr(m, field).shape for field in FIELDS]
    assert shapes == [(4,), (4, 2), (4,), (4,), (4, 3)]
    assert m.accepted.dtype == np.int64
    assert m.seconds > 0
    assert m.trace is None
    options = {**SMALL, "runs": 4, "engine": engine, "rng": 3}
    assert debox.sample_pois(TEXT, **options).tolist() == m.pois.tolist()


def test_defaults_are_those_that_help_names():
    for function in (debox.measure, debox.measure_many, debox.Measurement.quantiles):
        for name, (kind, _) in entries(function).items():
            _, has_default, default = kind.partition("default ")
            assert not has_default or eval(default) == signature(function).parameters[name].default, name
    one, many = (signature(f).parameters for f in (debox.measure, debox.measure_many))
    assert [name for name in many if name not in one or many[name].default != one[name].default] == [
        "configs",
        "workers",
    ]


def test_no_configurations_give_no_measurements():
    assert debox.measure_many([]) == []


@every_engine
def test_a_box_says_n_and_where_the_best_points_are(engine):
    box = [(-5, -4), (0, 1000)]
    m = debox.measure("DE/rand/1/bin COTN, N=5, F=0.9, Cr=0.9", box=box, budget=300, runs=20, engine=engine, n=7)
    assert m.n == 2
    assert debox.Box.of(box).contains(m.best_x).all()
    assert np.ptp(m.best_x, axis=0) == pytest.approx([1, 1000], rel=0.5)


@every_engine
def test_checkpoints_count_what_came_before_them(engine):
    shares = (0.004, 0.01, 0.25, 0.5, 0.999)
    m = debox.measure(TEXT, n=3, budget=1000, runs=10, engine=engine, checkpoints=shares)
    marks = np.array([4, 10, 250, 500, 999])
    counted = np.column_stack([m.pois_at * marks, m.pois * 1000])
    assert counted == pytest.approx(counted.round(), abs=1e-9)
    steps = np.diff(counted.round(), axis=1)
    assert np.all(counted[:, 0] == 0)  # only initial points so far
    assert np.all(steps >= 0)
    assert np.all(steps <= [5, 240, 250, 499, 1])  # trials in between: 10 − N, 250 − 10, …
    assert np.all(steps[:, 1:4].sum(axis=1) > 0)
    assert debox.measure(TEXT, **SMALL, runs=3, engine=engine, checkpoints=()).pois_at.shape == (3, 0)


@every_engine
def test_a_checkpoint_between_two_evaluations_is_the_nearer_one_and_never_none(engine):
    m = debox.measure(TEXT, **SMALL, runs=10, engine=engine, checkpoints=(0.0001, 1 / 3, 2 / 3))
    counted = m.pois_at * [1, 167, 333]  # of 500: 0.05, 166.67, 333.33
    assert np.all(counted[:, 0] == 0)
    assert np.all(counted[:, 1:] > 0)
    assert counted == pytest.approx(counted.round(), abs=1e-9)


@every_engine
def test_a_whole_budget_of_initial_points_has_no_trials(engine):
    m = debox.measure(TEXT, n=3, budget=5, runs=4, engine=engine)
    assert m.pois.tolist() == [0] * 4
    assert m.accepted.tolist() == [0] * 4
    assert np.all((m.best_f > 0) & (m.best_f < 1))


def test_auto_is_one_of_the_engines_and_fast_where_runs_are_long():
    assert debox.measure(TEXT, n=3, budget=30_000, runs=2).engine == "fast"
    for budget in (5, 9, 10, 11, 100):
        m = debox.measure(TEXT, n=3, budget=budget, runs=2)
        assert arrays(m) == arrays(debox.measure(TEXT, n=3, budget=budget, runs=2, engine=m.engine))


@every_engine
@pytest.mark.parametrize(("F", "Cr"), [(5e-324, 0.5), (0.5, 5e-324), (2.0, 1 - 2**-53)])
def test_the_smallest_and_largest_numbers_are_measured(engine, F, Cr):
    m = debox.measure(Config("DE/rand/1/exp tor", N=5, F=F, Cr=Cr), **SMALL, runs=3, engine=engine)
    assert np.all((m.pois >= 0) & (m.pois <= 0.99))


def test_a_recipe_has_its_own_population_which_depends_on_n_and_budget(monkeypatch):
    """18 n of L-SHADE; n is that of the box, if there is one; no run is done."""
    monkeypatch.setattr("debox.f0.measure.do_runs", lambda config, setting, numbers: [])
    monkeypatch.setattr("debox.f0.measure.collect", lambda config, setting, runs: (config.N, setting.budget))
    assert debox.measure("L-SHADE tor", n=5, budget=1000) == (90, 1000)
    assert debox.measure("L-SHADE, N=7", n=5, budget=1000) == (7, 1000)
    assert debox.measure("L-SHADE", box=[(0, 1)] * 3, budget=1000) == (54, 1000)
    assert debox.measure_many(["SHADE", "L-SHADE"], n=2, budget=30) == [(30, 30), (30, 30)]
    with pytest.raises(ValueError, match="n must be an integer ≥ 1, got 0"):
        debox.measure("L-SHADE", n=0)


# Summaries of POIS, by hand.


def made(pois):
    return replace(debox.measure(TEXT, n=2, budget=10, runs=1), pois=np.array(pois))


def test_a_measurement_is_frozen():
    with pytest.raises(FrozenInstanceError):
        made([0.5]).pois = np.zeros(1)
    for field in FIELDS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(made([0.5]), field)[0] = 0


def test_mean_and_quantiles_by_hand():
    m = made([0.4, 0.0, 0.1, 0.3, 0.2])
    assert m.mean() == pytest.approx(0.2)
    # five values in order stand at 0, 1/4, 1/2, 3/4, 1; between them on a line
    assert m.quantiles() == pytest.approx([0.02, 0.1, 0.2, 0.3, 0.38])
    assert m.quantiles([0, 1]).tolist() == [0, 0.4]
    assert isinstance(m.mean(), float)


def test_histogram_and_colour_are_those_of_its_pois():
    assert made([0.0, 0.05, 0.95]).histogram().tolist() == [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert made([0.0, 0.05, 0.95]).colour() == "violet"
    assert made([0.0, 0.0005]).colour() == "teal"
