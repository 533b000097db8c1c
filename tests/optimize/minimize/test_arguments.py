"""Arguments: wrong ones are named, operators may be given instead of their names."""

from dataclasses import replace

import numpy as np
import pytest
from objectives import BOUNDS, compiled_squares, squares

from debox import Optimizer, minimize, registry


def argument(value):
    """A test's id: the names of the wrong arguments."""
    return " ".join(value) if isinstance(value, dict) else ""


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"bounds": [(0, 1), (0, np.nan)]}, r"bounds\[1\] = \(0.0, nan\): both must be finite and lower < upper"),
        ({"bounds": [(2, 1)]}, r"bounds\[0\] = \(2.0, 1.0\): both must be finite and lower < upper"),
        ({"bounds": 5}, r"bounds must be a sequence of \(lower, upper\) pairs, got 5"),
        (
            {"N": 2},
            "N must be an integer ≥ 3, got 2: current-to-pbest/1 needs 2 distinct donors besides the target",
        ),
        ({"N": 4, "variant": "DE/rand/2/bin"}, "N must be an integer ≥ 5, got 4: rand/2 needs 5 distinct donors"),
        ({"N": 20.0}, r"N must be an integer ≥ 3, got 20\.0"),
        ({"F": 0}, "F must be a number with 0 < F ≤ 2, got 0"),
        ({"Cr": 1.1}, r"Cr must be a number with 0 ≤ Cr ≤ 1, got 1\.1"),
        ({"budget": 19, "N": 20}, "budget must be an integer ≥ 20, got 19: N = 20 points start the run"),
        ({"budget": 1e5, "N": 20}, r"budget must be an integer ≥ 20, got 100000\.0"),
        (
            {"budget": 2, "variant": "DE/rand/1/bin"},
            "^budget must be an integer ≥ 3, got 2: rand/1 needs 3 distinct donors$",
        ),
        (
            {"budget": 8, "init": np.full((9, 3), 0.5)},
            "^budget must be an integer ≥ 9, got 8: the 9 points of init start",
        ),
        ({"target": np.nan}, "target must be .*finite.*, got nan"),
        ({"rng": -1}, "rng must be an integer ≥ 0, a numpy Generator or None, got -1"),
        ({"rng": "lucky"}, "rng must be an integer ≥ 0, a numpy Generator or None, got 'lucky'"),
        ({"init": np.zeros((9, 2))}, r"init must have shape \(N, 3\), got \(9, 2\)"),
        ({"init": np.zeros((9, 3))}, r"init\[0\].*outside"),  # 0 < 0.25
        ({"init": np.full((9, 3), 0.5), "N": 10}, "init has 9 points, but N = 10"),
        (
            {"init": np.full((2, 3), 0.5), "variant": "DE/rand/1/bin"},
            "^the number of points in init must be an integer ≥ 3, got 2: rand/1 needs 3",
        ),
        (
            {"variant": "DE/rand/9/bin"},
            r"unknown mutation 'rand/9'; did you mean 'rand/[12]'\? choose from rand/1",
        ),
        ({"variant": "rand1bin"}, "'rand1bin' does not read as DE/mutation/crossover, e.g. 'DE/rand/1/bin'"),
        ({"variant": None}, "variant None does not read as DE/mutation/crossover"),
        ({"strategy": "rand1bin"}, "that is a DE variant: pass it as variant='DE/rand/1/bin'"),
        ({"strategy": "torodial"}, r"unknown strategy 'torodial'; did you mean 'toroidal'\? choose from saturation"),
        ({"strategy": ["mirror"]}, r"strategy must be one name or one per variable \(3\), got 1"),
        ({"strategy": ["mirror", "dism", "sat"]}, "'dismiss' repairs the whole trial: it cannot be mixed"),
        ({"donors": "nottarget"}, r"unknown donors 'nottarget'; did you mean 'not-target'\? choose from distinct"),
    ],
    ids=argument,
)
def test_wrong_settings_are_errors_that_name_the_argument_the_value_and_what_is_allowed(wrong, message):
    settings = {"bounds": BOUNDS} | wrong
    with pytest.raises(ValueError, match=message):
        minimize(squares, **settings)
    with pytest.raises(ValueError, match=message):
        Optimizer(**settings)


def test_a_keyword_of_scipy_is_a_type_error_that_says_what_to_use():
    with pytest.raises(TypeError, match=r"^unknown option 'popsize'; use N, the size of the whole population$"):
        minimize(squares, BOUNDS, popsize=15)
    with pytest.raises(TypeError, match=r"^unknown option 'maxiter'; use budget"):
        Optimizer(BOUNDS, maxiter=100)
    with pytest.raises(TypeError, match=r"^unknown option 'workers'; choose from bounds, variant, .*, target$"):
        Optimizer(BOUNDS, workers=2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"fun": 3}, "fun must be callable, got 3"),
        ({"workers": 0}, "workers must be an integer ≥ 1, -1 for all cores or a map-like callable, got 0"),
        ({"callback": 3}, "callback must be callable, got 3"),
        ({"callback": lambda xk, convergence: None}, r"callback must take one argument.*got \(xk, convergence\)"),
        ({"vectorized": "yes"}, "vectorized must be True or False, got 'yes'"),
        ({"disp": "no"}, "disp must be True or False, got 'no'"),
        ({"fun": compiled_squares, "args": ("s",)}, "Numba cannot compile the objective 'squares' with its args: No"),
        ({"fun": compiled_squares, "args": ("s",), "disp": True}, "Numba cannot compile the objective 'squares' with"),
        ({"fun": lambda X: X, "vectorized": True}, r"\(3, 20\), one column per point, .* S = 20 values, got shape"),
        ({"fun": lambda X: X[0, 1:], "vectorized": True}, r"must return S = 20 values, got shape \(19,\)"),
        ({"fun": lambda x: x}, r"the objective must return a number, got an array of shape \(3,\)"),
    ],
    ids=argument,
)
def test_what_is_wrong_about_the_objective_is_an_error(wrong, message):
    with pytest.raises(ValueError, match=message):
        minimize(**{"fun": squares, "bounds": BOUNDS, "N": 20, "budget": 40} | wrong)


@pytest.mark.parametrize("donors", ["distinct", "not-target", "not-parents"])
@pytest.mark.parametrize("n", [1, 10])
def test_the_registry_is_asked_once_for_each_operator(monkeypatch, n, donors):
    asked, find = [], registry.find
    monkeypatch.setattr(registry, "find", lambda slot, name: (asked.append(slot), find(slot, name))[1])
    minimize(squares, [(-1, 1)] * n, "DE/rand/1/bin", strategy="tor", donors=donors, budget=100, rng=1)
    assert sorted(asked) == ["adaptation", "crossover", "donors", "mutation", "strategy"]
    asked.clear()
    minimize(squares, [(-1, 1)] * n, strategy=["mirror"] * n, donors=donors, budget=100, rng=1)
    assert sorted(asked) == ["adaptation", "crossover", "donors", "mutation", "strategy"]


def test_operators_instead_of_their_names_do_the_same_run():
    mirror, toroidal = (registry.find("strategy", name) for name in ("mirror", "toroidal"))
    donors = registry.find("donors", "not-target")
    box = [(-1, 1)] * 2
    for operators, names in [
        (toroidal, "tor"),
        ([mirror, toroidal], ["mirr", "tor"]),
        ([mirror, "tor"], ["mirr", "tor"]),
    ]:
        given, named = (
            minimize(squares, box, strategy=strategy, donors=rule, budget=100, rng=1)
            for strategy, rule in [(operators, donors), (names, "not-target")]
        )
        assert given.population.tolist() == named.population.tolist()
    unregistered = replace(mirror, name="mine", short="mine")
    for strategy in (unregistered, [mirror, unregistered]):
        with pytest.raises(ValueError, match=r"^strategy 'mine' is not registered; call debox\.register"):
            minimize(squares, box, strategy=strategy)
