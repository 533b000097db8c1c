"""Names that come from files, checked before they are shown or become part of a file's name.

An operator need not be installed for its runs to be drawn: one that is not known is called by its own name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from numbers import Real
from typing import Any

from numpy.typing import NDArray

from debox import registry
from debox.registry.fields import LONGEST_NAME, NAME
from debox.study.fields import FIELDS

COLUMNS = (*registry.SLOTS, "engine")
NUMBERS = ("N", "F", "Cr", "n", "budget", "run", "pois")


def checked(what: str, value: Any) -> str:
    """A name of letters, digits, - and / between them, such as current-to-best/1."""
    if not isinstance(value, str) or len(value) > LONGEST_NAME or not NAME.fullmatch(value):
        allowed = f"a name of letters, digits, '-' and '/', such as 'rand/1', of at most {LONGEST_NAME}"
        raise ValueError(f"{what} must be {allowed}, got {shown(value)}")
    return value


def check_table(columns: Mapping[str, NDArray[Any]]) -> None:
    """Refuse a table whose names are no names, or whose numbers are no numbers."""
    for name in COLUMNS:
        for value in set(columns[name].tolist()) if name in columns else ():
            checked(f"the column {name}", value)
    for name in NUMBERS:
        if name in columns and columns[name].dtype.kind not in "iuf":
            wrong = [value for value in columns[name].tolist() if not isinstance(value, Real)]
            if wrong:
                raise ValueError(f"the column {name} must hold numbers, got {shown(wrong[0])}")


def shown(value: Any) -> str:
    """A value as an error shows it."""
    text = repr(value)
    return text if len(text) <= 2 * LONGEST_NAME else f"{text[: 2 * LONGEST_NAME]} …"


def check_study(study: Mapping[str, Any]) -> None:
    """Refuse a plan that says what a study cannot; its operators may be unknown."""
    for name, value in study.items():
        try:
            if name in registry.SLOTS:
                for one in value if isinstance(value, list | tuple) else [value]:
                    checked(name, one)
            elif name in FIELDS:
                FIELDS[name].read(value)
        except (ValueError, TypeError, ArithmeticError) as error:
            raise ValueError(f"this is no study: {error}") from None


def check_where(where: Mapping[str, Any]) -> None:
    """What was chosen names a folder."""
    for name, value in where.items():
        checked(f"where {name}", str(value))


def full(slot: str, name: str) -> str:
    """The name under which runs are stored."""
    operator = _known(slot, name)
    return operator.name if operator else name


def short(slot: str, name: str) -> str:
    """The name that the paper's captions use."""
    operator = _known(slot, name)
    return operator.short if operator else name


def among(there: Collection[str], slot: str, name: str) -> str:
    """The full name of an operator of which there are runs, or that is known; else an error that lists the known."""
    return name if name in there else registry.find(slot, name).name


def _known(slot: str, name: str) -> registry.Operator | None:
    try:
        return registry.find(slot, name)
    except ValueError:
        return None
