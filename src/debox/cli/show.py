"""A Measurement as text: a small table and a histogram; or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from debox.edpois import BINS
from debox.f0.measure import Measurement

BAR = 40  # characters for all runs
EIGHTHS = " ▏▎▍▌▋▊▉"


def as_text(m: Measurement) -> str:
    """What `debox measure` prints."""
    runs = len(m.pois)
    low, quarter, median, three_quarters, high = m.quantiles()
    lines = [
        f"{m.config}",
        f"f0, n={m.n}, budget {m.budget}, {runs} runs, seed {m.seed}, {m.engine} engine",
        "",
        f"  POIS mean    {m.mean():.4f}    sd {m.pois.std(ddof=1) if runs > 1 else 0.0:.4f}",
        f"  quantiles    5% {low:.4f}  25% {quarter:.4f}  50% {median:.4f}  75% {three_quarters:.4f}  95% {high:.4f}",
        f"  range        {m.pois.min():.4f} to {m.pois.max():.4f}",
        "",
    ]
    for k, count in reversed(list(enumerate(m.histogram()))):
        interval = f"{'[' if k == 0 else '('}{k / BINS:.1f}, {(k + 1) / BINS:.1f}]"
        lines.append(f"  {interval} {bar(count / runs):<{BAR}} {count or '':>5}".rstrip())
    lines += ["", f"  colour {m.colour()}, {m.seconds:.2f} s of computing"]
    return "\n".join(lines)


def bar(share: float) -> str:
    """A bar of this share of BAR characters, to an eighth of one."""
    whole, eighths = divmod(round(share * BAR * 8), 8)
    return "█" * whole + EIGHTHS[eighths].strip()


def as_json(m: Measurement) -> str:
    """Everything a Measurement knows but its traces and best points."""
    facts = {
        "config": str(m.config),
        **asdict(m.config),
        "dimension": m.n,  # as in stores: SQL does not tell n from N
        "budget": m.budget,
        "runs": len(m.pois),
        "seed": m.seed,
        "engine": m.engine,
        "mean": m.mean(),
        "sd": float(m.pois.std(ddof=1)) if len(m.pois) > 1 else 0.0,
        "quantiles": dict(zip(("0.05", "0.25", "0.5", "0.75", "0.95"), m.quantiles().tolist(), strict=True)),
        "histogram": m.histogram().tolist(),
        "colour": m.colour(),
        "pois": m.pois.tolist(),
        "checkpoints": m.checkpoints,
        "pois_at": m.pois_at.tolist(),
        "accepted": m.accepted.tolist(),
        "best_f": m.best_f.tolist(),
        "seconds": m.seconds,
    }
    return json.dumps(facts)
