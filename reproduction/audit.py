"""Numbers of data/numbers.json computed again with SQL and NumPy alone: python -m reproduction.audit

Nothing of debox is imported, so that an error there cannot repeat itself here. A row of AUDITS is the place of numbers
in that file and a query that gives them: each line of its answer has a key for every ``*`` of the place, then a number.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

DATA = Path(__file__).parents[1] / "data"
TOLERANCE = 1e-6  # relative; numbers.json keeps seven digits
FACTORS = ("mutation", "crossover", "strategy", "N", "F", "Cr")
CELL, ROW = ", ".join(FACTORS), ", ".join(FACTORS[:-1])
GROUPS, QUANTILE = 10, 2.2621571628  # of the jackknife; of Student's t with 9 degrees of freedom, at 97.5 %
Place = tuple[str, ...]


def table_of(name: str) -> str:
    """A file of data/, in SQL."""
    return f"read_parquet('{DATA / name}.parquet')"


# share: infeasible trials ÷ trials; logit: of (infeasible trials + ½) ÷ (trials + 1); fall: what the mean share at
# Cr = 0.755 is more than at Cr = 0.99. cases: what was simulated of the rows that are detected to fall.
VIEWS = {
    "runs": f"""
        SELECT *, pois * budget / (budget - N) AS share,
               ln((pois * budget + 0.5) / (budget - N - pois * budget + 0.5)) AS logit
        FROM {table_of("paper")}""",
    "cells": f"""
        SELECT {CELL}, avg(pois) AS mean, avg(logit) AS logit, var_samp(pois) / count(*) AS mean_noise,
               var_samp(logit) / count(*) AS logit_noise,
               median(pois) AS middle, min(pois) AS least, max(pois) AS most, stddev_samp(share) AS sd,
               min(share) AS low_share, max(share) AS high_share,
               bool_or(share > 0.001 AND share < 0.999) AS some_between,
               avg(share) AS mean_share, quantile_cont(pois, 0.95) - quantile_cont(pois, 0.05) AS width,
               stddev_samp(pois) FILTER (run % 2 = 0) AS even, stddev_samp(pois) FILTER (run % 2 = 1) AS odd,
               (even + odd) / 2 AS spread, (even - odd) ** 2 / 4 AS spread_noise
        FROM runs GROUP BY {CELL}""",
    "steps": f"""
        SELECT {ROW}, a.mean_share AS before, b.mean_share AS after, before - after AS fall, a.sd AS sd_before,
               b.sd AS sd_after
        FROM cells a JOIN cells b USING ({ROW}) WHERE a.Cr = 0.755 AND b.Cr = 0.99""",
    "panels": f"""
        SELECT {", ".join(FACTORS[:4])}, max((low_share >= 0.999)::int) AS at_some,
               max((low_share >= 0.999 AND F <= 1)::int) AS at_some_up_to_1,
               max((low_share >= 0.9)::int) AS at_some_top,
               max((low_share >= 0.9 AND F <= 1)::int) AS at_some_top_up_to_1
        FROM cells GROUP BY {", ".join(FACTORS[:4])}""",
    "read": f"""
        SELECT reading, r.infeasible AS other, s.own[:len(other)] AS own, r.budget - r.N AS trials
        FROM {table_of("readings")} r
        JOIN (SELECT {CELL}, list(round(pois * budget)::int ORDER BY run) AS own FROM runs GROUP BY {CELL}) s
            ON {" AND ".join(f"r.{name} = s.{name}" for name in FACTORS)}""",
    "cases": f"""
        SELECT *, coalesce(intervention, '') AS does,
               CASE WHEN strategy = 'dismiss' THEN 'dismiss'
                    WHEN strategy = 'saturation' THEN 'saturation; ' || crossover || '; F ' || if(F > 1, '> 1', '< 1')
                    ELSE 'mirror, toroidal, COTN; ' || crossover END AS part
        FROM {table_of("collapse")} WHERE experiment IN ('fall', 'second', 'third')""",
    "undone": f"""
        SELECT {ROW}, a.experiment, a.part, i.does, i.evolve, a.share - b.share AS fallen, i.share - b.share AS risen
        FROM cases a JOIN cases b USING (experiment, {ROW}) JOIN cases i USING (experiment, {ROW})
        WHERE a.does = '' AND b.does = '' AND a.evolve = 0.755 AND b.evolve = 0.99""",
    "solvers": f"SELECT * FROM {table_of('defaults')}",
    "walls": f"SELECT * REPLACE (greatest(error, 1e-12) AS error) FROM {table_of('strategies')}",
    "other": f"SELECT * FROM {table_of('bound')}",
}

COUNTS = {
    "configurations": "count(*)",
    "median": "median(middle)",
    "half": "avg((middle >= 0.5)::int)",
    "nearly_all": "avg((middle >= 0.99)::int)",
    "always_outside": "avg((least >= 0.999)::int)",
    "never_outside": "avg((most <= 0.001)::int)",
    "wide": "avg((width > 0.1)::int)",
}
FULL, EXTREME = "low_share >= 0.999", "low_share >= 0.999 OR high_share <= 0.001"
CLAIMS = {  # sentence → ids of its readings → what agrees, and of which cells
    "With N=20 a large portion of configurations has 100 % in all runs already at slightly larger F and Cr": {
        "size-full-at-20": (FULL, "cells WHERE N = 20"),
        "size-full-at-20-panels": ("at_some", "panels WHERE N = 20"),
        "size-full-at-20-panels-top-bin": ("at_some_top", "panels WHERE N = 20"),
    },
    "With N=100 barely any configuration has not generated POIS different from 0 % or 100 %": {
        "size-extremes-at-100": (EXTREME, "cells WHERE N = 100"),
        "size-extremes-at-100-literally": ("some_between", "cells WHERE N = 100"),
    },
    "For many configurations with a larger N 0 % or 100 % prevail": {
        "parameters-extremes": (EXTREME, "cells WHERE N > 5"),
        "parameters-extremes-bins": ("low_share >= 0.9 OR high_share <= 0.1", "cells WHERE N > 5"),
    },
    "F above 1 leads to 100 % in the majority of configurations": {
        "parameters-F-above-1": (FULL, "cells WHERE F > 1"),
        "parameters-F-above-1-top-bin": ("low_share >= 0.9", "cells WHERE F > 1"),
    },
    "Nearly every configuration has 100 % in every run": {
        "amount-full-cells": (FULL, "cells"),
        "amount-full-panels": ("at_some", "panels"),
        "amount-full-panels-top-bin": ("at_some_top", "panels"),
    },
    "With F up to 1, too, nearly every configuration has 100 % in every run": {
        "amount-full-cells-F-up-to-1": (FULL, "cells WHERE F <= 1"),
        "amount-full-panels-F-up-to-1": ("at_some_up_to_1", "panels"),
        "amount-full-panels-F-up-to-1-top-bin": ("at_some_top_up_to_1", "panels"),
    },
}
FIRST = "solver IN ('mirror', 'saturation', 'toroidal', 'COTN', 'uniform', 'midpoint-target', 'rand-target', 'dismiss')"
RESTORED = "SELECT sum(risen) / sum(fallen) FROM undone WHERE does = 'independent' AND evolve = 0.99"

AUDITS = {
    **{f"findings.every.{name}": f"SELECT {value} FROM cells" for name, value in COUNTS.items()},
    **{f"findings.F_up_to_1.{name}": f"SELECT {value} FROM cells WHERE F <= 1" for name, value in COUNTS.items()},
    "findings.median_by_F.*": "SELECT F, median(middle) FROM cells GROUP BY F",
    "findings.wide_by_N.*": "SELECT N, avg((width > 0.1)::int) FROM cells GROUP BY N",
    "factors.pois_of_crossover.*": "SELECT crossover, avg(mean) FROM cells GROUP BY crossover",
    "factors.change_over_Cr.*": """
        SELECT crossover, avg(mean) FILTER (Cr = 0.99) - avg(mean) FILTER (Cr = 0.05) FROM cells GROUP BY crossover""",
    "collapse.how_often.rows": "SELECT count(*) FROM steps",
    **{
        f"collapse.how_often.{name}.*.share.0": f"SELECT {name}, avg((fall > 0.05)::int) FROM steps GROUP BY {name}"
        for name in FACTORS[:-1]
    },
    **{
        f"collapse.how_often.exp.{k}.0": f"SELECT avg((fall > 0.05)::int) FROM steps WHERE crossover = 'exp' AND {part}"
        for k, part in enumerate(("F < 0.7", "F >= 0.7"))
    },
    **{
        f"collapse.example.*.{at}": f"""SELECT F, {value} FROM steps
            WHERE mutation = 'rand/1' AND crossover = 'exp' AND strategy = 'saturation' AND N = 5"""
        for at, value in {"mean.0": "before", "mean.1": "after", "change.0": "-fall", "sd.1": "sd_after"}.items()
    },
    "collapse.groups.*.fall": """
        SELECT part, avg(fallen) FROM undone WHERE experiment = 'fall' AND does = '' AND evolve = 0.99 GROUP BY part""",
    "collapse.groups.*.restored.*.0": """
        SELECT part, does, sum(risen) / sum(fallen) FROM undone
        WHERE experiment = 'fall' AND part <> 'dismiss' AND evolve = 0.99
          AND (does IN ('independent', 'off bounds', 'redraw') OR does = 'jitter') GROUP BY part, does""",
    "collapse.groups.*.restored.whole.0": """
        SELECT part, 1 - sum(risen) / sum(fallen) FROM undone WHERE does = 'whole' AND evolve = 0.755 GROUP BY part""",
    **{
        f"collapse.groups.*.ends.*.{name}": f"""
            SELECT part, evolve, {value} FROM cases WHERE experiment = 'fall' AND does = '' GROUP BY part, evolve"""
        for name, value in {
            "sd": "median(median_sd)",
            "lost": "avg(zero_variance)",
            "on_bound": "avg(on_bound)",
            "distinct": 'avg("distinct" / N)',
            "dead": "sum(dead) / sum(runs)",
        }.items()
    },
    "collapse.third_exp.0": f"{RESTORED} AND experiment = 'third' AND crossover = 'exp'",
    "collapse.low_bin.0": f"{RESTORED} AND experiment = 'second' AND F = 0.2 AND crossover = 'bin'",
    "collapse.best_bin.0": f"""{RESTORED} AND experiment = 'fall' AND F < 0.5 AND mutation = 'best/1'
        AND crossover = 'bin'""",
    "collapse.best_exp.fall.0": """
        SELECT max(fall) FROM steps WHERE mutation = 'best/1' AND crossover = 'exp' AND F = 0.7""",
    **{
        f"claims.sentences.*.readings.{name}.share": f"""
            SELECT '{sentence}', format('{{:.1f}} %', 100 * avg(({what})::int)) FROM {cells}"""
        for sentence, rows in CLAIMS.items()
        for name, (what, cells) in rows.items()
    },
    "claims.full.0": f"SELECT avg(({FULL})::int) FROM cells",
    "claims.rows_of_Cr": "SELECT count(*) FROM steps",
    "readings.of.*.cells": "SELECT reading, count(*) FROM read GROUP BY reading",
    "readings.of.*.runs": "SELECT reading, max(len(other)) FROM read GROUP BY reading",
    "readings.of.*.with_other_runs": "SELECT reading, sum((own <> other)::int) FROM read GROUP BY reading",
    "readings.of.*.largest": """
        SELECT reading, arg_max(change, abs(change)) FROM
            (SELECT reading, (list_avg(other) - list_avg(own)) / trials AS change FROM read)
        WHERE reading IN ('no-reevaluation', 'not-parents', 'frozen') GROUP BY reading""",
    "walls.small.*.errors.0": f"""
        SELECT solver, if(median(error) > 1e-12, median(error), 0) FROM walls
        WHERE suite = 'small' AND problem = 'far inside' AND {FIRST} GROUP BY solver""",
    "walls.small.*.errors.2": f"""
        SELECT solver, median(error) FROM walls
        WHERE suite = 'small' AND problem = 'near the corner' AND {FIRST} GROUP BY solver""",
    "walls.polished.*.greatest": """
        SELECT problem, if(max(middle) > 1e-12, max(middle), 0) FROM
            (SELECT problem, median(error) AS middle FROM walls WHERE suite = 'polished' GROUP BY problem, solver)
        GROUP BY problem""",
    "defaults.solvers.*.microseconds": """
        SELECT solver, median(1e6 * seconds / evaluations) FROM solvers
        WHERE solver IN ('debox', 'SciPy', 'pymoo', 'pycma') GROUP BY solver""",
    "defaults.medians.SBOX.rows.*.errors.0": """
        SELECT problem, if(median(error) > 1e-8, median(error), 0) FROM solvers
        WHERE suite = 'SBOX' AND per_variable = 1000 AND solver = 'debox' GROUP BY problem""",
}


def at(numbers: Any, place: Place) -> Any:
    """What stands at a place: ``("findings", "wide_by_N", "5")``; of a list of rows the one that begins with a key."""
    for key in place:
        if isinstance(numbers, dict):
            numbers = numbers[key]
        elif isinstance(numbers[0], dict):
            (numbers,) = [row for row in numbers if key in name_of(row)]
        else:
            numbers = numbers[int(key)]
    return numbers


def name_of(row: dict[str, Any]) -> list[str]:
    """What a row begins with: a level, a name, several names."""
    first = next(iter(row.values()))
    return first if isinstance(first, list) else [str(first)]


def shares(means: Any, noise: float) -> dict[Place, float]:
    """How much of the variance of cells each factor explains: alone, with all interactions, and by Shapley's value.

    A game: what a set of factors is worth is the variance of the means over all other factors, less what the noise of
    the cells adds to it on average.
    """
    axes = range(means.ndim)
    sets = [some for size in range(means.ndim + 1) for some in combinations(axes, size)]
    averages = {some: means.mean(tuple(set(axes) - set(some))) for some in sets}
    variance = {some: found.var() - noise * (found.size - 1) / means.size for some, found in averages.items()}
    worth = {some: found / variance[tuple(axes)] for some, found in variance.items()}
    found = {}
    for axis, name in enumerate(FACTORS):
        others = [some for some in sets if axis not in some]
        gains = [(len(some), worth[tuple(sorted((*some, axis)))] - worth[some]) for some in others]
        found[name, "first"] = worth[axis,]
        found[name, "total"] = 1 - worth[tuple(one for one in axes if one != axis)]
        found[name, "shapley"] = sum(gain / (means.ndim * comb(means.ndim - 1, size)) for size, gain in gains)
    return found


def factors(database: Any, levels: list[int]) -> Iterator[tuple[Place, float]]:
    """The shares of all factors, the lower ends of the intervals of those of mean POIS, shares where F is at most 1."""
    for of in ("mean", "logit", "spread"):
        found = database.sql(f"SELECT {of}, {of}_noise FROM cells ORDER BY {CELL}").fetchnumpy()
        cells, noise = found[of].reshape(levels), found[f"{of}_noise"].reshape(levels)
        for place, share in shares(cells, noise.mean()).items():
            yield ("factors", of, "factors", *place, "0"), share
        part = shares(cells[..., :5, :], noise[..., :5, :].mean())
        for name in FACTORS if of != "logit" else ():
            yield ("factors", "parts", of, "F ≤ 1", "shapley", name), part[name, "shapley"]
    pois = database.sql(f"SELECT pois FROM runs ORDER BY {CELL}, run").fetchnumpy()["pois"].reshape(*levels, -1)
    group = np.arange(pois.shape[-1]) % GROUPS
    left = [pois[..., group != k] for k in range(GROUPS)]
    whole, *every = [shares(some.mean(-1), some.var(-1, ddof=1).mean() / some.shape[-1]) for some in (pois, *left)]
    for place, share in whole.items():
        error = np.sqrt((GROUPS - 1) * np.var([one[place] for one in every]))
        yield ("factors", "mean", "factors", *place, "1"), share - QUANTILE * error


def falls(database: Any, levels: list[int]) -> Iterator[tuple[Place, float]]:
    """Rows whose mean share falls by more than 0.05 at the last step of Cr: estimated, with an interval, and detected.

    Detected: Welch's t, corrected by Holm's method for all steps of Cr.
    """
    share = database.sql(f"SELECT share FROM runs ORDER BY {CELL}, run").fetchnumpy()["share"].reshape(*levels, -1)

    def deep(some: Any) -> Any:
        return some[..., -2, :].mean(-1) - some[..., -1, :].mean(-1) > 0.05

    for runs in (10, 20, 30, 50):
        some = share[..., :runs]
        change, error = -np.diff(some.mean(-1)), some.var(-1, ddof=1) / runs
        both = error[..., :-1] + error[..., 1:]
        freedom = both**2 * (runs - 1) / np.maximum(error[..., :-1] ** 2 + error[..., 1:] ** 2, 1e-300)
        p = tail(change / np.sqrt(np.maximum(both, 1e-300)), freedom)
        order = p.ravel().argsort()
        kept = np.maximum.accumulate(p.ravel()[order] * np.arange(p.size, 0, -1)) < 0.05
        detected = np.zeros(p.size, bool)
        detected[order] = kept
        yield ("collapse", "how_often", "runs", str(runs), "estimate"), deep(some).sum()
        last = detected.reshape(p.shape)[..., -1] & deep(some)
        yield ("collapse", "how_often", "runs", str(runs), "detected"), last.sum()
    yield ("collapse", "above_1"), last[..., 5:].sum()
    group = np.arange(share.shape[-1]) % GROUPS
    error = np.sqrt((GROUPS - 1) * np.var([deep(share[..., group != k]).mean() for k in range(GROUPS)]))
    for end, sign in enumerate((0, -1, 1)):
        yield ("collapse", "how_often", "all", str(end)), deep(share).mean() + sign * QUANTILE * error


def medians(database: Any) -> Iterator[tuple[Place, float]]:
    """Where half of the trials or more leave the box, or fewer: sign tests, corrected by Benjamini and Hochberg."""
    share = database.sql(f"SELECT share FROM runs ORDER BY {CELL}, run").fetchnumpy()["share"].reshape(-1, 50)
    at_least = np.cumsum([comb(50, k) / 2**50 for k in range(50, -1, -1)])[::-1]  # k heads of 50
    for end, heads in enumerate(((share >= 0.5).sum(1), (share <= 0.5).sum(1))):
        p = np.sort(at_least[heads])
        found = np.flatnonzero(p * len(p) <= 0.05 * np.arange(1, len(p) + 1)).max() + 1
        yield ("findings", "half_shown", str(end)), abs(end - found / len(p))


def predictions(database: Any, levels: list[int]) -> Iterator[tuple[Place, float]]:
    """Scores of the nearest cell, of straight lines between cells, and of the law itself, for 200 configurations."""
    pois = database.sql(f"SELECT pois FROM runs ORDER BY {CELL}, run").fetchnumpy()["pois"].reshape(*levels, -1)
    pois = np.sort(pois, -1)
    axes = [database.sql(f"SELECT DISTINCT {name} FROM cells ORDER BY 1").fetchnumpy()[name] for name in FACTORS]
    table = database.sql(f"SELECT {CELL}, infeasible / 3e5 AS pois FROM {table_of('offgrid')}").fetchnumpy()
    rows = {name: column.reshape(-1, 100)[:200] for name, column in table.items()}
    two, every = np.sort(rows["pois"].reshape(-1, 2, 50), -1), np.sort(rows["pois"], -1)
    beyond = rows["Cr"][:, 0] > 0.755
    law = np.abs(two[:, 0] - two[:, 1]).mean(-1) / np.sqrt(2)
    apart = lambda x, y: np.abs(x[:, :, None] - y[:, None, :]).mean((1, 2))  # noqa: E731
    least = apart(every, every) / 2 * 100 / 99
    yield ("prediction", "law", "W1"), law.mean()
    yield ("prediction", "law", "crps"), least.mean()
    found = {"nearest cell": np.empty((200, 50)), "lines": np.empty((200, 50))}
    for k in range(200):
        panel = pois[tuple(list(axis).index(rows[name][k, 0]) for name, axis in zip(FACTORS[:4], axes, strict=False))]
        (F, x), (Cr, y) = ((axis, rows[name][k, 0]) for name, axis in zip(("F", "Cr"), axes[4:], strict=True))
        found["nearest cell"][k] = panel[np.abs(F - x).argmin(), np.abs(Cr - y).argmin()]
        i, j = np.searchsorted(F, x) - 1, np.searchsorted(Cr, y) - 1
        a, b = (x - F[i]) / (F[i + 1] - F[i]), (y - Cr[j]) / (Cr[j + 1] - Cr[j])
        low, high = ((1 - b) * panel[row, j] + b * panel[row, j + 1] for row in (i, i + 1))
        found["lines"][k] = (1 - a) * low + a * high
    for name, expected in found.items():
        w = np.abs(expected[:, None] - two).mean((1, 2))
        crps = apart(expected, every) - apart(expected, expected) / 2
        place = ("prediction", "methods", name)
        yield (*place, "median"), np.median(w)
        yield (*place, "W1", "0"), w.mean()
        yield (*place, "W1_excess", "0"), (w - law).mean()
        yield (*place, "crps"), crps.mean()
        yield (*place, "crps_excess", "0"), (crps - least).mean()
        yield (*place, "by_Cr", "0"), w[~beyond].mean()
        yield (*place, "by_Cr", "1"), w[beyond].mean()


def tail(t: Any, freedom: Any) -> Any:
    """The chance that Student's t is larger, as an integral of cos^(freedom − 1) over angles."""
    angle, x = np.arctan(t / np.sqrt(np.maximum(freedom, 1e-9))), (np.arange(2000) + 0.5) / 2000
    above, power = np.empty(t.shape), np.maximum(freedom - 1, 0)
    for k in np.ndindex(t.shape[:-1]):
        from_t = angle[k][:, None] + (np.pi / 2 - angle[k][:, None]) * x
        part = (np.cos(from_t) ** power[k][:, None]).mean(-1) * (np.pi / 2 - angle[k])
        above[k] = part / ((np.cos(np.pi * (x - 0.5)) ** power[k][:, None]).mean(-1) * np.pi)
    return above


def theory() -> Iterator[tuple[Place, float]]:
    """From formulas: components exchanged; in generation 1, bin with as many exchanges as exp."""
    n = 30
    exchanged = {"bin": lambda Cr: 1 + (n - 1) * Cr, "exp": lambda Cr: sum(Cr**k for k in range(n))}
    for crossover, number in exchanged.items():
        for k, Cr in enumerate((0.755, 0.99)):
            yield ("collapse", "exchanged", crossover, str(k)), number(Cr) / n
    F = np.array([0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2])[:, None]
    Cr = np.array([0.05, 0.285, 0.52, 0.755, 0.99])
    p = np.where(F <= 1, F / 3, 1 - 1 / F + 1 / (3 * F**2))  # a component of a mutant of rand/1 is outside
    of_bin, as_many = (1 - (1 - p) * (1 - some * p) ** (n - 1) for some in (Cr, (exchanged["exp"](Cr) - 1) / (n - 1)))
    of_exp = p * sum((Cr * (1 - p)) ** k for k in range(n))
    w = np.array([1, 2, -2, 2, -2])  # of rand/2 with F = 2, of which most components are outside
    corners = np.array([[k >> bit & 1 for bit in range(5)] for k in range(32)])
    outside = 2 / (120 * w.prod()) * ((-1.0) ** corners.sum(1) * np.maximum(0, -(corners @ w)) ** 5).sum()
    yield ("claims", "most_of_exp"), outside * sum((0.99 * (1 - outside)) ** k for k in range(n))
    yield ("findings", "share_by_exchanges"), np.sum(of_bin - as_many) / np.sum(of_bin - of_exp)


def computed() -> Iterator[tuple[Place, float]]:
    """The place of each number and the number, computed anew."""
    with duckdb.connect() as database:
        for name, query in VIEWS.items():
            database.sql(f"CREATE TABLE {name} AS {query}")
        for path, query in AUDITS.items():
            for *keys, value in database.sql(query).fetchall():
                key = map(str, keys)
                yield tuple(next(key) if part == "*" else part for part in path.split(".")), value
        levels = [database.sql(f"SELECT count(DISTINCT {name}) FROM cells").fetchall()[0][0] for name in FACTORS]
        yield from factors(database, levels)
        yield from falls(database, levels)
        yield from medians(database)
        yield from predictions(database, levels)
    yield from theory()


def compare(numbers: Any) -> tuple[int, list[str]]:
    """How many numbers were computed again, and those that differ, in words."""
    every = [(place, at(numbers, place), value) for place, value in computed()]
    wrong = [
        f"{'.'.join(place)} is {stored}, computed again {value}"
        for place, stored, value in every
        if (stored != value if isinstance(stored, str) else not np.isclose(stored, value, rtol=TOLERANCE, atol=1e-9))
    ]
    return len(every), wrong


if __name__ == "__main__":
    done, wrong = compare(json.loads((DATA / "numbers.json").read_text("utf-8")))
    sys.exit("\n".join(wrong) if wrong else print(f"{done} numbers computed again, all equal"))
