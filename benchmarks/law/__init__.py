"""Has the fast f0 engine the law of the plain one? `python -m benchmarks.law` asks thoroughly, tests/slow/law briefly."""
