"""The core that the tests run on is compiled from the C sources of this tree."""

import hashlib
from pathlib import Path

from debox import loop

CORE = Path(__file__).parents[1] / "src" / "debox" / "core"


def test_the_core_is_compiled_from_the_sources_of_this_tree():
    content = b"".join(path.read_bytes() for path in sorted(CORE.glob("*.[ch]")))
    compiled = loop._core.DIGEST if loop.is_compiled() else "missing"
    assert compiled == hashlib.sha256(content).hexdigest()[:16], (
        "the C core is missing, or older than its sources: `make test` builds it, or "
        "`DEBOX_CORE=required python setup.py build_ext --inplace --force`"
    )
