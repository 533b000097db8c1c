"""How fast is debox, here and now: `python -m benchmarks` measures, prints tables and says which demands are met."""
