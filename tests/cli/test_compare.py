"""debox compare: a function of one's own, found by its name."""

import json
import sys

import numpy as np
import pytest
from commands import invoke

import debox

PROBLEM = """
import numpy as np

BOUNDS = [(0, 1), (0, 2)]
LIMIT = 3


def cost(x):
    print("called")
    return x[0] + x[1]


def vectorised(X):
    return X[0] + X[1]


def fails(x):
    raise ValueError("math domain error")


class Model:
    def cost(x):
        return x[0] + x[1]
"""
SHORT = ["--budget", "40", "--runs", "2", "--strategies", "mirror,sat"]


def forget_modules():
    for name in [*sys.modules]:
        if name.split(".")[0] in ("problem", "inner", "deep", "broken", "unreadable"):
            del sys.modules[name]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A directory with modules, whose names stand for nothing else before, and for nothing at the end."""
    forget_modules()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one])
    (tmp_path / "problem.py").write_text(PROBLEM)
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "deep.py").write_text(PROBLEM)
    (tmp_path / "broken.py").write_text("\nimport a_module_that_is_not_there\n")
    (tmp_path / "unreadable.py").write_text("def f(:\n")
    yield tmp_path
    forget_modules()


def cost(x):
    return x[0] + x[1]


def compared(*arguments):
    result = invoke("compare", *arguments, *SHORT, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_it_prints_what_compare_gives():
    result = invoke("compare", "problem:cost", *SHORT)
    expected = debox.compare(cost, [(0, 1), (0, 2)], ["mirror", "sat"], budget=40, runs=2)
    assert (result.exit_code, result.stdout) == (0, f"{expected}\n")


def test_json_is_all_of_it_whatever_the_function_prints():
    facts = compared("problem:cost", "--seed", "3")
    expected = debox.compare(cost, [(0, 1), (0, 2)], ["mirror", "sat"], budget=40, runs=2, rng=3)
    assert facts == json.loads(json.dumps(expected.as_dict()))
    assert "called" in invoke("compare", "problem:cost", *SHORT, "--json").stderr


@pytest.mark.parametrize(
    "name", ["problem:cost", "problem.py:cost", "inner.deep:cost", "inner/deep.py:cost", "problem:Model.cost"]
)
def test_a_module_of_the_current_directory_a_file_and_a_part_of_a_class_are_found(name):
    assert compared(name) == compared("problem:cost")


@pytest.mark.parametrize(
    "bounds", ["0,1;0,2", " 0 , 1 ; 0 , 2 ;", "0,1e0;0,2", "BOUNDS", "problem:BOUNDS", "inner/deep.py:BOUNDS"]
)
def test_bounds_are_pairs_or_a_name(bounds):
    assert compared("problem:cost", "--bounds", bounds) == compared("problem:cost")


def test_bounds_may_begin_with_a_minus():
    assert np.array(compared("problem:cost", "--bounds", "-5,-4;-1,1")["strategies"][0]["x"]).max(axis=0)[0] <= -4


def test_a_budget_may_be_written_as_1e2_and_options_are_those_of_compare():
    options = ["--variant", "DE/rand/1/bin", "--strategies", "all", "--budget", "1e2", "--runs", "2", "--json"]
    result = invoke("compare", "problem:vectorised", *options, "--vectorized")
    facts = json.loads(result.stdout)
    assert facts["variant"] == "DE/rand/1/bin"
    assert len(facts["strategies"]) > 9
    assert {n for one in facts["strategies"] for n in one["evaluations"]} == {100}


WRONG = {
    "problem": "MODULE:FUN must be such as problem:cost, a module and a name in it, got 'problem'",
    "nowhere:cost": "there is no module 'nowhere', neither in this directory nor installed",
    "inner.nowhere:cost": "there is no module 'inner.nowhere', neither",
    "nowhere.py:cost": "there is no file nowhere.py",
    "problem:costs": "problem has no 'costs'; it has BOUNDS, LIMIT, cost, vectorised, fails, Model",
    "problem:LIMIT": "problem:LIMIT must be a function, got 3",
    "math:sin": "--bounds is needed, since math has no BOUNDS; give pairs such as '0,5;-1,1', or a name",
    "problem:cost --bounds 0,1,2": "--bounds must be pairs such as '0,5;-1,1', or a name such as BOUNDS or",
    "problem:cost --bounds low,high": "got 'low,high'",
    "problem:cost --bounds LIMITS": "problem has no 'LIMITS'; it has BOUNDS",
    "problem:cost --bounds LIMIT": "bounds must be a sequence of (lower, upper) pairs of finite numbers, got 3",
    "problem:cost --bounds 1,0": "bounds[0] = (1.0, 0.0): both must be finite and lower < upper",
    "problem:cost --strategies torodial": "did you mean 'toroidal'?",
    "problem:cost --budget 1.5": "'1.5' is not a whole number",
    "problem:cost --budget many": "'many' is not a whole number",
    "problem:cost --runs 1": "runs must be an integer ≥ 2, got 1",
    "problem:cost -o figure.jpg": "must end in .png or .pdf or .svg, got ",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_what_is_wrong_is_named_and_ends_with_2(arguments):
    result = invoke("compare", *arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert WRONG[arguments] in result.stderr


IMPOSSIBLE = {
    "broken:f": "broken cannot be imported: ModuleNotFoundError: No module named 'a_module_that_is_not_there'",
    "broken.py:f": "broken.py, line 2)",
    "unreadable:f": "unreadable cannot be imported: SyntaxError: invalid syntax (unreadable.py, line 1)\n",
    "problem:cost -o nowhere/figure.png": "cannot write nowhere/figure.png: there is no folder ",
}


@pytest.mark.parametrize("arguments", IMPOSSIBLE)
def test_what_cannot_be_done_ends_with_1_before_any_run(arguments):
    result = invoke("compare", *arguments.split())
    assert (result.exit_code, result.stdout) == (1, "")
    assert IMPOSSIBLE[arguments] in result.stderr
    assert "called" not in result.stderr


def test_an_error_of_the_function_is_raised_with_its_traceback():
    result = invoke("compare", "problem:fails", *SHORT)
    assert isinstance(result.exception, ValueError)
    assert str(result.exception) == "math domain error"
    assert any("the objective was called with x" in note for note in result.exception.__notes__)
