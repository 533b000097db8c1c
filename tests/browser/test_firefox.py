"""The explorer in Firefox, from file://: all views, live runs, nothing logged; one browser for all of it."""

import pytest
from marionette import FIREFOX, Firefox

VIEWS = {
    "atlas?cell=7": "document.querySelectorAll('#drawer .ecdf circle').length === 3",
    "panel?p=DE/rand/1/exp+sat,5": "document.querySelectorAll('.panel-picture .place').length === 6",
    "live?c=DE/rand/1/bin+mirr&N=5&F=0.5&Cr=0.5&n=3&budget=3000": (
        "document.querySelector('.status').textContent.startsWith('measured, 50 runs')"
    ),
    "inside?c=DE/rand/1/bin+tor&F=2&Cr=1": "document.querySelectorAll('.story li').length === 5",
}


@pytest.fixture
def firefox(tmp_path_factory):
    if not FIREFOX.exists():
        pytest.fail(f"{FIREFOX} is missing: `make test` installs it (apt-get install firefox-esr)")
    driven = Firefox(tmp_path_factory.mktemp("firefox"))
    yield driven
    driven.close()


def test_every_view_opens_from_a_file_and_live_runs_arrive_without_errors(firefox, explorer_file, tmp_path):
    """One test, since each takes a browser. The control: an error of a script and a style that a policy refuses."""
    address, bad = explorer_file.as_uri(), tmp_path / "bad.html"
    for view, there in VIEWS.items():
        firefox.go("about:blank")
        firefox.go(f"{address}#{view}")
        firefox.wait_for(f"document.documentElement.dataset.ready && {there}")
        assert firefox.evaluate("return document.querySelectorAll('nav [aria-current]').length") == 1
    assert firefox.errors(address) == []
    bad.write_text("""<meta http-equiv="Content-Security-Policy" content="style-src 'none'">
        <body style="color: red"><script>throw Error("seen")</script>""")
    firefox.go(bad.as_uri())
    found = "\n".join(firefox.errors(bad.as_uri()))
    assert "seen" in found
    assert "style" in found
