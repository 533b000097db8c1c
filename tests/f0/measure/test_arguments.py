"""Wrong arguments are named, with what is allowed; the largest ones that are allowed are measured."""

import pytest
from measurements import SMALL, TEXT

import debox


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"runs": 0}, "runs must be an integer ≥ 1, got 0"),
        ({"n": 0}, "n must be an integer ≥ 1, got 0"),
        ({"budget": 4}, "budget must be an integer ≥ 5, got 4: N = 5"),
        ({"budget": 5.5}, r"^budget must be an integer ≥ 5, got 5\.5$"),
        ({"rng": -1}, "rng must be an integer ≥ 0, got -1"),
        ({"engine": "quick"}, "engine must be one of auto, plain, fast, got 'quick'"),
        ({"checkpoints": (0.5, 1.0)}, r"checkpoints must .*0 < share < 1, got 1\.0"),
        ({"checkpoints": (0.6, 0.3)}, r"checkpoints must be .*rising.*got \(0\.6, 0\.3\)"),
        ({"box": [(0, 1), (2, 1)]}, r"^box\[1\] = \(2\.0, 1\.0\)"),
        ({"box": 3}, "^box must be a sequence .*got 3"),
        ({"trace": 1}, "trace must be True or False, got 1"),
        ({"workers": 0}, "workers must be an integer ≥ 1 or -1 for all cores, got 0"),
        ({"workers": 10**6}, "workers must be an integer ≤ 1024, got 1000000"),
        ({"runs": 10**12}, "runs must be an integer ≤ 10000000, got 1000000000000"),
        ({"budget": 2**60 + 1}, "budget must be at most 1152921504606846976 evaluations, got 1152921504606846977"),
    ],
)
def test_wrong_arguments_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        debox.measure(TEXT, **(SMALL | {"runs": 2} | wrong))


def test_a_population_that_no_memory_holds_is_refused_with_the_numbers():
    text = TEXT.replace("5", "1000000000000", 1)
    with pytest.raises(MemoryError, match=r"no memory for a run with N = 1000000000000 .*Unable to allocate"):
        debox.measure(text, n=3, budget=10**13)


def test_wrong_configurations_are_named():
    with pytest.raises(ValueError, match=r"^unknown strategy 'saturn'"):
        debox.measure("DE/rand/1/exp saturn, N=5, F=0.7, Cr=0.99")
    with pytest.raises(TypeError, match=r"^a configuration is a Config or its text.*got 5"):
        debox.measure(5)


@pytest.mark.parametrize(
    ("configs", "error", "message"),
    [
        (
            [TEXT, "DE/rand/1/exp sat, N=2, F=0.7, Cr=0.99"],
            ValueError,
            r"^configs\[1\]: N must be an integer ≥ 3, got 2",
        ),
        ([TEXT, debox.Config(TEXT), 5], TypeError, r"^configs\[2\]: a configuration is a Config or its text.*got 5"),
        ([TEXT, "DE/rand/1/exp sat, N=5"], ValueError, r"^configs\[1\]: missing: F, Cr; for example"),
        ([TEXT, "DE/rand/1/exp sat, N=9, F=0.7, Cr=0.99"], ValueError, "budget must be an integer ≥ 9, got 8: N = 9"),
        (TEXT, ValueError, r"^configs must be an iterable of configurations, got 'DE/rand/1/exp sat"),
        (3, ValueError, "^configs must be an iterable of configurations, got 3$"),
        (None, ValueError, "^configs must be an iterable of configurations, got None$"),
    ],
)
def test_of_several_configurations_the_wrong_one_is_named(configs, error, message):
    with pytest.raises(error, match=message):
        debox.measure_many(configs, budget=8)


@pytest.mark.parametrize("function", [debox.measure, debox.sample_pois, debox.measure_many])
def test_a_keyword_of_another_name_is_answered_with_ours(function):
    config = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"
    for name, hint in {"dimension": "use n, the dimension", "seed": "use rng", "N": "it is part of"}.items():
        with pytest.raises(TypeError, match=f"^unknown option '{name}'; {hint}"):
            function(config, **{name: 3})
    with pytest.raises(TypeError, match=r"^unknown option 'colour'; choose from configs?, n, budget, "):
        function(config, colour=3)
