"""Looks at figures."""

import pytest


@pytest.fixture
def layered():
    """layered(ax, a, b, …): is each of these artists drawn over those before it?"""

    def over(ax, *artists):
        drawn = sorted(ax.get_children(), key=lambda artist: artist.zorder)  # as matplotlib does
        places = [drawn.index(artist) for artist in artists]
        return places == sorted(places)

    return over
