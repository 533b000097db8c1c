"""Material: what all sections of a report are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from debox.analysis import headline
from debox.analysis.headline import ConfigurationSummary
from debox.analysis.old_runs import Runs
from debox.analysis.runs import Runs as Arrays
from debox.paper.verdict import Result, by_sentence, judge_all
from debox.study.study import Study


@dataclass(frozen=True, eq=False)
class Material:
    """The runs, what was planned, and what is computed from them once for several sections."""

    runs: Runs
    study: Study | None = None  # as planned
    provenance: Mapping[str, str] = field(default_factory=dict)  # what made the runs: versions of libraries, …

    @cached_property
    def summaries(self) -> list[ConfigurationSummary]:
        """A summary of every configuration with runs."""
        return headline.summarise(self.runs)

    @cached_property
    def arrays(self) -> Arrays:
        """The runs as dense arrays."""
        return replace(Arrays.of(self.runs.table), planned=self.runs.planned)

    @cached_property
    def claims(self) -> list[Result]:
        """The verdict on each conclusion of the paper; empty if they cannot be tested."""
        return [] if self.claims_obstacle else judge_all(self.arrays.require_one().complete())

    @property
    def verdicts(self) -> list[str]:
        """The verdict on each sentence of the paper."""
        return list(by_sentence(self.claims).values())

    @cached_property
    def claims_obstacle(self) -> str:
        """Why the paper's conclusions cannot be tested: the design is not full, or of several adaptations."""
        several = ", ".join(self.runs.axes.get("adaptation", ()))
        one = f"the runs have adaptation = {several}, and they are about one: choose it with --where"
        return one if several else self.arrays.obstacle()
