import re
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debox import operators
from debox.study import fields
from debox.study.fields import FIELDS


def test_every_default_passes_its_check_as_it_is():
    for field in FIELDS.values():
        if field.default is not None:
            assert field.check(field.default) in (field.default, (field.default,))


@pytest.mark.parametrize("given", [[5, 6, 7], (5, 6, 7), range(5, 8), np.arange(5, 8)])
def test_the_values_of_a_factor_are_a_list_a_tuple_a_range_or_an_array(given):
    assert FIELDS["N"].check(given) == (5, 6, 7)


def test_a_range_longer_than_any_study_is_refused_at_once():
    assert len(FIELDS["N"].check(range(5, 100_005))) == 100_000
    for far in (100_006, 10**30):
        message = rf"N must have at most 100000 values if it is a range, got range\(5, {far}\)"
        with pytest.raises(ValueError, match=message):
            FIELDS["N"].check(range(5, far))


@pytest.mark.parametrize("name", fields.FACTORS)
def test_a_factor_refuses_no_value_and_a_value_given_twice(name):
    some = {"N": 5, "dimension": 3, "F": 0.5, "Cr": 0.5, "reevaluate": True, "frozen": False, "donors": "distinct"}
    some |= {"mutation": "rand/1", "crossover": "bin", "strategy": "sat", "repair": "mutant", "adaptation": "JADE"}
    assert len(FIELDS[name].check(some[name])) == 1
    with pytest.raises(ValueError, match=f"{name} must have at least one value"):
        FIELDS[name].check([])
    with pytest.raises(ValueError, match=f"{name} must have different values, got .* more than once"):
        FIELDS[name].check([some[name], some[name]])


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("mutation", ["curr-to-best/1", "RAND/1"], ("current-to-best/1", "rand/1")),
        ("strategy", "cotn", ("COTN",)),
        ("N", [5, np.int64(20)], (5, 20)),
        ("F", np.array([0.5, 2]), (0.5, 2.0)),
        ("budget", 1000, 1000),
        ("budget", "10000 n", "10000 n"),
        ("budget", "10000n", "10000 n"),
        ("budget", "500 * n", "500 n"),
        ("checkpoints", ["1/3", "2/3"], (1 / 3, 2 / 3)),
        ("checkpoints", [0.1, "1/2"], (0.1, 0.5)),
        ("checkpoints", [], ()),
        ("seed", 2**63 - 1, 2**63 - 1),
        ("budget", 2**60, 2**60),
        ("budget", "007 n", "7 n"),
        ("checkpoints", ["0.1", " 1 / 3 ", 0.5], (0.1, 1 / 3, 0.5)),
        ("F", 5e-324, (5e-324,)),
        ("F", 1, (1.0,)),
        ("name", "a" * 100, "a" * 100),
    ],
)
def test_values_are_kept_in_one_form(name, value, kept):
    assert FIELDS[name].check(value) == kept


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("name", "two words", "name must be a word .*got 'two words'"),
        ("name", "../up", "name must be a word"),
        ("name", 5, "name must be a word .*got 5"),
        ("seed", -1, "seed must be an integer ≥ 0, got -1"),
        ("seed", 2**63, "seed must be an integer ≤ 9223372036854775807, got 9223372036854775808"),
        ("runs", 0, "runs must be an integer ≥ 1, got 0"),
        ("dimension", [3, 0], "dimension must be an integer ≥ 1, got 0"),
        ("budget", "many", "budget must be an integer ≥ 1 or a text such as '10000 n', got 'many'"),
        ("budget", "0 n", "budget must be .*got '0 n'"),
        ("budget", 0, "budget must be .*got 0"),
        ("budget", 1.5, r"budget must be .*got 1\.5"),
        ("F", [0.5, 2.5], r"F must be a number with 0 < F ≤ 2, got 2\.5"),
        ("Cr", "0.5", "Cr must be a number with 0 ≤ Cr ≤ 1, got '0.5'"),
        ("strategy", "saturn", "unknown strategy 'saturn'"),
        ("reevaluate", 1, "reevaluate must be True or False, got 1"),
        ("engine", "quick", "engine must be one of auto, plain, fast, got 'quick'"),
        ("grid", "fine", "grid must be one of printed, exact, got 'fine'"),
        ("checkpoints", "1/3", "checkpoints must be a list .*got '1/3'"),
        ("checkpoints", ["1/0"], "checkpoints must be numbers or fractions .*got '1/0'"),
        ("checkpoints", ["half"], "checkpoints must be numbers or fractions .*got 'half'"),
        ("checkpoints", [0.5, 0.2], "checkpoints must be a sequence of rising numbers"),
        ("checkpoints", ["4/3"], "checkpoints must .*0 < share < 1, got 1.3"),
        ("checkpoints", ["1e999"], "checkpoints must .*0 < share < 1, got inf"),
        ("checkpoints", ["1e1000000000"], "checkpoints must .*0 < share < 1, got inf"),
        ("checkpoints", ["nan"], "checkpoints must .*0 < share < 1, got nan"),
        ("checkpoints", ["1/" + "9" * 10**6], r"checkpoints must .*got '1/9+… \(1000004 characters\)$"),
        ("checkpoints", [k / 2000 for k in range(1, 1002)], "checkpoints must be at most 1000, .*got 1001"),
        (
            "budget",
            "99999999999999999999 n",
            "budget must be at most 1152921504606846976 .*got '99999999999999999999 n'",
        ),
        ("budget", "9" * 10**5 + " n", r"budget must be .*got '9+… \(100004 characters\)$"),
        ("budget", 2**63 - 1, "budget must be at most 1152921504606846976 evaluations, got 9223372036854775807"),
        ("budget", date(2021, 1, 1), r"budget must be .*got datetime.date\(2021, 1, 1\)"),
        ("N", 5.5, "N must be an integer ≥ 1, got 5.5"),
        ("N", date(2021, 1, 1), "N must be an integer ≥ 1, got datetime"),
        ("F", date(2021, 1, 1), "F must be a number with 0 < F ≤ 2, got datetime"),
        ("F", 10**400, "F must be a number with 0 < F ≤ 2, got 1000"),
        ("name", "a" * 101, "name must be a word of at most 100 letters"),
        ("name", "a\0", "name must be a word"),
        ("name", "a\n", "name must be a word"),
        ("name", "\N{GRINNING FACE}", "name must be a word"),
        ("name", "a\N{RIGHT-TO-LEFT MARK}b", "name must be a word"),
    ],
    ids=lambda one: repr(one)[:50],
)
def test_wrong_values_are_named(name, value, message):
    with pytest.raises(ValueError, match=message):
        FIELDS[name].check(value)


def test_every_wrong_value_of_a_list_is_named():
    with pytest.raises(ValueError) as error:
        FIELDS["F"].check([3, 0.5, -1])
    assert re.findall(r"got (\S+)", str(error.value)) == ["3", "-1"]


def test_of_very_many_wrong_values_the_first_are_named():
    with pytest.raises(ValueError) as error:
        FIELDS["strategy"].check([f"wall {k}" for k in range(10**6)])
    assert re.findall(r"'wall (\d+)'", str(error.value)) == [str(k) for k in range(20)]


def test_of_very_many_values_given_twice_the_first_are_named():
    with pytest.raises(ValueError, match=r"N must have different values, got 1, 10, .* more than once") as error:
        FIELDS["N"].check([*range(1, 10**5), *range(1, 10**5)])
    assert str(error.value).count(", ") == 20  # after "values" and between twenty of them


def test_the_factors_are_those_that_tell_configurations_apart_and_those_that_runs_share():
    assert fields.AXES == ("mutation", "crossover", "strategy", "N", "F", "Cr")
    assert fields.SHARED == ("dimension", "donors", "reevaluate", "frozen", "repair", "adaptation", "budget")


def test_n_is_short_for_dimension():
    assert fields.with_long_names({"n": 3, "N": 5}) == {"dimension": 3, "N": 5}
    assert fields.long_name("n") == fields.long_name("dimension") == "dimension"
    with pytest.raises(ValueError, match="dimension is given twice: as dimension = 4 and, in short, as n = 3"):
        fields.with_long_names({"n": 3, "dimension": 4})


@settings(max_examples=40)
@given(
    first=st.floats(0, 1), step=st.floats(0.01, 0.3), count=st.integers(1, 9), cut=st.booleans(), k=st.integers(0, 8)
)
def test_exact_values_are_those_of_which_the_written_ones_are_cut_or_rounded(first, step, count, cut, k):
    first, last = round(first, 3), round(first + step * count, 3)
    exact = [first + j * (last - first) / (count - 1) for j in range(count)] if count > 1 else [first]
    written = [int(1000 * value + 1e-9) / 1000 if cut else round(value, 3) for value in exact]
    written = [first, *written[1:-1], last] if count > 1 else [first]
    assert fields.equally_spaced("F", tuple(written)) == pytest.approx(exact, abs=1e-12)
    if 0 < k < count - 1:
        wrong = [*written[:k], written[k] + 0.002, *written[k + 1 :]]
        with pytest.raises(ValueError, match=f"^F must be equally spaced .*got {wrong[k]!r} where {exact[k]:.3f} sho"):
            fields.equally_spaced("F", tuple(wrong))


EVIL = [
    *("", "/", "a/", "/a", "a//b", "-a", "a/-b", "..", "a/../b", "/../../x", "a b", "a.b", "a\\b", "a\n", "a\0b"),
    *("$x$", "<script>", "é", "a" * 61, None, 5, b"a", ["a"]),
]


def test_every_operator_of_the_table_has_a_name_that_is_let_in():
    for operator in operators.OPERATORS:
        for name in (operator.name, operator.short):
            assert fields.check_name("a name", name) == name
            assert fields.full_name(operator.slot, name) == operator.name


@pytest.mark.parametrize("name", ["my-own/2", "x", "A9", "a-", "a" * 60])
def test_an_operator_that_is_not_installed_is_called_by_its_own_name(name):
    assert fields.check_name("a name", name) == fields.full_name("mutation", name) == name


@pytest.mark.parametrize("name", EVIL, ids=repr)
def test_anything_else_is_refused(name):
    with pytest.raises(ValueError, match=r"a name must be a name of letters, digits, '-' and '/'.*, got "):
        fields.check_name("a name", name)
    with pytest.raises(ValueError, match="strategy must be a name of letters"):
        fields.full_name("strategy", name)
