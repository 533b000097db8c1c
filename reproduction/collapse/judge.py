"""What came out of each prediction of the page on the collapse: the number that decides, and whether it refutes.

The predictions stand in the page's template; they were committed before anything was simulated. An outcome is the
number in words, and whether it refutes the prediction of that name.
"""

from collections.abc import Callable, Iterable

import numpy as np

from reproduction.collapse.design import AS_EXP, HIGH, LOW, MIDDLE, NONE, SWEPT, THIRD_BIN, THIRD_EXP, falling
from reproduction.collapse.rows import (
    ABOVE_1,
    BELOW_1,
    A,
    Cell,
    appears,
    case,
    chosen,
    falls_by_budget,
    of,
    restored,
    shrinks,
    threshold,
    z,
)

Outcome = tuple[str, bool]

OTHERS = {"saturation": False, "dismiss": True}  # than saturation's
# Restored shares: the intervention, the cells, and the limits below and above which the prediction is refuted.
RESTORED: dict[str, tuple[str, Callable[[], list[Cell]], float, float]] = {
    "contraction_alone": ("independent", lambda: chosen(False, BELOW_1), -np.inf, 0.5),
    "corners_off_bounds": ("off bounds", lambda: chosen(True, ABOVE_1), 0.75, np.inf),
    "clones_jitter": ("jitter", lambda: chosen(True, ABOVE_1), 0.5, np.inf),
    "second_low": ("independent", lambda: LOW, -np.inf, 0.25),
    "second_middle": ("independent", lambda: MIDDLE, 0.75, np.inf),
    "third_bin": ("independent", lambda: THIRD_BIN, 0.75, np.inf),
    "third_exp": ("independent", lambda: THIRD_EXP, -np.inf, 0.25),
}


def outcomes() -> dict[str, Outcome]:
    """The outcome of every prediction."""
    found = {name: restored_share(*decides) for name, decides in RESTORED.items()}
    return found | {judge.__name__: judge() for judge in JUDGES}


def restored_share(intervention: str, cells: Callable[[], list[Cell]], least: float, most: float) -> Outcome:
    """The share of the fall that an intervention undoes."""
    found = restored(intervention, cells())
    return f"{found} in {found.cells} cells", not least <= found.value < most


def few(hits: Iterable[bool]) -> tuple[str, float]:
    """``3 of 20 cells`` that are hit, and their share."""
    found = list(hits)
    return f"{sum(found)} of {len(found)} cells", sum(found) / len(found)


def frozen() -> Outcome:
    rises = [row["share"] for row in of("frozen")]
    up = sum(rise > 0 for rise in rises)
    return f"it rises in {up} of {len(rises)}, by {min(rises):.2g} at least", up == len(rises)


def evolve_count() -> Outcome:
    cells = [fall for fall in falling() if fall.N < 100]
    words, share = few(z(A(fall), {"share": fall.before, "error": fall.before_error}) < -3 for fall in cells)
    return words, share <= 0.05


def contraction_seen() -> Outcome:
    cells = chosen(F=BELOW_1, **OTHERS)
    smaller = [A(fall)["median_sd"] / max(case(fall)["median_sd"], 1e-300) for fall in cells]
    words, share = few(ratio < 3 for ratio in smaller)
    return f"median ratio {np.median(smaller):.3g}; below 3 in {words}", share > 0.1


def contraction_threshold() -> Outcome:
    words, share = few(threshold(fall.mutation, fall.N) < fall.F for fall in chosen(**OTHERS))
    return f"above in {words}", share > 0.1


def contraction_no_clones() -> Outcome:
    found = {name: restored(name, chosen(F=BELOW_1, **OTHERS)) for name in ("redraw", "off bounds")}
    words = ", ".join(f"{name} {ratio}" for name, ratio in found.items())
    return words, any(ratio.value >= 0.25 for ratio in found.values())


def corners_on_bounds() -> Outcome:
    shares = [case(fall)["on_bound"] for fall in chosen(True, ABOVE_1)]
    words, share = few(value < 0.9 for value in shares)
    return f"on average {np.mean(shares):.3f}, below 0.9 in {words}", share > 0.1


def corners_elsewhere() -> Outcome:
    found = restored("off bounds", chosen(**OTHERS))
    return f"{found} in {found.cells} cells", max(abs(found.value) - 0.1, 0) > 3 * found.error


def clones_dead() -> Outcome:
    cells = [case(fall) for fall in chosen(True, ABOVE_1, N=5)]
    dead, single, runs = (sum(row[name] for row in cells) for name in ("dead", "dead_with_one_distinct", "runs"))
    return f"{single:.0f} of {dead:.0f} dead runs, of {runs} in all", single < 0.9 * dead


def clones_elsewhere() -> Outcome:
    ends = [case(fall) for fall in chosen(**OTHERS)]
    words, share = few(row["distinct"] < row["N"] and row["median_sd"] > 1e-12 for row in ends)
    return words, share > 0


def lockstep_necessary() -> Outcome:
    every, corners = (restored("independent", cells) for cells in (chosen(), chosen(True, ABOVE_1)))
    words = f"{every} in {every.cells} cells, {corners} in {corners.cells} of saturation with F > 1"
    return words, min(every.value, corners.value) < 0.5


def lockstep_sufficient() -> Outcome:
    found = appears(chosen())
    return f"{found} in {found.cells} cells", found.value < 0.5


def lockstep_dimension() -> Outcome:
    factors = shrinks()
    words = ", ".join(f"{name} {factor:.1f}" for name, factor in factors.items())
    return words, not all(4 <= factor <= 30 for factor in factors.values())


def selection_none() -> Outcome:
    from scipy.stats import t

    pairs = [(case(fall, "chance"), case(fall)) for fall in falling() if fall.mutation in ("rand/1", "rand/2")]
    least = min(2 * float(t.sf(abs(z(x, y)), x["runs"] - 1)) for x, y in pairs)
    average = np.mean([x["share"] - y["share"] for x, y in pairs])
    corrected = min(1, least * len(pairs))
    words = f"smallest p {least:.2g} of {len(pairs)}, corrected {corrected:.2g}; mean {average:+.3f}"
    return words, corrected < 0.01


def selection_count() -> Outcome:
    pairs = [(case(f, "even"), case(f)) for f in falling() if f.mutation in ("rand/1", "rand/2") and f.N == 5]
    change = np.mean([x["last"] - y["last"] for x, y in pairs])
    error = sum(x["last_error"] ** 2 + y["last_error"] ** 2 for x, y in pairs) ** 0.5 / len(pairs)
    return f"{change:+.3f} ± {error:.3f} in {len(pairs)} cells", bool(abs(change) > 0.05)


def selection_budget() -> Outcome:
    words, refuted = [], False
    for cell in SWEPT:
        short, usual, long = (falls_by_budget(cell[2])[budget] for budget in (3000, 300_000, 30_000_000))
        words.append(f"{cell[2]} {short:.3f}, {usual:.3f}, {long:.3f}")
        refuted |= short > 0.75 * usual or long <= usual
    return "; ".join(words), refuted


def second_high() -> Outcome:
    corners, lockstep = restored("off bounds", HIGH), restored("independent", HIGH)
    return f"off bounds {corners}, independent {lockstep}", corners.value < 0.75 or lockstep.value < 0.5


def second_none() -> Outcome:
    fall = float(np.mean([A(cell)["share"] - case(cell)["share"] for cell in NONE]))
    return f"{fall:.4f}", fall > 0.02


def third_share() -> Outcome:
    found = restored("independent", THIRD_BIN, AS_EXP[1], AS_EXP)
    return f"{found} in {found.cells} cells", found.value >= 0.5


JUDGES: tuple[Callable[[], Outcome], ...] = (
    *(frozen, evolve_count, contraction_seen, contraction_threshold, contraction_no_clones),
    *(corners_on_bounds, corners_elsewhere, clones_dead, clones_elsewhere),
    *(lockstep_necessary, lockstep_sufficient, lockstep_dimension),
    *(selection_none, selection_count, selection_budget, second_high, second_none, third_share),
)
