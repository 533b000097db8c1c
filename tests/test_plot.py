import subprocess
import sys

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import debox

TABLE = {
    "mutation": np.array(["rand/1"] * 4, dtype=object),
    "crossover": np.array(["exp"] * 4, dtype=object),
    "strategy": np.array(["saturation"] * 4, dtype=object),
    "N": np.array([5] * 4),
    "F": np.array([0.7, 0.7, 1.5, 1.5]),
    "Cr": np.array([0.5, 0.5, 0.5, 0.5]),
    "pois": np.array([0.2, 0.25, 0.9, 1.0]),
}
WHOLE = {
    **TABLE,
    "n": np.full(4, 30),
    "budget": np.full(4, 300),
    "pois_at_third": TABLE["pois"],
    "pois_at_two_thirds": TABLE["pois"],
}

DRAWINGS = {
    "edpois": lambda ax=None: debox.plot.edpois(TABLE, "DE/rand/1/exp sat", N=5, ax=ax),
    "strategy": lambda ax=None: debox.plot.strategy("mirr", ax=ax),
    "COTN": lambda ax=None: debox.plot.strategy("cotn", ax=ax),
    "thresholds": lambda ax=None: debox.plot.thresholds(ax=ax),
    "reading_key": lambda ax=None: debox.plot.reading_key(ax=ax),
    "sketch_3d": lambda ax=None: debox.plot.sketch_3d(ax=ax),
    "overview": lambda ax=None: debox.plot.overview(TABLE, ax=ax),
    "ribbons": lambda ax=None: debox.plot.ribbons(WHOLE, "DE/rand/1/exp", ax=ax),
    "contours": lambda ax=None: debox.plot.contours(TABLE, "rand/1", ax=ax),
    "life": lambda ax=None: debox.plot.life(WHOLE, "DE/rand/1/exp sat", N=5, ax=ax),
    "drift": lambda ax=None: debox.plot.drift(WHOLE, ax=ax),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_it_draws_into_the_given_axes_and_returns_them(name):
    ax = Figure().add_subplot()
    assert DRAWINGS[name](ax) is ax
    assert len(ax.lines) + len(ax.collections) > 0


@pytest.mark.parametrize("name", DRAWINGS)
def test_without_axes_it_makes_new_ones_that_can_be_saved(name, tmp_path):
    ax = DRAWINGS[name]()
    assert isinstance(ax, Axes)
    ax.figure.savefig(tmp_path / "figure.png", dpi=50)
    assert (tmp_path / "figure.png").stat().st_size > 500


def test_edpois_is_titled_as_the_paper_does():
    assert debox.plot.edpois(TABLE, "de/RAND/1/exp saturation", N=5).get_title() == "DE/rand/1/exp sat, N=5"


def test_edpois_says_what_a_study_still_lacks():
    ax = debox.plot.edpois(TABLE, "DE/rand/1/exp sat", N=5, study={"runs": 50, "F": [0.7, 1.5]})
    assert ax.get_title() == "DE/rand/1/exp sat, N=5\n2 of 50 runs"


def test_edpois_shows_the_dimension_asked_for():
    several = {**TABLE, "n": np.array([10, 10, 30, 30])}
    with pytest.raises(ValueError, match="the runs have n = 10, 30"):
        debox.plot.edpois(several, "DE/rand/1/exp sat", N=5)
    ax = debox.plot.edpois(several, "DE/rand/1/exp sat", N=5, n=30)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["1.5"]


def test_thresholds_takes_other_dimensions():
    ax = debox.plot.thresholds([1000, 2])
    assert [text.get_text() for text in ax.texts] == ["n = 2", "n = 1000"]


def test_ribbons_of_one_strategy_have_one_row_and_of_a_variant_a_row_each():
    study = {"strategy": ["sat", "tor"]}
    for variant, rows in (("DE/rand/1/exp", ["sat", "tor"]), ("DE/rand/1/exp tor", ["tor"])):
        texts = [text.get_text() for text in debox.plot.ribbons(WHOLE, variant, "Cr", study=study).texts]
        assert texts == ["F=0.7", "F=1.5", *rows]


def test_dismiss_has_no_graph():
    with pytest.raises(ValueError, match="one of saturation, toroidal, mirror, COTN, got 'dismiss'"):
        debox.plot.strategy("dism")


def test_without_matplotlib_a_message_says_how_to_get_it():
    code = "import sys; sys.modules['matplotlib'] = None; import debox; debox.plot.reading_key()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 1
    assert "pip install 'debox[figures]'" in result.stderr.splitlines()[-1]
