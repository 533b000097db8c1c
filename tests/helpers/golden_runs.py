"""Golden runs: what one line of tests/golden/*.jsonl says is run again, and what the run gave is written as there.

A line has a `kind`, every setting of a run, and what it `gives`: whole numbers as they are, floats in hex, long arrays
as a digest of their bytes. It names public things of debox only.
"""

import hashlib
import json
import math
import warnings
from functools import cache
from pathlib import Path

import numpy as np

import debox

FOLDER = Path(__file__).parents[1] / "golden"
KEYS_OF_A_RUN = ("strategy", "N", "F", "Cr", "budget", "donors", "repair", "init", "target")


# How results are written.


def written(value):
    """Floats in hex, whole numbers and texts as they are, lists and tuples of them as lists."""
    if isinstance(value, list | tuple | np.ndarray):
        return [written(one) for one in value]
    if isinstance(value, float | np.floating):
        return float(value).hex()
    return value.item() if isinstance(value, np.generic) else value


def digest(array):
    """Of the bytes of numbers, little-endian; a NaN is a NaN, whatever its bits."""
    array = np.asarray(array)
    kind = "<i8" if array.dtype.kind in "iub" else "<f8"
    exact = np.array(array, kind, order="C")
    if kind == "<f8":
        exact[np.isnan(exact)] = np.nan
    return f"sha256:{hashlib.sha256(repr(exact.shape).encode() + exact.tobytes()).hexdigest()[:32]}"


def digest_of_state(rng):
    """Of all whole numbers in the state of a generator."""
    text = json.dumps(rng.bit_generator.state, sort_keys=True, default=lambda array: array.tolist())
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


# Objectives of + − × and comparisons, which round alike in Python, NumPy and Numba: sums go from left to right.


def sphere(x):
    total = 0.0
    for i in range(len(x)):
        d = x[i] - (0.125 * (i % 5) + 0.25)
        total = total + d * d
    return total


def sphere_of_columns(X):
    total = np.zeros(X.shape[1])
    for i in range(len(X)):
        d = X[i] - (0.125 * (i % 5) + 0.25)
        total = total + d * d
    return total


def valley(x):
    """Rosenbrock's."""
    total = (1.0 - x[0]) * (1.0 - x[0])
    for i in range(1, len(x)):
        bend, rest = x[i] - x[i - 1] * x[i - 1], 1.0 - x[i]
        total = total + 100.0 * (bend * bend) + rest * rest
    return total


def valley_of_columns(X):
    total = (1.0 - X[0]) * (1.0 - X[0])
    for i in range(1, len(X)):
        bend, rest = X[i] - X[i - 1] * X[i - 1], 1.0 - X[i]
        total = total + 100.0 * (bend * bend) + rest * rest
    return total


def stairs(x):
    """Plateaus: many trials are as good as their targets."""
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0.5:
            total = total + 1.0
        if x[i] < 0.25:
            total = total + 2.0
    return total


def stairs_of_columns(X):
    total = np.zeros(X.shape[1])
    for row in X:
        total = total + np.where(row > 0.5, 1.0, 0.0)
        total = total + np.where(row < 0.25, 2.0, 0.0)
    return total


def hole(x):
    """NaN where x₀ > 3/4."""
    if x[0] > 0.75:
        return math.nan
    total = 0.0
    for i in range(len(x)):
        d = x[i] - (0.125 * (i % 5) + 0.25)
        total = total + d * d
    return total


def hole_of_columns(X):
    return np.where(X[0] > 0.75, np.nan, sphere_of_columns(X))


def cliff(x):
    """∞ where the last variable is below 1/4."""
    if x[len(x) - 1] < 0.25:
        return math.inf
    total = 0.0
    for i in range(len(x)):
        d = x[i] - (0.125 * (i % 5) + 0.25)
        total = total + d * d
    return total


def cliff_of_columns(X):
    return np.where(X[-1] < 0.25, np.inf, sphere_of_columns(X))


OBJECTIVES = {
    "sphere": (sphere, sphere_of_columns),
    "valley": (valley, valley_of_columns),
    "stairs": (stairs, stairs_of_columns),
    "hole": (hole, hole_of_columns),
    "cliff": (cliff, cliff_of_columns),
}


@cache
def objective(name, form):
    """fun and vectorized, as `minimize` takes them; form: python, numpy or numba."""
    of_point, of_columns = OBJECTIVES[name]
    if form == "numpy":
        return of_columns, True
    if form == "numba":
        import numba

        return numba.njit(of_point), False
    return of_point, False


# Runs.


def measure(line, folder):
    m = debox.measure(
        debox.Config(**line["config"]),
        n=line["n"],
        budget=line["budget"],
        runs=line["runs"],
        rng=line["rng"],
        engine=line["engine"],
        checkpoints=line["checkpoints"],
        box=line["box"],
        trace=line["trace"],
        workers=1,
    )
    marks = [max(1, round(share * m.budget)) for share in line["checkpoints"]]
    gives = {
        "infeasible": [round(pois * m.budget) for pois in m.pois.tolist()],
        "infeasible_at": [[round(p * mark) for p, mark in zip(row, marks, strict=True)] for row in m.pois_at.tolist()],
        "accepted": m.accepted.tolist(),
        "best_f": written(m.best_f),
        "best_x": [digest(m.best_x), *written(m.best_x[:, :3])],
    }
    if m.trace is not None:
        counts = ("evaluations", "infeasible", "distinct")
        shares = ("mean_sd", "zero_variance", "on_bound")
        gives["trace"] = {name: digest(getattr(m.trace, name)) for name in (*counts, *shares)}
        gives["trace"] |= {f"last {name}": written(getattr(m.trace, name)[..., -1].tolist()) for name in counts}
    return gives


def generator(line):
    name, seed = line["rng"]
    return np.random.Generator(getattr(np.random, name)(seed))


def outcome(result):
    """What `minimize` returned."""
    return {
        "x": written(result.x),
        "fun": written(float(result.fun)),
        "nfev": result.nfev,
        "nit": result.nit,
        "status": result.status,
        "n_infeasible": result.n_infeasible,
        "infeasible_per_dimension": written(result.infeasible_per_dimension),
        "n_nan": result.n_nan,
        "pois_history": digest(result.pois_history),
        "population": digest(result.population),
        "population_energies": digest(result.population_energies),
    }


def minimize(line, folder):
    rng, (fun, vectorized) = generator(line), objective(line["fun"], line["form"])
    settings = {key: line[key] for key in KEYS_OF_A_RUN}
    result = debox.minimize(
        fun, line["bounds"], line["variant"], rng=rng, vectorized=vectorized, tol=None, polish=False, **settings
    )
    return {**outcome(result), "rng": digest_of_state(rng)}


def optimizer(line, rng):
    return debox.Optimizer(
        line["bounds"], line["variant"], rng=rng, tol=None, **{key: line[key] for key in KEYS_OF_A_RUN}
    )


def converse(opt, fun, asks=1, generations=math.inf):
    """Ask, as often as said, and tell until the run ends or so many generations are done; digests of the points."""
    seen = []
    while not opt.done and len(seen) < generations:
        X = opt.ask()
        for _ in range(asks - 1):
            assert (opt.ask() == X).all()
        seen.append(X)
        opt.tell(X, [fun(x) for x in X])
    return seen


def ask(line, folder):
    rng, (fun, _) = generator(line), objective(line["fun"], line["form"])
    opt = optimizer(line, rng)
    asked = converse(opt, fun, line["asks"])
    return {**outcome(opt.result), "asked": digest(np.concatenate(asked)), "rng": digest_of_state(rng)}


def saved(line, folder):
    """Saved and loaded after so many generations, then with points that wait for values or without."""
    fun, _ = objective(line["fun"], line["form"])
    opt = optimizer(line, generator(line))
    asked = converse(opt, fun, generations=line["saved"]["after"])
    if line["saved"]["asked"]:
        opt.ask()
    opt.save(folder / "run.npz")
    opt = debox.Optimizer.load(folder / "run.npz")
    asked += converse(opt, fun)
    return {**outcome(opt.result), "asked": digest(np.concatenate(asked))}


def loaded(line, folder):
    """The rest of a run that the revision before the C core saved in tests/golden."""
    opt = debox.Optimizer.load(FOLDER / line["file"])
    asked = converse(opt, objective(line["fun"], line["form"])[0])
    return {**outcome(opt.result), "asked": digest(np.concatenate(asked))}


KINDS = {"measure": measure, "minimize": minimize, "ask": ask, "saved": saved, "loaded": loaded}


def replay(line, folder):
    """What the code of this tree gives for a line; files are written into the folder."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the objective returned NaN", RuntimeWarning)
        return KINDS[line["kind"]](line, folder)


def rows_of(store):
    """All columns of a store but times, a dictionary for each run, by their ids."""
    table = store.table()
    names = [name for name in table if name != "seconds"]
    rows = [dict(zip(names, values, strict=True)) for values in zip(*(table[name] for name in names), strict=True)]
    rows = [{name: digest(row[name]) if name == "best_x" else written(row[name]) for name in names} for row in rows]
    return sorted(rows, key=lambda row: row["id"])


def resumed(folder):
    """A store in which runs are missing, after they were done."""
    return debox.run(debox.open_store(folder).study, folder, workers=1)


def libm():
    """A probe of the functions of C's library that runs call: it may round otherwise elsewhere."""
    points = [(k + 0.5) / 2000 for k in range(2000)]
    functions = {
        "exp": [math.exp(-8 * p) for p in points],
        "expm1": [math.expm1(-p) for p in points],
        "log": [math.log(p) for p in points],
        "log1p": [math.log1p(-p) for p in points],
        "tan": [math.tan(math.pi * (p - 0.5)) for p in points],
    }
    return {name: [digest(values), *written(values[:3])] for name, values in functions.items()}
