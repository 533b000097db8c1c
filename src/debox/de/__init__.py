"""Differential Evolution itself: the operators and Algorithm 1. Knows NumPy and `debox.jit`, nothing else."""
