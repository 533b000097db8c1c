"""Write data/paper.npz, which wheels carry, from data/paper.parquet: python docs/write_counts.py"""

from paper_study import DATA

import debox
from debox.store import counts

if __name__ == "__main__":
    counts.write(DATA.with_suffix(".npz"), debox.open_store(DATA))
