"""A small picture of every strategy: a box, a trial outside it, and what the strategy makes of the trial."""

from html import escape

import numpy as np

from debox.operators.kinds import Strategy

LOWER, UPPER = np.zeros(2), np.ones(2)
TARGET, BASE, TRIAL = np.array([0.2, 0.55]), np.array([0.7, 0.3]), np.array([1.3, 1.18])
DRAWS = 40  # of a strategy that draws random numbers
SCALE, LEFT, TOP = 64, 8, 82  # pixels per unit, and where the lower left corner of the box is
WIDTH, HEIGHT = 104, 90


def repaired(strategy: Strategy, rng: np.random.Generator) -> np.ndarray:
    """The trial after the strategy; one that is drawn again comes from the donors' side of the base."""
    if strategy.redraws:
        points = rng.normal(BASE, 0.25, (99, 2))
        return next(point for point in points if (point == point.clip(LOWER, UPPER)).all())
    if strategy.whole:
        changed = TRIAL.copy()
        strategy.function(changed, TARGET, BASE, LOWER, UPPER, rng)
        return changed
    components = zip(TRIAL, TARGET, BASE, LOWER, UPPER, strict=True)
    return np.array([strategy.function(u, x, c, a, b, rng) for u, x, c, a, b in components])


def at(point: np.ndarray) -> tuple[str, str]:
    """Its pixels."""
    return f"{LEFT + SCALE * point[0]:.1f}", f"{TOP - SCALE * point[1]:.1f}"


def picture(strategy: Strategy) -> str:
    """One line of SVG, which takes its colours from the page."""
    rng = np.random.default_rng(1)
    ends = np.unique([repaired(strategy, rng) for _ in range(DRAWS)], axis=0)
    (tx, ty), (bx, by), (ux, uy) = at(TARGET), at(BASE), at(TRIAL)
    shapes = [
        f'<rect x="{LEFT}" y="{TOP - SCALE}" width="{SCALE}" height="{SCALE}" class="box"/>',
        f'<circle cx="{tx}" cy="{ty}" r="3" class="target"/>',
        f'<rect x="{float(bx) - 2.7:.1f}" y="{float(by) - 2.7:.1f}" width="5.4" height="5.4" class="base"/>',
    ]
    if len(ends) == 1 and not (strategy.penalises or strategy.leaves_outside):
        shapes.append(f'<path d="M{ux} {uy}L{" ".join(at(ends[0]))}" class="way"/>')
    shapes.append(f'<path d="M{ux} {uy}m-4-4l8 8m0-8l-8 8" class="trial"/>')
    if not strategy.penalises:
        size = 3.5 if len(ends) == 1 else 1.6
        shapes += ['<circle cx="{}" cy="{}" r="{}" class="end"/>'.format(*at(end), size) for end in ends]
    label = escape(f"{strategy.name}: {strategy.formula}").replace("|", "&#124;")  # which would end the cell of a table
    name = f'class="strategy" role="img" aria-label="{label}"'
    return f'<svg {name} viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">{"".join(shapes)}</svg>'
