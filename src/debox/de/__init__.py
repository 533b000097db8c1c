"""Differential Evolution itself: the operators and Algorithm 1. Knows NumPy, and Numba through `jit`; nothing else."""
