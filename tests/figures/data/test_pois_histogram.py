import debox
from debox.figures.data.pois_histogram import pois_histogram


def test_it_has_the_bins_and_the_colour_of_the_measurement():
    m = debox.measure("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", n=3, budget=1200, runs=7, rng=4)
    record = pois_histogram(m)
    assert record.counts == tuple(m.histogram())
    assert (record.runs, record.colour, record.mean) == (7, m.colour(), m.pois.mean())
    assert record.title == str(m.config)
    assert record.footer == "f0, n = 3, budget 1 200, 7 runs, seed 4"
