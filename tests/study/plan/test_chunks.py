import hashlib
import pickle

import pytest

from debox import Study
from debox.study.plan import plan


def ids_of(chunks):
    return [id for chunk in chunks for id in chunk.ids()]


@pytest.fixture(scope="module")
def paper():
    study = Study.load("paper")
    return study, plan(study)


def test_the_papers_chunks_are_some_hundred_of_similar_cost_the_costliest_runs_first(paper):
    chunks = paper[1]
    assert 300 <= len(chunks) <= 600
    costs = [chunk.seconds for chunk in chunks]
    assert max(costs) < 1.6 * sum(costs) / len(costs)
    assert sorted(costs)[1] > 0.5 * sum(costs) / len(costs)  # the last one takes what is left
    per_run = [task.seconds_per_run for chunk in chunks for task in chunk.tasks]
    assert per_run == sorted(per_run, reverse=True)


def test_of_several_dimensions_too_the_costliest_runs_come_first(tiny):
    chunks = plan(Study(**{**tiny.as_dict(), "dimension": [2, 30, 10]}))
    assert {task.n for task in chunks[0].tasks} == {30}
    per_run = [chunk.tasks[0].seconds_per_run for chunk in chunks]
    assert per_run == sorted(per_run, reverse=True)


def test_an_id_is_the_hash_of_what_defines_the_run():
    """Written out here, so that ids cannot change unnoticed: stores hold them."""
    study = Study(
        name="a", mutation="rand/1", crossover="bin", strategy="sat", N=5, F=0.5, Cr=0.9, n=3, budget=100, runs=2
    )
    text = "mutation=rand/1, crossover=bin, strategy=saturation, N=5, F=0.5, Cr=0.9, donors=distinct, reevaluate=True, "
    text += "frozen=False, n=3, budget=100, seed=0, engine=auto, checkpoints=0.3333333333333333 0.6666666666666666, "
    text += "run="
    assert ids_of(plan(study)) == [hashlib.sha256(f"{text}{run}".encode()).hexdigest()[:16] for run in (0, 1)]


CHANGES = {
    "seed": 8, "budget": "101 n", "mutation": "rand/2", "crossover": "exp", "strategy": "mirr", "N": 6, "F": 0.6,
    "Cr": 0.8, "dimension": 4, "donors": "not-parents", "reevaluate": False, "frozen": True, "engine": "plain",
    "checkpoints": ["1/3"],
}  # fmt: skip


@pytest.mark.parametrize("key", CHANGES)
def test_whatever_defines_a_run_changes_its_id(tiny, key):
    before = {**tiny.as_dict(), "N": 7, "strategy": "dism"}  # the strategy to which reevaluate means something
    changed = Study(**{**before, key: CHANGES[key]})
    assert not set(ids_of(plan(changed))) & set(ids_of(plan(Study(**before))))


@pytest.mark.parametrize(
    "edit", [{"name": "other"}, {"runs": 9}, {"F": [1.5, 0.3, 0.5]}, {"dimension": [3, 2, 5]}, {"N": [9, 5]}]
)
def test_a_name_more_runs_or_values_and_their_order_keep_the_ids(tiny, edit):
    before, after = ids_of(plan(tiny)), ids_of(plan(Study(**{**tiny.as_dict(), **edit})))
    assert set(before) <= set(after)
    assert (set(before) == set(after)) == (edit == {"name": "other"})


def test_shards_are_a_partition_of_the_runs_whatever_is_finished(tiny):
    every = ids_of(plan(tiny))
    finished = set(every[::3])
    left = [id for i in range(1, 6) for id in ids_of(plan(tiny, shard=(i, 5), finished=finished))]
    assert sorted(left) == sorted(set(every) - finished) == sorted(ids_of(plan(tiny, finished=finished)))
    assert plan(tiny, finished=set(every)) == []
    assert set(ids_of(plan(tiny, shard=(1, 5)))) - finished == set(ids_of(plan(tiny, shard=(1, 5), finished=finished)))


def test_shards_have_similar_cost(paper):
    study = Study(**{**paper[0].as_dict(), "F": paper[0].F[::5]})
    chunks = plan(study)
    costs = [sum(chunk.seconds for chunk in plan(study, shard=(i, 3))) for i in range(1, 4)]
    assert sum(costs) == pytest.approx(sum(chunk.seconds for chunk in chunks))
    assert max(costs) < 1.02 * min(costs)


def test_the_runs_of_one_costly_configuration_are_shared_out():
    costly = {"mutation": "rand/2", "crossover": "bin", "strategy": "sat", "N": 100, "n": 1000, "budget": 10**8}
    study = Study(name="one", **costly, F=0.7, Cr=0.9, runs=40)
    chunks = plan(study)
    assert [chunk.n_runs for chunk in chunks] == [1] * 40
    assert len({id for i in range(1, 11) for id in ids_of(plan(study, shard=(i, 10)))}) == 40


def test_a_chunk_has_one_dimension_and_is_small_to_ship(paper, tiny):
    assert all(len({task.n for task in chunk.tasks}) == 1 for chunk in plan(tiny))
    assert max(len(pickle.dumps(chunk)) for chunk in paper[1]) < 50_000
    assert pickle.loads(pickle.dumps(paper[1][0])) == paper[1][0]


@pytest.mark.parametrize("wanted", [{}, {"strategy": "sat"}])
def test_a_plan_that_memory_does_not_hold_is_refused_with_the_numbers(tiny, wanted):
    huge = Study(**{**tiny.as_dict(), "runs": 10**9})
    configs = 8 if wanted else 16
    with pytest.raises(ValueError, match=f"'tiny': {configs},000,000,000 runs of {configs} .*at most 10,000,000 runs"):
        plan(huge, only=wanted)


def test_too_many_configurations_are_refused_but_some_of_them_are_planned(tiny):
    values = {"F": [k / 1000 for k in range(1, 2001)], "Cr": [k / 5000 for k in range(5000)]}
    huge = Study(**{**tiny.as_dict(), **values, "runs": 1})
    with pytest.raises(ValueError, match=r"80,000,000 configurations are too many .*name some with only"):
        plan(huge)
    chunks = plan(huge, only="F=0.5,Cr=0.9,n=2")
    assert sum(chunk.n_runs for chunk in chunks) == 2 * 2
    assert set(ids_of(chunks)) < set(ids_of(plan(Study(**{**tiny.as_dict(), "runs": 1}))))
