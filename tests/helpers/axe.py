"""axe-core, which looks for barriers in a page: `python tests/helpers/axe.py FILE` fetches it for tests/browser.

The version and its checksum are fixed. It is fetched from the registry of npm, not kept here: its licence is MPL-2.0.
"""

import base64
import hashlib
import io
import sys
import tarfile
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

VERSION = "4.14.0"
ADDRESS = f"https://registry.npmjs.org/axe-core/-/axe-core-{VERSION}.tgz"
SHA512 = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="  # npm's `integrity`
FILE = Path(__file__).parents[2] / ".venv" / f"axe-{VERSION}.js"  # where the Makefile puts it

RUN = """async ([rules, impacts]) => (await axe.run(document, { resultTypes: ['violations'], ...rules })).violations
    .filter(({ impact }) => impacts.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => [id, target.join(' '), failureSummary]))"""


def violations(
    page: Any, axe: str, rules: object = None, impacts: Sequence[str] = ("serious", "critical")
) -> list[list[str]]:
    """Those with such an impact, each with the rule, the element and what to do."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)  # not as a script of the page: its policy would refuse it
    return page.evaluate(RUN, [rules or {}, list(impacts)])


def script(archive: bytes) -> bytes:
    """The script in npm's archive; an error if that is not the one whose checksum is known."""
    found = base64.b64encode(hashlib.sha512(archive).digest()).decode("ascii")
    if found != SHA512:
        raise ValueError(f"{ADDRESS} has the SHA-512 {found}, expected {SHA512}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        member = opened.extractfile("package/axe.min.js")
        assert member is not None
        return member.read()


if __name__ == "__main__":
    with urllib.request.urlopen(ADDRESS, timeout=60) as answer:
        text = script(answer.read())
    Path(sys.argv[1]).write_bytes(text)
