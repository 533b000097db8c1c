"""Figures from Python: each function draws into the Axes you give, or makes a whole figure of pyplot with its key, as
`debox figures` does; it returns the Axes. `figure` makes any figure by its name, `data` gives the numbers of any.
`plt.show()` and notebooks show new figures.

``debox.plot.edpois("out/mine", "DE/rand/1/exp sat", N=5).figure.savefig("panel.pdf")``

`table` is a store (`debox.open_store`), its path, a pandas or polars DataFrame of its runs, or a mapping from column
names to arrays. Where runs have several dimensions, budgets, donors, … pass the one to show, such as
dimension=30, in short n=30.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from debox import check, operators
from debox.analysis.names import Panel, full_name
from debox.analysis.runs import Runs, Source
from debox.config import split_variant
from debox.figures import catalogue, sketch
from debox.figures import contours as contour_maps
from debox.figures import edpois as panels
from debox.figures import life as lives
from debox.figures import reading_key as keys
from debox.figures import ribbons as ribbon_pages
from debox.figures import strategies as graphs
from debox.figures import threshold as curves
from debox.figures.page import Numbers, Page, panels_of, part_of
from debox.figures.style import Axes, Figure, in_style
from debox.study.fields import ADAPTATION, in_words
from debox.study.study import Study

if TYPE_CHECKING:
    from debox.f0.measure import Measurement
    from debox.optimize.compare import Comparison

__all__ = [
    "compare", "contours", "convergence", "data", "drift", "edpois", "figure", "life",
    "measurement", "overview", "reading_key", "ribbons", "sketch_3d", "strategy", "thresholds", "walls",
]  # fmt: skip

DPI = 150  # of figures in windows and notebooks: letters of 7 points have 15 pixels
Planned = Study | Mapping[str, Any] | None  # what was planned
Function = TypeVar("Function", bound=Callable[..., Any])

PARAMETERS = """
name : str
    Of its file without suffix: ``"overview"``, ``"factors-shares"``, ``"panels/DE-rand-1-exp-sat-N5"``, …; an unknown
    one is answered with the names there are. Or ``"compare"``, ``"convergence"``, ``"measurement"``, ``"walls"``, whose
    `table` is what the functions of these names take.
table : store, path, DataFrame or mapping
    The runs.
panel : str
    ``"DE/rand/1/exp sat"`` with `N` given, or ``"DE/rand/1/exp sat, N=5"``.
N : int, optional
    The population size, if `panel` does not say it.
result : Result
    What `debox.minimize` returns.
ax : matplotlib.axes.Axes, optional
    Where to draw; by default into a new figure of pyplot, with its key and a footer about the runs.
study : debox.Study or mapping, optional
    What was planned, so that missing runs show and others are left out; a store knows its own.
style : {"paper", "screen"}, default "paper"
    For a journal's page, or larger, for slides and web pages.
**where : int, str or bool, optional
    Of several dimensions, budgets, donors, … the one to show, such as ``dimension=30``, in short ``n=30``.
"""
RETURNS = {
    "Axes": "matplotlib.axes.Axes\n    The Axes drawn into; of several, the first.",
    "Figure": "matplotlib.figure.Figure\n    The whole figure, with its key and a footer about the runs.",
    "Numbers": "dict of str to ndarray\n    Of a study: levels, then arrays with an axis for each of these.",
}
RAISES = {
    "": "ValueError\n    If an argument is wrong, or if the runs lack what the figure needs.",
    "table": "StoreError\n    If `table` is a path without a store, or a store that cannot be read.",
    "ax style": "ModuleNotFoundError\n    If Matplotlib is not installed.",
}


def _described(function: Function) -> Function:
    """Complete a docstring by what functions share: arguments that it does not describe, what is returned, errors."""

    def entries(text: str) -> dict[str, str]:
        return {entry.split(" ")[0].lstrip("*"): entry for entry in re.split(r"\n(?=\S)", text.strip())}

    head, _, examples = inspect.cleandoc(function.__doc__ or "").partition("\n\nExamples\n--------\n")
    summary, _, own = head.partition("\n\nParameters\n----------\n")
    described, taken = entries(PARAMETERS) | entries(own), inspect.signature(function).parameters
    sections = {
        "Parameters": [described[name] for name in taken],
        "Returns": [RETURNS[function.__annotations__["return"]]],
        "Raises": [error for names, error in RAISES.items() if not names or {*names.split()} & taken.keys()],
        "Examples": [">>> import debox", examples],
    }
    texts = ["\n".join([title, "-" * len(title), *section]) for title, section in sections.items()]
    function.__doc__ = "\n\n".join([summary, *texts]) + "\n"  # as in one that is typed
    return function


@_described
def figure(name: str, table: Any, *, study: Planned = None, style: str = "paper", **where: Any) -> Figure:
    """Any figure that `debox figures` draws, by its name.

    Examples
    --------
    >>> page = debox.plot.figure("atlas-exp-N5", "paper")
    >>> page.get_suptitle(), len(page.axes)
    ('EDPOIS, exp crossover, N=5', 20)
    """
    return _show(_page(name, table, study, where), style)


@_described
def data(name: str, table: Any, *, study: Planned = None, **where: Any) -> Numbers:
    """The numbers that any figure shows, as named arrays; ``debox figures STORE --format csv`` writes them.

    Examples
    --------
    >>> found = debox.plot.data("contours-rand-1", "paper")
    >>> list(found), found["median"].shape
    (['crossover', 'strategy', 'N', 'F', 'Cr', 'median', 'runs'], (2, 5, 3, 10, 5))
    """
    page = _page(name, table, study, where)
    return page.numbers(*page.arguments)


@_described
def edpois(
    table: Source, panel: str, N: int | None = None, ax: Axes | None = None, *, study: Planned = None, **where: Any
) -> Axes:
    """The EDPOIS panel of one variant, strategy and N: a histogram of POIS over the runs for every F and Cr.

    Examples
    --------
    >>> debox.plot.edpois("paper", "DE/rand/1/exp sat", N=5).get_title()
    'DE/rand/1/exp sat, N=5'
    """
    runs = _runs(table, study, where)
    return _draw(panels.page(runs, _panel(runs, panel, N)), ax)


@_described
def strategy(name: str, ax: Axes | None = None) -> Axes:
    """What a strategy makes of a component u: a graph, or the densities of the new value if it is random.

    Parameters
    ----------
    name : str
        A strategy that repairs each component by itself, such as ``"toroidal"``, by its long or short name.

    Examples
    --------
    >>> debox.plot.strategy("mirr").get_title()
    'mirror'
    """
    operator = operators.find("strategy", name)
    check.choice("strategy", operator.name, [one.name for one in graphs.component_strategies()])
    return _draw(graphs.page(operator.name), ax)


@_described
def thresholds(dimensions: Sequence[int] = curves.DIMENSIONS, ax: Axes | None = None) -> Axes:
    """How rarely a component must leave the box for a point to stay: p_max(t, n) = 1 − (1 − t)^(1/n) against t.

    Parameters
    ----------
    dimensions : sequence of int, default (10, 30, 100, 500)
        A curve is drawn for each of these n, the smallest first.

    Examples
    --------
    >>> [text.get_text() for text in debox.plot.thresholds([1000, 2]).texts]
    ['n = 2', 'n = 1000']
    """
    if not isinstance(dimensions, Iterable) or not (given := list(dimensions)):
        raise ValueError(f"dimensions must be a sequence of one or more integers ≥ 1, got {dimensions!r}")
    return _draw(curves.page(sorted(check.integer("dimensions", n, 1) for n in given)), ax)


@_described
def reading_key(ax: Axes | None = None, runs: int = keys.RUNS) -> Axes:
    """How to read an EDPOIS panel.

    Parameters
    ----------
    runs : int, default 50
        How many runs each histogram of the panel counts.

    Examples
    --------
    >>> texts = [text.get_text() for text in debox.plot.reading_key(runs=10).texts]
    >>> "runs per bin (1 + 1 + 3 + 5 = 10)" in texts
    True
    """
    return _draw(keys.page(check.integer("runs", runs, 1)), ax)


@_described
def sketch_3d(ax: Axes | None = None) -> Axes:
    """The histograms of a panel, upright on the plane of F and Cr.

    Examples
    --------
    >>> [text.get_text() for text in debox.plot.sketch_3d().texts if "F" in text.get_text()]
    ['$F_1$', '$F_2$', '$F_3$']
    """
    return _draw(next(sketch.pages()), ax)


@_described
def overview(table: Source, ax: Axes | None = None, *, study: Planned = None, **where: Any) -> Axes:
    """All configurations on one page: colour for median POIS, a bar for the spread.

    Examples
    --------
    >>> [text.get_text() for text in debox.plot.overview("paper").texts][-2:]
    ['Cr 0.05 → 0.99', 'F 0.05 → 2']
    """
    return _draw(_page("overview", table, study, where), ax)


@_described
def ribbons(
    table: Source, variant: str, against: str = "F", ax: Axes | None = None, *, study: Planned = None, **where: Any
) -> Axes:
    """POIS against F for each Cr, or against Cr for each F: quantiles of the runs, and the exact curve of generation 1.

    Parameters
    ----------
    variant : str
        ``"DE/rand/1/exp"`` for a row per strategy, ``"DE/rand/1/exp sat"`` for one strategy.
    against : {"F", "Cr"}, default "F"
        What runs along the x-axis.

    Examples
    --------
    >>> ax = debox.plot.ribbons("paper", "DE/rand/1/exp sat", against="F")
    >>> ax.get_xlabel(), [text.get_text() for text in ax.texts][-2:]
    ('F', ['Cr=0.99', 'sat'])
    """
    if not isinstance(variant, str) or not variant.strip():
        raise ValueError(f"variant must be such as 'DE/rand/1/exp' or 'DE/rand/1/exp sat', got {variant!r}")
    name, _, strategy = variant.strip().partition(" ")
    runs = _runs(table, study, where).require_one()
    written = split_variant(name) | ({"strategy": strategy.strip()} if strategy else {})
    part = part_of(runs, **{slot: full_name(runs.axes[slot], slot, one) for slot, one in written.items()})
    page = ribbon_pages.page(part, against)
    width, height = page.size[0], 0.7 + 1.8 * len(part.axes["strategy"])
    return _draw(replace(page, size=(width, height)), ax)


@_described
def contours(table: Source, mutation: str, ax: Axes | None = None, *, study: Planned = None, **where: Any) -> Axes:
    """Where DE leaves the box: median POIS = 0.5, 0.9, 0.99 over F and Cr, a map per strategy, crossover and N.

    Parameters
    ----------
    mutation : str
        ``"rand/1"`` or ``"DE/rand/1"``.

    Examples
    --------
    >>> ax = debox.plot.contours("paper", "rand/1")
    >>> ax.get_title(), [text.get_text() for text in ax.texts][:2]
    ('DE/rand/1', ['bin, N=5', 'bin, N=20'])
    """
    if not isinstance(mutation, str):
        raise ValueError(f"mutation must be a text such as 'rand/1', got {mutation!r}")
    runs = _runs(table, study, where).require_one()
    name = full_name(runs.axes["mutation"], "mutation", re.sub("^DE/", "", mutation, flags=re.I))
    return _draw(contour_maps.page(runs, name), ax)


@_described
def life(
    table: Source, panel: str, N: int | None = None, ax: Axes | None = None, *, study: Planned = None, **where: Any
) -> Axes:
    """POIS within each third of a run, and so far, for each F and Cr of a panel; from checkpoints at 1/3 and 2/3.

    Examples
    --------
    >>> debox.plot.life("paper", "DE/rand/1/exp sat", N=5).get_title()
    'DE/rand/1/exp sat, N=5'
    """
    runs = _runs(table, study, where)
    return _draw(lives.page(runs, _panel(runs, panel, N)), ax)


@_described
def drift(table: Source, ax: Axes | None = None, *, study: Planned = None, **where: Any) -> Axes:
    """POIS within the last third of a run minus POIS within the first: all configurations, from their checkpoints.

    Examples
    --------
    >>> [text.get_text() for text in debox.plot.drift("paper").texts][-2:]
    ['Cr 0.05 → 0.99', 'F 0.05 → 2']
    """
    return _draw(_page("drift", table, study, where), ax)


@_described
def measurement(m: Measurement, ax: Axes | None = None) -> Axes:
    """EDPOIS of one configuration: runs per tenth of POIS, in the colour that the paper gives it.

    Parameters
    ----------
    m : Measurement
        What `debox.measure` returns.

    Examples
    --------
    >>> m = debox.measure("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)
    >>> debox.plot.measurement(m).get_title().splitlines()[0]
    'DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9'
    """
    return _draw(catalogue.of_result("measurement", m), ax)


@_described
def compare(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Final values of strategies on one function: a dot per run, medians with their intervals, the best at the top.

    The axis is logarithmic where all values are positive and span more than a factor of 10. Runs with the same seed
    have the same height within their rows. Infinite values are not shown. At the right: the median POIS.

    Parameters
    ----------
    comparison : Comparison
        What `debox.compare` returns.

    Examples
    --------
    >>> found = debox.compare(lambda x: x[0], [(0, 1)], ["mirror", "saturation"], budget=50, runs=2)
    >>> [tick.get_text() for tick in debox.plot.compare(found).get_yticklabels()]
    ['saturation', 'mirror']
    """
    return _draw(catalogue.of_result("compare", comparison), ax)


@_described
def convergence(result: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """The course of a run: best value, spread of the population and POIS so far against evaluations.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
        Where to draw the best value alone; by default all three are drawn into a new figure.

    Examples
    --------
    >>> result = debox.minimize(lambda x: (x**2).sum(), [(-1, 1)] * 2, budget=100, rng=1)
    >>> debox.plot.convergence(result).get_ylabel()
    'best value'
    """
    return _draw(catalogue.of_result("convergence", result), ax)


@_described
def walls(result: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """What happened at the bounds: per variable its range, x within it, and violations of either bound, early and late.

    Percentages: the share of the final population within 1 % of the range from that bound.

    Examples
    --------
    >>> result = debox.minimize(lambda x: (x**2).sum(), [(-1, 1)] * 2, budget=100, rng=1)
    >>> [tick.get_text() for tick in debox.plot.walls(result).get_yticklabels()]
    ['x[0]', 'x[1]']
    """
    return _draw(catalogue.of_result("walls", result), ax)


def _runs(table: Any, study: Planned, where: Mapping[str, Any]) -> Runs:
    """The runs to draw, of one dimension, budget, …; a ValueError if there are none."""
    return catalogue.of_one_setting(Runs.of(table, study, where, "table").require_runs())


def _page(name: str, table: Any, study: Planned, where: Mapping[str, Any]) -> Page:
    """The figure of this name, if it can be drawn."""
    if not isinstance(name, str):
        kind = f"got a value of type {type(name).__name__}"
        raise ValueError(f"name must be the name of a figure, as text, and comes before the table; {kind}")
    if name in catalogue.RESULTS:
        return catalogue.of_result(name, table)
    return catalogue.find(_runs(table, study, where), name)


def _panel(runs: Runs, text: str, N: int | None) -> Panel:
    """The panel of this name, if it has runs; its adaptation need not be named where they have one."""
    if not isinstance(text, str):
        raise ValueError(f"panel must be a text such as 'DE/rand/1/exp sat, N=5', got {text!r}")
    present = [one for one in panels_of(runs) if part_of(runs, **one._asdict()).counts.any()]
    matches = (one for one in present if (text, N) in ((one.title, None), (one.title, one.N), (one.name, one.N)))
    there = {name: sorted({getattr(one, name) for one in present}) for name in Panel._fields if name in runs.axes}
    panel = next(matches, None) or Panel.of(text, N, there)
    if panel.adaptation:
        there.setdefault(ADAPTATION, list(runs.adaptations))
    named = {one._replace(adaptation=one.adaptation or runs.adaptations[0]): one for one in present}
    alike = [one for name, one in named.items() if panel in (name, name._replace(adaptation=""))]
    if not alike:
        raise ValueError(f"there are no runs of {panel.title}; there are runs with {in_words(there)}")
    if len(alike) > 1:
        runs.require_one()
    return alike[0]


def _draw(page: Page, ax: Axes | None) -> Axes:
    """Draw into the given Axes; or alone, as the command does: with its key, and with a footer about the runs."""
    catalogue.require_drawable(page)
    if ax is None:
        return _show(page).axes[0]
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise ValueError(f"ax must be Axes of Matplotlib, as figure.add_subplot() makes them, got {ax!r}")
    drawn: Axes = page.draw(ax, *page.arguments)
    return drawn


def _show(page: Page, style: str = "paper") -> Figure:
    """The whole figure, in pyplot."""
    with in_style(style, in_pyplot=True):
        figure = page.figure(style, in_pyplot=True)
    figure.set_dpi(DPI)
    return figure
