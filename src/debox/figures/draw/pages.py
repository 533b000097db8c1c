"""Panels side by side in ink."""

from __future__ import annotations

from matplotlib.figure import Figure

from debox.figures.data.edpois import EdpoisPanel
from debox.figures.data.pages import Page
from debox.figures.draw.edpois import edpois_panel

ATLAS = 0.6  # size of its marks


def panel(figure: Figure, record: EdpoisPanel) -> None:
    """One panel, alone."""
    edpois_panel(figure.add_subplot(), record)


def comparison(figure: Figure, page: Page) -> None:
    """Panels in one row, F named at the left."""
    for k, record in enumerate(page.rows[0]):
        edpois_panel(figure.add_subplot(1, len(page.rows[0]), k + 1), record, left=k == 0)


def atlas_page(figure: Figure, page: Page) -> None:
    """Panels in rows and columns, F named at the left and Cr below."""
    figure.suptitle(page.title, size="medium")
    axes, last = figure.subplots(len(page.rows), len(page.rows[0]), squeeze=False), len(page.rows) - 1
    for i, records in enumerate(page.rows):
        for j, record in enumerate(records):
            edpois_panel(axes[i, j], record, left=j == 0, bottom=i == last, marks=ATLAS)
