import re

import pytest

from debox import Study
from debox.study.plan import parse_shard, plan, select_values


def configs(only):
    return {(task.config, task.n) for chunk in plan(Study.load("smoke"), only=only) for task in chunk.tasks}


@pytest.mark.parametrize("nothing", [None, "", {}])
def test_nothing_selects_everything(nothing):
    assert len(configs(nothing)) == 320


@pytest.mark.parametrize(
    ("only", "how_many"),
    [
        ("strategy=sat", 64),
        ("strategy=sat,N=5", 32),
        (" strategy = SATURATION , N = 5 ", 32),
        ("N=5,N=20", 320),
        ("N=5,N=5", 160),
        ("n=10", 160),
        ("mutation=curr-to-best/1,crossover=exp,strategy=dism,N=20,F=1.5,n=3", 1),
        ("mutation=curr-to-best/1,crossover=exp,strategy=dism,N=20,F=1.5,dimension=3", 1),
        ({"strategy": ["sat", "tor"], "F": 0.5}, 64),
        ("reevaluate=true,donors=distinct,frozen=False", 320),
    ],
)
def test_some_values_of_some_factors(only, how_many):
    assert len(configs(only)) == how_many


# F is 0.05, 0.2666…, 0.4833…, 0.7; Cr is 0, 0.2856…, 0.5713…, 0.857
GRID = {"F": [0.05, 0.266, 0.483, 0.7], "Cr": [0, 0.285, 0.571, 0.857], "grid": "exact"}
EXACT = Study(name="thirds", mutation="rand/1", crossover="bin", strategy="sat", N=5, **GRID)


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ("F=0.266", {"F": [0.05 + 0.65 / 3]}),
        ("F=0.267", {"F": [0.05 + 0.65 / 3]}),
        ("F=0.483,F=0.05", {"F": [0.05 + 2 * 0.65 / 3, 0.05]}),
        ({"F": 0.26666666666666666}, {"F": [0.05 + 0.65 / 3]}),
        ("Cr=0.285,Cr=0.571", {"Cr": [0.857 / 3, 2 * 0.857 / 3]}),
    ],
    ids=str,
)
def test_a_value_of_an_exact_grid_is_selected_as_it_is_printed(only, expected):
    ((factor, values),) = expected.items()
    assert select_values(EXACT, only) == {factor: [pytest.approx(value, abs=1e-12) for value in values]}
    assert len(plan(EXACT, only=only)[0].tasks) > 0


@pytest.mark.parametrize("only", ["F=0.265", "F=0.268", "F=0.2664", "F=0.27", "Cr=0.284"])
def test_what_is_near_a_value_but_not_how_it_is_printed_is_not_selected(only):
    with pytest.raises(ValueError, match=r"^only: (F|Cr) must be one of 0\S*, 0\.2.*, got "):
        select_values(EXACT, only)


def test_of_values_printed_alike_the_one_written_or_the_nearest_is_selected():
    fine = Study(**{**EXACT.as_dict(), "grid": "printed", "F": [0.5001, 0.5, 0.7003, 0.7004]})
    assert select_values(fine, "F=0.5,F=0.5001,F=0.7") == {"F": [0.5, 0.5001, 0.7003]}


@pytest.mark.parametrize(
    ("only", "message"),
    [
        ("strategy", "only: 'strategy' does not read as factor=value"),
        ("colour=red", "^a factor in only must be one of dimension, mutation, .*, got 'colour'"),
        ("runs=3", "^a factor in only must be one of dimension, .*, got 'runs'"),
        ("N=6", "only: N must be one of 5, 20, got '6'"),
        ("N=five", "only: N must be one of 5, 20, got 'five'"),
        ("strategy=saturn", "only: strategy must be one of COTN, dismiss, .*, got 'saturn'"),
        ("frozen=maybe", "only: frozen must be one of False, got 'maybe'"),
        ("N=1e999", "only: N must be one of 5, 20, got '1e999'"),
        ({"N": 10**400}, "only: N must be one of 5, 20, got 1000"),
        ("frozen=true", "only: frozen must be one of False, got 'true'"),
        ({"N": []}, r"only: N must be one of 5, 20, got \[\]"),
        ({"strategy": ()}, r"strategy must be .*, got \(\)"),
    ],
)
def test_what_cannot_be_selected_is_named(only, message):
    with pytest.raises(ValueError, match=message):
        select_values(Study.load("smoke"), only)


@pytest.mark.parametrize("wrong", [5, 0, ["strategy=sat"], b"N=5"])
def test_what_is_neither_text_nor_a_mapping_is_no_choice(wrong):
    expected = f"only must be text such as 'strategy=sat,N=5' or a mapping of factors, got {wrong!r}"
    with pytest.raises(ValueError, match=re.escape(expected)):
        select_values(Study.load("smoke"), wrong)


def test_a_shard_is_written_i_of_n():
    assert parse_shard("3/8") == (3, 8)
    assert parse_shard("1/1") == (1, 1)
    assert parse_shard((3, 8)) == (3, 8)


@pytest.mark.parametrize(
    "wrong", ["0/8", "9/8", "3", "3/", "/8", "-1/8", "a/b", "1.0/2", "", (0, 3), (4, 3), (1,), 5, 0]
)
def test_a_wrong_shard_is_named(wrong):
    with pytest.raises(ValueError, match=re.escape(f"shard must be i/n with 1 ≤ i ≤ n, such as 3/8, got {wrong!r}")):
        parse_shard(wrong)


def test_values_that_no_configuration_has_together_are_named():
    """reevaluate means something to dismiss alone."""
    study = Study(**{**Study.load("smoke").as_dict(), "reevaluate": [True, False]})
    with pytest.raises(ValueError, match="only: no configuration of study 'smoke' has 'strategy=sat,reevaluate=false'"):
        plan(study, only="strategy=sat,reevaluate=false")
