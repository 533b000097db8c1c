"""Config: one Differential Evolution configuration, checked at birth, written as the paper writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any

from debox import check, registry


@dataclass(frozen=True, init=False, repr=False)
class Config:
    """A DE configuration: ``Config("DE/rand/1/exp sat", N=5, F=0.7, Cr=0.99)``, or every field by keyword.

    The text may hold all of it: ``Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99")`` is the same, and `str` writes it.

    mutation, crossover, strategy, donors: names from `debox strategies`, long or short, in any case
    N: population size, at least what the mutation needs     F: scale factor in (0, 2]     Cr: crossover rate in [0, 1]
    reevaluate: False: a dismissed trial changes nothing (as a penalty would); True: it is evaluated again (Algorithm 1)
    frozen: True: no trial is ever accepted, so the population stays the initial one
    """

    mutation: str
    crossover: str
    strategy: str
    N: int
    F: float
    Cr: float
    donors: str
    reevaluate: bool
    frozen: bool

    def __init__(self, text: str = "", **options: Any) -> None:
        written = parse(text)
        for twice in sorted(written.keys() & options.keys()):
            raise ValueError(f"{twice} is given twice: in {text!r} and as {twice}={options[twice]!r}")
        given = {"donors": "distinct", "reevaluate": True, "frozen": False, **written, **options}
        names = [field.name for field in fields(self)]
        for name in given.keys() - set(names):
            error = ValueError if name in written else TypeError
            raise error(f"unknown option {name!r}; choose from {', '.join(names)}")
        if missing := [name for name in names if name not in given]:
            raise ValueError(
                f"missing: {', '.join(missing)}; for example Config('DE/rand/1/bin sat', N=20, F=0.5, Cr=0.9)"
            )
        mutation = registry.find("mutation", given["mutation"])
        donors = registry.find("donors", given["donors"])
        checked = {
            "mutation": mutation.name,
            "crossover": registry.find("crossover", given["crossover"]).name,
            "strategy": registry.find("strategy", given["strategy"]).name,
            "N": population_size(given["N"], mutation, donors),
            "F": scale_factor(given["F"]),
            "Cr": crossover_rate(given["Cr"]),
            "donors": donors.name,
            "reevaluate": check.boolean("reevaluate", given["reevaluate"]),
            "frozen": check.boolean("frozen", given["frozen"]),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def variant(self) -> str:
        """``DE/rand/1/exp``"""
        return f"DE/{registry.find('mutation', self.mutation).short}/{self.crossover}"

    def __str__(self) -> str:
        strategy = registry.find("strategy", self.strategy).short
        options = f"{', donors=' + self.donors if self.donors != 'distinct' else ''}"
        options += f"{'' if self.reevaluate else ', reevaluate=False'}{', frozen=True' if self.frozen else ''}"
        return f"{self.variant} {strategy}, N={self.N}, F={self.F!r}, Cr={self.Cr!r}{options}"

    def __repr__(self) -> str:
        return f"Config({str(self)!r})"


def parse(text: str) -> dict[str, Any]:
    """What a text such as ``DE/rand/1/exp sat, N=5, F=0.7`` says, as a dictionary of fields (unchecked)."""
    if not isinstance(text, str):
        raise TypeError(f"a configuration is written as text, e.g. 'DE/rand/1/bin sat', got {text!r}")
    head, *settings = [part.strip() for part in text.split(",")]
    found: dict[str, Any] = {}
    if head and "=" not in head:
        variant, *strategy = head.split()
        if len(strategy) > 1:
            raise ValueError(f"{head!r} does not read as 'DE/mutation/crossover strategy', e.g. 'DE/rand/1/bin sat'")
        found = parse_variant(variant) | ({"strategy": strategy[0]} if strategy else {})
    elif head:
        settings.insert(0, head)
    for setting in settings:
        match = re.fullmatch(r"(\w+)\s*=\s*(\S+)", setting)
        if match is None:
            raise ValueError(f"{setting!r} in {text!r} does not read as name=value")
        name, value = match.groups()
        if name in found:
            raise ValueError(f"{name} is given twice in {text!r}")
        found[name] = _value(name, value)
    return found


def parse_variant(variant: object) -> dict[str, str]:
    """``DE/rand/1/bin`` → mutation rand/1, crossover bin"""
    match = re.fullmatch(r"(?:DE/)?([^\s,]+)/([^/\s,]+)", variant.strip(), re.I) if isinstance(variant, str) else None
    if match is None:
        reads = "does not read as DE/mutation/crossover, e.g. 'DE/rand/1/bin' (strategy, N, F and Cr are given apart)"
        raise ValueError(f"variant {variant!r} {reads}")
    mutation, crossover = match.groups()
    return {
        "mutation": registry.find("mutation", mutation).name,
        "crossover": registry.find("crossover", crossover).name,
    }


def population_size(N: object, mutation: registry.Operator, donors: registry.Operator) -> int:
    """N, if it is large enough for the mutation's donors."""
    least = registry.smallest_population(mutation, donors)
    avoided = registry.donor_rule(donors, mutation).avoids
    why = f"{mutation.name} needs {mutation.donors} distinct donors"
    why += f" besides the {' and the '.join(avoided)} (donors={donors.name!r})" if avoided else ""
    return check.integer("N", N, least, why)


def scale_factor(F: object) -> float:
    """F in (0, 2]."""
    return check.real("F", F, "0 < F ≤ 2", lambda F: 0 < F <= 2)


def crossover_rate(Cr: object) -> float:
    """Cr in [0, 1]."""
    return check.real("Cr", Cr, "0 ≤ Cr ≤ 1", lambda Cr: 0 <= Cr <= 1)


def _value(name: str, value: str) -> Any:
    if value in ("True", "False"):
        return value == "True"
    kind = {"N": int, "F": float, "Cr": float}.get(name, str)
    try:
        return kind(value)
    except ValueError:
        return value  # the check of the field says what is allowed
