"""Names of operators in stored studies: an operator need not be installed for its runs to be read and drawn.

A name comes from a file and may become part of another file's name, so what it is made of is checked.
"""

from __future__ import annotations

import re
from typing import Any

from debox import registry
from debox.design.checks import shown

PART = "[A-Za-z0-9][A-Za-z0-9-]*"
NAME = re.compile(f"{PART}(/{PART})*")
LONGEST = 60  # letters


def check_name(what: str, value: Any) -> str:
    """A name of letters, digits, - and / between them, such as current-to-best/1."""
    if not isinstance(value, str) or len(value) > LONGEST or not NAME.fullmatch(value):
        allowed = f"a name of letters, digits, '-' and '/', such as 'rand/1', of at most {LONGEST}"
        raise ValueError(f"{what} must be {allowed}, got {shown(value)}")
    return value


def installed(slot: str, name: str) -> registry.Operator | None:
    """The operator of this name, or None if there is none."""
    try:
        return registry.find(slot, name)
    except ValueError:
        return None


def full_name(slot: str, name: Any) -> str:
    """The name under which runs are stored; that of an operator that is not installed is its own."""
    operator = installed(slot, check_name(slot, name))
    return operator.name if operator else str(name)
