"""Verdicts on whole studies, the paper's and others: every claim gets one, and what a study lacks is named."""

import re
from itertools import product

import numpy as np
import pytest
from adaptations import with_adaptations

from debox.analysis.claims import verdict
from debox.analysis.claims.compare import compare_claims
from debox.analysis.claims.finding import Finding
from debox.analysis.claims.rules import Verdict
from debox.analysis.claims.statements import CLAIMS
from debox.analysis.claims.verdict import claims, judge_all, select_claims

OPERATORS = {
    "mutation": ("best/1", "current-to-best/1", "rand/1", "rand/2"),
    "crossover": ("bin", "exp"),
    "strategy": ("COTN", "dismiss", "mirror", "saturation", "toroidal"),
    "N": (5, 20),
    "F": (0.5, 0.9),
    "Cr": (0.1, 0.99),
}


@pytest.fixture
def study(made):
    """A table of 6 runs of every configuration; exp is below bin by 0.2."""

    def make(n=30, budget=1000, **axes):
        rng = np.random.default_rng(6)
        keys = product(*{**OPERATORS, **axes}.values())
        return made({key: 0.5 - 0.2 * (key[1] == "exp") + 0.01 * rng.random(6) for key in keys}, n=n, budget=budget)

    return make


def found(table, **options):
    return {result.id: result for result in claims(table, **options)}


def test_every_claim_gets_a_verdict_in_order(study):
    results = claims(study())
    assert [result.id for result in results] == [claim.id for claim in CLAIMS]
    assert {result.verdict for result in results} <= set(Verdict)
    for result in results:
        assert result.evidence
        assert (result.effect is None) == (result.agree is None)
        if result.effect is None:
            assert result.verdict is Verdict.NOT_TESTABLE
            assert result.p is None


def test_what_is_true_holds_and_its_opposite_does_not(study):
    below, alike = "crossover-exp-below-bin", "strategy-alike"
    results = found(study(), only=[below, alike])
    assert (results[below].verdict, results[below].agree) == (Verdict.HOLDS, 1)
    assert results[below].effect == pytest.approx(0.2, abs=0.005)
    assert results[alike].verdict is Verdict.HOLDS
    table = study()
    table["crossover"] = np.where(table["crossover"] == "bin", "exp", "bin").astype(object)
    assert found(table, only=[below])[below].verdict is Verdict.NOT


def test_cells_that_are_missing_are_named(study):
    results = found(study())
    assert results["size-20-to-100"].evidence == "not testable here: needs N = 100; the study has 5, 20"
    assert "needs F above 1; the study has 0.5, 0.9" in results["parameters-F-above-1"].evidence
    assert "needs F at most 0.1" in results["parameters-minimal"].evidence
    assert results["size-5-to-20"].cells or "standard errors" in results["size-5-to-20"].evidence


def test_one_strategy_one_mutation_another_dimension(study):
    results = found(study(n=7, mutation=("rand/1",), strategy=("mirror",)))
    assert "needs strategy = toroidal, dismiss; the study has mirror" in results["strategy-alike"].evidence
    assert "needs several mutation; the study has rand/1" in results["mutation-minor"].evidence
    assert results["crossover-exp-below-bin"].verdict is Verdict.HOLDS
    assert results["crossover-bin-exchanges"].effect == pytest.approx((1 - 0.1) / 7)


def test_two_budgets_are_looked_at_one_at_a_time(study):
    first, second = study(), study(budget=2000)
    table = {name: np.concatenate([first[name], second[name]]) for name in first}
    with pytest.raises(ValueError, match="budget"):
        claims(table)
    ids = ["crossover-exp-below-bin"]
    assert found(table, only=ids, budget="2000") == found(second, only=ids)


def test_missing_cells_and_runs_are_refused_by_name(study):
    table = study()
    less = {name: np.delete(column, 0) for name, column in table.items()}
    with pytest.raises(ValueError, match=r"same 6 runs.*best/1/bin COTN, N=5, F=0\.5, Cr=0\.1: 5$"):
        claims(less)
    without = {name: column[6:] for name, column in table.items()}
    with pytest.raises(ValueError, match=r"best/1/bin COTN, N=5, F=0\.5, Cr=0\.1: 0$"):
        claims(without)


def test_one_run_decides_nothing(study):
    table = study()
    one = {name: column[table["run"] == 0] for name, column in table.items()}
    results = found(one)
    assert "needs at least 2 runs per configuration; the study has 1" in results["crossover-exp-below-bin"].evidence
    assert results["crossover-exp-exchanges"].verdict is Verdict.HOLDS  # mathematics needs no runs


def test_asking_for_one_claim_changes_no_p(study):
    everything = found(study())
    (one,) = claims(study(), only=["crossover-exp-below-bin"])
    assert one == everything[one.id]


def test_a_text_names_claims_between_commas(study):
    ids = ["crossover-exp-below-bin", "size-5-to-20"]
    assert list(found(study(), only=", ".join(ids))) == list(found(study(), only=ids))
    assert {result.family for result in claims(study(), only="collapse")} == {"collapse"}


def test_names_and_families_and_patterns():
    assert [claim.id for claim in select_claims(["factors-N*"])] == ["factors-N-not-alone"]
    assert {claim.family for claim in select_claims(["collapse"])} == {"collapse"}
    assert len(select_claims([])) == len(CLAIMS)
    with pytest.raises(ValueError, match="no claim or family is named 'colapse'; families are population size"):
        select_claims(["colapse"])


def test_p_values_are_corrected_for_the_family(monkeypatch, cube_of):
    """Three claims of one family with p of 0.02: corrected 0.06, so none holds though all cells agree."""

    def find(self, cube, promised):
        numbers = {"effect": 1.0, "unit": "unit", "p": 0.02, "p_half": 0.02}
        return Finding(**numbers, cells=10, agree=1.0, against=0.0, evidence="evidence")

    cube = cube_of(lambda **_: [0.5, 0.6])
    some = [claim for claim in CLAIMS if claim.family == "factors"][:3]
    monkeypatch.setattr(type(some[0].test), "find", find)
    monkeypatch.setattr(verdict, "CLAIMS", tuple(some))
    results = judge_all(cube)
    assert [result.p for result in results] == pytest.approx([0.06] * 3)
    assert {result.verdict for result in results} == {Verdict.NOT_TESTABLE}
    assert results[0].evidence == "evidence; the runs do not decide"
    monkeypatch.setattr(verdict, "CLAIMS", tuple(some[:2]))
    assert [result.verdict for result in judge_all(cube)] == [Verdict.HOLDS] * 2


def test_p_values_of_half_a_promise_are_corrected_on_their_own(monkeypatch, cube_of):
    """Six in ten cells agree, 95 % are promised, p for half of that is 0.02: enough for two claims, not for three."""

    def find(self, cube, promised):
        numbers = {"effect": 0.6, "unit": "unit", "p": 1.0, "p_half": 0.02}
        return Finding(**numbers, cells=10, agree=0.6, against=0.4, evidence="evidence")

    cube = cube_of(lambda **_: [0.5, 0.6])
    some = [claim for claim in CLAIMS if claim.family == "factors"][:3]
    monkeypatch.setattr(type(some[0].test), "find", find)
    for members, p_part, expected in ((some[:2], 0.04, Verdict.IN_PART), (some, 0.06, Verdict.NOT)):
        monkeypatch.setattr(verdict, "CLAIMS", tuple(members))
        results = judge_all(cube)
        assert [result.p_part for result in results] == pytest.approx([p_part] * len(members))
        assert [result.p for result in results] == [1.0] * len(members)
        assert {result.verdict for result in results} == {expected}


class Simulation:
    """A test with runs of its own, which finds a counterexample."""

    statistic, criterion = "excess", "a cell agrees if there is none"

    def find(self, cube, promised):
        numbers = {"effect": 0.3, "unit": "excess", "p": 1e-9, "p_half": 1e-9}
        evidence = f"n={cube.dimension}, promised {promised}"
        return Finding(**numbers, cells=10, agree=0.0, against=1.0, evidence=evidence)


def test_a_simulation_decides_what_a_study_cannot(study):
    (plain,) = claims(study(), only=["amount-upper-bound"])
    assert plain.verdict is Verdict.NOT_TESTABLE
    (result,) = claims(study(), only=["amount-upper-bound"], simulations={"amount-upper-bound": Simulation()})
    assert (result.verdict, result.evidence) == (Verdict.NOT, "n=30, promised 0.95")
    assert (result.statistic, result.criterion) == ("excess", f"{Simulation.criterion}; promised share 95%")


def test_a_simulation_of_no_claim_is_refused(study):
    with pytest.raises(ValueError, match="simulations: no claim has the id 'amount-uper-bound'"):
        claims(study(), only=["collapse"], simulations={"amount-uper-bound": Simulation()})


def test_conclusions_are_put_to_the_test_on_one_adaptation(made):
    """exp is below bin by 0.2 without adaptation, above by 0.2 with SHADE: neither may stand for the other."""
    tables = [
        with_adaptations(made({("rand/1", c, "mirror", 5, 0.5, 0.5): pois for c, pois in cells.items()}), **{name: 0})
        for name, cells in (
            ("fixed", {"bin": [0.5, 0.51, 0.52], "exp": [0.3, 0.31, 0.32]}),
            ("SHADE", {"bin": [0.3, 0.31, 0.32], "exp": [0.5, 0.51, 0.52]}),
        )
    ]
    both = {name: np.concatenate([one[name] for one in tables]) for name in tables[0]}
    only = "crossover-exp-below-bin"
    with pytest.raises(ValueError, match="the runs have adaptation = SHADE, fixed; choose one"):
        claims(both, only=only)
    effects = {name: found(both, only=only, adaptation=name)[only].effect for name in ("fixed", "SHADE")}
    # differences of shares of 995 trials of 1000 evaluations
    assert effects == {"fixed": pytest.approx(0.2 / 0.995), "SHADE": pytest.approx(-0.2 / 0.995)}


@pytest.mark.parametrize("only", [3, None, ["size-*", 3], 0])
def test_what_is_no_list_of_names_is_refused(study, only):
    message = f"only must be a text such as 'size-*' or a list of such texts, got {only!r}"
    for judge in (claims, compare_claims):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            judge(study(strategy=["mirror"]), only=only)


def test_what_is_no_mapping_of_simulations_is_refused(study):
    with pytest.raises(ValueError, match="simulations must be a mapping of ids to tests, got 3"):
        claims(study(strategy=["mirror"]), simulations=3)
