"""Kinds of variables, and Space: from the box that DE searches to the points that the objective sees.

DE moves real numbers in a box. Each kind of variable has an interval of that box and decodes numbers there into
values: the logarithm of a `Real`, cells of equal width for an `Integer` or a `Choice`. A `Fixed` has no interval.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import ceil, floor, log
from numbers import Real as Number
from typing import Any

import numpy as np
from numpy.typing import NDArray

from debox import check
from debox.box import LARGEST_BOUND, Box

Floats = NDArray[np.float64]
LARGEST_INTEGER = 2**53  # floats hold every integer up to it


class Variable:
    """What all kinds of variables share."""

    @property
    def _interval(self) -> tuple[float, float]:
        """The bounds of what DE searches."""
        raise NotImplementedError

    def _decode(self, u: Floats) -> Floats:
        """The values that the objective sees, from numbers of the interval."""
        return u

    def _encode(self, value: Any) -> float:
        """A number that decodes to this value; an error says what is wrong with it."""
        raise NotImplementedError

    def _natural(self, x: Any) -> Any:
        """What the objective sees, one number or an array, as a Python program would write it."""
        return x if np.ndim(x) else float(x)


@dataclass(frozen=True)
class Real(Variable):
    """A real variable; without `log`, the same as a pair (lower, upper).

    Parameters
    ----------
    lower, upper : float
        Its bounds: finite, lower < upper, within ±1e307.
    log : bool, default False
        Whether its logarithm is searched, as suits rates and tolerances; needs 0 < lower.

    Raises
    ------
    ValueError
        If the bounds are not allowed.

    Examples
    --------
    >>> import debox
    >>> debox.Real(1e-6, 1e-1, log=True)
    Real(lower=1e-06, upper=0.1, log=True)
    """

    lower: float
    upper: float
    log: bool = False

    def __post_init__(self) -> None:
        check.boolean("log", self.log)
        _set_bounds(self, LARGEST_BOUND)
        if self.log and self.lower <= 0:
            raise ValueError(f"lower must be > 0 with log=True, got {self.lower}")
        if self.log and not log(self.lower) < log(self.upper):
            raise ValueError(f"({self.lower}, {self.upper}) is too narrow for log=True: the logarithms are equal")

    @property
    def _interval(self) -> tuple[float, float]:
        return (log(self.lower), log(self.upper)) if self.log else (self.lower, self.upper)

    def _decode(self, u: Floats) -> Floats:
        if not self.log:
            return u
        first, last = self._interval
        x = np.fmax(self.lower, np.fmin(self.upper, np.exp(u)))
        return np.where(u <= first, self.lower, np.where(u >= last, self.upper, x))  # bounds are exact

    def _encode(self, value: Any) -> float:
        x = _between(value, self.lower, self.upper)
        return log(x) if self.log else x


@dataclass(frozen=True)
class Integer(Variable):
    """An integer variable, bounds included; the cells of all integers have equal width.

    Parameters
    ----------
    lower, upper : int
        Its bounds: lower < upper, within ±2**53; floats such as 1e3 count as integers.

    Raises
    ------
    ValueError
        If the bounds are not allowed.

    Examples
    --------
    >>> import debox
    >>> debox.Integer(10, 60)
    Integer(lower=10, upper=60)
    """

    lower: int
    upper: int

    def __post_init__(self) -> None:
        _set_bounds(self, LARGEST_INTEGER, int)

    @property
    def _interval(self) -> tuple[float, float]:
        return self.lower - 0.5, self.upper + 0.5

    def _decode(self, u: Floats) -> Floats:
        return _nearest(u, self.lower, self.upper)

    def _encode(self, value: Any) -> float:
        x = _between(value, self.lower, self.upper)
        if x != floor(x):
            raise ValueError("is not an integer")
        return x

    def _natural(self, x: Any) -> Any:
        return x.astype(np.int64) if np.ndim(x) else int(x)


@dataclass(frozen=True)
class Periodic(Variable):
    """A variable on a circle, such as an angle: beyond one bound it continues at the other, whatever the strategy.

    Points that you give, as `x0` or `init`, may lie outside: they wrap, too.

    Parameters
    ----------
    lower, upper : float
        The ends of one period, which mean the same: finite, lower < upper, within ±1e307.

    Raises
    ------
    ValueError
        If the bounds are not allowed.

    Examples
    --------
    >>> import math
    >>> import debox
    >>> debox.Periodic(0, math.tau)
    Periodic(lower=0.0, upper=6.283185307179586)
    """

    lower: float
    upper: float

    def __post_init__(self) -> None:
        _set_bounds(self, LARGEST_BOUND)

    @property
    def _interval(self) -> tuple[float, float]:
        return self.lower, self.upper

    def _encode(self, value: Any) -> float:
        x = _between(value, -LARGEST_BOUND, LARGEST_BOUND)
        within = self.lower + (x - self.lower) % (self.upper - self.lower)
        return x if self.lower <= x <= self.upper else min(within, self.upper)  # rounding may exceed it


@dataclass(frozen=True)
class Choice(Variable):
    """One of several options; the cells of all options have equal width.

    If all options are numbers, the objective sees the number, else the index of the option. `result.params`, and an
    objective with named=True, have the option itself.

    Parameters
    ----------
    options : sequence
        At least two objects, all different. DE takes neighbours for similar. `Optimizer.save` needs what JSON can hold.

    Raises
    ------
    ValueError
        If there are fewer than two options, or two are equal.

    Examples
    --------
    >>> import debox
    >>> debox.Choice(["adam", "sgd"])
    Choice(options=('adam', 'sgd'))
    """

    options: Sequence[Any]

    def __post_init__(self) -> None:
        if isinstance(self.options, str) or not isinstance(self.options, Iterable):
            raise ValueError(f"options must be a sequence, got {self.options!r}")
        options = tuple(one.item() if isinstance(one, np.generic) else one for one in self.options)
        if len(options) < 2:
            raise ValueError(f"options must be at least two, got {self.options!r}")
        for k, option in enumerate(options):
            if _find(option, options[:k]) is not None:
                raise ValueError(f"options must all be different, got {option!r} twice")
        object.__setattr__(self, "options", options)

    @property
    def _interval(self) -> tuple[float, float]:
        return -0.5, len(self.options) - 0.5

    @cached_property
    def _numbers(self) -> Floats | None:
        """The options as floats, if all are numbers that floats can hold."""
        try:
            exact = all(isinstance(option, Number) and option == float(option) for option in self.options)
        except OverflowError:
            return None
        return np.array(self.options, np.float64) if exact else None

    def _decode(self, u: Floats) -> Floats:
        index = _nearest(u, 0, len(self.options) - 1)
        return index if self._numbers is None else self._numbers[index.astype(np.intp)]

    def _encode(self, value: Any) -> float:
        if self._numbers is None and isinstance(value, Number):  # what the objective sees
            index, what = _find(value, range(len(self.options))), "is not an index of"
        else:
            index, what = _find(value, self.options), "is not one of"
        if index is None:
            raise ValueError(f"{what} the options {', '.join(map(repr, self.options))}")
        return float(index)

    def _natural(self, x: Any) -> Any:
        index = np.asarray(x if self._numbers is None else np.equal.outer(x, self._numbers).argmax(axis=-1), np.intp)
        if not index.ndim:
            return self.options[int(index)]
        values = np.empty(index.shape, object)
        values[:] = [self.options[k] for k in index]
        return values


@dataclass(frozen=True)
class Fixed(Variable):
    """A variable that is not searched: the objective always sees this value.

    Parameters
    ----------
    value : float
        A finite number.

    Raises
    ------
    ValueError
        If it is not a finite number.

    Examples
    --------
    >>> import debox
    >>> debox.Fixed(3)
    Fixed(value=3)
    """

    value: float

    def __post_init__(self) -> None:
        number = check.real("value", self.value, "a finite value", lambda _: True)
        object.__setattr__(self, "value", self.value if isinstance(self.value, int) else number)

    def _decode(self, u: Floats) -> Floats:
        return np.full_like(u, self.value)

    def _encode(self, value: Any) -> float:
        return _between(value, self.value, self.value)

    def _natural(self, x: Any) -> Any:
        return np.full(np.shape(x), self.value) if np.ndim(x) else self.value


class Space:
    """The variables of a problem: DE searches `box`, which leaves out fixed ones; the objective sees `decode`'s points.

    Where all are plain intervals, `variables` is empty and both are the same.
    """

    def __init__(self, box: Box, variables: Sequence[Variable] = (), names: Sequence[str] = ()) -> None:
        self.box, self.variables, self.names = box, tuple(variables), tuple(names)
        self.n = len(variables) or box.n
        self.is_searched = np.array([not isinstance(one, Fixed) for one in variables] or [True] * box.n)
        self.periodic = np.array([isinstance(one, Periodic) for one in variables] or [False] * box.n)[self.is_searched]

    @classmethod
    def of(cls, bounds: Any, integrality: Any = None) -> Space:
        """A Space from what `Box.of` takes, from pairs and variables in a sequence, or in a dict by their names."""
        if isinstance(bounds, Space):
            return bounds
        names = list(bounds) if isinstance(bounds, Mapping) else []
        if wrong := [name for name in names if not isinstance(name, str)]:
            raise ValueError(f"names of variables must be text, got {wrong[0]!r}")
        given = list(bounds.values()) if names else bounds
        if not names and isinstance(given, Iterable) and not isinstance(given, np.ndarray):
            given = list(given)
        has_kinds = isinstance(given, list) and any(isinstance(one, Variable) for one in given)
        if not has_kinds and not names:
            box = Box.of(given)
            if integrality is None:
                return cls(box)
            given = [*zip(box.lower, box.upper, strict=True)]
        whole = _one_per_variable(integrality, len(given))
        variables = [
            _variable(one, is_whole, f"bounds[{name!r}]")
            for name, one, is_whole in zip(names or range(len(given)), given, whole, strict=True)
        ]
        searched = [one._interval for one in variables if not isinstance(one, Fixed)]
        if not searched:
            raise ValueError("bounds must have a variable that is not Fixed")
        plain = all(isinstance(one, Real) and not one.log for one in variables)
        return cls(Box.of(searched), () if plain else variables, names)

    @property
    def is_plain(self) -> bool:
        """Does the objective see the points of the box?"""
        return not self.variables

    def decode(self, points: Floats) -> Floats:
        """What the objective sees, (…, n), of points of the box, (…, box.n); the same array if the space is plain."""
        if self.is_plain:
            return points
        decoded = np.zeros((*points.shape[:-1], self.n))
        decoded[..., self.is_searched] = points
        for j, variable in enumerate(self.variables):
            decoded[..., j] = variable._decode(decoded[..., j])
        return decoded

    def encode(self, init: Any) -> Floats:
        """Points of the box, (N, box.n), of N points as the objective sees them or as dicts; options are allowed."""
        if self.is_plain and not self.names:
            return self.box._population(init)
        if isinstance(init, str | Mapping) or not isinstance(init, Iterable):
            raise ValueError(f"init must have shape (N, {self.n}), got {init!r}")
        return self._encode({f"init[{i}]": point for i, point in enumerate(init)})

    def encode_starts(self, x0: Any) -> Floats:
        """Points of the box, (k, box.n), of x0: one point as the objective sees it or as a dict, or k of them."""
        if _is_point(x0) and len(x0) and all(map(_is_point, x0)):  # of a dict: its names
            return self._encode({f"x0[{i}]": point for i, point in enumerate(x0)})
        return self._encode({"x0": x0})

    def _encode(self, points: Mapping[str, Any]) -> Floats:
        """Points of the box, of points by what errors call them."""
        encoded = np.empty((len(points), self.n))
        for i, (name, point) in enumerate(points.items()):
            for j, (variable, value) in enumerate(zip(self._kinds, self._values(point, name), strict=True)):
                try:
                    encoded[i, j] = variable._encode(value)
                except ValueError as error:
                    raise ValueError(f"{name}[{self.label(j)}] = {value!r} {error}") from None
        return encoded[:, self.is_searched].copy()

    def _values(self, point: Any, name: str) -> list[Any]:
        """The values of a point, one per variable."""
        if isinstance(point, Mapping):
            if point.keys() != set(self.names):
                known = ", ".join(self.names) or "there are none"
                raise ValueError(f"{name} must have the names of the variables ({known}), got {list(point)}")
            return [point[key] for key in self.names]
        values = list(point) if isinstance(point, Iterable) and not isinstance(point, str) else []
        if len(values) != self.n:
            raise ValueError(f"{name} must have {self.n} values, one per variable, got {point!r}")
        return values

    @cached_property
    def _kinds(self) -> Sequence[Variable]:
        """All variables, those of plain intervals, too."""
        lower, upper = self.box.lower.tolist(), self.box.upper.tolist()
        return self.variables or [Real(*pair) for pair in zip(lower, upper, strict=True)]

    def label(self, j: int) -> str:
        """Variable j as errors write it in brackets."""
        return repr(self.names[j] if self.names else j)

    def params(self, x: Floats) -> Any:
        """Natural values of what the objective sees, (n,) or (n, S): a dict by names or, without names, a list."""
        values = [variable._natural(one) for variable, one in zip(self._kinds, x, strict=True)]
        return dict(zip(self.names, values, strict=True)) if self.names else values

    def searched(self, of_all: Sequence[Any]) -> list[Any]:
        """Those of the variables that are searched, from one per variable."""
        return [one for one, is_searched in zip(of_all, self.is_searched, strict=True) if is_searched]

    def of_all(self, searched: NDArray[np.int64]) -> NDArray[np.int64]:
        """One number per variable, from those of the variables that are searched; 0 of fixed ones."""
        numbers = np.zeros((*searched.shape[:-1], self.n), np.int64)
        numbers[..., self.is_searched] = searched
        return numbers

    def contains(self, x: Floats) -> bool:
        """Could the objective see this point, were all trials repaired?"""
        try:
            return bool(self.box.contains(self.encode([x])[0]))
        except ValueError:
            return False

    def to_json(self) -> Any:
        """What `from_json` takes: [lower, upper] of a plain interval, else a dict with its kind; by names, if any."""
        for j, variable in enumerate(self.variables):
            for option in getattr(variable, "options", ()):
                if not _survives_json(option):
                    raise ValueError(f"to be saved, options must be what JSON holds, got {option!r} in {self.label(j)}")
        entries = [
            [one.lower, one.upper]
            if isinstance(one, Real) and not one.log
            else {"kind": type(one).__name__, **asdict(one)}  # type: ignore[call-overload]
            for one in self._kinds
        ]
        return dict(zip(self.names, entries, strict=True)) if self.names else entries

    @classmethod
    def from_json(cls, obj: Any) -> Space:
        """The Space that `to_json` wrote."""
        kinds = {kind.__name__: kind for kind in (Real, Integer, Periodic, Choice, Fixed)}

        def read(entry: Any) -> Any:
            if not isinstance(entry, dict):
                return entry
            return kinds[entry["kind"]](**{key: value for key, value in entry.items() if key != "kind"})

        return cls.of({name: read(one) for name, one in obj.items()} if isinstance(obj, dict) else [*map(read, obj)])


def _is_point(given: Any) -> bool:
    """Are these the values of several variables, not that of one?"""
    if isinstance(given, np.ndarray):
        return given.ndim > 0
    return isinstance(given, Sequence | Mapping) and not isinstance(given, str)


def _set_bounds(variable: Any, largest: float, kind: type = float) -> None:
    """Make the bounds numbers of their kind, lower < upper, within ±largest."""
    what, limit = ("an integer", "2**53") if kind is int else ("a finite number", str(largest))
    for side in ("lower", "upper"):
        given = getattr(variable, side)
        if type(given) is kind and abs(given) <= largest:  # type: ignore[arg-type]  # most are: n checks take long
            continue
        try:
            number = check.real(side, given, "", lambda x: abs(x) <= largest)
            if kind is int and number != int(given):  # 0.5, or an integer that a float cannot hold
                raise ValueError
        except ValueError:
            raise ValueError(f"{side} must be {what} within ±{limit}, got {given!r}") from None
        object.__setattr__(variable, side, kind(number))
    if not variable.lower < variable.upper:
        hint = f"; Fixed({variable.lower}) does not vary" if variable.lower == variable.upper else ""
        raise ValueError(f"lower must be < upper, got {variable.lower} and {variable.upper}{hint}")


def _between(value: Any, lower: float, upper: float) -> float:
    """A number in [lower, upper]."""
    try:
        x = check.real("", value, "", lambda _: True)
    except ValueError:
        raise ValueError("is not a finite number") from None
    if not lower <= x <= upper:
        raise ValueError(f"lies outside [{lower}, {upper}]")
    return x


def _nearest(u: Floats, lower: int, upper: int) -> Floats:
    """The nearest integer in [lower, upper], halves up; NaN, which the strategy none may leave, becomes upper."""
    u = np.fmax(lower, np.fmin(upper, u))
    below = np.floor(u)
    nearest: Floats = below + (u - below >= 0.5)  # exact, which floor(u + 0.5) is not
    return nearest


def _find(value: Any, options: Sequence[Any]) -> int | None:
    """The index of an option; arrays, whose comparison is not True or False, are found as the same objects."""
    for k, option in enumerate(options):
        try:
            if option is value or bool(option == value):
                return k
        except (TypeError, ValueError):
            pass
    return None


def _survives_json(option: Any) -> bool:
    try:
        return _find(option, [json.loads(json.dumps(option, allow_nan=False))]) is not None
    except (TypeError, ValueError):
        return False


def _one_per_variable(integrality: Any, n: int) -> list[bool]:
    """Which variables are integers, from one answer for all, or one per variable, as in SciPy."""
    given = np.asarray(False if integrality is None else integrality)
    if given.dtype.kind not in "biu" or given.shape not in ((), (1,), (n,)):
        raise ValueError(f"integrality must be True, False or one of them per variable ({n}), got {integrality!r}")
    return [bool(one) for one in np.broadcast_to(given, n)]


def _variable(given: Any, is_whole: bool, label: str) -> Variable:
    """A variable from a variable or a pair; where it is whole, of the integers in the pair."""
    if isinstance(given, Variable):
        if is_whole and not isinstance(given, Integer):
            raise ValueError(f"{label} = {given!r}: integrality goes with pairs; use Integer(lower, upper)")
        return given
    try:
        lower, upper = given
    except (TypeError, ValueError):
        raise ValueError(f"{label} must be a pair (lower, upper) or a variable, got {given!r}") from None
    if isinstance(lower, str):
        raise ValueError(f"{label} = {given!r} is not a pair of numbers; options are a variable: Choice({given!r})")
    try:
        real = Real(lower, upper)
        return Integer(ceil(real.lower), floor(real.upper)) if is_whole else real
    except ValueError as error:
        raise ValueError(f"{label} = ({lower}, {upper}): {error}") from None
