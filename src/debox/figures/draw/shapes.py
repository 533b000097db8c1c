"""Outlines of rectangles and the crosses that stand for what is missing."""

from __future__ import annotations

Polyline = list[tuple[float, float]]


def rectangle(left: float, right: float, low: float, high: float) -> Polyline:
    """The four corners, from the lower left one against the clock."""
    return [(left, low), (right, low), (right, high), (left, high)]


def diagonals(corners: Polyline) -> list[Polyline]:
    """The two lines of a cross over a rectangle: upward, then downward."""
    lower_left, lower_right, upper_right, upper_left = corners
    return [[lower_left, upper_right], [upper_left, lower_right]]
