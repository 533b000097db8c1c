"""Has the fast f0 engine the law of the plain one? `python -m benchmarks.law` asks at length, tests/slow in short."""
