"""A run is addressed, not ordered: seed, configuration and number say all its random numbers."""

from importlib import import_module

import numpy as np
import pytest
from measurements import SMALL, TEXT, arrays, every_engine

import debox
from debox import Config

module = import_module("debox.f0.measure")


@every_engine
@pytest.mark.parametrize("workers", [2, 5, -1])
def test_the_number_of_workers_changes_nothing(engine, workers, monkeypatch):
    monkeypatch.setattr(module, "RUNS_PER_TASK", 4)
    options = {**SMALL, "runs": 13, "engine": engine}
    assert arrays(debox.measure(TEXT, **options, workers=workers)) == arrays(debox.measure(TEXT, **options, workers=1))


@every_engine
def test_fewer_runs_are_the_first_of_more(engine):
    task = module.RUNS_PER_TASK
    many = debox.measure(TEXT, **SMALL, runs=2 * task + 3, engine=engine)
    for runs in (1, 3, task, task + 1):
        assert arrays(debox.measure(TEXT, **SMALL, runs=runs, engine=engine)) == arrays(many, runs)
    assert len(set(many.best_f.tolist())) == 2 * task + 3


@every_engine
def test_what_else_is_measured_and_in_which_order_changes_nothing(engine):
    texts = [TEXT, "DE/best/1/bin tor, N=6, F=1.2, Cr=0.3", "DE/curr-to-best/1/exp dism, N=4, F=0.4, Cr=0.5"]
    alone = [arrays(debox.measure(text, **SMALL, runs=12, engine=engine)) for text in texts]
    together = debox.measure_many(texts, **SMALL, runs=12, engine=engine)
    assert [str(m.config) for m in together] == texts
    assert [arrays(m) for m in together] == alone
    backwards = debox.measure_many((Config(text) for text in reversed(texts)), **SMALL, runs=12, engine=engine)
    assert [arrays(m) for m in reversed(backwards)] == alone


@every_engine
def test_seeds_and_configurations_have_their_own_random_numbers(engine):
    others = [debox.measure(TEXT, **SMALL, runs=5, engine=engine, rng=seed).best_f.tolist() for seed in (0, 1, 2**70)]
    for text in (TEXT.replace("sat", "tor"), TEXT + ", donors=not-target", TEXT.replace("0.7", "0.70001")):
        others.append(debox.measure(text, **SMALL, runs=5, engine=engine).best_f.tolist())
    values = [value for other in others for value in other]
    assert len(set(values)) == len(values)


def test_a_generator_or_nothing_is_a_fresh_seed_that_is_told():
    given, same = (debox.measure(TEXT, **SMALL, runs=2, rng=np.random.default_rng(4)) for _ in range(2))
    assert arrays(given) == arrays(same) == arrays(debox.measure(TEXT, **SMALL, runs=2, rng=given.seed))
    fresh, fresher = (debox.measure(TEXT, **SMALL, runs=2, rng=None) for _ in range(2))
    assert fresh.seed != fresher.seed
    assert arrays(fresh) != arrays(fresher)
