"""Operators from a file: it is run as a module of its own, and errors name it."""

import importlib
import os
import runpy
import sys

import pytest
from commands import run_in_fork, run_python

import debox
from debox import registry
from debox.registry.adding import origin_of
from debox.registry.file import load, module_name, run
from debox.registry.fingerprint import fingerprint

MINE = '''
import debox

@debox.kernel
def low(u, x, c, a, b, rng):
    """a"""
    return a

@debox.kernel
def high(u, x, c, a, b, rng):
    """b"""
    return b

LOW = debox.Operator(slot="strategy", name="low", function=low)
debox.register(debox.Operator(slot="strategy", name="high", function=high))
'''


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "own.py"
        path.write_text(text)
        return path

    return write


def test_what_a_file_registers_or_defines_is_registered(file):
    path = file(MINE)
    assert {operator.name for operator in load(path)} == {"low", "high"}
    assert debox.Config("DE/rand/1/bin LOW, N=5, F=0.5, Cr=0.5").strategy == "low"
    origin = origin_of(registry.find("strategy", "high"))
    assert origin.where == f"file {path}"
    assert origin.source == MINE


def test_a_file_is_run_once_and_its_operators_are_found_each_time(file):
    first = load(file(MINE + "\nCOUNT = []\n"))
    again = load(file(MINE + "\nCOUNT = []\n"))
    assert [id(operator) for operator in again] == [id(operator) for operator in first]


def test_the_module_has_a_name_made_of_the_text_alone(file):
    found = load(file(MINE))
    assert {operator.function.__module__ for operator in found} == {module_name(MINE)}
    assert sys.modules[module_name(MINE)].__file__.endswith("own.py")
    assert module_name(MINE) != module_name(MINE + "\n")


def test_an_edited_file_with_another_function_of_the_name_is_refused(file):
    load(file(MINE))
    load(file(MINE + "# a comment\n"))
    with pytest.raises(ValueError, match=r"own\.py: strategy 'low' .* has a name of another one"):
        load(file(MINE.replace("    return a", "    return a + 0.0")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import debox\n1/0\n", r"own\.py, line 2: ZeroDivisionError: division by zero"),
        (
            "import nothing_of_this_name\n",
            r"own\.py, line 1: ModuleNotFoundError: No module named 'nothing_of_this_name'",
        ),
        ("def f(:\n", r"own\.py: SyntaxError: invalid syntax"),
        ("x = 1\n", r"own\.py has no operators: it must define a debox\.Operator or call debox\.register"),
        (MINE.replace("return b", "return u"), r"own\.py, line 15: ValueError: strategy 'high': high\(u="),
        (MINE.replace("return a", "return u"), r"own\.py: strategy 'low': low\(u="),
        ("raise SystemExit(3)", r"own\.py, line 1: SystemExit: 3"),
    ],
)
def test_an_error_names_the_file_and_nothing_of_it_stays(file, text, message):
    with pytest.raises(ValueError, match=message):
        load(file(text))
    assert registry.REGISTRATIONS == ()


def test_a_file_that_is_not_there_or_no_text_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read the operators in .*nowhere\.py: No such file"):
        load(tmp_path / "nowhere.py")
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"binary\.py is no text"):
        load(tmp_path / "binary.py")


def test_the_text_alone_will_do_where_there_is_no_file():
    (low, high) = run(MINE, "/somewhere/else.py")
    assert (low.name, high.name) == ("high", "low")
    assert low.function(2.0, 0.5, 0.5, 0.0, 1.0, None) == 1.0


# Programs for forks, which have the folder of this process for machine code until they forget it.
PROCESS = """
import sys
import numpy as np
from debox import jit
from debox.jit.folder import cache_folder
from debox.registry import file

cache_folder.cache_clear()

(operator,) = file.load(sys.argv[1])
call = 2.0, 0.5, 0.5, 0.0, 1.0, np.random.default_rng(1)
print(jit.bind(operator.function, *call)(*call))
"""
WITH_A_CONSTANT = '''
import debox

SHARE = 0.25

@debox.kernel
def place(a, b):
    return a + SHARE * (b - a)

@debox.kernel
def mine(u, x, c, a, b, rng):
    """a + (b − a)/4"""
    return place(a, b)

debox.register(debox.Operator(slot="strategy", name="mine", function=mine))
'''


def test_machine_code_is_kept_and_not_used_for_an_edited_constant(file, tmp_path, monkeypatch):
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path / "cache"))

    def answer(text):
        output, told = run_in_fork(PROCESS, file(text))
        return float(output), "compiling mine" in told

    assert answer(WITH_A_CONSTANT) == (0.25, True)
    other = os.environ | {"PYTHONHASHSEED": "123"}  # a process that is no fork, where hashes and addresses differ
    found = run_python(PROCESS, file(WITH_A_CONSTANT), env=other)
    assert (found.stdout, found.stderr) == ("0.25\n", "")
    assert answer(WITH_A_CONSTANT.replace("SHARE = 0.25", "SHARE = 0.75")) == (0.75, True)


MUTATE = """
import sys
import numpy as np
from debox import jit
from debox.de.variation import mutate
from debox.jit.folder import cache_folder
from debox.registry import file

cache_folder.cache_clear()

(operator,) = file.load(sys.argv[1])
P, r, v = np.arange(10.0).reshape(5, 2), np.array([4, 2, 1, 0, 0], np.uint64), np.zeros(2)
call = P, 0, 3, r, 0.5, 0.0, v  # F, K
jit.bind(jit.specialise(mutate, formula=operator.function), *call)(*call)
print(v.tolist())
"""
MUTATION = '''
import debox

@debox.kernel
def half(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 + F (x_r2 − x_r3)/2"""
    return x_r1 + F * (x_r2 - x_r3) / 2

debox.register(debox.Operator(slot="mutation", name="half/1", function=half, donors=3))
'''


def test_a_file_and_its_edited_version_in_turn_find_no_machine_code_that_cannot_be_read(file, tmp_path, monkeypatch):
    """The loop's mutate calls half of a module that is named after the text: its machine code names that module."""
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path / "cache"))

    def answer(text):
        return run_in_fork(MUTATE, file(text))

    answers = [answer(text) for text in (MUTATION, MUTATION + "# a comment\n", MUTATION, MUTATION)]
    assert {output for output, _ in answers} == {"[8.5, 9.5]\n"}  # x_r1 = (8, 9), x_r2 − x_r3 = (2, 2): 8 + 0.5·2/2
    assert not [line for _, told in answers for line in told.splitlines() if "cannot be read" in line]
    assert ["compiling mutate" in told for _, told in answers] == [True, True, True, False]


def test_a_file_that_takes_itself_out_of_the_modules_and_fails_is_named(tmp_path):
    (tmp_path / "gone.py").write_text("import sys\ndel sys.modules[__name__]\nraise OSError('gone')\n")
    with pytest.raises(ValueError, match=r"gone\.py, line 3: OSError: gone"):
        load(tmp_path / "gone.py")


@pytest.mark.parametrize(
    ("error", "message"), [("Silent(Exception)", r"\(its message cannot be written\)"), ("Odd(BaseException)", "odd")]
)
def test_an_error_of_the_files_own_is_named_with_its_line(tmp_path, error, message):
    says = "raise OSError" if "Silent" in error else "return 'odd'"
    (tmp_path / "own.py").write_text(
        f"class {error}:\n    def __str__(self):\n        {says}\nraise {error.split('(')[0]}()\n"
    )
    with pytest.raises(ValueError, match=rf"own\.py, line 4: {error.split('(')[0]}: {message}"):
        load(tmp_path / "own.py")


WITH_CLASSES = '''
from enum import IntEnum
from typing import NamedTuple

import debox


class Share(NamedTuple):
    low: float
    high: float


class Side(IntEnum):
    LOW = 0


class NoSide(Exception):
    """Neither of both"""


SHARE = Share(0.25, 0.75)


@debox.kernel
def middle(u, x, c, a, b, rng):
    """a + (b − a)/4"""
    if b < a:
        raise NoSide
    return a + Share(SHARE[Side.LOW], 0.0).low * (b - a)


MIDDLE = debox.Operator(slot="strategy", name="middle", function=middle)
'''


@pytest.mark.parametrize("text", [MINE.replace("debox.register", "HIGH = "), WITH_CLASSES], ids=["plain", "classes"])
def test_imported_or_loaded_from_a_file_or_run_as_a_script_it_has_one_fingerprint(file, text, tmp_path, monkeypatch):
    path = file(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own", raising=False)
    imported, as_script = vars(importlib.import_module("own")), runpy.run_path(str(path), run_name="__main__")
    monkeypatch.delitem(sys.modules, "own")
    names = {name for name, value in imported.items() if isinstance(value, debox.Operator)}
    loaded = {operator.name: fingerprint(operator) for operator in load(path)}
    assert names
    for ways in (imported, as_script):
        assert {ways[name].name: fingerprint(ways[name]) for name in names} == loaded
