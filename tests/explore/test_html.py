"""The page's file: its policy allows what is in it and nothing else; texts stay texts."""

import base64
import hashlib
import json
import re

import pytest
from explorer_table import packed, table

from debox.explore import explorer
from debox.explore.html import inert, inert_script, policy_hash


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
    assert "unsafe" not in policy


def test_nothing_is_asked_for_and_no_element_has_a_style_or_a_listener(page):
    body = re.sub(r"<script.*?</script>|<style>.*?</style>", "", page, flags=re.DOTALL)
    assert re.findall(r'(?:src|href)="(?!#|data:,)', body) == []
    assert re.findall(r" (?:style|on\w+)=", body) == []


def test_a_name_that_ends_a_script_stays_text():
    """A study's name is a word; whatever else a header held, no letter of it would be markup."""
    text = json.dumps({"name": "</script><script>alert(1)</script><!--\u2028"}, ensure_ascii=False)
    assert "<" not in inert(text)
    assert json.loads(inert(text)) == json.loads(text)


@pytest.mark.parametrize("text", ["a</script>b", "<!-- b", "</SCRIPT >"])
def test_a_module_that_ends_its_script_is_refused(text):
    with pytest.raises(ValueError, match="ends a script element"):
        inert_script(text)


def test_a_hash_is_that_of_the_published_example():
    """The W3C's specification of Content Security Policy, level 3, gives this hash of alert('Hello, world.');"""
    assert policy_hash("alert('Hello, world.');") == "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"


def test_the_header_in_the_page_is_the_packed_one(page):
    (header,) = re.findall(r'id="header">(.*?)</script>', page)
    found = json.loads(header)
    assert found["axes"] == packed(table(), runs=2).header["axes"]
    assert found["half"] == 0  # no cell has a median POIS of a half or more


def test_a_header_that_json_cannot_hold_is_no_page(monkeypatch):
    """NaN is no JSON: a page with one would say for ever that it unpacks."""
    found = packed(table(), runs=2)
    wrong = found._replace(header=found.header | {"half": float("nan")})
    monkeypatch.setattr("debox.explore.html.pack", lambda *_: wrong)
    with pytest.raises(ValueError, match="not JSON compliant"):
        explorer(table())
