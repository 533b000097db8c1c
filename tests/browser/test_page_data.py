"""The page's numbers and texts are Python's: the packed study, its summaries, colours, exact chances, and commands."""

import shlex
from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest
from adaptations import with_adaptations
from explorer_table import packed, table

import debox
from debox import Config, edpois, theory
from debox.analysis.leaving import TICKS, logit_like
from debox.analysis.runs import Runs
from debox.explore.data import pack
from debox.figures import overview, style

READ = """
    const { gunzip } = await import('/core.js'), study = new m.StoredStudy(a.header, await gunzip(a.counts))
    const all = Array.from({ length: study.cells }, (_, k) => k)
    return { counts: all.map((cell) => study.marks.map((_, k) => [...study.infeasible(cell, k)])),
             pois: all.flatMap((cell) => [...study.pois(cell)]), values: all.map((cell) => study.valuesOf(cell)),
             back: all.map((cell) => study.cellOf(study.valuesOf(cell))), none: study.cellOf({ mutation: "other" }) }"""


@pytest.mark.parametrize("runs", [(2, 2, 2, 2), (3, 0, 1, 2)])
def test_the_page_reads_what_was_packed(run, runs):
    rows = table(runs=runs)
    read = run("study", READ, packed(rows, runs=max(runs))._asdict())
    counts = np.split(np.round(rows["pois"] * 60).astype(int), np.cumsum(runs)[:-1])
    assert [cell[-1] for cell in read["counts"]] == [count.tolist() for count in counts]
    assert [cell[0] for cell in read["counts"]] == [(count // 3).tolist() for count in counts]
    assert read["pois"] == rows["pois"].tolist()
    assert [(v["F"], v["Cr"]) for v in read["values"]] == [(0.5, 0.1), (0.5, 0.9), (1.5, 0.1), (1.5, 0.9)]
    assert (read["back"], read["none"]) == ([0, 1, 2, 3], -1)


def test_counts_beyond_three_bytes_are_read(run):
    budget, counts = 2**33, [0, 1, 2**24, 2**32 - 1, 2**32, 2**33 - 6, 5, 6]
    read = run("study", READ, packed(table(counts=counts, budget=budget), runs=2, budget=budget)._asdict())
    assert [x for cell in read["counts"] for x in cell[-1]] == counts


def test_a_study_of_several_adaptations_has_them_as_a_factor(run):
    rows = with_adaptations(table(), fixed=0, SHADE=0)
    del rows["pois_at_third"], rows["pois_at_two_thirds"]
    rows["pois"][8:] = rows["pois"][7::-1]
    read = run("study", READ, pack(Runs.of(rows))._asdict())
    assert list(read["values"][0]) == ["mutation", "crossover", "strategy", "N", "adaptation", "F", "Cr"]
    assert [v["adaptation"] for v in read["values"]] == ["fixed"] * 4 + ["SHADE"] * 4
    assert (read["pois"], read["back"]) == (rows["pois"].tolist(), list(range(8)))


def samples():
    """Samples of POIS: spread, near 0 and 1, on the borders of bins and colours, few."""
    rng = np.random.default_rng(1)
    spread = [rng.integers(0, 301, size) / 300 for size in (1, 2, 5, 10, 11, 49, 50)]
    near = [np.round(rng.random(50) * 0.002, 6), 1 - np.round(rng.random(50) * 0.02, 6), np.full(9, 0.001)]
    edges = [np.arange(11) / 10, np.array([0.999, 1.0]), np.array([0.99, 0.999]), np.array([0.001, 0.01])]
    return [*spread, *near, *edges]


def test_summaries_bins_and_colours_are_those_of_the_figures_to_the_last_bit(run):
    body = "return a.map((pois) => [m.summarise(pois), m.histogram(pois), m.colourClass(pois)])"
    for pois, (found, bins, colour) in zip(samples(), run("numbers", body, [*map(list, samples())]), strict=True):
        low, median, high = np.quantile(pois, [0.05, 0.5, 0.95]).tolist()
        assert found == {"runs": len(pois), "low": low, "median": median, "high": high}
        assert bins == edpois.histogram(pois).tolist()
        assert colour == edpois.colour(pois)


def test_the_scale_and_its_colours_are_those_of_the_figures(run):
    pois = [*TICKS, *np.linspace(0, 1, 500).tolist()]
    body = "return [a.map(m.logitLike), a.map(m.colourOf), m.CLASS_COLOURS, m.SCALE_TICKS, m.colourOf(NaN)]"
    places, colours, classes, ticks, none = run("numbers", body, pois)
    np.testing.assert_allclose(places, logit_like(pois), rtol=0, atol=1e-12)
    expected = matplotlib.colormaps[overview.COLOURS]((logit_like(pois) / 3 + 1) / 2)
    rgb = np.array([[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in colours])
    assert np.abs(rgb - 255 * expected[:, :3]).max() <= 0.5 + 1e-9
    assert (classes, tuple(ticks), none) == (style.COLOURS, TICKS, None)


CONFIGS = [
    "DE/rand/1/bin sat, N=5, F=0.7, Cr=0.3",
    "DE/rand/1/exp sat, N=3, F=2, Cr=1",
    "DE/rand/2/bin sat, N=5, F=0.05, Cr=0.99",
    "DE/rand/2/exp sat, N=100, F=1.35, Cr=0",
    "DE/best/1/bin sat, N=20, F=1, Cr=0.5",
    "DE/best/1/exp sat, N=4, F=0.9, Cr=0.5, donors=not-parents",
    "DE/curr-to-best/1/bin sat, N=5, F=1, Cr=0.5",
    "DE/curr-to-best/1/bin sat, N=5, F=0.5, Cr=0.5",
    "DE/curr-to-best/1/exp sat, N=20, F=1.99, Cr=0.9, donors=not-target",
    "DE/best/2/bin sat, N=6, F=0.6, Cr=0.5",
    "DE/curr-to-best/2/exp sat, N=7, F=0.8, Cr=0.5, donors=not-parents",
    "DE/rand-to-best/1/bin sat, N=5, F=1, Cr=0.5",
    "DE/rand-to-best/2/exp sat, N=8, F=0.4, Cr=0.9, donors=not-target",
]


@pytest.mark.parametrize("text", CONFIGS)
def test_the_chance_of_generation_1_is_the_exact_one(run, text):
    config, budget = Config(text), 1000
    given = {name: getattr(config, name) for name in ("mutation", "crossover", "donors", "N", "F", "Cr", "adaptation")}
    for n in (1, 30):
        found = run("numbers", "return m.exactStart(operators, a)", given | {"n": n, "budget": budget})
        assert found == pytest.approx(theory.frozen_pois(config, n, budget), rel=1e-8, abs=1e-10)
    adapts = given | {"adaptation": "SHADE", "n": n, "budget": budget}
    assert run("numbers", "return Number.isNaN(m.exactStart(operators, a))", adapts)


STUDY = {"dimension": 3, "budget": 60, "planned": 7, "seed": 4, "engine": "auto", "shares": [1 / 3, 2 / 3]}
VALUES = {"mutation": "current-to-best/1", "crossover": "exp", "strategy": "conservatism", "N": 5, "F": 0.7, "Cr": 0.9}
OTHER = {"settings": {"donors": "not-target", "repair": "mutant", "frozen": True}, "shares": [0.5], "engine": "plain"}
RECIPES = "(await import('/address.js')).learnNames(operators); return m.recipes({ operators, ...a[0] }, a[1])"


@pytest.mark.parametrize(
    ("settings", "adaptation"),
    [
        ({"settings": {}}, {}),
        (OTHER, {}),
        ({"settings": {"donors": "distinct", "adaptation": "jDE"}}, {}),
        ({"settings": {"donors": "not-target"}}, {"adaptation": "SHADE"}),
        ({"settings": {}}, {"adaptation": "fixed"}),
    ],
)
def test_the_recipes_are_the_runs_of_the_study(run, monkeypatch, settings, adaptation):
    """What the lines ask `measure` for is what the study plans; that it gives the same runs is `measure`'s promise."""
    found, asked = run("cell", RECIPES, [STUDY | settings, VALUES | adaptation]), []
    monkeypatch.setattr(
        debox, "measure", lambda config, **rest: asked.append((Config(config), rest)) or SimpleNamespace(pois=0)
    )
    exec(found["python"], {})
    ((config, rest),) = asked
    assert config == Config(**VALUES, **settings["settings"], **adaptation)
    engine = {"engine": "plain", "checkpoints": [0.5]} if settings is OTHER else {}
    assert rest == {"n": 3, "budget": 60, "runs": 7, "rng": 4, **engine}
    if settings is OTHER:
        assert found["command"] == ""
    else:
        *command, text = shlex.split(found["command"])[:3]
        assert (command, Config(text)) == (["debox", "measure"], config)
        assert found["command"].endswith("-n 3 --budget 60 --runs 7 --seed 4")


def test_operators_of_ones_own_need_their_file(run):
    """The command has --operators FILE, Python a line that says so; debox's own need neither."""
    study = STUDY | {"settings": {}}
    own, foreign = (run("cell", RECIPES, [study, VALUES | {"strategy": name}]) for name in ("none", "my-own"))
    assert "--operators" not in own["command"]
    assert own["python"].startswith("import debox\n")
    assert foreign["command"].endswith("--seed 4 --operators FILE")
    assert foreign["python"].startswith("# first import the module that registers my-own\nimport debox\n")


def test_no_command_holds_what_is_no_name(run):
    """In every slot and setting; the control: the usual names give a command."""
    hostile = ['x" ; touch it ; echo "', "$(touch it)", "`touch it`", "x\ntouch it", "x'y", "x y", "-x", ""]
    body = """
        const [hostile, study, usual] = a, rest = { n: 3, budget: 60, runs: 2, seed: 1 }
        const said = hostile.flatMap((text) => [
            ...Object.keys(usual).map((slot) => m.measureCommand({ ...usual, [slot]: text }, {}, rest)),
            ...Object.keys(usual).flatMap((slot) => {
                const { command, python } = m.recipes(study, { ...usual, [slot]: text })
                return [command, python.split('import').slice(1).join('')]
            }),
            m.measureCommand(usual, { donors: text }, rest), m.measureCommand(usual, { [text]: 1 }, rest),
            m.measureCommand(usual, {}, { ...rest, seed: text }), m.recipes({ ...study, engine: text }, usual).command])
        return [said, m.measureCommand(usual, { donors: 'not-target' }, rest)]"""
    values = VALUES | {"mutation": "rand/1", "strategy": "none"}
    refused, usual = run("cell", body, [hostile, STUDY | {"settings": {}}, values])
    assert set(refused) == {""}
    text = "DE/rand/1/exp none, N=5, F=0.7, Cr=0.9, donors=not-target"
    assert usual == f'debox measure "{text}" -n 3 --budget 60 --runs 2 --seed 1'


def test_a_cell_is_named_by_its_configuration_or_by_its_number(run):
    """Of several adaptations its name tells which."""
    body = """
        const { StoredStudy } = await import('/study.js')
        const study = new StoredStudy({ axes: a[0], runs: 0, bytes: 3, marks: [60] }, new Uint8Array())
        const all = [0, 1, 2, 3].map((cell) => study.valuesOf(cell)), texts = all.map(m.cellText)
        return [m.configName(all[3]), texts[3], [...texts, '2', ...a[1]].map((text) => m.cellNamed(study, text)),
            m.parseVariant('DE/' + '/'.repeat(1e6))]"""
    axes = {"mutation": ["rand/1"], "crossover": ["bin"], "strategy": ["none"], "N": [5]}
    axes |= {"adaptation": ["fixed", "SHADE"], "F": [0.5, 1.5], "Cr": [0.1]}
    wrong = ["4", "-1", "1e0", "DE/rand/1/bin none fixed,5,0.7,0.1", "DE/rand/1/bin x fixed,5,0.5,0.1", "DE/x,5", ""]
    name, address, cells, long = run("address", body, [axes, wrong])
    assert name == "DE/rand/1/bin none SHADE, N=5, F=1.5, Cr=0.1"
    assert address == "DE/rand/1/bin none SHADE,5,1.5,0.1"
    assert (cells, long) == ([0, 1, 2, 3, 2] + [-1] * 7, None)
