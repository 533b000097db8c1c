"""The modules of the page in one scope: in order, without a name twice, without imports."""

import re
from collections import Counter

import pytest

from debox.explore.bundle import bundle, in_order, source

ENTRIES = ["main", "worker"]
NAME = re.compile(r"^(?:export )?(?:async )?(?:function\*? |class |const |let )(\w+)", re.MULTILINE)
LATER_NAMES = re.compile(r"^const .*", re.MULTILINE)


def top_level_names(text):
    """Names declared at the beginning of a line, those after a comma in a `const` of one line included."""
    names = NAME.findall(text)
    for line in LATER_NAMES.findall(text):
        plain = re.sub(r"[\[{(].*?[\]})]|\".*?\"", "", line)
        names += re.findall(r", (\w+) =", plain)
    return names


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_module_comes_after_those_it_needs(entry):
    order = in_order(entry)
    assert order[-1] == entry
    assert len(set(order)) == len(order)
    for place, name in enumerate(order):
        needed = re.findall(r'from "\./(\w+)\.js"', source(f"{name}.js"))
        assert set(needed) <= set(order[:place]), name


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_two_modules_declare_the_same_name(entry):
    counted = Counter(name for module in in_order(entry) for name in top_level_names(source(f"{module}.js")))
    assert [name for name, times in counted.items() if times > 1] == []
    assert {"Engine", "drawDonors", "CROSSOVERS"} <= counted.keys()


def test_names_after_a_comma_are_seen():
    assert top_level_names('const A = [1, b = 2], B = "x, y = 1";\nfunction f() {}') == ["A", "f", "B"]


@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_is_left_of_imports_and_exports(entry):
    assert not re.search(r"^(import|export)\b", bundle(entry), re.MULTILINE)


def test_the_worker_has_the_engine_and_nothing_of_the_page():
    engine = ["mutation", "crossover", "enumeration", "strategies", "limits", "engine"]
    assert in_order("worker") == [*engine, "rng", "worker"]
    assert "document." not in bundle("worker")


def imported_names(text):
    """For each module that is imported, the names taken from it."""
    found = re.findall(r'^import \{([^}]*)\} from "\./(\w+)\.js";', text, re.MULTILINE)
    return {module: [name.strip() for name in names.split(",") if name.strip()] for names, module in found}


def test_what_a_module_imports_is_exported_there_and_used_here():
    """Nothing else would say so: once joined, a name that is exported nowhere is found all the same."""
    export = re.compile(r"^export (?:async )?(?:function\*? |class |const )(\w+)", re.MULTILINE)
    for name in {*in_order("main"), *in_order("worker")}:
        text = source(f"{name}.js")
        for module, names in imported_names(text).items():
            assert set(names) <= set(export.findall(source(f"{module}.js"))), (name, module)
            assert [one for one in names if len(re.findall(rf"\b{one}\b", text)) < 2] == [], name
