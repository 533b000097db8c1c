"""The factors of one configuration, as the runs of a stored study have them."""

from __future__ import annotations

import re
from typing import Any

from debox import registry
from debox.config import Config, parse
from debox.design.study import CONFIG_FACTORS, Study


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
        if not missing:
            raise
    for slot, name in written.items():
        if slot in registry.SLOTS and (slot, name) not in missing:
            registry.find(slot, name)
    single = Study.stored({"name": study.name, "dimension": study.dimension, "budget": study.budget, **written})
    factors = {name: single.values(name)[0] for name in CONFIG_FACTORS}
    return {**factors, "reevaluate": single.reevaluate_values(factors["strategy"]).pop()}


def _parse_without_lookup(config: str) -> dict[str, Any]:
    """The fields of ``DE/mutation/crossover strategy, N=5, …``, without looking up its operators."""
    head, _, settings = config.partition(",")
    variant, _, strategy = head.strip().partition(" ")
    mutation, _, crossover = re.sub("^DE/", "", variant, flags=re.I).rpartition("/")
    return {"mutation": mutation, "crossover": crossover, "strategy": strategy.strip(), **parse(settings)}
