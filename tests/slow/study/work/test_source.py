"""The digest changes with the code that makes a run's numbers, and with nothing else."""

import os
import re
import shutil
from functools import cache

import pytest
from commands import run_python

from debox import Operator, jit, operators, register
from debox.jit import kernel
from debox.study import work


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package, which whoever edits it puts back as it was"""
    package = tmp_path_factory.mktemp("copy") / "debox"
    shutil.copytree(work.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


normal_form = cache(work.without_docstrings)  # of a text, once: a digest takes a third of a second for all files


@pytest.fixture
def digest_of(monkeypatch, package):
    """The digest of a copy of the package, in which a file was edited"""
    monkeypatch.setattr(work, "PACKAGE", package)
    monkeypatch.setattr(work, "without_docstrings", normal_form)

    def digest(name, old="", new=""):
        file = package / name
        before = file.read_text()
        assert old in before
        file.write_text(before.replace(old, new, 1))
        try:
            return work.own_digest.__wrapped__()
        finally:
            file.write_text(before)

    return digest


@pytest.fixture(scope="module")
def digest_before(package):
    """That of the copy as it is"""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(work, "PACKAGE", package)
        patched.setattr(work, "without_docstrings", normal_form)
        return work.own_digest.__wrapped__()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("f0/engines.py", "SFC64", "PCG64"),
        ("f0/fast/scan.py", "BATCH = 256", "BATCH = 255"),
        ("f0/fast/exact.py", "0.6", "0.61"),
        ("f0/fast/fixed_point.py", "MARGIN = 3", "MARGIN = 2"),
        ("f0/fast/batch.py", "k >= drawn", "k > drawn"),
        ("de/variation.py", "F * (", "F * 1.05 * ("),
        ("de/adaptations.py", "0.9 * memory", "0.8 * memory"),
        ("de/adaptive.py", "archives * N + 0.5", "archives * N"),
        ("jit/native_code.py", "types.uint32", "types.uint16"),
        ("jit/marking.py", "if is_kernel(callee)", "if not is_kernel(callee)"),
        ("jit/compiling.py", "callees(function).items()", "{}.items()"),
        ("jit/specialising.py", "not replacements", "replacements"),
        ("jit/pointers.py", "uint64", "uint32"),
        ("de/strategies.py", "def ", "def _"),
        ("box.py", "1.0 - U", "1.1 - U"),
        ("config.py", "N={self.N}", "N = {self.N}"),
    ],
)
def test_other_code_has_another_digest(digest_of, digest_before, name, old, new):
    assert digest_of(name, old, new) != digest_before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("f0/engines.py", "import hashlib", "import hashlib  # a comment"),
        ("f0/measure.py", "RUNS_PER_TASK = 25", "RUNS_PER_TASK = 26"),
        ("f0/fast/batch.py", "A fresh U(0,1)", "A new U(0,1)"),
        ("optimize/optimizer.py", "import", "import os\nimport"),
        *((f"jit/{name}.py", "import", "import os\nimport") for name in ("cache", "folder", "private", "progress")),
        *(
            (f"jit/{name}.py", "import", "import os\nimport")
            for name in ("__init__", "binding", "interrupts", "lost_errors")
        ),
        *((f"jit/{name}.py", "import", "import os\nimport") for name in ("locks", "objectives")),
    ],
)
def test_comments_docstrings_and_what_only_shows_leave_it(digest_of, digest_before, name, old, new):
    assert digest_of(name, old, new) == digest_before


def test_a_function_that_is_only_a_docstring_is_code_too():
    assert work.without_docstrings('def f():\n    """Says."""') == work.without_docstrings("def f():\n    pass")


def test_the_files_that_change_no_number_exist():
    """A file that is moved takes its exception with it."""
    assert all((work.PACKAGE / path).is_file() for path in work.FILES_THAT_CHANGE_NO_NUMBER)


def test_options_of_the_compiler_have_a_digest_of_their_own(digest_of, monkeypatch):
    before = digest_of("jit/library.py")
    monkeypatch.setitem(jit.OPTIONS, "fastmath", {"contract"})
    assert digest_of("jit/library.py") != before


def test_an_edited_kernel_changes_the_digest_of_the_store_and_the_folder_of_machine_code(package):
    """Both are found in a copy of the package, by a process of its own, before and after each edit."""
    code = """
import sys
from functools import cache
from debox.jit.folder import digest_of_kernel_sources
from debox.study import work
work.without_docstrings = cache(work.without_docstrings)

def tell():
    work.own_digest.cache_clear()
    digest_of_kernel_sources.cache_clear()
    print(work.source_digest(), digest_of_kernel_sources())

tell()
for edited in sys.argv[1:]:
    file = work.PACKAGE / edited
    text = file.read_text()
    file.write_text(text + "\\nADDED = 1\\n")
    tell()
    file.write_text(text)
tell()
"""
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    ended = run_python(code, "f0/fast/scan.py", "jit/native_code.py", env=environment)
    before, *edited, after = (line.split() for line in ended.stdout.splitlines())
    assert len(before) == len(edited) == 2, ended.stderr
    assert all(old != new for digests in edited for old, new in zip(before, digests, strict=True))
    assert after == before


@kernel
def low(u, x, c, a, b, rng):
    """a"""
    return a


@kernel
def high(u, x, c, a, b, rng):
    """b"""
    return b


def strategy(name, function):
    return Operator(slot="strategy", name=name, function=function)


def test_operators_of_debox_leave_the_digest_whatever_else_is_registered():
    before = work.source_digest()
    register(strategy("mine", low))
    assert work.source_digest(operators.OPERATORS) == work.source_digest() == before


def test_an_operator_from_outside_is_in_the_digest_of_what_uses_it():
    mine = register(strategy("mine", low))
    own, word = work.source_digest([mine, operators.find("strategy", "mirror"), mine]).split(" ")
    assert own == work.source_digest()
    assert re.fullmatch("strategy:mine=[0-9a-f]{16}", word)
    assert work.source_digest([strategy("mine", high)]) != work.source_digest([mine])
    assert work.source_digest([strategy("other", low)]) != work.source_digest([mine])


def test_the_order_of_operators_does_not_matter():
    both = [strategy("one", low), strategy("two", high)]
    assert work.source_digest(both) == work.source_digest(both[::-1])
