"""The page's file: its policy allows what is in it and nothing else; texts stay texts; data that no page can show."""

import base64
import hashlib
import json
import re

import numpy as np
import pytest
from explorer_table import packed, table

from debox.explore import explorer
from debox.explore.html import bundle, in_order, inert, policy_hash


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
    # that of alert('Hello, world.'); in the W3C's specification of Content Security Policy, level 3
    assert policy_hash("alert('Hello, world.');") == "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"


def test_nothing_is_asked_for_and_no_element_has_a_style_or_a_listener(page):
    body = re.sub(r"<script.*?</script>|<style>.*?</style>", "", page, flags=re.DOTALL)
    assert re.findall(r'(?:src|href)="(?!#|data:,)', body) == []
    assert re.findall(r" (?:style|on\w+)=", body) == []


def test_a_name_that_ends_a_script_stays_text(page):
    """A study's name is a word; whatever else a header held, no letter of it would be markup."""
    text = json.dumps({"name": "</script><script>alert(1)</script><!--\u2028"}, ensure_ascii=False)
    assert "<" not in inert(text)
    assert json.loads(inert(text)) == json.loads(text)
    (header,) = re.findall(r'id="header">(.*?)</script>', page)
    assert json.loads(header)["axes"] == packed(table(), runs=2).header["axes"]


@pytest.mark.parametrize("entry", ["main", "worker"])
def test_a_script_has_each_module_after_those_it_needs_and_nothing_of_imports_and_exports(entry):
    text, order = bundle(entry), in_order(entry)
    assert order[-1] == entry
    assert order[0] == ("core" if entry == "worker" else "address")
    assert len(set(order)) == len(order)
    assert ("document." in text) == (entry == "main")  # the worker has the core and nothing of the page
    assert re.findall(r"^(?:import|export)\b|</script|<!--", text, re.MULTILINE | re.IGNORECASE) == []


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("F", np.nan, "the column F must hold finite numbers, got nan"),
        ("Cr", np.inf, "the column Cr must hold finite numbers, got inf"),
        ("dimension", 2.5, "dimension must be an integer ≥ 1, got 2.5"),
        ("dimension", 0, "dimension must be an integer ≥ 1, got 0"),
        ("budget", 60.5, "budget must be an integer ≥ 1, got 60.5"),
        ("pois", 0.123456, r"pois must be a whole number of trials ÷ 60 evaluations, in \[0, 1\], got"),
        ("pois", 1.1, "pois must be a whole number of trials"),
        ("pois", -0.1, "pois must be a whole number of trials"),
    ],
)
def test_numbers_that_no_page_can_show_are_named(name, value, message):
    """JSON has no NaN: the page would not begin."""
    with pytest.raises(ValueError, match=message):
        explorer(table() | {name: np.full(8, value)})
