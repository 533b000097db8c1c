"""Study: which configurations are run, how often and how; written in a TOML file; checked when it is made."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass
from functools import cached_property, partial
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Never

from debox import check, files, operators
from debox.config import CONFIG_FIELDS, Config, population_size
from debox.study.fields import FACTORS, FIELDS, MATTERS_IF, equally_spaced, resolve, short_repr, with_long_names

HOW_TO_INSTALL = "register what is missing (debox.register, or --operators FILE for a command), or install its package"
STUDIES = Path(__file__).parents[1] / "studies"
REQUIRED: Any = None  # as the default of an argument whose type has no None


@dataclass(frozen=True, init=False, repr=False)
class Study:
    """A study: every combination of its factors is a configuration, and each of them is run several times on f0.

    Every key of a study file is an argument and an attribute. A factor is given as one value or as several, operators
    by their names, and kept as a tuple of values. An argument that is None is not given; in `dataclasses.replace` those
    that were not given follow the others anew. One error names all that is wrong.

    Parameters
    ----------
    name : str
        The study's name, a word.
    mutation, crossover, strategy : str or sequence of str
        Names of operators, long or short, in any case; `debox operators` lists them.
    N : int or sequence of int
        Population sizes.
    F, Cr, donors, reevaluate, frozen, repair, adaptation
        As in `Config`.
    dimension, n : int or sequence of int, default 30
        Numbers of variables, by the long or the short name.
    budget : int or str, default "10000 n"
        Evaluations of a run: a number, or a text such as "10000 n", 10 000 per variable.
    seed : int, default 0
        Same seed, same runs.
    runs, engine
        As in `measure`.
    checkpoints : sequence of float or str, default (1/3, 2/3)
        Shares of the budget at which POIS is noted, as numbers or as texts such as "1/3".
    grid : {"printed", "exact"}, default "printed"
        Whether F and Cr are as written, or equally spaced from the first to the last, the others being rounded.

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
    _not_given: InitVar[Mapping[str, Any] | None] = None  # the values that were not given: `replace` hands them over

    def __init__(
        self,
        /,
        *,
        name: str = REQUIRED,
        mutation: str | Sequence[str] = REQUIRED,
        crossover: str | Sequence[str] = REQUIRED,
        strategy: str | Sequence[str] = REQUIRED,
        N: int | Sequence[int] = REQUIRED,
        F: float | Sequence[float] | None = None,
        Cr: float | Sequence[float] | None = None,
        dimension: int | Sequence[int] | None = None,
        n: int | Sequence[int] | None = None,
        budget: int | str = "10000 n",
        runs: int = 50,
        seed: int = 0,
        donors: str | Sequence[str] | None = None,
        reevaluate: bool | Sequence[bool] = True,
        frozen: bool | Sequence[bool] = False,
        repair: str | Sequence[str] = "trial",
        adaptation: str | Sequence[str] = "fixed",
        engine: str = "auto",
        checkpoints: Sequence[float | str] = (1 / 3, 2 / 3),
        grid: str = "printed",
        **unknown: Never,
    ) -> None:
        given = {key: value for key, value in locals().items() if key not in ("self", "unknown")} | unknown
        not_given = given.pop("_not_given", None) or {}
        self._fill({key: value for key, value in given.items() if value is not not_given.get(key)})

    @classmethod
    def of(cls, given: Study | Mapping[str, Any]) -> Study:
        """The study itself, or the one of these keys, as a study file or `as_dict` has them.

        Parameters
        ----------
        given : Study or mapping
            The study, or the value of every key; a key that has a default may be left out.
        """
        return given if isinstance(given, Study) else cls.__new__(cls)._fill(given)

    @classmethod
    def stored(cls, given: Mapping[str, Any]) -> Study:
        """The study of a store or of a table, whose operators need not be installed: it can be read, but not run.

        Parameters
        ----------
        given : mapping
            The value of every key; a key that has a default may be left out.
        """
        return cls.__new__(cls)._fill(given, stored=True)

    def _fill(self, given: Mapping[str, Any], stored: bool = False) -> Study:
        """Set the attributes to the checked values, or raise a ValueError about all that is wrong."""
        if not isinstance(given, Mapping):
            raise ValueError(f"given must be a Study or a mapping of its keys, got {short_repr(given)}")
        given = with_long_names({key: value for key, value in given.items() if stored or value is not None})
        values = resolve(given, stored)
        vars(self).update(values, _not_given={key: values[key] for key in values if key not in given})
        if wrong := list(self._contradictions()):
            raise ValueError("\n".join(wrong))
        return self

    def _contradictions(self) -> Iterator[str]:
        """Messages about values that are allowed each, but not together."""
        mutations, donors = (
            [one for name in getattr(self, slot) if (one := operators.find_or_none(slot, name))]
            for slot in ("mutation", "donors")
        )
        checks = [partial(population_size, min(self.N), *pair) for pair in product(mutations, donors)]
        largest = max(self.N)
        for n in sorted({min(self.dimension), max(self.dimension)}):
            why, written = f"dimension = {n} with N = {largest}", f"{self.budget!r} for dimension = {n}"
            checks.append(partial(check.budget, self.budget_for(n), largest, why, written))
        for each in checks:
            try:
                each()
            except ValueError as error:
                yield str(error)

    @property
    def not_installed(self) -> tuple[tuple[str, str], ...]:
        """Slot and name of every operator that this debox does not have."""
        return not_installed(vars(self))

    def require_installed_operators(self) -> None:
        """Raise a ValueError that names the operators that are not installed: without them no run can be planned."""
        if missing := self.not_installed:
            listed = ", ".join(f"{slot} {name!r}" for slot, name in missing)
            why = f"{listed} is not installed; {HOW_TO_INSTALL}"
            raise ValueError(f"study {self.name!r} can be read here, but not planned or run: {why}")

    def budget_for(self, n: int) -> int:
        """Evaluations of a run in n dimensions, on which they depend if the budget is a text such as "10000 n".

        Parameters
        ----------
        n : int
            The number of variables; it need not be one of the study's.
        """
        return int(self.budget.split()[0]) * n if isinstance(self.budget, str) else self.budget

    def configs(self, wanted: Mapping[str, Collection[Any]] | None = None) -> Iterator[Config]:
        """Every configuration once, in the order of the file; with `wanted`, those that have one of these values.

        Parameters
        ----------
        wanted : mapping of str to collection, optional
            Values of some factors, operators by their long names. The dimension is not part of a configuration and is
            ignored.
        """
        self.require_installed_operators()
        wanted = with_long_names(wanted or {})
        for name in wanted:  # to ignore it would give too many configurations
            check.choice("wanted", name, FACTORS)
        # Config replaces values of MATTERS_IF where they do not matter, so those wanted are chosen afterwards.
        grid = {
            name: [one for one in self.values(name) if name in MATTERS_IF or one in wanted.get(name, (one,))]
            for name in CONFIG_FIELDS
        }
        every = (Config(**dict(zip(grid, values, strict=True))) for values in product(*grid.values()))
        chosen = wanted.keys() & MATTERS_IF
        yield from dict.fromkeys(one for one in every if all(getattr(one, name) in wanted[name] for name in chosen))

    def count_configs(self) -> int:
        """How many configurations `configs` yields, counted without making them; `n_configs` counts each dimension."""
        others = [name for name in CONFIG_FIELDS if name not in ("strategy", *MATTERS_IF)]
        kinds = [operators.find_or_none("strategy", name) for name in self.strategy]
        of_strategies = (
            prod(len(getattr(self, name)) for name, has in MATTERS_IF.items() if getattr(kind, has, True))
            for kind in kinds
        )
        return sum(of_strategies) * prod(len(set(self.values(name))) for name in others)

    def values(self, factor: str) -> tuple[Any, ...]:
        """The values that a factor takes in the runs: those written, unless the grid is exact.

        Parameters
        ----------
        factor : str
            The name of a key that may have several values, such as "F"; the dimension by its long name.
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
        """Every key with its value, ready for JSON; `Study(**dict)` is the study again."""
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
        """
        known = built_in()
        path = known.get(source) if isinstance(source, str) else None
        path = path or files.absolute(source, "source, if not the name of a built-in study,")
        if not os.path.lexists(path):
            instead = f"give the path of a TOML file or one of {', '.join(known)}"
            raise ValueError(f"there is no study {os.fsdecode(source)!r}; {instead}")
        try:
            return cls.of(tomllib.loads(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise ValueError(f"cannot read the study {path}: {error.strerror or error}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ValueError(f"{path} is no TOML file: {error}") from None
        except ValueError as error:
            raise ValueError(f"{path} is not a valid study:\n{error}") from None


def not_installed(named: Mapping[str, Iterable[str]]) -> tuple[tuple[str, str], ...]:
    """Slot and name of every operator that this debox does not have, of those named for each slot."""
    every = ((slot, name) for slot in operators.SLOTS for name in named.get(slot, ()))
    return tuple((slot, name) for slot, name in every if operators.find_or_none(slot, name) is None)


def built_in() -> dict[str, Path]:
    """The studies that come with debox."""
    return {path.stem: path for path in sorted(STUDIES.glob("*.toml"))}
