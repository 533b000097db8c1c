"""Who waits for the compiler is told what it does; a log that cannot be written stops nothing."""

import re
import sys

from foreign_kernels import twice

from debox import jit
from debox.jit import compiling, kernel


def test_compiling_promises_a_cache_only_if_there_is_one(unwritable, monkeypatch, capsys, tmp_path):
    jit.dispatcher_of.__wrapped__(kernel(twice))(1.0)
    assert re.search(r"compiling twice … \d", capsys.readouterr().err)
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    jit.dispatcher_of.__wrapped__(kernel(twice))(1.0)
    assert "compiling twice (once, then cached) … " in capsys.readouterr().err


@kernel
def thrice(x):
    return 3 * x


@kernel
def thrice_and_one(x):
    return thrice(x) + 1


def test_the_kernel_that_was_asked_for_is_told_of_and_not_those_that_it_calls(fresh, capsys):
    fresh(thrice_and_one)(1.0)
    assert re.fullmatch(r"debox: compiling thrice_and_one \(once, then cached\) … \d+\.\d s\n", capsys.readouterr().err)


class FullDisk:
    tries = 0

    def write(self, text):
        self.tries += 1
        raise OSError("No space left on device")

    def flush(self):
        raise OSError("No space left on device")


def test_a_log_that_cannot_be_written_stops_no_compilation(fresh, monkeypatch):
    log = FullDisk()
    monkeypatch.setattr(sys, "stderr", log)
    assert fresh(thrice)(2.0) == 6
    assert log.tries == 2  # at the beginning and at the end
