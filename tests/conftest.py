"""Hypothesis looks at the same examples on every machine and every day, and does not hold a clock against anyone."""

from hypothesis import settings

settings.register_profile("debox", derandomize=True, deadline=None, database=None)
settings.load_profile("debox")
