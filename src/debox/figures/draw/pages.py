"""Panels side by side in ink."""

from __future__ import annotations

from matplotlib.figure import Figure

from debox.figures.data.edpois import EdpoisPanel
from debox.figures.data.pages import Page
from debox.figures.draw.edpois import edpois_panel


def panel(figure: Figure, record: EdpoisPanel) -> None:
    """One panel, alone."""
    edpois_panel(figure.add_subplot(), record)


def comparison(figure: Figure, page: Page) -> None:
    """Panels in one row, F named at the left."""
    for k, record in enumerate(page.rows[0]):
        ax = edpois_panel(figure.add_subplot(1, len(page.rows[0]), k + 1), record)
        if k:
            ax.set(ylabel="", yticklabels=[])


def atlas_page(figure: Figure, page: Page) -> None:
    """Panels in rows and columns, without any labels but their titles."""
    axes = figure.subplots(len(page.rows), len(page.rows[0]), squeeze=False)
    for row, records in zip(axes, page.rows, strict=True):
        for ax, record in zip(row, records, strict=True):
            edpois_panel(ax, record, labels=False)
