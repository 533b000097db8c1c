"""Figures as tests look at them; reports in which numbers stand in their place."""

from debox.figures.style import empty_figure, in_style


def ink(draw, *arguments):
    """The Axes of a new figure of 7 by 7 inches into which a figure is drawn, everything at its place."""
    with in_style("paper"):
        figure = empty_figure((7, 7))
        ax = draw(figure.add_subplot(), *arguments)
        figure.draw_without_rendering()
    return ax


def whole(page, style="screen"):
    """The figure of a page, with its key and footer."""
    with in_style(style):
        figure = page.figure(style)
        figure.draw_without_rendering()
    return figure


def tell_instead_of_drawing(monkeypatch):
    """Let reports hold each figure's numbers in words: a report draws a dozen figures, for two seconds."""
    monkeypatch.setattr("debox.report.contents", lambda page, *_: repr(page.numbers(*page.arguments)).encode())
