from itertools import pairwise

import numpy as np
import pytest

from debox import Choice, Fixed, Integer, Optimizer, Periodic, Real, minimize
from debox.optimize import polish

BOX = [(-5.0, 10.0)] * 5
WEIGHTS = 10.0 ** np.arange(0, 7.5, 1.5)
ROTATION = np.linalg.qr(np.random.default_rng(5).normal(size=(5, 5)))[0]


def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum(axis=0)


def ellipsoid(x):
    """The minimum is 1 at x_j = 2, the condition 10⁶."""
    return 1 + WEIGHTS @ (ROTATION @ (x.T - 2).T) ** 2


def rastrigin(x):
    """The minimum is 0 at x_j = 1; separable, with many others."""
    return (10 + (x - 1) ** 2 - 10 * np.cos(2 * np.pi * (x - 1))).sum(axis=0)


def counted(fun):
    """fun, which keeps the points that it was called with."""

    def call(x):
        call.points.append(x.copy())
        return fun(x)

    call.points = []
    return call


def medians(fun, budget, seeds=5, **options):
    """Median best values of 5 runs, polished and not."""
    runs = [
        [minimize(fun, BOX, budget=budget, rng=seed, polish=polish, **options).fun for seed in range(seeds)]
        for polish in ("auto", False)
    ]
    return np.median(runs, axis=1)


def test_the_constants_of_cma_es_by_hand_for_ten_variables():
    """By the formulas of table 1 of Hansen's tutorial, with a calculator: λ = 4 + ⌊3 ln 10⌋ = 10, w ∝ ln 5.5 − ln i"""
    lam, weights, *others = polish.cma_constants(10)
    assert lam == 10
    assert weights == pytest.approx([0.45627264690, 0.27075309700, 0.16223111716, 0.08523354710, 0.02550959184])
    mu_w, c_s, c_c, c_1 = 3.16729928141, 0.28442858795, 0.29499038304, 0.01528382452
    c_mu, damping, expected = 0.02015428276, 1.28442858795, 3.08472656517
    assert others == pytest.approx([mu_w, c_s, c_c, c_1, c_mu, damping, expected])


@pytest.mark.parametrize(("fun", "budget"), [(rosenbrock, 1000), (rosenbrock, 3000), (ellipsoid, 5000)])
def test_valleys_and_ill_conditioned_functions_are_minimised_further(fun, budget):
    polished, not_polished = medians(fun, budget)
    least = 1.0 if fun is ellipsoid else 0.0
    assert polished - least < (not_polished - least) / 100


def test_a_separable_function_with_many_minima_is_minimised_as_before():
    polished, not_polished = medians(rastrigin, 5000)
    assert not_polished < 1e-3
    assert polished < 1e-8


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("budget", [60, 333, 2000, 20_000])
@pytest.mark.parametrize("fun", [rosenbrock, ellipsoid, rastrigin])
def test_the_budget_is_not_exceeded_and_every_call_is_counted(fun, budget, seed):
    fun = counted(fun)
    result = minimize(fun, BOX, budget=budget, rng=seed)
    X = np.array(fun.points)
    assert result.nfev == len(X) <= budget
    assert 0 <= result.nfev_polish < budget
    assert result.pois == result.n_infeasible / (result.nfev - result.nfev_polish)
    assert ((X >= -5) & (X <= 10)).all()
    values = [fun(x) for x in X]
    assert result.fun == min(values) == result.population_energies.min()
    assert np.array_equal(result.x, X[np.argmin(values)])
    assert result.status in (0, 4)
    assert result.success


def test_an_oscillation_with_noise_is_fitted_with_2500_of_4000_evaluations():
    t, noise = np.linspace(0, 10, 200), np.random.default_rng(0)

    def curve(p):
        return p[0] * np.exp(-p[1] * t) * np.cos(p[2] * t + p[3])

    y = curve([1.3, 0.2, 2.1, 0.4]) + 0.05 * noise.standard_normal(200)
    bounds = [(0, 5), (0, 2), (0.1, 5), Periodic(-np.pi, np.pi)]
    fits = [minimize(lambda p: ((curve(p) - y) ** 2).sum(), bounds, budget=4000, rng=seed) for seed in range(3)]
    for fit in fits:
        assert fit.nfev < 3000
        assert (fit.status, fit.success) == (4, True)
        np.testing.assert_allclose(fit.x, [1.3, 0.2, 2.1, 0.4], atol=0.05)
    assert np.ptp([fit.fun for fit in fits]) < 1e-11


def test_only_the_variant_debox_is_polished_by_default_and_an_optimizer_never():
    for variant in ("L-SHADE", "SHADE", "JADE", "jDE", "DE/rand/1/bin"):
        result = minimize(rosenbrock, BOX, variant, budget=1500, rng=1)
        assert (result.nfev, result.nfev_polish) == (1500, 0)
    assert minimize(rosenbrock, BOX, budget=1500, rng=1).nfev_polish > 0
    optimizer = Optimizer(BOX, budget=1500, rng=1)
    optimizer.run(rosenbrock)
    alone = minimize(rosenbrock, BOX, budget=1500, rng=1, polish=False)
    assert optimizer.result.x.tolist() == alone.x.tolist()
    assert optimizer.result.nfev_polish == alone.nfev_polish == 0


def test_a_published_variant_is_polished_when_asked_for():
    polished = minimize(rosenbrock, BOX, "jDE", N=20, budget=3000, rng=1, polish=True)
    assert polished.nfev_polish > 0
    assert polished.fun < minimize(rosenbrock, BOX, "jDE", N=20, budget=3000, rng=1).fun / 1e3


@pytest.mark.parametrize("bounds", [[*BOX, Integer(0, 3)], [*BOX, Choice(["a", "b"])]], ids=["integer", "choice"])
def test_integers_and_choices_are_not_polished(bounds):
    result = minimize(lambda x: rosenbrock(x[:5]) + x[5], bounds, budget=2000, rng=1, tol=None)
    assert (result.nfev, result.nfev_polish) == (2000, 0)


@pytest.mark.parametrize(("n", "searches"), [(100, 2), (101, 1), (1000, 1), (1001, 0)])
def test_a_search_whose_cost_grows_with_the_square_of_n_is_left_out_where_there_are_many_variables(
    monkeypatch, n, searches
):
    done = []
    monkeypatch.setattr(polish.Finish, "cma_es", lambda self: done.append("CMA-ES"))
    monkeypatch.setattr(polish.Finish, "l_bfgs_b", lambda self: done.append("L-BFGS-B"))
    monkeypatch.setattr(polish, "sits_in_a_basin", lambda loop: True)
    minimize(lambda X: (X**2).sum(axis=0), [(-1, 2)] * n, budget=20 * n, rng=1, vectorized=True, tol=None)
    assert done == ["CMA-ES", "L-BFGS-B"][2 - searches :]


@pytest.mark.parametrize("noise", [1e-9, 1.0])
def test_a_noisy_objective_is_evaluated_again_and_not_polished(noise):
    rng = np.random.default_rng(3)
    result = minimize(lambda x: rosenbrock(x) + noise * rng.random(), BOX, budget=2000, rng=1, tol=None)
    assert (result.nfev, result.status) == (2000, 0)
    assert result.nfev_polish == (1 if noise == 1.0 else 2), "the smaller noise shows near the minimum"


@pytest.mark.filterwarnings("ignore:the objective returned NaN")
@pytest.mark.parametrize("late", [False, True])
def test_where_nan_was_returned_the_run_is_not_polished(late):
    calls = []

    def fails(x):
        calls.append(x)
        return np.nan if (len(calls) == 1500 if late else x[0] > 8) else rosenbrock(x)

    result = minimize(fails, BOX, budget=2000, rng=1, tol=None)
    assert result.n_nan > 0
    assert result.nfev_polish <= (1500 if late else 0)
    if not late:
        assert (result.nfev, result.status) == (2000, 0)
    assert result.fun == min(rosenbrock(x) for i, x in enumerate(calls, 1) if (i != 1500 if late else x[0] <= 8))


@pytest.mark.parametrize("seed", range(5))
def test_where_infeasible_points_are_infinite_differential_evolution_goes_on(seed):
    """L-BFGS-B ends at once: a step beyond x[0] = 2, where the minimum is, has no gradient."""
    result = minimize(lambda x: np.inf if x[0] < 2 else ((x - 1) ** 2).sum(), BOX, budget=3000, rng=seed, tol=None)
    assert 0 < result.nfev_polish < result.nfev == 3000
    assert result.status == 0
    assert result.fun - 1 < 1e-3


@pytest.mark.parametrize("steps", [1, 10])
def test_a_plateau_is_no_convergence(steps):
    result = minimize(lambda x: float(np.floor(steps * x[0])), [(-1.0, 2.0)] * 4, budget=2000, rng=1)
    assert (result.status, result.nfev) == (0, 2000)
    assert 0 < result.nfev_polish < 20


def test_a_smooth_function_with_an_offset_that_rounds_ends_as_converged():
    result = minimize(lambda x: 1e6 + ((x - 0.3) ** 2).sum(), [(-1.0, 2.0)] * 4, budget=4000, rng=1, tol=None)
    assert result.status == 4


def test_logarithms_periodic_and_fixed_variables_are_polished_as_they_are_searched():
    bounds = {"rate": Real(1e-6, 1, log=True), "turn": Periodic(0, 2), "fixed": Fixed(3), "x": (0, 1)}

    def cost(p):
        assert p["fixed"] == 3
        return (np.log(p["rate"]) + 5) ** 2 + 1 - np.cos(np.pi * (p["turn"] - 0.5)) + (p["x"] - 2) ** 2

    result = minimize(cost, bounds, named=True, budget=1500, rng=1)
    assert result.nfev_polish > 0
    assert result.params["x"] == 1, "L-BFGS-B lands on the bound"
    np.testing.assert_allclose([result.params["rate"], result.params["turn"]], [np.exp(-5), 0.5], rtol=1e-5)
    assert result.message.startswith("converged after")
    assert "x is on its upper bound 1" in result.message


@pytest.mark.parametrize("budget", [800, 3000])
def test_an_angle_is_followed_over_the_end_of_its_range(budget):
    """The minimum lies 0.001 before the upper end, most populations on both sides."""

    def cost(x):
        z = x - (np.pi - 0.001)
        return (1 - np.cos(z)).sum() + 1000 * (1 - np.cos(z[0] - z[1]))

    for seed in range(6):
        seen = counted(cost)
        result = minimize(seen, [Periodic(-np.pi, np.pi)] * 4, budget=budget, rng=seed)
        assert result.fun < 1e-7  # 5e-7 at the end of the range in one variable, 1e-6 in two
        assert (np.abs(seen.points) <= np.pi).all()


def test_history_goes_on_through_the_polish_with_the_values_of_its_evaluations():
    for budget in (777, 1000, 3000):
        fun = counted(rosenbrock)
        result = minimize(fun, BOX, budget=budget, rng=1)
        best = np.minimum.accumulate([rosenbrock(x) for x in fun.points])
        history, de = result.history, result.nfev - result.nfev_polish
        assert (history.evaluations[-1], history.fun[-1]) == (result.nfev, result.fun)
        assert (np.diff(history.evaluations) > 0).all()
        assert len(history) <= 102
        polished = history.evaluations > de + 2  # two evaluations of a check for noise are in between
        assert polished.sum() >= 10
        np.testing.assert_array_equal(history.fun[polished], best[history.evaluations[polished] - 1])
        assert (history.fun[~polished] >= best[de - 1]).all()
        np.testing.assert_array_equal(history.pois[polished], result.pois)


@pytest.mark.filterwarnings("ignore:the objective returned NaN")
def test_the_message_says_why_a_run_ends_before_its_budget():
    short = minimize(rosenbrock, BOX, budget=777, rng=1)
    assert (short.status, short.success, short.nfev) == (0, True, 774)
    assert short.message == "ended after 774 of 777 evaluations: a gradient takes more than the rest"
    spent = minimize(rosenbrock, BOX, budget=1000, rng=1)
    assert (spent.nfev, spent.message) == (1000, "the budget of 1000 evaluations is spent")

    calls = []

    def fails_late(x):
        calls.append(x)
        return np.nan if len(calls) > 430 else rosenbrock(x)

    failed = minimize(fails_late, BOX, budget=500, rng=1)
    assert failed.nfev == len(calls) == 500
    assert 30 < failed.nfev_polish < 100, "without a gradient Differential Evolution goes on"
    assert failed.n_nan == 70
    assert failed.message == "the budget of 500 evaluations is spent"


def test_the_points_of_a_gradient_are_evaluated_in_one_call():
    sizes, alone = [], minimize(rosenbrock, BOX, budget=3000, rng=1)

    def whole(X):
        sizes.append(X.shape[1])
        return rosenbrock(X)

    result = minimize(whole, BOX, budget=3000, rng=1, vectorized=True)
    assert sum(sizes) == result.nfev == alone.nfev
    assert sizes[-1] == 6
    assert result.x.tolist() == alone.x.tolist()
    by_workers = minimize(rosenbrock, BOX, budget=3000, rng=1, workers=map)
    assert by_workers.x.tolist() == alone.x.tolist()


def test_a_callback_that_ends_the_run_before_the_polish_leaves_it_out():
    stopped = minimize(ellipsoid, BOX, callback=lambda now: now.nit == 3, budget=2000, rng=1)
    assert (stopped.status, stopped.nit, stopped.nfev_polish) == (2, 3, 1)  # is fun noisy?


@pytest.mark.parametrize("fun", [rosenbrock, rastrigin], ids=["CMA-ES", "L-BFGS-B"])
def test_target_callback_and_interrupt_end_the_polish(fun):
    options = {"budget": 3000, "rng": 1}
    seen = []
    whole = minimize(fun, BOX, callback=seen.append, **options)
    assert all(later.fun <= earlier.fun for earlier, later in pairwise(seen))
    polishing = [now for now in seen if now.nfev_polish > 1]
    middle = polishing[len(polishing) // 2]
    stopped = minimize(fun, BOX, callback=lambda now: now.nfev >= middle.nfev, **options)
    assert (stopped.status, stopped.nfev, stopped.fun) == (2, middle.nfev, middle.fun)
    reached = minimize(fun, BOX, target=middle.fun, **options)
    assert (reached.status, reached.success) == (1, True)
    assert reached.nfev <= middle.nfev
    calls = []

    def interrupted(x):
        calls.append(x)
        if len(calls) > middle.nfev:
            raise KeyboardInterrupt
        return fun(x)

    result = minimize(interrupted, BOX, **options)
    assert (result.status, result.nfev, result.fun) == (5, middle.nfev, middle.fun)
    assert whole.fun <= middle.fun


def test_an_error_of_the_objective_in_the_polish_carries_the_result_so_far():
    calls = []

    def raises(x):
        calls.append(x)
        if len(calls) > 2000:
            raise ZeroDivisionError
        return rosenbrock(x)

    with pytest.raises(ZeroDivisionError) as caught:
        minimize(raises, BOX, budget=3000, rng=1)
    result = caught.value.result
    assert 0 < result.nfev_polish < result.nfev <= 2000
    assert result.fun == min(map(rosenbrock, calls[: result.nfev]))


def test_one_variable_and_small_budgets_work():
    for budget in range(8, 120, 7):
        result = minimize(lambda x: (x[0] - 0.3) ** 2, [(0, 1)], budget=budget, rng=1)
        assert result.nfev <= budget
    assert abs(result.x[0] - 0.3) < 1e-6
    assert minimize(rosenbrock, BOX, budget=200, N=100, rng=1).nfev_polish <= 1


@pytest.mark.parametrize("wrong", [None, 1, "yes"])
def test_polish_is_true_false_or_auto(wrong):
    with pytest.raises(ValueError, match=rf"^polish must be True, False or 'auto', got {wrong!r}$"):
        minimize(rosenbrock, BOX, polish=wrong)


def test_a_checkpoint_holds_a_run_that_is_not_polished(tmp_path):
    with pytest.raises(ValueError, match=r"^polish=True cannot go with a checkpoint"):
        minimize(rosenbrock, BOX, polish=True, checkpoint=tmp_path / "run.npz")
    assert minimize(rosenbrock, BOX, budget=500, rng=1, checkpoint=tmp_path / "run.npz").nfev_polish == 0
