"""How the installed command ends: a second or two after a signal, whatever it is doing, and never by a traceback."""

import os
import signal
import subprocess
import sys

import click
import pytest
from commands import fork_python, start_python

import debox
from debox import cli

# A run of days, which says when it has begun.
COMMAND = """
import sys
from debox.f0.engines import Plain
def begin(self, rng, begin=Plain.begin):  # which Fast calls, too
    begin(self, rng)
    print("begun", file=sys.stderr, flush=True)
Plain.begin = begin
from debox.cli import main
main()
"""
# Waits a tenth of a second for threads that are busy, not one.
IMPATIENT = "from debox import threads\nthreads.PATIENCE_SECONDS = 0.1\n"
DAYS = ["--budget", str(10**15), "--runs", "1"]
RUNS = {
    "plain": ["measure", "DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", "--engine", "plain", "--n", "1000", *DAYS],
    "fast": ["measure", "DE/rand/1/bin sat, N=200, F=0.7, Cr=0.9", "--engine", "fast", "--n", "1000", *DAYS],
}
SOON = 20  # seconds: a second or two on a quiet machine


def end_of(process, kind):
    """What it says after the signal, which is sent when the run has begun."""
    assert next(line for line in process.stderr if line == "begun\n")
    process.send_signal(kind)
    try:
        return process.communicate(timeout=SOON)
    finally:
        process.kill()


@pytest.mark.parametrize("engine", RUNS)
def test_control_c_does_not_wait_for_the_end_of_a_run(engine):
    process = (
        start_python(COMMAND, *RUNS["fast"]) if engine == "fast" else fork_python(IMPATIENT + COMMAND, *RUNS[engine])
    )
    out, err = end_of(process, signal.SIGINT)
    assert (process.returncode, out, err.strip()) == (130, "", "interrupted")


def test_neither_does_sigterm():
    process = fork_python(IMPATIENT + COMMAND, *RUNS["plain"])
    out, err = end_of(process, signal.SIGTERM)
    assert (process.returncode, out, err) == (143, "", "")


def test_after_control_c_python_goes_on_at_once_and_ends_at_once():
    code = (
        COMMAND.partition("from debox.cli")[0]
        + """
import debox
text = "DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9"
try:
    debox.measure(text, engine="plain", n=1000, budget=10**15, runs=1)
except KeyboardInterrupt:
    print(debox.measure(text, n=3, budget=100, runs=2).pois.tolist())
"""
    )
    process = start_python(code)
    out, _ = end_of(process, signal.SIGINT)
    again = debox.measure("DE/rand/1/bin sat, N=5, F=0.7, Cr=0.9", n=3, budget=100, runs=2)
    assert (process.returncode, out) == (0, f"{again.pois.tolist()}\n")


@pytest.mark.parametrize(("kind", "code", "message"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "")])
def test_verifying_a_store_does_not_wait_for_the_end_of_a_run(tmp_path, kind, code, message):
    factors = {"mutation": "rand/1", "crossover": "bin", "strategy": "sat", "N": 5, "F": 0.7, "Cr": 0.9}
    study = debox.Study(name="short", **factors, n=3, runs=1, budget=100, engine="plain")
    debox.run(study, tmp_path / "store")
    longer = "from debox.f0 import measure, engines; from debox.study import verify\n"
    longer += "def advance(self, until):\n    self.loop.run.budget = 10**15\n"
    longer += "    self.loop.advance_on_f0(10**15, self.stop.is_set)\n"
    longer += "engines.Plain.advance = advance\n"
    process = fork_python(IMPATIENT + longer + COMMAND, "store", "verify", tmp_path / "store")
    out, err = end_of(process, kind)
    assert (process.returncode, out, err.strip()) == (code, "", message)


def test_what_a_terminal_cannot_show_is_shown_in_escapes():
    command, latin = [sys.executable, "-m", "debox", "strategies"], {"PYTHONIOENCODING": "latin-1"}
    result = subprocess.run(command, capture_output=True, timeout=60, env={**os.environ, **latin})
    assert (result.returncode, result.stderr) == (0, b"")
    assert rb"u_i = v_i if U_i \u2264 Cr or i = I, else x_i" in result.stdout


def test_a_path_that_is_no_text_is_printed(tmp_path, monkeypatch, capfdbinary):
    """To stdout, which, other than stderr, is strict unless it is told not to be."""
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    monkeypatch.setattr(cli.cli.commands["strategies"], "callback", lambda: click.echo(path))
    monkeypatch.setattr(sys, "argv", ["debox", "strategies"])
    monkeypatch.setattr(sys, "stdout", open(1, "w", encoding="utf-8", closefd=False))  # noqa: SIM115
    with pytest.raises(SystemExit) as end:
        cli.main()
    sys.stdout.flush()
    assert end.value.code == 0
    assert capfdbinary.readouterr().out == os.fsencode(tmp_path) + b"/caf\\udce9\n"


STUDY = "name = 'small'\nruns = 2\nn = 2\nbudget = 50\nmutation = 'rand/1'\ncrossover = 'bin'\nstrategy = 'sat'\n"
STUDY += "N = 5\nF = 0.5\nCr = 0.9\nengine = 'plain'\n"
MEASURE = "measure 'DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99' --runs 2 --n 2 --budget 100"
NOWHERE = "Error: cannot print: there is no standard output\n"
FULL = "Error: [Errno 28] No space left on device\n"


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("run small.toml --store new 2>&-", 0, ""),
        ("run small.toml --store new 2>/dev/full", 0, ""),
        ("store export out --csv - >&-", 1, NOWHERE),
        ("report out -o - >&-", 1, NOWHERE),
        (f"{MEASURE} >&-", 0, ""),
        ("strategies >/dev/full", 1, FULL),
    ],
)
def test_where_nothing_can_be_printed_or_logged_a_study_is_run_and_other_commands_say_so(tmp_path, command, code, said):
    (tmp_path / "small.toml").write_text(STUDY)
    if " out " in command:
        debox.run(tmp_path / "small.toml", tmp_path / "out")
    call = ["sh", "-c", f"{sys.executable} -m debox {command}"]
    ended = subprocess.run(call, cwd=tmp_path, timeout=120, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (code, said)
    assert not command.startswith("run") or len(debox.open_store(tmp_path / "new").finished()) == 2


@pytest.mark.parametrize("command", ["strategies", "figures paper --only threshold --format csv --out"])
def test_a_command_ends_quietly_when_whoever_reads_its_output_has_gone(tmp_path, command):
    """As in `debox figures paper | head -1`: no figure failed, so no error says that one cannot be written."""
    reader, writer = os.pipe()
    os.close(reader)
    folder = [tmp_path] if command.endswith("--out") else []
    process = start_python("from debox.cli import main\nmain()", *command.split(), *folder, stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=100)
    assert (process.returncode, err) == (1, "")
    assert not folder or (tmp_path / "threshold.csv").exists()
