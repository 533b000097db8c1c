"""`python -m benchmarks.torture [--seconds S] [--seed K] [campaign …]`: attack, count, write docs/reliability.md."""

import argparse
import random
import sys
from pathlib import Path

from benchmarks.torture import REFUSED, RIGHT, campaign
from benchmarks.torture.damage import flips, forks, paths
from benchmarks.torture.kills import checkpoints, dask, full_disk, kills, shards

PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
BEGIN, END = "<!-- counts: written by `make torture` -->", "<!-- end of counts -->"
# Campaigns, and their shares of the time.
CAMPAIGNS = {
    kills: 0.35, shards: 0.1, full_disk: 0.1, dask: 0.15, checkpoints: 0.1, flips: 0.05, paths: 0.1, forks: 0.05,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.torture")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("campaign", nargs="*", choices=[[], *(attacks.__name__ for attacks in CAMPAIGNS)])
    given, failed = parser.parse_args(), list[str]()
    chosen = {attacks: share for attacks, share in CAMPAIGNS.items() if attacks.__name__ in given.campaign} or CAMPAIGNS
    lines = [f"Seed {given.seed}, {given.seconds:.0f} seconds.\n", f"| attack | {RIGHT} | {REFUSED} |", "|---|--:|--:|"]
    print(*lines, sep="\n", flush=True)
    for attacks, share in chosen.items():
        counts, message = campaign(attacks, given.seconds * share / sum(chosen.values()), given.seed)
        name, attempts = attacks.__name__.replace("_", " "), sorted({attack for attack, _ in counts})
        lines += (new := [f"| {name}: {one} | {counts[one, RIGHT]:,} | {counts[one, REFUSED]:,} |" for one in attempts])
        failed += (wrong := [f"FAILED: {name}: {message}"] if message else [])
        print(*new, *wrong, sep="\n", flush=True)
    if not failed and not given.campaign:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text("\n".join([before + BEGIN, *lines, END + rest.partition(END)[2]]), encoding="utf-8")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
