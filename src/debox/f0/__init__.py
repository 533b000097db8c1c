"""The random function f0: measurements of Differential Evolution on it, and exact theory."""
