"""Records drawn by themselves, as tests look at them."""

from debox.figures.draw import by_type
from debox.figures.draw.style import empty_figure, in_style


def draw_alone(record):
    """The Axes of a new figure of 7 by 7 inches into which a record is drawn, everything at its place."""
    with in_style("paper"):
        figure = empty_figure((7, 7))
        ax = by_type.draw_in(figure.add_subplot(), record)
        figure.draw_without_rendering()
    return ax
