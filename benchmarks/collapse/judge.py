"""What came out of each prediction: the number that decides, in words, and whether it refutes."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from benchmarks.collapse.experiments import SMALL
from benchmarks.collapse.predictions import AS_EXP, HIGH, LOW, MIDDLE, NONE, PREDICTIONS, SWEPT, THIRD_BIN, THIRD_EXP
from benchmarks.collapse.sweeps import half_falls, swept_falls, threshold
from benchmarks.collapse.table import A, Ratio, case, falling, of, restored, z
from debox.analysis.collapse import Fall

Range = tuple[float, float]
ANY, BELOW_1, ABOVE_1 = (0.0, 2.0), (0.0, 1.0), (1.0, 2.0)


class Outcome(NamedTuple):
    """The number that decides, in words, and whether the prediction is refuted."""

    evidence: str
    refuted: bool


def chosen(saturation: bool | None = None, F: Range = ANY, dismiss: bool = True, N: int | None = None) -> list[Fall]:
    """Falling cells: of saturation or of the others, with F in a range, with or without dismiss, of one N."""
    return [
        fall
        for fall in falling()
        if (saturation is None or (fall.strategy == "saturation") == saturation)
        and F[0] <= fall.F <= F[1]
        and (dismiss or fall.strategy != "dismiss")
        and (N is None or N == fall.N)
    ]


def few(hits: Iterable[bool]) -> tuple[int, int, float]:
    """How many hits, of how many, and their share."""
    found = list(hits)
    return sum(found), len(found), sum(found) / len(found)


def frozen() -> Outcome:
    rises = [row["share"] for row in of("frozen")]
    up = sum(rise >= 0 for rise in rises)
    return Outcome(f"it rises, or stays, in {up} of {len(rises)}, by {min(rises):.2g} at least", up == len(rises))


def evolve_count() -> Outcome:
    pairs = [(A(fall), {"share": fall.before, "error": fall.before_error}) for fall in falling() if fall.N < 100]
    below, cells, share = few(z(a, before) < -3 for a, before in pairs)
    return Outcome(f"{below} of {cells} cells", share <= 0.05)


def contraction_alone() -> Outcome:
    found = restored("independent", chosen(False, BELOW_1, dismiss=False))
    return Outcome(f"restored share {found} in {found.cells} cells", found.value >= 0.5)


def contraction_seen() -> Outcome:
    cells = chosen(False, BELOW_1)
    smaller = [A(fall)["median_sd"] / max(case(fall)["median_sd"], 1e-300) for fall in cells]
    below, count, share = few(ratio < 3 for ratio in smaller)
    return Outcome(f"median ratio {np.median(smaller):.3g}; below 3 in {below} of {count} cells", share > 0.1)


def contraction_threshold() -> Outcome:
    above, cells, share = few(threshold(fall.mutation, fall.N) < fall.F for fall in chosen(False))
    return Outcome(f"F is above F_c in {above} of {cells} cells", share > 0.1)


def contraction_no_clones() -> Outcome:
    found = {name: restored(name, chosen(False, BELOW_1)) for name in ("redraw", "off bounds")}
    evidence = ", ".join(f"{name} {ratio}" for name, ratio in found.items())
    return Outcome(f"restored shares: {evidence}", any(ratio.value >= 0.25 for ratio in found.values()))


def corners_on_bounds() -> Outcome:
    shares = [case(fall)["on_bound"] for fall in chosen(True, ABOVE_1)]
    below, cells, share = few(value < 0.9 for value in shares)
    return Outcome(f"on average {np.mean(shares):.3f}, below 0.9 in {below} of {cells} cells", share > 0.1)


def corners_off_bounds() -> Outcome:
    found = restored("off bounds", chosen(True, ABOVE_1))
    return Outcome(f"restored share {found} in {found.cells} cells", found.value < 0.75)


def corners_elsewhere() -> Outcome:
    found = restored("off bounds", chosen(False))
    away = max(abs(found.value) - 0.1, 0) > 3 * found.error
    return Outcome(f"restored share {found} in {found.cells} cells", away)


def clones_dead() -> Outcome:
    cells = [case(fall) for fall in chosen(True, ABOVE_1, N=5)]
    dead, single = (sum(row[name] for row in cells) for name in ("dead", "dead_with_one_distinct"))
    runs = sum(row["runs"] for row in cells)
    return Outcome(f"{single:.0f} of {dead:.0f} dead runs, of {runs} in all", single < 0.9 * dead)


def clones_jitter() -> Outcome:
    found = restored("jitter", chosen(True, ABOVE_1))
    return Outcome(f"restored share {found} in {found.cells} cells", found.value < 0.5)


def clones_elsewhere() -> Outcome:
    rows = [case(fall) for fall in chosen(False)]
    odd, cells, _ = few(row["distinct"] < row["N"] and row["median_sd"] > 1e-12 for row in rows)
    return Outcome(f"{odd} of {cells} cells", odd > 0)


def lockstep_necessary() -> Outcome:
    every, corners = (restored("independent", cells) for cells in (chosen(dismiss=False), chosen(True, ABOVE_1)))
    evidence = f"restored share {every} in {every.cells} cells, {corners} in {corners.cells} of saturation with F > 1"
    return Outcome(evidence, min(every.value, corners.value) < 0.5)


def appears(cells: list[Fall]) -> Ratio:
    """(A − whole) / (A − B)"""
    left = restored("whole", cells, SMALL)
    return left._replace(value=1 - left.value)


def lockstep_sufficient() -> Outcome:
    found = appears(chosen(dismiss=False))
    return Outcome(f"{found} in {found.cells} cells", found.value < 0.5)


def lockstep_dimension() -> Outcome:
    factors = {name: found[10] / found[100] for name, found in half_falls().items()}
    evidence = ", ".join(f"{name} {factor:.1f}" for name, factor in factors.items())
    return Outcome(f"factors: {evidence}", not all(4 <= factor <= 30 for factor in factors.values()))


def selection_none() -> Outcome:
    from scipy.stats import t

    cells = [fall for fall in falling() if fall.mutation in ("rand/1", "rand/2")]
    pairs = [(case(fall, "chance"), case(fall)) for fall in cells]
    p = [2 * float(t.sf(abs(z(x, y)), x["runs"] - 1)) for x, y in pairs]
    average = np.mean([x["share"] - y["share"] for x, y in pairs])
    evidence = f"smallest p {min(p):.2g} of {len(p)}, corrected {min(1, min(p) * len(p)):.2g}; mean {average:+.3f}"
    return Outcome(evidence, min(p) * len(p) < 0.01)


def selection_count() -> Outcome:
    cells = [fall for fall in falling() if fall.mutation in ("rand/1", "rand/2") and fall.N == 5]
    change = [case(fall, "even")["last"] - case(fall)["last"] for fall in cells]
    error = sum(case(f, "even")["last_error"] ** 2 + case(f)["last_error"] ** 2 for f in cells) ** 0.5 / len(cells)
    return Outcome(f"{np.mean(change):+.3f} ± {error:.3f} in {len(cells)} cells", abs(np.mean(change)) > 0.05)


def selection_budget() -> Outcome:
    words, refuted = [], False
    for cell in SWEPT:
        found = {budget: fall for budget, (fall, _) in swept_falls("budget", cell[2]).items()}
        words.append(f"{cell[2]} {', '.join(f'{found[b]:.3f}' for b in (3000, 300_000, 30_000_000))}")
        refuted |= found[3000] > 0.75 * found[300_000] or found[30_000_000] <= found[300_000]
    return Outcome(f"falls at the three budgets: {'; '.join(words)}", refuted)


def second_low() -> Outcome:
    found = restored("independent", LOW)
    return Outcome(f"restored share {found}", found.value >= 0.25)


def second_middle() -> Outcome:
    found = restored("independent", MIDDLE)
    return Outcome(f"restored share {found}", found.value < 0.75)


def second_high() -> Outcome:
    corners, lockstep = restored("off bounds", HIGH), restored("independent", HIGH)
    evidence = f"restored shares: off bounds {corners}, independent {lockstep}"
    return Outcome(evidence, corners.value < 0.75 or lockstep.value < 0.5)


def second_none() -> Outcome:
    fall = float(np.mean([A(cell)["share"] - case(cell)["share"] for cell in NONE]))
    return Outcome(f"{fall:.4f}", fall > 0.02)


def third_bin() -> Outcome:
    found = restored("independent", THIRD_BIN)
    return Outcome(f"restored share {found}", found.value < 0.75)


def third_exp() -> Outcome:
    found = restored("independent", THIRD_EXP)
    return Outcome(f"restored share {found}", found.value >= 0.25)


def third_share() -> Outcome:
    found = restored("independent", THIRD_BIN, AS_EXP[1], AS_EXP)
    return Outcome(f"restored share {found}", found.value >= 0.5)


JUDGES: dict[str, Callable[[], Outcome]] = {
    prediction.id: globals()[prediction.id.replace("-", "_")] for prediction in PREDICTIONS
}
