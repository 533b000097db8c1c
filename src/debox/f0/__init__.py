"""The random function f0: what it does to Differential Evolution, exactly."""
