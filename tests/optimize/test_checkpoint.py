"""Checkpoints: a run goes on from its file to the same end, or the file is refused; when it is saved."""

import re

import numpy as np
import pytest
from comparisons import assert_same_result
from objectives import BOUNDS, RUNS, squares

from debox import Choice, Integer, Optimizer, minimize

OPTIONS = {"variant": "DE/rand/1/bin", "N": 10, "budget": 100, "rng": 1}


class Breaks:
    """The squares of a point; an error at every 37th call."""

    def __init__(self, error=ArithmeticError):
        self.calls, self.error = 0, error

    def __call__(self, x):
        self.calls += 1
        if self.calls % 37 == 0:
            raise self.error
        return squares(x)


def run_and_run(fun, path, **options):
    """Call `minimize` until it returns; how often it did not, and its result."""
    for breaks in range(99):
        try:
            return breaks, minimize(fun, BOUNDS, checkpoint=path, **options)
        except ArithmeticError:
            pass
    raise AssertionError("it does not get further")


@pytest.mark.parametrize("options", RUNS.values(), ids=RUNS)
def test_a_run_that_errors_end_goes_on_from_its_file_to_the_same_end(tmp_path, options):
    expected = minimize(squares, BOUNDS, polish=False, **options)
    breaks, result = run_and_run(Breaks(), tmp_path / "run.npz", **options)
    assert breaks >= 1
    assert_same_result(result, expected)
    assert_same_result(minimize(squares, BOUNDS, checkpoint=tmp_path / "new.npz", **options), expected)
    assert_same_result(Optimizer.load(tmp_path / "run.npz").result, expected)


def test_a_run_that_was_interrupted_stopped_by_time_or_by_the_callback_goes_on_or_is_over(tmp_path):
    expected, path = minimize(squares, BOUNDS, polish=False, **OPTIONS), tmp_path / "run.npz"
    interrupted = minimize(Breaks(KeyboardInterrupt), BOUNDS, checkpoint=path, **OPTIONS)
    assert (interrupted.status, interrupted.nfev) == (5, 30)
    assert Optimizer.load(path).result.status == 3
    limited = minimize(squares, BOUNDS, checkpoint=path, time_limit=1e-9, **OPTIONS)
    assert (limited.status, limited.nfev) == (6, 40)
    again = minimize(squares, BOUNDS, checkpoint=path, **OPTIONS)
    assert_same_result(again, expected)
    stopped = minimize(squares, BOUNDS, checkpoint=tmp_path / "stopped", callback=lambda now: now.nfev == 50, **OPTIONS)
    again = minimize(squares, BOUNDS, checkpoint=tmp_path / "stopped", **OPTIONS)
    assert (stopped.status, again.status, again.nfev) == (2, 2, 50)


def test_the_result_of_a_finished_file_comes_with_a_message_and_the_file_is_left_alone(tmp_path):
    path, calls = tmp_path / "run.npz", []
    expected = minimize(squares, BOUNDS, checkpoint=path, **OPTIONS)
    before = path.stat()
    again = minimize(lambda x: calls.append(x) or squares(x), BOUNDS, checkpoint=str(path), **OPTIONS)
    assert again.message == f"{expected.message}; checkpoint {str(path)!r} held the finished run"
    assert_same_result({**again, "message": expected.message}, expected)
    np.testing.assert_array_equal(calls, [expected.x])
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


def test_errors_that_count_as_nan_are_kept(tmp_path):
    def fails_beyond(x):
        if x[0] > 0.5:
            raise ZeroDivisionError("beyond")
        return squares(x)

    breaks = Breaks(KeyboardInterrupt)

    def both(x):
        breaks(x)
        return fails_beyond(x)

    options = OPTIONS | {"on_error": "nan"}
    with pytest.warns(RuntimeWarning, match="raised ZeroDivisionError"):
        expected = minimize(fails_beyond, BOUNDS, **options)
    with pytest.warns(RuntimeWarning, match="raised ZeroDivisionError"):
        first = minimize(both, BOUNDS, checkpoint=tmp_path / "run.npz", **options)
    assert 0 < first.n_errors < expected.n_errors
    result = first
    while result.status == 5:
        result = minimize(both, BOUNDS, checkpoint=tmp_path / "run.npz", **options)
    assert_same_result(result, expected)


OTHER = [
    ({"bounds": [(-1, 1), (0.25, 2.0), (-3, 5)]}, r"bounds is .* there and .*"),
    ({"variant": "DE/best/1/bin"}, r"variant is 'DE/rand/1/bin' there and 'DE/best/1/bin' here"),
    ({"budget": 200}, "budget is 100 there and 200 here"),
    ({"strategy": "toroidal"}, r"strategy is .*'mirror'.* there and .*'toroidal'.* here"),
    ({"N": 11}, "N is 10 there and 11 here"),
    ({"F": 0.9, "Cr": 0.1}, r"F is 0\.6 there and 0\.9 here; Cr is 0\.7 there and 0\.1 here"),
    ({"target": -1.0}, r"target is None there and -1\.0 here"),
    ({"tol": 1e-3}, r"tol is None there and 0\.001 here"),
    ({"donors": "not-target"}, "donors is 'distinct' there and 'not-target' here"),
]


@pytest.mark.parametrize(("other", "differ"), OTHER, ids=[" ".join(other) for other, _ in OTHER])
def test_a_file_of_other_settings_is_refused_names_them_and_is_left_alone(tmp_path, other, differ):
    path = tmp_path / "run.npz"
    minimize(Breaks(KeyboardInterrupt), checkpoint=path, bounds=BOUNDS, **OPTIONS)
    before = path.read_bytes()
    holds = f"^checkpoint {re.escape(repr(str(path)))} holds another run: "
    remedy = "; give the same settings, another checkpoint, or delete the file$"
    with pytest.raises(ValueError, match=holds + differ + remedy):
        minimize(squares, checkpoint=path, **{"bounds": BOUNDS} | OPTIONS | other)
    assert path.read_bytes() == before
    assert minimize(squares, BOUNDS, checkpoint=path, **OPTIONS).nfev == 100


def test_kinds_of_variables_and_their_names_are_settings(tmp_path):
    kinds = {"teeth": Integer(1, 9), "grade": Choice(("soft", "hard"))}

    def run(bounds):
        options = {"checkpoint": tmp_path / "run.npz", "budget": 60, "rng": 1}
        return minimize(lambda x: (x[0] - 3) ** 2 + x[1], bounds, **options)

    first = run(kinds)
    assert run(dict(kinds)).params == first.params == {"teeth": 3, "grade": "soft"}
    for other in (list(kinds.values()), kinds | {"teeth": Integer(1, 8)}, kinds | {"grade": Choice(["hard", "soft"])}):
        with pytest.raises(ValueError, match=r"holds another run: bounds is"):
            run(other)


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("calls", [38, 200])
def test_another_objective_is_noticed(tmp_path, calls, vectorized):
    path = tmp_path / "run.npz"
    minimize(Breaks(KeyboardInterrupt) if calls == 38 else squares, BOUNDS, checkpoint=path, **OPTIONS)
    before = Optimizer.load(path).result
    found = (
        f"^fun gives .* at the best point of checkpoint {re.escape(repr(str(path)))}, which has {before.fun:.9g} there"
    )
    for other in (lambda x: squares(x) + 1e-6, lambda x: squares(x) * 1.001, lambda x: x[0] * np.nan):
        with pytest.raises(ValueError, match=found):
            minimize(other, BOUNDS, checkpoint=path, vectorized=vectorized, **OPTIONS)
    assert_same_result(Optimizer.load(path).result, before)


def test_a_noisy_objective_or_another_rounding_is_the_same_objective(tmp_path):
    path, noise = tmp_path / "run.npz", np.random.default_rng(1)
    breaks = Breaks(KeyboardInterrupt)
    minimize(lambda x: breaks(x) + noise.random(), BOUNDS, checkpoint=path, **OPTIONS)
    result = minimize(lambda x: squares(x) + noise.random(), BOUNDS, checkpoint=path, **OPTIONS)
    assert (result.status, result.nfev) == (0, 100)
    minimize(Breaks(KeyboardInterrupt), BOUNDS, checkpoint=tmp_path / "rounded", **OPTIONS)
    rounded = minimize(lambda x: squares(x) * (1 + 1e-12) + 1e-15, BOUNDS, checkpoint=tmp_path / "rounded", **OPTIONS)
    assert rounded.nfev == 100


def test_a_file_before_the_first_values_and_one_of_nothing_but_nan_need_no_objective(tmp_path):
    Optimizer(BOUNDS, **OPTIONS).save(tmp_path / "begun")
    (tmp_path / "empty").touch()
    expected = minimize(squares, BOUNDS, **OPTIONS)
    for name in ("begun", "empty"):
        assert_same_result(minimize(squares, BOUNDS, checkpoint=tmp_path / name, **OPTIONS), expected)
    breaks = Breaks(KeyboardInterrupt)
    with pytest.warns(RuntimeWarning, match="returned NaN"):
        minimize(lambda x: breaks(x) * np.nan, BOUNDS, checkpoint=tmp_path / "nan", **OPTIONS)
    with pytest.warns(RuntimeWarning, match="returned NaN"):
        assert minimize(squares, BOUNDS, checkpoint=tmp_path / "nan", **OPTIONS).nfev == 100


def test_a_file_of_something_else_or_that_cannot_be_written_is_an_error_before_the_first_call(tmp_path):
    def never(x):
        raise AssertionError("called")

    (tmp_path / "mine.npz").write_bytes(b"dear to me")
    with pytest.raises(ValueError, match=r"mine\.npz' is not a file that Optimizer\.save wrote"):
        minimize(never, BOUNDS, checkpoint=tmp_path / "mine.npz", **OPTIONS)
    assert (tmp_path / "mine.npz").read_bytes() == b"dear to me"
    with pytest.raises(FileNotFoundError, match="nowhere"):
        minimize(never, BOUNDS, checkpoint=tmp_path / "nowhere" / "run.npz", **OPTIONS)
    with pytest.raises(ValueError, match=r"^to be saved, options must be what JSON holds, got <object"):
        minimize(never, [Choice([object(), 1])], checkpoint=tmp_path / "run.npz", budget=60)
    with pytest.raises(ValueError, match=r"^workers must be"):
        minimize(never, BOUNDS, checkpoint=tmp_path / "run.npz", workers=0, **OPTIONS)
    assert not (tmp_path / "run.npz").exists()
