"""The factors of one configuration, as the runs of a stored study have them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from debox import operators
from debox.config import Config, parse, split_variant
from debox.design.study import CONFIG_FACTORS, Study

VARIANT = ("mutation", "crossover", "strategy")  # the operators of a text such as DE/rand/1/exp sat


def factors_of(config: Config | str, study: Study) -> dict[str, Any]:
    """Every factor of a configuration with its value.

    A configuration given as text may have operators that are not installed, if the study has them. Of a strategy that
    is not installed nobody knows whether it dismisses trials: reevaluate is then what is written.
    """
    try:
        return dict(vars(Config.of(config)))
    except ValueError:
        written = _parse_without_lookup(config) if isinstance(config, str) else {}
        missing = [(slot, name) for slot, name in written.items() if (slot, name) in study.not_installed]
        if isinstance(config, str):
            refuse_unknown(
                operators_as_written(config), {slot: study.values(slot) for slot in VARIANT}, "the study has"
            )
        if not missing:
            raise
    for slot, name in written.items():
        if slot in operators.SLOTS and (slot, name) not in missing:
            operators.find(slot, name)
    single = Study.stored({"name": study.name, "dimension": study.dimension, "budget": study.budget, **written})
    factors = {name: single.values(name)[0] for name in CONFIG_FACTORS}
    strategy = factors["strategy"]
    reevaluate, repair = single.reevaluate_values(strategy).pop(), single.repair_values(strategy).pop()
    return {**factors, "reevaluate": reevaluate, "repair": repair}


def operators_as_written(config: str) -> dict[str, str]:
    """Mutation, crossover and strategy of ``DE/rand/1/exp sat, …``, not looked up; nothing if the text has not all."""
    head = config.partition(",")[0].split()
    return {**split_variant(head[0]), "strategy": head[1]} if len(head) == 2 and "=" not in "".join(head) else {}


def refuse_unknown(named: Mapping[str, str], there: Mapping[str, Collection[Any]], who: str) -> None:
    """Raise a ValueError if one of the operators named is neither there nor installed; it lists what is there."""
    unknown = [
        f"{slot} {name!r}"
        for slot, name in named.items()
        if name not in there[slot] and operators.find_or_none(slot, name) is None
    ]
    if unknown:
        raise ValueError(f"unknown {' and '.join(unknown)}; {who} {in_words(there)}")


def in_words(there: Mapping[str, Collection[Any]]) -> str:
    """``mutation best/1, rand/1; N 5, 20``"""
    return "; ".join(f"{name} {', '.join(map(str, values))}" for name, values in there.items())


def _parse_without_lookup(config: str) -> dict[str, Any]:
    """The fields of ``DE/mutation/crossover strategy, N=5, …``, without looking up its operators."""
    head, _, settings = config.partition(",")
    variant, _, strategy = head.strip().partition(" ")
    mutation, _, crossover = re.sub("^DE/", "", variant, flags=re.I).rpartition("/")
    return {"mutation": mutation, "crossover": crossover, "strategy": strategy.strip(), **parse(settings)}
