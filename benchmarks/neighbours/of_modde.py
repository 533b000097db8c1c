"""What modde has."""

import tempfile
import warnings

import modde
from ioh import ProblemClass, get_problem

from benchmarks.neighbours import BUDGET, YES, Slope, absent, count_strategies, n, refuses

OPTIONS = modde.Parameters.__annotations__
PARAMETERS = " ".join(OPTIONS)


def ask_and_tell(**options) -> tuple[Slope, modde.AskTellDE]:
    slope = Slope()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        de = modde.AskTellDE(n, budget=BUDGET, lambda_=20, seed=1, **options)
        while de.parameters.used_budget < BUDGET:
            x = de.ask()
            de.tell(x, slope(x))
    return slope, de


def strategies() -> str:
    return count_strategies(ask_and_tell(bound_correction=one)[0] for one in OPTIONS["bound_correction"])


def one_for_each_variable() -> str:
    each = ["mirror", "toroidal", "saturate"]
    return refuses(lambda: ask_and_tell(bound_correction=each), ValueError, "Unknown|truth|should be")


def linear() -> object:
    """A problem of ioh whose minimum is in a corner."""
    return get_problem(5, 1, n, ProblemClass.BBOB)


def counts_infeasible() -> str:
    de = modde.ModularDE(linear(), budget=BUDGET, init_stats=True, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a cosine of zero vectors
        de.run()
    assert 0 < de.parameters.stats.corr_so_far < BUDGET
    return YES


def adaptive() -> str:
    """Those that leave individuals with values of F of their own."""
    tried = {
        "jDE": {"adaptation_method_F": "jDE", "adaptation_method_CR": "jDE"},
        "SHADE": {"adaptation_method_F": "shade", "adaptation_method_CR": "shade", "use_archive": True},
    }
    tried["L-SHADE"] = tried["SHADE"] | {"lpsr": True}
    for name, options in tried.items():
        parameters = ask_and_tell(**options)[1].parameters
        assert len({*parameters.F}) > 3
        assert (parameters.lambda_ < 20) == (name == "L-SHADE")
    return ", ".join(tried)


def asks_and_tells() -> str:
    assert len(ask_and_tell()[0].points) == BUDGET
    return YES


def resumes() -> str:
    """A run whose parameters are saved goes on as an undisturbed one."""
    whole = modde.ModularDE(linear(), budget=BUDGET, seed=1, inialize_custom_pop=True, lambda_=20)
    whole.initialize_population()
    for _ in range(9):
        whole.step()
    with tempfile.NamedTemporaryFile() as file:
        whole.parameters.save(file.name)
        half = modde.ModularDE(linear(), parameters=modde.Parameters.load(file.name))
    for de in (whole, half):
        for _ in range(9):
            de.step()
    assert (whole.parameters.population.x == half.parameters.population.x).all()
    return YES


def variables() -> str:
    return absent("integ|categor|period|vtype|discrete|log", PARAMETERS)


def constraints() -> str:
    return absent("constr", PARAMETERS)
