"""help() says what SciPy's users look for: arguments with types and defaults, results, errors, examples that run."""

import builtins
import doctest
import inspect
import re

import docstrings
import pytest
from docstrings import arguments, entries, referred, sections, shortcomings

import debox
from debox import edpois
from debox.analysis.contrast import Contrast
from debox.analysis.factors import Factors
from debox.analysis.predict import Prediction
from debox.optimize.compare import Comparison
from debox.optimize.variables import Variable
from debox.store.store import Store

RETURNED = {
    "Comparison": Comparison,
    "Contrast": Contrast,
    "Factors": Factors,
    "Prediction": Prediction,
    "Store": Store,
}  # what public functions give
BESIDES = {"edpois.histogram": edpois.histogram, "edpois.colour": edpois.colour}


def members(name, owner):
    """The public methods and properties of a class that users call, or functions of a module."""
    if inspect.ismodule(owner):
        names = owner.__all__
    elif issubclass(owner, Variable):
        names = []  # what `minimize` calls
    else:
        fields = getattr(owner, "__dataclass_fields__", {})
        names = [member for member in dir(owner) if member[0] != "_"]
        names = [member for member in names if member not in fields and not hasattr(Exception, member)]
    return {f"{name}.{member}": getattr(owner, member) for member in names}


def everything():
    named = {name: getattr(debox, name) for name in debox.__all__} | RETURNED
    found = dict(named) | BESIDES
    for name, value in named.items():
        if inspect.isclass(value) or inspect.ismodule(value):
            found |= members(name, value)
    return found


PUBLIC = everything()
CALLABLES = {name: value for name, value in PUBLIC.items() if callable(value)}


def area(width: float, height: float = 1.0) -> float:
    """The area of a rectangle.

    Parameters
    ----------
    width : float
        Of its lower side.
    height : float, default 1.0
        Of its left side.

    Returns
    -------
    float
        Their product.

    Raises
    ------
    ArithmeticError
        If a side is negative.

    Examples
    --------
    >>> area(2.0)
    2.0
    """
    if min(width, height) < 0:
        raise ArithmeticError("negative")
    return width * height


MISSING = {
    "the argument width": ("width : float\n", ""),
    "the argument height": ("height : float, default 1.0\n", "height\n"),
    "the default of height": (", default 1.0", ""),
    "what depth is, which is no argument": ("height : float", "depth : float\n        None.\n    height : float"),
    "Returns": ("Returns\n    -------", "Gives\n    -----"),
    "Raises": ("Raises\n    ------", "Errors\n    ------"),
    "Examples": (">>> ", ""),
    "a summary": ("The area of a rectangle.", ""),
}


def test_a_complete_docstring_has_no_shortcomings():
    assert list(shortcomings(area)) == []


@pytest.mark.parametrize("missing", MISSING)
def test_what_a_docstring_leaves_out_is_found(missing, monkeypatch):
    monkeypatch.setattr(area, "__doc__", area.__doc__.replace(*MISSING[missing]))
    assert list(shortcomings(area)) == [missing]


ELSEWHERE = {"width": ["the argument width"], "strategy": []}  # `minimize` describes no width


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_help_describes_elsewhere_must_be_there(name, monkeypatch):
    own = "width : float\n        Of its lower side.\n"
    monkeypatch.setattr(area, "__doc__", area.__doc__.replace(own, f"{name}\n        As in `minimize`.\n"))
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY), inspect.signature(area).parameters["height"]]
    parameters[1] = parameters[1].replace(kind=inspect.Parameter.KEYWORD_ONLY)
    monkeypatch.setattr(area, "__signature__", inspect.Signature(parameters, return_annotation=float), raising=False)
    assert list(shortcomings(area)) == ELSEWHERE[name]


def test_an_argument_that_is_required_has_no_default_to_tell(monkeypatch):
    monkeypatch.setattr(area, "__defaults__", (None,))
    monkeypatch.setattr(area, "__doc__", area.__doc__.replace(", default 1.0", ""))
    assert list(shortcomings(area)) == []


def test_help_says_all_of_a_public_name():
    for name, function in CALLABLES.items():
        assert list(shortcomings(function)) == [], name


@pytest.mark.parametrize("name", [name for name in PUBLIC if name not in CALLABLES])
def test_a_property_or_module_says_what_it_is(name):
    assert inspect.getdoc(PUBLIC[name])


def references(function):
    """The arguments for which help refers to another function, and to which."""
    return referred(sections(inspect.getdoc(function))["Parameters"])


def contradictions(one, other, apart=()):
    """The arguments that two functions share and describe with other words."""
    ours, theirs = entries(one), entries(other)
    return [name for name in ours if name in theirs and name not in apart and ours[name] != theirs[name]]


def test_functions_that_share_arguments_describe_them_once_or_with_the_same_words():
    assert set(references(debox.Optimizer).values()) == {"minimize"}
    assert arguments(debox.Optimizer).keys() < entries(debox.minimize).keys()
    assert contradictions(debox.Optimizer, debox.minimize, apart=("variant", "bounds")) == []  # it refers to minimize
    assert set(references(debox.measure_many).values()) == {"measure"}
    assert arguments(debox.measure_many).keys() - {"configs"} == entries(debox.measure).keys() - {"config"}
    assert references(debox.sample_pois) == {"**options": "measure"}


def errors_named(value):
    """The names that stand in the section Raises."""
    return set(re.findall(r"^(\w+)$", sections(inspect.getdoc(value)).get("Raises", ""), re.MULTILINE))


def test_every_error_that_help_names_is_pythons_or_debox_s():
    """Else nobody can catch it."""
    for name, function in CALLABLES.items():
        for error in errors_named(function):
            assert issubclass(getattr(builtins, error, None) or getattr(debox, error), Exception), name


def test_the_errors_that_help_names_are_found():
    assert errors_named(area) == {"ArithmeticError"}
    assert errors_named(debox.run) >= {"StoreError", "StudyError"}


@pytest.mark.parametrize("name", ["Store.sql", "contrast", "paper.claims", "factors", "predict"])
def test_help_names_the_error_of_stores_that_are_gone(name):
    assert "StoreError" in errors_named(CALLABLES[name])


def test_help_of_debox_describes_the_errors_of_wrong_arguments_for_all_functions():
    assert "wrong argument of any function raises a ValueError or a TypeError" in debox.__doc__


def test_errors_of_arguments_need_no_section(monkeypatch):
    monkeypatch.setattr(area, "__doc__", area.__doc__.replace("Raises", "Errors").replace("------", "-----"))
    assert "Raises" in list(shortcomings(area))
    monkeypatch.setattr(docstrings, "OF_ARGUMENTS", ("ArithmeticError",))
    assert "Raises" not in list(shortcomings(area))


def test_the_names_looked_at_are_those_that_people_use():
    expected = {"minimize", "measure", "Optimizer.tell", "Box.of", "Store.table", "Store.sql", "theory.p_max"}
    expected |= {"Study", "Study.configs", "plot.edpois", "Prediction.band"}
    assert expected <= CALLABLES.keys()
    assert {"config", "n", "budget", "rng", "workers"} <= arguments(debox.measure).keys()


def examples_of(value):
    finder = doctest.DocTestFinder(recurse=False)
    return [test for test in finder.find(value, "example", globs={}) if test.examples]


@pytest.mark.parametrize("name", CALLABLES)
def test_examples_give_what_they_show(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for example in examples_of(CALLABLES[name]):
        found = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example)
        assert (found.failed, found.attempted > 0) == (0, True)


def test_an_example_that_is_wrong_is_found(monkeypatch, capsys):
    monkeypatch.setattr(area, "__doc__", area.__doc__.replace("2.0\n", "3.0\n"))
    (example,) = examples_of(area)
    example.globs["area"] = area
    assert doctest.DocTestRunner().run(example).failed == 1
    assert "Expected:" in capsys.readouterr().out


def test_help_of_debox_names_every_public_name():
    for name in debox.__all__:
        assert re.search(rf"\b{name}[,\s]", debox.__doc__), name
