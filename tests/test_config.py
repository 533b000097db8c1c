import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, fields, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debox import Config, operators, register
from debox.config import defaults_with, marks, per_variable, split_variant
from debox.operators import SLOTS, donor_rule, find, in_slot, smallest_population

GOOD = {"mutation": "rand/1", "crossover": "exp", "strategy": "saturation", "N": 5, "F": 0.7, "Cr": 0.99}
MADE = Config(**GOOD)


@st.composite
def configurations(draw):
    mutation, donors = draw(st.sampled_from(in_slot("mutation"))), draw(st.sampled_from(in_slot("donors")))
    return Config(
        mutation=draw(st.sampled_from([mutation.name, mutation.short])),
        crossover=draw(st.sampled_from(in_slot("crossover"))).name,
        strategy=draw(st.sampled_from(in_slot("strategy"))).short,
        donors=donors.name,
        N=draw(st.integers(smallest_population(mutation, donors), 10**7)),
        F=draw(st.floats(0.0, 2.0, exclude_min=True)),
        Cr=draw(st.floats(0.0, 1.0)),
        reevaluate=draw(st.booleans()),
        frozen=draw(st.booleans()),
    )


@settings(max_examples=100)
@given(configurations())
def test_the_text_of_a_configuration_reads_back_as_the_same_configuration(config):
    assert Config(str(config)) == config
    assert eval(repr(config)) == config
    assert hash(Config(str(config))) == hash(config)
    assert replace(config) == config


def test_a_configuration_is_written_as_the_caption_of_the_paper():
    assert str(Config("DE/rand/1/exp sat", N=5, F=0.7, Cr=0.99)) == "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"
    long = Config(mutation="current-to-best/1", crossover="bin", strategy="toroidal", N=20, F=0.05, Cr=0.285)
    assert str(long) == "DE/curr-to-best/1/bin tor, N=20, F=0.05, Cr=0.285"
    assert long.variant == "DE/curr-to-best/1/bin"


def test_options_that_are_not_the_default_are_written_too():
    config = Config(**GOOD | {"strategy": "dism"}, donors="not-target", reevaluate=False, frozen=True)
    assert str(config) == "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.99, donors=not-target, reevaluate=False, frozen=True"


@pytest.mark.parametrize("strategy", in_slot("strategy"), ids=lambda operator: operator.name)
def test_reevaluate_makes_another_configuration_of_dismiss_only(strategy):
    """A run's random numbers come from its configuration: what changes nothing must not change them either."""
    again, not_again = (Config(**GOOD | {"strategy": strategy.name}, reevaluate=value) for value in (True, False))
    assert (again == not_again) == (str(again) == str(not_again)) == (strategy.name != "dismiss")


@pytest.mark.parametrize("strategy", in_slot("strategy"), ids=lambda operator: operator.name)
def test_repair_makes_another_configuration_of_strategies_for_whole_points_only(strategy):
    trial, mutant = (Config(**GOOD | {"strategy": strategy.name}, repair=repaired) for repaired in ("trial", "mutant"))
    changed = strategy.name in ("conservatism", "project-midpoint", "project-base", "resample")
    assert (trial != mutant) == (str(trial) != str(mutant)) == changed


def test_text_and_keywords_say_the_same():
    config = Config(**GOOD)
    assert Config("DE/rand/1/exp sat", N=5, F=0.7, Cr=0.99) == config
    assert Config("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99") == config
    assert Config("de/RAND/1/Exp Saturation ,N = 5,Cr=0.99,  F=0.7") == config
    assert Config("rand/1/exp", strategy="SAT", N=np.int64(5), F=np.float64(0.7), Cr=0.99) == config
    assert Config("rand/1/exp sat, F=0.7, Cr=0.99", N=5.0) == Config("rand/1/exp sat, N=5.0, F=0.7, Cr=0.99") == config
    assert Config("DE/rand/1/exp mirr", N=5, F=0.7, Cr=0.99) != config


def test_a_configuration_cannot_be_changed():
    config = Config(**GOOD)
    with pytest.raises(FrozenInstanceError):
        config.F = 0.5
    assert {config: "usable as a key"}[Config(**GOOD)]
    assert pickle.loads(pickle.dumps(config)) == config


@settings(max_examples=50)
@given(configurations())
def test_a_configuration_holds_the_operators_that_it_names(config):
    for slot in SLOTS:
        assert getattr(config.operators, slot) is find(slot, getattr(config, slot))
    assert config.operators.rule is donor_rule(config.operators.donors, config.operators.mutation)


def test_its_operators_are_no_part_of_a_configurations_value():
    config = Config(**GOOD)
    names = ["mutation", "crossover", "strategy", "N", "F", "Cr", "donors", "reevaluate", "frozen", "repair"]
    names.append("adaptation")
    assert list(asdict(config)) == [field.name for field in fields(config)] == names
    assert "operators" not in repr(config)
    with pytest.raises(FrozenInstanceError):
        config.operators = None


@pytest.mark.parametrize("again", [lambda c: pickle.loads(pickle.dumps(c)), copy.copy, copy.deepcopy, replace])
def test_a_copy_of_a_configuration_looks_its_operators_up_again(monkeypatch, again):
    """In another process, say, where the functions are others."""
    config = Config(**GOOD)
    others = tuple(replace(operator) for operator in operators.OPERATORS)
    monkeypatch.setattr(operators, "OPERATORS", others)
    copied = again(config)
    assert copied == config
    assert all(any(one is other for other in others) for one in copied.operators)
    assert not any(any(one is other for other in others) for one in config.operators)


def test_operators_instead_of_their_names_make_the_same_configuration():
    named = Config(**GOOD)
    assert Config(**named.operators._asdict(), N=5, F=0.7, Cr=0.99) == named


def test_after_its_birth_a_configuration_asks_the_table_for_nothing(monkeypatch):
    config = Config(**GOOD)
    monkeypatch.setattr(operators, "find", None)
    assert str(config) == "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99"
    assert config.variant == "DE/rand/1/exp"


def test_replace_gives_a_checked_copy():
    config = Config(**GOOD)
    assert str(replace(config, N=20, strategy="tor")) == "DE/rand/1/exp tor, N=20, F=0.7, Cr=0.99"
    with pytest.raises(ValueError, match="rand/2 needs 5 distinct donors"):
        replace(config, mutation="rand/2", N=4)


def test_the_smallest_population_is_accepted_and_one_less_is_not():
    for mutation, donors in product(in_slot("mutation"), in_slot("donors")):
        given = GOOD | {"mutation": mutation.name, "donors": donors.name}
        least = smallest_population(mutation, donors)
        assert f"N={least}," in str(Config(**given | {"N": least}))
        needs = f"{mutation.name} needs {mutation.donors} distinct"
        with pytest.raises(ValueError, match=rf"N must be an integer ≥ {least}, got {least - 1}: {needs}"):
            Config(**given | {"N": least - 1})


def test_the_ends_of_the_ranges_are_allowed():
    config = Config(**GOOD | {"F": 2, "Cr": 0})
    assert (config.F, config.Cr) == (2.0, 0.0)
    assert Config(**GOOD | {"F": 5e-324, "Cr": 1}).Cr == 1.0


def test_equal_configurations_have_equal_texts_also_with_a_negative_zero():
    zero, negative = Config(**GOOD | {"Cr": 0.0}), Config(**GOOD | {"Cr": -0.0})
    assert zero == negative == Config(str(zero).replace("Cr=0.0", "Cr=-0.0"))
    assert str(zero) == str(negative) == "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.0"


def test_none_means_not_given():
    assert Config(**GOOD, donors=None, reevaluate=None, frozen=None) == Config(**GOOD)
    with pytest.raises(ValueError, match="missing: N, F"):
        Config(**GOOD | {"N": None, "F": None})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("DE/rand/1/exp torodial, N=5, F=0.7, Cr=0.9", r"'torodial'; did you mean 'toroidal'\? choose from sat"),
        ("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.9, donors=all", "unknown donors 'all'; choose from distinct, not-target"),
        ("rand1exp sat, N=5, F=0.7, Cr=0.9", "'rand1exp' does not read as DE/mutation/crossover, e.g. 'DE/rand/1/bin'"),
        ("best1bin sat, N=5, F=0.7, Cr=0.9", r"'best1bin' does not read .*; did you mean 'DE/best/1/bin'\?$"),
        ("CurrentToBest1Exp sat, N=5, F=0.7, Cr=0.9", r"did you mean 'DE/curr-to-best/1/exp'\?$"),
        (
            "DE/rand/1 sat, N=5, F=0.7, Cr=0.9",
            r"'DE/rand/1' does .*; did you mean 'DE/rand/1/bin' or 'DE/rand/1/exp'\?$",
        ),
        ("best9bin sat, N=5, F=0.7, Cr=0.9", r"'best9bin' does not read as [^;]*$"),
        ("DE/rand/1/exp sat tor, N=5, F=0.7, Cr=0.9", "does not read as 'DE/mutation/crossover strategy'"),
        ("DE/rand/1/exp sat, N 5", "'N 5' in .* does not read as name=value"),
        ("DE/rand/1/exp sat N=5 F=0.7 Cr=0.9", "does not read as name=value; put commas between settings: 'DE/"),
        ("DE/rand/1/exp sat, N=5, N=6, F=0.7, Cr=0.9", "N is given twice"),
        ("DE/rand/1/exp sat, N=5.5, F=0.7, Cr=0.9", "N must be an integer ≥ 3, got"),
        ("DE/rand/1/exp sat, N=5, F=0,7, Cr=0.9", "'7' in .* does not read as name=value$"),
        ("DE/rand/1/exp sat, N=5, F=much, Cr=0.9", "F must be a number with 0 < F ≤ 2, got 'much'"),
        ("DE/rand/1/exp sat, N=5, F=3, Cr=0.9", "F must be a number with 0 < F ≤ 2, got 3"),
        ("DE/rand/1/exp sat, N=5", "missing: F, Cr"),
        ("DE/rnd/1/exp sat, N=5", r"unknown mutation 'rnd/1'; did you mean 'rand/1'\? choose from"),
        ("", "missing: mutation, crossover, strategy, N, F, Cr"),
        ("DE/rand/1/exp sat, N=5, F=0.7, CR=0.9", "unknown option 'CR'; choose from mutation, .*, Cr,"),
        ("L-SHADE", r"missing: N; N of a recipe depends on the number of variables n: .*Config.of\('L-SHADE', n=30\)"),
        ("LSHADE, N=9", rf"is not a recipe \({', '.join(operators.RECIPES)}\); did you mean 'L-SHADE'\?"),
        ("L-SHADE-EpSin sat, N=9", r"did you mean 'L-SHADE'\?"),
        ("SHADE tor sat, N=9", "does not read as 'DE/mutation/crossover strategy'"),
        ("DE/rand/1/bin sat, N=9, F=1, Cr=1, recipe=JADE", "a recipe stands first, .*got 'recipe=JADE'"),
        ("JADE, N=9, adaptation=SHADDE", "unknown adaptation 'SHADDE'; did you mean 'SHADE'"),
        ("JADE, N=2", r"N must be an integer ≥ 3, got 2: .*besides the target \(donors='not-target'\)"),
        ("JADE, N=9, adaptation=fixed", "missing: F, Cr"),
        ("DE/rand/2/bin sat, N=4, F=0.5, Cr=0.5", r"N must be an integer ≥ 5, got 4: rand/2 needs 5 distinct donors$"),
        (
            "DE/best/1/bin sat, N=3, F=0.5, Cr=0.5, donors=not-parents",
            r"≥ 4, got 3: best/1 .* besides the target and the best.*not-parents",
        ),
        (
            "DE/rand/1/bin sat, N=3, F=0.5, Cr=0.5, donors=not-parents",
            r"≥ 4, got 3: rand/1 .* besides the target \(donors='not-parents'\)",
        ),
    ],
)
def test_a_text_that_is_wrong_is_an_error_that_says_what(text, message):
    with pytest.raises(ValueError, match=message):
        Config(text)


WRONG = [  # argument, values, message
    (
        "F",
        [0, -0.1, 2.0001, np.nan, np.inf, "0.7", 1j, [0.5], 10**400, True],
        "F must be a number with 0 < F ≤ 2, got {!r}",
    ),
    ("Cr", [-1e-9, 1.0000001, np.nan, "0.7", (0.5,), True], "Cr must be a number with 0 ≤ Cr ≤ 1, got {!r}"),
    ("N", [0, -3, 2, 2.0], "N must be an integer ≥ 3, got {!r}: rand/1 needs 3 distinct donors"),
    ("N", [5.5, "5", np.nan], "N must be an integer ≥ 3, got {!r}"),
    ("reevaluate", [1, 0, "yes", "True"], "reevaluate must be True or False, got {!r}"),
    ("frozen", [1, 0, "yes", "True"], "frozen must be True or False, got {!r}"),
    ("repair", ["both", True], "repair must be one of trial, mutant, got {!r}"),
]


@pytest.mark.parametrize(("name", "values", "message"), WRONG)
def test_a_wrong_argument_is_named_with_what_is_allowed(name, values, message):
    for value in values:
        with pytest.raises(ValueError) as error:
            Config(**GOOD | {name: value})
        assert str(error.value) == message.format(value)


def test_a_value_given_twice_and_an_unknown_keyword_are_errors():
    with pytest.raises(ValueError, match=r"N is given twice: in .* and as N=6"):
        Config("DE/rand/1/exp sat, N=5", N=6, F=0.7, Cr=0.9)
    with pytest.raises(TypeError, match=r"'CR'.*choose from .*Cr"):
        Config("DE/rand/1/exp sat", N=5, F=0.7, CR=0.9)


def test_checkpoints_lie_at_the_nearest_whole_evaluation_from_the_first_to_the_last():
    assert marks(10, (1 / 3, 2 / 3)).tolist() == [3, 7]  # 3.33 and 6.67
    assert marks(2, (0.01, 0.5, 0.99)).tolist() == [1, 1, 2]
    assert marks(2**60, (1 - 2**-53,)).tolist() == [2**60 - 2**7]
    assert marks(7, ()).tolist() == []


def test_a_pickle_is_read_before_its_operators_are_registered(monkeypatch):
    """Or a pool of processes breaks that is given one, instead of telling what is missing."""
    mine = replace(operators.find("strategy", "mirror"), name="mine", short="mine")
    register(mine)
    config = Config("DE/rand/1/bin mine, N=5, F=0.5, Cr=0.5")
    monkeypatch.setattr(operators, "REGISTRATIONS", ())
    copied = pickle.loads(pickle.dumps(config))
    assert copied == config
    with pytest.raises(ValueError, match="unknown strategy 'mine'"):
        str(copied)
    register(mine)
    assert str(copied) == "DE/rand/1/bin mine, N=5, F=0.5, Cr=0.5"


def test_an_operator_that_is_not_registered_is_refused():
    mine = replace(operators.find("strategy", "mirror"), name="mine", short="mine")
    with pytest.raises(ValueError, match=r"strategy 'mine' is not registered; call debox\.register"):
        Config(**{**GOOD, "strategy": mine})
    assert Config(**{**GOOD, "strategy": register(mine)}).strategy == "mine"


@pytest.mark.parametrize("written", ["DE/Mine/1", "de/mine/1", "DE/M/1", "m/1", "Mine1Bin"])
def test_a_mutation_with_capitals_is_proposed_too(written):
    register(replace(operators.find("mutation", "rand/1"), name="Mine/1", short="M/1"))
    with pytest.raises(ValueError, match=r"did you mean 'DE/M/1/bin'( or 'DE/M/1/exp')?\?$"):
        split_variant(written)


ADAPTATIONS = [operator.name for operator in in_slot("adaptation")]
DONORS = [operator.name for operator in in_slot("donors")]


@pytest.mark.parametrize("recipe", ["DE/rand/1/exp sat, F=0.7, Cr=0.25", *operators.RECIPES])
def test_the_text_of_an_adaptive_configuration_gives_it_again(recipe):
    given = {} if "F=" in recipe else {"F": 0.3, "Cr": 0.1}
    for adaptation, donors in product(ADAPTATIONS, [None, *DONORS]):
        config = Config(recipe, N=9, adaptation=adaptation, donors=donors, **given)
        assert Config(str(config)) == config == Config(**asdict(config))
        assert config.donors == (defaults_with(adaptation)["donors"] if donors is None else donors), config
        assert config.operators.is_ranked == (adaptation != "fixed" or config.mutation == "current-to-pbest/1"), config


# A strategy for each variable.


@pytest.mark.parametrize("strategy", in_slot("strategy"), ids=lambda operator: operator.name)
def test_one_name_holds_for_every_variable(strategy):
    assert per_variable(strategy.short, 3) == [strategy] * 3
    assert per_variable([strategy.short] * 3, 3) == [strategy] * 3


@pytest.mark.parametrize("sequence", [list, tuple, np.array], ids=["list", "tuple", "array"])
def test_a_sequence_gives_one_strategy_per_variable(sequence):
    chosen = per_variable(sequence(["tor", "MIRROR", "sat"]), 3)
    assert [operator.name for operator in chosen] == ["toroidal", "mirror", "saturation"]


def test_operators_are_strategies_by_themselves():
    tor, mirror, dismiss = (operators.find("strategy", name) for name in ("toroidal", "mirror", "dismiss"))
    assert per_variable(tor, 3) == [tor] * 3
    assert per_variable([tor, "mirr", tor], 3) == [tor, mirror, tor]
    with pytest.raises(ValueError, match=r"'dismiss' repairs the whole trial: .*, got \['mirror', 'dismiss'\]$"):
        per_variable([mirror, dismiss], 2)


WHOLE = "'{}' repairs the whole trial: it cannot be mixed, got"


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        *((["tor"] * k, rf"must be one name or one per variable \(3\), got {k}: \[") for k in (0, 1, 4)),
        *((["mirror", name, "mirror"], WHOLE.format(name)) for name in ("resample", "none", "conservatism", "dismiss")),
        *((wrong, "unknown strategy 'torodial'; did you mean") for wrong in ("torodial", ["tor", "torodial", "sat"])),
        (["tor", ["tor"], "tor"], r"^strategy must be a name, got \['tor'\]"),
    ],
)
def test_strategies_that_do_not_fit_the_variables_are_named(strategy, message):
    with pytest.raises(ValueError, match=message):
        per_variable(strategy, 3)
