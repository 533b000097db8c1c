"""Kinds of variables, and what DE and the objective see of them."""

import json
import pickle
from math import inf, nan, pi, tau
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import Bounds

from debox import Box, Choice, Fixed, Integer, Optimizer, Periodic, Real, minimize, operators
from debox.optimize.variables import Space

GOLDEN = Path(__file__).parents[1] / "golden"

MIXED = {
    "length": (0.0, 2.0),
    "rate": Real(1e-6, 1e-1, log=True),
    "teeth": Integer(10, 60),
    "angle": Periodic(-pi, pi),
    "grade": Choice(["soft", "hard", None]),
    "bore": Choice([8, 10, 12.5]),
    "load": Fixed(3),
}
SPACE = Space.of(MIXED)
POINT = [0.5, 1e-3, 37.0, 3.0, 1.0, 12.5, 3.0]

# ---- Wrong values fail at birth --------------------------------------------------------------------------------------

WRONG = [
    (Real, (0, 1, True), "lower must be > 0 with log=True, got 0.0"),
    (Real, (-1, 1, True), "lower must be > 0 with log=True, got -1.0"),
    (Real, (1e300, np.nextafter(1e300, inf), True), "too narrow for log=True"),
    (Real, (0, 1, 1), "log must be True or False, got 1"),
    (Real, (1, 1), r"lower must be < upper, got 1.0 and 1.0; Fixed\(1.0\) does not vary"),
    (Real, (2, 1), "lower must be < upper, got 2.0 and 1.0$"),
    (Real, (0, inf), r"upper must be a finite number within ±1e\+307, got inf"),
    (Real, (nan, 1), r"lower must be a finite number within ±1e\+307, got nan"),
    (Real, ("0", 1), "lower must be a finite number .* got '0'"),
    (Real, (0, 2e307), r"upper must be .* within ±1e\+307, got 2e\+307"),
    (Periodic, (pi, -pi), "lower must be < upper"),
    (Periodic, (0, None), "upper must be a finite number .* got None"),
    (Integer, (0.5, 3), r"lower must be an integer within ±2\*\*53, got 0.5"),
    (Integer, (0, 2**53 + 1), r"upper must be an integer within ±2\*\*53, got 9007199254740993"),
    (Integer, (-(2**54), 0), "lower must be an integer"),
    (Integer, (0, inf), "upper must be an integer"),
    (Integer, (False, 3), "lower must be an integer .* got False"),
    (Integer, (3, 3), r"lower must be < upper, got 3 and 3; Fixed\(3\) does not vary"),
    (Choice, (["a"],), r"options must be at least two, got \['a'\]"),
    (Choice, (["a", "b", "a"],), "options must all be different, got 'a' twice"),
    (Choice, ([1, 1.0],), "options must all be different, got 1.0 twice"),
    (Choice, ("ab",), "options must be a sequence, got 'ab'"),
    (Choice, (3,), "options must be a sequence, got 3"),
    (Fixed, (nan,), "value must be a number with a finite value, got nan"),
    (Fixed, ("3",), "value must be a number with a finite value, got '3'"),
    (Fixed, (True,), "value must be a number with a finite value, got True"),
]


@pytest.mark.parametrize(("kind", "arguments", "message"), WRONG)
def test_a_wrong_variable_fails_at_birth(kind, arguments, message):
    with pytest.raises(ValueError, match=message):
        kind(*arguments)


WRONG_SPACES = [
    ([(0, 1), Real(1, 2), (2, 1)], None, r"bounds\[2\] = \(2, 1\): lower must be < upper"),
    ({"a": (0, 1), "b": (3, 3)}, None, r"bounds\['b'\] = \(3, 3\): lower must be < upper"),
    ({"a": 3}, None, r"bounds\['a'\] must be a pair \(lower, upper\) or a variable, got 3"),
    ([Fixed(1), (1, 2, 3)], None, r"bounds\[1\] must be a pair"),
    ({1: (0, 1)}, None, "names of variables must be text, got 1"),
    ({}, None, r"bounds must be a sequence of \(lower, upper\) pairs"),
    ([Fixed(1), Fixed(2)], None, "bounds must have a variable that is not Fixed"),
    ([(2, 1)], None, r"^bounds\[0\] = \(2.0, 1.0\): both must be finite and lower < upper$"),
    ([(0, 1), (0.2, 0.8)], True, r"bounds\[1\] = \(0.2, 0.8\): lower must be < upper, got 1 and 0"),
    ([(0, 9)] * 3, [True, False], r"integrality must be True, False or one of them per variable \(3\)"),
    ([(0, 9)], [0.5], "integrality must be True, False"),
    ([Choice(["x", ""]), (0, 9)], True, r"bounds\[0\] = .*: integrality goes with pairs"),
]


@pytest.mark.parametrize(("bounds", "integrality", "message"), WRONG_SPACES)
def test_an_error_about_bounds_names_the_variable(bounds, integrality, message):
    with pytest.raises(ValueError, match=message):
        Space.of(bounds, integrality)


WRONG_POINTS = [
    ([POINT, [2.5, *POINT[1:]]], r"^init\[1\]\['length'\] = 2.5 lies outside \[0.0, 2.0\]$"),
    ([[0.5, 1.0, *POINT[2:]]], r"^init\[0\]\['rate'\] = 1.0 lies outside \[1e-06, 0.1\]$"),
    ([[*POINT[:2], 37.1, *POINT[3:]]], r"^init\[0\]\['teeth'\] = 37.1 is not an integer$"),
    ([[*POINT[:2], 61, *POINT[3:]]], r"^init\[0\]\['teeth'\] = 61 lies outside \[10, 60\]$"),
    (
        [[*POINT[:4], "mild", *POINT[5:]]],
        r"^init\[0\]\['grade'\] = 'mild' is not one of the options 'soft', 'hard', None$",
    ),
    ([[*POINT[:4], 3, *POINT[5:]]], r"^init\[0\]\['grade'\] = 3 is not an index of the options"),
    ([[*POINT[:5], 9, 3]], r"^init\[0\]\['bore'\] = 9 is not one of the options 8, 10, 12.5$"),
    ([[*POINT[:6], 4]], r"^init\[0\]\['load'\] = 4 lies outside \[3, 3\]$"),
    ([[nan, *POINT[1:]]], r"^init\[0\]\['length'\] = nan is not a finite number$"),
    ([POINT[1:]], r"^init\[0\] must have 7 values, one per variable"),
    ([{"length": 1}], r"^init\[0\] must have the names of the variables \(length, .*\), got \['length'\]$"),
    (3, r"^init must have shape \(N, 7\), got 3$"),
]


@pytest.mark.parametrize(("points", "message"), WRONG_POINTS)
def test_an_error_about_points_names_the_variable_and_what_is_allowed(points, message):
    with pytest.raises(ValueError, match=message):
        SPACE.encode(points)


# ---- What a space is made of -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bounds", [[(-1, 2), (0, 3)], Bounds([-1, 0], [2, 3]), Box([-1, 0], [2, 3]), np.array([[-1, 2], [0, 3]])]
)
def test_plain_bounds_are_the_box_and_decode_is_the_identity(bounds):
    space = Space.of(bounds)
    X = np.array([[0.0, 1.0]])
    assert space.is_plain
    assert (space.box.lower.tolist(), space.box.upper.tolist()) == ([-1, 0], [2, 3])
    assert space.decode(X) is X
    assert not space.periodic.any()
    assert space.params(X[0]) == [0.0, 1.0]


def test_names_alone_leave_a_space_plain():
    space = Space.of({"a": (0, 1), "b": Real(2, 3)})
    assert space.is_plain
    assert space.params(np.array([0.5, 2.5])) == {"a": 0.5, "b": 2.5}
    assert space.encode([{"b": 3, "a": 0}]).tolist() == [[0, 3]]


def test_the_box_has_an_interval_for_every_variable_that_is_searched():
    assert SPACE.box.lower.tolist() == [0, np.log(1e-6), 9.5, -pi, -0.5, -0.5]
    assert SPACE.box.upper.tolist() == [2, np.log(1e-1), 60.5, pi, 2.5, 2.5]
    assert SPACE.periodic.tolist() == [False, False, False, True, False, False]
    assert SPACE.searched("abcdefg") == list("abcdef")
    assert not SPACE.is_plain


def test_integrality_takes_the_integers_inside_the_pairs():
    space = Space.of([(0.5, 3.2), (-1, 1), (0, 1)], integrality=[1, 0, True])
    assert space.variables == (Integer(1, 3), Real(-1, 1), Integer(0, 1))
    assert Space.of(Bounds([0, 1], [5, 6]), integrality=True).variables == (Integer(0, 5), Integer(1, 6))
    assert Space.of([(0, 1)], integrality=False).is_plain
    assert Space.of([(0, 4), Integer(1, 2)], integrality=True).variables == (Integer(0, 4), Integer(1, 2))


def test_integral_floats_and_numbers_of_numpy_are_integers():
    assert Integer(1e3, np.int64(2000)) == Integer(1000, 2000)
    assert type(Integer(1e3, 2e3).lower) is int


# ---- What the objective sees -----------------------------------------------------------------------------------------


def test_decode_by_hand():
    internal = np.array([0.5, np.log(1e-3), 37.49, 3.0, 0.5, 1.5])
    decoded = SPACE.decode(internal)
    assert decoded[[0, 2, 3, 4, 5, 6]].tolist() == [0.5, 37, 3.0, 1, 12.5, 3]  # halves are rounded up
    assert decoded[1] == pytest.approx(1e-3, rel=1e-14)


def test_params_are_natural_values():
    params = SPACE.params(np.array(POINT))
    assert params == {
        "length": 0.5, "rate": 1e-3, "teeth": 37, "angle": 3.0, "grade": "hard", "bore": 12.5, "load": 3
    }  # fmt: skip
    assert [type(value) for value in params.values()] == [float, float, int, float, str, float, int]
    assert Space.of([Choice([8, True - 2]), (0, 1)]).params(np.array([8.0, 0.5])) == [8, 0.5]


def test_params_of_many_points_have_arrays_of_natural_values():
    params = SPACE.params(np.array([POINT, [1.0, 1e-4, 10.0, 0.0, 2.0, 8.0, 3.0]]).T)
    assert {name: list(values) for name, values in params.items()} == {
        "length": [0.5, 1.0], "rate": [1e-3, 1e-4], "teeth": [37, 10], "angle": [3.0, 0.0],
        "grade": ["hard", None], "bore": [12.5, 8], "load": [3, 3],
    }  # fmt: skip
    assert params["teeth"].dtype == np.int64


def test_points_may_name_options_and_variables():
    by_index = SPACE.encode([POINT])
    by_option = SPACE.encode([[*POINT[:4], "hard", *POINT[5:]]])
    by_name = SPACE.encode([{**dict(zip(MIXED, POINT, strict=True)), "grade": "hard"}])
    assert by_index.tolist() == by_option.tolist() == by_name.tolist()
    assert SPACE.encode(np.array([POINT])).tolist() == by_index.tolist()


def test_numbers_that_floats_cannot_hold_are_seen_as_indices():
    for options in ([2**53 + 1, 1], [10**400, 1], [1, nan], ["a", 1]):
        choice = Choice(options)
        assert choice._decode(np.array([0.0, 1.0])).tolist() == [0, 1]
        assert choice._natural(0.0) is options[0]


def test_options_may_be_any_objects():
    arrays = [np.zeros(2), np.ones(2)]
    choice = Choice(arrays)
    assert choice._natural(1.0) is arrays[1]
    assert choice._encode(arrays[1]) == 1
    assert Choice(np.array([1, 2])).options == (1, 2)


def test_an_integer_far_outside_or_nan_is_decoded_into_the_bounds():
    """The strategy none leaves trials where they are."""
    u = np.array([-inf, -7.0, 99.0, inf, nan])
    assert Integer(1, 3)._decode(u).tolist() == [1, 1, 3, 3, 3]
    assert Choice(["a", "b"])._decode(u).tolist() == [0, 0, 1, 1, 1]
    assert Real(1, 3, log=True)._decode(u).tolist() == [1, 1, 3, 3, 3]


# ---- Properties ------------------------------------------------------------------------------------------------------

FINITE = st.floats(-1e300, 1e300)
POSITIVE = st.floats(1e-300, 1e300)
WHOLE = st.integers(-(2**53), 2**53)


def ordered(numbers):
    return st.tuples(numbers, numbers).map(sorted).filter(lambda pair: pair[0] < pair[1])


LOG = ordered(POSITIVE).filter(lambda pair: np.log(pair[0]) < np.log(pair[1])).map(lambda pair: Real(*pair, log=True))
OPTIONS = st.lists(
    st.text(max_size=3) | st.none() | st.integers() | st.floats(allow_nan=False), min_size=2, unique=True
)
KINDS = {
    "real": ordered(FINITE).map(lambda pair: Real(*pair)),
    "log": LOG,
    "integer": ordered(WHOLE).map(lambda pair: Integer(*pair)),
    "periodic": ordered(FINITE).map(lambda pair: Periodic(*pair)),
    "choice": OPTIONS.map(Choice),
}


def values_of(variable):
    """Everything that an objective may see of a variable."""
    if isinstance(variable, Integer):
        return st.integers(variable.lower, variable.upper).map(float)
    if isinstance(variable, Choice):
        return st.sampled_from(sorted(variable._decode(np.arange(len(variable.options), dtype=float))))
    return st.floats(variable.lower, variable.upper)


def test_every_kind_is_drawn():
    assert {type(variable) for variable in SPACE.variables} - {Fixed} == {Real, Integer, Periodic, Choice}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_point_that_is_encoded_decodes_to_itself(kind, data):
    variable = data.draw(KINDS[kind])
    x = data.draw(values_of(variable))
    space = Space.of([variable, Fixed(2.5)])
    decoded = space.decode(space.encode([[x, 2.5]]))[0]
    assert decoded[1] == 2.5
    if kind == "log" and x not in (variable.lower, variable.upper):  # the logarithm, up to 691, is rounded to 2^-44
        assert decoded[0] == pytest.approx(x, rel=2**-43)
    else:
        assert decoded[0] == x


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_every_point_of_the_box_decodes_into_the_variable(kind, data):
    variable = data.draw(KINDS[kind])
    a, b = variable._interval
    u = data.draw(st.floats(a, b) | st.sampled_from([a, b, np.nextafter(a, b), np.nextafter(b, a)]))
    space = Space.of([Fixed(1), variable])
    assert space.box.contains(np.array([u]))
    x = space.decode(np.array([u]))[1]
    if isinstance(variable, Choice):
        numbers = variable._numbers
        assert x in (range(len(variable.options)) if numbers is None else numbers)
    else:
        assert variable.lower <= x <= variable.upper
        assert not isinstance(variable, Integer) or x == int(x)


# ---- Saved -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bounds", [MIXED, [*MIXED.values()], {"a": (0, 1)}, [(0, 1), (-1e-300, 2.5)]])
def test_a_space_survives_json(bounds):
    space = Space.of(bounds)
    again = Space.from_json(json.loads(json.dumps(space.to_json())))
    assert (again.variables, again.names) == (space.variables, space.names)
    assert again.box.lower.tolist() == space.box.lower.tolist()
    assert again.box.upper.tolist() == space.box.upper.tolist()


def test_plain_pairs_are_saved_as_pairs():
    assert Space.of([(0, 1), (2, 3)]).to_json() == [[0.0, 1.0], [2.0, 3.0]]
    assert Space.of([(0, 1), Periodic(0, tau)]).to_json()[0] == [0.0, 1.0]


@pytest.mark.parametrize("option", [len, (1, 2), 1j, inf])
def test_options_that_json_cannot_hold_are_refused_when_saved(option):
    space = Space.of({"how": Choice(["a", option]), "x": (0, 1)})
    with pytest.raises(ValueError, match=r"to be saved, options must be what JSON holds, got .* in 'how'"):
        space.to_json()


# ---- Runs ------------------------------------------------------------------------------------------------------------


def design(p):
    """Smallest, 0, at length 1.2, rate 1e-3, 37 teeth, an angle of ±π, hard, a bore of 10."""
    wrong = (p["grade"] != "hard") + (p["bore"] - 10) ** 2 + (p["teeth"] - 37) ** 2 / 100 + (p["load"] != 3)
    return (p["length"] - 1.2) ** 2 + (np.log10(p["rate"]) + 3) ** 2 + 1 + np.cos(p["angle"]) + wrong


def of_x(x):
    """The same of what the objective sees without names."""
    return design(dict(zip(MIXED, [*x[:4], ["soft", "hard", None][int(x[4])], *x[5:]], strict=True)))


def same(result, other):
    return all(np.array_equal(result[name], other[name]) for name in result)


def test_a_mixed_design_is_found():
    seen = []
    result = minimize(lambda p: seen.append(p) or design(p), MIXED, named=True, budget=6000, rng=1)
    discrete = {name: result.params[name] for name in ("teeth", "grade", "bore", "load")}
    assert discrete == {"teeth": 37, "grade": "hard", "bore": 10, "load": 3}
    assert result.fun == design(result.params) < 1e-6
    assert result.params in seen
    assert all(set(map(type, (p["teeth"], p["load"]))) == {int} and 10 <= p["teeth"] <= 60 for p in seen)
    assert result.x.tolist() == [*(result.params[name] for name in ("length", "rate", "teeth", "angle")), 1, 10, 3]
    assert result.population.shape[1] == 7
    assert SPACE.encode(result.population).shape == (len(result.population), 6)


def test_names_workers_and_vectors_do_not_change_a_run():
    def vectorised(p):
        return np.array([design(dict(zip(p, values, strict=True))) for values in zip(*p.values(), strict=True)])

    options = {"budget": 500, "rng": 3}
    result = minimize(of_x, MIXED, **options)
    assert same(result, minimize(design, MIXED, named=True, **options))
    assert same(result, minimize(design, MIXED, named=True, workers=2, **options))
    assert same(result, minimize(vectorised, MIXED, named=True, vectorized=True, **options))
    opt = Optimizer(MIXED, **options)
    opt.run(design, named=True)
    assert same(result, opt.result)


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("again", ["file", "pickle"])
def test_a_run_saved_in_the_middle_ends_the_same(asked, again, tmp_path):
    whole = minimize(of_x, MIXED, budget=400, rng=5)
    opt = Optimizer(MIXED, budget=400, rng=5)
    for _ in range(4):
        X = opt.ask()
        opt.tell(X, [of_x(x) for x in X])
    X = opt.ask() if asked else None
    if again == "file":
        opt.save(tmp_path / "run.npz")
        opt = Optimizer.load(tmp_path / "run.npz")
    else:
        opt = pickle.loads(pickle.dumps(opt))
    assert not asked or (opt.ask() == X).all()
    opt.run(of_x)
    assert same(whole, opt.result)
    assert opt.result.params.keys() == MIXED.keys()
    assert opt.result.wraps.sum() > 0


def test_an_optimizer_with_options_that_json_cannot_hold_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="options must be what JSON holds"):
        Optimizer([(0, 1), Choice([len, max])], rng=1).save(tmp_path / "run.npz")


def test_an_objective_that_takes_a_dict_is_referred_to_named():
    with pytest.raises(IndexError) as error:
        minimize(lambda p: p["a"], {"a": (0, 1)}, budget=50)
    assert "debox: fun gets an array; with named=True it gets a dict of the names" in error.value.__notes__


def test_named_needs_names():
    with pytest.raises(ValueError, match="named=True needs bounds with names"):
        minimize(sum, [(0, 1)], named=True)


def test_integers_as_in_scipy():
    result = minimize(
        lambda x: abs(x[0] - 7.4) + abs(x[1] - 0.3), [(0, 20), (0, 1)], integrality=[1, 0], budget=900, rng=1
    )
    assert result.x[0] == 7
    assert type(result.params[0]) is int


def test_initial_points_may_be_dicts():
    start = [{"teeth": k, "mode": "ab"[k % 2], "load": 2} for k in range(10, 30)]
    opt = Optimizer({"teeth": Integer(10, 60), "mode": Choice(["a", "b"]), "load": Fixed(2)}, init=start, rng=1)
    assert opt.ask().tolist() == [[k, k % 2, 2] for k in range(10, 30)]


def test_a_strategy_per_variable_counts_fixed_ones():
    bounds = [(0, 1), Fixed(1), Periodic(0, 1)]
    assert Optimizer(bounds, strategy=["mirror", "mirror", "saturation"], rng=1).strategies[0] == "mirror"
    with pytest.raises(ValueError, match=r"one per variable \(3\), got 2"):
        Optimizer(bounds, strategy=["mirror", "toroidal"], rng=1)


def test_integers_are_never_outside_though_nothing_is_repaired():
    result = minimize(lambda x: -x[0], [Integer(1, 3)], "DE/rand/1/bin", strategy="none", budget=300, rng=1)
    assert result.x.tolist() == [3]
    assert result.n_infeasible > 0
    assert "outside" not in result.message
    assert "outside" in minimize(lambda x: -x[0], [(1, 3)], "DE/rand/1/bin", strategy="none", budget=300, rng=1).message


# ---- Periodic variables ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("repair", ["trial", "mutant"])
@pytest.mark.parametrize("strategy", [one.name for one in operators.in_slot("strategy")])
def test_periodic_variables_are_wrapped_whatever_the_strategy(strategy, repair):
    if repair == "mutant" and strategy in ("dismiss", "penalty", "none"):
        pytest.skip("has no mutant to repair")
    seen = []
    result = minimize(
        lambda x: seen.append(x.copy()) or x[0] + x[1],
        [Periodic(-1, 1), (0, 1), Fixed(4), Periodic(2, 3)],
        "DE/rand/1/bin",
        strategy=strategy,
        repair=repair,
        N=8,
        F=0.9,
        budget=400,
        rng=1,
    )
    X = np.array(seen)
    assert ((X[:, 0] >= -1) & (X[:, 0] <= 1) & (X[:, 3] >= 2) & (X[:, 3] <= 3)).all()
    assert result.wraps[[0, 3]].min() > 0
    assert result.wraps[[1, 2]].tolist() == [0, 0]
    assert result.infeasible_per_dimension.tolist() == [0, result.n_infeasible, 0, 0]
    assert result.n_infeasible > 0


# ---- What is noted at marks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["DE/rand/1/bin", "L-SHADE"])
def test_best_spread_and_violations_are_noted_after_the_generation_of_a_mark(variant):
    opt = Optimizer([(0, 4), (-1, 0), Periodic(0, 1)], variant, N=12, budget=700, rng=2)
    loop, at = opt._loop, []  # nothing public shows it yet
    while not opt.done:
        before, X = opt.nfev, opt.ask()
        opt.tell(X, X[:, 0] + X[:, 1] ** 2)
        state = opt.result
        for mark in loop.marks[(before < loop.marks) & (loop.marks <= opt.nfev)]:
            at.append((mark, state.fun, (state.population.std(axis=0) / [4, 1, 1]).mean(), loop.violations.copy()))
    assert [mark for mark, *_ in at] == loop.marks.tolist()
    assert loop.best_at.tolist() == [best for _, best, *_ in at]
    assert loop.spread_at == pytest.approx([spread for *_, spread, _ in at], rel=1e-9)
    assert (loop.violations_at == [violations for *_, violations in at]).all()


def test_violations_are_counted_at_the_bound_where_they_are():
    """Everybody moves down: to the lower bound of the first variable, away from the upper one of the second."""
    opt = Optimizer([(0, 1), (-1000, 1)], "DE/rand/1/bin", strategy="saturation", N=10, budget=2000, rng=1)
    opt.run(lambda x: x[0] - x[1])
    (below, _), (above, at_upper) = opt._loop.violations
    assert below > 3 * above
    assert at_upper > 3 * opt._loop.violations[0, 1]


@pytest.mark.parametrize("name", ["optimizer", "optimizer-classic", "optimizer-jade"])
def test_an_earlier_file_does_not_know_the_sides_also_when_it_is_saved_again(name, tmp_path):
    opt = Optimizer.load(GOLDEN / f"{name}.npz")
    assert not opt._knows_sides
    opt.save(tmp_path / "again.npz")
    again = Optimizer.load(tmp_path / "again.npz")
    assert not again._knows_sides
    assert same(opt.result, again.result)
    assert Optimizer([(0, 1)], rng=1)._knows_sides
