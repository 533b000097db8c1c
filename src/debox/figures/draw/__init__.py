"""Ink: records become matplotlib artists, one module per kind of figure. The only home of matplotlib."""

try:
    import matplotlib  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"figures need matplotlib ({error}): pip install 'debox[figures]'") from error
