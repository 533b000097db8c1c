"""Sending operators from outside to another process.

Those of a file are sent as its text. Others are sent by reference, as pickle does: the other process imports the module
of their function.
"""

from __future__ import annotations

import importlib
import pickle
from collections.abc import Iterable
from dataclasses import dataclass

from debox import registry
from debox.registry import Operator
from debox.registry.adding import origin_of, register
from debox.registry.file import run
from debox.registry.fingerprint import fingerprint


@dataclass(frozen=True)
class Parcel:
    """What another process needs to have the same operator."""

    slot: str
    name: str
    fingerprint: str
    where: str  # its origin, in words
    module: str  # of its function
    source: str | None  # the text of its file
    pickled: bytes | None  # the operator, by reference


def pack(operators: Iterable[Operator]) -> tuple[Parcel, ...]:
    """Those of the operators that are from outside, ready to be sent."""
    return tuple(_pack_one(operator) for operator in registry.from_outside(operators))


def _pack_one(operator: Operator) -> Parcel:
    origin = origin_of(operator)
    return Parcel(
        slot=operator.slot,
        name=operator.name,
        fingerprint=fingerprint(operator),
        where=origin.where,
        module=operator.function.__module__,
        source=origin.source,
        pickled=_pickle(operator) if origin.source is None else None,
    )


def _pickle(operator: Operator) -> bytes | None:
    """The operator by reference; None if it holds a function that has no name in a module, such as a lambda."""
    try:
        return pickle.dumps(operator)
    except (pickle.PicklingError, AttributeError):
        return None


def unpack(parcels: Iterable[Parcel]) -> tuple[Operator, ...]:
    """The same operators in this process, which registers those it lacks; a RuntimeError says why one cannot be had."""
    return tuple(_unpack_one(parcel) for parcel in parcels)


def _unpack_one(parcel: Parcel) -> Operator:
    what = f"this worker needs the {parcel.slot} {parcel.name!r}, from {parcel.where} of the coordinator"
    operator = _find(parcel)
    if operator is None:
        try:
            _register(parcel)
            operator = _find(parcel)
        except Exception as error:
            raise RuntimeError(f"{what}, and cannot have it ({type(error).__name__}: {error}); {REMEDY}") from None
    if operator is None:
        raise RuntimeError(f"{what}, and importing {parcel.module} does not register it; {REMEDY}")
    if fingerprint(operator) != parcel.fingerprint:
        raise RuntimeError(
            f"{what}, and has another one of this name (fingerprint {fingerprint(operator)}, not "
            f"{parcel.fingerprint}): install the same package on both, and restart the workers"
        )
    return operator


REMEDY = "install the module on the workers, or put the operator into a file and load it with --operators FILE"


def _find(parcel: Parcel) -> Operator | None:
    """The operator from outside of this slot and name in this process; None if there is none."""
    candidates = [o for o in registry.in_slot(parcel.slot) if o.name == parcel.name]
    return next(iter(registry.from_outside(candidates)), None)


def _register(parcel: Parcel) -> None:
    """Register the operator in this process, in the way in which it was sent."""
    if parcel.source is not None:
        run(parcel.source, parcel.where.removeprefix("file "))
    elif parcel.pickled is not None:
        register(pickle.loads(parcel.pickled))
    else:
        importlib.import_module(parcel.module)
