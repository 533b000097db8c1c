"""The page's numbers are Python's: the packed study, its summaries, colours and exact chances."""

import numpy as np
import pytest
from adaptations import with_adaptations
from explorer_table import packed, table

from debox import Config, edpois, theory
from debox.analysis.runs import Runs
from debox.analysis.scale import TICKS, logit_like
from debox.explore.data import pack
from debox.figures.draw import overview, style


def run(modules, module, body, argument=None):
    return modules.evaluate(f"async (a) => {{ const m = await import('/{module}.js'); {body} }}", argument)


READ = """
    const { gunzip } = await import('/core.js'), study = new m.StoredStudy(a.header, await gunzip(a.counts))
    const all = Array.from({ length: study.cells }, (_, k) => k)
    return { counts: all.map((cell) => study.marks.map((_, k) => [...study.infeasible(cell, k)])),
             pois: all.map((cell) => [...study.pois(cell)]), values: all.map((cell) => study.valuesOf(cell)),
             back: all.map((cell) => study.cellOf(study.valuesOf(cell))), none: study.cellOf({ mutation: "other" }) }"""


@pytest.mark.parametrize("runs", [(2, 2, 2, 2), (3, 0, 1, 2)])
def test_the_page_reads_what_was_packed(modules, runs):
    rows = table(runs=runs)
    found = packed(rows, runs=max(runs))
    read = run(modules, "study", READ, {"header": found.header, "counts": found.counts})
    ends, begin = np.cumsum(runs), np.cumsum(runs) - runs
    counts = np.round(rows["pois"] * 60).astype(int)
    assert [cell[-1] for cell in read["counts"]] == [counts[b:e].tolist() for b, e in zip(begin, ends, strict=True)]
    assert [cell[0] for cell in read["counts"]] == [
        (counts[b:e] // 3).tolist() for b, e in zip(begin, ends, strict=True)
    ]
    assert [x for cell in read["pois"] for x in cell] == rows["pois"].tolist()
    assert [(v["F"], v["Cr"]) for v in read["values"]] == [(0.5, 0.1), (0.5, 0.9), (1.5, 0.1), (1.5, 0.9)]
    assert (read["back"], read["none"]) == ([0, 1, 2, 3], -1)


def test_counts_beyond_three_bytes_are_read(modules):
    budget, counts = 2**33, [0, 1, 2**24, 2**32 - 1, 2**32, 2**33 - 6, 5, 6]
    found = packed(table(counts=counts, budget=budget), runs=2, budget=budget)
    read = run(modules, "study", READ, {"header": found.header, "counts": found.counts})
    assert [x for cell in read["counts"] for x in cell[-1]] == counts


def samples():
    """Samples of POIS: spread, near 0 and 1, on the borders of bins and colours, few."""
    rng = np.random.default_rng(1)
    spread = [rng.integers(0, 301, size) / 300 for size in (1, 2, 5, 10, 11, 49, 50)]
    near = [np.round(rng.random(50) * 0.002, 6), 1 - np.round(rng.random(50) * 0.02, 6), np.full(9, 0.001)]
    edges = [np.arange(11) / 10, np.array([0.999, 1.0]), np.array([0.99, 0.999]), np.array([0.001, 0.01])]
    return [*spread, *near, *edges]


def test_summaries_bins_and_colours_are_those_of_the_figures_to_the_last_bit(modules):
    body = "return a.map((pois) => [m.summarise(pois), m.histogram(pois), m.colourClass(pois)])"
    given = samples()
    for pois, (found, bins, colour) in zip(given, run(modules, "numbers", body, [*map(list, given)]), strict=True):
        low, median, high = np.quantile(pois, [0.05, 0.5, 0.95]).tolist()
        assert found == {"runs": len(pois), "low": low, "median": median, "high": high}
        assert bins == edpois.histogram(pois).tolist()
        assert colour == edpois.colour(pois)


def test_the_scale_and_its_colours_are_those_of_the_figures(modules):
    pois = [*TICKS, *np.linspace(0, 1, 500).tolist()]
    body = "return [a.map(m.logitLike), a.map(m.colourOf), m.CLASS_COLOURS, m.SCALE_TICKS, m.colourOf(NaN)]"
    places, colours, classes, ticks, none = run(modules, "numbers", body, pois)
    np.testing.assert_allclose(places, logit_like(pois), rtol=0, atol=1e-12)
    expected = overview.COLOURS((logit_like(pois) / 3 + 1) / 2)
    rgb = np.array([[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in colours])
    assert np.abs(rgb - 255 * expected[:, :3]).max() <= 0.5 + 1e-9
    assert (classes, tuple(ticks), none) == (style.COLOURS, TICKS, None)


CONFIGS = [
    "DE/rand/1/bin sat, N=5, F=0.7, Cr=0.3",
    "DE/rand/1/exp sat, N=3, F=2, Cr=1",
    "DE/rand/2/bin sat, N=5, F=0.05, Cr=0.99",
    "DE/rand/2/exp sat, N=100, F=1.35, Cr=0",
    "DE/best/1/bin sat, N=20, F=1, Cr=0.5",
    "DE/best/1/exp sat, N=4, F=0.9, Cr=0.5, donors=not-parents",
    "DE/curr-to-best/1/bin sat, N=5, F=1, Cr=0.5",
    "DE/curr-to-best/1/bin sat, N=5, F=0.5, Cr=0.5",
    "DE/curr-to-best/1/exp sat, N=20, F=1.99, Cr=0.9, donors=not-target",
    "DE/best/2/bin sat, N=6, F=0.6, Cr=0.5",
    "DE/curr-to-best/2/exp sat, N=7, F=0.8, Cr=0.5, donors=not-parents",
    "DE/rand-to-best/1/bin sat, N=5, F=1, Cr=0.5",
    "DE/rand-to-best/2/exp sat, N=8, F=0.4, Cr=0.9, donors=not-target",
]


@pytest.mark.parametrize("text", CONFIGS)
@pytest.mark.parametrize("n", [1, 30])
def test_the_chance_of_generation_1_is_the_exact_one(modules, text, n):
    config, budget = Config(text), 1000
    given = {name: getattr(config, name) for name in ("mutation", "crossover", "donors", "N", "F", "Cr")}
    found = run(modules, "numbers", "return m.exactStart(operators, a)", given | {"n": n, "budget": budget})
    assert found == pytest.approx(theory.frozen_pois(config, n, budget), rel=1e-8, abs=1e-10)


def test_a_study_of_several_adaptations_has_them_as_a_factor(modules):
    rows = with_adaptations(table(), fixed=0, SHADE=0)
    del rows["pois_at_third"], rows["pois_at_two_thirds"]
    rows["pois"][8:] = rows["pois"][7::-1]
    found = pack(Runs.of(rows))
    read = run(modules, "study", READ, {"header": found.header, "counts": found.counts})
    assert list(read["values"][0]) == ["mutation", "crossover", "strategy", "N", "adaptation", "F", "Cr"]
    assert [v["adaptation"] for v in read["values"]] == ["fixed"] * 4 + ["SHADE"] * 4
    assert [x for cell in read["pois"] for x in cell] == rows["pois"].tolist()
    assert read["back"] == list(range(8))
