"""The pictures of the page on the collapse, from data/collapse.parquet and data/paper.parquet."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from debox.figures.style import ORANGE, TEAL, VIOLET, empty_figure, in_style
from reproduction import pictures
from reproduction.collapse.design import LARGE, MUTATIONS, SMALL, STRATEGIES, SWEPT, Step, steps
from reproduction.collapse.rows import chosen, of, restored

CROSSOVERS, SIZES = ("bin", "exp"), (5, 20, 100)
BLACK, GREY, GOLD = "#222222", "#8a8a8a", "#d9a514"
BY_STRATEGY = dict(zip(STRATEGIES, (ORANGE, VIOLET, TEAL, GOLD, GREY), strict=True))
BY_CR = {SMALL: TEAL, LARGE: ORANGE}
INTERVENTIONS = {
    "independent": (TEAL, "o"),
    "off bounds": (ORANGE, "s"),
    "jitter": (GOLD, "^"),
    "redraw": (VIOLET, "D"),
}


def title(cell: tuple[Any, ...]) -> str:
    """``DE/rand/1/bin mirror, N = 5, F = 0.7``"""
    mutation, crossover, strategy, N, F = cell
    return f"DE/{mutation}/{crossover} {strategy}, N = {N}, F = {F:g}"


def where() -> Figure:
    """The change of mean POIS from Cr = 0.755 to 0.99 in every row of the study; a dot: it falls beyond chance."""
    figure = empty_figure((7.2, 3.9))
    axes = figure.subplots(len(SIZES), len(STRATEGIES), sharex=True, sharey=True)
    change = {step[:5]: step.after - step.before for step in steps()}
    fallen = {step[:5] for step in steps() if step.falls}
    factors, lines = sorted({cell[4] for cell in change}), list(product(CROSSOVERS[::-1], MUTATIONS[::-1]))
    for (N, strategy), ax in zip(product(SIZES, STRATEGIES), axes.flat, strict=True):
        cells = [[(mutation, crossover, strategy, N, F) for F in factors] for crossover, mutation in lines]
        image = ax.imshow([[change[cell] for cell in line] for line in cells], cmap="PuOr_r", vmin=-0.5, vmax=0.5)
        ax.set_aspect("auto")
        y, x = np.nonzero([[cell in fallen for cell in line] for line in cells])
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


def sweep() -> Figure:
    """POIS against Cr for every strategy, on a logarithmic scale of 1 − Cr, with two standard errors; Cr = 1 apart."""
    figure = empty_figure((7.2, 2.6))
    for ax, cell in zip(figure.subplots(1, 2, sharey=True), SWEPT[::-1], strict=True):
        for strategy, colour in BY_STRATEGY.items():
            rows = sorted(of("Cr", strategy=strategy, F=cell[4]), key=lambda row: -row["evolve"])
            x = np.array([max(1 - row["evolve"], 2e-4) for row in rows])
            y, error = (np.array([row[name] for row in rows]) for name in ("share", "error"))
            ax.fill_between(x[1:], y[1:] - 2 * error[1:], y[1:] + 2 * error[1:], color=colour, alpha=0.2, linewidth=0)
            ax.plot(x[1:], y[1:], "-o", color=colour, label=strategy, markersize=2)
            ax.errorbar(x[0], y[0], 2 * error[0], fmt="s", color=colour, markersize=3, linewidth=1)
        ax.set_xscale("log")
        ax.set_xlim(1.2 * (1 - SMALL), 1.4e-4)
        ax.set_xticks([1 - SMALL, 0.1, 0.01, 0.001, 2e-4], [f"{SMALL:g}", "0.9", "0.99", "0.999", "1"])
        ax.minorticks_off()
        ax.axvline(1 - LARGE, color="0.8", linewidth=0.7, zorder=0)
        ax.set_xlabel("Cr")
        ax.set_ylim(-0.02, 1.03)
        ax.set_title(f"DE/{cell[0]}/{cell[1]}, N = {cell[3]}, F = {cell[4]:g}")
    figure.axes[0].set_ylabel("mean POIS")
    figure.axes[0].legend(frameon=False, loc="lower left")
    return figure


TRACED = {  # the column, what it is, the top of its axis
    "share": ("infeasible\ntrials", 1.03),
    "median_sd": ("standard\ndeviation", 0.36),
    "zero_variance": ("lost\ndimensions", 1.03),
    "on_bound": ("coordinates\non bounds", 1.03),
    "distinct": ("distinct\nindividuals", 5.2),
}


def traces() -> Figure:
    """What the population looks like along a run, for two cells and two Cr."""
    figure = empty_figure((7.2, 5.6))
    axes = figure.subplots(len(TRACED), len(SWEPT), sharex=True, sharey="row")
    for column, cell in enumerate(SWEPT[::-1]):
        for ax, (name, (label, top)) in zip(axes[:, column], TRACED.items(), strict=True):
            for Cr, colour in BY_CR.items():
                rows = of("trace", strategy=cell[2], evolve=Cr)[name == "share" :]
                x, y = ([row[what] for row in rows] for what in ("evaluations", name))
                ax.plot(x, y, color=colour, label=f"Cr = {Cr:g}")
            ax.set_xscale("log")
            ax.set_ylim(0, top)
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
        names = [name for name in INTERVENTIONS if saturation or name != "jitter"]
        restored_by_F(ax, chosen(saturation, crossover=crossover), names)
        ax.set_title(f"{'saturation' if saturation else 'mirror, toroidal, COTN'}; {crossover}")
    for ax in axes[:, 0]:
        ax.set_ylabel("share of the fall undone")
    for ax in axes[1]:
        ax.set_xlabel("F; number of falling cells")
    axes[1, 0].legend(frameon=False, loc="lower right", ncols=2)
    return figure


def restored_by_F(ax: Axes, cells: list[Step], names: list[str]) -> None:
    """Restored shares at every F that has two cells or more, with two standard errors."""
    counts = Counter(fall.F for fall in cells)
    factors = [F for F in sorted(counts) if counts[F] > 1]
    for k, name in enumerate(names):
        colour, mark = INTERVENTIONS[name]
        found = [restored(name, [fall for fall in cells if fall.F == F]) for F in factors]
        x = np.arange(len(factors)) + 0.09 * (k - (len(names) - 1) / 2)
        y, error = np.array([ratio[:2] for ratio in found]).T
        ax.errorbar(x, y, 2 * error, fmt=f"-{mark}", color=colour, markersize=3, linewidth=0.8, label=name)
    for level in (0, 1):
        ax.axhline(level, color=BLACK, linewidth=0.5, zorder=0)
    ax.set_xticks(range(len(factors)), [f"{F:g}\n{counts[F]}" for F in factors])
    ax.set_ylim(-0.65, 1.65)


FIGURES: tuple[Callable[[], Figure], ...] = (where, sweep, traces, interventions)


def draw() -> None:
    """All pictures, into docs/figures."""
    for make in FIGURES:
        with in_style("paper"):
            print(pictures.save(make(), f"collapse-{make.__name__}"))
