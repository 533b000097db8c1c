"""Study: which configurations are run, how often and how; written in a TOML file, checked at birth."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from debox import files, notebook, registry
from debox.config import Config, population_size
from debox.f0.measure import MOST_EVALUATIONS
from debox.study.fields import FACTORS, FIELDS, REQUIRED, equally_spaced, first_of

CONFIG_FACTORS = tuple(name for name in FACTORS if name != "n")
PACKAGE = Path(__file__).parents[1]
LARGEST_FILE = 1_000_000  # bytes: no study is longer
FOLDERS = (PACKAGE / "studies", PACKAGE.parents[1] / "studies")  # installed; in a clone


@dataclass(frozen=True, init=False, repr=False)
class Study:
    """A study: ``Study(name="mine", mutation="rand/1", crossover=["bin", "exp"], strategy="sat", N=5, F=0.7, Cr=0.9)``.

    Every key of a study file is an argument and an attribute; a factor is a tuple of values.
    """

    name: str
    seed: int
    runs: int
    n: tuple[int, ...]
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
    engine: str
    checkpoints: tuple[float, ...]
    grid: str

    def __init__(self, **given: Any) -> None:
        values, wrong = read(given)
        if not wrong:
            self.__dict__.update(values)
            wrong = list(self._contradictions())
        if wrong:
            raise ValueError("\n".join(wrong))

    def _contradictions(self) -> Iterator[str]:
        """What is wrong between values that are each allowed, a few of each kind."""
        for mutation, donors in product(self.mutation, self.donors):
            operators = registry.find("mutation", mutation), registry.find("donors", donors)
            least = registry.smallest_population(*operators)
            for N in first_of(N for N in self.N if least > N):
                try:
                    population_size(N, *operators)
                except ValueError as error:
                    yield str(error)
        for n in first_of(n for n in self.n if self.budget_for(n) > MOST_EVALUATIONS):
            yield f"budget must be at most {MOST_EVALUATIONS} evaluations, got {self.budget!r} for n = {n}"
        largest = max(self.N)
        for n in first_of(n for n in self.n if self.budget_for(n) < largest):
            for N in first_of(N for N in self.N if self.budget_for(n) < N):
                yield f"budget must be at least N, got {self.budget_for(n)} for n = {n} with N = {N}"

    def budget_for(self, n: int) -> int:
        """Evaluations of a run in n dimensions."""
        return int(self.budget.split()[0]) * n if isinstance(self.budget, str) else self.budget

    def configs(self, wanted: Mapping[str, Collection[Any]] | None = None) -> Iterator[Config]:
        """Every configuration once, in the order of the file; `wanted`: just those with one of these values."""
        grid = {name: self._chosen(name, wanted) for name in CONFIG_FACTORS}
        grid["reevaluate"] = self.reevaluate  # means nothing to most strategies: there, both values are True
        every = (Config(**dict(zip(grid, values, strict=True))) for values in product(*grid.values()))
        told = (wanted or {}).get("reevaluate", (True, False))
        yield from dict.fromkeys(config for config in every if config.reevaluate in told)

    def count_configs(self, wanted: Mapping[str, Collection[Any]] | None = None) -> int:
        """How many `configs` gives, without making them."""
        others = [name for name in CONFIG_FACTORS if name not in ("strategy", "reevaluate")]
        told = set((wanted or {}).get("reevaluate", (True, False)))
        with_strategy = sum(len(self.readings(strategy) & told) for strategy in self._chosen("strategy", wanted))
        return with_strategy * prod(len(set(self._chosen(name, wanted))) for name in others)

    def _chosen(self, factor: str, wanted: Mapping[str, Collection[Any]] | None) -> tuple[Any, ...]:
        """The values of a factor, those wanted if some are named."""
        named = set((wanted or {}).get(factor, ()))
        return tuple(value for value in self.values(factor) if value in named or not named)

    def readings(self, strategy: str) -> set[bool]:
        """The values of reevaluate that a configuration of this strategy has: only dismiss knows a difference."""
        return set(self.reevaluate) if registry.find("strategy", strategy).dismisses else {True}

    def values(self, factor: str) -> tuple[Any, ...]:
        """The values that a factor takes in the runs: those written, unless the grid is exact."""
        written: tuple[Any, ...] = getattr(self, factor)
        return equally_spaced(factor, written) if self.grid == "exact" and factor in ("F", "Cr") else written

    @cached_property
    def n_configs(self) -> int:
        """How many configurations, each dimension counted."""
        return self.count_configs() * len(self.n)

    @property
    def n_runs(self) -> int:
        """How many runs."""
        return self.n_configs * self.runs

    @property
    def n_evaluations(self) -> int:
        """How many evaluations, over all runs."""
        return sum(map(self.budget_for, self.n)) * self.count_configs() * self.runs

    def as_dict(self) -> dict[str, Any]:
        """Every key with its value, ready for JSON; `Study(**dict)` is the study again."""
        kept = {name: getattr(self, name) for name in FIELDS}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in kept.items()}

    def __repr__(self) -> str:
        return f"<Study {self.name}: {self.n_configs} configurations × {self.runs} runs>"

    def _repr_html_(self) -> str:
        title = f"Study {self.name}: {self.n_configs:,} configurations × {self.runs:,} runs"
        return notebook.table(title, [(name, getattr(self, name)) for name in FIELDS if name not in ("name", "runs")])

    @classmethod
    def load(cls, source: str | os.PathLike[str]) -> Study:
        """The built-in study of this name, or the one in this TOML file."""
        path, text = os.fsdecode(source), _text(find(source))
        try:
            return cls(**tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{path} is no TOML file: {error}") from None
        except RecursionError:
            raise ValueError(f"{path} is no study: its lists are nested too deeply") from None
        except ValueError as error:
            raise ValueError(f"{path} says what a study cannot:\n{error}") from None


def read(given: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The checked value of every field, and all that is wrong."""
    values: dict[str, Any] = {}
    wrong = [f"unknown key {key!r}; choose from {', '.join(FIELDS)}" for key in given if key not in FIELDS]
    for name, field in FIELDS.items():
        if name not in given and field.default is REQUIRED:
            wrong.append(f"{name} is missing: {field.meaning}")
            continue
        try:
            values[name] = field.read(given.get(name, field.default))
        except ValueError as error:
            wrong.append(str(error) if name in str(error) else f"{name}: {error}")
    for name in ("F", "Cr") if values.get("grid") == "exact" else ():
        try:
            equally_spaced(name, values.get(name, (0.0,)))
        except ValueError as error:
            wrong.append(str(error))
    return values, wrong


def built_in() -> dict[str, Path]:
    """The studies that come with debox."""
    found = (path for folder in FOLDERS for path in sorted(folder.glob("*.toml")))
    return {path.stem: path for path in found}


def find(source: str | os.PathLike[str]) -> Path:
    """The file of a built-in study, or the path given."""
    if isinstance(source, str) and source in built_in():
        return built_in()[source]
    path = files.absolute(source, "a study")
    if os.path.lexists(path):
        return path
    names = ", ".join(built_in())
    raise ValueError(f"there is no study {os.fsdecode(source)!r}; give the path of a TOML file or one of {names}")


def _text(path: Path) -> str:
    """What is written in a study file."""
    try:
        return files.read_small(path, LARGEST_FILE).decode("utf-8")
    except OSError as error:
        raise ValueError(f"cannot read the study {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no text: {error}") from None
