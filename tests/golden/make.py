"""The golden runs: what debox gave before its kernels became a C core.

They guard that redesign: whatever does the runs now must give the same numbers, to the last bit. The files beside this
script were made by the compiled kernels of the revision before the C core, every setting is named in them, and they
never change. (They do not say what is right: in all other tests expectations come from elsewhere.)

    measure.jsonl       runs on f0
    minimize.jsonl      runs of minimize and Optimizer, with their ends
    optimizer*.npz      optimizers that were saved in the midst of a run
    store/, store.jsonl a store that was left half-done; the rows that it must have once the rest is done
    libm.json           a probe of the C library that made them: another one may round exp, log and tan otherwise

`python tests/golden/make.py` makes those that are missing; tests/test_golden.py replays all.
"""

import json
import random
import shutil
import sys
import tempfile
from itertools import chain, cycle, islice
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "helpers"))

from golden_runs import FOLDER, converse, generator, libm, objective, optimizer, replay, resumed, rows_of  # noqa: E402

import debox  # noqa: E402

DONORS = {  # of each mutation
    "rand/1": 3,
    "rand/2": 5,
    "best/1": 2,
    "current-to-best/1": 2,
    "best/2": 4,
    "current-to-best/2": 4,
    "rand-to-best/1": 3,
    "rand-to-best/2": 5,
    "current-to-rand/1": 3,
    "current-to-pbest/1": 2,
}
ONLY_PLAIN = ("current-to-rand/1", "current-to-pbest/1")
COMPONENTS = (  # strategies of a component
    *("saturation", "toroidal", "mirror", "COTN", "uniform", "midpoint-target", "midpoint-base", "rand-target"),
    *("rand-base", "exp-target", "exp-center", "exp-spread", "reflect-random"),
)
MUTANTS = ("conservatism", "project-midpoint", "project-base", "resample")  # know repair="mutant"
STRATEGIES = (*COMPONENTS, *MUTANTS, "dismiss", "penalty", "none")
RULES = ("distinct", "not-target", "not-parents")
ADAPTATIONS = ("jDE", "JADE", "SHADE", "L-SHADE")
THIRDS = [1 / 3, 2 / 3]

# What calls exp, log or tan, if only for some normal or binomial numbers.
LIBM = {"COTN", "exp-target", "exp-center", "exp-spread", "JADE", "SHADE", "L-SHADE", "debox"}


def deck(values, count, seed):
    """So many of the values, each as often as the others, in a random order."""
    rng, values = random.Random(seed), list(values)
    return islice(chain.from_iterable(rng.sample(values, len(values)) for _ in range(count)), count)


def smallest(mutation, donors):
    avoids_best = donors == "not-parents" and ("best" in mutation)
    return DONORS[mutation] + (donors != "distinct") + avoids_best


# measure


def measured(group, *, mutation, crossover, strategy, N, F, Cr, n, budget, rng, engine, **others):
    """A line; what is not said is as in the paper, and written down, too."""
    config = {"mutation": mutation, "crossover": crossover, "strategy": strategy, "N": N, "F": F, "Cr": Cr}
    usual = {"donors": "distinct", "reevaluate": True, "frozen": False, "repair": "trial", "adaptation": "fixed"}
    config |= {name: others.pop(name, value) for name, value in usual.items()}
    line = {"kind": "measure", "group": group, "config": config, "n": n, "budget": budget, "runs": 2, "rng": rng}
    line |= {"engine": engine, "checkpoints": THIRDS, "box": None, "trace": False} | others
    line["libm"] = engine == "fast" or not LIBM.isdisjoint((strategy, config["adaptation"]))
    return line


def spread(engine, mutations, each, budgets):
    """So many runs of each mutation, over all strategies, sizes, rules, dimensions and both crossovers."""
    k = len(mutations) * each
    strategies = deck([s for s in STRATEGIES if engine == "plain" or s != "none"], k, 1)
    crossovers, rules = deck(("bin", "exp"), k, 2), deck(RULES, k, 3)
    sizes, dimensions = deck((0, 5, 20, 100), k, 4), deck((1, 2, 30, 33, 65, 100), k, 5)
    scales, rates = deck((0.05, 0.5, 0.7, 1.0, 1.6, 2.0), k, 6), deck((0.0, 0.05, 0.5, 0.9, 0.99, 1.0), k, 7)
    lengths = deck(budgets, k, 8)
    for number in range(k):
        mutation, rule = mutations[number // each], next(rules)
        N, budget = max(next(sizes), smallest(mutation, rule)), next(lengths)
        yield measured(
            f"{engine} {mutation}",
            mutation=mutation,
            crossover=next(crossovers),
            strategy=next(strategies),
            N=N,
            F=next(scales),
            Cr=next(rates),
            donors=rule,
            n=next(dimensions),
            budget=budget + (budget % N == 0),  # the last generation is cut
            rng=number,
            engine=engine,
        )


def adaptive():
    k = 8
    for a, adaptation in enumerate(ADAPTATIONS):
        mutations, rules = deck(DONORS, k, 10 + a), deck(RULES, k, 30 + a)
        strategies = islice(deck(STRATEGIES, 4 * k, 20), a * k, None)
        sizes, dimensions = deck((0, 20, 50, 100), k, 40 + a), deck((1, 2, 5, 30, 65), k, 50 + a)
        for number in range(k):
            mutation, rule = next(mutations) if number % 2 else "current-to-pbest/1", next(rules)
            yield measured(
                f"plain {adaptation}",
                mutation=mutation,
                crossover=("bin", "exp")[number % 3 == 2],
                strategy=next(strategies),
                N=max(next(sizes), smallest(mutation, rule)),
                F=0.5,
                Cr=(0.5, 0.9)[number % 2],
                donors=rule,
                adaptation=adaptation,
                n=next(dimensions),
                budget=(1503, 2999)[number % 2],
                rng=100 + number,
                engine="plain",
            )


def variants_of_algorithm_1():
    """Dismissed trials without a second evaluation, populations that stay, mutants that are repaired."""
    usual = {"mutation": "rand/1", "crossover": "bin", "N": 20, "F": 0.7, "Cr": 0.9, "n": 30, "budget": 5001}
    for k, engine in enumerate(["plain", "fast"] * 2):
        others = usual | {"crossover": ("bin", "exp")[k // 2], "N": (20, 5)[k // 2], "rng": 200 + k, "engine": engine}
        yield measured("dismiss", strategy="dismiss", **others | {"reevaluate": False})
        yield measured("dismiss", strategy="dismiss", **others | {"reevaluate": False, "mutation": "best/1"})
        yield measured("frozen", strategy="saturation", **others | {"frozen": True})
        yield measured("frozen", strategy="penalty", **others | {"frozen": True, "mutation": "best/2", "n": 2})
        for strategy in MUTANTS:
            yield measured("mutant", strategy=strategy, **others | {"repair": "mutant", "n": (30, 3)[k // 2]})
    on_plain = {"repair": "mutant", "rng": 210, "engine": "plain"}
    for mutation, adaptation in [*((mutation, "fixed") for mutation in ONLY_PLAIN), ("current-to-pbest/1", "JADE")]:
        for strategy in ("project-base", "resample"):
            others = usual | on_plain | {"mutation": mutation, "adaptation": adaptation, "n": 4}
            yield measured("mutant", strategy=strategy, **others)
    for strategy, mutation in (("dismiss", "current-to-pbest/1"), ("resample", "current-to-rand/1")):
        others = usual | {"mutation": mutation, "reevaluate": strategy != "dismiss", "rng": 211, "engine": "plain"}
        yield measured("dismiss", strategy=strategy, **others | {"adaptation": "SHADE", "n": 3})


def edges():
    """Boxes, checkpoints, traces, budgets that end with the first generations, large populations."""
    usual = {"mutation": "rand/1", "crossover": "exp", "strategy": "toroidal", "N": 20, "F": 0.5, "Cr": 0.99}
    usual |= {"n": 3, "budget": 3001}
    box = [[-5.0, 5.0], [0.1, 0.30000000000000004], [-1e-3, 1e6]]
    for k, engine in enumerate(("plain", "fast")):
        here = usual | {"engine": engine, "rng": 300 + k}
        yield measured("box", **here | {"box": box})
        yield measured("box", **here | {"box": box, "strategy": "saturation", "mutation": "best/1", "N": 5})
        yield measured("box", **here | {"box": [[-1.0, 3.0]], "n": 1, "strategy": "COTN"})
        for checkpoints in ([0.5], [0.001, 0.1, 0.5, 0.999], []):
            yield measured("checkpoints", **here | {"checkpoints": checkpoints})
        for budget in (20, 21, 39, 40, 41):
            yield measured("short", **here | {"budget": budget})
        yield measured("trace", **here | {"trace": True})
        yield measured("trace", **here | {"trace": True, "strategy": "saturation", "N": 5, "n": 30, "budget": 9973})
        yield measured("trace", **here | {"trace": True, "mutation": "current-to-best/1", "box": box})
        for N in (333, 1100):
            yield measured("large N", **here | {"N": N, "budget": 4001, "n": 5})
            yield measured("large N", **here | {"N": N, "budget": 4001, "mutation": "best/2", "donors": "not-parents"})
    for adaptation in ADAPTATIONS:
        here = usual | {"engine": "plain", "rng": 310, "adaptation": adaptation, "mutation": "current-to-pbest/1"}
        yield measured("trace", **here | {"trace": True, "budget": 1503})
        yield measured("box", **here | {"box": box, "strategy": "midpoint-target", "donors": "not-target"})
    long = {"N": 5, "n": 30, "engine": "fast", "rng": 320, "budget": 100_001}
    for k, (crossover, Cr) in enumerate((("exp", 0.99), ("bin", 0.3), ("exp", 0.4), ("bin", 1.0))):
        here = usual | long | {"crossover": crossover, "Cr": Cr, "strategy": COMPONENTS[k]}
        yield measured("long", **here)
        yield measured("long", **here | {"N": 20, "mutation": "current-to-best/1", "donors": "not-target", "F": 0.3})


def runs_on_f0():
    fast = [mutation for mutation in DONORS if mutation not in ONLY_PLAIN]
    return [
        *spread("plain", list(DONORS), 6, (501, 997, 1503, 2999)),
        *spread("fast", fast, 8, (3001, 9973, 29_999)),
        *adaptive(),
        *variants_of_algorithm_1(),
        *edges(),
    ]


# minimize and Optimizer

RECIPES = ("debox", "jDE", "JADE", "SHADE", "L-SHADE")
CLASSIC = (
    *("DE/rand/1/bin", "DE/best/2/exp", "DE/curr-to-rand/1/bin", "DE/rand/2/bin", "DE/best/1/exp"),
    *("DE/curr-to-best/1/bin", "DE/curr-to-best/2/exp", "DE/rand-to-best/1/bin", "DE/rand-to-best/2/exp"),
    *("DE/curr-to-pbest/1/exp", "DE/curr-to-pbest/1/bin", "DE/curr-to-rand/1/exp"),
)
FORMS = ("python", "numpy", "numba")
FUNCTIONS = ("sphere", "valley", "stairs", "hole", "cliff")
SQUARE = [[0.0, 1.0]]
BOUNDS = {1: SQUARE, 2: [[-0.5, 2.0], [0.25, 0.75]], 5: [[-5.0, 5.0], *SQUARE * 3, [0.1, 3.0]], 33: SQUARE * 33}
PER_VARIABLE = {
    1: ["exp-center"],
    2: ["toroidal", "mirror"],
    5: ["saturation", "COTN", "saturation", "rand-base", "exp-target"],
    33: list(islice(cycle(COMPONENTS), 33)),
}


def run(kind, group, variant, *, n, strategy, **others):
    """A line; what is not said is that of the tables above, and written down, too."""
    usual = {"N": 20, "F": 0.5, "Cr": 0.9, "budget": 501, "donors": "not-target", "repair": "trial"}
    usual |= {"init": None, "target": None, "rng": ["PCG64", 0], "fun": "sphere", "form": "python"}
    line = {"kind": kind, "group": group, "variant": variant, "bounds": BOUNDS[n], "strategy": strategy}
    line |= usual | others
    named = {strategy} if isinstance(strategy, str) else set(strategy)
    line["libm"] = not LIBM.isdisjoint({variant, *named})
    return line


def minimized():
    k = 8
    cards = {
        "strategy": deck((*STRATEGIES, "per variable"), k * len(RECIPES) + 3 * len(CLASSIC), 60),
        "fun": deck(FUNCTIONS, k * len(RECIPES) + 3 * len(CLASSIC), 61),
        "n": deck((2, 5, 5, 1, 33), k * len(RECIPES) + 3 * len(CLASSIC), 62),
        "N": deck((7, 10, 20, 31), k * len(RECIPES) + 3 * len(CLASSIC), 63),
        "donors": deck(RULES, k * len(RECIPES) + 3 * len(CLASSIC), 64),
        "F": deck((0.3, 0.5, 0.8, 1.0), k * len(RECIPES) + 3 * len(CLASSIC), 65),
        "Cr": deck((0.0, 0.5, 0.9, 1.0), k * len(RECIPES) + 3 * len(CLASSIC), 66),
    }
    variants = [*((recipe, k) for recipe in RECIPES), *((classic, 3) for classic in CLASSIC)]
    for variant, each in variants:
        for number in range(each):
            one = {name: next(values) for name, values in cards.items()}
            if one["strategy"] == "per variable":
                one["strategy"] = PER_VARIABLE[one["n"]]
            others = {"form": FORMS[number % 3], "rng": ["PCG64", number], "budget": (501, 803)[number % 2]}
            yield run("minimize", f"minimize {variant if variant in RECIPES else 'classic'}", variant, **one | others)


def minimized_in_all_forms():
    for variant in (*RECIPES, "DE/rand/1/bin", "DE/curr-to-pbest/1/exp"):
        for form in FORMS:
            strategy = PER_VARIABLE[5] if variant == "L-SHADE" else "mirror"
            yield run("minimize", f"form {form}", variant, n=5, strategy=strategy, form=form, fun="valley", budget=701)


def minimized_otherwise():
    """Mutants that are repaired, targets, first points that are given, other generators, the smallest populations."""
    for k, strategy in enumerate(MUTANTS):
        for variant in ("DE/rand/1/exp", "DE/curr-to-rand/1/bin", "jDE", "SHADE"):
            others = {"repair": "mutant", "form": FORMS[k % 3], "fun": FUNCTIONS[k % 3], "rng": ["PCG64", k]}
            yield run("minimize", "minimize mutant", variant, n=5, strategy=strategy, **others)
    for k, variant in enumerate((*RECIPES, "DE/rand/1/bin")):
        others = {"budget": 2001, "target": (0.01, 0.1)[k % 2], "form": FORMS[k % 3], "rng": ["PCG64", 7]}
        yield run("minimize", "minimize target", variant, n=5, strategy="mirror", **others)
    grid = [[(3 * i % 8) / 8 + 0.0625, 0.25 + (5 * i % 8) / 16] for i in range(8)]
    for k, variant in enumerate(("debox", "JADE", "DE/best/1/bin")):
        others = {"N": 8, "init": grid, "form": FORMS[k], "donors": "distinct"}
        yield run("minimize", "minimize init", variant, n=2, strategy="toroidal", **others)
    for k, name in enumerate(("MT19937", "Philox", "SFC64", "PCG64DXSM")):
        for variant in ("L-SHADE", "DE/rand/1/bin"):
            yield run("minimize", "minimize rng", variant, n=5, strategy="uniform", rng=[name, k], form=FORMS[k % 3])
    for variant, N in (("DE/rand/1/bin", 4), ("DE/curr-to-pbest/1/bin", 3), ("jDE", 4), ("L-SHADE", 4), ("SHADE", 3)):
        yield run("minimize", "minimize small N", variant, n=5, strategy="reflect-random", N=N, budget=201)
        yield run("minimize", "minimize small N", variant, n=1, strategy="project-base", N=N, budget=N + 1)


def conversations():
    variants = (*RECIPES, "DE/rand/1/bin", "DE/best/2/exp", "DE/curr-to-rand/1/bin")
    strategies = deck(("penalty", "none", "resample", "dismiss", *COMPONENTS[:12]), 2 * len(variants), 70)
    strategies_of_saved = deck(("penalty", "none", "resample", *COMPONENTS[1:]), 3 * len(variants), 71)
    for k, variant in enumerate(variants):
        for asks in (1, 3):
            others = {"n": (5, 2)[asks == 3], "strategy": next(strategies), "fun": FUNCTIONS[(k + asks) % 5]}
            yield run("ask", "ask", variant, asks=asks, rng=["PCG64", k], **others)
        for after, asked in ((0, True), (3, True), (6, False)):
            others = {"n": (5, 2)[k % 2], "strategy": next(strategies_of_saved), "fun": FUNCTIONS[(k + after) % 5]}
            stopped = {"after": after, "asked": asked}
            rng = [("PCG64", "MT19937", "SFC64", "Philox")[k % 4], k]
            yield run("saved", "saved", variant, saved=stopped, rng=rng, **others)


SAVED = {  # files of saved optimizers, with how they were made: points wait for values
    "optimizer.npz": ("L-SHADE", "midpoint-target", "valley"),
    "optimizer-jade.npz": ("JADE", "reflect-random", "stairs"),
    "optimizer-classic.npz": ("DE/rand/1/bin", ["toroidal", "mirror", "saturation", "uniform", "mirror"], "sphere"),
}


def saved_optimizers():
    for name, (variant, strategy, fun) in SAVED.items():
        line = run("saved", "loaded", variant, n=5, strategy=strategy, fun=fun, rng=["PCG64", 31])
        opt = optimizer(line, generator(line))
        converse(opt, objective(fun, "python")[0], generations=6)
        opt.ask()
        opt.save(HERE / name)
        yield {"kind": "loaded", "group": "loaded", "file": name, "fun": fun, "form": "python", "libm": line["libm"]}


# A store

STUDY = {
    "name": "golden",
    "seed": 31,
    "dimension": [2, 33],
    "budget": "100 n",
    "mutation": ["rand/1", "current-to-best/1"],
    "crossover": "exp",
    "strategy": ["saturation", "dismiss"],
    "N": 5,
    "F": 0.7,
    "Cr": 0.9,
    "donors": "not-target",
    "reevaluate": [True, False],
    "frozen": False,
    "repair": "trial",
    "adaptation": ["fixed", "jDE"],
    "engine": "auto",
    "checkpoints": THIRDS,
    "grid": "printed",
}


def make_store():
    """Half of the configurations with all their runs and, with one strategy, two of three of every other."""
    debox.run(debox.Study(**STUDY, runs=2), HERE / "store", only="strategy=dismiss", workers=1)
    debox.run(debox.Study(**STUDY, runs=3), HERE / "store", shard="1/2", workers=1)
    with tempfile.TemporaryDirectory() as folder:
        whole = debox.run(debox.Study(**STUDY, runs=3), Path(folder, "whole"), workers=1)
        write("store.jsonl", rows_of(whole))
        copy = shutil.copytree(HERE / "store", Path(folder, "copy"))
        half = len(debox.open_store(copy).finished())
        assert rows_of(resumed(copy)) == rows_of(whole)
        print(f"store: {half} of {len(whole.finished())} runs are done")


def write(name, lines):
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    (HERE / name).write_text(text, "utf-8")
    print(f"{name}: {len(text) // 1000} kB")


def with_results(lines):
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            yield {**line, "gives": replay(line, Path(folder))}


def main():
    assert FOLDER == HERE
    files = {
        "libm.json": lambda: write("libm.json", [libm()]),
        "measure.jsonl": lambda: write("measure.jsonl", with_results(runs_on_f0())),
        "minimize.jsonl": lambda: write("minimize.jsonl", with_results(runs_of_minimize())),
        "store": make_store,
    }
    for name, make in files.items():
        if (HERE / name).exists():
            print(f"{name} is there, and golden runs never change")
        else:
            make()


def runs_of_minimize():
    talks = (minimized(), minimized_in_all_forms(), minimized_otherwise(), conversations(), saved_optimizers())
    return list(chain(*talks))


if __name__ == "__main__":
    main()
