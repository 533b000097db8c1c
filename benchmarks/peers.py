"""CPU time per evaluation of debox and its peers."""

from math import inf
from typing import NamedTuple

from benchmarks.libraries import CR, LSHADE, NUMBA, NUMPY, PYTHON, ROWS, SPHERE, F, n
from benchmarks.measure import cpu_seconds, progress, table, verdict

SIZES, BUDGET, REPEATS = (5, 20, 100), 300_000, 3


class Cell(NamedTuple):
    library: str
    objective: str
    N: int


def measure() -> tuple[dict[Cell, float], dict[Cell, Exception]]:
    """µs per evaluation, the best of the repeats, and why a peer has none.

    The repeats go round all rows, so that a busy minute of the machine hits everybody.
    """
    best: dict[Cell, float] = {}
    failed: dict[Cell, Exception] = {}
    for repeat in range(REPEATS + 1):
        progress(f"CPU time per evaluation, round {repeat} of {REPEATS}" if repeat else "warming up")
        budget = BUDGET if repeat else 1000
        for library, objective, run in ROWS:
            for N in SIZES:
                cell = Cell(library, objective, N)
                try:
                    seconds, spent = cpu_seconds(lambda: run(N, budget, repeat))  # noqa: B023
                except Exception as error:
                    if library.startswith("debox"):
                        raise
                    failed[cell] = error
                    continue
                if spent < budget and library.startswith("debox"):  # a peer that ends early is measured by what it did
                    raise RuntimeError(f"{cell} stopped after {spent} of {budget} evaluations")
                if repeat:
                    best[cell] = min(best.get(cell, inf), 1e6 * seconds / spent)
    return best, failed


def shown(cell: Cell, best: dict[Cell, float], failed: dict[Cell, Exception]) -> str:
    if cell in failed:
        return "not installed" if isinstance(failed[cell], ImportError) else "failed"
    return f"{best[cell]:.3f}"


def ours(cell: Cell) -> Cell:
    """The cell of debox with the same algorithm, objective and N."""
    return cell._replace(library=LSHADE if "L-SHADE" in cell.library else "debox")


def demands(best: dict[Cell, float]) -> list[str]:
    """Demands on debox, and whether they are met."""
    numpy, numba = ({N: best[Cell("debox", objective, N)] for N in SIZES} for objective in (NUMPY, NUMBA))
    lines = []
    in_python = {
        c: t
        for c, t in best.items()
        if not c.library.startswith("debox") and c.objective in (NUMPY, PYTHON) and c.N == 100
    }
    if in_python:
        peer = min(in_python, key=in_python.__getitem__)
        name = f"{peer.library}, {peer.objective}"
        lines.append(verdict(f"NumPy, N=100 / the fastest peer ({name})", numpy[100] / in_python[peer], 0.4))
    ratios = {peer: best[ours(peer)] / t for peer, t in best.items() if ours(peer) in best and ours(peer) != peer}
    if ratios:
        peer = max(ratios, key=ratios.__getitem__)
        lines.append(verdict(f"debox / a peer, the largest of all cells ({peer.library}, N={peer.N})", ratios[peer], 1))
    lines += [verdict(f"Numba, N={N}", numba[N], 0.5, "µs") for N in SIZES]
    lines.append(verdict("L-SHADE, Numba, N=100 at the start", best[Cell(LSHADE, NUMBA, 100)], 0.5, "µs"))
    if (sphere := Cell("pygmo", SPHERE, 100)) in best:
        lines.append(
            verdict("Numba, N=100 / pygmo, C++ sphere (0.5 where it takes 0.6)", numba[100] / best[sphere], 5 / 6)
        )
    return lines


def report() -> None:
    best, failed = measure()
    print(f"CPU time per evaluation in µs, best of {REPEATS}, budget {BUDGET}: DE/rand/1/bin, F = {F}, Cr = {CR},")
    print(
        f"or L-SHADE that begins with N, on the sphere on [−5, 5]^{n} (pygmo's C++ problems have boxes of their own)\n"
    )
    body = [
        [library, objective, *(shown(Cell(library, objective, N), best, failed) for N in SIZES)]
        for library, objective, _ in ROWS
    ]
    print(table(["library", "objective", *(f"N={N}" for N in SIZES)], body, words=2))
    for reason in dict.fromkeys(f"  {cell.library}: {type(error).__name__}: {error}" for cell, error in failed.items()):
        print(reason)
    print("\nDemands")
    print("\n".join(demands(best)))
