"""Write docs/prediction.md and its picture from stored runs: python docs/write_prediction.py"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from draw_figures import COLOURS, DPI

import debox
from debox.analysis.old_runs import Panel, Runs
from debox.analysis.predict.answer import panel_runs, prediction_at
from debox.analysis.predict.band import Calibration, Guess
from debox.analysis.predict.grid import Floats, Grid
from debox.analysis.predict.judge import crps, wasserstein
from debox.analysis.predict.methods import CHOSEN, METHODS
from debox.analysis.predict.result import Band, Prediction
from debox.store.parquet import connect, sql_text
from debox.store.store import Store
from debox.study.fields import AXES

DOCS = Path(__file__).parent


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def percent(share: float) -> str:
    """0.123 → 12.3 %"""
    return f"{100 * share:.1f} %"


DATA, OFFGRID = DOCS.parent / "data" / "paper.parquet", DOCS.parent / "data" / "offgrid.parquet"
PAGE, PICTURE = DOCS / "prediction.md", DOCS / "figures" / "prediction.png"
MARKS = {name: rf"<!-- {name}:.*?-->\n(.*?)<!-- end of {name} -->" for name in ("left out", "times")}
FIRST = 200  # configurations of the first draw; the second has the others
LEVELS, ROUNDS, WORST = (0.5, 0.8, 0.9, 0.95), 10_000, 8
EDGE, WIDE = 0.755, 0.05  # a Cr, a width of a band
PAIRS = 4000  # of samples, to judge the reach of stored cells


@dataclass(frozen=True, eq=False)
class Fresh:
    """Configurations between the levels, and two samples of each, POIS sorted: as many runs as the study has."""

    panels: list[Panel]
    F: Floats
    Cr: Floats
    sample: Floats
    again: Floats
    seconds: Floats  # CPU time of a run


@cache
def store() -> Store:
    """The paper's study."""
    return debox.open_store(DATA)


@cache
def fresh(draw: int) -> Fresh:
    """What `python -m benchmarks predict` simulated in its first or second draw."""
    rows = connect().execute(f"SELECT * FROM {sql_text(OFFGRID)}").fetchnumpy()
    runs, part = int(rows["run"].max()) + 1, slice(FIRST) if draw == 1 else slice(FIRST, None)
    first = {name: column.reshape(-1, runs)[part, 0].tolist() for name, column in rows.items()}
    panels = [Panel(*key) for key in zip(*(first[name] for name in AXES[:-2]), strict=True)]
    (budget,) = {store().study.budget_for(n) for n in store().study.dimension}
    pois = rows["infeasible"].reshape(-1, runs)[part] / budget
    halves = (np.sort(half, axis=-1) for half in np.split(pois, 2, axis=1))
    return Fresh(panels, np.array(first["F"]), np.array(first["Cr"]), *halves, np.array(first["seconds"]))


@cache
def grids() -> dict[Panel, Grid]:
    """The grid of every panel."""
    runs = Runs.of(store().table([*AXES, "dimension", "budget", "pois"]))
    return {panel: Grid.of(*panel_runs(runs, panel.name, panel.N)) for panel in runs.panels()}


@cache
def predicted(method: str) -> Floats:
    """The runs that a method expects, POIS sorted, a row per configuration."""
    one, found = fresh(1), []
    for panel, F, Cr in zip(one.panels, one.F, one.Cr, strict=True):
        grid = grids()[panel]
        found.append(METHODS[method](grid, np.array([F]), np.array([Cr]))[0, 0] / grid.budget)
    return np.array(found)


@cache
def predictions(draw: int) -> list[Prediction]:
    """What debox.predict says."""
    one = fresh(draw)
    learnt = {panel: (grids()[panel], Calibration(grids()[panel])) for panel in dict.fromkeys(one.panels)}
    places = zip(one.panels, one.F.tolist(), one.Cr.tolist(), strict=True)
    return [prediction_at(*learnt[panel], F, Cr) for panel, F, Cr in places]


@cache
def bands(level: float, draw: int) -> list[Band]:
    """The band of every prediction."""
    return [one.band(level) for one in predictions(draw)]


def widths(level: float, draw: int) -> Floats:
    """How wide each band is, on average over its runs."""
    return np.array([(band.high - band.low).mean() for band in bands(level, draw)])


def errors(method: str) -> Floats:
    """W1 of a method to the fresh sample; of the noise floor: of another sample of the same law."""
    return wasserstein(fresh(1).again if method == "noise floor" else predicted(method), fresh(1).sample)


def bootstrap(statistic: str, a: Floats, b: Floats) -> tuple[float, float]:
    """A 95 % interval, configurations drawn again: of the mean of a − b, or of the median of a ÷ that of b."""
    rows = np.random.default_rng(0).integers(len(a), size=(ROUNDS, len(a)))
    if statistic == "difference":
        found = (a - b)[rows].mean(axis=1)
    else:
        found = np.median(a[rows], axis=1) / np.median(b[rows], axis=1)
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def comparison() -> str:
    """All methods on the fresh configurations."""
    edge, nearest, rows = fresh(1).Cr > EDGE, np.median(errors("nearest")), []
    for name in (*METHODS, "noise floor"):
        w = errors(name)
        score = crps(fresh(1).again if name == "noise floor" else predicted(name), fresh(1).sample)
        numbers = [w.mean(), np.median(w), np.median(w) / nearest, score.mean(), w[~edge].mean(), w[edge].mean()]
        rows.append([f"**{name}**" if name == CHOSEN else name, *(f"{x:.4f}" for x in numbers)])
    head = ["method", "mean W1", "median W1", "÷ nearest's", "CRPS", f"mean W1, Cr ≤ {EDGE:g}", f"Cr > {EDGE:g}"]
    return table(head, rows)


def choice() -> str:
    """Why the method is chosen, and what speaks for the second."""
    others = [name for name in METHODS if name != CHOSEN]
    second = min(others, key=lambda name: errors(name).mean())
    low, high = bootstrap("difference", errors(second), errors(CHOSEN))
    w, of_second, edge = errors(CHOSEN), errors(second), fresh(1).Cr > EDGE
    return (
        f"*{CHOSEN}* is chosen for its mean W1, here and in the table below. Next is *{second}*, larger by "
        f"{np.mean(of_second - w):.4f} [{low:.4f}, {high:.4f}]; its median is {np.median(of_second):.4f} instead of "
        f"{np.median(w):.4f}, and beyond Cr = {EDGE:g} its mean is {of_second[edge].mean():.4f} instead of "
        f"{w[edge].mean():.4f}."
    )


@cache
def inside(level: float, draw: int) -> Floats:
    """Whether each run of each fresh sample lies in the band, 1 or 0."""
    pairs = zip(bands(level, draw), fresh(draw).sample, strict=True)
    return np.array([(band.low <= sample) & (sample <= band.high) for band, sample in pairs], float)


def means_inside(level: float, draw: int) -> Floats:
    """Whether the mean of each fresh sample lies in its interval."""
    ends = np.array([(band.low.mean(), band.high.mean()) for band in bands(level, draw)])
    means = fresh(draw).sample.mean(axis=1)
    return np.asarray((ends[:, 0] <= means) & (means <= ends[:, 1]), float)


def run_numbers(runs: int) -> dict[str, int]:
    """The runs whose coverage is shown, and their numbers from 0."""
    return {"smallest": 0, "5 %": round(0.05 * runs - 0.5), "median": runs // 2 - 1} | {
        "95 %": round(0.95 * runs - 0.5),
        "largest": runs - 1,
    }


def by_run(draw: int) -> str:
    """How often bands hold the smallest run, …, the largest, and all."""
    numbers, rows = run_numbers(fresh(1).sample.shape[1]), []
    for level in LEVELS:
        held = inside(level, draw)
        shares = held.mean(axis=0)
        found = [*shares[list(numbers.values())], shares.min(), shares.max(), held.mean(), held.all(axis=1).mean()]
        rows.append(
            [
                f"{level:g}",
                *(f"{x:.3f}" for x in (*found, means_inside(level, draw).mean(), widths(level, draw).mean())),
            ]
        )
    named = [name if k in (0, max(numbers.values())) else f"{name}: {k + 1}th" for name, k in numbers.items()]
    head = ["level", *named, "least held", "most held", "all runs", "whole samples", "means", "mean width"]
    return table(head, rows).replace("3th", "3rd")


def coverage() -> str:
    """How often bands hold runs of parts of the configurations."""
    rows = []
    sizes = sorted({panel.N for panel in fresh(1).panels})
    for draw in (1, 2):
        edge, N = fresh(draw).Cr > EDGE, np.array([panel.N for panel in fresh(draw).panels])
        for level in LEVELS:
            held = inside(level, draw)
            parts = [held[~edge], held[edge], *(held[size == N] for size in sizes)]
            rows.append([f"{draw}", f"{level:g}", *(f"{part.mean():.3f}" for part in parts)])
    return table(["draw", "level", f"Cr ≤ {EDGE:g}", f"Cr > {EDGE:g}", *(f"N = {size}" for size in sizes)], rows)


def by_size() -> str:
    """How often the 90 % reach of stored samples of few and many runs holds runs of fresh ones."""
    rows = []
    for runs, law in product((3, 5, 10, 50), ("normal", "exponential")):
        rng = np.random.default_rng(0)
        draw = rng.normal if law == "normal" else rng.exponential
        stored, again = (np.sort(4e5 + 3e4 * draw(size=(PAIRS, 1, runs)), axis=-1) for _ in range(2))
        one = np.ones((PAIRS, 1, 1))
        low, high = Guess(stored, 0 * one, one, 10**6).band(0.9, 0.0)
        shares = ((low <= again) & (again <= high)).mean(axis=(0, 1))
        rows.append([str(runs), law, *(f"{x:.2f}" for x in (shares[0], shares[runs // 2], shares[-1], shares.mean()))])
    return table(["runs", "law of runs", "smallest", "median", "largest", "all"], rows)


def failures() -> str:
    """The configurations whose prediction is farthest off."""
    w, floor, rows = errors(CHOSEN), errors("noise floor"), []
    for k in np.argsort(-w)[:WORST]:
        one = predictions(1)[k]
        means = [f"{x:.3f}" for x in (one.mean(), fresh(1).sample[k].mean())]
        rows.append([one.config, f"{w[k]:.3f}", f"{floor[k]:.3f}", *means, f"{inside(0.9, 1)[k].mean():.2f}"])
    return table(
        ["configuration", "W1", "noise floor", "predicted mean", "mean of 50 runs", "held by the 90 % band"], rows
    )


def by_part() -> str:
    """Mean W1 of parts of the configurations, and their noise floor."""
    one, w, floor = fresh(1), errors(CHOSEN), errors("noise floor")
    parts = {"F ≤ 0.7": one.F <= 0.7, "F > 0.7": one.F > 0.7}
    parts |= {f"Cr ≤ {EDGE:g}": one.Cr <= EDGE, f"Cr > {EDGE:g}": one.Cr > EDGE}
    for name in ("crossover", "N", "mutation", "strategy"):
        values = np.array([getattr(panel, name) for panel in one.panels])
        parts |= {f"{name} {value}": values == value for value in dict.fromkeys(sorted(values.tolist()))}
    rows = [
        [
            name,
            str(chosen.sum()),
            f"{w[chosen].mean():.4f}",
            f"{floor[chosen].mean():.4f}",
            f"{np.median(w[chosen]):.4f}",
        ]
        for name, chosen in parts.items()
    ]
    return table(["part", "configurations", "mean W1", "noise floor", "median W1"], rows)


def in_short() -> str:
    """What the tables say."""
    w, nearest, bilinear, floor = (errors(name) for name in (CHOSEN, "nearest", "bilinear", "noise floor"))
    ratio, ends = np.median(w) / np.median(nearest), bootstrap("ratio", w, nearest)
    low, high = bootstrap("difference", bilinear, w)
    above, extra = bootstrap("difference", w, floor)
    edge, runs, later = fresh(1).Cr > EDGE, fresh(1).sample.shape[1], inside(0.9, 2)
    off, wide = w > 2 * np.maximum(floor, 0.005), widths(0.9, 1) > WIDE
    points = [
        f"The median W1 between prediction and a fresh sample of {runs} runs is {np.median(w):.4f}: {percent(ratio)} "
        f"[{percent(ends[0])}, {percent(ends[1])}] of that of the nearest cell. Another sample of the same "
        f"law, the noise floor, is {np.median(floor):.4f} away.",
        f"The mean W1 is {w.mean():.4f}; that of bilinear interpolation of quantiles is larger by "
        f"{(bilinear - w).mean():.4f} [{low:.4f}, {high:.4f}]; it is above the noise floor by {(w - floor).mean():.4f} "
        f"[{above:.4f}, {extra:.4f}].",
        f"Beyond Cr = {EDGE:g}, where distributions collapse within one step of the grid, the mean W1 is "
        f"{w[edge].mean():.4f} ({floor[edge].mean():.4f} is noise), elsewhere {w[~edge].mean():.4f} "
        f"({floor[~edge].mean():.4f}).",
        f"The 90 % band holds {percent(later.mean())} of all runs of {len(later)} configurations that were drawn when "
        f"the band was as it is, the smallest run in {percent(later[:, 0].mean())} of them, the largest in "
        f"{percent(later[:, -1].mean())}, and a whole sample in {percent(later.all(axis=1).mean())}: it is a band for "
        "each run, not for all at once.",
        f"Off by more than twice the noise floor, or 0.01 if that is more: {off.sum()} of {len(w)} configurations; the "
        f"90 % band of {np.sum(off & wide)} of these is wider than {WIDE:g}, and that of "
        f"{percent(np.mean(wide[~off]))} of the others.",
    ]
    return "\n".join(f"- {point}" for point in points)


def simulating() -> str:
    """When it is better."""
    seconds = 50 * fresh(1).seconds
    wide = widths(0.9, 1) > WIDE
    return (
        f"`debox.measure` has no grid, no band and no bias. Its 50 runs took {np.median(seconds):.2g} s of one core in "
        f"the median of these configurations, {seconds.max():.2g} s at most. So simulate if debox can do the runs; "
        "predict where it cannot or where there are too many: thousands of configurations for a map or an optimiser, a "
        "store of runs that were done elsewhere or with operators that are not installed, budgets that take hours. And "
        f"simulate where the band is wide: it is wider than {WIDE:g} in {percent(wide.mean())} of these "
        "configurations."
    )


def draw() -> None:
    """Six configurations: quantile functions predicted, their bands, and the fresh samples."""
    from matplotlib import rcParams
    from PIL import Image

    from debox.figures.draw.save import save
    from debox.figures.draw.style import GREY, ORANGE, TEAL, VIOLET, empty_figure, in_style, legend_below

    w = errors(CHOSEN)
    lively = [k for k in np.argsort(w) if np.ptp(fresh(1).sample[k]) > 0.05]
    shown = [lively[round(share * (len(lively) - 1))] for share in (0.1, 0.3, 0.5, 0.7, 0.9, 1)]
    with in_style("paper"):
        rcParams["savefig.dpi"] = DPI
        figure = empty_figure((7.2, 4.4))
        axes = figure.subplots(2, 3, sharex=True, sharey=True)
        for ax, k in zip(axes.flat, shown, strict=True):
            one, band = predictions(1)[k], bands(0.9, 1)[k]
            ax.fill_between(band.p, band.low, band.high, color=TEAL, alpha=0.4, lw=0, label="90 % band")
            near = predicted("nearest")[k]
            ax.plot(band.p, near, color=GREY, lw=0.8, ls=":", label="nearest cell of the study")
            ax.plot(band.p, one.pois, color=VIOLET, label="prediction")
            ax.plot(band.p, fresh(1).sample[k], ".", ms=2.5, color=ORANGE, label="50 fresh runs")
            ax.set_title(f"{one.panel.title}\nF = {one.F:g}, Cr = {one.Cr:g}: $W_1$ = {w[k]:.3f}", size="small")
            ax.set(xlim=(0, 1), ylim=(0, 1))
        for ax in axes[-1]:
            ax.set_xlabel("share of runs")
        for ax in axes[:, 0]:
            ax.set_ylabel("POIS")
        legend_below(figure, ax.get_legend_handles_labels()[0], 4)
        path = save(figure, PICTURE, "prediction", ALT)
        with Image.open(path) as image:
            few = image.convert("RGB").quantize(COLOURS)
        few.save(path, optimize=True)


ALT = "Six configurations between the levels: quantile functions of POIS predicted, their bands, and 50 fresh runs each"


def page(left_out: str, times: str) -> str:
    """The page; `python -m benchmarks predict` finds what leaving out rows and columns says, and times."""
    one, later = fresh(1), len(fresh(2).F)
    return f"""# POIS between the levels of a study: a prediction

Written by `python docs/write_prediction.py` from `data/paper.parquet` and `data/offgrid.parquet`.

    debox predict data/paper.parquet "DE/rand/1/exp sat, N=5, F=0.6, Cr=0.9"

says what the study lets expect of a configuration whose F and Cr lie between its levels: a quantile function, and a
band. `debox.predict(store, "DE/rand/1/exp sat", N=5, F=0.6, Cr=0.9)` gives it to Python. Any store will do that has all
cells of the panel, with equal runs, and two levels of F and of Cr; nothing is predicted outside them.

Judged by {len(one.F)} fresh configurations between the levels of the paper's study (every panel at least once, F and Cr
uniform, drawn from a fixed seed before any method was tried on them), 50 runs each, and 50 more for the noise floor;
the band also by {later} more, drawn later:

{in_short()}

![{ALT}](figures/{PICTURE.name})

The six are those of samples wider than 0.05 whose W1 is larger than that of 10, 30, 50, 70, 90 and 100 % of them.

## Methods compared on fresh configurations

W1 is the Wasserstein distance between the predicted distribution and the fresh sample, in POIS; CRPS the continuous
ranked probability score. The noise floor is another sample of the same law in place of a prediction.

{comparison()}

{choice()}

- *nearest*, *bilinear*, *splines*: quantiles of POIS, over F and Cr as they are; splines are monotone (PCHIP).
- *splines of logits*: of logits, over log(F + 0.2) and −log(1 + 1/n − Cr).
- *splines from theory*: the same of the deviation from generation 1, whose logit is known exactly at any F and Cr, and
  is added again afterwards. `debox.predict` does this. Without a formula for an operator it does *splines of logits*.
- *Gaussian process from theory*: of the same deviation, Matérn 3/2, of the largest likelihood, cells' noise known.

All interpolate quantile functions level by level: halfway between a sample around 0.2 and one around 0.8 lies one
around 0.5.

## Methods compared by leaving out

Each row of F and each column of Cr inside the grid, predicted from the others, over all {len(grids())} panels: steps
are twice as long as in use, so errors are larger. Written by `python -m benchmarks predict`:

<!-- left out: written by `python -m benchmarks predict` -->
{left_out}<!-- end of left out -->

## What the band holds

The band gives an interval for the smallest, the second smallest, … run of a fresh sample as large as the study's.
Counted below: the share of configurations in which the band holds the smallest run, …, the largest; the least and the
most among all runs; the share of runs held, of whole samples, and of means that lie between the means of both sides.

What was chosen on what: the methods, the form of the band, and the law of its noise were chosen with the first draw
of {len(one.F)} configurations in view; an earlier band held the smallest and the largest run there too seldom, which
is why levels now vary on the scale of log-odds. The second draw, {later} configurations by another seed, was done
when that band was finished, and nothing was changed after it. So the second draw judges the band; the first shows
what it was made by. A share of 0.9 that is counted on {later} configurations has a standard deviation of
{np.sqrt(0.09 / later):.2f}.

Second draw, {later} configurations:

{by_run(2)}

First draw, {len(one.F)} configurations:

{by_run(1)}

Runs held in parts of both:

{coverage()}

It is calibrated on the study alone. Where rows and columns are left out, the band must hold `level` of the stored
runs. Its width there has two parts: the noise of two samples, and a multiple of the roughness of the grid, √(h_F² +
h_Cr²) with h = 4 t (1 − t) √Δ · mean |difference of both neighbours|, on the scale arcsin √share; the multiple is
what is calibrated, panel by panel. The noise is that of levels: the log-odds of the level of the k-th of R runs have
the variance ψ′(k) + ψ′(R + 1 − k), and beyond the smallest and the largest run quantiles go on as steeply, over
log-odds, as the next three steps. This is no theorem: cells left out are not drawn as new configurations are, steps
are twice as long (so bands are rather too wide), and what happens within one step only (an edge near Cr = 1) no grid
shows. Hence the counts above.

On a cell that is stored, noise is nearly all there is. How often it alone, at level 0.9, holds runs of a fresh sample,
for {PAIRS} pairs of samples with few and many runs (with three, or where tails are long, it is too narrow):

{by_size()}

## Where it fails

The {WORST} configurations with the largest W1:

{failures()}

{by_part()}

## How long it takes

Of a panel, its runs are read once, cells are left out once, and both are kept as long as the store is open; so a second
configuration of a panel takes far less than the first. A path instead of an open store is opened, checked and read
again at every call: open the store for more than one. CPU time, medians, by `python -m benchmarks predict`:

<!-- times: written by `python -m benchmarks predict` -->
{times}<!-- end of times -->

## When simulating is better

{simulating()}
"""


def kept(text: str, name: str) -> str:
    """What `python -m benchmarks predict` wrote between the marks of this name."""
    return found[1] if (found := re.search(MARKS[name], text, re.DOTALL)) else ""


if __name__ == "__main__":
    text = PAGE.read_text() if PAGE.exists() else ""
    PAGE.write_text(page(*(kept(text, name) for name in MARKS)))
    draw()
