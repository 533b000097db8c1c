"""What cannot fit into memory is refused before it is tried: by an error with numbers, not by a machine at its end."""

from __future__ import annotations

from debox.check import physical_memory


def refuse_more_than_there_is(what: str, points: int, n: int) -> None:
    """Raise a MemoryError if so many points in n dimensions, which is the least that `what` takes, cannot be held."""
    needed, there_is = 8 * points * n, physical_memory()
    if needed > there_is:
        raise MemoryError(
            f"no memory for {what} in n = {n} dimensions: "
            f"it takes {in_gigabytes(needed)} or more, and this machine has {in_gigabytes(there_is)}"
        )


def in_gigabytes(size: float) -> str:
    return f"{size / 1e9:,.1f} GB"
