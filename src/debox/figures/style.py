"""Colours, sizes and the two styles: `paper` for a journal's page, `screen` for slides and web pages.

Matplotlib is imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from debox.edpois import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
else:
    Axes = Figure = Any  # for annotations: Matplotlib is imported where something is drawn

TEAL, ORANGE, VIOLET = (COLOURS[name] for name in ("teal", "orange", "violet"))
BLUE = "#0000ff"
GREY = "#999999"

SHARED: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine draws the same letters
    "mathtext.fontset": "dejavusans",
    "axes.unicode_minus": True,
    "pdf.fonttype": 42,  # whole TrueType fonts: text stays text
    "svg.fonttype": "path",  # letters as outlines: needs no font on the reader's machine
    "svg.hashsalt": "debox",  # the same figure gives the same file
    "figure.facecolor": "white",
    "axes.titlesize": "medium",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.size": 2,
    "ytick.major.size": 2,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
}
PAPER = {"font.size": 7, "axes.linewidth": 0.5, "lines.linewidth": 1, "patch.linewidth": 0.5, "savefig.dpi": 300}
SCREEN = {"font.size": 10, "axes.linewidth": 0.8, "lines.linewidth": 1.5, "patch.linewidth": 0.8, "savefig.dpi": 144}
STYLES = {"paper": (SHARED | PAPER, 1.0), "screen": (SHARED | SCREEN, 1.4)}  # settings, enlargement

FOOTER_LETTER = 0.47  # the width of a footer's letter, on average, as a share of the font's size


@contextmanager
def in_style(style: str, *, in_pyplot: bool = False) -> Iterator[None]:
    """Draw and save within: matplotlib's own defaults, then the style's, whatever the user has set."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"figures need matplotlib ({error}): pip install 'debox[figures]'") from error

    if not isinstance(style, str) or style not in STYLES:
        raise ValueError(f"style must be one of {', '.join(STYLES)}, got {style!r}")
    if in_pyplot:
        import matplotlib.pyplot as plt

        plt.draw_if_interactive()  # type: ignore[no-untyped-call]  # loads its backend: what that sets must stay
    settings: Any = STYLES[style][0]
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        yield


def empty_figure(
    size: tuple[float, float], style: str = "paper", footer: str = "", *, in_pyplot: bool = False
) -> Figure:
    """A figure of this size in inches (on paper); the footer has a strip of its own, of several lines if it is long.

    In pyplot, `plt.show()` and notebooks show it; otherwise it has no global state.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    width, height = (length * STYLES[style][1] for length in size)
    letters = matplotlib.rcParams["font.size"] / 72
    lines = lines_of(footer, int(width / (letters * FOOTER_LETTER)))
    strip = (0.4 + 1.1 * len(lines)) * letters / height if footer else 0
    layout = ConstrainedLayoutEngine(rect=(0, strip, 1, 1 - strip))
    if in_pyplot:
        figure = pyplot_figure(figsize=(width, height), layout=layout)
    else:
        figure = Figure(figsize=(width, height), layout=layout)
        FigureCanvasAgg(figure)
    if footer:
        low = 1.5 / 4 * letters / height
        figure.text(0.99, low, "\n".join(lines), size="small", color="0.35", ha="right", va="bottom")
    return figure


def pyplot_figure(**settings: Any) -> Figure:
    """A figure that `plt.show()` shows, and a notebook once: as the value of a cell, or of pyplot, not as both."""
    import matplotlib.pyplot as plt  # slow to import, and not for the commands

    figure = plt.figure(**settings)
    if "inline" in plt.get_backend():
        figure._ipython_display_ = partial(display_once, figure)  # type: ignore[attr-defined]
    return figure


def display_once(figure: Any) -> None:
    """Take a figure out of pyplot, whose figures a notebook shows at the end of the cell, and display it."""
    import matplotlib.pyplot as plt
    from IPython.display import display

    del figure._ipython_display_
    dpi = figure.dpi
    plt.close(figure)
    figure.set_dpi(dpi)  # closing a figure may restore the first one
    display(figure)


def lines_of(facts: str, most: int) -> list[str]:
    """Facts separated by commas in lines of at most so many letters; a single fact is not divided."""
    first, *others = facts.split(", ")
    lines = [first]
    for fact in others:
        longer = f"{lines[-1]}, {fact}"
        lines[-1:] = [longer] if len(longer) < most else [f"{lines[-1]},", fact]
    return lines


def free_area(figure: Figure) -> tuple[float, float, float, float]:
    """The part of a figure (left, bottom, width, height) that is free for drawing."""
    engine = figure.get_layout_engine()
    rect: tuple[float, float, float, float] = engine.get()["rect"] if engine else (0, 0, 1, 1)
    return rect


def legend_below(figure: Figure, handles: Sequence[Any], columns: int) -> None:
    """Put the key at the bottom of the free area, which becomes smaller."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    left, bottom, width, height = free_area(figure)
    look: dict[str, Any] = {"ncols": columns, "frameon": False, "fontsize": "small"}
    legend = figure.legend(
        handles=handles, loc="lower center", bbox_to_anchor=free_area(figure), borderaxespad=0, **look
    )
    used = legend.get_window_extent().height / figure.bbox.height
    figure.set_layout_engine(ConstrainedLayoutEngine(rect=(left, bottom + used, width, height - used)))


def readable_colour_on(colour: Sequence[float]) -> str:
    """White for letters and marks on a dark colour (red, green, blue), black on a light one."""
    return "white" if 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] < 0.5 else "black"


def title_with_note(title: str, note: str) -> str:
    """A title, with what is missing in brackets."""
    return f"{title} ({note})" if note else title


def font_size() -> float:
    """The size of letters, in points."""
    import matplotlib

    return float(matplotlib.rcParams["font.size"])


def thin() -> float:
    """The width of a frame or a grid line, in points."""
    import matplotlib

    return float(matplotlib.rcParams["axes.linewidth"])
