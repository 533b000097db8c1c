"""The sentences that a report begins with, on made-up runs with known numbers."""

import re
from itertools import product

import numpy as np
import pytest
from adaptations import with_adaptations

from debox.analysis.runs import Runs
from debox.report.answers import answers, percent

SAT, MIRR = ("rand/1", "exp", "saturation", 5), ("rand/1", "exp", "mirror", 5)
# medians: 0.3, 0.1 at F = 0.5; 0.7, 0.9 at F = 1.5; mirror the same, but it does not fall at F = 0.5
CELLS = {
    (*SAT, 0.5, 0.7): [0.299, 0.3, 0.301], (*SAT, 0.5, 0.99): [0.099, 0.1, 0.101],
    (*SAT, 1.5, 0.7): [0.699, 0.7, 0.701], (*SAT, 1.5, 0.99): [0.899, 0.9, 0.901],
    (*MIRR, 0.5, 0.7): [0.299, 0.3, 0.301], (*MIRR, 0.5, 0.99): [0.299, 0.3, 0.301],
    (*MIRR, 1.5, 0.7): [0.699, 0.7, 0.701], (*MIRR, 1.5, 0.99): [0.899, 0.9, 0.901],
}  # fmt: skip


def answers_of(runs):
    return answers(runs, ["holds", "holds", "not testable", "holds in part", "does not hold", "open"])


@pytest.fixture
def three(made):
    return answers_of(Runs.of(made(CELLS, budget=100_000)))


def test_how_often_counts_configurations_and_names_the_largest_F_that_keeps_half(three):
    often = three[0]
    assert often.sentence.startswith(
        "In 50 % of 8 configurations at least half of all trials leave the box, in 0.0 % at"
    )
    assert "a median POIS above 0.50 (0.30 with F ≤ 1, where 0.0 % lose half)." in often.sentence
    assert often.advice.startswith("Up to F = 0.5 half of the configurations keep most of their trials in the box (the")
    assert "median over them is 0.30 there" in often.advice


def test_where_no_F_keeps_half_that_is_the_advice(made):
    cells = {key: pois for key, pois in CELLS.items() if key[4] == 1.5}
    (often, *_) = answers_of(Runs.of(made(cells)))
    assert often.advice.startswith("At every F of this study, from 1.5 on,")
    assert "with F ≤ 1" not in often.sentence


def test_what_drives_it_orders_the_factors(three):
    """Variances ·1600: F 121, F × Cr 9, Cr, strategy and their three other interactions 1 each; 135 in all.

    With interactions Cr has 12 of them, 9 %, the strategy 4, 3 %.
    """
    drives = three[1]
    assert re.search(r"configurations: F 9\d\.\d %, Cr \d\.\d %", drives.sentence)
    assert drives.advice == "Choose F first; strategy hardly changes how often DE leaves the box on average."


def test_what_surprises_counts_falls_and_verdicts(three):
    surprises = three[2].sentence
    assert "mean POIS falls by more than 0.05 in 1 of 4 rows (configurations but for Cr)" in surprises
    assert "and is shown to fall by more than that, not by chance, in 1 (50 %" in surprises
    assert "50 % of those with saturation, most in DE/rand/1/exp saturation, N=5, F=0.5: from 0.30 to 0.10" in surprises
    assert surprises.startswith("Of the 5 conclusions of the paper that these runs can test, 2 hold, 1 hold in part")
    assert three[2].advice.endswith("most often with saturation; mirror falls least often. Stay below Cr = 0.99.")


def test_where_nothing_falls_that_is_said(made):
    cells = {key: pois for key, pois in CELLS.items() if key[2] == "mirror"}
    surprises = answers_of(Runs.of(made(cells)))[2]
    assert (
        "in 0 of 2 rows (configurations but for Cr), and is shown to fall by more than that, not by chance, in 0."
        in surprises.sentence
    )
    assert surprises.advice == "In this study a low POIS at the largest Cr does not point to a collapsed population."


def test_what_runs_do_not_say_has_a_reason(made):
    gap = {key: pois for key, pois in CELLS.items() if key != (*SAT, 0.5, 0.99)}
    _, drives, surprises = answers(Runs.of(made(gap)), [])
    for answer in (drives, surprises):
        assert "These runs do not say: every configuration needs the same 3 runs" in answer.sentence
        assert (answer.figure, answer.advice) == ("", "")


def test_words():
    found = [percent(share) for share in (0.65, 0.0949, 0.0094, 0.0096, 0.0082, -0.002, 0)]
    assert found == ["65 %", "9 %", "0.9 %", "1 %", "0.8 %", "-0.2 %", "0.0 %"]


@pytest.mark.parametrize(("falling", "advised"), [((5,), True), ((5, 20), False), ((20,), False)])
def test_a_larger_N_is_advised_only_where_it_falls_less_often(made, falling, advised):
    cells = {}
    for N, Cr in product((5, 20), (0.7, 0.99)):
        mean = 0.2 if N in falling and Cr == 0.99 else 0.5
        cells[("rand/1", "exp", "mirror", N, 0.5, Cr)] = [mean - 0.001, mean, mean + 0.001]
    advice = answers_of(Runs.of(made(cells, budget=100_000)))[2].advice
    assert ("or take a larger N" in advice) is advised


def test_F_is_advised_up_to_the_first_at_which_half_is_lost(made):
    """Medians 0.2, 0.6, 0.3: from the second F on more is lost, whatever the third does."""
    cells = {(F, Cr): [m - 0.01, m, m + 0.01] for F, m in ((0.5, 0.2), (1.0, 0.6), (1.5, 0.3)) for Cr in (0.1, 0.9)}
    often = answers_of(Runs.of(made(cells)))[0]
    assert often.advice.startswith("Up to F = 0.5 ")
    assert "(0.40 with F ≤ 1, where 50 % lose half)" in often.sentence  # F = 1 is one of them


def test_where_F_and_Cr_adapt_the_answers_speak_of_their_start(made):
    table = made(CELLS, budget=100_000)
    runs = Runs.of(table | {"adaptation": np.full(len(table["pois"]), "JADE", object)})
    often, drives, surprises = answers_of(runs)
    assert "(0.30 with starting F ≤ 1," in often.sentence
    assert often.advice.startswith("Up to starting F = 0.5 ")
    assert drives.advice.startswith("Choose starting F first;")
    assert "from starting Cr = 0.7 to 0.99" in surprises.sentence


def test_several_adaptations_are_told_without_the_paper_s_conclusions(made):
    """POIS of SHADE falls from 0.9 to 0.2 at the last step of Cr, that of fixed F and Cr does not."""
    rows = {(0.5, 0.1): [0.80, 0.81, 0.79, 0.80], (0.5, 0.9): [0.90, 0.91, 0.89, 0.90]}
    table = with_adaptations(made(rows), fixed=0, SHADE=0)
    falling = (table["adaptation"] == "SHADE") & (table["Cr"] == 0.9)
    table["pois"] = np.where(falling, table["pois"] - 0.7, table["pois"])
    surprises = answers(Runs.of(table), [])[2].sentence
    assert surprises.startswith("From starting Cr = 0.1 to 0.9")
    assert "in 1 of 2 rows" in surprises
    assert "DE/rand/1/exp saturation, N=5, SHADE, starting F=0.5" in surprises
