"""What minionpy's variants of Differential Evolution have."""

import inspect
import os
import pickle
import re
import tempfile
from typing import Any

import minionpy
from minionpy import Differential_Evolution

from benchmarks.neighbours import BOX, BUDGET, COUNTERS, Slope, absent, count_strategies, parameters, refuses
from debox import operators

MINIMIZERS = [
    one for one in vars(minionpy).values() if inspect.isclass(one) and issubclass(one, minionpy.MinimizerBase)
]
PARAMETERS = parameters(*MINIMIZERS) + " ".join(re.findall(r'"(\w+)"\s*:', inspect.getsource(minionpy.algorithms)))
WORDS = {"clip", "random", "reflect", "reflect-random", "periodic"}  # its documentation names the first four
ADAPTS = (
    r'"(memory_size|tau1|c)"\s*:|Adaptive[\w\s-]* Differential Evolution'  # an option of those that adapt, or prose
)


def run(minimizer: type, bounds: Any = BOX, **options: Any) -> tuple[Slope, Any, str]:
    """Points, the result and what C++ wrote to stderr."""
    slope = Slope()
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            run = minimizer(lambda X: [slope(x) for x in X], bounds, maxevals=BUDGET, seed=1, options=options)
            result = run.optimize()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        file.seek(0)
        return slope, result, file.read().decode()


def strategies() -> str:
    """Those among its own and debox's names that it knows: it falls back, and says so, for any other."""
    names = WORDS | {name for one in operators.in_slot("strategy") for name in (one.name, one.short) if name}
    found = [run(Differential_Evolution, bound_strategy=name) for name in sorted(names)]
    return count_strategies(slope for slope, _, written in found if "not recognized" not in written)


def one_for_each_variable() -> str:
    each = ["clip", "random", "reflect"]
    return refuses(lambda: run(Differential_Evolution, bound_strategy=each), TypeError, "incompatible")


def counts_infeasible() -> str:
    return absent(COUNTERS, " ".join(dir(run(Differential_Evolution)[1])))


def adaptive() -> str:
    found = [one for one in MINIMIZERS if re.search(ADAPTS, inspect.getsource(one))]
    assert all(run(one)[1].nfev for one in found)
    return ", ".join(one.__name__ for one in found)


def asks_and_tells() -> str:
    return absent(r"\bask|\btell", " ".join({name for one in MINIMIZERS for name in dir(one)}))


def resumes() -> str:
    absent("save|load|resume|checkpoint", PARAMETERS + " ".join({name for one in MINIMIZERS for name in dir(one)}))
    minimizer = Differential_Evolution(Slope(), BOX, maxevals=BUDGET)
    return refuses(lambda: pickle.dumps(minimizer.optimizer), TypeError, "cannot pickle")


def variables() -> str:
    refuses(lambda: run(Differential_Evolution, [("blue", "red")] * 3), TypeError, "incompatible")
    return absent("integ|categor|periodic|vtype|discrete|log", PARAMETERS)


def constraints() -> str:
    return absent("constr", PARAMETERS)
