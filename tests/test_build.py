"""The core that the tests run on is compiled from the C sources of this tree; what setup.py makes of the README."""

import hashlib
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

from debox import loop

ROOT = Path(__file__).parents[1]
CORE = ROOT / "src" / "debox" / "core"


def test_the_core_is_compiled_from_the_sources_of_this_tree():
    content = b"".join(path.read_bytes() for path in sorted(CORE.glob("*.[ch]")))
    compiled = loop._core.DIGEST if loop.is_compiled() else "missing"
    assert compiled == hashlib.sha256(content).hexdigest()[:16], (
        "the C core is missing, or older than its sources: `make test` builds it, or "
        "`DEBOX_CORE=required python setup.py build_ext --inplace --force`"
    )


@pytest.fixture(scope="module")
def setup():
    """The module setup.py, which builds nothing when it is imported."""
    spec = importlib.util.spec_from_file_location("debox_setup", ROOT / "setup.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


README = """# debox
[![Atlas of all](docs/a.png)](docs/explore.md)
![Moving](docs/b.webp) and ![elsewhere](https://example.org/c.png)

<picture><source media="(prefers-color-scheme: dark)" srcset="docs/dark.svg">
<img src="docs/light.svg" alt="trials"></picture>

<a href="docs/start.md">Start</a>, [measure](docs/measure.md#pois), [below](#debox), [paper](https://doi.org/10.1).

```python
[f][0](docs)
```
"""


def test_a_readme_without_an_address_has_no_links_and_pictures_of_the_repository(setup):
    expected = """# debox

 and ![elsewhere](https://example.org/c.png)

Start, measure, [below](#debox), [paper](https://doi.org/10.1).

```python
[f][0](docs)
```
"""
    assert setup.readme(README, "") == expected


def test_a_readme_has_the_address_in_links_and_pictures_of_the_repository(setup):
    found = setup.readme(README, "https://example.org/debox")
    page, raw = "https://example.org/debox/blob/main/docs", "https://example.org/debox/raw/main/docs"
    expected = README
    for old, new in {
        "(docs/a.png)](docs/explore.md)": f"({raw}/a.png)]({page}/explore.md)",
        "(docs/b.webp)": f"({raw}/b.webp)",
        "docs/dark.svg": f"{raw}/dark.svg",
        "docs/light.svg": f"{raw}/light.svg",
        "docs/start.md": f"{page}/start.md",
        "docs/measure.md": f"{page}/measure.md",
    }.items():
        assert old in expected
        expected = expected.replace(old, new)
    assert found == expected


def test_without_an_address_there_are_no_urls(setup):
    assert setup.urls("", "") == {}
    found = setup.urls("https://example.org/debox", "")
    assert found["Source"] == "https://example.org/debox"
    files = [url.partition("/blob/main/")[2] for url in found.values() if "/blob/" in url]
    assert len(files) == len(found) - 1
    assert all((ROOT / file).is_file() for file in files)


def test_the_documentation_is_the_site_once_that_is_public(setup):
    site = "https://example.org/site"
    assert setup.urls("https://example.org/debox", site)["Documentation"] == site
    assert setup.urls("", site) == {"Documentation": site}


@pytest.mark.parametrize("address", ["", "https://example.org/debox", "http://a-b.example.org:8080/~me/debox.py"])
def test_an_address_ends_without_a_slash(setup, address):
    assert setup.public("address", address) == address
    assert setup.public("address", address and f"{address}/") == address


NO_ADDRESSES = ["nonsense", "example.org/debox", "git@example.org:debox.git", "https://", "ftp://example.org/debox", 3]
NO_ADDRESSES += [
    f"https://example.org/de{end}" for end in (" box", "box#readme", "box?tab=readme", "box.git", "box.git/")
]


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_an_address_to_which_no_link_could_lead_is_named_when_debox_is_built(setup, address):
    with pytest.raises(ValueError, match=r"^tool\.debox\.address in pyproject\.toml must be .*, got ") as error:
        setup.public("address", address)
    assert str(error.value).endswith(repr(address))


def test_the_addresses_of_this_tree_are_allowed(setup):
    found = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["debox"]
    assert [setup.public(name, value) == value.rstrip("/") for name, value in found.items()] == [True, True]


def test_citation_cff_has_the_address_of_the_repository_once_there_is_one():
    address = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["debox"]["address"]
    expected = [address] if address else []
    assert re.findall("^repository-code: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE) == expected
