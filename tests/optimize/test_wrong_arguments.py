"""Wrong arguments of `minimize` and `Optimizer`: the error names the argument, its value and what is allowed."""

import numpy as np
import pytest
from objectives import BOUNDS, squares

from debox import Optimizer, minimize

NAN_BOUNDS, HALVES = [(0, 1), (0, np.nan)], np.full((9, 3), 0.5)
WORKERS = "^workers must be an integer ≥ 1, -1 for all cores or a map-like callable, got "
RNG = "^rng must be an integer ≥ 0, a numpy Generator or None, got "

# call, wrong arguments, message
WRONG = [
    ("both", {"bounds": NAN_BOUNDS}, r"bounds\[1\] = \(0\.0, nan\): both must be finite and lower < upper"),
    ("both", {"bounds": [(0, 1), (0, None)]}, r"pairs of finite numbers, got \[\(0, 1\), \(0, None\)\]$"),
    ("both", {"bounds": [(2, 1)]}, r"bounds\[0\] = \(2\.0, 1\.0\): both must be finite and lower < upper"),
    ("both", {"bounds": 5}, r"bounds must be a sequence of \(lower, upper\) pairs of finite numbers, got 5"),
    ("both", {"N": 2}, "N must be an integer ≥ 3, got 2: current-to-pbest/1 needs 2 distinct donors besides"),
    ("both", {"N": 4, "variant": "DE/rand/2/bin"}, "N must be an integer ≥ 5, got 4: rand/2 needs 5 distinct donors"),
    ("both", {"N": 20.5}, r"^N must be an integer ≥ 3, got 20\.5$"),
    ("both", {"F": 0}, "F must be a number with 0 < F ≤ 2, got 0"),
    ("both", {"Cr": 1.1}, r"Cr must be a number with 0 ≤ Cr ≤ 1, got 1\.1"),
    ("both", {"budget": 19, "N": 20}, "budget must be an integer ≥ 20, got 19: N = 20 points start the run"),
    ("both", {"budget": 20.5, "N": 20}, r"^budget must be an integer ≥ 20, got 20\.5$"),
    ("both", {"budget": 8, "init": HALVES}, "^budget must be an integer ≥ 9, got 8: N = 9 points start"),
    ("both", {"budget": 2**60 + 1}, rf"budget must be at most {2**60} evaluations, got {2**60 + 1}"),
    ("both", {"target": np.nan}, "^target must be .*finite.*, got nan"),
    ("both", {"target": "low"}, "^target must be .*finite.*, got 'low'"),
    ("both", {"n_trials": 99}, "^unknown option 'n_trials'; use budget, a number of evaluations$"),
    ("both", {"tol": -1e-9}, r"^tol must be a number with 0 ≤ tol \(or None, or 'auto'\), got -1e-09"),
    ("both", {"tol": "never"}, "^tol must be a number .*, got 'never'"),
    ("both", {"rng": -1}, RNG + "-1"),
    ("both", {"rng": "lucky"}, RNG + "'lucky'"),
    ("both", {"init": np.zeros((9, 2))}, r"init must have shape \(N, 3\), got \(9, 2\)"),
    ("both", {"init": np.zeros((9, 3))}, r"init\[0\].*outside"),  # 0 < 0.25
    ("both", {"init": HALVES, "N": 10}, "init has 9 points, but N = 10"),
    ("both", {"init": HALVES[:2], "variant": "DE/rand/1/bin"}, "^N must be an integer ≥ 3, got 2: rand/1"),
    ("both", {"variant": "DE/rand/9/bin"}, r"unknown mutation 'rand/9'; did you mean 'rand/[12]'\? choose from rand/1"),
    ("both", {"variant": "rand1bin"}, "'rand1bin' does not read as DE/mutation/crossover, e.g. 'DE/rand/1/bin'"),
    ("both", {"variant": None}, "variant None does not read as DE/mutation/crossover"),
    ("both", {"variant": "SHADE tor"}, r"variant 'SHADE tor' .* \(strategy, .* are given apart\), .*you mean 'SHADE'"),
    ("both", {"strategy": "rand1bin"}, "that is a DE variant: pass it as variant='DE/rand/1/bin'"),
    ("both", {"strategy": "torodial"}, r"unknown strategy 'torodial'; did you mean 'toroidal'\? choose from satur"),
    ("both", {"strategy": ["mirror"]}, r"strategy must be one name or one per variable \(3\), got 1"),
    ("both", {"strategy": ["mirror", "dism", "sat"]}, "'dismiss' repairs the whole trial: it cannot be mixed"),
    ("both", {"donors": "nottarget"}, r"unknown donors 'nottarget'; did you mean 'not-target'\? choose from distinct"),
    ("both", {"popsize": 15}, "^unknown option 'popsize'; use N, the size of the whole population$"),
    ("both", {"maxiter": 100}, "^unknown option 'maxiter'; use budget"),
    ("Optimizer", {"polish": True}, "^unknown option 'polish'; only minimize polishes$"),
    ("Optimizer", {"checkpoint": "run.npz"}, "^unknown option 'checkpoint'; use save and load$"),
    ("Optimizer", {"workers": 2}, "^unknown option 'workers'; choose from bounds, variant, .*, tol$"),
    ("minimize", {"fun": 3}, "^fun must be callable, got 3"),
    ("run", {"fun": None}, "^fun must be callable, got None"),
    *[("minimize", {"workers": workers}, f"{WORKERS}{workers!r}$") for workers in (0, -2, 1.5, "two", None, True)],
    ("minimize", {"workers": 0, "vectorized": True}, WORKERS + "0$"),
    ("minimize", {"callback": 3}, "^callback must be callable, got 3"),
    ("minimize", {"vectorized": "yes"}, "^vectorized must be True or False, got 'yes'"),
    ("minimize", {"disp": "no"}, "^disp must be True or False, got 'no'"),
    ("minimize", {"verbose": 1}, "^unknown option 'verbose'; use disp$"),
    ("minimize", {"n_jobs": 4}, "^unknown option 'n_jobs'; use workers$"),
    ("minimize", {"timeout": 9}, "^unknown option 'timeout'; use time_limit, in seconds$"),
    ("minimize", {"time_limit": 0}, "^time_limit must be a number with seconds > 0, got 0$"),
    ("minimize", {"time_limit": "1 h"}, "^time_limit must be a number with seconds > 0, got '1 h'$"),
    ("minimize", {"on_interrupt": "stop"}, "^on_interrupt must be one of return, raise, got 'stop'$"),
    ("minimize", {"on_error": np.nan}, "^on_error must be one of raise, nan, got nan$"),
    ("minimize", {"fun": lambda x: x}, r"^the objective must return a number, got an array of shape \(3,\)"),
    ("minimize", {"fun": lambda x: np.ma.masked}, "^the objective must return a number, .*: masked values are"),
    ("minimize", {"workers": lambda f, X: map(f, X[1:])}, r"must give 20 values, one per point, got shape \(19,\)"),
    ("params", {"x": [1, 2]}, r"^x must be one point, of 3 numbers, got shape \(2,\)$"),
    ("vectorised", {"fun": lambda X: X}, r"\(3, 20\), one column per point, .* S = 20 values, got shape \(3, 20\)"),
    ("vectorised", {"fun": lambda X: X[0, 1:]}, r"must return S = 20 values, got shape \(19,\)"),
    ("vectorised", {"fun": lambda X: X[:1].T}, r"must return S = 20 values, got shape \(20, 1\)"),
    ("vectorised", {"fun": lambda X: X[0] * 1j}, "^the objective must return numbers"),
    ("vectorised", {"fun": lambda X: np.ma.array(X[0], mask=X[0] > 0)}, "(?s)^the objective must .*masked values"),
]
CALLS = {
    "minimize": lambda fun=squares, **options: minimize(fun, **{"N": 20, "budget": 40} | options),
    "vectorised": lambda fun, **options: minimize(fun, N=20, budget=40, vectorized=True, **options),
    "Optimizer": Optimizer,
    "params": lambda bounds, x: Optimizer(bounds).params(x),
    "run": lambda fun, **options: Optimizer(**options).run(fun),
}


@pytest.mark.parametrize(("call", "wrong", "message"), WRONG, ids=[" ".join(given) for _, given, _ in WRONG])
def test_a_wrong_argument_is_named_with_its_value_and_what_is_allowed(call, wrong, message):
    for name in ("minimize", "Optimizer") if call == "both" else (call,):
        run = CALLS[name] if call != "both" or name == "Optimizer" else lambda **options: minimize(squares, **options)
        with pytest.raises(TypeError if "unknown option" in message else ValueError, match=message):
            run(**{"bounds": BOUNDS} | wrong)
