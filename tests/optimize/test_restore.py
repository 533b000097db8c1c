"""A state is one that a run can be in, or an error: whatever is written in a file."""

import json
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest

from debox import Optimizer, jit, kernel
from debox.de.adaptations import TERMINAL
from debox.optimize import saved
from debox.optimize.archive import WrongContent, entries
from debox.optimize.restore import ADAPTIVE_ARRAYS, ARRAYS, restore_optimizer
from debox.registry import find
from debox.registry.checks.adaptation import check as check_adaptation

BOUNDS = [(-1, 1), (0, 0.5), (5, 9)]
N, BUDGET = 7, 150


def run(generations, asked=False):
    optimizer = Optimizer(BOUNDS, "DE/curr-to-best/1/exp", strategy="COTN", N=N, F=0.9, Cr=0.3, budget=BUDGET, rng=7)
    for _ in range(generations):
        optimizer.tell(X := optimizer.ask(), ((X - [0.9, 0.1, 5]) ** 2).sum(axis=1))
    if asked:
        optimizer.ask()
    return optimizer


def parts(optimizer):
    with np.load(BytesIO(saved.packed(optimizer))) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return json.loads(str(arrays.pop("state"))), arrays


def together(state, arrays):
    text = state if isinstance(state, str) else json.dumps(state)
    file = BytesIO()
    np.savez(file, state=np.array(text), **arrays)
    return restore_optimizer(entries(file.getvalue()))


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("generations", [0, 1, 2, 20])
def test_what_was_saved_passes(generations, asked):
    optimizer = run(generations, asked)
    twin = together(*parts(optimizer))
    assert saved.packed(twin) == saved.packed(optimizer)


def test_a_run_at_its_end_passes():
    optimizer = run(22)
    assert optimizer.done
    assert together(*parts(optimizer)).result.nfev == BUDGET


WRONG_SETTINGS = {
    "N": [8, 6, 0, -7, 7.0, True, 2**63, 10**30, None, "7"],
    "F": [0.0, 3.0, 1, True, "0.9", None, [0.9]],
    "Cr": [-0.1, 1.5, 0, None],
    "budget": [6, 10, 2**63, 10**30, 150.0, None, -1],
    "target": [1, "0", True, [0.0]],
    "variant": ["DE/rand/2/none", "test", 5, None, ["DE/rand/1/bin"]],
    "donors": ["test", None, 5],
    "strategy": ["COTN", ["COTN"], ["COTN"] * 4, [5] * 3, [["COTN"]] * 3, ["COTN", "dismiss", "COTN"], None],
    "bounds": [
        [[-1.0, 1.0], [0.0, 0.5], [5.0, 1e308]],
        [[-1.0, 1.0, 2.0]] * 3,
        [],
        [[0.0, 1.0]],
        [[-1.0, 1.0], [0.0, 0.5], [5, 9]],
        [[0.0, 1.0]] * 3,
        [[1.0, -1.0]] * 3,
        None,
        "abc",
        {"0": 1},
    ],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in WRONG_SETTINGS for value in WRONG_SETTINGS[name]]
)
def test_a_setting_that_no_optimizer_has_is_an_error(name, value):
    state, arrays = parts(run(2))
    state["settings"][name] = value
    with pytest.raises(WrongContent):
        together(state, arrays)


@pytest.mark.parametrize("name", ["init", "rng", "unknown", "self", "workers"])
def test_a_keyword_more_is_an_error(name):
    state, arrays = parts(run(2))
    state["settings"][name] = None
    with pytest.raises(WrongContent, match="its settings are bounds, variant, strategy"):
        together(state, arrays)


@pytest.mark.parametrize("part", ["format", "settings", "scalars", "rng"])
@pytest.mark.parametrize("value", [None, 5, [], {}, "test"], ids=repr)
def test_a_part_that_is_something_else_is_an_error(part, value):
    state, arrays = parts(run(2))
    with pytest.raises(WrongContent):
        together(state | {part: value}, arrays)
    with pytest.raises(WrongContent):
        together({name: state[name] for name in state if name != part}, arrays)
    with pytest.raises(WrongContent):
        together(state | {"more": value}, arrays)


@pytest.mark.parametrize(
    "text", ["", "[" * 100_000, '{"a":' * 100_000, "9" * 10_000, "null", "[]", '"x"', "NaN", '{"format": Infinity}']
)
def test_a_text_that_is_no_state_is_an_error(text):
    with pytest.raises(WrongContent, match=r"its state is JSON|its format is"):
        together(text, parts(run(2))[1])


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("_generations", [-2, 0, 1, 3, 2**63, 10**30, 2.0, True, None]),
        ("_best", [-1, 7, 2**63, 10**30, True, None]),
        ("_stopped", [-1, 2, 0.5, True, None]),
    ],
)
def test_a_scalar_out_of_range_or_that_does_not_fit_is_an_error(name, values):
    for value in values:
        state, arrays = parts(run(3))
        state["scalars"][name] = value
        with pytest.raises(WrongContent):
            together(state, arrays)


def test_no_generation_comes_after_the_end():
    last = -(-BUDGET // N) - 1
    state, arrays = parts(run(last + 1))
    together(state, arrays)
    state["scalars"]["_generations"] = last + 1
    with pytest.raises(WrongContent, match="no generation comes after the end"):
        together(state, arrays)


def test_the_best_is_none_but_the_best():
    state, arrays = parts(run(3))
    best = state["scalars"]["_best"]
    for other in set(range(N)) - {best}:
        state["scalars"]["_best"] = other
        with pytest.raises(WrongContent, match="the best is where the smallest value is"):
            together(state, arrays)


WRONG_NUMBERS = [
    ("_P", (0, 0), [1.5, -1.5, np.nan, np.inf, 1e308]),
    ("_asked", (0, 0), [1.5, -1.5, np.nan, np.inf]),
    ("_counts", 0, [-1, 0, 20, 22, 150, 2**63 - 1, -(2**63)]),
    ("_counts", 1, [-1, 15, 2**63 - 1]),
    ("_counts", 2, [-1, 15, 2**63 - 1]),
    ("_counts", 3, [-1, 22, 2**63 - 1]),
    ("_counts", 4, [-1, 0, 100, 2**63 - 1]),
    ("_infeasible_at", 0, [-1, 1, 2**63 - 1]),  # none of the initial points
    ("_infeasible_at", 13, [-1, 20, 2**63 - 1]),
    ("_infeasible_at", 14, [1, -1, 2**63 - 1]),  # the mark after the last one passed
    ("_infeasible_at", 99, [1, -1]),
    ("_violations", 0, [-1, 15, 2**63 - 1, -(2**63)]),
    ("_asked_violations", 0, [-1, 8, 2**63 - 1, -(2**63)]),
]


@pytest.mark.parametrize(("name", "place", "values"), WRONG_NUMBERS)
def test_a_number_that_no_run_has_is_an_error(name, place, values):
    for value in values:
        state, arrays = parts(run(3, asked=True))
        arrays[name][place] = value
        with pytest.raises(WrongContent):
            together(state, arrays)


@pytest.mark.parametrize("name", [*ARRAYS, "_asked"])
def test_an_array_of_another_type_or_shape_is_an_error(name):
    state, arrays = parts(run(3, asked=True))
    array = arrays[name]
    others = [
        array.astype(np.float32),
        array.astype(array.dtype.newbyteorder()) if array.itemsize > 1 else array.astype(int),
    ]
    others += [array[:-1], array[:0], np.concatenate([array, array]), array[None], array.sum(), array.astype(complex)]
    for other in others:
        with pytest.raises(WrongContent):
            together(state, arrays | {name: np.asarray(other)})


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_that_is_missing_or_of_no_use_is_an_error(name):
    state, arrays = parts(run(3))
    with pytest.raises(WrongContent, match="its entries are those of an optimizer"):
        together(state, arrays | {"other": arrays[name]})
    del arrays[name]
    with pytest.raises(WrongContent, match="its entries are those of an optimizer"):
        together(state, arrays)


@pytest.mark.parametrize("asked", [False, True])
def test_an_initial_population_that_is_infeasible_is_an_error(asked):
    state, arrays = parts(run(0, asked=asked))
    arrays["_asked_infeasible"][1] = True
    with pytest.raises(WrongContent, match="the initial population is feasible"):
        together(state, arrays)


@pytest.mark.parametrize("generations", [0, 22])
def test_before_the_first_and_after_the_last_values_no_others_are_counted_or_asked_for(generations):
    state, arrays = parts(run(generations))
    with pytest.raises(WrongContent):
        together(state, arrays | {"_asked": np.tile([0.5, 0.25, 6.5], (N, 1))})
    for name in ("_counts", "_infeasible_at", "_violations"):
        if not generations:
            with pytest.raises(WrongContent):
                together(state, arrays | {name: arrays[name] + 1})
    if not generations:
        with pytest.raises(WrongContent):
            together(state, arrays | {"_f": np.zeros(N)})


def test_infeasible_trials_cannot_come_faster_than_trials():
    state, arrays = parts(run(22))
    assert arrays["_counts"][1] > 10
    jump = np.where(np.arange(100) < 50, 0, arrays["_counts"][1])
    with pytest.raises(WrongContent, match="infeasible trials are counted as they come"):
        together(state, arrays | {"_infeasible_at": jump})


# Adaptive runs.


@pytest.fixture
def interpreted():
    """Without compiling: a state is the same either way."""
    with jit.interpreted():
        yield


def adaptive_run(recipe, generations, asked=False, **more):
    settings = {"N": 12, "budget": 200, "strategy": "saturation", "rng": 3} | more
    optimizer = Optimizer(BOUNDS, recipe, **settings)
    while not optimizer.done and optimizer._generations < generations:
        optimizer.tell(X := optimizer.ask(), ((X - [0.9, 0.1, 5]) ** 2).sum(axis=1))
    if asked and not optimizer.done:
        optimizer.ask()
    return optimizer


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("recipe", ["jDE", "JADE", "SHADE", "L-SHADE", "DE/curr-to-pbest/1/bin"])
@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("generations", [-1, 0, 1, 9, 99])
def test_what_was_saved_of_an_adaptive_run_passes(recipe, generations, asked):
    optimizer = adaptive_run(recipe, generations, asked)
    twin = together(*parts(optimizer))
    assert saved.packed(twin) == saved.packed(optimizer)
    ours, theirs = (one._de.adaptation.order[: one._N].tolist() for one in (twin, optimizer))
    assert ours == theirs


@pytest.mark.usefixtures("interpreted")
def test_a_file_without_adaptation_is_one_of_classic_differential_evolution():
    state, arrays = parts(run(3, asked=True))
    assert state["settings"].pop("adaptation") == "fixed"
    assert saved.packed(together(state, arrays)) == saved.packed(run(3, asked=True))


WRONG_ADAPTIVE_NUMBERS = [
    ("_sizes", 0, [0, 3, 4, -1, 9, 11, 12, 13, 2**63 - 1, -(2**63)]),  # 10 now
    ("_sizes", 1, [0, -1, 24, 32, 2**63 - 1, -(2**63)]),
    ("_sizes", 2, [-1, 6, 2**63 - 1, -(2**63)]),
    ("_memory", (0, 0), [0.0, -0.1, 2.1, np.nan, np.inf, -1e300]),
    ("_memory", (1, 5), [-0.1, 1.1, -1.5, np.nan, -np.inf]),
    ("_F_Cr", (0, 0), [0.0, -0.1, 2.1, np.nan, -np.inf]),
    ("_F_Cr", (1, 0), [-0.1, 1.1, -1.0, np.nan]),
    ("_archive", (0, 0), [1.5, -1.5, np.nan, np.inf]),
    ("_P", (11, 0), [1.5, np.nan]),  # of one that left
    ("_f", 11, [0.0, 1.0, -np.inf, np.inf]),
    ("_counts", 0, [0, 11, 12, 60, 61, 84, 200, -(2**63), 2**63 - 1]),
    ("_counts", 2, [0, 1]),  # fewer than are archived
]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("name", "place", "values"), WRONG_ADAPTIVE_NUMBERS)
def test_a_number_that_no_adaptive_run_has_is_an_error(name, place, values):
    state, arrays = parts(adaptive_run("L-SHADE", 4, asked=True))
    assert arrays["_sizes"][0] == 10
    assert arrays["_sizes"][1] > 1
    for value in values:
        wrong = arrays[name].copy()
        wrong[place] = value
        with pytest.raises(WrongContent):
            together(state, arrays | {name: wrong})


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", [*ARRAYS, *ADAPTIVE_ARRAYS, "_asked"])
def test_an_array_of_an_adaptive_run_of_another_shape_or_missing_is_an_error(name):
    state, arrays = parts(adaptive_run("L-SHADE", 4, asked=True))
    array = arrays[name]
    for other in (array[:-1], array[:0], np.concatenate([array, array]), array[None], array.astype(np.float32)):
        with pytest.raises(WrongContent):
            together(state, arrays | {name: np.asarray(other)})
    without = {other: arrays[other] for other in arrays if other != name}
    if name == "_asked":
        together(state, without)
        return
    with pytest.raises(WrongContent, match="its entries are those of an optimizer"):
        together(state, without)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("adaptation", name) for name in ("SHADE", "fixed", "other", None)],
        *[("budget", budget) for budget in (12, 150, 2**60)],
        ("variant", "DE/rand/1/bin"),
        ("N", 13),
        ("N", 2**40),
    ],
)
def test_a_setting_that_does_not_fit_an_adaptive_run_is_an_error(name, value):
    state, arrays = parts(adaptive_run("L-SHADE", 4))
    state["settings"][name] = value
    with pytest.raises(WrongContent):
        together(state, arrays)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("generations", [-1, 0, 1, 3, 20, 10**6, 2**62])
def test_generations_that_do_not_fit_the_evaluations_of_a_shrinking_population_are_an_error(generations):
    state, arrays = parts(adaptive_run("L-SHADE", 4))
    state["scalars"]["_generations"] = generations
    with pytest.raises(WrongContent):
        together(state, arrays)


@pytest.mark.usefixtures("interpreted")
def test_nothing_is_learned_before_the_first_trials():
    for name, change in (("_memory", 0.1), ("_sizes", [0, 0, 1]), ("_sizes", [0, 1, 0])):
        state, arrays = parts(adaptive_run("L-SHADE", 0))
        with pytest.raises(WrongContent):
            together(state, arrays | {name: arrays[name] + change})


@pytest.mark.usefixtures("interpreted")
def test_points_outside_pass_where_the_strategy_leaves_them_there():
    optimizer = adaptive_run("L-SHADE", 5, asked=True, strategy="none", N=20, budget=300)
    assert not optimizer.box.contains(parts(optimizer)[1]["_archive"]).all()
    assert saved.packed(together(*parts(optimizer))) == saved.packed(optimizer)


@pytest.mark.usefixtures("interpreted")
def test_a_population_has_not_shrunk_before_the_first_trials():
    """20 − 16 · 20/100 = 16.8 are due after 20 evaluations, but only a generation of trials lets the worst leave."""
    optimizer = adaptive_run("L-SHADE", 0, N=20, budget=100)
    assert optimizer._N == 20
    assert saved.packed(together(*parts(optimizer))) == saved.packed(optimizer)


@pytest.mark.usefixtures("interpreted")
def test_a_terminal_cell_passes_as_what_it_is():
    state, arrays = parts(adaptive_run("L-SHADE", 4, asked=True))
    arrays["_memory"][1, 3] = TERMINAL
    assert together(state, arrays)._de.adaptation.memory[1, 3] == TERMINAL


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("recipe", ["jDE", "JADE", "SHADE"])
def test_a_terminal_cell_of_an_adaptation_that_has_none_is_an_error(recipe):
    state, arrays = parts(adaptive_run(recipe, 4, asked=True))
    arrays["_memory"][1, -1] = TERMINAL
    with pytest.raises(WrongContent, match="F and Cr of the memory are in their range"):
        together(state, arrays)


@pytest.mark.usefixtures("interpreted")
def test_F_and_Cr_that_are_fixed_are_never_learned():
    """current-to-pbest/1 has a memory, for its p-best, and fixed F and Cr stay in it."""
    state, arrays = parts(adaptive_run("DE/curr-to-pbest/1/bin", 4))
    together(state, arrays)
    for row in (0, 1):
        changed = arrays["_memory"].copy()
        changed[row] += 0.1
        with pytest.raises(WrongContent, match="without trials nothing is learned"):
            together(state, arrays | {"_memory": changed})


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    ("F", "Cr"), [(0.0, 0.5), (-0.1, 0.5), (2.1, 0.5), (np.nan, 0.5), (0.5, 1.1), (0.5, -1.0), (0.5, np.nan)]
)
def test_a_memory_is_refused_on_load_as_where_an_adaptation_is_registered(F, Cr):
    """Both say no to what the other does not allow: a run that is saved can be loaded."""

    @kernel
    def learn(F_Cr, gain, memory, cell):
        """The memory is always the same"""
        memory[0, cell], memory[1, cell] = F, Cr
        return cell

    SHADE = find("adaptation", "SHADE")
    with pytest.raises(ValueError, match=r"left memory = .* allowed are 0 < F ≤ 2 and 0 ≤ Cr ≤ 1"):
        check_adaptation(replace(SHADE, name="same", learn=learn))
    state, arrays = parts(adaptive_run("SHADE", 4))
    arrays["_memory"][:, 0] = F, Cr
    with pytest.raises(WrongContent, match="F and Cr of the memory are in their range"):
        together(state, arrays)


@pytest.mark.usefixtures("interpreted")
def test_an_archive_that_is_larger_than_it_may_be_is_an_error_though_its_size_says_so():
    state, arrays = parts(adaptive_run("L-SHADE", 4))
    arrays["_counts"][2] = arrays["_counts"][0] - 12  # all trials accepted: that many may be archived
    for archived, passes in ((26, True), (27, False)):  # 2.6 · 10
        arrays["_sizes"][1] = archived
        arrays["_archive"] = np.tile(arrays["_P"][0], (archived, 1))
        if passes:
            assert len(parts(together(state, arrays))[1]["_archive"]) == archived
            continue
        with pytest.raises(WrongContent, match="the archive is no larger than it may be"):
            together(state, arrays)
