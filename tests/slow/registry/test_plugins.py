"""Operators of installed packages: looked for when they are asked for, and a broken package breaks nothing."""

import subprocess
import sys
import threading
import warnings
from types import SimpleNamespace

import pytest

import debox
from debox import registry
from debox.registry import file, plugins
from debox.registry.adding import origin_of

MODULE = '''
import debox

@debox.kernel
def {function}(u, x, c, a, b, rng):
    """{result}"""
    return {result}

OPERATOR = debox.Operator(slot="strategy", name="{name}", short="{name}-s", function={function})
'''


UNPRINTABLE = """
class Error(Exception):
    def __str__(self):
        raise RuntimeError("no text")
raise Error
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """install("package", "entry points", module text): a package as pip leaves it, without pip"""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(plugins, "_is_loaded", False)
    made = []

    def make(package, entry_points, text):
        about = tmp_path / f"{package}-1.5.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n")
        (about / "entry_points.txt").write_text(f"[debox.operators]\n{entry_points}\n")
        (tmp_path / f"{package}.py").write_text(text)
        made.append(package)

    yield make
    for package in made:
        sys.modules.pop(package, None)


def module(name, result="a", function="own"):
    return MODULE.format(name=name, result=result, function=function)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("walls_of_ours:OPERATOR", module("ours")),
        ("walls_of_ours", module("ours")),
        ("walls_of_ours:LIST", module("ours") + "LIST = [OPERATOR]\n"),
        ("walls_of_ours", module("ours").replace("OPERATOR = debox.", "debox.register(debox.") + ")"),
    ],
    ids=["operator", "module", "list", "module that registers"],
)
def test_an_operator_of_a_package_is_found_by_its_name(install, value, text):
    install("walls_of_ours", f"ours = {value}", text)
    assert "walls_of_ours" not in sys.modules
    assert debox.Config("DE/rand/1/bin ours-s, N=5, F=0.5, Cr=0.5").strategy == "ours"
    assert origin_of(registry.find("strategy", "ours")).where == "package walls_of_ours 1.5"


def test_packages_are_not_looked_at_for_names_that_are_known(install):
    install("walls_of_ours", "ours = walls_of_ours", module("ours"))
    debox.Config("DE/rand/1/bin sat, N=5, F=0.5, Cr=0.5")
    assert "walls_of_ours" not in sys.modules


def test_importing_debox_looks_for_no_package():
    code = "import debox, sys; from debox.registry import operator; print('importlib.metadata' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("value", "text", "reason"),
    [
        ("broken_walls:NOTHING", module("ours"), "AttributeError"),
        ("broken_walls", "1/0", "ZeroDivisionError: division by zero"),
        ("broken_walls", "raise SystemExit(7)", "SystemExit: 7"),
        ("broken_walls", UNPRINTABLE, r"Error: \(its message cannot be written\)"),
        ("broken_walls", module("ours", result="u"), r"ValueError: strategy 'ours': own\(u="),
        ("broken_walls", module("mirror"), "ValueError: strategy 'mirror' .* is one of debox's own"),
        ("broken_walls", "x = 1", "ValueError: it has no operators: broken_walls must be a debox.Operator or a module"),
        ("broken_walls:X", "X = 3", "ValueError: it has no operators: broken_walls:X must be"),
    ],
)
def test_a_broken_package_is_named_in_a_warning_and_the_others_work(install, value, text, reason):
    install("broken_walls", f"broken = {value}", text)
    install("good_walls", "good = good_walls", module("good", "b"))
    about = rf"operators of package broken_walls 1\.5 \(entry point broken = {value}\) are left out: {reason}"
    with pytest.warns(RuntimeWarning, match=about) as told:
        assert registry.find("strategy", "good").name == "good"
    assert len(told) == 1
    assert [registration.operator.name for registration in registry.REGISTRATIONS] == ["good"]


def test_packages_are_looked_for_once(install):
    plugins.load()
    install("walls_of_ours", "ours = walls_of_ours", module("ours"))
    plugins.load()
    assert registry.REGISTRATIONS == ()
    with pytest.raises(ValueError, match="unknown strategy 'ours'"):
        registry.find("strategy", "ours")


def test_a_module_that_somebody_imported_before_is_no_broken_package(install):
    text = module("ours").replace("OPERATOR = debox.", "debox.register(debox.") + ")"
    install("walls_of_ours", "ours = walls_of_ours", text)
    __import__("walls_of_ours")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plugins.load()
    assert [registration.operator.name for registration in registry.REGISTRATIONS] == ["ours"]


def test_a_file_that_fails_after_asking_for_an_operator_of_a_package_does_not_take_it_away(install):
    """Packages are loaded once in a process: the file takes out only what it added itself."""
    install("walls_of_ours", "ours = walls_of_ours", module("ours"))
    asks = 'debox.Config("DE/rand/1/bin ours, N=5, F=0.5, Cr=0.5")'
    with pytest.raises(ValueError, match="ZeroDivisionError"):
        file.run(f"{module('theirs', 'b')}\ndebox.register(OPERATOR)\n{asks}\n1/0", "theirs.py")
    assert [registration.operator.name for registration in registry.REGISTRATIONS] == ["ours"]
    assert debox.Config("DE/rand/1/bin ours, N=5, F=0.5, Cr=0.5").strategy == "ours"


def test_what_a_file_registers_after_asking_for_an_operator_of_a_package_is_the_files(install):
    install("walls_of_ours", "ours = walls_of_ours", module("ours"))
    asks = 'import debox\ndebox.Config("DE/rand/1/bin ours, N=5, F=0.5, Cr=0.5")'
    (theirs,) = file.run(f"{asks}\n{module('theirs', 'b')}", "theirs.py")
    assert origin_of(theirs).where == "file theirs.py"
    assert origin_of(registry.find("strategy", "ours")).where == "package walls_of_ours 1.5"


REGISTERS_LATE = """
import sys

meeting = sys.modules["meeting"]
meeting.importing.set()
meeting.asking.wait(10)
meeting.never.wait(0.3)  # the other thread gets as far as it can
"""


def test_a_package_is_imported_by_one_thread_while_another_asks_for_its_operator(install, monkeypatch):
    """The first registers an operator while the second waits for its import to end: neither waits for ever."""
    meeting = SimpleNamespace(**{name: threading.Event() for name in ("importing", "asking", "never")})
    monkeypatch.setitem(sys.modules, "meeting", meeting)
    install("walls_of_ours", "ours = walls_of_ours", f"{REGISTERS_LATE}{module('ours')}\ndebox.register(OPERATOR)\n")
    found = []

    def ask():
        meeting.importing.wait(10)
        meeting.asking.set()
        found.append(registry.find("strategy", "ours").name)

    threads = [threading.Thread(target=work, daemon=True) for work in (lambda: __import__("walls_of_ours"), ask)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == ["ours"]


WAITS = """
import sys
sys.modules["meeting"].importing.set()
sys.modules["meeting"].never.wait(0.5)
"""


def test_a_second_thread_that_asks_while_packages_are_loaded_finds_the_operator_too(install, monkeypatch):
    meeting = SimpleNamespace(importing=threading.Event(), never=threading.Event())
    monkeypatch.setitem(sys.modules, "meeting", meeting)
    install("walls_of_ours", "ours = walls_of_ours", WAITS + module("ours"))
    found = []

    def ask():
        meeting.importing.wait(10)
        found.append(registry.find_or_none("strategy", "ours"))

    second = threading.Thread(target=ask, daemon=True)
    second.start()
    found.append(registry.find_or_none("strategy", "ours"))
    second.join(20)
    assert [operator and operator.name for operator in found] == ["ours", "ours"]


ASKS = """
from debox import registry
registry.find_or_none("strategy", "nobody-has-it")
"""


def test_a_package_that_asks_for_an_operator_nobody_has_is_not_broken(install):
    install("walls_of_ours", "ours = walls_of_ours", ASKS + module("ours"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert registry.find("strategy", "ours").name == "ours"
