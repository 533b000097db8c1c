"""Operators on their way to another process: there they are the same, or an error says how to mend it."""

import pickle
import subprocess
import sys
from dataclasses import replace

import pytest

from debox import registry
from debox.registry import file, parcels
from debox.registry.adding import register

TEXT = '''
import debox

@debox.kernel
def low(u, x, c, a, b, rng):
    """a"""
    return a

debox.register(debox.Operator(slot="strategy", name="low", function=low))
'''


@pytest.fixture
def from_file():
    """The operator of a file, packed"""
    (operator,) = file.run(TEXT, "/somewhere/own.py")
    (parcel,) = parcels.pack([operator, registry.find("strategy", "mirror")])
    return operator, parcel


def test_operators_of_debox_stay_at_home():
    assert parcels.pack(registry.OPERATORS) == ()


def test_an_operator_of_a_file_goes_as_its_text(from_file, monkeypatch):
    operator, parcel = from_file
    assert (parcel.source, parcel.pickled) == (TEXT, None)
    monkeypatch.setattr(registry, "REGISTRATIONS", ())
    (there,) = parcels.unpack([pickle.loads(pickle.dumps(parcel))])
    assert there == operator == registry.find("strategy", "low")


def test_an_operator_that_is_there_is_taken_as_it_is(from_file):
    operator, parcel = from_file
    assert parcels.unpack([replace(parcel, source="1/0")]) == (operator,)


def test_another_process_has_it_from_the_text(from_file, tmp_path):
    (tmp_path / "parcel").write_bytes(pickle.dumps(from_file[1]))
    code = "import pickle, sys; from debox.registry import parcels; "
    code += "(operator,) = parcels.unpack([pickle.load(open(sys.argv[1], 'rb'))]); "
    code += "print(operator.name, operator.function(2.0, 0.5, 0.5, 0.0, 1.0, None), operator.function.__module__)"
    answer = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "parcel"], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == ["low", "0.0", file.module_name(TEXT)]


def test_an_operator_of_a_module_goes_by_reference(operator, monkeypatch):
    mine = register(operator("mutation"))
    (parcel,) = parcels.pack([mine])
    assert parcel.source is None
    assert pickle.loads(parcel.pickled) == mine
    monkeypatch.setattr(registry, "REGISTRATIONS", ())
    assert parcels.unpack([parcel]) == (mine,)


def test_an_operator_with_a_lambda_is_had_by_importing_its_module(operator, monkeypatch):
    mine = register(replace(operator("mutation"), weights=lambda F: (0, 0, 1, F / 2, -F / 2)))
    (parcel,) = parcels.pack([mine])
    assert parcel.pickled is None
    assert parcels.unpack([parcel]) == (mine,)
    monkeypatch.setattr(registry, "REGISTRATIONS", ())
    with pytest.raises(RuntimeError, match=r"this worker needs the mutation 'half/1', .* does not register it; .*FILE"):
        parcels.unpack([parcel])


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"source": "1/0"}, r"cannot have it \(ValueError: /somewhere/own.py, line 1: ZeroDivisionError"),
        ({"source": None, "module": "no_module_of_this_name"}, r"cannot have it \(ModuleNotFoundError"),
        ({"source": None, "pickled": b"cno_module\nnothing\n."}, r"cannot have it \(ModuleNotFoundError"),
    ],
)
def test_an_operator_that_cannot_be_had_is_named_with_what_to_do(from_file, monkeypatch, changed, reason):
    monkeypatch.setattr(registry, "REGISTRATIONS", ())
    with pytest.raises(RuntimeError, match=f"this worker needs the strategy 'low'.*{reason}.*install the module"):
        parcels.unpack([replace(from_file[1], **changed)])


def test_another_operator_of_the_name_is_told_from_the_one_needed(from_file, monkeypatch):
    _, parcel = from_file
    monkeypatch.setattr(registry, "REGISTRATIONS", ())
    file.run(TEXT.replace("return a", "return b"), "/elsewhere/own.py")
    with pytest.raises(
        RuntimeError, match=rf"has another one of this name \(fingerprint \w+, not {parcel.fingerprint}\)"
    ):
        parcels.unpack([parcel])
