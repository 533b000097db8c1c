"""What tests of kernels share: kernels are compiled whatever DEBOX_JIT says, and a cache folder of the test's own."""

from functools import cache as remember

import pytest

from debox.jit import compiling, folder, switch


@pytest.fixture(autouse=True)
def _compiling(monkeypatch):
    """Whatever DEBOX_JIT says where the tests run"""
    monkeypatch.setattr(switch, "_interpreted", False)


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """The dispatcher of a kernel as a new process would have it whose cache is tmp_path"""
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)

    def dispatcher(function, caller="Python"):
        monkeypatch.setattr(compiling, "dispatcher_of", remember(compiling.dispatcher_of.__wrapped__))
        return compiling.dispatcher_of(function, caller)

    return dispatcher


@pytest.fixture
def unwritable(monkeypatch, tmp_path):
    """A cache folder that not even root can make: it would lie below a file"""
    (tmp_path / "file").touch()
    monkeypatch.setenv("DEBOX_CACHE_DIR", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(compiling, "cache_folder", folder.cache_folder.__wrapped__)
    return tmp_path / "file" / "below"
