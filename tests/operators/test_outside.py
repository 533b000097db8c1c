"""Operators from outside are used by name like those of debox, cannot take their places, and go to other processes."""

import pickle
import re
import sys
import threading
import warnings

import pytest
from commands import run_python

import debox
from debox import Config, operators
from debox.operators import find, find_or_none, outside
from debox.operators.outside import load_file, pack, register, unpack

BACKWARD = '''
@debox.mutation("{name}", donors=2)
def backward(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = x_r1 − F x_r2"""
    return x_r1 - F * x_r2
'''
FILE = f"import debox\n{BACKWARD.format(name='back/1')}"


def names():
    """Of all operators from outside"""
    return [one.name for one in operators.REGISTRATIONS]


# Decorators and register.


def test_a_decorated_function_is_an_operator_that_configurations_can_name():
    @debox.mutation("Half/1", short="H/1", donors=3, weights=lambda F: (0, 0, 1, F / 2, -F / 2), citation="us, 2026")
    def half(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
        """v = x_r1 + F (x_r2 − x_r3)/2"""
        return x_r1 + F * (x_r2 - x_r3) / 2

    assert half(0, 0, 1, 4, 2, 0, 0, 0.5) == 1.5
    assert (half.slot, half.short, half.citation, half.donors) == ("mutation", "H/1", "us, 2026", 3)
    assert half.formula == "v = x_r1 + F (x_r2 − x_r3)/2"
    for written in ("half/1", "HALF/1", " h/1 ", half):
        config = Config(mutation=written, crossover="bin", strategy="sat", N=5, F=0.5, Cr=0.5)
        assert config.operators.mutation is half
    assert str(config) == "DE/H/1/bin sat, N=5, F=0.5, Cr=0.5"
    assert operators.in_slot("mutation")[-1] is half
    assert half not in operators.OPERATORS


@pytest.mark.parametrize("slot", ["mutation", "crossover", "donors", "adaptation"])
def test_registering_the_same_again_is_harmless(operator, slot):
    first = register(operator(slot))
    assert register(operator(slot)) is first
    assert register(find("strategy", "mirror")) is find("strategy", "mirror")
    assert list(operators.REGISTRATIONS) == [first]


OURS = "belongs to 'half/1', from somebody"
OWN = "belongs to 'rand/1', one of debox's own"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({}, OURS),
        ({"name": "other", "short": "HALF"}, OURS),
        ({"name": "half", "short": "other"}, OURS),
        ({"name": "Rand/1"}, OWN),
        ({"name": "mine", "short": "RAND/1"}, OWN),
    ],
)
def test_another_operator_of_a_name_that_is_taken_is_refused(operator, function, changed, message):
    other = function("mutation", "return x_r1 - F * (x_r2 - x_r3)")
    other.__module__ = "somebody else"
    register(operator("mutation", short="half"))
    with pytest.raises(ValueError, match=re.escape(message)):
        register(operator("mutation", function=other, weights=None, **changed))
    assert names() == ["half/1"]


def test_the_last_part_of_a_variant_is_the_crossover_whatever_mutations_are_called(operator):
    register(operator("mutation", name="rand/1/bin"))
    register(operator("crossover", name="1"))
    for variant, mutation in {"rand/1/bin": "rand/1", "rand/1/bin/bin": "rand/1/bin", "rand/1/1": "rand/1"}.items():
        assert Config(f"DE/{variant} sat, N=5, F=0.5, Cr=0.5").mutation == mutation


def test_a_name_may_be_that_of_an_operator_of_another_slot(operator):
    register(operator("donors", name="bin", short="exp"))
    assert Config("DE/rand/1/bin sat, N=5, F=0.5, Cr=0.5, donors=exp").donors == "bin"


def test_a_function_that_is_defined_again_replaces_its_operator_as_in_a_notebook():
    """Another definition in the same place: module and qualified name are the same."""
    cell = {"debox": debox, "__name__": "__main__"}
    exec(BACKWARD.format(name="back/1"), cell)
    first = cell["backward"]
    exec(BACKWARD.format(name="back/1").replace("- F", "+ F"), cell)
    assert find("mutation", "back/1") is cell["backward"] is not first
    exec(BACKWARD.format(name="back/1").replace("def backward", "def other"), cell)
    assert find("mutation", "back/1") is cell["other"]
    for same_body in (BACKWARD.format(name='back/1", short="b'), BACKWARD.format(name='back/1", citation="us, 2026')):
        exec(same_body, cell)
        assert find("mutation", "back/1") is cell["backward"]
    exec(BACKWARD.format(name="back/1").replace("v =", "v ="), cell)
    assert (cell["backward"].short, cell["backward"].citation) == ("back/1", "")
    assert names() == ["back/1"]
    with pytest.raises(ValueError, match=r"mutation 'back/1' is not registered; call debox\.register"):
        Config(mutation=first, crossover="bin", strategy="sat", N=5, F=0.5, Cr=0.5)
    with pytest.raises(ValueError, match=r"the name 'back/1' belongs to 'back/1', from __main__; choose another name"):
        exec(BACKWARD.format(name="back/1").replace("- F", "+ F"), {"debox": debox, "__name__": "elsewhere"})


def test_an_operator_that_fails_its_checks_is_not_registered():
    with pytest.raises(ValueError, match=r"mutation 'wrong': wrong\(x="):

        @debox.mutation("wrong", donors=1)
        def wrong(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
            """v = x_r1/0"""
            return x_r1 / (F - F)

    assert operators.REGISTRATIONS == ()
    assert find_or_none("mutation", "wrong") is None


# Files.


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "own.py"
        path.write_text(text)
        return path

    return write


def test_what_a_file_defines_is_registered_and_an_edited_file_replaces_it(file):
    path = file(FILE)
    load_file(path)
    first = find("mutation", "back/1")
    assert first.function.__module__ == f"file {path}"
    load_file(file(FILE.replace("- F", "+ F")))
    assert [one("mutation", "back/1")(0, 0, 3, 5, 0, 0, 0, 1.0) for one in (lambda *_: first, find)] == [-2.0, 8.0]
    assert names() == ["back/1"]


def test_a_file_may_register_a_changed_copy_or_name_what_is_registered(file):
    load_file(
        file(
            "from debox import operators, register\nfrom dataclasses import replace\n"
            'register(replace(operators.find("strategy", "mirror"), name="copy", short="copy"))'
        )
    )
    load_file(file('from debox import operators\nown = operators.find("strategy", "copy")'))
    assert names() == ["copy"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import debox\n1/0\n", r"own\.py, line 2: ZeroDivisionError: division by zero"),
        ("import nothing_of_this_name\n", r"own\.py, line 1: ModuleNotFoundError: No module named 'nothing_of_this"),
        ("def f(:\n", r"own\.py: SyntaxError: invalid syntax"),
        ("x = 1\n", r"own\.py has no operators: make one with @debox\.mutation, @debox\.crossover, "),
        (
            FILE.replace("x_r1 - F * x_r2", "F"),
            r"own\.py, line 3: ValueError: mutation 'back/1': .* depends on no parent",
        ),
        (FILE + "1/0", r"own\.py, line 7: ZeroDivisionError"),
        ("raise SystemExit(3)", r"own\.py, line 1: SystemExit: 3"),
    ],
)
def test_an_error_names_the_file_and_the_line(file, text, message):
    with pytest.raises(ValueError, match=message):
        load_file(file(text))


def test_a_file_that_is_not_there_or_not_a_text_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read the operators in .*nowhere\.py: No such file"):
        load_file(tmp_path / "nowhere.py")
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"binary\.py: SyntaxError"):
        load_file(tmp_path / "binary.py")


# Packages.


@pytest.fixture
def install(tmp_path, monkeypatch):
    """install("package", "entry points", module text): a package as pip leaves it, without pip"""
    monkeypatch.syspath_prepend(str(tmp_path))
    outside.load_packages.cache_clear()
    made = []

    def make(package, value, text):
        about = tmp_path / f"{package}-1.5.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n")
        (about / "entry_points.txt").write_text(f"[debox.operators]\nours = {value}\n")
        (tmp_path / f"{package}.py").write_text(text)
        made.append(package)

    yield make
    for package in made:
        sys.modules.pop(package, None)


@pytest.mark.parametrize("value", ["walls_of_ours:backward", "walls_of_ours"], ids=["operator", "module"])
def test_an_operator_of_a_package_is_found_by_its_name_and_not_looked_for_before(install, value):
    install("walls_of_ours", value, FILE)
    Config("DE/rand/1/bin sat, N=5, F=0.5, Cr=0.5")
    assert "walls_of_ours" not in sys.modules
    assert Config("DE/back/1/bin sat, N=5, F=0.5, Cr=0.5").mutation == "back/1"
    assert find("mutation", "back/1").function.__module__ == "walls_of_ours"


@pytest.mark.parametrize(
    ("value", "text", "reason"),
    [
        ("broken_walls:NOTHING", FILE, "AttributeError"),
        ("broken_walls", "1/0", "ZeroDivisionError: division by zero"),
        ("broken_walls", "raise SystemExit(7)", "SystemExit: 7"),
        ("broken_walls", FILE.replace("x_r1 - F * x_r2", "F"), "ValueError: mutation 'back/1'"),
        ("broken_walls", FILE.replace("back/1", "rand/1"), "ValueError: mutation 'rand/1': .*, one of debox's own"),
        ("broken_walls:X", "X = 3", "TypeError: register takes an operator, got 3; make one with @debox"),
    ],
)
def test_a_broken_package_is_named_in_a_warning_and_the_others_work(install, value, text, reason):
    install("broken_walls", value, text)
    install("good_walls", "good_walls", FILE.replace("back/1", "good/1"))
    about = rf"cannot load the operators of package broken_walls 1\.5 \(entry point ours = {value}\): {reason}"
    with pytest.warns(RuntimeWarning, match=about) as warned:
        assert find("mutation", "good/1").name == "good/1"
    assert len(warned) == 1


def test_packages_are_looked_for_once(install):
    outside.load_packages()
    install("walls_of_ours", "walls_of_ours", FILE)
    outside.load_packages()
    assert find_or_none("mutation", "back/1") is None


def test_a_module_that_was_imported_before_is_not_a_broken_package(install):
    install("walls_of_ours", "walls_of_ours", FILE)
    __import__("walls_of_ours")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outside.load_packages()
    assert names() == ["back/1"]


ASKS = 'from debox import operators\noperators.find_or_none("mutation", "nobody-has-it")\n'


def test_a_package_that_asks_for_an_operator_nobody_has_is_not_broken(install):
    install("walls_of_ours", "walls_of_ours", ASKS + FILE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find("mutation", "back/1").name == "back/1"


WAITS = "import debox\nimport sys\nsys.modules['meeting'].importing.set()\nsys.modules['meeting'].never.wait(0.3)\n"


def test_a_second_thread_that_asks_while_packages_are_loaded_finds_the_operator_too(install, monkeypatch):
    from types import SimpleNamespace

    meeting = SimpleNamespace(importing=threading.Event(), never=threading.Event())
    monkeypatch.setitem(sys.modules, "meeting", meeting)
    install("walls_of_ours", "walls_of_ours", WAITS + FILE)
    found = []

    def ask():
        meeting.importing.wait(10)
        found.append(find_or_none("mutation", "back/1"))

    second = threading.Thread(target=ask, daemon=True)
    second.start()
    found.append(find_or_none("mutation", "back/1"))
    second.join(20)
    assert [operator and operator.name for operator in found] == ["back/1", "back/1"]


# Parcels.

HELPED = '''
import debox

SHARE = 0.5

def shared(x, y):
    return SHARE * x + (1 - SHARE) * y

@debox.mutation("mean/1", donors=2)
def mean(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):
    """v = (x_r1 + x_r2)/2"""
    return shared(x_r1, x_r2)
'''
UNPACKS = """
import pickle, sys
from debox.operators.outside import unpack
operator, = map(unpack, pickle.load(open(sys.argv[1], "rb")))
print(operator.name, operator(0, 0, 3, 5, 0, 0, 0, 0.5))
"""


def test_operators_of_debox_stay_at_home():
    assert pack(operators.OPERATORS) == ()


def test_an_operator_of_a_file_goes_by_value_with_what_it_uses(file, tmp_path):
    load_file(file(HELPED))
    parcels = pack([find("mutation", "mean/1"), find("strategy", "mirror")])
    (tmp_path / "parcel").write_bytes(pickle.dumps(parcels))
    (tmp_path / "own.py").unlink()
    ended = run_python(UNPACKS, tmp_path / "parcel")
    assert ended.stdout.split() == ["mean/1", "4.0"], ended.stderr


def test_another_version_of_the_same_function_replaces_the_one_that_a_worker_has(file, monkeypatch):
    load_file(file(HELPED))
    mean = find("mutation", "mean/1")
    first = pack([mean])
    load_file(file(HELPED.replace("SHARE = 0.5", "SHARE = 0.25")))
    other = find("mutation", "mean/1")
    second = pack([other])
    assert (mean.function(0, 0, 3, 5, 0, 0, 0, 0.5), other.function(0, 0, 3, 5, 0, 0, 0, 0.5)) == (4.0, 4.5)
    assert unpack(*second) is other  # here, where it was packed
    monkeypatch.setattr(operators, "REGISTRATIONS", ())
    monkeypatch.setattr(outside, "_unpacked", {})
    for parcels, result in ((first, 4.0), (second, 4.5), (second, 4.5), (first, 4.0)):
        (there,) = map(unpack, parcels)
        assert there(0, 0, 3, 5, 0, 0, 0, 0.5) == result
        assert find("mutation", "mean/1") is there


def test_an_operator_of_a_package_goes_by_value_and_the_package_replaces_it(install, monkeypatch):
    install("walls_of_ours", "walls_of_ours", FILE)
    parcels = pack([find("mutation", "back/1")])
    monkeypatch.setattr(operators, "REGISTRATIONS", ())
    monkeypatch.setattr(outside, "_unpacked", {})
    del sys.modules["walls_of_ours"]  # as in a worker
    (there,) = map(unpack, parcels)
    assert "walls_of_ours" not in sys.modules
    assert __import__("walls_of_ours").backward is find("mutation", "back/1") is not there
    assert names() == ["back/1"]


def test_what_a_worker_is_sent_replaces_its_own_operator_of_that_name(file, monkeypatch):
    """Where a process runs the caller's script again, that has the name __mp_main__."""
    load_file(file(HELPED))
    parcels = pack([find("mutation", "mean/1")])
    monkeypatch.setattr(operators, "REGISTRATIONS", ())
    monkeypatch.setattr(outside, "_unpacked", {})
    exec(HELPED, {"__name__": "__mp_main__"})
    (there,) = map(unpack, parcels)
    assert (names(), find("mutation", "mean/1")) == (["mean/1"], there)


def test_an_operator_that_cannot_be_had_is_named_with_what_to_do(operator):
    (parcel,) = pack([register(operator("mutation"))])
    reason = "ModuleNotFoundError: .*; install the modules that"
    with pytest.raises(
        RuntimeError, match=f"this worker needs the mutation 'half/1', from somebody of the coordinator, but {reason}"
    ):
        unpack(parcel._replace(pickled=b"cno_module\nnothing\n."))
