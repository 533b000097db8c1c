"""I design a spring: its number of coils, its material, its wire by the decade, and the angle of its hook."""

import math

import debox

STEEL, BRASS, TITANIUM = "steel", "brass", "titanium"
STIFFNESS = {STEEL: 80e9, BRASS: 40e9, TITANIUM: 42e9}  # shear modulus, Pa
PRICE = {STEEL: 1, BRASS: 4, TITANIUM: 20}
DIAMETER = 0.02  # of the spring, m


def rate(coils, material, wire):
    """N/m"""
    return STIFFNESS[material] * wire**4 / (8 * DIAMETER**3 * coils)


def cost(p):
    """Cheap, 5 kN/m, few coils, and the hook at 170 degrees from the axis."""
    wrong_rate = math.log(rate(p["coils"], p["material"], p["wire"]) / 5000)
    return PRICE[p["material"]] + wrong_rate**2 + 0.1 * p["coils"] + 1 - math.cos(math.radians(p["hook"] - 170))


BOUNDS = {
    "coils": debox.Integer(4, 20),
    "material": debox.Choice([TITANIUM, BRASS, STEEL]),
    "wire": debox.Real(1e-5, 1e-1, log=True),
    "hook": debox.Periodic(-180, 180),
    "ends": debox.Fixed(2),
}


def test_a_design_has_integers_options_decades_and_angles():
    result = debox.minimize(cost, BOUNDS, named=True, budget=3000, rng=1)

    assert (result.params["coils"], result.params["material"], result.params["ends"]) == (4, STEEL, 2)
    assert isinstance(result.params["coils"], int)
    wire = (5000 * 8 * DIAMETER**3 * 4 / STIFFNESS[STEEL]) ** 0.25
    assert abs(result.params["wire"] / wire - 1) < 1e-3
    assert abs(result.params["hook"] - 170) < 0.1
    assert result.wraps[3] > 0
    assert result.walls.verdict == ("on the bound", "free", "free", "free", "fixed")


def test_a_design_is_tried_elsewhere_and_its_run_kept_in_a_file(tmp_path):
    """Parts are made and measured by somebody else, a batch a day."""
    file, opt = tmp_path / "run.npz", debox.Optimizer(BOUNDS, budget=2000, rng=2)
    while not opt.done:
        X = opt.ask()
        if opt.result.nit % 20 == 0:  # a weekend
            opt.save(file)
            opt = debox.Optimizer.load(file)
        opt.tell(X, [cost(opt.params(x)) for x in X])
    assert opt.result.params["material"] == STEEL
    assert opt.result.fun < 1.5
