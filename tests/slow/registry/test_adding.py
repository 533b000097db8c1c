"""Operators of one's own are used by name wherever those of debox are, and cannot take anybody's place."""

import os
import re
import threading
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

import debox
from debox import Box, Config, Study, jit, registry, theory
from debox.f0.engines import ENGINES
from debox.registry.adding import LOCK, Loading, origin_of, register
from debox.study import estimate

SLOTS = ("strategy", "mutation", "crossover", "donors")


def test_a_registered_operator_is_found_by_either_name_in_any_case(operator):
    mine = register(operator("strategy", name="Middle-2", short="MID"))
    for written in ("middle-2", "MIDDLE-2", " mid "):
        assert registry.find("strategy", written) is mine
    assert registry.in_slot("strategy")[-1] is mine
    assert mine not in registry.OPERATORS


@pytest.mark.parametrize("slot", SLOTS)
def test_registering_the_same_again_is_harmless(operator, slot):
    first = register(operator(slot))
    assert register(operator(slot)) is first
    assert register(replace(first, citation="2026")) is first
    assert len(registry.REGISTRATIONS) == 1


def another(u, x, c, a, b, rng):
    """a"""
    return a


def test_the_same_code_defined_again_is_the_same_operator(operator):
    first = register(operator("strategy", function=debox.kernel(another)))
    space = {"debox": debox}
    exec("@debox.kernel\ndef another(u, x, c, a, b, rng):\n    'lower bound'\n    return a", space)
    assert space["another"] is not another
    assert register(operator("strategy", function=space["another"])) is first


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"function": debox.kernel(another)}, "'middle' (short 'mid') is from module"),
        ({"name": "other", "short": "MID"}, "'middle' (short 'mid') is from module"),
        ({"name": "mid", "short": "other"}, "'middle' (short 'mid') is from module"),
        ({"name": "Saturation"}, "'saturation' (short 'sat') is one of debox's own"),
        ({"short": "SAT"}, "'saturation' (short 'sat') is one of debox's own"),
    ],
)
def test_another_operator_of_a_name_that_is_taken_is_refused(operator, changed, message):
    register(operator("strategy"))
    with pytest.raises(ValueError, match=re.escape(message)):
        register(operator("strategy", **changed))
    assert len(registry.REGISTRATIONS) == 1


def test_an_operator_of_debox_registered_again_is_itself():
    mirror = registry.find("strategy", "mirror")
    assert register(mirror) is mirror
    assert registry.REGISTRATIONS == ()


def test_a_name_may_be_that_of_an_operator_of_another_slot(operator):
    register(operator("strategy", name="bin", short="exp"))
    assert Config("DE/rand/1/bin bin, N=5, F=0.5, Cr=0.5").strategy == "bin"


@pytest.mark.parametrize("name", ["rand/1/bin", "best/1/EXP"])
def test_a_mutation_called_as_a_variant_is_refused(operator, name):
    with pytest.raises(ValueError, match="a second meaning"):
        register(operator("mutation", name=name))


def test_a_crossover_that_would_make_a_variant_of_a_mutation_is_refused(operator):
    register(operator("mutation", name="rand"))
    with pytest.raises(ValueError, match="crossover '1' gives DE/rand/1 a second meaning"):
        register(operator("crossover", name="1"))


@pytest.mark.parametrize("name", ["half/1", "x", "a/b/c", "to-best/2"])
def test_names_are_read_in_a_configuration(operator, name):
    register(operator("mutation", name=name))
    register(operator("crossover", name="One-2"))
    register(operator("strategy", name="s/2", short="t/2"))
    config = Config(f"DE/{name}/one-2 s/2, N=5, F=0.5, Cr=0.5")
    assert (config.mutation, config.crossover, config.strategy) == (name, "One-2", "s/2")
    assert Config(str(config)) == config


def test_an_operator_that_fails_its_checks_is_not_registered(operator):
    @debox.kernel
    def keeps(u, x, c, a, b, rng):
        """u"""
        return u

    with pytest.raises(ValueError, match=r"strategy 'middle': keeps\(u="):
        register(operator("strategy", function=keeps))
    assert registry.REGISTRATIONS == ()
    with pytest.raises(ValueError, match="unknown strategy 'middle'"):
        registry.find("strategy", "middle")


def test_what_is_no_operator_is_refused():
    with pytest.raises(TypeError, match=r"operator must be a debox\.Operator, got 'mirror'"):
        register("mirror")


def test_where_an_operator_comes_from_is_known(operator):
    assert origin_of(register(operator("strategy"))).where.startswith("module ")
    with Loading(registry.Origin("somewhere")) as found:
        mine = register(operator("donors"))
    assert origin_of(mine).where == "somewhere"
    assert found == [mine]


def test_after_an_error_nothing_of_what_was_loading_is_registered(operator):
    register(operator("strategy"))
    with suppress(ZeroDivisionError), Loading(registry.Origin("somewhere")):
        register(operator("donors"))
        raise ZeroDivisionError
    assert [registration.operator.slot for registration in registry.REGISTRATIONS] == ["strategy"]


# Used.


@pytest.fixture
def all_four(operator):
    for slot in SLOTS:
        register(operator(slot))


def test_minimize_takes_them(all_four):
    options = {"variant": "DE/half/1/one", "strategy": ["middle", "mirror"], "donors": "first", "budget": 400, "rng": 1}
    compiled = debox.minimize(lambda x: x @ x, [(-1, 2), (-3, 1)], **options)
    assert compiled.nfev == 400
    with jit.interpreted():
        python = debox.minimize(lambda x: x @ x, [(-1, 2), (-3, 1)], **options)
    assert compiled.population.tolist() == python.population.tolist()


def test_both_engines_have_the_same_law(operator):
    """Means of 200 runs differ by less than 5 standard errors; with another strategy by more."""
    register(operator("strategy"))
    register(operator("mutation"))
    shared = {"n": 3, "budget": 2000, "runs": 200}

    def mean(strategy, engine):
        pois = debox.measure(f"DE/half/1/bin {strategy}, N=5, F=1.9, Cr=0.5", engine=engine, **shared).pois
        return pois.mean(), pois.var() / len(pois)

    (plain, of_plain), (fast, of_fast), (other, of_other) = (
        mean("mid", "plain"),
        mean("mid", "fast"),
        mean("sat", "fast"),
    )
    assert abs(plain - fast) < 5 * np.sqrt(of_plain + of_fast)
    assert abs(plain - other) > 5 * np.sqrt(of_plain + of_other)


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (
            "DE/half/1/one mid, N=5, F=0.5, Cr=0.5",
            "crossover 'one', which does not say exchanges='each' or exchanges='segment'",
        ),
        ("DE/half/1/bin mid, N=5, F=0.5, Cr=0.5, donors=first", "donors 'first', which does not say uniform=True"),
    ],
)
def test_what_the_fast_engine_has_no_law_of_is_done_by_the_plain_one(all_four, config, reason):
    assert debox.measure(config, n=2, budget=500, runs=1).engine == "plain"
    with pytest.raises(ValueError, match=f"the fast engine knows no law of {reason}; use engine='plain'"):
        debox.measure(config, n=2, budget=500, runs=1, engine="fast")
    with pytest.raises(ValueError, match="no exact formula is known"):
        theory.trial_infeasible(Config(config), 2)


def test_a_study_of_them_is_run_verified_and_estimated(all_four, tmp_path):
    from debox.study.verify import verify

    study = Study(
        name="own", runs=2, n=2, budget=300, N=5, F=0.5, Cr=0.5,
        mutation=["half/1", "rand/1"], crossover=["one", "bin"], strategy=["mid", "sat"], donors=["first", "distinct"],
    )  # fmt: skip
    store = debox.run(study, tmp_path / "store")
    assert len(store.finished()) == 32
    assert set(store.table()["strategy"]) == {"middle", "saturation"}
    found = verify(tmp_path / "store", sample=32)
    assert (found.is_good, found.is_complete) == (True, True)
    assert estimate.seconds(study) > 0


# A copy of an operator of debox under another name gives the same numbers.


def runs(engine, config, n=3, budget=1500):
    """What five runs leave, whose random numbers do not depend on names"""
    engine = ENGINES[engine](config, Box.unit(n), budget, np.array([budget]))
    for seed in range(5):
        engine.begin(np.random.default_rng(seed))
        engine.advance(budget)
        outcome = engine.outcome()
        yield outcome.infeasible, outcome.accepted, outcome.best_f, outcome.best_x.tolist()


def copy(slot, name):
    """The operator of this name as somebody's own"""
    operator = registry.find(slot, name)
    return register(replace(operator, name="copy", short="copy"))


@pytest.mark.parametrize(
    ("slot", "name"),
    [
        ("strategy", "COTN"),
        ("strategy", "dismiss"),
        ("mutation", "current-to-best/1"),
        ("crossover", "exp"),
        ("donors", "not-target"),
    ],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_copy_of_an_operator_has_its_runs_to_the_bit(slot, name, engine):
    config = Config("DE/current-to-best/1/exp COTN, N=6, F=0.7, Cr=0.6, donors=not-target")
    config = replace(config, **{slot: name})
    copy(slot, name)
    renamed = replace(config, **{slot: "copy"})
    assert list(runs(engine, renamed)) == list(runs(engine, config))
    if slot != "strategy":
        assert theory.trial_infeasible(renamed, 3) == theory.trial_infeasible(config, 3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_while_another_thread_registers_can_register():
    """The other thread holds the lock when the fork is asked for; the fork waits for it, the child finds it free."""
    held, release = threading.Event(), threading.Event()

    def hold():
        with LOCK:
            held.set()
            release.wait(10)

    other = threading.Thread(target=hold)
    other.start()
    held.wait(10)
    threading.Timer(0.2, release.set).start()
    child = os.fork()
    if child == 0:
        os._exit(0 if LOCK.acquire(timeout=5) else 1)
    other.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_an_operator_registered_while_names_are_collected_is_found_next_time_and_gone_when_withdrawn(
    operator, monkeypatch
):
    """Names are kept with the registrations of which they are the names, not with those that came meanwhile."""
    before, collect = registry.REGISTRATIONS, registry._in_slot

    def register_meanwhile(slot, *tables):
        monkeypatch.setattr(registry, "_in_slot", collect)
        found = collect(slot, *tables)
        register(operator("strategy", name="meanwhile"))
        return found

    monkeypatch.setattr(registry, "_NAMES", {})
    monkeypatch.setattr(registry, "_in_slot", register_meanwhile)
    assert registry.find("strategy", "mirror").name == "mirror"
    assert registry.find("strategy", "meanwhile").name == "meanwhile"
    registry.REGISTRATIONS = before
    assert registry.find_or_none("strategy", "meanwhile") is None


def test_what_another_thread_registers_while_a_file_is_loaded_is_not_the_files(operator):
    """It has its own origin, and stays when the file fails."""
    theirs = operator("strategy", name="theirs")
    thread = threading.Thread(target=register, args=[theirs], daemon=True)
    with suppress(ZeroDivisionError), Loading(registry.Origin("file ours.py")) as ours:
        thread.start()
        thread.join(20)
        raise ZeroDivisionError
    assert ours == []
    assert origin_of(registry.find("strategy", "theirs")).where.startswith("module ")


def test_what_another_thread_registers_too_stays_when_the_file_that_was_first_fails(operator):
    theirs = operator("strategy", name="shared")

    def load_too():
        with Loading(registry.Origin("file theirs.py")) as found:
            register(theirs)
        assert found == [theirs]

    with suppress(ZeroDivisionError), Loading(registry.Origin("file ours.py")):
        register(operator("strategy", name="shared"))
        thread = threading.Thread(target=load_too, daemon=True)
        thread.start()
        thread.join(20)
        raise ZeroDivisionError
    assert registry.find("strategy", "shared") == theirs


def test_what_a_file_registers_twice_is_gone_when_it_fails(operator):
    with suppress(ZeroDivisionError), Loading(registry.Origin("file ours.py")):
        register(operator("strategy", name="shared"))
        register(operator("strategy", name="shared"))
        raise ZeroDivisionError
    assert registry.find_or_none("strategy", "shared") is None
