"""Differential Evolution for people with an objective: `minimize`, and `Optimizer` for ask and tell."""
