"""An objective for points in rows, and optimizers that are driven by it."""


def f(X):
    """The squared distance of every row to one point."""
    return ((X - [0.9, 0.1, 5.0]) ** 2).sum(axis=1)


def drive(optimizer, generations=None):
    """Ask and tell so many generations, or until it is done; gives the optimizer."""
    while not optimizer.done and generations != 0:
        X = optimizer.ask()
        optimizer.tell(X, f(X))
        generations = None if generations is None else generations - 1
    return optimizer
