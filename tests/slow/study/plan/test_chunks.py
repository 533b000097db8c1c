import pytest

from debox import Study
from debox.study.plan import plan


def ids_of(chunks):
    return [id for chunk in chunks for id in chunk.ids()]


@pytest.fixture(scope="module")
def paper():
    study = Study.load("paper")
    return study, plan(study)


def test_the_paper_is_planned_as_300_000_runs_with_ids_of_their_own(paper):
    ids = ids_of(paper[1])
    assert len(ids) == len(set(ids)) == 300_000
    assert all(len(id) == 16 and set(id) <= set("0123456789abcdef") for id in ids[::1000])


@pytest.mark.parametrize("shards", [1, 2, 7, 40])
def test_shards_are_a_partition_of_the_runs(shards):
    study = Study.load("smoke")
    ids = [id for i in range(shards) for id in ids_of(plan(study, shard=(i + 1, shards)))]
    assert len(ids) == study.n_runs
    assert set(ids) == set(ids_of(plan(study)))
