"""Operators of users: decorators and `register`, files, packages, fingerprints, and parcels for other processes."""

from __future__ import annotations

import hashlib
import inspect
import pickle
import re
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from os import PathLike
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from debox import check, files, operators
from debox.operators import DECORATORS
from debox.operators.kinds import KINDS, Adaptation, Crossover, Donors, Function, Mutation, Operator, Strategy

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint  # reads the packages' files: not for `import debox`

Fields = ParamSpec("Fields")
Kind = TypeVar("Kind", bound=Operator)

LOCK = threading.RLock()  # held while the table is changed


# Decorators and register.


def decorator_of(
    kind: Callable[Concatenate[str, Function, Fields], Kind],
) -> Callable[Concatenate[str, Fields], Callable[[Function], Kind]]:
    """The decorator that makes operators of a kind, and registers them, with the help of the class."""
    name, _, *options = inspect.signature(kind).parameters.values()
    slot, known = getattr(kind, "slot", ""), {option.name for option in options}

    def decorator(name: str, **fields: Any) -> Callable[[Function], Kind]:
        if callable(name):  # written without brackets
            raise TypeError(f"@debox.{slot} needs a name: write @debox.{slot}('name')")
        check.reject_unknown_keywords(decorator, dict.fromkeys(field for field in fields if field not in known))
        return lambda function: register(kind(name, function, **fields))  # type: ignore[call-arg]

    decorator.__name__ = decorator.__qualname__ = slot
    decorator.__doc__ = kind.help_text()  # type: ignore[attr-defined]
    decorator.__signature__ = inspect.Signature([name, *options])  # type: ignore[attr-defined]
    return decorator  # type: ignore[return-value]


mutation = decorator_of(Mutation)
crossover = decorator_of(Crossover)
strategy = decorator_of(Strategy)
donors = decorator_of(Donors)
adaptation = decorator_of(Adaptation)


def register(operator: Kind) -> Kind:
    """Add an operator to those that configurations, studies and commands can name, as the decorators do.

    The operator is first tried on a few hundred random cases. Defining a function again replaces the operator that was
    made of it; in a notebook any function replaces the one that had its name.

    Parameters
    ----------
    operator : operator
        What a decorator gave, or a changed copy of it; registering the same again is harmless.

    Returns
    -------
    operator
        The operator in the table.

    Raises
    ------
    ValueError
        If another operator of its slot has one of its names, or the function fails its checks; the message says what
        was passed, what came out and what is allowed.
    TypeError
        If it is not an operator.

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
        arguments = tuple(inspect.signature(operator).parameters) if inspect.isfunction(operator) else ()
        fitting = [f"@debox.{kind.slot}('name')" for kind in KINDS if kind.arguments == arguments]
        hint = f"write {fitting[0]} over it" if fitting else f"a decorator makes it ({DECORATORS})"
        raise TypeError(f"register takes an operator, got {operator!r}; {hint}")
    with LOCK:
        same = [one for one in operators.in_slot(operator.slot) if one == operator]
        return same[0] if same else add(operator)


def add(operator: Kind) -> Kind:
    """Try an operator and put it into the table, in place of those of the same name that were defined where it is."""
    from debox.operators.checks import check as try_it

    try_it(operator)
    namesakes = [one for one in operators.in_slot(operator.slot) if operator.names & one.names]
    for other in namesakes:
        is_own = other in operators.OPERATORS
        if is_own or place_of(other) != place_of(operator):
            if not is_own and other.short == operator.short and fingerprint(other) == fingerprint(operator):
                return other  # type: ignore[no-any-return]
            owner = "one of debox's own" if is_own else f"from {origin_of(other)}"
            raise ValueError(
                f"{operator.slot} {operator.name!r} (short {operator.short!r}) has a name of another one: "
                f"{other.name!r} (short {other.short!r}) is {owner}; choose another name"
            )
    others = (one for one in operators.REGISTRATIONS if one not in namesakes)
    operators.REGISTRATIONS = (*others, operator)
    return operator


def place_of(operator: Operator) -> tuple[str, str]:
    """Where its function is defined; a notebook or script is one place: a name is whatever it defines last."""
    module, name = operator.function.__module__, operator.function.__qualname__
    return module, "" if module == "__main__" else name


def origin_of(operator: Operator) -> str:
    """Where its function is defined, in words: ``module mine`` or ``file /home/me/mine.py``"""
    module = operator.function.__module__
    return module if module.startswith("file ") else f"module {module}"


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
        raise ValueError(f"{where} has no operators: a decorator ({DECORATORS}) makes one of a function")


# Installed packages: entry points of the group ``debox.operators``.

GROUP = "debox.operators"
_packages_are_loaded = False


def load_packages() -> None:
    """Register what the installed packages offer, once in a process; a warning names a package that cannot be used.

    Threads that ask at the same time all load, which does no harm: a lock could deadlock with Python's import lock.
    """
    global _packages_are_loaded
    if _packages_are_loaded:
        return
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP):
        load_package(entry)
    _packages_are_loaded = True


def load_package(entry: EntryPoint) -> None:
    """Register the operators of one entry point, an operator or a module that makes some, or warn."""
    try:
        value = entry.load()
        if not isinstance(value, ModuleType):
            register(value)
    except (Exception, SystemExit) as error:
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"
        about = f"cannot load the operators of package {package} (entry point {entry.name} = {entry.value})"
        warnings.warn(f"{about}: {type(error).__name__}: {error}", RuntimeWarning, stacklevel=2)


# Fingerprints: what an operator computes, and not what it is called.


def fingerprint(operator: Operator) -> str:
    """16 hex digits of the compiled code of its functions, of those they call, of variables they use, and its fields.

    Of what Python's and other libraries define only the name counts. Another version of Python may have other code.
    """
    words = ("citation", "short", "has_terminal_cells", "function", "learn", "weights")
    values = {one.name: getattr(operator, one.name) for one in fields(operator)}
    parts = [operator.slot, *(f"{name}={value!r}" for name, value in values.items() if name not in words)]
    parts += [describe(values[name]) for name in ("function", "learn") if name in values]
    if isinstance(operator, Mutation) and operator.weights:
        scales = [(F, 0.3) if operator.draws_K else (F,) for F in (0.3, 0.5, 1.7)]
        parts.append(repr([operator.weights(*some) for some in scales]))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def describe(function: Function, callers: tuple[Function, ...] = ()) -> str:
    """The code of a function, of the functions it calls and the variables it uses, the same in every process."""
    lines = list[str]()
    for code in codes(function.__code__):
        docstring = code.co_consts[0] if code.co_consts and isinstance(code.co_consts[0], str) else None
        constants = [constant(one) for one in code.co_consts if one is not docstring and not isinstance(one, CodeType)]
        lines.append(f"{code.co_code.hex()} {code.co_names} {constants}")
    for name, value in sorted(used_by(function).items()):
        if (called := function_of(value)) is None:
            lines.append(f"{name} = {constant(value)}")
        elif called not in (function, *callers):
            lines.append(f"{name}: {describe(called, (function, *callers))}")
    return "\n".join(lines)


def codes(code: CodeType) -> list[CodeType]:
    """A code object and those of the functions inside it."""
    return [code, *(one for inner in code.co_consts if isinstance(inner, CodeType) for one in codes(inner))]


def used_by(function: Function) -> dict[str, Any]:
    """The values of the global variables that a function names, and of those of surrounding functions."""
    names = {name for code in codes(function.__code__) for name in code.co_names}
    found = {name: value for name, value in function.__globals__.items() if name in names}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return found | {name: cell.cell_contents for name, cell in cells}


def function_of(value: Any) -> FunctionType | None:
    """The Python function of a user in a function, an operator or what Numba compiled; None if there is none."""
    function = getattr(value, "function" if isinstance(value, Operator) else "py_func", value)
    root = str(getattr(function, "__module__", "")).partition(".")[0]
    is_library = root in ("numba", "numpy", "scipy") or (root in sys.stdlib_module_names and root != "__main__")
    return function if isinstance(function, FunctionType) and not is_library else None


def constant(value: Any) -> str:
    """A value as text: arrays whole, sets sorted, functions, classes and modules by their names, no addresses."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, set | frozenset):
        return str(sorted(map(constant, value)))
    if isinstance(value, ModuleType | type) or callable(value):
        return str(getattr(value, "__qualname__", getattr(value, "__name__", type(value).__qualname__)))
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


# Parcels for other processes: an operator goes by value, what it uses of installed modules by reference.


@dataclass(frozen=True)
class Parcel:
    """What another process needs to have the same operator."""

    slot: str
    name: str
    fingerprint: str
    origin: str  # in words
    pickled: bytes


def pack(given: Iterable[Operator]) -> tuple[Parcel, ...]:
    """Those of the operators that users made, ready to be sent."""
    if not (outside := operators.from_outside(given)):
        return ()
    import cloudpickle

    return tuple(Parcel(o.slot, o.name, fingerprint(o), origin_of(o), cloudpickle.dumps(o)) for o in outside)


def unpack(parcel: Parcel) -> Operator:
    """The same operator in this process, registered if need be; a RuntimeError says why it is not available."""
    for operator in operators.from_outside(operators.in_slot(parcel.slot)):
        if operator.name == parcel.name and fingerprint(operator) == parcel.fingerprint:
            return operator
    try:
        sent: Operator = register(pickle.loads(parcel.pickled))
        if (here := fingerprint(sent)) != parcel.fingerprint:
            raise ValueError(f"it computes something else here, fingerprint {here} instead of {parcel.fingerprint}")
    except Exception as error:
        raise RuntimeError(
            f"this worker needs the {parcel.slot} {parcel.name!r}, from {parcel.origin} of the coordinator, but "
            f"{type(error).__name__}: {error}; install the modules that it uses on the workers, in the same versions"
        ) from None
    return sent
