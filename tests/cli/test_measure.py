import json
import re
import sys
from dataclasses import replace

import pytest
from commands import fork_python, invoke

import debox
from debox import cli, loop, operators


def run_main(monkeypatch, *args):
    """The exit code of the installed command."""
    monkeypatch.setattr(sys, "argv", ["debox", *args])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return end.value.code


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_command(flag):
    result = invoke(flag)
    assert result.exit_code == 0
    shown = {name for name in cli.cli.commands if re.search(rf"^  {name}\b", result.output, re.MULTILINE)}
    assert shown == set(cli.cli.commands) - {"strategies"}  # what operators was called before


@pytest.mark.parametrize("command", list(cli.cli.commands))
def test_every_command_explains_itself(command):
    result = invoke(command, "--help")
    assert result.exit_code == 0
    assert cli.cli.commands[command].help.split("\n")[0][:40] in result.output


def test_help_shows_stores_that_every_installation_has(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = [line.split() for line in invoke("--help").output.splitlines() if " paper " in line]
    assert [words[1] for words in shown] == ["figures", "factors", "contrast", "predict", "claims", "report", "cite"]
    assert "paper.parquet" not in invoke("--help").output + invoke("predict", "--help").output
    assert debox.open_store("paper").path.is_file()


@pytest.mark.parametrize("command", ["figures", "factors", "claims", "report", "explore"])
def test_a_clone_s_path_of_the_paper_s_study_is_answered_with_its_name(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke(command, "data/paper.parquet")
    assert result.exit_code == 1
    assert "paper.parquet; 'paper' names the study that comes with debox" in result.output


@pytest.mark.parametrize(("written", "budget"), [("1e3", 1000), ("1200", 1200), ("1.5e3", 1500)])
def test_a_budget_may_be_written_with_an_exponent(written, budget):
    facts = json.loads(invoke(*MEASURE, "--runs", "1e0", "--budget", written, "--json").stdout)
    assert (facts["budget"], facts["runs"]) == (budget, 1)


def test_version_is_the_version_of_the_package():
    result = invoke("--version")
    assert (result.exit_code, result.output) == (0, f"debox, version {debox.__version__}\n")


def test_operators_lists_every_operator_with_its_names_formula_and_source():
    result = invoke("operators")
    assert result.exit_code == 0
    assert invoke("strategies").output == result.output
    for operator in operators.OPERATORS:
        section = re.search(rf"^{operator.slot}\n(.*?)\n\n", result.output, re.MULTILINE | re.DOTALL)[1]
        entry = re.search(rf"^  {re.escape(operator.name)}\b.*\n.*$", section, re.MULTILINE)[0]
        assert operator.short in entry
        assert operator.formula in entry
        assert operator.citation in entry


@pytest.mark.parametrize("command", [["-h"], ["measure", "-h"]], ids=" ".join)
def test_so_does_help_that_cannot_be_written(command):
    with open("/dev/full", "w") as full:
        process = fork_python("from debox.cli import main; main()", *command, stdout=full)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "Error: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("wrong", [["fly"], ["--fly"], ["strategies", "--fly"], ["strategies", "extra"]], ids=" ".join)
def test_what_is_unknown_ends_with_2_and_a_message(monkeypatch, capsys, wrong):
    assert run_main(monkeypatch, *wrong) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert wrong[-1] in err
    assert "Usage:" in err


def test_a_command_that_works_ends_with_0(monkeypatch, capsys):
    assert run_main(monkeypatch, "strategies") == 0
    assert "toroidal" in capsys.readouterr().out


def test_no_command_shows_the_help_and_is_not_a_success(monkeypatch, capsys):
    assert run_main(monkeypatch) == 2
    out, err = capsys.readouterr()
    assert "Start with:" in out + err


def test_control_c_ends_with_130_and_without_a_traceback(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.cli.commands["strategies"], "callback", interrupted)
    assert run_main(monkeypatch, "strategies") == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.strip() == "interrupted"


def test_a_bug_is_not_hidden(monkeypatch):
    def broken():
        raise ZeroDivisionError

    monkeypatch.setattr(cli.cli.commands["strategies"], "callback", broken)
    monkeypatch.setattr(sys, "argv", ["debox", "strategies"])
    with pytest.raises(ZeroDivisionError):
        cli.main()


# debox measure

MEASURE = ["measure", "DE/rand/1/exp sat", "-N", "5", "-F", "0.7", "--cr", "0.99"]
SHORT = ["--runs", "12", "--n", "3", "--budget", "400"]


def test_without_the_core_measure_says_how_to_get_it_and_not_a_traceback(monkeypatch, capsys):
    monkeypatch.setattr(loop, "_core", None)
    assert run_main(monkeypatch, *MEASURE, *SHORT) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Error: the fast engine needs it: the C core of debox is not installed")
    assert err.endswith("; or use engine='plain', far slower\n")


def test_measure_prints_a_table_a_histogram_the_colour_and_the_time():
    result = invoke(*MEASURE, *SHORT)
    assert result.exit_code == 0
    for part in ("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", "12 runs", "mean", "sd", "quantiles", "range"):
        assert part in result.stdout
    counts = re.findall(r"^ *[\[(]\d\.\d, \d\.\d\][^\d\n]*(\d*)$", result.stdout, re.MULTILINE)
    assert len(counts) == 10
    assert sum(int(count or 0) for count in counts) == 12
    assert re.search(r"colour (teal|orange|violet), \d+\.\d\d s", result.stdout)
    m = debox.measure("DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99", runs=12, n=3, budget=400)
    assert re.search(rf"mean +{m.mean():.4f}\b", result.stdout)


@pytest.mark.parametrize("engine", ["fast", "plain"])
def test_measure_json_is_what_the_library_measures(engine):
    options = ["--seed", "7", "--engine", engine, "--donors", "not-target", "--workers", "2", "--json"]
    result = invoke(*MEASURE, *SHORT, *options)
    assert result.exit_code == 0
    facts = json.loads(result.stdout)
    text = "DE/rand/1/exp sat, N=5, F=0.7, Cr=0.99, donors=not-target"
    m = debox.measure(text, runs=12, n=3, budget=400, rng=7, engine=engine)
    assert facts["config"] == text
    assert facts["pois"] == m.pois.tolist()
    assert facts["pois_at"] == m.pois_at.tolist()
    assert facts["accepted"] == m.accepted.tolist()
    assert facts["best_f"] == m.best_f.tolist()
    assert [facts[name] for name in ("seed", "dimension", "budget", "runs", "engine")] == [7, 3, 400, 12, engine]


def test_measure_takes_a_whole_configuration_as_text():
    whole = invoke("measure", "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.99, reevaluate=False", *SHORT, "--json")
    assert json.loads(whole.stdout)["reevaluate"] is False
    parts = invoke(*MEASURE, *SHORT, "--json")
    assert json.loads(parts.stdout)["reevaluate"] is True


def test_measure_takes_the_symbols_of_the_library_as_options_too():
    options = ["-N", "5", "-F", "0.7", "--Cr", "0.99", "--runs", "12", "-n", "3", "--budget", "400", "--json"]
    named = ["--runs", "12", "--dimension", "3", "--budget", "400"]
    facts = [
        json.loads(invoke(*command).stdout)
        for command in (["measure", MEASURE[1], *options], [*MEASURE, *SHORT, "--json"], [*MEASURE, *named, "--json"])
    ]
    assert facts[0]["pois"] == facts[1]["pois"] == facts[2]["pois"]


def test_measure_takes_the_two_readings_of_the_text_as_options():
    dismiss = ["measure", "DE/rand/1/exp dism", *MEASURE[2:], *SHORT, "--json"]
    assert json.loads(invoke(*dismiss).stdout)["config"] == "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.99"
    facts = json.loads(invoke(*dismiss, "--no-reevaluate", "--frozen").stdout)
    assert facts["config"] == "DE/rand/1/exp dism, N=5, F=0.7, Cr=0.99, reevaluate=False, frozen=True"
    assert facts["accepted"] == [0] * 12


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ([*MEASURE, "--runs", "0"], ["runs", "0"]),
        ([*MEASURE, "--runs", "many"], ["--runs", "many"]),
        ([*MEASURE, "--n", "0"], ["n must", "0"]),
        ([*MEASURE, "--budget", "4"], ["budget", "4", "N = 5"]),
        ([*MEASURE, "--seed", "-1"], ["-1"]),
        ([*MEASURE, "--engine", "quick"], ["engine", "'quick'", "auto, plain, fast"]),
        ([*MEASURE, "--workers", "0"], ["workers", "0"]),
        ([*MEASURE, "--workers", "1000000"], ["workers must be an integer ≤ 1024, got 1000000"]),
        ([*MEASURE, "--runs", "1000000000000"], ["runs must be an integer ≤ 10000000, got 1000000000000"]),
        ([*MEASURE, "--budget", str(2**63)], [f"budget must be at most {2**60} evaluations, got {2**63}"]),
        ([*MEASURE, "--n", str(2**63)], ["n must be an integer ≤", f"got {2**63}"]),
        ([*MEASURE, "--donors", "anyone"], ["donors", "'anyone'", "not-parents"]),
        (["measure", "DE/rand/1/exp saturn", *MEASURE[2:]], ["'saturn'", "saturation"]),
        (["measure", "DE/rand/1/exp sat", "-N", "2", *MEASURE[4:]], ["N must", "2"]),
        (["measure", "DE/rand/1/exp sat", "-N", "5", "-F", "2.1", "--cr", "0.5"], ["F must", "2.1"]),
        (["measure", "DE/rand/1/exp sat", "-N", "5", "-F", "0.7", "--cr", "nan"], ["Cr must", "nan"]),
        (["measure", "DE/rand/1/exp sat, N=6", *MEASURE[2:]], ["N is given twice"]),
        (["measure", "DE/rand/1/exp sat"], ["missing: -N -F --cr; for example debox measure"]),
        (["measure", "DE/rand/1/exp sat, F=0.7", "-N", "5"], ["missing: --cr;"]),
        (["measure", "DE/rand/1/exp", *MEASURE[2:]], ["missing: strategy"]),
        ([*MEASURE[:1], "DE/rand/1/exp sat, frozen=True", *MEASURE[2:], "--frozen"], ["frozen is given twice"]),
        (["measure"], ["CONFIG"]),
    ],
    ids=lambda value: " ".join(value[1:]) if "measure" in value else "",
)
def test_measure_ends_with_2_and_names_what_is_wrong(monkeypatch, capsys, args, named):
    assert run_main(monkeypatch, *args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert all(part in err for part in named)
    assert "Traceback" not in err


def test_what_no_memory_holds_ends_with_1_and_the_numbers(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", sys.stdout)  # put back: the command gives it up
    assert run_main(monkeypatch, *MEASURE, "-n", "1000000000000000") == 1
    assert "Unable to allocate" in capsys.readouterr().err


def test_a_seed_of_any_size_is_a_seed():
    facts = json.loads(invoke(*MEASURE, *SHORT, "--seed", str(10**40), "--json").stdout)
    assert facts["seed"] == 10**40
    assert facts["pois"] != json.loads(invoke(*MEASURE, *SHORT, "--json").stdout)["pois"]


def test_strategies_lists_every_recipe():
    section = re.search(r"^recipe\n(.*?)\n\n", invoke("strategies").output, re.MULTILINE | re.DOTALL)[1]
    assert [line.split()[0] for line in section.splitlines()] == list(operators.RECIPES)
    assert "DE/current-to-pbest/1/bin midpoint-target, adaptation=L-SHADE; N = 18 n" in section


def test_strategies_keeps_a_space_between_a_long_name_and_its_formula():
    name = "a-strategy-with-a-name-of-40-letters-abc"
    debox.register(replace(operators.find("strategy", "mirror"), name=name, short=name))
    formula = operators.find("strategy", "mirror").formula
    assert f"  {name} {formula}\n" in invoke("strategies").output


def test_a_recipe_needs_nothing_else_and_its_parts_are_options(monkeypatch):
    """No run is done: the configuration is what counts."""
    asked = []
    monkeypatch.setattr(debox, "measure", lambda config, **_: asked.append(config) or 1 / 0)
    for given in (
        ["L-SHADE midpoint-target"],
        ["DE/rand/1/bin sat", "-N", "9", "--adaptation", "jDE"],
        ["JADE", "-F", "1"],
    ):
        invoke("measure", *given, "-n", "2")
    assert [config.N for config in asked] == [36, 9, 30]
    assert [config.adaptation for config in asked] == ["L-SHADE", "jDE", "JADE"]
    assert [config.F for config in asked] == [0.5, 0.5, 1.0]


def test_an_unknown_recipe_is_answered_with_those_there_are():
    result = invoke("measure", "LSHADE")
    assert result.exit_code == 2
    assert "did you mean 'L-SHADE'?" in result.output
