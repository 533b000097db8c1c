"""Checks: the value as its type, or an error that names the argument, the value and what is allowed."""

import os
from decimal import Decimal
from fractions import Fraction
from inspect import signature

import numpy as np
import pytest
from scipy.optimize import differential_evolution

import debox
from debox import Config, Optimizer, check, minimize


def share(value):
    return check.real("share", value, "0 < share ≤ 1", lambda share: 0 < share <= 1)


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3), 3.0, np.float32(3)])
def test_an_integer_is_an_int_however_it_is_written(value):
    assert type(check.integer("N", value, 3)) is int
    assert check.integer("N", value, 3) == 3


def test_an_integer_is_no_larger_than_can_be_counted():
    assert check.integer("n", 2**63 - 1, 1) == 2**63 - 1


NUMBER = "share must be a number with 0 < share ≤ 1, got {!r}"
SHARES = "checkpoints must be a sequence of rising numbers in (0, 1), got {!r}"
INTEGER = "N must be an integer ≥ 3, got {!r}"
WRONG = [  # call, wrong values, message
    (lambda N: check.integer("N", N, 3), [2, -(10**30), 3.5, 2.0, np.inf, "3", None, True, np.True_], INTEGER),
    (lambda N: check.integer("N", N, 3, "why"), [2, 2.0], f"{INTEGER}: why"),
    (lambda N: check.integer("N", N, 3, "why"), [[3], np.nan, 3.5, "2"], INTEGER),
    (lambda n: check.integer("n", n, 1), [2**63, 1e19], "n must be an integer ≤ 9223372036854775807, got {!r}"),
    (share, [0, -0.0, 1.01, np.nan, np.inf, -np.inf, "0.5", b"0.5", None, True, np.True_, [0.5], 10**400], NUMBER),
    (share, [1j, 0.5 + 0j, np.complex128(0.5), np.ma.masked, np.array([0.5]), np.longdouble("1e4000")], NUMBER),
    (share, [np.datetime64(1, "s"), np.timedelta64(1, "s")], NUMBER),
    (lambda shares: check.shares("checkpoints", shares), [0.5, None, "0.5", (0.5, 0.2), (0.5, 0.5)], SHARES),
    (
        lambda value: check.shares("checkpoints", (0.5, value)),
        [0, 1.0, -0.1, np.nan, "half", None],
        "checkpoints must be a number with 0 < share < 1, got {!r}",
    ),
    (
        lambda value: check.boolean("frozen", value),
        [0, 1, None, "True", np.True_],
        "frozen must be True or False, got {!r}",
    ),
    (check.generator, [-1, 1.5, "seed", True], "rng must be an integer ≥ 0, a numpy Generator or None, got {!r}"),
    (check.seed, [-1, 1.5, "seed", True], "rng must be an integer ≥ 0, got {!r}"),
    (
        lambda value: check.choice("engine", value, ["auto", "fast"]),
        ["Fast", "", None, 1, ["fast"]],
        "engine must be one of auto, fast, got {!r}",
    ),
    (check.workers, [0, -2, 1.5, "two", None, True], "workers must be an integer ≥ 1 or -1 for all cores, got {!r}"),
]


@pytest.mark.parametrize(("call", "values", "message"), WRONG)
def test_a_wrong_value_is_named_with_what_is_allowed(call, values, message):
    for value in values:
        with pytest.raises(ValueError) as error:
            call(value)
        assert str(error.value) == message.format(value)


TEXT = "DE/rand/1/bin sat, N=5, F=0.5, Cr=0.5"
FACTORS = {"mutation": "rand/1", "crossover": "bin", "strategy": "sat", "N": 5, "F": 0.5, "Cr": 0.5}
WITH_BUDGET = {  # last those that would run for ever with too large a budget
    "Study": lambda budget: debox.Study(name="one", budget=budget, **FACTORS),
    "Config.of": lambda budget: debox.Config.of("debox", n=3, budget=budget),
    "theory": lambda budget: debox.theory.frozen_pois(debox.Config(TEXT), 3, budget),
    "Optimizer": lambda budget: debox.Optimizer([(0, 1)], "L-SHADE", budget=budget),
    "Optimizer with N": lambda budget: debox.Optimizer([(0, 1)], N=9, budget=budget),
    "Optimizer with init": lambda budget: debox.Optimizer([(0, 1)], init=np.linspace(0, 1, 9)[:, None], budget=budget),
    "measure": lambda budget: debox.measure(TEXT, budget=budget),
    "measure a recipe": lambda budget: debox.measure("L-SHADE", n=3, budget=budget),
    "measure_many": lambda budget: debox.measure_many(["jDE", TEXT], budget=budget),
}


@pytest.mark.parametrize("name", WITH_BUDGET)
def test_every_budget_has_the_same_limit_and_message(name):
    for budget in (2**60 + 1, 2**63 - 1, 2**63, 10**30):
        with pytest.raises(ValueError) as error:
            WITH_BUDGET[name](budget)
        message = f"budget must be at most {2**60} evaluations, got {budget}"
        assert str(error.value).removeprefix("configs[0]: ") == message


@pytest.mark.parametrize(
    "name", ["Optimizer", "Optimizer with N", "Optimizer with init", "Config.of", "Study", "theory"]
)
def test_a_budget_at_the_limit_is_allowed(name):
    WITH_BUDGET[name](2**60)


@pytest.mark.parametrize(
    "value", [0.5, 1, np.float32(0.5), np.int64(1), Decimal("0.5"), Fraction(1, 2), np.array(0.5), np.longdouble(0.5)]
)
def test_a_real_is_a_float(value):
    assert type(share(value)) is float
    assert share(value) == value


def test_shares_are_rising_floats():
    assert check.shares("checkpoints", [0.25, np.float32(0.5)]) == (0.25, 0.5)
    assert check.shares("checkpoints", np.array([0.1])) == (0.1,)
    assert check.shares("checkpoints", ()) == ()


def test_a_generator_is_kept_and_a_seed_makes_one():
    rng = np.random.default_rng(1)
    assert check.generator(rng) is rng
    assert check.generator(7).random() == np.random.default_rng(7).random()
    assert check.generator(None).random() != check.generator(None).random()


def test_a_seed_is_itself_or_drawn():
    assert [check.seed(value) for value in (0, 2**80, np.int64(5))] == [0, 2**80, 5]
    rng = np.random.default_rng(1)
    drawn = [check.seed(rng), check.seed(rng)]
    assert drawn == [check.seed(np.random.default_rng(1)), drawn[1]]
    assert drawn[0] != drawn[1]
    assert check.seed(None) != check.seed(None)
    assert all(type(seed) is int and 0 <= seed < 2**63 for seed in drawn)


@pytest.mark.parametrize(("scipys", "ours"), [("popsize", "N"), ("maxiter", "budget"), ("seed", "rng")])
def test_a_keyword_of_scipy_is_answered_with_ours(scipys, ours):
    with pytest.raises(TypeError, match=rf"^unknown option '{scipys}'; use {ours}\b"):
        minimize(abs, [(0, 1)], **{scipys: 1})


def test_a_keyword_of_scipy_is_answered_with_what_the_function_has():
    """Config has no rng, and Optimizer no callback."""
    with pytest.raises(TypeError, match=r"^unknown option 'seed'; choose from text, mutation, .*, adaptation$"):
        Config(seed=3)
    with pytest.raises(TypeError, match=r"^unknown option 'constraints'; choose from text, mutation"):
        Config(constraints=())
    with pytest.raises(TypeError, match=r"^unknown option 'popsize'; use N, the size of the whole population$"):
        Config(popsize=15)
    with pytest.raises(TypeError, match=r"; use tol, which is relative to"):
        Optimizer([(0, 1)], atol=0.01)
    with pytest.raises(TypeError, match=r"^unknown option 'atol'; choose from text, mutation"):
        Config(atol=0.01)


@pytest.mark.parametrize("mutation", [0.8, (0.5, 1)])
def test_a_number_as_mutation_is_answered_with_F(mutation):
    with pytest.raises(ValueError, match=r"mutation must be a name, got .*; the scale factor is F; choose from rand/1"):
        minimize(abs, [(0, 1)], mutation=mutation)


def test_every_keyword_of_scipy_is_ours_or_has_an_answer():
    scipys = signature(differential_evolution).parameters.keys() - {"func"}
    assert {"popsize", "tol", "bounds"} <= scipys
    assert scipys - signature(minimize).parameters.keys() <= check.KEYWORDS_ELSEWHERE.keys()
    assert not check.KEYWORDS_ELSEWHERE.keys() & signature(minimize).parameters.keys()


def test_workers_are_a_number_or_all_cores():
    assert check.workers(-1) == os.cpu_count()
    assert [check.workers(1), check.workers(np.int64(3))] == [1, 3]


def test_the_source_of_wrong_values_is_named():
    with pytest.raises(ValueError, match=r"^f must hold 3 values, one per point, got shape \(2,\)$"):
        check.values([1, 2], 3, "f must hold")
    with pytest.raises(ValueError, match=r"^the objective must give numbers, got 'abc'$"):
        check.values("abc", 3)


@pytest.mark.parametrize(
    "f",
    [
        [1, 2, 3],
        (1.0, 2.0, 3.0),
        np.array([1, 2, 3], np.float32),
        np.arange(6)[::2] / 2 + 1,
        [1, Fraction(2), Decimal(3)],
        np.ma.array([1, 2, 3]),
    ],
    ids=repr,
)
def test_values_are_a_row_of_floats(f):
    values = check.values(f, 3)
    assert values.dtype == np.float64
    assert values.flags.c_contiguous
    assert values.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("f", "message"),
    [
        ([1, 2], r"3 values, one per point, got shape \(2,\)"),
        ([[1, 2, 3]], r"got shape \(1, 3\)"),
        (1.0, "3 values, one per point"),
        (["a", "b", "c"], r"must give numbers, got \['a', 'b', 'c'\]"),
        ([1j, 2, 3], "must give numbers, got "),
        ([None, 1, 2], "must give numbers, got "),
        ([np.ma.masked, 1, 2], "must give numbers, got .*: masked values are not numbers"),
        (np.ma.array([1, 2, 3], mask=[0, 0, 1]), r"must give numbers, got (.|\n)*: masked values are not numbers"),
        (["1", "2", "3"], "must give numbers, got "),
        (np.array([1, 2, 3], "datetime64[s]"), "must give numbers, got "),
        ([1, 2, 10**400], "must give numbers, got "),
    ],
)
def test_what_is_no_row_of_values_is_named(f, message):
    with pytest.raises(ValueError, match=message):
        check.values(f, 3)
