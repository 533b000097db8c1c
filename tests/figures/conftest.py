"""Tables made by hand."""

import numpy as np
import pytest

from debox.config import Config


def build(*configurations):
    """A table from ("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", [POIS of run 0, of run 1, …]) pairs."""
    rows = []
    for text, pois in configurations:
        config = Config(text)
        for run, value in enumerate(pois):
            rows.append({**vars(config), "n": 30, "budget": 300_000, "run": run, "pois": value})
    names = rows[0] if rows else [*vars(Config("DE/rand/1/exp sat, N=5, F=1, Cr=1")), "n", "budget", "run", "pois"]
    columns = {name: [row[name] for row in rows] for name in names}
    text = ("mutation", "crossover", "strategy", "donors")
    return {name: np.array(values, dtype=object if name in text else None) for name, values in columns.items()}


@pytest.fixture
def table():
    return build


@pytest.fixture
def layered():
    """layered(ax, a, b, …): is each of these artists drawn over those before it?"""

    def over(ax, *artists):
        drawn = sorted(ax.get_children(), key=lambda artist: artist.zorder)  # as matplotlib does
        places = [drawn.index(artist) for artist in artists]
        return places == sorted(places)

    return over
