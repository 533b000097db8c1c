"""The keys of a study: each with its meaning, its default and its check; Study, docs and tests iterate over them.

A check returns a value as the study keeps it, or raises a ValueError. Names of operators that are not installed come
from a file and become part of other files' names, so what they are made of is checked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np

from debox import check, operators
from debox.config import DEFAULTS, ENGINE_NAMES, REPAIRS, crossover_rate, defaults_with, scale_factor
from debox.operators.kinds import NAME_RULE, is_name

ADAPTATION = "adaptation"
START = ("F", "Cr")  # with which adaptations begin, in the order of Operator.start
FOLLOWERS = (*START, "donors")  # they follow the adaptation if they are not given
SHORT_NAMES = {"n": "dimension"}  # the paper's symbols, which may be given for the names
# Factors that matter to strategies with this property alone; configurations of all others have the default.
MATTERS_IF = {"reevaluate": "dismisses", "repair": "minds_repair"}

PRINTED_ERROR = 0.001  # how far a value printed with three decimals, rounded or cut, may be from the exact one
LONGEST_NAME = 100  # characters
MOST_NAMED = 20  # wrong values of a list in an error message
MOST_CHARACTERS = 200  # of a wrong value in an error message


class Field(NamedTuple):
    meaning: str
    check_value: Callable[[str, Any], Any]  # of the key's name and a value
    default: Any = None  # None: it must be given
    is_factor: bool = False  # one value or a list of them

    def check(self, name: str, given: Any) -> Any:
        """The value, or the different values of a factor, as the study keeps them; a ValueError names wrong ones."""
        if not self.is_factor:
            return self.check_value(name, given)
        checked, wrong = [], []
        for value in several(given):
            try:
                checked.append(self.check_value(name, value))
            except ValueError as error:
                wrong.append(str(error))
        if wrong:
            raise ValueError("\n".join(wrong[:MOST_NAMED]))
        if not checked:
            raise ValueError(f"{name} must have at least one value, got {given!r}")
        if twice := sorted(str(value) for value, times in Counter(checked).items() if times > 1):
            raise ValueError(f"{name} must have different values, got {', '.join(twice[:MOST_NAMED])} more than once")
        return tuple(checked)


def several(given: Any) -> tuple[Any, ...]:
    """The values of a list, a range or an array; one alone as a tuple."""
    return tuple(given) if isinstance(given, list | tuple | range | np.ndarray) else (given,)


def check_study_name(name: str, value: Any) -> str:
    """The study's name: a word, for it names files."""
    if not isinstance(value, str) or not re.fullmatch(r"\w[\w.-]*", value) or len(value) > LONGEST_NAME:
        allowed = f"a word of at most {LONGEST_NAME} letters, digits, '_', '-' and '.'"
        raise ValueError(f"{name} must be {allowed}, got {short_repr(value)}")
    return value


def short_repr(value: Any) -> str:
    """A wrong value for an error message: at most a few lines of it."""
    written = repr(value)
    return written if len(written) <= MOST_CHARACTERS else f"{written[:MOST_CHARACTERS]}… ({len(written)} characters)"


def check_budget(name: str, value: Any) -> int | str:
    """A number of evaluations, or so many for every variable: '10000 n'."""
    per_variable = re.fullmatch(r"(\d{1,4000})\s*[·*]?\s*n", value.strip()) if isinstance(value, str) else None
    try:
        number = check.integer(name, int(per_variable[1]) if per_variable else value, 1, most=inf)
    except ValueError:
        raise ValueError(f"{name} must be an integer ≥ 1 or such as '10000 n', got {short_repr(value)}") from None
    check.budget(number, written=short_repr(value))
    return f"{number} n" if per_variable else number


def check_checkpoints(name: str, values: Any) -> tuple[float, ...]:
    """Rising shares of the budget, as numbers or as texts such as '1/3'."""
    if not isinstance(values, list | tuple):
        raise ValueError(f"{name} must be a list such as ['1/3', 0.5], got {short_repr(values)}")
    shares = list(values)
    for place, value in enumerate(values):
        if isinstance(value, str):
            fraction = re.fullmatch(r"\s*(\d{1,20})\s*/\s*(\d{1,20})\s*", value)
            try:
                shares[place] = int(fraction[1]) / int(fraction[2]) if fraction else float(value)
            except (ValueError, ZeroDivisionError):
                allowed = "numbers or fractions such as '1/3'"
                raise ValueError(f"{name} must be {allowed}, got {short_repr(value)}") from None
    return check.shares(name, shares)


def equally_spaced(name: str, printed: tuple[float, ...]) -> tuple[float, ...]:
    """The equally spaced values of which these are printed with three decimals, rounded or cut."""
    exact = np.linspace(printed[0], printed[-1], len(printed))
    for value, expected in zip(printed, exact, strict=True):
        if abs(value - expected) >= PRINTED_ERROR:
            raise ValueError(
                f"{name} must be equally spaced to three decimals with grid = 'exact', "
                f"got {value!r} where {expected:.3f} should be; say grid = 'printed' to use the values as written"
            )
    return tuple(exact.tolist())


def check_name(what: str, value: Any) -> str:
    """A name that an operator may have, such as current-to-best/1."""
    if not is_name(value):
        raise ValueError(f"{what} must be {NAME_RULE}, got {short_repr(value)}")
    return str(value)


def full_name(slot: str, name: Any) -> str:
    """The name under which runs are stored: the long name, or the name as given if the operator is not installed."""
    operator = operators.find_or_none(slot, check_name(slot, name))
    return operator.name if operator else str(name)


def installed(slot: str, name: Any) -> str:
    """The long name of an operator."""
    return str(operators.find(slot, name).name)


whole, factor = partial(check.integer, least=1), partial(Field, is_factor=True)
FIELDS = {
    "name": Field("the study's name, a word", check_study_name),
    "seed": Field("an integer ≥ 0: same seed, same runs", partial(check.integer, least=0), 0),
    "runs": Field("independent runs of every configuration", whole, 50),
    "dimension": factor("numbers of variables, in short n", whole, 30),
    "budget": Field("evaluations of a run: a number, or '10000 n', per variable", check_budget, "10000 n"),
    "mutation": factor("names of mutations, long or short, as `debox operators` lists them", installed),
    "crossover": factor("names of crossovers", installed),
    "strategy": factor("names of strategies", installed),
    "N": factor("population sizes", whole),
    "F": factor("scale factors in (0, 2]; optional initial values where F adapts", lambda name, F: scale_factor(F)),
    "Cr": factor("crossover rates in [0, 1]; likewise where Cr adapts", lambda name, Cr: crossover_rate(Cr)),
    "donors": factor("donor rules: distinct, not-target (the default where F and Cr adapt), not-parents", installed),
    "reevaluate": factor("false: a dismissed trial changes nothing", check.boolean),
    "frozen": factor("true: no trial is ever accepted", check.boolean),
    "repair": factor("what strategies for whole points repair: trial, mutant", partial(check.choice, choices=REPAIRS)),
    "adaptation": factor("how F and Cr adapt: fixed, jDE, JADE, SHADE, L-SHADE", installed),
    "engine": Field("auto, plain or fast", partial(check.choice, choices=ENGINE_NAMES), "auto"),
    "checkpoints": Field("shares of the budget at which POIS is noted", check_checkpoints, (1 / 3, 2 / 3)),
    "grid": Field(
        "printed: F and Cr as written; exact: equally spaced from the first to the last, the others being rounded",
        partial(check.choice, choices=("printed", "exact")),
        "printed",
    ),
}
FIELDS |= {name: FIELDS[name]._replace(default=value) for name, value in DEFAULTS.items()}
FACTORS = tuple(name for name, field in FIELDS.items() if field.is_factor)
AXES = tuple(name for name in FACTORS if FIELDS[name].default is None)  # in which configurations of a study differ
SHARED = (*(name for name in FACTORS if name not in AXES), "budget")  # what all runs of a figure have in common


def long_name(name: str) -> str:
    """The name of a key or column that may be given by its short name: n is dimension."""
    return SHORT_NAMES.get(name, name)


def level_of(name: str, levels: Sequence[Any], value: Any, what: str) -> Any:
    """The level of a factor that a value or its text means: ``sat`` is saturation, ``"30"`` is 30, 0.266 is 0.2666…

    A number is one with three decimals, too, rounded or cut. `what` is the argument that an error names.
    """
    if name in operators.SLOTS:
        found = [level for level in levels if level == full_name(name, value)]
    elif all(isinstance(level, bool | np.bool_ | str) for level in levels):
        found = [level for level in levels if str(level).lower() == str(value).lower()]
    else:
        number = nan
        with suppress(TypeError, ValueError, OverflowError):
            number = float(value)
        found = [level for level in levels if number in (level, float(f"{level:.3f}"), float(f"{level:.6f}"[:-3]))]
        found.sort(key=lambda level: abs(level - number))
    if not found:
        raise ValueError(f"{what}: {name} must be one of {', '.join(map(str, levels))}, got {short_repr(value)}")
    return found[0]


def in_words(there: Mapping[str, Collection[Any]]) -> str:
    """``mutation best/1, rand/1; N 5, 20``"""
    return "; ".join(f"{name} {', '.join(map(str, values))}" for name, values in there.items())


def with_long_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by their long names; an error if one is given under both."""
    for short, name in SHORT_NAMES.items():
        if short in given and name in given:
            both = (f"{each} = {short_repr(given[each])}" for each in (name, short))
            raise ValueError(f"{name} is given twice: as {' and, in short, as '.join(both)}")
    return {long_name(name): value for name, value in given.items()}


def resolve(given: Mapping[str, Any], stored: bool = False) -> dict[str, Any]:
    """The checked value of every key, by long names, or a ValueError about all that is wrong; see `Study.stored`."""
    values: dict[str, Any] = {}
    wrong = [f"unknown key {key!r}; choose from {', '.join(FIELDS)}" for key in given if key not in FIELDS]
    for name in sorted(FIELDS, key=lambda name: name not in (ADAPTATION, "grid")):  # on which others depend
        if name in FOLLOWERS and name not in given and ADAPTATION not in values:
            continue  # while the adaptation is wrong, whether it is missing is open
        field = FIELDS[name]._replace(check_value=full_name) if stored and name in operators.SLOTS else FIELDS[name]
        try:
            value = given[name] if name in given else default(name, values.get(ADAPTATION, ()))
            values[name] = field.check(name, value)
            if name in START and values.get("grid") == "exact":
                equally_spaced(name, values[name])
        except ValueError as error:
            wrong.append(str(error) if name in str(error) else f"{name}: {error}")
    if wrong:
        raise ValueError("\n".join(wrong))
    return values


def default(name: str, adaptations: Sequence[str]) -> Any:
    """The value of a key that is not given; those of FOLLOWERS have it from the adaptations, which must agree."""
    own = {}
    for one in adaptations if name in FOLLOWERS else ():
        operator = operators.find_or_none(ADAPTATION, one)
        start = dict(zip(START, operator.start, strict=True)) if operator and one != "fixed" else {}
        own[one] = start.get(name) if name in START else defaults_with(one)[name]
    found = set(own.values()) or {FIELDS[name].default}
    if len(found) > 1:
        listed = ", ".join(f"{'none' if value is None else value} with {which}" for which, value in own.items())
        raise ValueError(f"{name} must be given, since these adaptations have different ones by default: {listed}")
    if found == {None}:
        raise ValueError(f"{name} is missing: {FIELDS[name].meaning}")
    return found.pop()
