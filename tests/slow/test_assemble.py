from dataclasses import replace

import numpy as np
import pytest

from debox import Box, Config, jit, registry
from debox.assemble import assemble, builder_for, loop_for
from debox.config import per_variable
from debox.de import adaptive, algorithm, strategies, variation
from debox.de.algorithm import BASE_BEST, BASE_R1, BASE_TARGET, COMPETES, LOSES, UNSEEN, Tally
from debox.registry import in_slot

BOX = Box([-1, 0, 5], [1, 2, 9])

FUNCTIONS = {
    "rand/1": variation.rand_1,
    "rand/2": variation.rand_2,
    "best/1": variation.best_1,
    "current-to-best/1": variation.current_to_best_1,
    "bin": variation.binomial,
    "exp": variation.exponential,
    "saturation": strategies.saturation,
    "toroidal": strategies.toroidal,
    "mirror": strategies.mirror,
    "COTN": strategies.cotn,
    "dismiss": strategies.dismiss,
}
DONORS = {"rand/1": 3, "rand/2": 5, "best/1": 2, "current-to-best/1": 2}


def assembled(config, *args):
    with jit.interpreted():
        return assemble(config, BOX, *args, budget=100)


def test_an_adaptive_run_without_a_budget_is_refused():
    # The loop goes on to the budget, in generations of what is left of the budget that the DE knows: of none, for ever.
    with jit.interpreted(), pytest.raises(TypeError, match=r"DE/curr-to-pbest/1/bin.*budget"):
        assemble(Config("DE/current-to-pbest/1/bin sat, N=7, F=0.7, Cr=0.25"), BOX)


ALL = list(map(in_slot, ("mutation", "crossover", "strategy")))
EACH = [[operators[k % len(operators)] for operators in ALL] for k in range(max(map(len, ALL)))]


@pytest.mark.parametrize(("m", "c", "s"), EACH, ids=lambda o: o.name)
def test_a_configuration_gets_the_operators_it_names(m, c, s):
    de = assembled(Config(mutation=m.name, crossover=c.name, strategy=s.name, N=7, F=0.7, Cr=0.25))
    if m.draws_K:
        assert de.mutation is jit.specialise(variation.mutate_with_K, formula_with_K=m.function)
    else:
        assert de.mutation is jit.specialise(variation.mutate, formula=m.function)
    assert de.crossover is c.function
    assert [de.whole_strategy if de.whole else de.strategies[k] for k in de.strategy_of] == [s.function] * 3
    assert len(set(de.strategies)) == 1  # the others are not compiled
    assert de.n_donors == m.donors
    assert (de.whole, de.redraws) == (s.whole, s.redraws)
    assert de.fate == (UNSEEN if s.name == "penalty" else COMPETES)
    assert {"r1": BASE_R1, "best": BASE_BEST, "target": BASE_TARGET}[m.base] == de.base


@pytest.mark.parametrize("operator", FUNCTIONS)
def test_an_operator_of_the_paper_has_the_function_of_its_name(operator):
    found = [o for slot in ("mutation", "crossover", "strategy") for o in in_slot(slot) if o.name == operator]
    assert [o.function for o in found] == [FUNCTIONS[operator]]
    assert [o.donors for o in found] == [DONORS.get(operator, 0)]


@pytest.mark.parametrize(
    ("m", "rule", "in_force"),
    [
        ("rand/1", "distinct", variation.distinct),
        ("rand/1", "not-target", variation.not_target),
        ("rand/1", "not-parents", variation.not_target),  # the best is no parent of rand/1
        ("rand/2", "not-parents", variation.not_target),
        ("best/1", "not-target", variation.not_target),
        ("best/1", "not-parents", variation.not_parents),
        ("current-to-best/1", "not-parents", variation.not_parents),
    ],
)
def test_the_donor_rule_avoids_the_best_only_where_it_is_a_parent(m, rule, in_force):
    de = assembled(Config(mutation=m, crossover="bin", strategy="sat", N=7, F=0.7, Cr=0.2, donors=rule))
    assert de.donors is in_force


def test_parameters_switches_and_bounds_arrive():
    de = assembled(Config("DE/rand/1/bin dism", N=7, F=0.7, Cr=0.25, reevaluate=False, frozen=True))
    assert (de.F, de.Cr, de.frozen) == (0.7, 0.25, True)
    assert de.fate == LOSES  # reevaluate=False
    assert de.a.tolist() == [-1, 0, 5]
    assert de.b.tolist() == [1, 2, 9]
    assert de.a.flags.writeable, "a kernel is compiled for plain arrays"
    assert de.a.dtype == de.b.dtype == np.float64


def test_each_variable_gets_its_own_strategy():
    de = assembled(Config("DE/rand/1/bin mirr", N=7, F=0.7, Cr=0.25), per_variable(["mirror", "toroidal", "COTN"], 3))
    expected = [strategies.mirror, strategies.toroidal, strategies.cotn]
    assert [de.strategies[k] for k in de.strategy_of] == expected
    assert not de.whole


@pytest.mark.parametrize(("chosen", "size"), [(1, 1), (2, 8), (8, 8), (9, 16), (17, 32)])
def test_the_loop_is_compiled_for_few_numbers_of_strategies(monkeypatch, chosen, size):
    """However many are registered."""
    mine = [
        replace(registry.find("strategy", "mirror"), name=f"mine-{k}", short="", function=copied(k)) for k in range(20)
    ]
    monkeypatch.setattr(registry, "OPERATORS", (*registry.OPERATORS, *mine))
    strategies = [*mine[:chosen], mine[0]]
    with jit.interpreted():
        de = assemble(Config("DE/rand/1/bin mirr", N=7, F=0.7, Cr=0.25), Box.unit(chosen + 1), strategies)
    assert len(de.strategies) == size
    assert [de.strategies[k](*[0.0] * 5, None) for k in de.strategy_of] == [*range(chosen), 0]


def copied(k):
    """A strategy that gives k"""

    @jit.kernel
    def strategy(u, x, c, a, b, rng):
        """k"""
        return k

    return strategy


@pytest.mark.parametrize(
    ("text", "build"),
    [
        ("DE/rand/1/bin resample", algorithm.build_or_redraw),
        ("DE/rand/1/bin resample, repair=mutant", algorithm.build_from_repaired_mutant),
        ("DE/rand/1/bin project-base, repair=mutant", algorithm.build_from_repaired_mutant),
        ("DE/rand/1/bin project-base", algorithm.build_classic),
        ("DE/rand/1/bin sat, repair=mutant", algorithm.build_classic),
        ("DE/rand/1/bin dism, repair=mutant", algorithm.build_classic),
    ],
)
def test_the_loop_builds_trials_as_strategy_and_repair_say(text, build):
    assert builder_for(Config(text, N=7, F=0.7, Cr=0.25)) is build


def test_only_a_mutation_that_uses_K_draws_it():
    config = Config("DE/curr-to-rand/1/bin sat, N=7, F=0.7, Cr=0.25")
    draws_K = jit.specialise(algorithm.draw_mutant, draw_K=algorithm.draw_uniform_K)
    expected = jit.specialise(algorithm.build_or_redraw, draw_mutant=draws_K)
    assert builder_for(config) is expected


def call(text, budget=30):
    """A configuration and the arguments of a loop that runs it on a sum."""
    config, rng = Config(f"{text}, N=7, F=0.7, Cr=0.25"), np.random.default_rng(1)
    de, P = assemble(config, BOX, budget=budget), BOX.sample(7, rng)
    P = adaptive.with_room_for_archive(de.adaptation, P) if config.adapts else P
    f, tally = np.empty(7), Tally.empty(np.zeros(0, np.int64), BOX.n)
    return config, (jit.pointer(total, "objective"), de, P, f, budget, np.nan, rng, tally)


@jit.kernel
def total(x, rng):
    """Σx"""
    return x.sum()


CONFIGURATIONS = [
    "DE/rand/1/bin sat",
    "DE/rand/1/bin sat, adaptation=JADE",
    "DE/curr-to-pbest/1/bin sat",
    "DE/curr-to-rand/1/bin sat",
    "DE/rand/1/bin resample",
    "DE/rand/1/bin proj-base, repair=mutant",
    "DE/rand/1/bin penalty",
]


@pytest.mark.parametrize("text", CONFIGURATIONS)
def test_algorithm_1_without_the_kernels_of_a_configuration_raises_and_does_not_run_another(text):
    with jit.interpreted():
        config, arguments = call(text)
        with pytest.raises(RuntimeError, match=r"assemble\.loop_for puts a kernel in the place of `propose`"):
            algorithm.run(*arguments)
        config, arguments = call(text)
        assert loop_for(config, algorithm.run)(*arguments) > 0


def test_compiled_it_raises_too():
    """`propose` alone, as the loop calls it, which would be compiled for a second"""
    _, (_, de, P, _, _, _, rng, tally) = call("DE/curr-to-rand/1/bin sat")
    arguments = de, np.zeros((2, 7)), P, 0, rng, np.empty_like(P), np.zeros(7, np.bool_), tally
    with pytest.raises(RuntimeError, match=r"assemble\.loop_for puts a kernel in the place of `propose`"):
        jit.bind(algorithm.propose, *arguments)(*arguments)
