"""I fit a damped oscillation: lmfit's parameters by name, a starting guess, and a phase that is an angle."""

import numpy as np

import debox

TRUE = {"amplitude": 2.0, "decay": 0.3, "frequency": 5.0, "phase": 3.1}
T = np.linspace(0, 4, 80)


def model(p):
    return p["amplitude"] * np.exp(-p["decay"] * T) * np.cos(p["frequency"] * T + p["phase"])


DATA = model(TRUE) + 0.02 * np.random.default_rng(1).normal(size=T.size)


def chi_squared(p):
    return ((model(p) - DATA) ** 2).sum() / 0.02**2


def test_a_fit_finds_the_parameters_from_a_guess_at_the_wrong_end_of_the_angle():
    bounds = {
        "amplitude": (0, 10),
        "decay": debox.Real(1e-3, 10, log=True),
        "frequency": (0.1, 20),
        "phase": debox.Periodic(-np.pi, np.pi),
    }
    guess = {"amplitude": 1, "decay": 0.1, "frequency": 4.5, "phase": -3.0}
    result = debox.minimize(chi_squared, bounds, named=True, x0=guess, budget=4000, rng=1)

    assert result.success
    assert result.fun < T.size + 5 * np.sqrt(2 * T.size)  # chi², whose standard deviation is √(2 · 80)
    for name, value in TRUE.items():
        assert abs(result.params[name] - value) < 0.02, name
    assert result.walls.on() == []
