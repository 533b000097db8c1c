import re
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debox import operators
from debox.study import fields
from debox.study.fields import FIELDS


def test_a_factor_is_one_value_or_several():
    for several in ([5, 6, 7], (5, 6, 7), range(5, 8), np.arange(5, 8)):
        assert FIELDS["N"].check("N", several) == (5, 6, 7)
    assert FIELDS["N"].check("N", 5) == (5,)
    for name in fields.FACTORS:
        with pytest.raises(ValueError, match=rf"^{name} must have at least one value, got \[\]$"):
            FIELDS[name].check(name, [])


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("mutation", ["curr-to-best/1", "RAND/1"], ("current-to-best/1", "rand/1")),
        ("strategy", "cotn", ("COTN",)),
        ("N", [5, np.int64(20)], (5, 20)),
        ("N", range(5, 100_005), (*range(5, 100_005),)),
        ("F", np.array([0.5, 2]), (0.5, 2.0)),
        ("F", 5e-324, (5e-324,)),
        ("budget", 2**60, 2**60),
        ("budget", "10000n", "10000 n"),
        ("budget", "0500 * n", "500 n"),
        ("checkpoints", [], ()),
        ("checkpoints", ["0.1", " 1 / 3 ", 0.5], (0.1, 1 / 3, 0.5)),
        ("seed", 2**63 - 1, 2**63 - 1),
        ("reevaluate", [False, True], (False, True)),
        ("name", "a" * 100, "a" * 100),
    ],
)
def test_values_are_kept_in_one_form(name, value, kept):
    assert FIELDS[name].check(name, value) == kept


BUDGET = "budget must be an integer ≥ 1 or such as '10000 n'"
TOO_MANY = "budget must be at most 1152921504606846976 evaluations"
DAY = date(2021, 1, 1)
LONG = "9" * 10**5
WRONG = {  # the allowed values: those that are not, of the key that the text begins with
    "name must be a word of at most 100 letters, digits, '_', '-' and '.'": [
        *("two words", "../up", 5, "a" * 101, "a\0", "a\n", "\N{GRINNING FACE}", "a\N{RIGHT-TO-LEFT MARK}b")
    ],
    "seed must be an integer ≥ 0": [-1],
    "seed must be an integer ≤ 9223372036854775807": [2**63],
    "runs must be an integer ≥ 1": [0],
    "dimension must be an integer ≥ 1": [0],
    BUDGET: ["many", "0 n", 0, 1.5, DAY, LONG + " n"],
    TOO_MANY: ["99999999999999999999 n", 2**60 + 1],
    "N must be an integer ≥ 1": [0, 5.5, DAY],
    "F must be a number with 0 < F ≤ 2": [0, 2.5, DAY, 10**400],
    "Cr must be a number with 0 ≤ Cr ≤ 1": ["0.5", -0.1],
    "reevaluate must be True or False": [1],
    "frozen must be True or False": ["no"],
    "repair must be one of trial, mutant": ["both"],
    "engine must be one of auto, plain, fast": ["quick"],
    "grid must be one of printed, exact": ["fine"],
    "checkpoints must be a list such as ['1/3', 0.5]": ["1/3"],
    "checkpoints must be a sequence of rising numbers in (0, 1)": [[0.5, 0.2], [0.5, 0.5]],
}


@pytest.mark.parametrize("allowed", WRONG)
def test_wrong_values_are_named_with_what_is_allowed(allowed):
    name = allowed.split()[0]
    for value in WRONG[allowed]:
        with pytest.raises(ValueError, match=rf"^{re.escape(allowed)}.*, got {re.escape(repr(value)[:200])}"):
            FIELDS[name].check(name, value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("1/0", r"numbers or fractions such as '1/3', got '1/0'$"),
        ("half", r"numbers or fractions such as '1/3', got 'half'$"),
        ("1/" + LONG, r"numbers or fractions such as '1/3', got '1/9{197}… \(100004 characters\)$"),
        ("4/3", r"0 < share < 1, got 1\.3"),
        ("1e999", "0 < share < 1, got inf"),
        ("nan", "0 < share < 1, got nan"),
    ],
    ids=lambda one: one[:20],
)
def test_a_checkpoint_that_is_no_share_is_named(value, message):
    with pytest.raises(ValueError, match=f"^checkpoints must be .*{message}"):
        FIELDS["checkpoints"].check("checkpoints", [value])


def test_the_first_wrong_values_of_a_list_are_named():
    with pytest.raises(ValueError) as error:
        FIELDS["F"].check("F", [3, 0.5, *range(4, 1000)])
    assert re.findall(r"got (\S+)", str(error.value)) == ["3", *map(str, range(4, 23))]


def test_the_first_values_given_twice_are_named():
    with pytest.raises(ValueError, match=r"^N must have different values, got 1, 10, .* more than once$") as error:
        FIELDS["N"].check("N", [*range(1, 100), *range(1, 100)])
    assert str(error.value).count(", ") == 20  # after "values" and between twenty of them


def test_the_factors_are_those_that_tell_configurations_apart_and_those_that_runs_share():
    assert fields.AXES == ("mutation", "crossover", "strategy", "N", "F", "Cr")
    assert fields.SHARED == ("dimension", "donors", "reevaluate", "frozen", "repair", "adaptation", "budget")


@given(st.integers(0, 999), st.integers(10, 2999), st.integers(3, 9), st.booleans(), st.data())
@settings(max_examples=40)
def test_exact_values_are_those_of_which_the_written_ones_are_cut_or_rounded(first, length, count, cut, data):
    exact = [(first + k * length / (count - 1)) / 1000 for k in range(count)]
    written = [int(1000 * value + 1e-9) / 1000 if cut else round(value, 3) for value in exact]
    assert fields.equally_spaced("F", tuple(written)) == pytest.approx(exact, abs=1e-12)
    k = data.draw(st.integers(1, count - 2))
    written[k] += 0.002
    with pytest.raises(ValueError, match=f"^F must be equally spaced .*got {written[k]!r} where"):
        fields.equally_spaced("F", tuple(written))
    assert fields.equally_spaced("F", (0.7,)) == (0.7,)


EVIL = [
    *("", "/", "a/", "/a", "a//b", "-a", "a/-b", "..", "a/../b", "/../../x", "a b", "a.b", "a\\b", "a\n", "a\0b"),
    *("$x$", "<script>", "é", "a" * 61, None, 5, b"a", ["a"]),
]


def test_names_that_operators_may_have_are_let_in_installed_or_not():
    every = [(one.slot, name, one.name) for one in operators.OPERATORS for name in (one.name, one.short)]
    own = [("mutation", name, name) for name in ("my-own/2", "x", "A9", "a-", "a" * 60)]
    for slot, name, stored in every + own:
        assert (fields.check_name("a name", name), fields.full_name(slot, name)) == (name, stored)


@pytest.mark.parametrize("name", EVIL, ids=repr)
def test_anything_else_is_refused(name):
    with pytest.raises(ValueError, match=r"a name must be a name of letters, digits, '-' and '/'.*, got "):
        fields.check_name("a name", name)
    with pytest.raises(ValueError, match="strategy must be a name of letters"):
        fields.full_name("strategy", name)
