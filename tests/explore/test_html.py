"""The page's file: its modules in one scope; its policy allows what is in it and nothing else; texts stay texts."""

import base64
import hashlib
import json
import re
from collections import Counter

import pytest
from explorer_table import packed, table

from debox.explore import explorer
from debox.explore.html import bundle, in_order, inert, policy_hash, read

ENTRIES = ["main", "worker"]
NAME = re.compile(r"^(?:export )?(?:async )?(?:function\*? |class |const |let )(\w+)", re.MULTILINE)
LATER_NAMES = re.compile(r"^const .*", re.MULTILINE)


@pytest.fixture(scope="module")
def page():
    return explorer(table())


def test_the_policy_has_the_hash_of_the_one_script_and_of_the_one_style(page):
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    for text in (script, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert re.findall(r"\S*unsafe\S*", policy) == ["'wasm-unsafe-eval'"]  # WebAssembly, and no script


def test_nothing_is_asked_for_and_no_element_has_a_style_or_a_listener(page):
    body = re.sub(r"<script.*?</script>|<style>.*?</style>", "", page, flags=re.DOTALL)
    assert re.findall(r'(?:src|href)="(?!#|data:,)', body) == []
    assert re.findall(r" (?:style|on\w+)=", body) == []


def test_a_name_that_ends_a_script_stays_text():
    """A study's name is a word; whatever else a header held, no letter of it would be markup."""
    text = json.dumps({"name": "</script><script>alert(1)</script><!--\u2028"}, ensure_ascii=False)
    assert "<" not in inert(text)
    assert json.loads(inert(text)) == json.loads(text)


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_module_has_a_text_that_ends_its_script(entry):
    assert re.findall(r"</script|<!--", bundle(entry), re.IGNORECASE) == []


def test_a_hash_is_that_of_the_published_example():
    """The W3C's specification of Content Security Policy, level 3, gives this hash of alert('Hello, world.');"""
    assert policy_hash("alert('Hello, world.');") == "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"


def test_the_header_in_the_page_is_the_packed_one(page):
    (header,) = re.findall(r'id="header">(.*?)</script>', page)
    found = json.loads(header)
    assert found["axes"] == packed(table(), runs=2).header["axes"]


def test_a_header_that_json_cannot_hold_is_no_page(monkeypatch):
    """NaN is no JSON: a page with one would say for ever that it unpacks."""
    found = packed(table(), runs=2)
    wrong = found._replace(header=found.header | {"seed": float("nan")})
    monkeypatch.setattr("debox.explore.html.pack", lambda *_: wrong)
    with pytest.raises(ValueError, match="not JSON compliant"):
        explorer(table())


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
        needed = re.findall(r'from "\./(\w+)\.js"', read(f"{name}.js"))
        assert set(needed) <= set(order[:place]), name


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_two_modules_declare_the_same_name(entry):
    counted = Counter(name for module in in_order(entry) for name in top_level_names(read(f"{module}.js")))
    assert [name for name, times in counted.items() if times > 1] == []
    assert {"Core", "LIMITS", "gunzip"} <= counted.keys()


def test_names_after_a_comma_are_seen():
    assert top_level_names('const A = [1, b = 2], B = "x, y = 1";\nfunction f() {}') == ["A", "f", "B"]


@pytest.mark.parametrize("entry", ENTRIES)
def test_nothing_is_left_of_imports_and_exports(entry):
    assert not re.search(r"^(import|export)\b", bundle(entry), re.MULTILINE)


def test_the_worker_has_the_core_and_nothing_of_the_page():
    assert in_order("worker") == ["core", "worker"]
    assert "document." not in bundle("worker")


def imported_names(text):
    """For each module that is imported, the names taken from it."""
    found = re.findall(r'^import \{([^}]*)\} from "\./(\w+)\.js";', text, re.MULTILINE)
    return {module: [name.strip() for name in names.split(",") if name.strip()] for names, module in found}


def test_what_a_module_imports_is_exported_there_and_used_here():
    """Nothing else would say so: once joined, a name that is exported nowhere is found all the same."""
    export = re.compile(r"^export (?:async )?(?:function\*? |class |const )(\w+)", re.MULTILINE)
    for name in {*in_order("main"), *in_order("worker")}:
        text = read(f"{name}.js")
        for module, names in imported_names(text).items():
            assert set(names) <= set(export.findall(read(f"{module}.js"))), (name, module)
            assert [one for one in names if len(re.findall(rf"\b{one}\b", text)) < 2] == [], name
