"""measure: a run is addressed, both engines agree with the theory, wrong arguments are named.

A mean over runs may be off by at most LIMIT = 4 standard errors: false-alarm rate 6.3e-5 per comparison, two-sided,
1.5 % for the 220 of this file. Seeds are fixed; wrong expectations must be off by more.
"""

import signal
import threading
import time
from dataclasses import fields, replace
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from commands import run_python
from comparisons import standard_errors_off
from for_each import for_each
from operator_lists import PAPER_MUTATIONS

import debox
from debox import Config, registry, theory, threads
from debox.f0.engines import Outcome, Plain

module = import_module("debox.f0.measure")

LIMIT = 4
TEXT = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.9"
SMALL = {"n": 3, "budget": 500}
FIELDS = ("pois", "pois_at", "accepted", "best_f", "best_x")
ENGINES = ["fast", "plain"]
CELLS = [
    (mutation.name, crossover.name, rule.name)
    for mutation in PAPER_MUTATIONS
    for crossover in registry.in_slot("crossover")
    for rule in registry.in_slot("donors")
]

every_engine = pytest.mark.parametrize("engine", ENGINES)
every_cell = pytest.mark.parametrize(("mutation", "crossover", "rule"), CELLS)


def arrays(measurement, runs=None):
    return {field: getattr(measurement, field)[:runs].tolist() for field in FIELDS}


# A run is addressed, not ordered.


@pytest.mark.slow
@every_engine
@pytest.mark.parametrize("workers", [2, 5, -1])
def test_the_number_of_workers_changes_nothing(engine, workers):
    options = {**SMALL, "runs": 2 * module.RUNS_PER_TASK + 5, "engine": engine}
    assert arrays(debox.measure(TEXT, **options, workers=workers)) == arrays(debox.measure(TEXT, **options, workers=1))


@every_engine
def test_how_runs_are_put_together_changes_nothing(engine, monkeypatch):
    together = arrays(debox.measure(TEXT, **SMALL, runs=15, engine=engine))
    for runs_per_task in (1, 4):
        monkeypatch.setattr(module, "RUNS_PER_TASK", runs_per_task)
        assert arrays(debox.measure(TEXT, **SMALL, runs=15, engine=engine)) == together


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


@pytest.mark.slow
def test_another_process_measures_the_same():
    script = f"import debox; print(debox.measure({TEXT!r}, n=3, budget=500, runs=3, rng=11).pois.tolist())"
    result = run_python(script, check=True)
    assert result.stdout.strip() == str(debox.measure(TEXT, **SMALL, runs=3, rng=11).pois.tolist())


@every_engine
def test_seeds_and_configurations_have_their_own_random_numbers(engine):
    others = [debox.measure(TEXT, **SMALL, runs=5, engine=engine, rng=seed).best_f.tolist() for seed in (0, 1, 2**70)]
    for text in (TEXT.replace("sat", "tor"), TEXT + ", donors=not-target", TEXT.replace("0.7", "0.70001")):
        others.append(debox.measure(text, **SMALL, runs=5, engine=engine).best_f.tolist())
    values = [value for other in others for value in other]
    assert len(set(values)) == len(values)


# Another value for every field: a new field of Config is asked for one.
ANOTHER = {
    "mutation": "rand/2",
    "crossover": "bin",
    "strategy": "toroidal",
    "N": 6,
    "F": 0.70001,
    "Cr": 0.90001,
    "donors": "not-target",
    "reevaluate": False,
    "frozen": True,
    "repair": "mutant",
    "adaptation": "jDE",
}


def test_every_field_of_a_configuration_gives_other_random_numbers():
    base = Config("DE/rand/1/exp dism, N=5, F=0.7, Cr=0.9")  # dism: of the others reevaluate changes nothing
    minds_repair = replace(base, strategy="resample")  # and repair changes nothing to dism
    bases = {"repair": minds_repair}
    others = [replace(bases.get(field.name, base), **{field.name: ANOTHER[field.name]}) for field in fields(Config)]
    first = [module.stream(0, config, 0).random() for config in (base, minds_repair, *others)]
    assert len(set(first)) == 2 + len(fields(Config))


def test_a_generator_or_nothing_is_a_fresh_seed_that_is_told():
    given, same = (debox.measure(TEXT, **SMALL, runs=2, rng=np.random.default_rng(4)) for _ in range(2))
    assert arrays(given) == arrays(same) == arrays(debox.measure(TEXT, **SMALL, runs=2, rng=given.seed))
    fresh, fresher = (debox.measure(TEXT, **SMALL, runs=2, rng=None) for _ in range(2))
    assert fresh.seed != fresher.seed
    assert arrays(fresh) != arrays(fresher)


# What a measurement holds.


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


def test_no_configurations_give_no_measurements():
    assert debox.measure_many([]) == []


@every_engine
def test_a_box_says_n_and_where_the_best_points_are(engine):
    box = [(-5, -4), (0, 1000)]
    m = debox.measure("DE/rand/1/bin COTN, N=5, F=0.9, Cr=0.9", box=box, budget=300, runs=20, engine=engine, n=7)
    assert m.n == 2
    assert debox.Box.of(box).contains(m.best_x).all()
    assert np.ptp(m.best_x, axis=0) == pytest.approx([1, 1000], rel=0.5)


def test_the_box_changes_nothing_else_for_the_fast_engine():
    text = "DE/rand/1/bin COTN, N=5, F=0.9, Cr=0.9"
    unit = debox.measure(text, n=2, budget=300, runs=20, engine="fast")
    wide = debox.measure(text, box=[(-5, -4), (0, 1000)], budget=300, runs=20, engine="fast")
    for field in FIELDS[:-1]:
        assert getattr(wide, field).tolist() == getattr(unit, field).tolist()
    assert wide.best_x == pytest.approx([-5, 0] + unit.best_x * [1, 1000], rel=1e-14)


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


@every_engine
@pytest.mark.parametrize(
    ("text", "n", "budget"),
    [
        ("DE/rand/1/bin sat, N=3, F=0.5, Cr=0.5", 1, 200),
        ("DE/best/1/exp tor, N=2, F=2, Cr=1", 1, 201),
        ("DE/rand/2/exp mirr, N=5, F=2, Cr=0", 2, 203),
        ("DE/curr-to-best/1/bin COTN, N=2, F=0.05, Cr=0", 65, 99),
        ("DE/rand/1/bin dism, N=7, F=2, Cr=1, reevaluate=False", 3, 500),
        ("DE/curr-to-best/1/exp dism, N=4, F=1, Cr=1, donors=not-parents", 2, 333),
        ("DE/rand/2/bin sat, N=150, F=1, Cr=0.5", 2, 1000),
        ("DE/best/1/bin tor, N=5, F=0.5, Cr=0.5, frozen=True", 17, 64),
    ],
)
def test_odd_configurations_are_measured(text, n, budget, engine):
    m = debox.measure(text, n=n, budget=budget, runs=11, engine=engine)
    assert np.all((m.pois >= 0) & (m.pois <= 1 - m.config.N / budget))
    assert np.all((m.best_x >= 0) & (m.best_x <= 1))
    assert np.all((m.accepted == 0) == m.config.frozen)
    assert len(set(m.best_f.tolist())) == 11


def test_auto_is_one_of_the_engines_and_fast_where_runs_are_long():
    assert debox.measure(TEXT, n=3, budget=30_000, runs=2).engine == "fast"
    for budget in (5, 9, 10, 11, 100):
        m = debox.measure(TEXT, n=3, budget=budget, runs=2)
        assert arrays(m) == arrays(debox.measure(TEXT, n=3, budget=budget, runs=2, engine=m.engine))


# Theory.


@pytest.mark.slow
@every_engine
@every_cell
def test_pois_of_frozen_populations_is_that_of_the_theory(mutation, crossover, rule, engine):
    names = {"mutation": mutation, "crossover": crossover, "strategy": "mirror", "donors": rule}
    config = Config(**names, N=7, F=0.9, Cr=0.6, frozen=True)
    m = debox.measure(config, n=3, budget=30, runs=150, engine=engine, rng=1)
    assert standard_errors_off(m.pois, theory.frozen_pois(config, 3, 30)) < LIMIT
    assert standard_errors_off(m.pois, theory.trial_infeasible(config, 3)) > LIMIT  # initial points are no trials
    assert standard_errors_off(m.pois_at[:, 1] * 20, 13 * theory.trial_infeasible(config, 3)) < LIMIT


@pytest.mark.slow
@every_engine
@every_cell
def test_the_first_generation_is_that_of_the_theory(mutation, crossover, rule, engine):
    names = {"mutation": mutation, "crossover": crossover, "strategy": "saturation", "donors": rule}
    config = Config(**names, N=8, F=1.2, Cr=0.4)
    m = debox.measure(config, n=4, budget=16, runs=250, engine=engine, rng=2)
    assert standard_errors_off(m.pois * 2, theory.trial_infeasible(config, 4)) < LIMIT
    assert standard_errors_off(m.accepted, theory.expected_acceptances(config, 16)) < LIMIT


@pytest.mark.slow
@every_engine
def test_a_first_generation_with_F_off_by_10_percent_is_seen(engine):
    config, wrong = (Config(f"DE/rand/1/exp sat, N=8, F={F}, Cr=0.4") for F in (1.0, 0.9))
    m = debox.measure(config, n=4, budget=16, runs=3000, engine=engine, rng=2)
    assert standard_errors_off(m.pois * 2, theory.trial_infeasible(config, 4)) < LIMIT
    assert standard_errors_off(m.pois * 2, theory.trial_infeasible(wrong, 4)) > LIMIT


@pytest.mark.slow
@every_engine
@pytest.mark.parametrize("N", [5, 20])
@pytest.mark.parametrize("strategy", ["saturation", "dismiss"])
def test_as_many_trials_are_accepted_as_the_theory_says(strategy, N, engine):
    config = Config(f"DE/rand/1/bin {strategy}, N={N}, F=0.9, Cr=0.5")
    m = debox.measure(config, n=2, budget=1013, runs=500, engine=engine, rng=3)
    assert standard_errors_off(m.accepted, theory.expected_acceptances(config, 1013)) < LIMIT
    assert standard_errors_off(m.accepted, theory.expected_acceptances(config, 1500)) > LIMIT
    # the best is the smallest of 1013 uniform numbers
    assert standard_errors_off(m.best_f, 1 / 1014) < LIMIT


@pytest.mark.slow
@every_engine
def test_dismissed_for_good_accepts_less(engine):
    text = "DE/rand/1/bin dism, N=6, F=1.5, Cr=0.9"
    again, not_again = (
        debox.measure(f"{text}, reevaluate={value}", n=2, budget=600, runs=300, engine=engine)
        for value in (True, False)
    )
    expected = theory.expected_acceptances(Config(text), 600)
    assert standard_errors_off(again.accepted, expected) < LIMIT
    assert not_again.accepted.mean() < 0.9 * expected


# Wrong arguments, and interruption.


@for_each(
    ("wrong", "message"),
    [
        ({"runs": 0}, "runs must be an integer ≥ 1, got 0"),
        ({"runs": 2.5}, r"runs must be an integer ≥ 1, got 2\.5"),
        ({"runs": True}, "runs must be an integer ≥ 1, got True"),
        ({"n": 0}, "n must be an integer ≥ 1, got 0"),
        ({"n": "3"}, "n must be an integer ≥ 1, got '3'"),
        ({"budget": 4}, "budget must be an integer ≥ 5, got 4: N = 5"),
        ({"budget": 1e3}, r"budget must be an integer ≥ 5, got 1000\.0"),
        ({"rng": -1}, "rng must be an integer ≥ 0, got -1"),
        ({"rng": "seed"}, "rng must be an integer ≥ 0.*got 'seed'"),
        ({"engine": "quick"}, "engine must be one of auto, plain, fast, got 'quick'"),
        ({"engine": None}, "engine must be one of .*, got None"),
        ({"checkpoints": (0.5, 1.0)}, r"checkpoints must .*0 < share < 1, got 1\.0"),
        ({"checkpoints": (0.0,)}, r"checkpoints must .*0 < share < 1, got 0\.0"),
        ({"checkpoints": (0.5, float("nan"))}, "checkpoints must .*got nan"),
        ({"checkpoints": ("half",)}, "checkpoints must .*got 'half'"),
        ({"checkpoints": (0.6, 0.3)}, r"checkpoints must be .*rising.*got \(0\.6, 0\.3\)"),
        ({"checkpoints": (0.3, 0.3)}, r"checkpoints must be .*rising.*got \(0\.3, 0\.3\)"),
        ({"checkpoints": 0.5}, r"checkpoints must .*got 0\.5"),
        ({"box": [(0, 1), (2, 1)]}, r"^box\[1\] = \(2\.0, 1\.0\)"),
        ({"box": 3}, "^box must be a sequence .*got 3"),
        ({"trace": 1}, "trace must be True or False, got 1"),
        ({"workers": 0}, "workers must be an integer ≥ 1 or -1 for all cores, got 0"),
        ({"workers": 1.5}, r"workers must be an integer ≥ 1 or -1 for all cores, got 1\.5"),
        ({"workers": 10**6}, "workers must be an integer ≤ 1024, got 1000000"),
        ({"runs": 10**12}, "runs must be an integer ≤ 10000000, got 1000000000000"),
        ({"budget": 2**60 + 1}, "budget must be at most 1152921504606846976 evaluations, got 1152921504606846977"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_wrong_arguments_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        debox.measure(TEXT, **(SMALL | {"runs": 2} | wrong))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (TEXT, {"n": 10**11}, "no memory for a run with N = 5 in n = 100000000000 dimensions: it takes 8,000.0 GB"),
        (TEXT.replace("5", "1000000000000", 1), {"n": 3, "budget": 10**13}, "run with N = 1000000000000 in n = 3 dim"),
        (  # population, trials, an archive of 2.6 N and N more: 5.6 · 10¹⁰ · 8 · 100 bytes
            "L-SHADE, N=10000000000",
            {"n": 100, "budget": 10**11},
            "run with N = 10000000000 in n = 100 dimensions: it takes 44,800.0 GB",
        ),
        (TEXT, {"n": 10**8, "runs": 10**6}, "no memory for the best points of 1000000 runs in n = 100000000 dim"),
    ],
)
def test_what_no_memory_holds_is_refused_with_the_numbers(text, options, message, monkeypatch):
    monkeypatch.setattr(debox.Box, "unit", lambda n: SimpleNamespace(n=n))  # whose bounds are large already
    with pytest.raises(MemoryError, match=message):
        debox.measure(text, **options)


@every_engine
def test_the_largest_budget_is_begun_and_nothing_comes_around(engine):
    config = Config(TEXT)
    setting = module.Setting(debox.Box.unit(2), 2**60, 0, engine, (1e-18, 0.5, 1 - 2**-53))
    assert setting.marks.tolist() == [1, 2**59, 2**60 - 2**7]
    begun = module.engine_for(config, setting)
    begun.begin(module.stream(0, config, 0))
    for until in (500, 1000):
        begun.advance(until)
        assert begun.tally.counts[0] == until
        assert 0 < begun.outcome().infeasible < until


@pytest.mark.parametrize("budget", [2**53 + 3, 2**57 - 1, 2**60 - 1, 2**60])
def test_no_checkpoint_lies_beyond_the_budget(budget):
    setting = module.Setting(debox.Box.unit(1), budget, 0, "fast", (0.5, 1 - 2**-53))
    assert budget // 2 <= setting.marks[0] <= setting.marks[1] <= budget


@every_engine
@pytest.mark.parametrize(("F", "Cr"), [(5e-324, 0.5), (0.5, 5e-324), (2.0, 1 - 2**-53)])
def test_the_smallest_and_largest_numbers_are_measured(engine, F, Cr):
    m = debox.measure(Config("DE/rand/1/exp tor", N=5, F=F, Cr=Cr), **SMALL, runs=3, engine=engine)
    assert np.all((m.pois >= 0) & (m.pois <= 0.99))


def test_wrong_configurations_are_named():
    with pytest.raises(ValueError, match=r"^unknown strategy 'saturn'"):
        debox.measure("DE/rand/1/exp saturn, N=5, F=0.7, Cr=0.99")
    with pytest.raises(ValueError, match=r"^configs\[1\]: N must be an integer ≥ 3, got 2"):
        debox.measure_many([TEXT, "DE/rand/1/exp sat, N=2, F=0.7, Cr=0.99"])
    with pytest.raises(TypeError, match=r"written as text.*got 5"):
        debox.measure(5)
    with pytest.raises(ValueError, match="budget must be an integer ≥ 9, got 8: N = 9"):
        debox.measure_many([TEXT, "DE/rand/1/exp sat, N=9, F=0.7, Cr=0.99"], budget=8)


def test_one_text_is_not_many_configurations():
    with pytest.raises((ValueError, TypeError), match=r"configs .*DE/rand/1/exp sat"):
        debox.measure_many(TEXT, **SMALL, runs=2)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupted_measurement_ends_and_leaves_no_thread_behind(monkeypatch, error, workers):
    begun, threads = [], threading.active_count()

    def do_runs(config, setting, numbers):
        begun.append(numbers)
        if 0 in numbers:
            raise error
        time.sleep(0.002)
        return []

    monkeypatch.setattr(module, "do_runs", do_runs)
    with pytest.raises(error):
        debox.measure(TEXT, **SMALL, runs=50_000, workers=workers)
    assert threading.active_count() == threads
    assert len(begun) < 50_000 / module.RUNS_PER_TASK  # what had not begun never did


@pytest.mark.slow
def test_an_interruption_waits_for_no_more_than_the_runs_under_way(monkeypatch):
    begun = []

    class Slow:
        def __init__(self, *_):
            pass

        def begin(self, rng):
            begun.append(rng)
            if len(begun) == 3:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # Ctrl-C

        def advance(self, until):
            time.sleep(0.05)

        def outcome(self):
            return Outcome(0, np.zeros(2, np.int64), 0, 0.5, np.zeros(3))

    monkeypatch.setitem(module.ENGINES, "plain", Slow)
    with pytest.raises(KeyboardInterrupt):
        debox.measure(TEXT, **SMALL, runs=4 * module.RUNS_PER_TASK, engine="plain", workers=2)
    assert len(begun) < module.RUNS_PER_TASK


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_does_not_wait_for_a_run_that_takes_long_and_measuring_again_works(monkeypatch, workers):
    released, advance = threading.Event(), Plain.advance

    def long(engine, until):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # Ctrl-C
        released.wait(60)

    monkeypatch.setattr(Plain, "advance", long)
    with pytest.raises(KeyboardInterrupt):
        debox.measure(TEXT, **SMALL, runs=1, engine="plain", workers=workers)
    assert len(threads.unfinished_threads()) == 1  # the run is still under way
    monkeypatch.setattr(Plain, "advance", advance)
    assert debox.measure(TEXT, **SMALL, runs=3, engine="plain", workers=workers).pois.shape == (3,)
    released.set()
    for thread in threads.unfinished_threads():
        thread.join(60)
    assert not threads.unfinished_threads()


@pytest.mark.parametrize("wrong", [3, None])
def test_what_are_no_configurations_is_named(wrong):
    with pytest.raises(ValueError, match=f"^configs must be an iterable of configurations, got {wrong}$"):
        debox.measure_many(wrong)


@pytest.mark.parametrize("function", [debox.measure, debox.sample_pois, debox.measure_many])
def test_a_keyword_of_another_name_is_answered_with_ours(function):
    config = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"
    for name, hint in {"dimension": "use n, the dimension", "seed": "use rng", "N": "it is part of"}.items():
        with pytest.raises(TypeError, match=f"^unknown option '{name}'; {hint}"):
            function(config, **{name: 3})
    with pytest.raises(TypeError, match=r"^unknown option 'colour'; choose from configs?, n, budget, "):
        function(config, colour=3)


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


@pytest.mark.slow
def test_runs_of_a_population_that_shrinks_are_the_same_with_and_without_a_trace():
    """N = max(4, ⌊36 + (4 − 36) · evaluations/400 + ½⌋)"""
    traced, plain = (debox.measure("L-SHADE", n=2, budget=400, runs=3, trace=trace) for trace in (True, False))
    for name in ("pois", "pois_at", "accepted", "best_f", "best_x"):
        np.testing.assert_array_equal(getattr(traced, name), getattr(plain, name), name)
    seen = traced.trace
    assert plain.trace is None
    assert plain.engine == "plain"
    assert (seen.evaluations[0], seen.evaluations[-1]) == (36, 400)
    assert np.all(np.diff(seen.evaluations) > 0)
    sizes = np.maximum(4, np.floor(36 + (4 - 36) * seen.evaluations / 400 + 0.5))
    assert np.all(seen.distinct[:, 1:] <= sizes[1:])
    assert np.all(seen.distinct[:, 0] == 36)
    assert seen.evaluations[1] == 36 + 36  # the first generation: nobody has left yet
    # 108 is asked for: the second generation has ⌊36 − 32 · 72/400 + ½⌋ = ⌊30.74⌋ and ends at 102, the third ⌊28.34⌋
    assert seen.evaluations[2] == 72 + 30 + 28
    assert (seen.infeasible[:, -1] / 400).tolist() == traced.pois.tolist()


def test_the_fast_engine_says_why_it_does_not_do_adaptive_runs():
    with pytest.raises(ValueError, match="adaptation 'SHADE', which draws F and Cr for each trial"):
        debox.measure("SHADE", n=2, engine="fast")
    with pytest.raises(ValueError, match="mutation 'current-to-pbest/1', which draws one of the p-best"):
        debox.measure("DE/curr-to-pbest/1/bin sat, N=9, F=0.5, Cr=0.5", n=2, engine="fast")


@pytest.mark.slow
def test_the_first_generation_with_p_best_is_that_of_the_best():
    """p-best of f0 are random individuals, and the archive is empty: as with current-to-best/1.

    4 standard errors: a false alarm in 16 000 tests; refused are a theory in which the p-best is hardly ever the target
    (N = 40), and one whose F is a tenth larger.
    """
    text = "bin sat, N=4, F=0.9, Cr=0.5, donors=not-target"
    config, same = Config(f"DE/curr-to-pbest/1/{text}"), Config(f"DE/curr-to-best/1/{text}")
    expected = theory.trial_infeasible(config, 3)
    assert expected == theory.trial_infeasible(same, 3)
    found = 2 * debox.sample_pois(config, n=3, budget=8, runs=4000, rng=5)
    assert standard_errors_off(found, expected) < 4
    for wrong in (replace(config, N=40), replace(config, F=0.99)):
        assert standard_errors_off(found, theory.trial_infeasible(wrong, 3)) > 4


@pytest.mark.slow
def test_as_many_trials_of_adaptive_runs_are_accepted_as_the_theory_says():
    """Records, whatever F and Cr are: N (H_10 − 1) with N = 10 and 9 generations; 4 standard errors, see above."""
    config = Config("SHADE, N=10")
    assert theory.expected_acceptances(config, 100) == pytest.approx(10 * sum(1 / k for k in range(2, 11)))
    accepted = debox.measure(config, n=2, budget=100, runs=1000, rng=3).accepted
    assert standard_errors_off(accepted, theory.expected_acceptances(config, 100)) < 4
    assert standard_errors_off(accepted, theory.expected_acceptances(config, 110)) > 4


@pytest.mark.parametrize("name", ["jDE", "JADE", "SHADE", "L-SHADE"])
def test_theory_says_that_it_does_not_cover_adaptations(name):
    config = Config(name, N=10)
    for ask in (theory.component_infeasible, lambda c: theory.trial_infeasible(c, 3), theory.mixture):
        with pytest.raises(ValueError, match=f"no exact formula is known for adaptation '{name}'"):
            ask(config)
    with pytest.raises(ValueError, match="whose population shrinks"):
        theory.expected_acceptances(Config("L-SHADE", N=10), 100)
