"""Compiling promises a cache only if there is one."""

import re

from debox import jit
from debox.jit import compiling, kernel


def twice(x):
    return 2 * x


def test_compiling_promises_a_cache_only_if_there_is_one(unwritable, monkeypatch, capsys, tmp_path):
    jit.compiled.__wrapped__(kernel(twice))(1.0)
    assert re.search(r"compiling twice … \d", capsys.readouterr().err)
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    jit.compiled.__wrapped__(kernel(twice))(1.0)
    assert "compiling twice (once, then cached) … " in capsys.readouterr().err
