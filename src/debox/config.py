"""Config: one Differential Evolution configuration, checked when it is made, written as the paper writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from functools import cached_property
from typing import Any, NamedTuple, Never

import numpy as np
from numpy.typing import NDArray

from debox import check, operators
from debox.operators import Recipe
from debox.operators.kinds import Adaptation, Crossover, Donors, Mutation, Operator, Strategy


class Operators(NamedTuple):
    """The operators of a configuration, one of each slot."""

    mutation: Mutation
    crossover: Crossover
    strategy: Strategy
    donors: Donors
    adaptation: Adaptation

    @property
    def rule(self) -> Donors:
        """The donor rule in force."""
        return operators.donor_rule(self.donors, self.mutation)

    @property
    def is_ranked(self) -> bool:
        """Whether runs keep the population in order: F and Cr adapt, or the mutation uses the p-best."""
        return self.adaptation.name != "fixed" or self.mutation.uses_p_best


def per_variable(strategy: str | Operator | Sequence[str | Operator], n: int) -> list[Strategy]:
    """One strategy per variable, from one for all or from a sequence of n."""
    if isinstance(strategy, str) or not isinstance(strategy, Sequence | np.ndarray):
        return [operators.find("strategy", strategy)] * n
    names = [one.name if isinstance(one, Operator) else one for one in strategy]
    if len(names) != n:
        raise ValueError(f"strategy must be one name or one per variable ({n}), got {len(names)}: {names}")
    chosen = [operators.find("strategy", one) for one in strategy]
    whole = [operator for operator in chosen if operator.whole or operator.redraws]
    if whole and len(set(chosen)) > 1:
        raise ValueError(f"strategy {whole[0].name!r} repairs the whole trial: it cannot be mixed, got {names}")
    return chosen


ENGINE_NAMES = ("auto", "plain", "fast")  # of a run on f0
REPAIRS = ("trial", "mutant")  # what a strategy repairs
EXAMPLE = "'DE/rand/1/bin sat, N=20, F=0.5, Cr=0.9'"  # in errors
PAPER_BUDGET = 10_000  # evaluations per variable
DEFAULTS = {"donors": "distinct", "reevaluate": True, "frozen": False, "repair": "trial", "adaptation": "fixed"}


@dataclass(frozen=True, init=False, repr=False)
class Config:
    """A configuration of Differential Evolution, checked when it is made.

    Parameters
    ----------
    text : str, optional
        The configuration as the paper writes it, in full or in part: ``"DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"``; give
        the rest by keyword. A recipe, debox, jDE, JADE, SHADE or L-SHADE, stands for all its operators:
        ``"SHADE tor, N=100"`` is SHADE with another strategy.
    mutation, crossover, strategy : str or Operator, optional
        Names of operators, long or short, in any case, as `debox operators` lists them; or registered operators. The
        attribute `operators` holds what they name. These and N, F and Cr are needed unless the text says them.
    N : int, optional
        Population size, at least what the mutation needs.
    F, Cr : float, optional
        Scale factor in (0, 2] and crossover rate in [0, 1]; where they adapt, the initial values, by default those that
        the adaptation's paper has.
    donors : str or Operator, default "distinct"
        Donor rule: "distinct", "not-target" or "not-parents"; where F and Cr adapt, the default is "not-target".
    reevaluate : bool, default True
        Whether a dismissed trial is evaluated again, as Algorithm 1 does; if not, it changes nothing, like a penalty.
        Strategies other than dismiss ignore it.
    frozen : bool, default False
        Whether no trial is ever accepted, so that the population stays the initial one.
    repair : {"trial", "mutant"}, default "trial"
        What the strategy repairs: the trial or, before crossover, the mutant. It matters for strategies that change a
        whole point: conservatism, project-midpoint, project-base and resample; others ignore it.
    adaptation : str or Operator, default "fixed"
        How F and Cr adapt: "fixed" (they do not), "jDE", "JADE", "SHADE" or "L-SHADE". It also sets p, the share of the
        p-best, and the size of the archive; "fixed" has p = 0.05 and no archive.

    Examples
    --------
    >>> from debox import Config
    >>> Config("DE/rand/1/exp sat", N=5, F=0.7, Cr=0.99)
    Config('DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99')

    A recipe, and one with another mutation:

    >>> Config("JADE", N=100)
    Config('DE/curr-to-pbest/1/bin mid-tgt, N=100, F=0.5, Cr=0.5, adaptation=JADE')
    >>> Config("JADE tor", mutation="rand/1", N=100).variant
    'DE/rand/1/bin'
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
    repair: str
    adaptation: str

    def __init__(
        self,
        text: str = "",
        *,
        mutation: str | Operator | None = None,
        crossover: str | Operator | None = None,
        strategy: str | Operator | None = None,
        N: int | None = None,
        F: float | None = None,
        Cr: float | None = None,
        donors: str | Operator | None = None,
        reevaluate: bool | None = None,
        frozen: bool | None = None,
        repair: str | None = None,
        adaptation: str | Operator | None = None,
        **unknown: Never,
    ) -> None:
        given = locals()
        check.reject_unknown_keywords(Config, unknown)
        vars(self).update(vars(complete(text, {name: given[name] for name in CONFIG_FIELDS})))

    def __getstate__(self) -> dict[str, Any]:
        """A pickle holds names alone: it may be read before its operators are registered."""
        return asdict(self)

    @cached_property
    def operators(self) -> Operators:
        """The operators that the names stand for, one of each slot; no part of the configuration's value."""
        return Operators(*(operators.find(slot, getattr(self, slot)) for slot in Operators._fields))

    @classmethod
    def of(cls, config: Config | str, n: int | None = None, budget: int | None = None) -> Config:
        """A Config from itself or its text.

        Parameters
        ----------
        config : Config or str
            A configuration.
        n, budget : int, optional
            Variables, and evaluations of a run (by default 10 000 n): the N of a recipe depends on them.
        """
        return config if isinstance(config, Config) else complete(config, n=n, budget=budget)

    @property
    def variant(self) -> str:
        """Mutation and crossover, such as ``DE/rand/1/exp``."""
        return f"DE/{self.operators.mutation.short}/{self.crossover}"

    def __str__(self) -> str:
        usual = defaults_with(self.adaptation)
        options = [f", {name}={getattr(self, name)}" for name in usual if getattr(self, name) != usual[name]]
        strategy = self.operators.strategy.short
        return f"{self.variant} {strategy}, N={self.N}, F={self.F!r}, Cr={self.Cr!r}{''.join(options)}"

    def __repr__(self) -> str:
        return f"Config({str(self)!r})"

    def _repr_html_(self) -> str:
        from debox import notebook

        return notebook.table(str(self), asdict(self).items())


CONFIG_FIELDS = tuple(field.name for field in fields(Config))  # in the order of the arguments of Config


def complete(
    text: str = "",
    options: Mapping[str, Any] | None = None,
    *,
    n: int | None = None,
    budget: float | None = None,
    recipe: Recipe | None = None,
) -> Config:
    """The configuration of a text and options: recipe, operators, F, Cr, donors and N are resolved and checked here.

    options    values by their names; None is not given
    n, budget  number of variables and evaluations of a run, by default 10 000 n: a recipe's N depends on them
    recipe     that of `minimize`, which has defaults of F and Cr also where they are fixed
    """
    given, options = parse(text), {name: value for name, value in (options or {}).items() if value is not None}
    for name in given.keys() & options:
        raise ValueError(f"{name} is given twice: in {text!r} and as {name}={options[name]!r}")
    algorithm = operators.find_recipe(given.pop("recipe", None)) or recipe
    parts = {} if algorithm is None else {slot: getattr(algorithm, slot) for slot in operators.RECIPE_SLOTS}
    parts |= given | options
    adaptation = operators.find("adaptation", parts.get("adaptation", DEFAULTS["adaptation"]))
    parts = {**defaults_with(adaptation.name), **parts, "adaptation": adaptation}
    if adaptation.name != "fixed" or recipe:  # the start of "fixed" is F = 0.6, Cr = 0.7: minimize's defaults
        parts = {"F": adaptation.start[0], "Cr": adaptation.start[1], **parts}
    for name in parts.keys() - set(CONFIG_FIELDS):
        raise ValueError(f"unknown option {name!r}; choose from {', '.join(CONFIG_FIELDS)}")
    found = {slot: operators.find(slot, parts[slot]) for slot in Operators._fields if slot in parts}
    if "N" not in parts and algorithm and n is not None:
        n, least = check.integer("n", n, 1), operators.smallest_population(found["mutation"], found["donors"])
        why = f"{found['mutation'].name} needs a population of {least}"
        budget = check.budget(PAPER_BUDGET * n if budget is None else budget, least, why)
        parts["N"] = min(algorithm.population(n, budget), budget)
    if missing := [name for name in CONFIG_FIELDS if name not in parts]:
        remedy = f"for example {EXAMPLE}"
        if algorithm and "N" in missing:
            remedy = f"N of a recipe depends on the number of variables n: give N, or Config.of({text!r}, n=30)"
        raise ValueError(f"missing: {', '.join(missing)}; {remedy}")
    chosen = Operators(**found)
    repair = check.choice("repair", parts["repair"], REPAIRS)
    config = object.__new__(Config)
    vars(config).update(
        {slot: operator.name for slot, operator in found.items()},
        operators=chosen,
        N=population_size(parts["N"], chosen.mutation, chosen.donors),
        F=scale_factor(parts["F"]),
        Cr=crossover_rate(parts["Cr"]),
        reevaluate=check.boolean("reevaluate", parts["reevaluate"]) or not chosen.strategy.dismisses,
        frozen=check.boolean("frozen", parts["frozen"]),
        repair=repair if chosen.strategy.minds_repair else "trial",
    )
    return config


def recipe_of(variant: object) -> Recipe:
    """The recipe of this name, or classic Differential Evolution with this mutation and crossover."""
    return operators.find_recipe(variant) or operators.classic(**split_variant(variant))


def defaults_with(adaptation: str) -> dict[str, Any]:
    """What a configuration with this adaptation has by default: adaptive DE does not draw the target."""
    return DEFAULTS if adaptation == "fixed" else {**DEFAULTS, "donors": "not-target"}


def parse(text: str) -> dict[str, Any]:
    """The fields in a text such as ``DE/rand/1/exp sat, N=5, F=0.7``, not yet checked."""
    if not isinstance(text, str):
        raise TypeError(f"a configuration is a Config or its text, such as {EXAMPLE}, got {text!r}")
    settings = [part.strip() for part in text.split(",")]
    values: dict[str, Any] = {}
    if "=" not in settings[0] and (head := settings.pop(0)):
        variant, *strategy = head.split()
        if len(strategy) > 1:
            raise ValueError(f"{head!r} does not read as 'DE/mutation/crossover strategy', e.g. 'DE/rand/1/bin sat'")
        values = {"recipe": variant} if operators.find_recipe(variant) else split_variant(variant)
        values |= {"strategy": strategy[0]} if strategy else {}
    for setting in settings:
        match = re.fullmatch(r"(\w+)\s*=\s*(\S+)", setting)
        if match is None:
            hint = "; put commas between settings: 'DE/rand/1/bin sat, N=20, F=0.5'" if " " in setting else ""
            raise ValueError(f"{setting!r} in {text!r} does not read as name=value{hint}")
        name, value = match.groups()
        if name == "recipe":
            raise ValueError(f"a recipe stands first, as in 'JADE sat, N=100', got {setting!r} in {text!r}")
        if name in values:
            raise ValueError(f"{name} is given twice in {text!r}")
        values[name] = _value(name, value)
    return values


def split_variant(variant: object) -> dict[str, str]:
    """``DE/curr-to-best/1/bin`` → mutation curr-to-best/1, crossover bin, as they are written"""
    written = re.sub("^DE/", "", variant.strip(), flags=re.I) if isinstance(variant, str) else ""
    match = re.fullmatch(r"(?P<mutation>[^\s,]+)/(?P<crossover>[^/\s,]+)", written)
    similar = _similar_variants(written) or ([] if match else get_close_matches(written, operators.RECIPES, n=1))
    if match is None or similar:
        reads = "does not read as DE/mutation/crossover, e.g. 'DE/rand/1/bin' (strategy, N, F and Cr are given apart)"
        reads += f", and is not a recipe ({', '.join(operators.RECIPES)})"
        hint = f"; did you mean {' or '.join(map(repr, similar))}?" if similar else ""
        raise ValueError(f"variant {variant!r} {reads}{hint}")
    return match.groupdict()


def _similar_variants(written: str) -> list[str]:
    """The variants that a SciPy name, or a mutation without a crossover, may stand for."""
    name, crossovers = written.lower(), operators.in_slot("crossover")
    if name in (scipys := operators.scipy_names()):
        return [scipys[name]]
    if any(name.rpartition("/")[2] in one.names for one in crossovers):
        return []
    mutations = [one.short for one in operators.in_slot("mutation") if name in one.names]
    return [f"DE/{mutation}/{crossover.short}" for mutation in mutations for crossover in crossovers]


def population_size(N: object, mutation: Mutation, donors: Donors) -> int:
    """N, if it is large enough for the mutation's donors."""
    avoided = operators.donor_rule(donors, mutation).avoids
    why = f"{mutation.name} needs {mutation.donors} distinct donors"
    why += f" besides the {' and the '.join(avoided)} (donors={donors.name!r})" if avoided else ""
    return check.integer("N", N, operators.smallest_population(mutation, donors), why)


def scale_factor(F: object) -> float:
    """F in (0, 2]."""
    return check.real("F", F, "0 < F ≤ 2", lambda F: 0 < F <= 2)


def crossover_rate(Cr: object) -> float:
    """Cr in [0, 1]; −0.0 becomes 0.0, which has another text and so other random numbers."""
    return check.real("Cr", Cr, "0 ≤ Cr ≤ 1", lambda Cr: 0 <= Cr <= 1) + 0.0


def marks(budget: int, shares: Sequence[float]) -> NDArray[np.int64]:
    """The numbers of evaluations at which a run reaches these shares of its budget."""
    nearest = [max(1, round(share * budget)) for share in shares]
    return np.minimum(np.array(nearest, np.int64), budget)  # beyond 2⁵³ a product may round up


def _value(name: str, value: str) -> Any:
    """The value of a setting: True, False, a number or, for the check of its field, the text itself."""
    if value in ("True", "False"):
        return value == "True"
    with suppress(ValueError):
        if name in ("N", "F", "Cr"):  # int alone of whole numbers: while Python words its error, a Ctrl-C is lost
            return int(value) if re.fullmatch(r"[+-]?[\d_]+", value) else float(value)
    return value
