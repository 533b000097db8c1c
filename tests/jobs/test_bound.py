"""My best point lies on a bound: debox says so, and how often trials went beyond."""

import debox


def drag(p):
    """The longer the better; the width has an optimum."""
    return (p["length"] - 3) ** 2 + (p["width"] - 1) ** 2


def test_a_bound_that_keeps_the_optimum_out_is_named_until_it_is_widened():
    narrow = debox.minimize(drag, {"length": (0, 2), "width": (0, 3)}, named=True, budget=1000, rng=1)
    assert narrow.params["length"] == 2 or 2 - narrow.params["length"] < 1e-6
    assert "length is on its upper bound 2.0" in narrow.message
    first, second = str(narrow.walls).splitlines()
    assert first.startswith("length sits on its upper bound 2.0; ")
    assert first.endswith("widen it if you can.")
    assert second == "width is free."
    below, above = narrow.infeasible_per_bound[0]
    assert above > 100 > below

    wide = debox.minimize(drag, {"length": (0, 4), "width": (0, 3)}, named=True, budget=1000, rng=1)
    assert wide.fun < 1e-6 < narrow.fun
    assert wide.walls.verdict == ("free", "free")
    assert "bound" not in wide.message
