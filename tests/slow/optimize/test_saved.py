"""Saved optimizers: they go on to the same end, or are refused, whatever was cut, flipped or crafted."""

import copy
import errno
import json
import os
import pickle
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, RUNS, drive

import debox
from debox import Optimizer, operators
from debox.optimize import saved

REFUSED = r"is not a file that Optimizer\.save wrote, or not all of it, or from another version of debox$"


def a_run(generations=0, asked=False, **options):
    """Of classic Differential Evolution, N = 7."""
    settings = {"variant": "DE/curr-to-best/1/exp", "strategy": "COTN", "N": 7, "F": 0.9, "Cr": 0.3, "budget": 150}
    optimizer = drive(Optimizer(BOUNDS, **settings | {"rng": 7} | options), generations)
    if asked:
        optimizer.ask()
    return optimizer


def adaptive(variant="L-SHADE"):
    return a_run(4, True, variant=variant, strategy="saturation", N=12, budget=200, rng=3)


KINDS = {
    "begun": a_run,
    "asked": lambda: a_run(0, asked=True),
    "classic": lambda: a_run(3, asked=True),
    "adaptive": adaptive,
    "twister": lambda: a_run(2, rng=np.random.Generator(np.random.MT19937(7))),
    "philox": lambda: a_run(2, rng=np.random.Generator(np.random.Philox(7))),
}
classic = KINDS["classic"]


def parts(optimizer):
    """The state and the arrays that a file holds."""
    with np.load(BytesIO(saved.packed(optimizer))) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return json.loads(str(arrays.pop("state"))), arrays


def together(state, arrays):
    """The optimizer of such a file."""
    file = BytesIO()
    np.savez(file, state=np.array(state if isinstance(state, str) else json.dumps(state)), **arrays)
    return saved.unpacked(file.getvalue())


def refuses(state, arrays):
    with pytest.raises(ValueError, match=f"^the pickled Optimizer ({REFUSED}|has an unknown)"):
        together(state, arrays)


# What was saved goes on.


def goes_on(begin):
    """A run that is saved and loaded at every moment ends as the undisturbed one."""
    undisturbed, optimizer = drive(begin()), begin()
    while not optimizer.done:
        for _ in range(2):  # the second time it waits for values
            loaded = saved.unpacked(saved.packed(optimizer))
            assert_same_result(loaded.result, optimizer.result)
            np.testing.assert_equal(loaded.rng.bit_generator.state, optimizer.rng.bit_generator.state)
            np.testing.assert_array_equal(loaded.ask(), optimizer.ask())
            optimizer = loaded
        optimizer = drive(optimizer, 1)
    assert saved.packed(optimizer) == saved.packed(saved.unpacked(saved.packed(undisturbed)))
    assert optimizer.config == undisturbed.config
    assert_same_result(optimizer.result, undisturbed.result)


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_a_run_saved_at_every_moment_goes_on_to_the_same_end(options):
    goes_on(lambda: Optimizer(BOUNDS, **options))


@pytest.mark.parametrize("name", saved.BIT_GENERATORS)
def test_every_bit_generator_is_kept_in_the_middle_of_a_draw(name):
    def begin():
        rng = np.random.Generator(getattr(np.random, name)(7))
        rng.integers(9, dtype=np.uint32)  # leaves half a draw buffered in the bit generator: part of its state
        return a_run(budget=20, rng=rng)

    goes_on(begin)


def test_nan_values_a_stop_and_every_setting_are_kept(tmp_path):
    options = {"N": 9, "F": 1.2, "Cr": 0.1, "budget": 99, "donors": "not-target", "target": 1e-3, "repair": "mutant"}
    optimizer = Optimizer(BOUNDS, "DE/rand/2/bin", strategy="tor", rng=1, **options)
    with pytest.warns(RuntimeWarning, match="NaN"):
        optimizer.tell(optimizer.ask(), np.full(9, np.nan))
    optimizer.stop()
    optimizer.save(tmp_path / "run")
    loaded = Optimizer.load(str(tmp_path / "run"))
    assert_same_result(loaded.result, optimizer.result)
    assert (loaded.done, loaded.result.status, loaded.result.n_nan) == (True, 2, 9)
    assert loaded.config == optimizer.config
    assert (loaded.budget, loaded.target, loaded.strategies) == (99, 1e-3, ["toroidal"] * 3)
    assert [loaded.box.lower.tolist(), loaded.box.upper.tolist()] == np.transpose(BOUNDS).tolist()


def test_a_file_of_an_earlier_version_is_one_of_classic_differential_evolution():
    state, arrays = parts(classic())
    assert (state["settings"].pop("adaptation"), state["settings"].pop("repair")) == ("fixed", "trial")
    del state["scalars"]["_trials"]
    assert saved.packed(together(state, arrays)) == saved.packed(classic())


def test_a_terminal_cell_is_kept():
    state, arrays = parts(adaptive())
    arrays["_memory"][1, -1] = -1.0
    assert together(state, arrays)._loop.memory[1, -1] == -1.0


@pytest.mark.parametrize("copied", [lambda run: pickle.loads(pickle.dumps(run)), copy.deepcopy, copy.copy])
def test_a_copy_goes_on_to_the_same_end_and_leaves_the_original_alone(copied):
    optimizer = classic()
    before, twin = optimizer.result, copied(optimizer)
    assert_same_result(drive(twin).result, drive(a_run()).result)
    assert_same_result(optimizer.result, before)
    assert_same_result(drive(optimizer).result, twin.result)


# What is refused.


def test_a_flipped_bit_is_refused_or_changes_nothing():
    """One of every byte was flipped once; `make torture` goes on with bytes drawn at random."""
    data, rng, refused = saved.packed(classic()), np.random.default_rng(1), 0
    for _ in range(300):
        flipped = bytearray(data)
        flipped[rng.integers(len(data))] ^= 1 << int(rng.integers(8))
        try:
            assert saved.packed(saved.unpacked(bytes(flipped))) == data
        except ValueError as error:
            refused += "is not a file that Optimizer.save wrote" in str(error)
    assert 200 < refused < 300


def written(save, **options):
    file = BytesIO()
    save(file, **options)
    return file.getvalue()


WHOLE = saved.packed(a_run(2))
FOREIGN = {
    "cut": [WHOLE[:length] for length in (0, 1, 10, *range(100, len(WHOLE), 999), len(WHOLE) - 1)],
    "no bytes": [None, 5, "text"],
    "text": [b"hello" * 99],
    "npy": [written(np.save, arr=np.zeros(3)), written(np.save, arr=np.array([{}]))],
    "pickle": [written(np.savez, state=np.array([{}]))],
    "other": [written(np.savez, x=np.zeros(3)), written(np.savez, state=np.array('{"format": "debox optimizer 999"}'))],
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_cut_or_foreign_file_is_refused_and_nobody_is_advised_to_unpickle_it(tmp_path, kind):
    for data in FOREIGN[kind]:
        with pytest.raises(ValueError, match=f"^the pickled Optimizer {REFUSED}") as error:
            saved.unpacked(data)
        assert "pickle" not in str(error.value).removeprefix("the pickled")
    if isinstance(data, bytes):
        (tmp_path / "run").write_bytes(data)
        with pytest.raises(ValueError, match=f"^'{tmp_path}/run' {REFUSED}"):
            Optimizer.load(tmp_path / "run")


@pytest.mark.parametrize("part", ["format", "settings", "scalars", "rng"])
def test_a_state_that_is_something_else_or_lacks_a_part_is_refused(part):
    state, arrays = parts(a_run(2))
    for value in (None, 5, [], {}, "test"):
        refuses(state | {part: value}, arrays)
    refuses({name: state[name] for name in state if name != part}, arrays)
    for text in ("", "[" * 100_000, '{"a":' * 100_000, "9" * 10_000, "null", "[]", '"x"', "NaN"):
        refuses(text, arrays)


def with_value(state, arrays, place, value):
    """The state and the arrays with another value at a place: keys, and perhaps an index of an array."""
    everything = copy.deepcopy(state | arrays)
    inside, (*keys, last) = everything, place.split()
    for key in keys:
        inside = inside[key]
    if isinstance(inside, np.ndarray):
        inside.flat[int(last)] = value
    else:
        inside[last] = value(inside[last]) if callable(value) else value
    return {key: everything[key] for key in state}, {key: everything[key] for key in everything if key not in state}


BOUNDS_OF_OTHERS = [[[-1, 1], [0, 2], [5, 1e308]], [[-1, 1, 2]] * 3, [], [[0, 1]], [[1, -1]] * 3, "a"]
LARGEST, SMALLEST = 2**63 - 1, -(2**63)
WRONG = [
    ("classic", "settings N", [8, 6, 0, -7, 7.5, True, 2**40, 2**63, 10**30, "7"]),
    ("classic", "settings F", [0.0, 3.0, "0.9", [0.9]]),
    ("classic", "settings Cr", [-0.1, 1.5]),
    ("classic", "settings budget", [6, 10, 149.5, 2**63, 10**30, -1]),
    ("classic", "settings target", ["0", True, [0.0]]),
    ("classic", "settings variant", ["DE/rand/2/none", "test", 5, None, ["DE/rand/1/bin"]]),
    ("classic", "settings donors", ["test", 5]),
    ("classic", "settings repair", ["test"]),
    ("classic", "settings adaptation", ["SHADE", "test"]),
    ("classic", "settings strategy", [["COTN"], ["COTN"] * 4, [5] * 3, [["COTN"]] * 3, ["COTN", "dismiss", "COTN"]]),
    ("classic", "settings bounds", BOUNDS_OF_OTHERS),
    *[("classic", f"settings {more}", [None]) for more in ("rng", "workers")],
    ("adaptive", "settings adaptation", ["SHADE", "fixed"]),
    ("adaptive", "settings variant", ["DE/rand/1/bin"]),
    ("adaptive", "settings N", [11, 13]),
    ("adaptive", "settings budget", [150, 300]),
    # classic: 21 evaluations, of which 14 of trials, 14 of 100 marks passed, 7 asked for
    ("classic", "scalars _generations", [2.0, None]),
    ("classic", "scalars _trials", [0, 6, 8, None]),
    ("classic", "_counts 0", [-1, 0, 20, 150, LARGEST, SMALLEST]),
    ("classic", "_counts 4", [-1, 0, 13, 15, 100, LARGEST]),
    ("adaptive", "_sizes 0", [0, 3, 4, -1, 9, 11, 12, 13, LARGEST, SMALLEST]),
    ("adaptive", "_sizes 1", [0, -1, 24, 32, LARGEST, SMALLEST]),
    ("adaptive", "_sizes 2", [-1, 6, LARGEST, SMALLEST]),
    ("adaptive", "_memory 0", [0.0, -0.1, np.nan, -np.inf]),
    ("adaptive", "_F_Cr 0", [0.0, -0.1, np.nan, -np.inf]),
    ("adaptive", "_counts 0", [0, 11, 12, 60, 61, 84, 200, LARGEST, SMALLEST]),
    # before the first values nothing is counted
    ("begun", "_counts", [lambda a: a + 1]),
    ("asked", "_counts", [lambda a: a + 1]),
    # NumPy would read elsewhere in memory
    ("twister", "rng state pos", [-1, 625]),
    ("twister", "rng state key", [[1] * 623]),
    ("philox", "rng buffer_pos", [-1, 5]),
    ("classic", "rng state", [{"state": 2**128, "inc": 1}, None, 5]),
    ("classic", "rng bit_generator", ["MT19937", "Generator", "RandomState", "seed", "", 5, None]),
]


@pytest.mark.parametrize(("kind", "place", "values"), WRONG)
def test_what_no_run_has_in_a_place_is_refused(kind, place, values):
    state, arrays = parts(KINDS[kind]())
    for value in values:
        refuses(*with_value(state, arrays, place, value))


@pytest.mark.parametrize("kind", ["classic", "adaptive"])
def test_an_array_of_another_type_or_shape_or_missing_is_refused(kind):
    state, arrays = parts(KINDS[kind]())
    for name, array in arrays.items():
        others = [array.astype(np.float32), array.astype(array.dtype.newbyteorder()) if array.itemsize > 1 else []]
        others += [array[:-1], array[:0], array[None], array.sum(), np.concatenate([array, array])]
        for other in others:
            refuses(state, arrays | {name: np.asarray(other)})
        refuses(state, {other: arrays[other] for other in arrays if other != name})
    refuses(state, arrays | {"other": array})


def test_points_that_are_asked_for_after_the_end_are_refused():
    state, arrays = parts(a_run(22))
    state["scalars"]["_trials"] = 7
    refuses(state, arrays | {"_asked": np.full((7, 3), 0.5)})


def test_an_archive_that_is_larger_than_it_may_be_is_refused_though_its_size_says_so():
    """The core has room for a generation's targets besides, which come before it is cut."""
    state, arrays = parts(adaptive())
    assert arrays["_sizes"][0] == 10
    for archived in (26, 27, 31 + 12):  # 2.6 · 10 may be, of room for 2.6 · 12 + 12
        arrays["_sizes"][1] = archived
        arrays["_archive"] = np.tile(arrays["_P"][0], (archived, 1))
        if archived == 26:
            assert len(parts(together(state, arrays))[1]["_archive"]) == archived
        else:
            refuses(state, arrays)


# Where it is written and read; more in tests/test_files.py.


class Unknown(np.random.MT19937):
    """A bit generator of the user's own."""

    @property
    def state(self):
        return {**super().state, "bit_generator": "Unknown"}


def test_random_numbers_that_could_not_be_loaded_are_not_saved(tmp_path):
    optimizer = Optimizer(BOUNDS, budget=100, rng=np.random.Generator(Unknown(1)))
    with pytest.raises(ValueError, match=r"^to be saved, rng must draw from one of PCG64, .*, SFC64, got Unknown$"):
        optimizer.save(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_a_file_is_an_error(tmp_path):
    with pytest.raises(IsADirectoryError):
        Optimizer.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        Optimizer.load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError) as error:
        a_run().save(tmp_path / "nowhere" / "run")
    assert error.value.filename == str(tmp_path / "nowhere" / "run")


def test_a_save_replaces_the_old_file_whole_or_not_at_all(tmp_path, monkeypatch):
    def fails_half_way(path, data):
        with path.open("wb") as file:
            file.write(data[:99])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("HOME", str(tmp_path))
    for later in (2, 5):
        a_run(later).save("~/run")
    monkeypatch.setattr("pathlib.Path.write_bytes", fails_half_way)
    with pytest.raises(OSError, match=r"No space left on device: '.*/run'$"):
        a_run(7).save("~/run")
    assert_same_result(Optimizer.load("~/run").result, a_run(5).result)
    assert os.listdir(tmp_path) == ["run"]


@pytest.mark.parametrize("content", [b"dear to me", b"PK\x03\x04" + bytes(60), b"P", FOREIGN["other"][0]])
def test_a_file_of_someone_else_is_not_replaced_but_an_empty_one_is(tmp_path, content):
    (tmp_path / "run").write_bytes(content)
    with pytest.raises(ValueError, match=r"run: it is not a file that Optimizer\.save wrote"):
        a_run().save(tmp_path / "run")
    assert (tmp_path / "run").read_bytes() == content
    (tmp_path / "run").write_bytes(b"")
    a_run().save(tmp_path / "run")
    assert Optimizer.load(tmp_path / "run").nfev == 0


def test_a_file_that_needs_an_operator_that_is_not_registered_names_it(tmp_path, monkeypatch):
    debox.register(replace(operators.find("strategy", "mirror"), name="mine", short="mine"))
    Optimizer([(0, 1)], strategy="mine", budget=99).save(tmp_path / "run.npz")
    monkeypatch.setattr(operators, "REGISTRATIONS", ())
    with pytest.raises(ValueError, match=r"run\.npz' has an unknown strategy 'mine': register it first, by running"):
        Optimizer.load(tmp_path / "run.npz")
