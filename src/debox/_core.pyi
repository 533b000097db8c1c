"""The C core: Algorithm 1 and the fast engine on f0. Runs are passed by their addresses (loop.py, f0/tables.py)."""

ADDRESSES: dict[str, int]  # of the C functions of debox's own operators, and of two distributions
SIZE: int  # bytes of a Run
FAST_SIZE: int  # bytes of a Fast
DIGEST: str  # of the sources that it was compiled from

def propose(address: int, /) -> int:
    """Make the trials of the next generation; their number, 0 if the run is over, -1 if an operator failed."""

def select(address: int, /) -> int:
    """Take the values of the trials; the number of marks that were passed, -1 if an operator failed."""

def advance(run: int, fast: int, until: int, ms: float, /) -> bool:
    """Advance a run on f0 until it has done `until` evaluations or for so many ms; is there more to do?

    `fast` is the address of the tables of the fast engine, 0 for Algorithm 1, which does whole generations.
    """

def use(width: str, /) -> str:
    """Choose the instructions of the fast engine: "avx512", "avx2" or "baseline"; returns those used before."""
