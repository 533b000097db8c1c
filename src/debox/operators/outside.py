"""Operators from outside: decorators and `register`, files, installed packages, and parcels for other processes."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import linecache
import os
import pickle
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import product
from types import ModuleType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from debox import check, files, operators
from debox.operators import DECORATORS, Registration
from debox.operators.fingerprint import SENT, fingerprint
from debox.operators.kinds import KINDS, Adaptation, Crossover, Donors, Function, Mutation, Operator, Strategy

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint  # reads the packages' files: not for `import debox`

Fields = ParamSpec("Fields")
Kind = TypeVar("Kind", bound=Operator)

LOCK = threading.RLock()  # held while the table is changed, and during a fork: the child has no thread to free it
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)


# Decorators and register.


def decorator_of(
    kind: Callable[Concatenate[str, Function, Fields], Kind],
) -> Callable[Concatenate[str, Fields], Callable[[Function], Kind]]:
    """The decorator that makes operators of a kind, and registers them; its help is that of the class."""
    name, _, *fields = inspect.signature(kind).parameters.values()
    slot, signature = getattr(kind, "slot", ""), inspect.Signature([name, *fields])

    def decorator(*args: Any, **fields: Any) -> Callable[[Function], Kind]:
        if args and callable(args[0]):
            raise TypeError(f"@debox.{slot} needs a name: write @debox.{slot}('name')")
        check.reject_unknown_keywords(decorator, {key: None for key in fields if key not in signature.parameters})
        given = signature.bind(*args, **fields).arguments
        name = given.pop("name")
        return lambda function: register(kind(name, function, **given))  # type: ignore[call-arg]

    decorator.__name__ = decorator.__qualname__ = slot
    decorator.__doc__, decorator.__signature__ = kind.help_text(), signature  # type: ignore[attr-defined]
    return decorator


mutation = decorator_of(Mutation)
crossover = decorator_of(Crossover)
strategy = decorator_of(Strategy)
donors = decorator_of(Donors)
adaptation = decorator_of(Adaptation)


def register(operator: Kind) -> Kind:
    """Add an operator to those that configurations, studies and commands can name, as the decorators do.

    The operator is first tried on a few hundred random cases: it must do what every operator of its slot does. Defining
    a function again, as in a notebook, replaces the operator that was made of it.

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
        If another operator of its slot has one of its names, or the function does what it must not; the message says
        what was passed, what came out and what is allowed.
    TypeError
        If it is not an operator.

    Examples
    --------
    L-SHADE with a larger memory:

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
    loading = _loading.get()
    with LOCK:
        same = [one for one in operators.in_slot(operator.slot) if one == operator]
        found: Kind = same[0] if same else add(operator, loading)
        for other in _in_progress:  # what others register too stays, whichever of them fails
            if other is not loading and found in other.added:
                other.added.remove(found)
    if loading:
        loading.operators.append(found)
    return found


def add(operator: Kind, loading: Loading | None) -> Kind:
    """Check an operator and put it into the table; an operator that is there and the same is given back."""
    from debox.operators.checks import check as try_it

    refuse_ambiguous_variants(operator)
    try_it(operator)
    origin, replaced = loading.origin if loading else f"module {operator.function.__module__}", list[Operator]()
    for other in operators.in_slot(operator.slot):
        if not {operator.name.lower(), operator.short.lower()} & {other.name.lower(), other.short.lower()}:
            continue
        is_own = other in operators.OPERATORS
        if not is_own and fingerprint(other) == fingerprint(operator):
            return other  # type: ignore[no-any-return]
        if is_own or place_of(other) != place_of(operator):
            owner = "one of debox's own" if is_own else f"from {origin_of(other)}"
            raise ValueError(
                f"{operator.slot} {operator.name!r} (short {operator.short!r}) has a name of another one: "
                f"{other.name!r} (short {other.short!r}) is {owner}; choose another name"
            )
        replaced.append(other)
    fingerprint(operator)  # of its source as it is now
    kept = [one for one in operators.REGISTRATIONS if one.operator not in replaced]
    operators.REGISTRATIONS = (*kept, Registration(operator, origin))
    if loading:
        loading.added.append(operator)
    return operator


def place_of(operator: Operator) -> tuple[str, str]:
    """Where its function is defined."""
    return operator.function.__module__, operator.function.__qualname__


def origin_of(operator: Operator) -> str:
    """Where an operator from outside comes from, in words."""
    return next(one.origin for one in operators.REGISTRATIONS if one.operator == operator)


def refuse_ambiguous_variants(operator: Operator) -> None:
    """Raise a ValueError if DE/rand/1/bin had two meanings: rand/1 with bin, and a mutation rand/1/bin."""
    names: dict[str, set[str]] = {}
    for slot in ("mutation", "crossover"):
        every = [*operators.in_slot(slot), *([operator] if operator.slot == slot else [])]
        names[slot] = {name.lower() for one in every for name in (one.name, one.short)}
    for first, last in product(names["mutation"], names["crossover"]):
        if f"{first}/{last}" in names["mutation"]:
            raise ValueError(
                f"{operator.slot} {operator.name!r} gives DE/{first}/{last} a second meaning: {first!r} and "
                f"{first + '/' + last!r} would both be mutations; choose another name"
            )


class Loading:
    """A block in which a thread loads operators from one origin.

    What is registered inside has this origin and is put into the list that the block gives. An error takes it out of
    the table again, unless others registered it too.
    """

    def __init__(self, origin: str) -> None:
        self.origin, self.operators, self.added = origin, list[Operator](), list[Operator]()

    def __enter__(self) -> list[Operator]:
        self.outer = _loading.set(self)
        with LOCK:
            _in_progress.append(self)
        return self.operators

    def __exit__(self, error: object, *_: object) -> None:
        _loading.reset(self.outer)
        with LOCK:
            _in_progress.remove(self)
            if error is not None:
                kept = [one for one in operators.REGISTRATIONS if one.operator not in self.added]
                operators.REGISTRATIONS = tuple(kept)


_loading = ContextVar[Loading | None]("_loading", default=None)  # the file or package whose code this thread runs
_in_progress = list[Loading]()  # of all threads


# Files: --operators FILE.

LARGEST_FILE = 1_000_000  # bytes
FILE_MODULE = "debox_operators_"  # begins the names of modules that are run from files
_operators_of_file: dict[tuple[str, str], list[Operator]] = {}  # by path and text


def load_file(path: str | os.PathLike[str]) -> list[Operator]:
    """The operators that a Python file defines; a ValueError names the file and the reason."""
    where = files.absolute(path, "--operators")
    try:
        source = files.read_small(where, LARGEST_FILE).decode("utf-8")
    except OSError as error:
        raise ValueError(f"cannot read the operators in {where}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{where} is not a text: {error}") from None
    key = str(where), source
    with Loading(f"file {where}") as found:
        if key not in _operators_of_file:
            execute(source, str(where))
            if not found:
                raise ValueError(f"{where} has no operators: a decorator ({DECORATORS}) makes one of a function")
            _operators_of_file[key] = list(dict.fromkeys(found))
        return [register(operator) for operator in _operators_of_file[key]]


def execute(source: str, where: str) -> None:
    """Run the text of a file as a module, which is named after the file; after an error no such module is left."""
    module = ModuleType(FILE_MODULE + hashlib.sha256(where.encode()).hexdigest()[:16])
    module.__file__ = where
    sys.modules[module.__name__] = module
    linecache.cache[where] = (len(source), None, source.splitlines(keepends=True), where)
    try:
        exec(compile(source, where, "exec", dont_inherit=True), vars(module))  # not with the futures of this file
    except BaseException as error:
        sys.modules.pop(module.__name__, None)  # the file itself may have taken it out
        if isinstance(error, KeyboardInterrupt):
            raise
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == where]
        line = f", line {lines[-1]}" if lines else ""
        raise ValueError(f"{where}{line}: {type(error).__name__}: {message_of(error)}") from None


def message_of(error: BaseException) -> str:
    """What an error says, if it can say it."""
    try:
        return str(error)
    except Exception:
        return "(its message cannot be written)"


# Installed packages: entry points of the group ``debox.operators``.

GROUP = "debox.operators"
_packages_are_loaded = False
_is_loading_packages = ContextVar("_is_loading_packages", default=False)  # here: a package may ask for operators, too


def load_packages() -> None:
    """Register what the installed packages offer, once in a process; a warning names a package that cannot be used.

    Threads that ask at the same time all load, which does no harm: a lock could deadlock with Python's import lock.
    """
    global _packages_are_loaded
    if _packages_are_loaded or _is_loading_packages.get():
        return
    from importlib.metadata import entry_points

    before = _is_loading_packages.set(True)
    try:
        for entry in entry_points(group=GROUP):
            load_package(entry)
    finally:
        _is_loading_packages.reset(before)
    _packages_are_loaded = True


def load_package(entry: EntryPoint) -> None:
    """Register the operators of one entry point, an operator or a module that makes some, or warn."""
    package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"
    try:
        with Loading(f"package {package}") as found:
            value = entry.load()
            if isinstance(value, Operator):
                register(value)
            made_before = any(one.operator.function.__module__ == entry.module for one in operators.REGISTRATIONS)
            if not found and not (isinstance(value, ModuleType) and made_before):
                raise ValueError(f"it has no operators: {entry.value} must be an operator or a module that makes some")
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {message_of(error)}"
        warnings.warn(
            f"operators of package {package} (entry point {entry.name} = {entry.value}) are left out: {reason}",
            RuntimeWarning,
            stacklevel=2,
        )


# Parcels for other processes. Operators of installed modules go by reference, all others by value.

REMEDY = "install the module on the workers, or put the operator into a file and load it with --operators FILE"


@dataclass(frozen=True)
class Parcel:
    """What another process needs to have the same operator."""

    slot: str
    name: str
    fingerprint: str
    where: str  # its origin, in words
    module: str  # of its function
    pickled: bytes | None  # the operator; None if importing the module makes it


def pack(given: Iterable[Operator]) -> tuple[Parcel, ...]:
    """Those of the operators that are from outside, ready to be sent."""
    return tuple(
        Parcel(o.slot, o.name, fingerprint(o), origin_of(o), o.function.__module__, by_value(o))
        for o in operators.from_outside(given)
    )


def by_value(operator: Operator) -> bytes | None:
    """The operator with the code of its functions; None if its module makes it where it is imported."""
    name, qualname = place_of(operator)
    if name != "__main__" and not name.startswith(FILE_MODULE) and "<locals>" not in qualname:
        return None
    import cloudpickle

    module = sys.modules.get(name) if name.startswith(FILE_MODULE) else None
    if module is None:
        return bytes(cloudpickle.dumps(operator))
    cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps(operator))
    finally:
        cloudpickle.unregister_pickle_by_value(module)


def unpack(parcels: Iterable[Parcel]) -> tuple[Operator, ...]:
    """The same operators in this process, which registers those it lacks; a RuntimeError says why one cannot be had."""
    return tuple(unpack_one(parcel) for parcel in parcels)


def unpack_one(parcel: Parcel) -> Operator:
    """The operator of a parcel in this process."""
    what = f"this worker needs the {parcel.slot} {parcel.name!r}, from {parcel.where} of the coordinator"
    operator = find_here(parcel)
    if operator is None or fingerprint(operator) != parcel.fingerprint:
        try:
            if parcel.pickled is None:
                importlib.import_module(parcel.module)
            else:
                sent: Operator = pickle.loads(parcel.pickled)
                vars(sent)[SENT] = parcel.fingerprint
                with Loading(parcel.where):
                    register(sent)
        except Exception as error:
            raise RuntimeError(f"{what}, and cannot have it ({type(error).__name__}: {error}); {REMEDY}") from None
        operator = find_here(parcel)
    if operator is None:
        raise RuntimeError(f"{what}, and importing {parcel.module} does not register it; {REMEDY}")
    if fingerprint(operator) != parcel.fingerprint:
        raise RuntimeError(
            f"{what}, and has another one of this name (fingerprint {fingerprint(operator)}, not "
            f"{parcel.fingerprint}): install the same package on both, and restart the workers"
        )
    return operator


def find_here(parcel: Parcel) -> Operator | None:
    """The operator from outside of this slot and name in this process; None if there is none."""
    candidates = [o for o in operators.in_slot(parcel.slot) if o.name == parcel.name]
    return next(iter(operators.from_outside(candidates)), None)
