"""What LLVM makes of the kernels; tests/slow/law/test_rounding.py says why that matters."""

from benchmarks.law.contraction import inspect_kernels

from debox import operators


def test_no_formula_is_compiled_with_contraction_and_one_that_were_would_be_seen():
    """With the options that all kernels have, by a test of tests/slow/law/test_rounding.py."""
    as_they_are, contracted = inspect_kernels("formulas")
    formulas = {operator.function.__name__ for operator in operators.in_slot("mutation")}
    assert {"scan", "outside_bits", *formulas} <= {name.split("[")[0] for name in as_they_are["kernels"]}
    assert sum(name.startswith("mutate") for name in as_they_are["kernels"]) == len(formulas)
    assert (as_they_are["may fuse"], as_they_are["fused"]) == ([], 0)
    assert as_they_are["products"] >= 6  # of the paper's four formulas, one or two each
    assert len(contracted["may fuse"]) == len(contracted["kernels"]) == 2  # the formula, the loop over components
    assert contracted["fused"] >= 2
