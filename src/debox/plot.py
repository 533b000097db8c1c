"""Figures from Python: each function draws into the Axes you give, or makes a whole figure with its key, as
`debox figures` does; it returns the Axes. `figure` makes any figure of `debox figures`, by its name. `plt.show()` and
notebooks show new figures.

``debox.plot.edpois("out/mine", "DE/rand/1/exp sat", N=5).figure.savefig("panel.pdf")``

`table` is a store (`debox.open_store`), its path, a pandas or polars DataFrame of its runs, or a mapping from column
names to arrays. Where runs have several dimensions, budgets, donors, … pass the one to show, such as
dimension=30, in short n=30.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from debox import check, operators
from debox.analysis import names
from debox.analysis.old_runs import Panel, Runs, Source
from debox.figures import old_catalogue as catalogue
from debox.figures.data import contours as contours_data
from debox.figures.data import convergence as convergence_data
from debox.figures.data import drift as drift_data
from debox.figures.data import edpois as edpois_data
from debox.figures.data import final_values as final_values_data
from debox.figures.data import life as life_data
from debox.figures.data import overview as overview_data
from debox.figures.data import pois_histogram as pois_histogram_data
from debox.figures.data import reading_key as reading_key_data
from debox.figures.data import ribbons as ribbons_data
from debox.figures.data import sketch as sketch_data
from debox.figures.data import strategies as strategies_data
from debox.figures.data import strategy as strategy_data
from debox.figures.data import threshold as threshold_data
from debox.figures.data import walls as walls_data
from debox.figures.entry import Entry
from debox.study.fields import ADAPTATION, in_words
from debox.study.study import Study

if TYPE_CHECKING:
    from debox.f0.measure import Measurement
    from debox.figures.draw.style import Axes, Figure
    from debox.optimize.compare import Comparison

__all__ = [
    "compare",
    "contours",
    "convergence",
    "drift",
    "edpois",
    "figure",
    "life",
    "measurement",
    "overview",
    "reading_key",
    "ribbons",
    "sketch_3d",
    "strategy",
    "thresholds",
    "walls",
]

DPI = 150  # of figures in windows and notebooks: letters of 7 points have 15 pixels
StudyArgument = Study | Mapping[str, Any] | None  # what was planned


def figure(name: str, table: Source, *, study: StudyArgument = None, style: str = "paper", **where: Any) -> Figure:
    """Any figure that `debox figures` draws, by its name.

    Parameters
    ----------
    name : str
        ``"overview"``, ``"threshold"``, ``"factors-shares"``, ``"atlas-exp-N5"``, ``"panels/DE-rand-1-exp-sat-N5"``, …:
        the name of its file, without suffix. An unknown name is answered with the names there are.
    table : store, path, DataFrame or mapping
        The runs.
    study : debox.Study or mapping, optional
        What was planned, so that missing runs show and others are left out; a store knows its own.
    style : {"paper", "screen"}, default "paper"
        For a journal's page, or larger, for slides and web pages.
    **where : int, str or bool, optional
        Of several dimensions, budgets, donors, … the one to show, such as ``dimension=30``, in short ``n=30``.

    Returns
    -------
    matplotlib.figure.Figure
        The whole figure, with its key and a footer about the runs.

    Raises
    ------
    ValueError
        If there is no such figure, if the runs do not have what it needs, if `table` is none of these or lacks a
        column, if `style` is not known, or if there are runs of several dimensions, … between which `where` does not
        choose.
    StoreError
        If `table` is a path without a store, or a store that cannot be read.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> operators = {"mutation": ["rand/1"] * 2, "crossover": ["exp"] * 2, "strategy": ["saturation"] * 2}
    >>> table = {**operators, "N": [5, 5], "F": [0.7, 0.7], "Cr": [0.5, 0.5], "pois": [0.2, 0.3]}
    >>> page = debox.plot.figure("atlas-exp-N5", table)
    >>> page.get_suptitle(), [ax.get_title() for ax in page.axes]
    ('EDPOIS, exp crossover, N=5', ['DE/rand/1/exp sat, N=5'])
    """
    from debox.figures.draw.by_type import figure_of
    from debox.figures.draw.style import in_style_for_pyplot

    if not isinstance(name, str):
        kind = type(name).__name__
        raise ValueError(
            f"name must be the name of a figure, as text, and comes before the table; got a value of type {kind}"
        )
    with in_style_for_pyplot(style):
        runs = _runs(table, study, where)
        page = figure_of(catalogue.find(runs, name), runs, style, in_pyplot=True)
    page.set_dpi(DPI)
    return page


def edpois(
    table: Source,
    panel: str,
    N: int | None = None,
    ax: Axes | None = None,
    *,
    study: StudyArgument = None,
    **where: Any,
) -> Axes:
    """The EDPOIS panel of one variant, strategy and N: a histogram of POIS over the runs for every F and Cr.

    Parameters
    ----------
    table : store, path, DataFrame or mapping
        The runs.
    panel : str
        ``"DE/rand/1/exp sat"`` with `N` given, or ``"DE/rand/1/exp sat, N=5"``.
    N : int, optional
        The population size, if `panel` does not say it.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a footer about the runs.
    study : debox.Study or mapping, optional
        What was planned, so that missing runs show and others are left out; a store knows its own.
    **where : int, str or bool, optional
        Of several dimensions, budgets, donors, … the one to show, such as ``dimension=30``, in short ``n=30``.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If there are no such runs, if `table` is none of these or lacks a column, if `panel` is no text or `ax` no Axes,
        or if there are several dimensions, … between which `where` does not choose.
    StoreError
        If `table` is a path without a store, or a store that cannot be read.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> operators = {"mutation": ["rand/1"] * 2, "crossover": ["exp"] * 2, "strategy": ["saturation"] * 2}
    >>> table = {**operators, "N": [5, 5], "F": [0.7, 0.7], "Cr": [0.5, 0.5], "pois": [0.2, 0.3]}
    >>> debox.plot.edpois(table, "DE/rand/1/exp sat", N=5).get_title()
    'DE/rand/1/exp sat, N=5'
    """
    runs = _runs(table, study, where)
    return _draw_entry(edpois_data.entry(_panel(runs, panel, N)), runs, ax)


def strategy(name: str, ax: Axes | None = None) -> Axes:
    """What a strategy makes of a component u: a graph, or the densities of the new value if it is random.

    Parameters
    ----------
    name : str
        A strategy that repairs each component by itself, such as ``"toroidal"``, by its long or short name.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If there is no such strategy, if it replaces the whole trial, as ``"dismiss"`` does, or if `ax` is no Axes.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> debox.plot.strategy("mirr").get_title()
    'mirror'
    """
    operator = operators.find("strategy", name)
    check.choice("strategy", operator.name, [one.name for one in strategies_data.component_strategies()])
    return _draw(strategies_data.strategy_in_its_box(operator), ax, strategy_data.SIZE)


def thresholds(dimensions: Sequence[int] = threshold_data.DIMENSIONS, ax: Axes | None = None) -> Axes:
    """How rarely a component must leave the box for a point to stay: p_max(t, n) = 1 − (1 − t)^(1/n) against t.

    Parameters
    ----------
    dimensions : sequence of int, default (10, 30, 100, 500)
        A curve is drawn for each of these n, the smallest first.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If `dimensions` is empty, if one of them is no integer ≥ 1, or if `ax` is no Axes.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> [text.get_text() for text in debox.plot.thresholds([1000, 2]).texts]
    ['n = 2', 'n = 1000']
    """
    if not isinstance(dimensions, Iterable) or not (given := list(dimensions)):
        raise ValueError(f"dimensions must be a sequence of one or more integers ≥ 1, got {dimensions!r}")
    several = sorted(check.integer("dimensions", n, 1) for n in given)
    return _draw(threshold_data.thresholds(several), ax, threshold_data.SIZE)


def reading_key(ax: Axes | None = None, runs: int = reading_key_data.RUNS) -> Axes:
    """How to read an EDPOIS panel.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure.
    runs : int, default 50
        How many runs each histogram of the panel counts.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If `runs` is smaller than 1, or if `ax` is no Axes.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> texts = [text.get_text() for text in debox.plot.reading_key(runs=10).texts]
    >>> "runs per bin (1 + 1 + 3 + 5 = 10)" in texts
    True
    """
    return _draw(reading_key_data.reading_key(check.integer("runs", runs, 1)), ax, reading_key_data.SIZE)


def sketch_3d(ax: Axes | None = None) -> Axes:
    """The histograms of a panel, upright on the plane of F and Cr.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If `ax` is no Axes.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> [text.get_text() for text in debox.plot.sketch_3d().texts if "F" in text.get_text()]
    ['$F_1$', '$F_2$', '$F_3$']
    """
    return _draw(sketch_data.sketch(), ax, sketch_data.SIZE)


def overview(table: Source, ax: Axes | None = None, *, study: StudyArgument = None, **where: Any) -> Axes:
    """All configurations on one page: colour for median POIS, a bar for the spread, two dots where runs form camps.

    Parameters
    ----------
    table : store, path, DataFrame or mapping
        The runs.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a footer about the runs.
    study : debox.Study or mapping, optional
        What was planned, so that missing runs show and others are left out; a store knows its own.
    **where : int, str or bool, optional
        Of several dimensions, budgets, donors, … the one to show, such as ``dimension=30``, in short ``n=30``.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If there are no runs, if `table` is none of these or lacks a column, if `ax` is no Axes, or if there are runs of
        several dimensions between which `where` does not choose.
    StoreError
        If `table` is a path without a store, or a store that cannot be read.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> operators = {"mutation": ["rand/1"] * 2, "crossover": ["exp"] * 2, "strategy": ["saturation"] * 2}
    >>> table = {**operators, "N": [5, 5], "F": [0.7, 0.7], "Cr": [0.5, 0.5], "pois": [0.2, 0.3]}
    >>> [text.get_text() for text in debox.plot.overview(table).texts]
    ['N=5', 'DE/rand/1', 'sat', 'exp', 'Cr 0.5 → 0.5', 'F 0.7 → 0.7']
    """
    runs = _runs(table, study, where)
    return _draw_entry(overview_data.entry(runs), runs, ax)


def ribbons(
    table: Source,
    variant: str,
    against: str = "F",
    ax: Axes | None = None,
    *,
    study: StudyArgument = None,
    **where: Any,
) -> Axes:
    """POIS against F for each Cr, or against Cr for each F: quantiles of the runs, and the exact curve of generation 1.

    Parameters
    ----------
    table : store, path, DataFrame or mapping
        The runs, with the columns dimension and budget, which the curve needs.
    variant : str
        ``"DE/rand/1/exp"`` for a row per strategy, ``"DE/rand/1/exp sat"`` for one strategy.
    against : {"F", "Cr"}, default "F"
        What runs along the x-axis.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a footer about the runs.
    study : debox.Study or mapping, optional
        What was planned, so that missing runs show and others are left out; a store knows its own.
    **where : int, str or bool, optional
        Of several dimensions, budgets, donors, … the one to show, such as ``dimension=30``, in short ``n=30``.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If there are no runs, if `table` is none of these or lacks a column, if `variant` or `against` is not known, if
        `ax` is no Axes, or if there are runs of several dimensions between which `where` does not choose.
    StoreError
        If `table` is a path without a store, or a store that cannot be read.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> operators = {"mutation": ["rand/1"] * 2, "crossover": ["exp"] * 2, "strategy": ["saturation"] * 2}
    >>> runs = {**operators, "N": [5, 5], "F": [0.7, 0.7], "Cr": [0.5, 0.5], "pois": [0.2, 0.3]}
    >>> table = {**runs, "dimension": [30, 30], "budget": [300, 300]}
    >>> ax = debox.plot.ribbons(table, "DE/rand/1/exp", against="Cr")
    >>> ax.get_xlabel(), [text.get_text() for text in ax.texts]
    ('Cr', ['F=0.7', 'sat'])
    """
    if not isinstance(variant, str) or not variant.strip():
        raise ValueError(f"variant must be such as 'DE/rand/1/exp' or 'DE/rand/1/exp sat', got {variant!r}")
    name, *strategies = variant.split()
    runs = _runs(table, study, where).require_one_adaptation()
    chosen = tuple(names.full_name(runs.axes["strategy"], "strategy", strategy) for strategy in strategies)
    record = ribbons_data.ribbons(runs, name, against, chosen)
    return _draw(record, ax, (ribbons_data.SIZES["F"][0], 0.7 + 1.8 * len(record.rows)), runs.caption)


def contours(
    table: Source, mutation: str, ax: Axes | None = None, *, study: StudyArgument = None, **where: Any
) -> Axes:
    """Where DE leaves the box: median POIS = 0.5, 0.9, 0.99 over F and Cr, a map per strategy, crossover and N.

    Parameters
    ----------
    table : store, path, DataFrame or mapping
        The runs.
    mutation : str
        ``"rand/1"`` or ``"DE/rand/1"``.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a footer about the runs.
    study : debox.Study or mapping, optional
        What was planned, so that missing runs show and others are left out; a store knows its own.
    **where : int, str or bool, optional
        Of several dimensions, budgets, donors, … the one to show, such as ``dimension=30``, in short ``n=30``.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If there are no runs, if `table` is none of these or lacks a column, if `mutation` is not known, if `ax` is no
        Axes, or if there are runs of several dimensions between which `where` does not choose.
    StoreError
        If `table` is a path without a store, or a store that cannot be read.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> operators = {"mutation": ["rand/1"] * 2, "crossover": ["exp"] * 2, "strategy": ["saturation"] * 2}
    >>> table = {**operators, "N": [5, 5], "F": [0.7, 0.7], "Cr": [0.5, 0.5], "pois": [0.2, 0.3]}
    >>> ax = debox.plot.contours(table, "rand/1")
    >>> ax.get_title(), [text.get_text() for text in ax.texts]
    ('DE/rand/1', ['exp, N=5', 'sat'])
    """
    if not isinstance(mutation, str):
        raise ValueError(f"mutation must be a text such as 'rand/1', got {mutation!r}")
    runs = _runs(table, study, where).require_one_adaptation()
    name = mutation[3:] if mutation.upper().startswith("DE/") else mutation
    return _draw_entry(contours_data.entry(runs, name), runs, ax)


def life(
    table: Source,
    panel: str,
    N: int | None = None,
    ax: Axes | None = None,
    *,
    study: StudyArgument = None,
    **where: Any,
) -> Axes:
    """POIS within each third of a run, and so far, for each F and Cr of a panel.

    Parameters
    ----------
    table : store, path, DataFrame or mapping
        The runs, with their budget and with POIS so far at 1/3 and 2/3 of it: the columns budget, pois_at_third and
        pois_at_two_thirds.
    panel : str
        ``"DE/rand/1/exp sat"`` with `N` given, or ``"DE/rand/1/exp sat, N=5"``.
    N : int, optional
        The population size, if `panel` does not say it.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a footer about the runs.
    study : debox.Study or mapping, optional
        What was planned, so that missing runs show and others are left out; a store knows its own.
    **where : int, str or bool, optional
        Of several dimensions, budgets, donors, … the one to show, such as ``dimension=30``, in short ``n=30``.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If there are no such runs, if `table` is none of these or lacks a column, if `panel` is no text or `ax` no Axes,
        or if there are several dimensions, … between which `where` does not choose.
    StoreError
        If `table` is a path without a store, or a store that cannot be read.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> operators = {"mutation": ["rand/1"] * 2, "crossover": ["exp"] * 2, "strategy": ["saturation"] * 2}
    >>> runs = {**operators, "N": [5, 5], "F": [0.7, 0.7], "Cr": [0.5, 0.5], "pois": [0.2, 0.3]}
    >>> thirds = {"budget": [300, 300], "pois_at_third": [0.1, 0.1], "pois_at_two_thirds": [0.2, 0.2]}
    >>> debox.plot.life({**runs, **thirds}, "DE/rand/1/exp sat", N=5).get_title()
    'DE/rand/1/exp sat, N=5'
    """
    runs = _runs(table, study, where)
    return _draw_entry(life_data.entry(_panel(runs, panel, N)), runs, ax)


def drift(table: Source, ax: Axes | None = None, *, study: StudyArgument = None, **where: Any) -> Axes:
    """POIS within the last third of a run minus POIS within the first: all configurations on one page.

    Parameters
    ----------
    table : store, path, DataFrame or mapping
        The runs, with their budget and with POIS so far at 1/3 and 2/3 of it: the columns budget, pois_at_third and
        pois_at_two_thirds.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a footer about the runs.
    study : debox.Study or mapping, optional
        What was planned, so that missing runs show and others are left out; a store knows its own.
    **where : int, str or bool, optional
        Of several dimensions, budgets, donors, … the one to show, such as ``dimension=30``, in short ``n=30``.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If there are no runs, if `table` is none of these or lacks a column, if `ax` is no Axes, or if there are runs of
        several dimensions between which `where` does not choose.
    StoreError
        If `table` is a path without a store, or a store that cannot be read.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> operators = {"mutation": ["rand/1"] * 2, "crossover": ["exp"] * 2, "strategy": ["saturation"] * 2}
    >>> runs = {**operators, "N": [5, 5], "F": [0.7, 0.7], "Cr": [0.5, 0.5], "pois": [0.2, 0.3]}
    >>> thirds = {"budget": [300, 300], "pois_at_third": [0.1, 0.1], "pois_at_two_thirds": [0.2, 0.2]}
    >>> [text.get_text() for text in debox.plot.drift({**runs, **thirds}).texts]
    ['N=5', 'DE/rand/1', 'sat', 'exp', 'Cr 0.5 → 0.5', 'F 0.7 → 0.7']
    """
    runs = _runs(table, study, where)
    return _draw_entry(drift_data.entry(runs), runs, ax)


def measurement(m: Measurement, ax: Axes | None = None) -> Axes:
    """EDPOIS of one configuration: runs per tenth of POIS, in the colour that the paper gives it.

    Parameters
    ----------
    m : Measurement
        What `debox.measure` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a footer about the runs.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If `m` is not a Measurement, or if `ax` is no Axes.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> m = debox.measure("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", n=2, budget=100, runs=3)
    >>> debox.plot.measurement(m).get_title().splitlines()[0]
    'DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9'
    """
    _require("m", m, all(hasattr(m, name) for name in ("config", "pois", "histogram")), "a Measurement")
    record = pois_histogram_data.pois_histogram(m)
    return _draw(record, ax, pois_histogram_data.SIZE, record.footer)


def compare(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Final values of strategies on one function: a dot per run, medians with their intervals, the best at the top.

    The axis is logarithmic where all values are positive and span more than a factor of 10. Runs with the same seed
    have the same height within their rows. Infinite values are not shown. At the right: the median POIS.

    Parameters
    ----------
    comparison : Comparison
        What `debox.compare` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a key.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If `comparison` is not a Comparison, or if `ax` is no Axes.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> found = debox.compare(lambda x: x[0], [(0, 1)], ["mirror", "saturation"], budget=50, runs=2)
    >>> [tick.get_text() for tick in debox.plot.compare(found).get_yticklabels()]
    ['saturation', 'mirror']
    """
    has_all = all(hasattr(comparison, name) for name in ("strategies", "values", "intervals"))
    _require("comparison", comparison, has_all, "a Comparison, as debox.compare returns it")
    record = final_values_data.final_values(comparison)
    return _draw(record, ax, record.size)


def convergence(result: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """The course of a run: best value, spread of the population and POIS so far against evaluations.

    Parameters
    ----------
    result : Result
        What `debox.minimize` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw the best value alone; by default all three are drawn into a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into; of several, the first.

    Raises
    ------
    ValueError
        If `result` has no history, or if `ax` is no Axes.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> from debox.optimize.optimizer import Result
    >>> history = Result(evaluations=[8, 99], fun=[0.3, 0.1], spread=[0.3, 0.01], pois=[0, 0.2])
    >>> debox.plot.convergence(Result(fun=0.1, nfev=99, pois=0.2, history=history)).get_ylabel()
    'best value'
    """
    _require("result", result, isinstance(result, Mapping) and "history" in result, "a result of debox.minimize")
    return _draw(convergence_data.convergence(result), ax, convergence_data.SIZE)


def walls(result: Mapping[str, Any], ax: Axes | None = None) -> Axes:
    """What happened at the bounds: per variable its range, x within it, and violations of either bound, early and late.

    Percentages: the share of the final population within 1 % of the range from that bound.

    Parameters
    ----------
    result : Result
        What `debox.minimize` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default into a new figure, with a key.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes drawn into.

    Raises
    ------
    ValueError
        If `result` has no walls, or if `ax` is no Axes.
    ModuleNotFoundError
        If Matplotlib is not installed.

    Examples
    --------
    >>> import debox
    >>> from debox.optimize.optimizer import Result
    >>> lower = {"lower_early": [9], "lower_late": [30], "distance_lower": [0.0], "near_lower": [0.9]}
    >>> upper = {"upper_early": [2], "upper_late": [0], "distance_upper": [1.0], "near_upper": [0.0]}
    >>> result = Result(walls=Result(names=["x[0]"], verdict=["on the bound"], **lower, **upper))
    >>> [tick.get_text() for tick in debox.plot.walls(result).get_yticklabels()]
    ['x[0]']
    """
    _require("result", result, isinstance(result, Mapping) and "walls" in result, "a result of debox.minimize")
    record = walls_data.walls(result)
    return _draw(record, ax, record.size)


def _require(argument: str, value: Any, is_right: bool, wanted: str) -> None:
    """Raise a ValueError about an argument of another kind."""
    if not is_right:
        raise ValueError(f"{argument} must be {wanted}, got {value!r}")


def _runs(table: Source, study: StudyArgument, where: Mapping[str, Any]) -> Runs:
    """The runs to draw; a ValueError if there are none."""
    return Runs.from_source(table, study, where, argument="table").require_runs()


def _panel(runs: Runs, text: str, N: int | None) -> Panel:
    """The panel of this name, if it has runs; its adaptation need not be named where they have one."""
    if not isinstance(text, str):
        raise ValueError(f"panel must be a text such as 'DE/rand/1/exp sat, N=5', got {text!r}")
    present = runs.panels_with_runs
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
        runs.require_one_adaptation()
    return alike[0]


def _draw_entry(entry: Entry, runs: Runs, ax: Axes | None) -> Axes:
    """Draw the record of an entry, by itself in the entry's size."""
    return _draw(entry.record(runs), ax, entry.size, entry.footer(runs))


def _draw(record: Any, ax: Axes | None, size: tuple[float, float], footer: str = "") -> Axes:
    """Draw into the given Axes; or alone, as the command line does: with its key, and with a footer about the runs."""
    from debox.figures.draw import by_type
    from debox.figures.draw.style import Axes, empty_figure, in_style_for_pyplot

    if not isinstance(ax, Axes | None):
        raise ValueError(f"ax must be Axes of Matplotlib, as figure.add_subplot() makes them, got {ax!r}")
    if ax is not None:
        return by_type.draw_in(ax, record)
    with in_style_for_pyplot("paper"):
        figure = empty_figure(size, footer=footer, in_pyplot=True)
        by_type.draw_page(figure, record)
    figure.set_dpi(DPI)
    return figure.axes[0]
