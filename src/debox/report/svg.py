"""An SVG file as part of a page: without what only files have, and with ids of its own."""

from __future__ import annotations

import re

LARGEST = 1.25  # times its own size


def inline(svg: str, name: str) -> str:
    """The <svg> element: ids that begin with the figure's name, numbers of two decimals, the size of the page."""
    element = svg[svg.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'(<svg\b[^>]*?) width="([\d.]+)pt" height="[^"]*"', fit_to_page, element, count=1)
    element = re.sub(r"<style[^>]*>\*\{(.*?)\}</style>", rf"<style>#{name} *{{\1}}</style>", element)
    element = element.replace("<svg ", f'<svg id="{name}" ', 1)
    return round_coordinates(prefix_ids(element, name))


def fit_to_page(opening: re.Match[str]) -> str:
    """As wide as there is room, but letters do not grow beyond reason."""
    return f'{opening[1]} style="max-width: {LARGEST * float(opening[2]):.0f}pt"'


def prefix_ids(svg: str, name: str) -> str:
    """Every id, and every reference to one, with the name in front, so that several figures share a page."""
    ids = set(re.findall(r'\bid="([^"]+)"', svg)) - {name}
    svg = re.sub(r'\bid="([^"]+)"', lambda m: f'id="{prefix_id(m[1], name, ids)}"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", lambda m: f"url(#{prefix_id(m[1], name, ids)})", svg)
    return re.sub(r'href="#([^"]+)"', lambda m: f'href="#{prefix_id(m[1], name, ids)}"', svg)


def prefix_id(own: str, name: str, ids: set[str]) -> str:
    return f"{name}-{own}" if own in ids else own


def round_coordinates(svg: str) -> str:
    """Coordinates of paths with two decimals: a hundredth of a point is not seen."""
    return re.sub(r'(?<= d=")[^"]+', lambda m: re.sub(r"(\.\d\d)\d+", r"\1", m[0]), svg)
