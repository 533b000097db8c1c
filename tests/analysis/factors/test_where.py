import pytest
from adaptations import with_adaptations

from debox.analysis.factors import factors
from debox.analysis.factors.where import in_words, levels, normalise, pairs, part, settings
from debox.analysis.old_runs import Runs

F = (0.05, 0.483, 0.916, 1.133, 2.0)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("<=0.916", F[:3]),
        ("<0.916", F[:2]),
        (" >= 1.133", F[3:]),
        (">1.133", F[4:]),
        (0.483, (0.483,)),
        ("0.483", (0.483,)),
        ((2.0, "0.05"), (0.05, 2.0)),
        ([">=0.483", "<=1.133"], F[1:4]),
        ([">0.05", "<2", ">0.5"], F[2:4]),
        (["<=1", 0.05, "0.483", 2.0], F[:2]),
    ],
)
def test_levels_by_value_and_by_comparison_in_their_order(wanted, found):
    assert levels("F", F, wanted) == found


def test_operators_by_any_of_their_names():
    assert levels("strategy", ("mirror", "saturation"), "sat") == ("saturation",)
    assert levels("strategy", ("mirror", "own"), ("own", "mirror")) == ("mirror", "own")


@pytest.mark.parametrize(
    ("name", "there", "wanted", "said"),
    [
        ("F", F, "0.5", r"F must be one of 0.05, .*, got '0.5'"),
        ("F", F, ">2", r"F must be one of 0.05, .*, got '>2'"),
        ("F", F, ["<0.1", ">1.5"], r"no F of 0.05, .* is <0.1 and >1.5"),
        ("N", (5, 20), "many", r"N must be a number, or one after <=, <, >= or >, got 'many'"),
        ("strategy", ("mirror",), "sat", r"strategy must be one of mirror, got 'sat'"),
        ("strategy", ("mirror",), "<sat", r"strategy must be one of mirror, got '<sat'"),
    ],
)
def test_what_is_not_there_is_refused(name, there, wanted, said):
    with pytest.raises(ValueError, match=said):
        levels(name, there, wanted)


def test_conditions_are_read_and_several_of_one_name_are_kept():
    assert pairs(["F>=0.5", "F<=1"]) == {"F": (">=0.5", "<=1")}
    assert pairs(["crossover=bin", "F <= 1", "N=5", "N=20"]) == {"crossover": "bin", "F": "<=1", "N": ("5", "20")}
    assert pairs([]) == {}


@pytest.mark.parametrize("text", ["F", "F=", "=1", "F==1", "F<=", "F=<1"])
def test_what_is_no_condition_is_named(text):
    with pytest.raises(ValueError, match="does not read as name=value or name<=value"):
        pairs([text])


def test_a_part_of_the_runs_and_their_settings(made):
    runs = Runs.of(made({(f, Cr): [f / 4, Cr] for f in F for Cr in (0.1, 0.9)}))
    where = {"F": "<=1", "dimension": 30}
    assert part(runs, where).axes["F"] == F[:3]
    assert part(runs, where).pois[0, 0, 0, 0, :, 1].tolist() == [[f / 4, 0.9] for f in F[:3]]
    assert settings(where) == {"dimension": 30}


def test_what_is_asked_for_is_told_as_the_runs_have_it(made):
    runs = Runs.of(made({("rand/1", "bin", "saturation", N, f, 0.1): [0.1] for N in (5, 20) for f in F}))
    where = {"n": "30", "strategy": "SAT", "F": " <= 1", "N": ("20", 5), "Cr": ("0.1", ">0")}
    found = normalise(where, runs)
    assert found == {"dimension": 30, "strategy": "saturation", "F": "<=1", "N": [20, 5], "Cr": [0.1, ">0"]}
    words = ["dimension = 30", "strategy = saturation", "F ≤ 1", "N = 20, 5", "Cr = 0.1 or Cr > 0"]
    assert [in_words(*one) for one in found.items()] == words
    assert normalise({"reevaluate": "false"}, runs) == {
        "reevaluate": "false"
    }  # which makes no difference to these runs


@pytest.mark.parametrize("read", [settings, lambda where: pairs([f"{name}={value}" for name, value in where.items()])])
def test_a_name_that_is_neither_factor_nor_setting_is_answered_with_both(read):
    with pytest.raises(ValueError, match=r"where must be one of mutation, .* Cr, dimension, .* budget, got 'foo'"):
        read({"foo": 3})


def test_one_adaptation_is_a_setting_and_several_are_levels(made):
    """POIS is 0.1, 0.2 and 0.3 with three adaptations: all differences are theirs."""
    cells = {(F, Cr): [0.1, 0.1] for F in (0.5, 1.0) for Cr in (0.1, 0.9)}
    table = with_adaptations(made(cells), fixed=0, SHADE=0.1, JADE=0.2)
    assert factors(table).first["adaptation"].value == pytest.approx(1)
    assert list(factors(table).axes)[4:] == ["adaptation", "F", "Cr"]
    two = factors(table, adaptation=("fixed", "SHADE"))
    assert (two.axes["adaptation"], two.variance.value) == (("fixed", "SHADE"), pytest.approx(0.05**2))
    assert two.where == {"adaptation": ["fixed", "SHADE"]}
    one = factors(table, adaptation="SHADE")
    assert "adaptation" not in one.axes
    assert one.effects[()] == pytest.approx(0.2)


def test_adaptations_that_runs_do_not_have_are_refused_also_where_all_have_the_same(made):
    table = with_adaptations(made({(F, Cr): [0.1, 0.1] for F in (0.5, 1.0) for Cr in (0.1, 0.9)}), fixed=0)
    earlier = {name: column for name, column in table.items() if name != "adaptation"}
    for runs in map(Runs.of, (table, earlier)):
        assert part(runs, {"adaptation": ["fixed"]}).pois.size == 8
        for wanted in (["SHADE"], ("fixed", "SHADE")):
            with pytest.raises(ValueError, match="where: adaptation must be one of fixed, got 'SHADE'"):
                part(runs, {"adaptation": wanted})
