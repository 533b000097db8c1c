"""The factors of one configuration, as the runs of a stored study have them."""

from __future__ import annotations

import re
from typing import Any

from debox import registry
from debox.config import Config, parse
from debox.design.study import CONFIG_FACTORS, Study


def factors_of(config: Config | str, study: Study) -> dict[str, Any]:
    """Every factor of a configuration with its value.

    Written as text, it may have operators that are not installed, if the study has them.
    """
    try:
        return dict(vars(Config.of(config)))
    except ValueError:
        written = _written(config) if isinstance(config, str) else {}
        lacking = [(slot, name) for slot, name in written.items() if (slot, name) in study.not_installed]
        if not lacking:
            raise
    for slot, name in written.items():
        if slot in registry.SLOTS and (slot, name) not in lacking:
            registry.find(slot, name)
    one = Study.stored({"name": study.name, "dimension": study.dimension, "budget": study.budget, **written})
    factors = {name: one.values(name)[0] for name in CONFIG_FACTORS}
    return {**factors, "reevaluate": one.readings(factors["strategy"]).pop()}


def _written(config: str) -> dict[str, Any]:
    """What is written in ``DE/mutation/crossover strategy, N=5, …``, its names as they are."""
    head, _, settings = config.partition(",")
    variant, _, strategy = head.strip().partition(" ")
    mutation, _, crossover = re.sub("^DE/", "", variant, flags=re.I).rpartition("/")
    return {"mutation": mutation, "crossover": crossover, "strategy": strategy.strip(), **parse(settings)}
