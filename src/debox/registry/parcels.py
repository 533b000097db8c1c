"""Operators from outside on their way to another process.

Those of a file go as its text, others by reference: the other process imports what they are made of, as pickle does.
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
    where: str  # it comes from, in words
    module: str  # of its function
    source: str | None  # the text of its file
    pickled: bytes | None  # the operator, by reference


def pack(operators: Iterable[Operator]) -> tuple[Parcel, ...]:
    """Those of the operators that are from outside, ready to be sent."""
    return tuple(_packed(operator) for operator in registry.from_outside(operators))


def _packed(operator: Operator) -> Parcel:
    origin = origin_of(operator)
    return Parcel(
        slot=operator.slot,
        name=operator.name,
        fingerprint=fingerprint(operator),
        where=origin.where,
        module=operator.function.__module__,
        source=origin.source,
        pickled=_pickled(operator) if origin.source is None else None,
    )


def _pickled(operator: Operator) -> bytes | None:
    """The operator by reference; None if it holds a function that has no name in a module, such as a lambda."""
    try:
        return pickle.dumps(operator)
    except (pickle.PicklingError, AttributeError):
        return None


def unpack(parcels: Iterable[Parcel]) -> tuple[Operator, ...]:
    """The operators in this process, registered if they were not yet; a RuntimeError says why one cannot be had."""
    return tuple(_unpacked(parcel) for parcel in parcels)


def _unpacked(parcel: Parcel) -> Operator:
    what = f"this worker needs the {parcel.slot} {parcel.name!r}, from {parcel.where} of the coordinator"
    operator = _known(parcel)
    if operator is None:
        try:
            _provide(parcel)
            operator = _known(parcel)
        except Exception as error:
            raise RuntimeError(f"{what}, and cannot have it ({type(error).__name__}: {error}); {MEND}") from None
    if operator is None:
        raise RuntimeError(f"{what}, and importing {parcel.module} does not register it; {MEND}")
    if fingerprint(operator) != parcel.fingerprint:
        raise RuntimeError(
            f"{what}, and has another one of this name (fingerprint {fingerprint(operator)}, not "
            f"{parcel.fingerprint}): install the same package on both, and restart the workers"
        )
    return operator


MEND = "install the module on the workers, or put the operator into a file and load it with --operators FILE"


def _known(parcel: Parcel) -> Operator | None:
    """The operator from outside of this name."""
    named = [o for o in registry.in_slot(parcel.slot) if o.name == parcel.name]
    return next(iter(registry.from_outside(named)), None)


def _provide(parcel: Parcel) -> None:
    """Register the operator."""
    if parcel.source is not None:
        run(parcel.source, parcel.where.removeprefix("file "))
    elif parcel.pickled is not None:
        register(pickle.loads(parcel.pickled))
    else:
        importlib.import_module(parcel.module)
