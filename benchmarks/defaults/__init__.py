"""The default of `minimize` against other solvers: chosen on ten problems, judged on 34 others."""


def report() -> None:
    """Do the runs that are not done, and write docs/defaults.md."""
    from benchmarks.defaults.__main__ import report

    report()
