"""The version of debox, the day of its release, and where it is public."""

from __future__ import annotations

__version__ = "0.1.0"
RELEASED = "2026-11-18"


def public_address(of: str) -> str:
    """The address of "Source", "Documentation" or "Changelog", from the package's metadata; empty if there is none."""
    from importlib.metadata import PackageNotFoundError, metadata  # reads the package's files: not for `import debox`

    try:
        named = metadata("debox").get_all("Project-URL") or []
    except PackageNotFoundError:  # run without being installed
        return ""
    return next((address for name, _, address in (entry.partition(", ") for entry in named) if name == of), "")
