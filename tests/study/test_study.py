import inspect
import itertools
import json
import re
from dataclasses import replace

import pytest

from debox import Config, Study
from debox.study.fields import FIELDS
from debox.study.study import built_in

MINE = {"name": "mine", "mutation": "rand/1", "crossover": "bin", "strategy": "sat", "N": 5, "F": 0.7, "Cr": 0.9}


def test_the_paper_has_6000_configurations_50_runs_and_9e10_evaluations():
    paper = Study.load("paper")
    assert (paper.n_configs, paper.runs, paper.n_runs) == (6000, 50, 300_000)
    assert paper.n_evaluations == 9 * 10**10
    assert (paper.dimension, paper.budget_for(30)) == ((30,), 300_000)
    assert paper.N == (5, 20, 100)
    assert paper.F == (0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0)
    assert paper.Cr == (0.05, 0.285, 0.52, 0.755, 0.99)
    assert paper.checkpoints == (1 / 3, 2 / 3)
    assert (paper.donors, paper.reevaluate, paper.frozen) == (("distinct",), (True,), (False,))


def test_the_paper_on_the_exact_grid():
    exact = Study(**{**Study.load("paper").as_dict(), "grid": "exact"})
    assert exact.values("F")[1] == pytest.approx(0.05 + 1.95 / 9, abs=1e-15)
    assert exact.values("Cr")[2] == pytest.approx(0.52, abs=1e-15)
    assert {config.F for config in exact.configs()} == set(exact.values("F"))
    assert exact.F[1] == 0.266  # as written


def test_quick_is_a_part_of_the_paper():
    paper, quick = Study.load("paper"), Study.load("quick")
    assert set(quick.configs()) < set(paper.configs())
    assert (quick.dimension, quick.budget, quick.seed, quick.checkpoints) == (
        paper.dimension,
        paper.budget,
        paper.seed,
        paper.checkpoints,
    )
    for factor in ("mutation", "crossover", "strategy", "N"):
        assert getattr(quick, factor) == getattr(paper, factor)
    assert quick.runs == 10


@pytest.mark.parametrize("name", built_in())
def test_a_built_in_study_is_called_as_its_file(name):
    assert Study.load(name).name == name


def test_the_configurations_are_all_combinations_each_once():
    study = Study(**{**MINE, "strategy": ["sat", "tor"], "F": [0.5, 0.9], "donors": ["distinct", "not-target"]})
    texts = [
        f"DE/rand/1/bin {strategy}, N=5, F={F}, Cr=0.9, donors={donors}"
        for strategy, F, donors in itertools.product(("sat", "tor"), (0.5, 0.9), ("distinct", "not-target"))
    ]
    assert list(study.configs()) == [Config(text) for text in texts]
    assert study.n_configs == 8


def test_configurations_that_a_factor_does_not_tell_apart_are_one():
    study = Study(
        **{**MINE, "strategy": ["sat", "dism"], "reevaluate": [True, False], "dimension": [2, 3], "budget": "50 n"}
    )
    told = [(config.strategy, config.reevaluate) for config in study.configs()]
    assert told == [("saturation", True), ("dismiss", True), ("dismiss", False)]
    assert (study.n_configs, study.n_runs, study.n_evaluations) == (3 * 2, 300, 3 * 50 * (100 + 150))


MANY = {
    "mutation": ["rand/1", "best/1"],
    "strategy": ["sat", "dism", "tor"],
    "donors": ["distinct", "not-target"],
    "frozen": [True, False],
    "N": [5, 6],
    "F": [0.5, 0.9, 1.3],
    "dimension": [2, 3],
    "budget": "50 n",
}
SELECTIONS = [
    {},
    {"strategy": ["dismiss"]},
    {"reevaluate": [False]},
    {"reevaluate": [True], "strategy": ["saturation", "dismiss"]},
    {"F": [0.5, 1.3], "N": [6], "frozen": [True]},
]


@pytest.mark.parametrize("reevaluate", [[True], [False], [True, False], [False, True]], ids=str)
@pytest.mark.parametrize("wanted", SELECTIONS, ids=str)
def test_configurations_are_counted_as_they_would_be_listed(reevaluate, wanted):
    study = Study(**{**MINE, **MANY, "reevaluate": reevaluate})
    every = list(study.configs())
    chosen = [config for config in every if all(getattr(config, name) in wanted[name] for name in wanted)]
    assert list(study.configs(wanted)) == chosen
    assert study.count_configs(wanted) == len(set(chosen)) == len(chosen)
    assert study.n_configs == 2 * len(every)
    assert study.n_evaluations == len(every) * 50 * (100 + 150)


def test_values_that_the_exact_grid_makes_equal_are_counted_once():
    close = [0.1, 0.1009, 0.10000000000000002]  # the exact grid from the first to the last has two numbers
    study = Study(**{**MINE, "F": close, "grid": "exact"})
    assert study.n_configs == len(list(study.configs())) == 2


def test_studies_that_could_never_be_listed_are_counted():
    many = Study(
        **{**MINE, "F": [k / 1000 for k in range(1, 2001)], "Cr": [k / 5000 for k in range(5000)], "runs": 10**9}
    )
    assert (many.n_configs, many.n_runs, many.n_evaluations) == (10**7, 10**16, 3 * 10**21)
    assert repr(many) == "<Study mine: 10000000 configurations × 1000000000 runs>"


def test_of_very_many_contradictions_some_are_named():
    numbers = list(range(1, 20_001))
    with pytest.raises(ValueError) as error:
        Study(**{**MINE, "N": numbers, "dimension": numbers, "budget": "1 n"})
    lines = str(error.value).splitlines()
    assert "N must be an integer ≥ 3, got 1: rand/1 needs 3 distinct donors" in lines
    assert "budget must be at least N, got 2 for dimension = 2 with N = 3" in lines
    assert len(lines) < 1000


def test_a_budget_that_only_some_dimensions_make_too_large_is_named():
    with pytest.raises(ValueError) as error:
        Study(**{**MINE, "dimension": [1, 4], "budget": f"{2**59} n"})
    assert str(error.value) == (
        "budget must be at most 1152921504606846976 evaluations, got '576460752303423488 n' for dimension = 4"
    )


def test_several_dimensions_may_each_have_their_budget():
    study = Study(**{**MINE, "dimension": [10, 30], "budget": "1000 n", "runs": 3})
    assert (study.budget_for(10), study.budget_for(30)) == (10_000, 30_000)
    assert (study.n_configs, study.n_runs, study.n_evaluations) == (2, 6, 3 * 40_000)
    assert Study(**{**MINE, "dimension": [10, 30], "budget": 5000}).budget_for(30) == 5000


def test_a_study_survives_being_written_down():
    for study in map(Study.load, built_in()):
        again = Study(**study.as_dict())
        assert again == study
        assert hash(again) == hash(study)
    assert Study(**MINE) != Study(**{**MINE, "runs": 51})


def test_a_study_is_read_from_a_file(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "mine"\nmutation = "rand/1"\ncrossover = "bin"\nstrategy = ["sat"]\nN = 5\nF = [0.7]\nCr = 0.9'
    )
    assert Study.load(file) == Study.load(str(file)) == Study(**MINE)


def test_a_study_cannot_be_changed():
    with pytest.raises(AttributeError):
        Study(**MINE).runs = 3


def test_everything_wrong_with_a_file_is_said_at_once(tmp_path):
    file = tmp_path / "wrong.toml"
    wrong = 'name = "a b"\nmutation = ["rand/1", "rand/9"]\nstrategy = "sat"\nN = 5\nF = [3, 0.5, 0]\n'
    file.write_text(wrong + "Cr = 0.9\nruns = 0\nsed = 1")
    with pytest.raises(ValueError) as error:
        Study.load(file)
    first, *lines = str(error.value).splitlines()
    assert str(file) in first
    keys = ["unknown key 'sed'", "name ", "runs ", "unknown mutation 'rand/9'", "crossover is missing", "F ", "F "]
    assert len(lines) == len(keys)
    assert all(line.startswith(key) for line, key in zip(lines, keys, strict=True))


def test_populations_too_small_for_their_mutation_or_too_large_for_the_budget_are_named():
    with pytest.raises(ValueError) as error:
        Study(**{**MINE, "mutation": ["rand/1", "rand/2"], "N": [2, 4, 100], "dimension": [3, 10], "budget": "20 n"})
    assert sorted(str(error.value).splitlines()) == [
        "N must be an integer ≥ 3, got 2: rand/1 needs 3 distinct donors",
        "N must be an integer ≥ 5, got 2: rand/2 needs 5 distinct donors",
        "N must be an integer ≥ 5, got 4: rand/2 needs 5 distinct donors",
        "budget must be at least N, got 60 for dimension = 3 with N = 100",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"name = ", "is no TOML file"),
        (b"\xff\xfe", "is no text"),
        (b"", "name is missing: the study's name"),
        (b"N = " + b"[" * 10**5, "nested too deeply"),
        (b"seed = 0x" + b"f" * 10**4, "seed: Exceeds the limit"),
        (b"N = " + b"9" * 5000, "Exceeds the limit"),
    ],
    ids=["TOML", "text", "empty", "nested", "hexadecimal", "digits"],
)
def test_a_file_that_is_no_study_is_named(tmp_path, content, message):
    file = tmp_path / "odd.toml"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        Study.load(file)
    assert str(file) in str(error.value)


def test_an_unknown_study_lists_those_there_are():
    with pytest.raises(ValueError, match=r"there is no study 'papre'.*paper, quick, smoke"):
        Study.load("papre")


@pytest.mark.parametrize("wrong", [3, None, ["paper"]])
def test_what_is_no_study_is_named_with_the_argument(wrong):
    with pytest.raises(
        ValueError, match=r"^source must be the name of a built-in study or .*, got " + re.escape(repr(wrong))
    ):
        Study.load(wrong)
    for make in (Study.of, Study.stored):
        with pytest.raises(
            ValueError, match=r"^given must be a Study or a mapping of its keys, got " + re.escape(repr(wrong))
        ):
            make(wrong)


def test_a_factor_that_is_none_is_refused():
    study = Study(**MINE)
    for ask in (study.count_configs, lambda wanted: len(list(study.configs(wanted)))):
        assert ask({"dimension": [30]}) == ask({"n": [30]}) == ask(None)
        for name in ("stratgy", "runs", 5):
            with pytest.raises(ValueError, match=f"^wanted: unknown factor {name!r}; choose from dimension, mutation"):
                ask({name: ["dismiss"]})


def test_every_field_is_an_attribute():
    assert all(hasattr(Study(**MINE), name) for name in FIELDS)


@pytest.mark.parametrize("kind", ["directory", "circle", "nested", "unreadable bytes"])
def test_an_odd_study_file_is_an_error_that_names_it(tmp_path, kind):
    path = tmp_path / "odd.toml"
    if kind == "directory":
        path.mkdir()
    elif kind == "circle":
        path.symlink_to(path)
    else:
        path.write_bytes(b"a = " + b"[" * 400_000 if kind == "nested" else b"name = '\xe9'")
    with pytest.raises(ValueError, match=re.escape(str(path))) as error:
        Study.load(path)
    assert {"directory": "Is a directory", "circle": "symbolic links"}.get(kind, "is no") in str(error.value)


def test_a_study_file_may_lie_in_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nmutation = "rand/1"\ncrossover = "bin"\nstrategy = "sat"\nN = 5\nF = 1\nCr = 1'
    )
    assert Study.load("~/mine.toml").name == "mine"


def test_n_is_the_short_name_of_dimension(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "mine"\nmutation = "rand/1"\ncrossover = "bin"\nstrategy = "sat"\nN = 5\nF = 0.7\nCr = 0.9\nn = 7'
    )
    assert Study.load(file) == Study(**MINE, n=7) == Study(**MINE, dimension=[7])
    file.write_text(file.read_text() + "\ndimension = 30")
    with pytest.raises(ValueError, match="dimension is given twice: as dimension = 30 and, in short, as n = 7"):
        Study.load(file)
    for dimension in (30, 31):
        with pytest.raises(
            ValueError, match=f"dimension is given twice: as dimension = {dimension} and, in short, as n"
        ):
            Study(**MINE, n=7, dimension=dimension)


def test_an_editor_sees_every_key_with_its_default():
    parameters = dict(inspect.signature(Study).parameters)
    assert parameters.pop("n").default is None
    assert parameters.pop("unknown").kind is inspect.Parameter.VAR_KEYWORD
    assert {name: parameter.default for name, parameter in parameters.items()} == {
        name: field.default for name, field in FIELDS.items()
    }
    assert {parameter.kind for parameter in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}


def test_unknown_and_missing_arguments_are_named_together():
    given = {name: value for name, value in MINE.items() if name != "mutation"}
    with pytest.raises(ValueError) as error:
        Study(**given, mutatoin="rand/1")
    unknown, missing = str(error.value).splitlines()
    assert unknown.startswith("unknown key 'mutatoin'; choose from name, seed, runs, dimension, budget, mutation, ")
    assert missing.startswith("mutation is missing: names of mutations")


OWN = {**MINE, "mutation": ["rand/1", "my-own/2"], "strategy": ["sat", "bounce"], "donors": ["distinct", "friends"]}


def test_a_stored_study_keeps_names_of_operators_that_are_not_installed():
    study = Study.stored(OWN)
    assert (study.mutation, study.strategy) == (("rand/1", "my-own/2"), ("saturation", "bounce"))
    assert study.not_installed == (("mutation", "my-own/2"), ("strategy", "bounce"), ("donors", "friends"))
    assert (study.n_configs, study.n_runs) == (8, 400)
    assert Study.stored(study.as_dict()) == study
    assert Study.stored(MINE) == Study(**MINE)
    assert Study(**MINE).not_installed == ()


@pytest.mark.parametrize(
    ("strategy", "configs", "values"),
    [("bounce", 2, {True, False}), ("dismiss", 2, {True, False}), ("saturation", 1, {True})],
)
def test_a_strategy_that_is_not_installed_may_dismiss_trials(strategy, configs, values):
    study = Study.stored({**MINE, "strategy": strategy, "reevaluate": [True, False]})
    assert study.reevaluate_values(strategy) == values
    assert study.count_configs() == configs * Study(**{**MINE, "strategy": "sat"}).count_configs()


def test_a_study_that_is_to_be_run_does_not():
    with pytest.raises(ValueError, match=r"unknown mutation 'my-own/2'(.|\n)*unknown strategy 'bounce'"):
        Study(**OWN)
    for use in (lambda study: list(study.configs()), Study.require_installed_operators):
        with pytest.raises(
            ValueError, match=r"mutation 'my-own/2', strategy 'bounce', donors 'friends' is not installed"
        ):
            use(Study.stored(OWN))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"name": "<script>"}, "name must be a word"),
        ({"mutation": ["rand/1", "/../x"]}, "mutation must be a name"),
        ({"mutation": [["rand/1"]]}, "mutation must be a name"),
        ({"donors": "../x"}, "donors must be a name"),
        ({"strategy": ["bounce", "bounce"]}, "strategy must have different values, got bounce more than once"),
        ({"N": 2}, "N must be an integer ≥ 3, got 2: rand/1 needs 3 distinct donors"),
        ({"runs": "many"}, "runs must be an integer"),
        ({"colour": 1}, "unknown key 'colour'"),
        ({"dimension": None, "checkpoints": None}, "dimension must be an integer"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_a_stored_study_cannot_say_is_named(changes, named):
    with pytest.raises(ValueError, match=named):
        Study.stored({**OWN, **changes})


FACTORS = {"mutation": "rand/1", "crossover": "bin", "strategy": "sat", "N": 10, "F": 0.5, "Cr": 0.9}


def test_donors_are_by_default_those_of_the_adaptations():
    assert Study(name="some", **FACTORS).donors == ("distinct",)
    adaptive = Study(name="some", adaptation=["jde", "L-SHADE"], **FACTORS)
    assert (adaptive.adaptation, adaptive.donors) == (("jDE", "L-SHADE"), ("not-target",))
    assert Study(name="some", adaptation="jDE", donors="distinct", **FACTORS).donors == ("distinct",)
    assert [config.donors for config in adaptive.configs()] == ["not-target"] * 2
    assert Study(**adaptive.as_dict()) == adaptive
    assert Study.of({"name": "some", "adaptation": "SHADE", **FACTORS}).donors == ("not-target",)


def test_a_replaced_adaptation_changes_donors_that_nobody_gave_and_no_others():
    usual, said = Study(name="some", **FACTORS), Study(name="some", donors="distinct", **FACTORS)
    assert replace(usual, adaptation=("jDE",)).donors == ("not-target",)
    assert replace(replace(usual, adaptation=("jDE",)), adaptation=("fixed",)).donors == ("distinct",)
    assert replace(said, adaptation=("jDE",)).donors == ("distinct",)
    assert replace(said, runs=3, donors=("not-parents",)).donors == ("not-parents",)
    assert replace(usual, runs=3).donors == ("distinct",)


def test_where_only_some_configurations_adapt_donors_are_to_be_said():
    both = {"name": "some", "adaptation": ["fixed", "JADE"], **FACTORS}
    with pytest.raises(
        ValueError, match=r"donors must be given .*: adaptation = fixed, JADE has distinct or not-target"
    ):
        Study(**both)
    assert Study(**both, donors="not-target").count_configs() == 2


WITHOUT = {name: value for name, value in FACTORS.items() if name not in ("F", "Cr")}


@pytest.mark.parametrize(
    ("adaptation", "start"),
    [("jDE", (0.5, 0.9)), ("JADE", (0.5, 0.5)), ("SHADE", (0.5, 0.5)), (["SHADE", "L-SHADE"], (0.5, 0.5))],
)  # as the papers print them
def test_F_and_Cr_that_adapt_may_be_left_out_and_are_those_of_the_start(adaptation, start):
    study = Study(name="some", adaptation=adaptation, **WITHOUT)
    assert (study.F, study.Cr) == ((start[0],), (start[1],))
    assert study == Study(name="some", adaptation=adaptation, F=start[0], Cr=start[1], **WITHOUT)
    assert Study(**study.as_dict()) == study
    assert json.loads(json.dumps(study.as_dict()))["Cr"] == [start[1]]
    assert {(config.F, config.Cr) for config in study.configs()} == {start}


def test_a_study_file_leaves_out_F_and_Cr_that_adapt(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('name="a"\nmutation="rand/1"\ncrossover="bin"\nstrategy="sat"\nN=10\nadaptation="jDE"\nF=0.7\n')
    study = Study.load(file)
    assert (study.F, study.Cr) == ((0.7,), (0.9,))


@pytest.mark.parametrize("adaptation", ["fixed", ["fixed", "JADE"], ["JADE", "fixed"]])
def test_F_and_Cr_that_are_fixed_are_needed(adaptation):
    with pytest.raises(ValueError) as error:
        Study(name="some", adaptation=adaptation, donors="distinct", **WITHOUT)
    first, second = str(error.value).splitlines()
    assert first.startswith("F is missing: scale factors in (0, 2]")
    assert second.startswith("Cr is missing: crossover rates in [0, 1]")
    assert first.endswith(f": adaptation = {', '.join(adaptation)}") == (len(adaptation) == 2)


@pytest.mark.parametrize("adaptation", ["JADDE", ["fixed", "JADDE"], []])
def test_while_the_adaptation_is_wrong_nothing_is_said_of_F_and_Cr(adaptation):
    with pytest.raises(ValueError, match=r"^[^\n]*adaptation[^\n]*$"):
        Study(name="some", adaptation=adaptation, **WITHOUT)


def test_Cr_is_needed_where_adaptations_begin_with_different_ones():
    with pytest.raises(ValueError) as error:
        Study(name="some", adaptation=["jDE", "JADE"], **WITHOUT)
    assert (
        str(error.value)
        == "Cr must be given where adaptations begin with different ones by default: jDE with 0.9, JADE with 0.5"
    )
    assert Study(name="some", adaptation=["jDE", "JADE"], Cr=0.7, **WITHOUT).F == (0.5,)


def test_a_replaced_adaptation_begins_with_its_own_F_and_Cr_unless_others_were_given():
    usual, said = (Study(name="some", adaptation="JADE", **WITHOUT, **given) for given in ({}, {"F": 0.5, "Cr": 0.5}))
    assert usual == said
    assert replace(usual, adaptation=("jDE",)).Cr == (0.9,)
    assert replace(said, adaptation=("jDE",)).Cr == (0.5,)
    assert replace(said, adaptation=("fixed",), donors=("distinct",)).F == (0.5,)
    with pytest.raises(ValueError, match="F is missing"):
        replace(usual, adaptation=("fixed",))


def test_a_study_without_adaptation_has_the_configurations_that_it_had():
    """Their texts, which the random numbers of runs are made of, do not mention it."""
    (config,) = Study(name="some", **FACTORS).configs()
    assert str(config) == "DE/rand/1/bin sat, N=10, F=0.5, Cr=0.9"
