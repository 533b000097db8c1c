"""What a measurement holds: of any configuration, box, checkpoints and engine."""

import numpy as np
import pytest
from commands import run_python
from measurements import TEXT, arrays, every_engine

import debox


@every_engine
@pytest.mark.parametrize(
    ("text", "n", "budget"),
    [
        ("DE/rand/1/bin sat, N=3, F=0.5, Cr=0.5", 1, 200),
        ("DE/best/1/exp tor, N=2, F=2, Cr=1", 1, 201),
        ("DE/rand/2/exp mirr, N=5, F=2, Cr=0", 2, 203),
        ("DE/curr-to-best/1/bin COTN, N=2, F=0.05, Cr=0", 65, 99),
        ("DE/rand/1/bin dism, N=7, F=2, Cr=1, reevaluate=False", 3, 500),
        ("DE/curr-to-best/1/exp dism, N=4, F=1, Cr=1, donors=not-parents", 2, 333),
        ("DE/rand/2/bin sat, N=150, F=1, Cr=0.5", 2, 1000),
        ("DE/best/1/bin tor, N=5, F=0.5, Cr=0.5, frozen=True", 17, 64),
    ],
)
def test_odd_configurations_are_measured(text, n, budget, engine):
    m = debox.measure(text, n=n, budget=budget, runs=11, engine=engine)
    assert np.all((m.pois >= 0) & (m.pois <= 1 - m.config.N / budget))
    assert np.all((m.best_x >= 0) & (m.best_x <= 1))
    assert np.all((m.accepted == 0) == m.config.frozen)
    assert len(set(m.best_f.tolist())) == 11


def test_runs_of_a_population_that_shrinks_are_the_same_with_and_without_a_trace():
    """N = max(4, ⌊36 + (4 − 36) · evaluations/400 + ½⌋)"""
    traced, plain = (debox.measure("L-SHADE", n=2, budget=400, runs=3, trace=trace) for trace in (True, False))
    assert arrays(traced) == arrays(plain)
    seen = traced.trace
    assert plain.trace is None
    assert plain.engine == "plain"
    assert (seen.evaluations[0], seen.evaluations[-1]) == (36, 400)
    assert np.all(np.diff(seen.evaluations) > 0)
    sizes = np.maximum(4, np.floor(36 + (4 - 36) * seen.evaluations / 400 + 0.5))
    assert np.all(seen.distinct[:, 1:] <= sizes[1:])
    assert np.all(seen.distinct[:, 0] == 36)
    assert seen.evaluations[1] == 36 + 36  # the first generation: nobody has left yet
    # 108 is asked for: the second generation has ⌊36 − 32 · 72/400 + ½⌋ = ⌊30.74⌋ and ends at 102, the third ⌊28.34⌋
    assert seen.evaluations[2] == 72 + 30 + 28
    assert (seen.infeasible[:, -1] / 400).tolist() == traced.pois.tolist()


def test_another_process_measures_the_same():
    script = f"import debox; print(debox.measure({TEXT!r}, n=3, budget=500, runs=3, rng=11).pois.tolist())"
    result = run_python(script, check=True)
    assert result.stdout.strip() == str(debox.measure(TEXT, n=3, budget=500, runs=3, rng=11).pois.tolist())
