"""What operators and panels are called, also where an operator is not installed."""

import pytest

from debox.analysis import names
from debox.analysis.names import Panel


@pytest.mark.parametrize("name", ["my-own/2", "x", "A9", "a-", "a" * 60])
def test_an_operator_that_is_not_installed_is_called_by_its_own_name(name):
    assert names.short("mutation", name) == name


def test_an_operator_that_is_installed_has_its_short_and_full_name():
    assert names.short("strategy", "saturation") == "sat"
    assert names.full_name(["my-own"], "strategy", "sat") == "saturation"
    assert names.full_name(["my-own"], "strategy", "my-own") == "my-own"
    with pytest.raises(ValueError, match="unknown strategy 'my-own'"):
        names.full_name([], "strategy", "my-own")


def test_a_panel_is_read_and_written_as_the_paper_writes_it():
    panel = Panel.of("de/current-to-best/1/BIN saturation", N=5)
    assert panel == ("current-to-best/1", "bin", "saturation", 5, "")
    assert panel.title == "DE/curr-to-best/1/bin sat, N=5"
    assert Panel.of("DE/rand/1/exp sat, adaptation=SHADE", 5).title == "DE/rand/1/exp sat, SHADE, N=5"
    text = "DE/rand/1/exp sat"
    assert Panel.of(f"{text}, N=5") == Panel.of(text, 5) == Panel.of(f"{text}, N=5", 5)


READ = "does not read as 'DE/mutation/crossover strategy'"
WRONG = [
    *(((text, 5), READ) for text in ("DE/rand/1/exp", "DE/rand/1/exp sat, F=0.7", "F=1")),
    (("DE/rand/1/exp sat",), "N is missing: write 'DE/rand/1/exp sat, N=5'"),
    (("DE/rand/1/exp sat, N=5", 6), "N is given twice: in 'DE/rand/1/exp sat, N=5' and as N=6"),
    (("DE/rand/1/exp sat", 0), "N must be an integer ≥ 1, got 0"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_what_is_not_a_panel_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Panel.of(*given)
