"""A name that is specialised means another kernel; without that it raises."""

from debox import jit
from debox.de.mutation import mutate


def test_formulas_of_one_name_that_do_something_else_are_kept_apart():
    """Else the machine code of the one, kept on disk, would be run for the other."""

    def formulas(shift):
        names = {"SHIFT": shift}
        exec("def mine(x, x_best, x_r1, x_r2, x_r3, x_r4, x_r5, F):\n    return x_r1 + SHIFT", names)
        return jit.specialise(mutate, formula=jit.kernel(names["mine"])).__qualname__

    assert formulas(0.0) == formulas(0.0)
    assert formulas(0.0) != formulas(1.0)
