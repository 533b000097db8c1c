"""Operators of users: decorators and `register`, files, packages, and parcels for other processes."""

from __future__ import annotations

import inspect
import pickle
import threading
import traceback
import warnings
from collections.abc import Callable, Iterable
from functools import cache
from os import PathLike
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from debox import check, files, operators
from debox.operators.kinds import KINDS, Adaptation, Crossover, Donors, Function, Mutation, Operator, Strategy

Kind = TypeVar("Kind", bound=Operator)

HOW_TO_MAKE_ONE = f"make one with {', '.join(f'@debox.{kind.slot}' for kind in KINDS)}"
LOCK = threading.RLock()  # held while the table is changed


# Decorators and register.


def decorator_of(kind: type[Kind]) -> Callable[..., Callable[[Function], Kind]]:
    """The decorator that makes operators of a kind and registers them, with the help and the fields of the class."""
    name, _, *options = inspect.signature(kind).parameters.values()
    known = {option.name for option in options}

    def decorator(name: str, **fields: Any) -> Callable[[Function], Kind]:
        if callable(name):  # written without brackets
            raise TypeError(f"@debox.{kind.slot} needs a name: write @debox.{kind.slot}('name')")
        check.reject_unknown_keywords(decorator, dict.fromkeys(field for field in fields if field not in known))
        return lambda function: register(kind(name, function, **fields))

    decorator.__name__ = decorator.__qualname__ = kind.slot
    decorator.__doc__ = kind.help_text()
    decorator.__signature__ = inspect.Signature([name, *options])  # type: ignore[attr-defined]
    return decorator


mutation = decorator_of(Mutation)
crossover = decorator_of(Crossover)
strategy = decorator_of(Strategy)
donors = decorator_of(Donors)
adaptation = decorator_of(Adaptation)


def register(operator: Kind) -> Kind:
    """Add an operator to those that configurations, studies and commands can name, as the decorators do.

    The operator is first tried on a few hundred random cases. Defining a function again replaces the operator that was
    made of it; in a notebook any function replaces the one that had its name. Other operators keep their names.

    Parameters
    ----------
    operator : operator
        What a decorator gave, or a changed copy of it; registering the same again is harmless.

    Returns
    -------
    operator
        The operator in the table.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import debox
    >>> from debox.operators import find
    >>> _ = debox.register(replace(find("adaptation", "L-SHADE"), name="L-SHADE-20", short="L20", memory=20))
    >>> debox.Config("L-SHADE, N=90, adaptation=L20").adaptation
    'L-SHADE-20'
    """
    if not isinstance(operator, Operator):
        raise TypeError(f"register takes an operator, got {operator!r}; {HOW_TO_MAKE_ONE}")
    return add(operator)


def add(operator: Kind, replaces_any: bool = False) -> Kind:
    """Try an operator and put it into the table, in place of those of its names, if they were defined where it is."""
    from debox.operators.checks import check as try_it

    with LOCK:
        if same := [one for one in operators.in_slot(operator.slot) if one == operator]:
            return same[0]  # type: ignore[no-any-return]
        try_it(operator)
        namesakes = [one for one in operators.in_slot(operator.slot) if operator.names & one.names]
        for other in namesakes:
            is_own = other in operators.OPERATORS
            is_kept = is_own or not (replaces_any or place_of(other) == place_of(operator))
            owner = "one of debox's own" if is_own else f"from {other.function.__module__}"
            shared = f"the name {min(operator.names & other.names)!r} belongs to {other.name!r}"
            operator.refuse(is_kept, f"{shared}, {owner}; choose another name")
        others = (one for one in operators.REGISTRATIONS if one not in namesakes)
        operators.REGISTRATIONS = (*others, operator)
    return operator


def place_of(operator: Operator) -> tuple[str, str]:
    """Where its function is defined; a notebook or script is one place: a name is whatever it defines last."""
    module, name = operator.function.__module__, operator.function.__qualname__
    return module, "" if module == "__main__" else name


# Files: --operators FILE.


def load_file(path: str | PathLike[str]) -> None:
    """Register the operators that a Python file defines; a ValueError names the file and the reason."""
    where = files.absolute(path, "--operators")
    try:
        source = where.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read the operators in {where}: {error.strerror or error}") from None
    before, space = operators.REGISTRATIONS, {"__name__": f"file {where}", "__file__": str(where)}
    try:  # not with the futures of this file; the module has no entry in sys.modules: it is pickled by value
        exec(compile(source, str(where), "exec", dont_inherit=True), space)
    except (Exception, SystemExit) as error:
        lines = [one.lineno for one in traceback.extract_tb(error.__traceback__) if one.filename == str(where)]
        line = f", line {lines[-1]}" if lines else ""
        raise ValueError(f"{where}{line}: {type(error).__name__}: {error}") from None
    if operators.REGISTRATIONS is before and not any(isinstance(value, Operator) for value in space.values()):
        raise ValueError(f"{where} has no operators: {HOW_TO_MAKE_ONE}")


# Installed packages: entry points of the group ``debox.operators``.

GROUP = "debox.operators"


@cache
def load_packages() -> None:
    """Register what the installed packages offer, once in a process; a warning names a package that cannot be used.

    An entry point names an operator, or a module that makes some. Threads that ask at the same time all load, which
    does no harm: a lock could deadlock with Python's import lock.
    """
    from importlib.metadata import entry_points  # not for `import debox`: it takes time

    for entry in entry_points(group=GROUP):
        try:
            value = entry.load()
            if not isinstance(value, ModuleType):
                register(value)
        except (Exception, SystemExit) as error:
            package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"
            about = f"cannot load the operators of package {package} (entry point {entry.name} = {entry.value})"
            warnings.warn(f"{about}: {type(error).__name__}: {error}", RuntimeWarning, stacklevel=2)


# Parcels for other processes: an operator goes by value, what it uses of installed modules by reference.


class Parcel(NamedTuple):
    """What another process needs to have the same operator."""

    what: str  # in words
    pickled: bytes


_unpacked: dict[bytes, Operator] = {}  # by their pickles, and in the process that packed them they themselves


def pack(given: Iterable[Operator]) -> tuple[Parcel, ...]:
    """Those of the operators that users made, ready to be sent."""
    import cloudpickle

    own = {cloudpickle.dumps(operator): operator for operator in operators.from_outside(given)}
    _unpacked.update(own)
    return tuple(Parcel(f"{o.slot} {o.name!r}, from {o.function.__module__}", pickled) for pickled, o in own.items())


def unpack(parcel: Parcel) -> Operator:
    """The same operator in this process, in place of any of its names; a RuntimeError says why it is not available."""
    try:
        if parcel.pickled not in _unpacked:
            _unpacked[parcel.pickled] = pickle.loads(parcel.pickled)
        return add(_unpacked[parcel.pickled], replaces_any=True)
    except Exception as error:
        reason = f"this worker needs the {parcel.what} of the coordinator, but {type(error).__name__}: {error}"
        remedy = "install the modules that it uses on the workers, in the same versions"
        raise RuntimeError(f"{reason}; {remedy}") from None
