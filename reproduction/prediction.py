"""How good `debox.predict` is: runs of 300 configurations between the levels of the paper's study, and scores by them.

They are drawn from fixed seeds, F and Cr uniform within the study's range. The first draw, 200 of them, has every panel
once and 80 panels twice; the method and the band were chosen with it in view. The second, one of each of 100 panels,
was done when the band was as it is: it judges what was not chosen by it.
"""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from benchmarks.measure import progress
from numpy.typing import NDArray

import debox
from debox.analysis.between import Guess
from debox.analysis.predict import Prediction
from debox.analysis.runs import Runs
from debox.store.store import Store
from reproduction.numbers import DATA, read, write

OFFGRID = DATA / "offgrid.parquet"
DRAWS, RUNS = {20260: 200, 20317: 100}, 100  # seeds and how many configurations; runs of each
PARTS = (slice(0, 200), slice(200, 300))  # of all configurations, by draw
PANEL = ("mutation", "crossover", "strategy", "N")
LEVELS, ROUNDS, WORST = (0.5, 0.8, 0.9, 0.95), 10_000, 8
EDGE, WIDE = 0.755, 0.05  # a Cr, a width of a band
SIMPLE = {"nearest cell": "nearest", "lines": "linear", "splines": "pchip"}  # and how SciPy calls them
PAIRS = 4000  # of samples, to judge the reach of stored cells
Floats = NDArray[np.float64]


# ---- Runs ------------------------------------------------------------------------------------------------------------


@cache
def store() -> Store:
    """The paper's study."""
    return debox.open_store(DATA / "paper.parquet")


def configurations(study: debox.Study, seed: int) -> list[debox.Config]:
    """The configurations of a draw."""
    rng, count = np.random.default_rng(seed), DRAWS[seed]
    panels = list(product(*(study.values(name) for name in PANEL)))
    rounds = -(-count // len(panels))
    chosen = np.concatenate([rng.permutation(len(panels)) for _ in range(rounds)])[:count]
    ranges = {name: (min(study.values(name)), max(study.values(name))) for name in ("F", "Cr")}
    drawn = {name: np.round(rng.uniform(*ends, count), 4).tolist() for name, ends in ranges.items()}
    return [
        debox.Config(**dict(zip(PANEL, panels[k], strict=True)), F=F, Cr=Cr)
        for k, F, Cr in zip(chosen, drawn["F"], drawn["Cr"], strict=True)
    ]


def simulate(seed: int) -> dict[str, NDArray[Any]]:
    """Measure all configurations of a draw, with the dimension and budget of the study; columns, a row per run."""
    study = store().study
    (n,) = study.dimension
    measured = []
    for k, config in enumerate(configurations(study, seed)):
        progress(f"{k + 1} of {DRAWS[seed]}: {config}")
        measured.append(debox.measure(config, n=n, budget=study.budget_for(n), runs=RUNS, rng=seed))
    columns = {name: np.repeat([getattr(m.config, name) for m in measured], RUNS) for name in (*PANEL, "F", "Cr")}
    columns["N"] = columns["N"].astype(np.uint8)
    columns["run"] = np.tile(np.arange(RUNS, dtype=np.uint8), len(measured))
    columns["infeasible"] = np.round(np.concatenate([m.pois * m.budget for m in measured])).astype(np.uint32)
    columns["seconds"] = np.repeat([m.seconds / RUNS for m in measured], RUNS)
    return columns


def run() -> None:
    """Simulate both draws and write data/offgrid.parquet; a minute of CPU time."""
    draws = [simulate(seed) for seed in DRAWS]
    write(OFFGRID, {name: np.concatenate([one[name] for one in draws]) for name in draws[0]})


@cache
def fresh() -> dict[str, NDArray[Any]]:
    """Both draws: factors and seconds of each configuration; `pois`: configurations × 2 samples × 50 runs, sorted."""
    rows = read(OFFGRID)
    budget = store().study.budget_for(store().study.dimension[0])
    found = {name: column.reshape(-1, RUNS)[:, 0] for name, column in rows.items()}
    return found | {"pois": np.sort(rows["infeasible"].reshape(-1, 2, RUNS // 2) / budget, axis=-1)}


@cache
def predictions() -> list[Prediction]:
    """What debox.predict says of each configuration."""
    return [debox.predict(store(), one) for seed in DRAWS for one in configurations(store().study, seed)]


@cache
def expected(method: str) -> Floats:
    """The POIS that a method expects of 50 runs, sorted, of each configuration."""
    from scipy.interpolate import RegularGridInterpolator

    if method not in SIMPLE:
        return np.array([one.pois for one in predictions()])
    runs, found = Runs.of(DATA / "paper.parquet"), []
    for one in predictions():
        panel = runs.take(**{name: getattr(one.panel, name) for name in PANEL})
        pois = np.sort(panel.arrange(panel["pois"], "F", "Cr"), axis=-1)
        levels = tuple(np.array(panel.axes[name]) for name in ("F", "Cr"))
        between = RegularGridInterpolator(levels, pois, SIMPLE[method])
        found.append(np.sort(between((one.F, one.Cr)).ravel()))
    return np.array(found)


# ---- Scores ----------------------------------------------------------------------------------------------------------


def wasserstein(method: str) -> Floats:
    """W₁ = mean |x₍ₖ₎ − y₍ₖ₎| of sorted runs, on average over both fresh samples."""
    return np.abs(expected(method)[:, None] - fresh()["pois"]).mean(axis=(1, 2))


def wasserstein_of_law() -> Floats:
    """How far the law itself is from such a sample: √½ of the distance of two samples, for both of them vary."""
    return np.abs(np.diff(fresh()["pois"], axis=1)).mean(axis=(1, 2)) / np.sqrt(2)


def crps(x: Floats, y: Floats) -> Floats:
    """mean |x − y| − ½ mean |x − x′|: the continuous ranked probability score of a prediction x for runs y"""
    return apart(x, y) - apart(x, x) / 2


def crps_of_law(y: Floats) -> Floats:
    """What the law of these runs itself scores: half of the mean distance of two different ones, without bias."""
    return apart(y, y) / 2 * y.shape[-1] / (y.shape[-1] - 1)


def apart(x: Floats, y: Floats) -> Floats:
    """The mean distance of a member of x and one of y."""
    return np.abs(x[..., :, None] - y[..., None, :]).mean(axis=(-2, -1))


def bootstrap(*values: Floats, of: Callable[..., Any] = lambda a: a.mean(axis=-1)) -> list[float]:
    """A statistic, by default the mean, and its 95 % interval: configurations are drawn again."""
    rows = np.random.default_rng(0).integers(len(values[0]), size=(ROUNDS, len(values[0])))
    low, high = np.quantile(of(*(one[rows] for one in values)), [0.025, 0.975])
    return [float(of(*values)), float(low), float(high)]


def ratio_of_medians(a: Floats, b: Floats) -> Any:
    """median a ÷ median b"""
    return np.median(a, axis=-1) / np.median(b, axis=-1)


def scores() -> dict[str, Any]:
    """Every method by every score, on the first draw, on which methods were compared."""
    part, y = PARTS[0], fresh()["pois"].reshape(-1, RUNS)[PARTS[0]]
    edge, law, least = fresh()["Cr"][part] > EDGE, wasserstein_of_law()[part], crps_of_law(y)
    rows = []
    for name in (*SIMPLE, "debox.predict"):
        w, score = wasserstein(name)[part], crps(expected(name)[part], y)
        row = {"name": name, "median": np.median(w), "W1": bootstrap(w), "W1_excess": bootstrap(w - law)}
        row |= {"crps": score.mean(), "crps_excess": bootstrap(score - least)}
        rows.append(row | {"by_Cr": [w[~edge].mean(), w[edge].mean()]})
    w = wasserstein("debox.predict")[part]
    return {
        "methods": rows,
        "law": {"W1": law.mean(), "crps": least.mean(), "by_Cr": [law[~edge].mean(), law[edge].mean()]},
        "ratio_to_nearest": bootstrap(w, wasserstein("nearest cell")[part], of=ratio_of_medians),
        "again": {  # on the draw that nobody had seen
            "median": np.median(wasserstein("debox.predict")[PARTS[1]]),
            "ratio": ratio_of_medians(*(wasserstein(name)[PARTS[1]] for name in ("debox.predict", "nearest cell"))),
        },
    }


# ---- Bands -----------------------------------------------------------------------------------------------------------


@cache
def held(level: float) -> tuple[Floats, Floats, Floats]:
    """Of each configuration: which runs of both samples the band holds, which means its interval holds, its width."""
    found, y = [one.band(level) for one in predictions()], fresh()["pois"]
    low, high = (np.array([getattr(band, side) for band in found])[:, None] for side in ("low", "high"))
    means = (low.mean(axis=-1) <= y.mean(axis=-1)) & (y.mean(axis=-1) <= high.mean(axis=-1))
    return (low <= y) & (y <= high), means, (high - low).mean(axis=(1, 2))


def bands(part: slice) -> list[dict[str, Any]]:
    """How often bands hold the smallest run, …, the largest, all, and the mean; in parts of the configurations."""
    edge, N, rows = fresh()["Cr"][part] > EDGE, fresh()["N"][part], []
    for level in LEVELS:
        runs, means, width = (one[part] for one in held(level))
        by_run = runs.mean(axis=(0, 1))
        shown = [*by_run[[0, 2, 24, 47, 49]], by_run.min(), by_run.max(), runs.mean(), runs.all(axis=-1).mean()]
        parts = [runs[~edge], runs[edge], *(runs[size == N] for size in np.unique(N))]
        row = {"level": level, "held": [*shown, means.mean()], "width": width.mean()}
        rows.append(row | {"parts": [one.mean() for one in parts]})
    return rows


def by_size() -> list[dict[str, Any]]:
    """How often the 90 % reach of stored samples of few and many runs holds runs of fresh ones."""
    rows = []
    for runs, law in product((3, 5, 10, 50), ("normal", "exponential")):
        rng = np.random.default_rng(0)
        stored, again = (np.sort(4e5 + 3e4 * getattr(rng, law)(size=(PAIRS, 1, runs)), axis=-1) for _ in range(2))
        one = np.ones((PAIRS, 1, 1))
        low, high = Guess(stored, 0 * one, one, 10**6).band(0.9, 0.0)
        shares = ((low <= again) & (again <= high)).mean(axis=(0, 1))
        rows.append({"runs": runs, "law": law, "held": [*shares[[0, runs // 2, -1]], shares.mean()]})
    return rows


# ---- Numbers ---------------------------------------------------------------------------------------------------------


def worst(part: slice) -> list[dict[str, Any]]:
    """The configurations whose prediction is farthest off."""
    w, law, inside = wasserstein("debox.predict")[part], wasserstein_of_law()[part], held(0.9)[0]
    rows = []
    for k in np.argsort(-w)[:WORST].tolist():
        one, sample = predictions()[part][k], fresh()["pois"][part][k]
        row = {"config": one.config, "W1": w[k], "law": law[k], "mean": one.mean(), "fresh": sample.mean()}
        rows.append(row | {"held": inside[part][k].mean()})
    return rows


def by_part(part: slice) -> list[dict[str, Any]]:
    """Mean W1 of parts of the configurations, of the prediction and of the law itself."""
    one = {name: column[part] for name, column in fresh().items()}
    w, law = wasserstein("debox.predict")[part], wasserstein_of_law()[part]
    parts = {"F ≤ 0.7": one["F"] <= 0.7, "F > 0.7": one["F"] > 0.7}
    parts |= {f"Cr ≤ {EDGE:g}": one["Cr"] <= EDGE, f"Cr > {EDGE:g}": one["Cr"] > EDGE}
    parts |= {f"{name} {value}": one[name] == value for name in PANEL for value in sorted(set(one[name].tolist()))}
    return [
        {"part": name, "count": chosen.sum(), "W1": w[chosen].mean(), "law": law[chosen].mean()}
        for name, chosen in parts.items()
    ]


def numbers() -> dict[str, Any]:
    """What the page tells."""
    w, law, wide = wasserstein("debox.predict")[PARTS[0]], wasserstein_of_law()[PARTS[0]], held(0.9)[2][PARTS[0]] > WIDE
    off, seconds = w > 2 * np.maximum(law, 0.005), RUNS // 2 * fresh()["seconds"][PARTS[0]]
    return {
        "configurations": [part.stop - part.start for part in PARTS],
        "runs": RUNS // 2,
        "edge": EDGE,
        "wide": WIDE,
        **scores(),
        "first": bands(PARTS[0]),
        "second": bands(PARTS[1]),
        "sizes": sorted(set(fresh()["N"].tolist())),
        "by_size": by_size(),
        "worst": worst(PARTS[0]),
        "by_part": by_part(PARTS[0]),
        "off": {"count": off.sum(), "wide": (off & wide).sum(), "wide_of_others": wide[~off].mean()},
        "wide_share": wide.mean(),
        "seconds": [np.median(seconds), seconds.max()],
    }


def draw() -> None:
    """Six configurations: quantile functions predicted, their bands, and the fresh samples."""
    from debox.figures.style import GREY, ORANGE, TEAL, VIOLET, empty_figure, in_style, legend_below
    from reproduction import pictures

    w, samples = wasserstein("debox.predict"), fresh()["pois"][:, 0]
    lively = [k for k in np.argsort(w[PARTS[0]]).tolist() if np.ptp(samples[k]) > WIDE]
    shown = [lively[round(share * (len(lively) - 1))] for share in (0.1, 0.3, 0.5, 0.7, 0.9, 1)]
    with in_style("paper"):
        figure = empty_figure((7.2, 4.4))
        axes = figure.subplots(2, 3, sharex=True, sharey=True)
        for ax, k in zip(axes.flat, shown, strict=True):
            one, band = predictions()[k], predictions()[k].band()
            ax.fill_between(band.p, band.low, band.high, color=TEAL, alpha=0.4, lw=0, label="90 % band")
            ax.plot(band.p, expected("nearest cell")[k], color=GREY, lw=0.8, ls=":", label="nearest cell of the study")
            ax.plot(band.p, one.pois, color=VIOLET, label="prediction")
            ax.plot(band.p, samples[k], ".", ms=2.5, color=ORANGE, label="50 fresh runs")
            ax.set_title(f"{one.panel.title}\nF = {one.F:g}, Cr = {one.Cr:g}: $W_1$ = {w[k]:.3f}", size="small")
            ax.set(xlim=(0, 1), ylim=(0, 1))
        for ax in axes[-1]:
            ax.set_xlabel("share of runs")
        for ax in axes[:, 0]:
            ax.set_ylabel("POIS")
        legend_below(figure, ax.get_legend_handles_labels()[0], 4)
        print(pictures.save(figure, "prediction"))
