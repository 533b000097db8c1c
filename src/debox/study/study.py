"""Study: which configurations are run, how often and how; written in a TOML file; checked when it is made."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, Never

from debox import check, files, operators
from debox.config import REPAIRS, Config, population_size
from debox.operators.kinds import Donors, Mutation, Strategy
from debox.study.fields import (
    DEFAULT_DIMENSION,
    DEFAULT_DONORS,
    FACTORS,
    FIELDS,
    REQUIRED,
    check_fields,
    equally_spaced,
    first_few,
    long_name,
    short_repr,
)

CONFIG_FACTORS = tuple(name for name in FACTORS if name != "dimension")
HOW_TO_INSTALL = (
    "register what is missing (debox.register in Python, --operators FILE on the command line), or install its package"
)
PACKAGE = Path(__file__).parents[1]
STUDIES = PACKAGE / "studies"


class FactorOfSomeStrategies(NamedTuple):
    """A factor that makes a difference to some strategies only; configurations of all others have the usual value."""

    usual: Any
    values: tuple[Any, ...]  # all that there are
    matters_to: Callable[[Strategy], bool]  # a strategy


FACTORS_OF_SOME_STRATEGIES = {
    "reevaluate": FactorOfSomeStrategies(True, (True, False), lambda strategy: strategy.dismisses),
    "repair": FactorOfSomeStrategies("trial", REPAIRS, lambda strategy: strategy.minds_repair),
}


@dataclass(frozen=True, init=False, repr=False)
class Study:
    """A study: every combination of its factors is a configuration, and each of them is run several times on f0.

    Every key of a study file is an argument and an attribute. A factor is given as one value or as several, and kept as
    a tuple of values.

    Parameters
    ----------
    name : str
        The study's name, a word.
    mutation, crossover, strategy : str or sequence of str
        Names of operators, long or short, in any case; `debox operators` lists them.
    N : int or sequence of int
        Population sizes.
    F, Cr : float or sequence of float
        Scale factors in (0, 2] and crossover rates in [0, 1]. Where they adapt, they are those of the start, and may be
        left out: then they are the adaptation's, 0.5 and 0.5, of jDE 0.5 and 0.9.
    dimension : int or sequence of int, default 30
        Numbers of variables.
    n : int or sequence of int, optional
        The short name of `dimension`; one of the two is given.
    budget : int or str, default "10000 n"
        Evaluations of a run: a number, or a text such as "10000 n" for so many a variable.
    runs : int, default 50
        Independent runs of every configuration.
    seed : int, default 0
        Same seed, same runs.
    donors : str or sequence of str, default "distinct"
        Whom a mutation may draw: "distinct", "not-target" or "not-parents"; by default "not-target" if F and Cr adapt.
        To be given if they adapt in some configurations and are fixed in others.
    reevaluate : bool or sequence of bool, default True
        Whether a dismissed trial is evaluated again.
    frozen : bool or sequence of bool, default False
        Whether no trial is ever accepted.
    repair : {"trial", "mutant"} or sequence of them, default "trial"
        What strategies for whole points repair: the trial or, before crossover, the mutant.
    adaptation : str or sequence of str, default "fixed"
        How F and Cr adapt: "fixed" (they do not), "jDE", "JADE", "SHADE" or "L-SHADE"; F and Cr are then the values
        that its memory begins with.
    engine : {"auto", "plain", "fast"}, default "auto"
        What does the runs.
    checkpoints : sequence of float or str, default (1/3, 2/3)
        Shares of the budget at which POIS is noted, as numbers or as texts such as "1/3".
    grid : {"printed", "exact"}, default "printed"
        Whether F and Cr are as written, or equally spaced from the first to the last, the others being rounded.

    Raises
    ------
    ValueError
        If a key is missing, unknown or has a value that is not allowed; the message names all of them.

    Examples
    --------
    >>> from debox import Study
    >>> study = Study(name="mine", mutation="rand/1", crossover=["bin", "exp"], strategy="sat", N=5, F=0.7, Cr=0.9)
    >>> study
    <Study mine: 2 configurations × 50 runs>
    >>> study.crossover, study.dimension
    (('bin', 'exp'), (30,))
    """

    name: str
    seed: int
    runs: int
    dimension: tuple[int, ...]
    budget: int | str
    mutation: tuple[str, ...]
    crossover: tuple[str, ...]
    strategy: tuple[str, ...]
    N: tuple[int, ...]
    F: tuple[float, ...]
    Cr: tuple[float, ...]
    donors: tuple[str, ...]
    reevaluate: tuple[bool, ...]
    frozen: tuple[bool, ...]
    repair: tuple[str, ...]
    adaptation: tuple[str, ...]
    engine: str
    checkpoints: tuple[float, ...]
    grid: str

    def __init__(
        self,
        *,
        name: str = REQUIRED,
        mutation: str | Sequence[str] = REQUIRED,
        crossover: str | Sequence[str] = REQUIRED,
        strategy: str | Sequence[str] = REQUIRED,
        N: int | Sequence[int] = REQUIRED,
        F: float | Sequence[float] = REQUIRED,
        Cr: float | Sequence[float] = REQUIRED,
        dimension: int | Sequence[int] = DEFAULT_DIMENSION,
        n: int | Sequence[int] | None = None,
        budget: int | str = "10000 n",
        runs: int = 50,
        seed: int = 0,
        donors: str | Sequence[str] = DEFAULT_DONORS,
        reevaluate: bool | Sequence[bool] = True,
        frozen: bool | Sequence[bool] = False,
        repair: str | Sequence[str] = "trial",
        adaptation: str | Sequence[str] = "fixed",
        engine: str = "auto",
        checkpoints: Sequence[float | str] = (1 / 3, 2 / 3),
        grid: str = "printed",
        **unknown: Never,
    ) -> None:
        given = {key: value for key, value in locals().items() if key in FIELDS and value is not REQUIRED}
        if n is not None:
            given["n"] = n
            if dimension is DEFAULT_DIMENSION:
                del given["dimension"]
        self._fill({**given, **unknown})

    @classmethod
    def of(cls, given: Study | Mapping[str, Any]) -> Study:
        """A study from itself, or from its keys, as a study file or `as_dict` has them.

        Parameters
        ----------
        given : Study or mapping
            The study, or the value of every key; a key that has a default may be left out.

        Returns
        -------
        Study
            `given` itself if it is a study.

        Raises
        ------
        ValueError
            If it is neither, or a key is missing, unknown or has a value that is not allowed; the message names all of
            them.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "dism"], N=5, F=0.7, Cr=0.9)
        >>> study = Study.of({"name": "mine", **factors})
        >>> study
        <Study mine: 2 configurations × 50 runs>
        >>> Study.of(study) is study
        True
        """
        return given if isinstance(given, Study) else cls._from_keys(given)

    @classmethod
    def stored(cls, given: Mapping[str, Any]) -> Study:
        """The study of a store or of a table, whose operators need not be installed: it can be read, but not run.

        Parameters
        ----------
        given : mapping
            The value of every key; a key that has a default may be left out.

        Returns
        -------
        Study
            The study; `not_installed` says which operators are missing.

        Raises
        ------
        ValueError
            If a key is missing, unknown or has a value that is not allowed; the name of an operator that is not
            installed has letters, digits, "-" and "/" only.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "bounce"], N=5, F=0.7, Cr=0.9)
        >>> Study.stored({"name": "mine", **factors}).not_installed
        (('strategy', 'bounce'),)
        """
        return cls._from_keys(given, stored=True)

    @classmethod
    def _from_keys(cls, given: Mapping[str, Any], stored: bool = False) -> Study:
        if not isinstance(given, Mapping):
            raise ValueError(f"given must be a Study or a mapping of its keys, got {short_repr(given)}")
        study = cls.__new__(cls)
        study._fill(given, stored)
        return study

    def _fill(self, given: Mapping[str, Any], stored: bool = False) -> None:
        """Set the attributes to the checked values, or raise a ValueError about all that is wrong."""
        values, wrong = check_fields(given, stored)
        if not wrong:
            self.__dict__.update(values)
            wrong = list(self._contradictions())
        if wrong:
            raise ValueError("\n".join(wrong))

    def _contradictions(self) -> Iterator[str]:
        """Messages about values that are allowed each, but not together; a few of each kind."""
        for mutation, donors in product(self.mutation, self.donors):
            yield from _too_small(
                self.N, operators.find_or_none("mutation", mutation), operators.find_or_none("donors", donors)
            )
        for n in first_few(n for n in self.dimension if self.budget_for(n) > check.MOST_EVALUATIONS):
            try:
                check.budget(self.budget_for(n), written=f"{self.budget!r} for dimension = {n}")
            except ValueError as error:
                yield str(error)
        largest = max(self.N)
        for n in first_few(n for n in self.dimension if self.budget_for(n) < largest):
            for N in first_few(N for N in self.N if self.budget_for(n) < N):
                yield f"budget must be at least N, got {self.budget_for(n)} for dimension = {n} with N = {N}"

    @property
    def not_installed(self) -> tuple[tuple[str, str], ...]:
        """Slot and name of every operator that this debox does not have."""
        named = ((slot, name) for slot in operators.SLOTS for name in getattr(self, slot))
        return tuple((slot, name) for slot, name in named if operators.find_or_none(slot, name) is None)

    def require_installed_operators(self) -> None:
        """Raise an error if operators are not installed: without them no run can be planned.

        Raises
        ------
        ValueError
            If there are any; the message names them.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "bounce"], N=5, F=0.7, Cr=0.9)
        >>> study = Study.stored({"name": "mine", **factors})
        >>> try:
        ...     study.require_installed_operators()
        ... except ValueError as error:
        ...     print(str(error).split(";")[0])
        study 'mine' can be read here, but not planned or run: strategy 'bounce' is not installed
        """
        if missing := self.not_installed:
            listed = ", ".join(f"{slot} {name!r}" for slot, name in missing)
            raise ValueError(
                f"study {self.name!r} can be read here, but not planned or run: {listed} is not installed; "
                f"{HOW_TO_INSTALL}"
            )

    def budget_for(self, n: int) -> int:
        """Evaluations of a run in n dimensions.

        Parameters
        ----------
        n : int
            The number of variables; it need not be one of the study's.

        Returns
        -------
        int
            The budget; it depends on `n` only if it is written as a text such as "10000 n".

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "dism"], N=5, F=0.7, Cr=0.9)
        >>> Study(name="mine", budget="200 n", **factors).budget_for(3)
        600
        >>> Study(name="mine", budget=5000, **factors).budget_for(3)
        5000
        """
        return int(self.budget.split()[0]) * n if isinstance(self.budget, str) else self.budget

    def configs(self, wanted: Mapping[str, Collection[Any]] | None = None) -> Iterator[Config]:
        """Every configuration once, in the order of the file; with `wanted`, those that have one of these values.

        Parameters
        ----------
        wanted : mapping of str to collection, optional
            Values of some factors, operators by their long names; a factor that is left out may have any value. The
            dimension is not part of a configuration and is ignored.

        Yields
        ------
        Config
            A configuration; a study of several dimensions runs it in each of them.

        Raises
        ------
        ValueError
            If operators are not installed, or `wanted` names what is no factor.
        TypeError
            If a factor in `wanted` has a single number instead of a collection.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "dism"], N=5, F=0.7, Cr=0.9)
        >>> study = Study(name="mine", **factors)
        >>> [str(config) for config in study.configs({"strategy": ["dismiss"]})]
        ['DE/rand/1/bin dism, N=5, F=0.7, Cr=0.9']
        """
        self.require_installed_operators()
        _check_factors(wanted)
        grid = {name: self._wanted_values(name, wanted) for name in CONFIG_FACTORS}
        # All values of these, whatever is wanted: Config replaces them by the usual one where they do not matter.
        grid |= {name: getattr(self, name) for name in FACTORS_OF_SOME_STRATEGIES}
        all_configs = (Config(**dict(zip(grid, values, strict=True))) for values in product(*grid.values()))
        allowed = _allowed_values(wanted)
        yield from dict.fromkeys(
            config for config in all_configs if all(getattr(config, name) in allowed[name] for name in allowed)
        )

    def count_configs(self, wanted: Mapping[str, Collection[Any]] | None = None) -> int:
        """How many configurations `configs` yields, counted without making them.

        Operators that are not installed are counted, too.

        Parameters
        ----------
        wanted : mapping of str to collection, optional
            Values of some factors, operators by their long names; a factor that is left out may have any value. The
            dimension is not part of a configuration and is ignored.

        Returns
        -------
        int
            Their number, whatever the dimensions; `n_configs` counts them for each dimension.

        Raises
        ------
        ValueError
            If `wanted` names what is no factor.
        TypeError
            If a factor in `wanted` has a single number instead of a collection.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "dism"], N=5, F=0.7, Cr=0.9)
        >>> study = Study(name="mine", dimension=[10, 30], **factors)
        >>> study.count_configs(), study.count_configs({"strategy": ["dismiss"]}), study.n_configs
        (2, 1, 4)
        """
        _check_factors(wanted)
        others = [name for name in CONFIG_FACTORS if name not in ("strategy", *FACTORS_OF_SOME_STRATEGIES)]
        allowed = _allowed_values(wanted)
        with_strategy = sum(
            prod(len(self._values_for(strategy, name) & values) for name, values in allowed.items())
            for strategy in self._wanted_values("strategy", wanted)
        )
        return with_strategy * prod(len(set(self._wanted_values(name, wanted))) for name in others)

    def _wanted_values(self, factor: str, wanted: Mapping[str, Collection[Any]] | None) -> tuple[Any, ...]:
        """The values of a factor; if `wanted` names some of them, only those."""
        allowed = set((wanted or {}).get(factor, ()))
        return tuple(value for value in self.values(factor) if value in allowed or not allowed)

    def reevaluate_values(self, strategy: str) -> set[bool]:
        """The values of reevaluate in configurations of this strategy: True alone if it does not dismiss trials.

        Parameters
        ----------
        strategy : str
            The name of a strategy; one that is not installed may dismiss trials, so that it has all values.

        Returns
        -------
        set of bool
            The values.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "dism"], N=5, F=0.7, Cr=0.9)
        >>> study = Study(name="mine", reevaluate=False, **factors)
        >>> study.reevaluate_values("dismiss"), study.reevaluate_values("saturation")
        ({False}, {True})
        """
        return self._values_for(strategy, "reevaluate")

    def repair_values(self, strategy: str) -> set[str]:
        """The values of repair in configurations of this strategy: "trial" alone if it makes no difference to it.

        Parameters
        ----------
        strategy : str
            The name of a strategy; to one that is not installed it may make a difference, so that it has all values.

        Returns
        -------
        set of str
            The values.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "resample"], N=5, F=0.7, Cr=0.9)
        >>> study = Study(name="mine", repair="mutant", **factors)
        >>> study.repair_values("resample"), study.repair_values("saturation")
        ({'mutant'}, {'trial'})
        """
        return self._values_for(strategy, "repair")

    def _values_for(self, strategy: str, factor: str) -> set[Any]:
        """The values of a factor in configurations of this strategy: the usual one if it makes no difference to it."""
        operator, described = operators.find_or_none("strategy", strategy), FACTORS_OF_SOME_STRATEGIES[factor]
        matters = operator is None or described.matters_to(operator)
        return set(getattr(self, factor)) if matters else {described.usual}

    def values(self, factor: str) -> tuple[Any, ...]:
        """The values that a factor takes in the runs: those written, unless the grid is exact.

        Parameters
        ----------
        factor : str
            The name of a key that may have several values, such as "F"; the dimension by its long name.

        Returns
        -------
        tuple
            The values, in the order written.

        Raises
        ------
        AttributeError
            If a study has no such key.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy="sat", N=5, F=0.7, Cr=[0.25, 0.437, 0.625])
        >>> Study(name="mine", **factors).values("Cr")
        (0.25, 0.437, 0.625)
        >>> Study(name="mine", grid="exact", **factors).values("Cr")
        (0.25, 0.4375, 0.625)
        """
        written: tuple[Any, ...] = getattr(self, factor)
        return equally_spaced(factor, written) if self.grid == "exact" and factor in ("F", "Cr") else written

    @cached_property
    def n_configs(self) -> int:
        """How many configurations, each dimension counted."""
        return self.count_configs() * len(self.dimension)

    @property
    def n_runs(self) -> int:
        """How many runs."""
        return self.n_configs * self.runs

    @property
    def n_evaluations(self) -> int:
        """How many evaluations, over all runs."""
        return sum(map(self.budget_for, self.dimension)) * self.count_configs() * self.runs

    def as_dict(self) -> dict[str, Any]:
        """Every key with its value, ready for JSON; `Study(**dict)` is the study again.

        Returns
        -------
        dict
            The values by key; those of a factor as a list.

        Examples
        --------
        >>> from debox import Study
        >>> factors = dict(mutation="rand/1", crossover="bin", strategy=["sat", "dism"], N=5, F=0.7, Cr=0.9)
        >>> study = Study(name="mine", **factors)
        >>> study.as_dict()["strategy"]
        ['saturation', 'dismiss']
        >>> Study(**study.as_dict()) == study
        True
        """
        values = {name: getattr(self, name) for name in FIELDS}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def __repr__(self) -> str:
        return f"<Study {self.name}: {self.n_configs} configurations × {self.runs} runs>"

    def _repr_html_(self) -> str:
        from debox import notebook

        title = f"Study {self.name}: {self.n_configs:,} configurations × {self.runs:,} runs"
        return notebook.table(title, [(name, getattr(self, name)) for name in FIELDS if name not in ("name", "runs")])

    @classmethod
    def load(cls, source: str | os.PathLike[str]) -> Study:
        """The built-in study of this name, or the one in this TOML file.

        Parameters
        ----------
        source : str or os.PathLike
            A name, such as "paper", or a path; a name comes before a file that is called the same.

        Returns
        -------
        Study
            The study.

        Raises
        ------
        ValueError
            If there is no such study, if its file cannot be read, or if a key is missing, unknown or has a value
            that is not allowed; the message names all of them.

        Examples
        --------
        >>> from debox import Study
        >>> Study.load("paper")
        <Study paper: 6000 configurations × 50 runs>
        """
        text = read_text(find_file(source))
        path = os.fsdecode(source)
        try:
            return cls.of(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{path} is no TOML file: {error}") from None
        except RecursionError:
            raise ValueError(f"{path} is no study: its lists are nested too deeply") from None
        except ValueError as error:
            raise ValueError(f"{path} says what a study cannot:\n{error}") from None


def _check_factors(wanted: Mapping[str, Collection[Any]] | None) -> None:
    """Raise a ValueError about a name that is no factor's: to ignore it would give too many configurations."""
    for name in wanted or ():
        if long_name(name) not in FACTORS:
            raise ValueError(f"wanted: unknown factor {name!r}; choose from {', '.join(FACTORS)}")


def _allowed_values(wanted: Mapping[str, Collection[Any]] | None) -> dict[str, set[Any]]:
    """Those values of FACTORS_OF_SOME_STRATEGIES that are wanted: all, unless `wanted` names some."""
    return {name: set((wanted or {}).get(name, every.values)) for name, every in FACTORS_OF_SOME_STRATEGIES.items()}


def _too_small(sizes: Iterable[int], mutation: Mutation | None, donors: Donors | None) -> Iterator[str]:
    """Messages about population sizes that are too small for a mutation; none if it is not installed."""
    if mutation and donors:
        least = operators.smallest_population(mutation, donors)
        for N in first_few(N for N in sizes if least > N):
            try:
                population_size(N, mutation, donors)
            except ValueError as error:
                yield str(error)


def built_in() -> dict[str, Path]:
    """The studies that come with debox."""
    paths = sorted(STUDIES.glob("*.toml"))
    return {path.stem: path for path in paths}


def find_file(source: str | os.PathLike[str]) -> Path:
    """The file of a built-in study, or the path given."""
    if isinstance(source, str) and source in built_in():
        return built_in()[source]
    if not isinstance(source, str | bytes | os.PathLike):
        raise ValueError(f"source must be the name of a built-in study or the path of a TOML file, got {source!r}")
    path = files.absolute(source, "a study")
    if os.path.lexists(path):
        return path
    names = ", ".join(built_in())
    raise ValueError(f"there is no study {os.fsdecode(source)!r}; give the path of a TOML file or one of {names}")


def read_text(path: Path) -> str:
    """The text of a study file."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(f"cannot read the study {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no text: {error}") from None
