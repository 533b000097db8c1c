"""The pictures of docs/collapse.md, from data/collapse.parquet and data/paper.parquet; page.py calls it."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from benchmarks.collapse import judge, sweeps, table
from benchmarks.collapse.experiments import LARGE, SMALL, STRATEGIES, WIDE
from benchmarks.collapse.predictions import SWEPT
from debox.analysis.collapse import Fall
from debox.figures.draw.save import save
from debox.figures.draw.style import ORANGE, TEAL, VIOLET, empty_figure, in_style

MUTATIONS, CROSSOVERS, SIZES = ("rand/2", "rand/1", "current-to-best/1", "best/1"), ("bin", "exp"), (5, 20, 100)
BLACK, GREY, GOLD = "#222222", "#8a8a8a", "#d9a514"
BY_STRATEGY = dict(zip(STRATEGIES, (ORANGE, VIOLET, TEAL, GOLD, GREY), strict=True))
BY_CR = {SMALL: TEAL, LARGE: ORANGE}
INTERVENTIONS = {
    "independent": (TEAL, "o"),
    "off bounds": (ORANGE, "s"),
    "jitter": (GOLD, "^"),
    "redraw": (VIOLET, "D"),
}
ALT = {
    "where": "Change of mean POIS from Cr = 0.755 to 0.99 for every strategy, N, mutation, crossover and F",
    "sweep": "Mean POIS against Cr from 0.755 to 1 for five strategies",
    "traces": "Infeasible trials, standard deviation, lost dimensions, coordinates on bounds and distinct individuals",
    "interventions": "The share of the fall that each intervention undoes, by F, for saturation and others, bin, exp",
    "dimensions": "Mean POIS against Cr in 10, 30 and 100 dimensions, and against the components that a target keeps",
    "sizes": "The fall against N and against the budget",
}
DPI, COLOURS = 150, 256  # as the other pictures of docs/
Rows = list[dict[str, Any]]


def title(cell: tuple[Any, ...]) -> str:
    """``DE/rand/1/bin mirror, N = 5, F = 0.7``"""
    mutation, crossover, strategy, N, F = cell
    return f"DE/{mutation}/{crossover} {strategy}, N = {N}, F = {F:g}"


def where() -> Figure:
    """The change of mean POIS from Cr = 0.755 to 0.99 in every row of the study; a dot: it falls."""
    figure = empty_figure((7.2, 3.9))
    axes = figure.subplots(len(SIZES), len(STRATEGIES), sharex=True, sharey=True)
    change = {step[:5]: step.after - step.before for step in table.steps()}
    fallen = {fall[:5] for fall in table.falling()}
    factors, lines = sorted({key[4] for key in change}), list(product(CROSSOVERS[::-1], MUTATIONS))
    for (N, strategy), ax in zip(product(SIZES, STRATEGIES), axes.flat, strict=True):
        cells = [[(mutation, crossover, strategy, N, F) for F in factors] for crossover, mutation in lines]
        image = ax.imshow([[change[key] for key in line] for line in cells], cmap="PuOr_r", vmin=-0.5, vmax=0.5)
        ax.set_aspect("auto")
        y, x = np.nonzero([[key in fallen for key in line] for line in cells])
        ax.plot(x, y, ".", color="black", markersize=2.5)
        ax.axhline(len(MUTATIONS) - 0.5, color="black", linewidth=0.5)
        ax.invert_yaxis()
        ax.set_yticks(range(len(lines)), [f"{mutation}/{crossover}" for crossover, mutation in lines], size=5)
        ax.set_xticks(range(0, len(factors), 3), [f"{F:g}" for F in factors[::3]])
    for row, N in zip(axes, SIZES, strict=True):
        row[0].set_ylabel(f"N = {N}")
    for column, strategy in zip(axes.T, STRATEGIES, strict=True):
        column[0].set_title(strategy)
        column[-1].set_xlabel("F")
    bar = figure.colorbar(image, ax=axes, shrink=0.6, pad=0.02, extend="both")
    bar.set_label("change of mean POIS")
    return figure


def against_distance(ax: Axes, rows: Rows, label: str, colour: str, times: float = 1) -> None:
    """POIS against 1 − Cr, Cr = 1 set apart at the left, with two standard errors."""
    rows = sorted(rows, key=lambda row: -row["evolve"])
    x = times * np.array([max(1 - row["evolve"], 2e-4) for row in rows])
    y, error = (np.array([row[name] for row in rows]) for name in ("share", "error"))
    ax.fill_between(x[1:], y[1:] - 2 * error[1:], y[1:] + 2 * error[1:], color=colour, alpha=0.2, linewidth=0)
    ax.plot(x[1:], y[1:], "-o", color=colour, label=label, markersize=2)
    if times == 1:
        ax.errorbar(x[0], y[0], 2 * error[0], fmt="s", color=colour, markersize=3, linewidth=1)


def scale_of_distance(ax: Axes, smallest: float = SMALL) -> None:
    """1 − Cr on a logarithmic scale, Cr growing to the right."""
    ax.set_xscale("log")
    ax.set_xlim(1.2 * (1 - smallest), 1.4e-4)
    first = [smallest] if smallest > 0.5 else [smallest, 0.5]
    ax.set_xticks([*(1 - Cr for Cr in first), 0.1, 0.01, 0.001, 2e-4], [*map(str, first), "0.9", "0.99", "0.999", "1"])
    ax.minorticks_off()
    ax.axvline(0.01, color="0.8", linewidth=0.7, zorder=0)
    ax.set_xlabel("Cr")
    ax.set_ylim(-0.02, 1.03)


def sweep() -> Figure:
    """POIS against Cr for every strategy."""
    figure = empty_figure((7.2, 2.6))
    for ax, (mutation, crossover, _, N, F) in zip(figure.subplots(1, 2, sharey=True), SWEPT[::-1], strict=True):
        for strategy, colour in BY_STRATEGY.items():
            against_distance(ax, table.of("Cr", strategy=strategy, F=F), strategy, colour)
        scale_of_distance(ax)
        ax.set_title(f"DE/{mutation}/{crossover}, N = {N}, F = {F:g}")
    figure.axes[0].set_ylabel("mean POIS")
    figure.axes[0].legend(frameon=False, loc="lower left")
    return figure


TRACED = {
    "share": "infeasible\ntrials",
    "median_sd": "standard\ndeviation",
    "zero_variance": "lost\ndimensions",
    "on_bound": "coordinates\non bounds",
    "distinct": "distinct\nindividuals",
}
TOPS = {"median_sd": 0.36, "distinct": 5.2}


def traces() -> Figure:
    """What the population looks like along a run, for two cells and two Cr."""
    figure = empty_figure((7.2, 5.6))
    axes = figure.subplots(len(TRACED), len(SWEPT), sharex=True, sharey="row")
    for column, cell in enumerate(SWEPT[::-1]):
        for ax, (name, label) in zip(axes[:, column], TRACED.items(), strict=True):
            for Cr, colour in BY_CR.items():
                rows = table.of("trace", strategy=cell[2], evolve=Cr)[name == "share" :]
                x, y = ([row[what] for row in rows] for what in ("evaluations", name))
                ax.plot(x, y, color=colour, label=f"Cr = {Cr:g}")
            ax.set_xscale("log")
            ax.set_ylim(0, TOPS.get(name, 1.03))
            if column == 0:
                ax.set_ylabel(label)
        axes[0, column].set_title(title(cell))
        axes[-1, column].set_xlabel("evaluations")
    axes[0, 0].legend(frameon=False)
    figure.align_ylabels(axes[:, 0])
    return figure


def interventions() -> Figure:
    """What each intervention restores of the fall, by F: with saturation and without it, with bin and with exp."""
    figure = empty_figure((7.2, 4.8))
    axes = figure.subplots(2, 2, sharey=True)
    for ax, (saturation, crossover) in zip(axes.flat, product((False, True), CROSSOVERS), strict=True):
        cells = [fall for fall in judge.chosen(saturation, dismiss=False) if fall.crossover == crossover]
        restored_by_F(ax, cells, [name for name in INTERVENTIONS if saturation or name != "jitter"])
        ax.set_title(f"{'saturation' if saturation else 'mirror, toroidal, COTN'}; {crossover}")
    for ax in axes[:, 0]:
        ax.set_ylabel("share of the fall undone")
    for ax in axes[1]:
        ax.set_xlabel("F; number of falling cells")
    axes[1, 0].legend(frameon=False, loc="lower right", ncols=2)
    return figure


def restored_by_F(ax: Axes, cells: list[Fall], names: list[str]) -> None:
    """Restored shares at every F that has two cells or more, with two standard errors."""
    counts = Counter(fall.F for fall in cells)
    factors = [F for F in sorted(counts) if counts[F] > 1]
    for k, name in enumerate(names):
        colour, mark = INTERVENTIONS[name]
        found = [table.restored(name, [fall for fall in cells if fall.F == F]) for F in factors]
        x = np.arange(len(factors)) + 0.09 * (k - (len(names) - 1) / 2)
        y, error = np.array([ratio[:2] for ratio in found]).T
        ax.errorbar(x, y, 2 * error, fmt=f"-{mark}", color=colour, markersize=3, linewidth=0.8, label=name)
    for level in (0, 1):
        ax.axhline(level, color=BLACK, linewidth=0.5, zorder=0)
    ax.set_xticks(range(len(factors)), [f"{F:g}\n{counts[F]}" for F in factors])
    ax.set_ylim(-0.65, 1.65)


def dimensions() -> Figure:
    """POIS against Cr for three n, and against the expected number of components that the target keeps."""
    figure = empty_figure((7.2, 4.2))
    axes = figure.subplots(2, 2, sharey=True)
    for row, cell in zip(axes, SWEPT[::-1], strict=True):
        for n, colour in {10: TEAL, 30: ORANGE, 100: VIOLET}.items():
            rows = table.of("wide", strategy=cell[2], n=n) + table.of("n", strategy=cell[2], n=n)
            against_distance(row[0], rows, f"n = {n}", colour)
            against_distance(row[1], rows, f"n = {n}", colour, times=n - 1)
        scale_of_distance(row[0], WIDE[0])
        row[1].set_xscale("log")
        row[1].set_xlim(100, 0.02)
        row[1].set_xlabel("(n − 1)(1 − Cr): components that the target keeps, on average")
        row[0].set_ylabel("mean POIS")
        row[0].set_title(title(cell), loc="left")
        row[0].legend(frameon=False, loc="lower left")
    return figure


def sizes() -> Figure:
    """The fall A − B against N and against the budget."""
    figure = empty_figure((7.2, 2.5))
    for ax, what in zip(figure.subplots(1, 2, sharey=True), ("N", "budget"), strict=True):
        for cell, colour in zip(SWEPT, (ORANGE, VIOLET), strict=True):
            found = sweeps.swept_falls(what, cell[2])
            fall, error = np.array(list(found.values())).T
            label = title(cell).replace(f", N = {cell[3]}", "")
            ax.errorbar(list(found), fall, 2 * error, fmt="-o", color=colour, markersize=3, capsize=1.5, label=label)
        ax.set_xscale("log")
        ax.set_xlabel(what)
        ax.axhline(0, color=BLACK, linewidth=0.5)
        ax.set_title("budget 300 000" if what == "N" else "N = 5")
    figure.axes[0].legend(frameon=False)
    figure.axes[0].set_xticks([5, 10, 20, 50], ["5", "10", "20", "50"])
    figure.axes[0].minorticks_off()
    figure.axes[0].set_ylabel("fall A − B")
    return figure


FIGURES: dict[str, Callable[[], Figure]] = {
    "where": where,
    "sweep": sweep,
    "traces": traces,
    "interventions": interventions,
    "dimensions": dimensions,
    "sizes": sizes,
}


def draw(folder: Path) -> None:
    """All pictures, with few colours."""
    for name, make in FIGURES.items():
        with in_style("paper"):
            rcParams["savefig.dpi"] = DPI
            path = save(make(), folder / f"collapse-{name}.png", f"collapse-{name}", ALT[name])
        with Image.open(path) as image:
            few = image.convert("RGB").quantize(COLOURS)
        few.save(path, optimize=True)
