"""A store through whatever happens to it, in any order: Hypothesis looks for a story in which it breaks a promise.

A model knows which runs must be stored. After each step the store must hold these runs, each once and to the bit, and
must refuse to be read while a part is damaged. Public names only, and the files of a store as any program sees them.
"""

import os
import shutil
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import debox
from debox import Study, open_store
from debox.store.errors import StoreError
from debox.store.store import Writer

LARGEST = Study(
    name="small", seed=3, runs=3, n=[2, 3], budget=50, mutation="rand/1", crossover="bin", strategy=["sat", "tor"],
    N=5, F=[0.5, 0.9], Cr=0.9,
)  # fmt: skip
ORDER = ("dimension", "strategy", "F", "run")  # in which configurations of this study follow each other
ONLY = ["strategy=sat", "F=0.5", "n=3", "strategy=toroidal,n=2"]
SHARDS = [(1, 2), (2, 2), (2, 3)]


def bits(table):
    """The rows of a table by their ids, in their order, floats as their bits; without the time that the runs took."""
    columns = [table[name].tolist() for name in table if name not in ("id", "seconds", "best_x")]
    points = [np.asarray(point).tobytes() for point in table["best_x"]]
    values = zip(*columns, points, strict=True)
    return [(id, *map(float_hex, row)) for id, row in zip(table["id"].tolist(), values, strict=True)]


def float_hex(value):
    return value.hex() if isinstance(value, float | bytes) else value


def has(row, only):
    """Whether a run is one of those that a text such as strategy=sat,n=2 names."""
    names = {"n": "dimension", "sat": "saturation"}
    pairs = (pair.split("=") for pair in only.split(",") if pair)
    return all(str(row[names.get(name, name)]) == names.get(value, value) for name, value in pairs)


@contextmanager
def folder():
    path = tempfile.mkdtemp()
    try:
        yield Path(path)
    finally:
        shutil.rmtree(path)


@pytest.fixture(scope="module", autouse=True)
def reference():
    """Every run that the machine may ask for, done without disturbance."""
    with folder() as path:
        table = debox.run(LARGEST, path / "store", workers=1).table()
    columns = zip(*(column.tolist() for column in table.values()), strict=True)
    Machine.rows = {row["id"]: row for row in (dict(zip(table, values, strict=True)) for values in columns)}
    Machine.bits = {row[0]: row for row in bits(table)}
    Machine.order = sorted(Machine.rows, key=lambda id: [Machine.rows[id][name] for name in ORDER])
    Machine.shards = {}


def ids_in(part):
    return set(pq.read_table(part, columns=["id"])["id"].to_pylist())


class Stop(Exception):
    """Ends a run in its middle."""


class Machine(RuleBasedStateMachine):
    rows, bits, order, shards = {}, {}, [], {}  # set by the fixture

    @initialize()
    def begin(self):
        self.home = Path(tempfile.mkdtemp())
        self.path = self.home / "store"
        self.study = self.edited(runs=2, F=[0.5])
        self.stored, self.damaged, self.has_parts = set(), set(), True
        debox.run(self.study, self.path, workers=1, only="strategy=sat,n=2")
        self.stored = self.wanted("strategy=sat,n=2")
        self.reader = open_store(self.path)  # stays, with all that it remembers

    def teardown(self):
        if hasattr(self, "home"):
            shutil.rmtree(self.home)

    def edited(self, **values):
        return Study(**{**LARGEST.as_dict(), **values})

    def wanted(self, only=""):
        """The ids of the runs that the study asks for."""
        return {
            id
            for id, row in self.rows.items()
            if row["run"] < self.study.runs and row["F"] in self.study.F and has(row, only)
        }

    def in_shard(self, shard):
        """The ids of a shard: those that it does in a store of its own. All shards together are the study."""
        i, of = shard
        key = (self.study.runs, self.study.F, of)
        if key not in self.shards:
            with folder() as path:
                done = [debox.run(self.study, path / str(k), workers=1, shard=(k, of)) for k in range(1, of + 1)]
                found = [store.finished() for store in done]
            assert sorted(id for ids in found for id in ids) == sorted(self.wanted()), f"shards of {of} overlap or lack"
            self.shards[key] = found
        return self.shards[key][i - 1]

    def parts(self):
        return sorted((self.path / "parts").glob("*.parquet")) if self.has_parts else []

    def count_what_is_left(self):
        """The model after a change of the parts."""
        whole = (part for part in self.parts() if part.name not in self.damaged)
        self.stored = set().union(*map(ids_in, whole))

    def done(self, wanted, **options):
        """Run the study, which must do what is wanted and not yet stored, and nothing else."""
        log, before, bad = [], self.stored, self.damaged
        debox.run(self.study, self.path, workers=1, report=log.append, **options)
        (planned,) = (event for event in log if event["event"] == "planned")
        assert (planned["runs"], planned["of"]) == (len(before & wanted), len(wanted))
        assert (log[-1]["event"], log[-1]["runs"]) == ("end", len(wanted))
        assert {event["part"].split(":")[0] for event in log if event["event"] == "bad part"} == bad
        assert bad <= {path.name for path in self.path.glob("bad/*")}
        self.stored, self.damaged, self.has_parts = before | wanted, set(), True
        assert open_store(self.path).study == self.study

    # What users do.

    @rule()
    def run_all(self):
        self.done(self.wanted())
        assert not list(self.path.glob("parts/.*.tmp")), "what killed writers left is still there"

    @rule(only=st.sampled_from(ONLY))
    def run_only(self, only):
        if wanted := self.wanted(only):
            self.done(wanted, only=only)

    @rule(shard=st.sampled_from(SHARDS))
    def run_shard(self, shard):
        self.done(self.in_shard(shard), shard=shard)

    @rule(runs=st.sampled_from([1, 2, 3]), F=st.sampled_from([[0.5], [0.9, 0.5]]))
    def edit_the_study(self, runs, F):
        self.study = self.edited(runs=runs, F=F)

    @rule(change=st.sampled_from([{"seed": 4}, {"name": "other"}, {"engine": "plain"}]))
    def run_another_study(self, change):
        with pytest.raises(StoreError, match=f"another study: {next(iter(change))}"):
            debox.run(self.edited(**change), self.path, workers=1)

    @rule(drop=st.sampled_from([[], ["seconds"]]))
    def pack(self, drop):
        packed = self.home / "packed.parquet"
        if self.damaged:
            with pytest.raises(StoreError, match="damaged"):
                open_store(self.path).pack(packed)
        elif self.has_parts:
            open_store(self.path).pack(packed, drop=drop)
            self.check_rows(open_store(packed))
            assert ("seconds" in open_store(packed).table()) == (not drop)
            assert open_store(packed).study == open_store(self.path).study

    @rule()
    def count_in_sql(self):
        if self.has_parts and not self.damaged:
            query = "SELECT strategy, count(*) FROM runs GROUP BY ALL"
            expected = Counter(self.rows[id]["strategy"] for id in self.stored)
            assert dict(open_store(self.path).sql(query).fetchall()) == expected

    @precondition(lambda self: (self.home / "packed.parquet").exists())
    @rule(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
    def flip_a_bit_of_the_packed_file(self, place, bit):
        packed = self.home / "packed.parquet"
        flip(packed, place, bit)
        with pytest.raises(StoreError):
            open_store(packed).table()
        packed.unlink()

    # What happens to a store.

    @rule(event=st.sampled_from(["planned", "running", "progress"]))
    def stop_in_the_middle(self, event):
        def report(told):
            if told["event"] == event:
                raise Stop

        wanted, before = self.wanted(), self.stored
        try:
            debox.run(self.study, self.path, workers=1, report=report)
        except Stop:
            self.damaged, self.has_parts = set(), True
            self.count_what_is_left()
            assert before <= self.stored <= before | wanted
        else:  # there was nothing left to do
            self.stored, self.damaged, self.has_parts = before | wanted, set(), True

    @rule(ids=st.data(), held=st.sampled_from([None, (1, 2)]))
    def another_writer_stores_runs(self, ids, held):
        """As one does that was killed later, or one that did the same runs: they may be stored already."""
        chosen = ids.draw(st.sets(st.sampled_from(self.order), min_size=1, max_size=6), "ids")
        rows = [self.rows[id] for id in sorted(chosen)]
        store = Writer(self.path, open_store(self.path).manifest)
        with store.locked(held):
            store.append({name: [row[name] for row in rows] for name in rows[0]})
        self.stored, self.has_parts = self.stored | chosen, True

    @precondition(lambda self: self.parts())
    @rule(which=st.integers(0, 99), place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
    def flip_a_bit(self, which, place, bit):
        self.damage(which, lambda path: flip(path, place, bit))

    @precondition(lambda self: self.parts())
    @rule(which=st.integers(0, 99), left=st.sampled_from([0, 0.5, 0.99]))
    def truncate_a_part(self, which, left):
        self.damage(which, lambda path: os.truncate(path, int(left * path.stat().st_size)))

    def damage(self, which, spoil):
        part = self.parts()[which % len(self.parts())]
        if part.name not in self.damaged:
            later = part.stat().st_mtime_ns + 10**9
            spoil(part)
            os.utime(part, ns=(later, later))
            self.damaged.add(part.name)
            self.count_what_is_left()

    @precondition(lambda self: self.parts())
    @rule(which=st.integers(0, 99))
    def delete_a_part(self, which):
        part = self.parts()[which % len(self.parts())]
        part.unlink()
        self.damaged.discard(part.name)
        self.count_what_is_left()

    @rule()
    def drop_the_folder_of_parts(self):
        """Git does not keep an empty one."""
        shutil.rmtree(self.path / "parts", ignore_errors=True)
        self.stored, self.damaged, self.has_parts = set(), set(), False

    @rule(name=st.sampled_from([f".{'0' * 32}.tmp", ".DS_Store", "notes.txt"]))
    def leave_a_file(self, name):
        if self.has_parts:
            (self.path / "parts" / name).write_text("half")

    # What must be so at any time.

    @invariant()
    def the_store_holds_what_the_model_says(self):
        if not hasattr(self, "home"):
            return
        opened = open_store(self.path)
        if not self.has_parts:
            with pytest.raises(StoreError):
                opened.finished()
        elif self.damaged:
            assert opened.finished() == self.stored
            for store in (opened, self.reader):
                assert {part.name for part in store.bad_parts()} == self.damaged
                for read in (store.table, lambda store=store: store.sql("SELECT count(*) FROM runs")):
                    with pytest.raises(StoreError, match="damaged") as refusal:
                        read()
                    assert all(name in str(refusal.value) for name in self.damaged)
        else:
            assert opened.bad_parts() == self.reader.bad_parts() == []
            assert self.reader.finished() == self.stored
            self.check_rows(opened)

    def check_rows(self, store):
        """The store has the runs of the model, each once, in order and to the bit."""
        expected = [id for id in self.order if id in self.stored]
        table = store.table()
        assert table["id"].tolist() == expected
        assert bits(table) == [self.bits[id] for id in expected]


def flip(path, place, bit):
    content = bytearray(path.read_bytes())
    content[int(place * len(content))] ^= 1 << bit
    path.write_bytes(content)


Machine.TestCase.settings = settings(
    max_examples=10, stateful_step_count=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
TestStoreMachine = Machine.TestCase
