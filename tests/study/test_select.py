import re

import pytest

from debox import Study
from debox.study.plan import plan
from debox.study.select import selection, shard_of


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
        ("n=10", 160),
        ("mutation=curr-to-best/1,crossover=exp,strategy=dism,N=20,F=1.5,n=3", 1),
        ({"strategy": ["sat", "tor"], "F": 0.5}, 64),
        ("reevaluate=true,donors=distinct,frozen=False", 320),
    ],
)
def test_some_values_of_some_factors(only, how_many):
    assert len(configs(only)) == how_many


def test_what_is_selected_has_the_values():
    assert {(config.strategy, config.N) for config, _ in configs("strategy=sat,N=5")} == {("saturation", 5)}


@pytest.mark.parametrize(
    ("only", "message"),
    [
        ("strategy", "only: 'strategy' does not read as factor=value"),
        ("colour=red", "only: unknown factor 'colour'; choose from n, mutation"),
        ("runs=3", "only: unknown factor 'runs'"),
        ("N=6", "only: N=6 is not in study 'smoke'; choose from 5, 20"),
        ("N=five", "N must be an integer ≥ 1, got 'five'"),
        ("strategy=saturn", "unknown strategy 'saturn'"),
        ("frozen=maybe", "frozen must be True or False, got 'maybe'"),
        ("frozen=true", "only: frozen=True is not in study 'smoke'"),
    ],
)
def test_what_cannot_be_selected_is_named(only, message):
    with pytest.raises(ValueError, match=message):
        selection(Study.load("smoke"), only)


def test_a_shard_is_written_i_of_n():
    assert shard_of("3/8") == (3, 8)
    assert shard_of("1/1") == (1, 1)
    assert shard_of((3, 8)) == (3, 8)


@pytest.mark.parametrize("wrong", ["0/8", "9/8", "3", "3/", "/8", "-1/8", "a/b", "1.0/2", "", (0, 3), (4, 3), (1,)])
def test_a_wrong_shard_is_named(wrong):
    with pytest.raises(ValueError, match=re.escape(f"shard must be i/n with 1 ≤ i ≤ n, such as 3/8, got {wrong!r}")):
        shard_of(wrong)


def test_values_that_no_configuration_has_together_are_named():
    """reevaluate means something to dismiss alone."""
    study = Study(**{**Study.load("smoke").as_dict(), "reevaluate": [True, False]})
    with pytest.raises(ValueError, match="only: no configuration of study 'smoke' has 'strategy=sat,reevaluate=false'"):
        plan(study, only="strategy=sat,reevaluate=false")
