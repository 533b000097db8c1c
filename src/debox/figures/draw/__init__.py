"""Records become matplotlib artists, one module per kind of figure; `by_type` chooses. The home of matplotlib."""

try:
    import matplotlib  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"figures need matplotlib ({error}): pip install 'debox[figures]'") from error
