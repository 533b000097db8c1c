"""`python -m benchmarks.torture [--seconds S] [--seed K] [campaign …]`: attack, count, write docs/reliability.md."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.torture import crafted, flips, forks, kills, namespaces, outputs, paths
from benchmarks.torture.victim import Failure

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- counts: written by `make torture` -->", "<!-- end of counts -->"

Attacks = Callable[[Path, random.Random], Iterator[tuple[str, str]]]
# What each does to debox, and its share of the time.
CAMPAIGNS: dict[str, tuple[Attacks, float]] = {
    "kills": (kills.attacks, 0.2),
    "flips": (flips.attacks, 0.15),
    "paths": (paths.attacks, 0.25),
    "forks": (forks.attacks, 0.1),
    "namespaces": (namespaces.attacks, 0.05),
    "crafted": (crafted.attacks, 0.15),
    "outputs": (outputs.attacks, 0.1),
}


def campaign(attacks: Attacks, seconds: float, seed: int, most: int = sys.maxsize) -> Counter[tuple[str, str]]:
    """Attack for so long, or so often; how often each kind of attack came to each end, failures with their message."""
    counts = Counter[tuple[str, str]]()
    end, rng = time.monotonic() + seconds, random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="debox-torture-") as folder:
        try:
            for kind, outcome in attacks(Path(folder), rng):
                counts[kind, outcome] += 1
                if time.monotonic() > end or counts.total() >= most:
                    break
        except Failure as failure:
            counts["FAILED", str(failure)] += 1
    return counts


def failures(counts: Counter[tuple[str, str]]) -> list[str]:
    """What debox did not withstand."""
    return [outcome for kind, outcome in counts if kind == "FAILED"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.torture")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("campaign", nargs="*", choices=[[], *CAMPAIGNS])
    given = parser.parse_args()
    chosen = {name: CAMPAIGNS[name] for name in given.campaign or CAMPAIGNS}
    whole, rows, wrong = sum(share for _, share in chosen.values()), [], []
    for name, (attacks, share) in chosen.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        counts = campaign(attacks, given.seconds * share / whole, given.seed)
        rows += [f"| {name} | {kind} | {end} | {count:,} |" for (kind, end), count in sorted(counts.items())]
        wrong += [f"FAILED: {name}: {text}" for text in failures(counts)]
    table = "\n".join(["| campaign | attack | end | times |", "|---|---|---|---|", *rows])
    print(f"seed {given.seed}\n{table}")
    if not given.campaign and not wrong:
        write(f"{BEGIN}\nSeed {given.seed}, {given.seconds:.0f} seconds.\n\n{table}\n{END}")
    sys.exit("\n".join(wrong) or 0)


def write(counts: str) -> None:
    """Replace the counts on the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(before + counts + rest.partition(END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
