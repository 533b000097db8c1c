import pytest

from debox import Config, Study
from debox.design.factors import factors_of

OWN = Study.stored(
    {"name": "own", "mutation": ["rand/1", "my-own/2"], "crossover": ["bin", "swap"], "strategy": ["sat", "bounce"]}
    | {"N": 5, "F": 0.7, "Cr": 0.9, "reevaluate": [True, False]}
)
USUAL = {"N": 5, "F": 0.7, "Cr": 0.9, "donors": "distinct", "reevaluate": True, "frozen": False, "repair": "trial"}
USUAL["adaptation"] = "fixed"


@pytest.mark.parametrize(
    ("text", "mutation", "crossover", "strategy"),
    [
        ("DE/rand/1/bin sat", "rand/1", "bin", "saturation"),
        ("DE/my-own/2/bin sat", "my-own/2", "bin", "saturation"),
        ("de/my-own/2/swap  bounce", "my-own/2", "swap", "bounce"),
        ("DE/curr-to-best/1/BIN bounce", "current-to-best/1", "bin", "bounce"),
    ],
)
def test_a_text_is_read_also_if_its_operators_are_not_installed(text, mutation, crossover, strategy):
    found = factors_of(f"{text}, N=5, F=0.7, Cr=0.9", OWN)
    assert found == {"mutation": mutation, "crossover": crossover, "strategy": strategy, **USUAL}


def test_a_config_is_taken_as_it_is():
    config = Config("DE/best/1/exp dism, N=9, F=1.5, Cr=0, reevaluate=False")
    assert factors_of(config, OWN) == vars(config)


@pytest.mark.parametrize(("strategy", "kept"), [("bounce", False), ("dism", False), ("sat", True)])
def test_reevaluate_is_kept_as_written_for_a_strategy_that_is_not_installed(strategy, kept):
    """It may dismiss trials; the runs of an installed one that does not are stored with true."""
    text = f"DE/my-own/2/bin {strategy}, N=5, F=0.7, Cr=0.9"
    assert factors_of(f"{text}, reevaluate=False", OWN)["reevaluate"] is kept
    assert factors_of(text, OWN)["reevaluate"] is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("DE/rand/1/bin bounced, N=5, F=0.7, Cr=0.9", "unknown strategy 'bounced'"),
        ("DE/your-own/2/bin sat, N=5, F=0.7, Cr=0.9", "unknown mutation 'your-own/2'"),
        ("DE/rand/1/bin bounce, N=5, F=3, Cr=0.9", "F must be a number with 0 < F ≤ 2, got 3"),
        ("DE/rand/1/bin bounce, N=5, Cr=0.9", "F is missing"),
        ("DE/rand/1/bin bounce, N=2, F=0.7, Cr=0.9", "N must be an integer ≥ 3, got 2: rand/1 needs 3 distinct donors"),
        ("DE/my-own/2/bin bounce, N=5, F=0.7, Cr=0.9, colour=1", "unknown key 'colour'"),
    ],
)
def test_what_is_wrong_with_a_text_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        factors_of(text, OWN)
