"""A study of some seconds, what its store must hold, and a Dask cluster of processes on this machine."""

import os
import subprocess
import sys
import time

import pytest
from stored_rows import rows_of

import debox
from debox import Study


@pytest.fixture
def slow():
    """32 runs of the plain engine, of some hundredths of a second: time enough to kill somebody."""
    return SLOW


SLOW = Study(
    name="slow", runs=4, n=10, budget=100_000, mutation=["rand/1", "rand/2"], crossover="bin", strategy="sat",
    N=[5, 20], F=[0.5, 1.5], Cr=0.9, engine="plain",
)  # fmt: skip


@pytest.fixture(scope="session")
def slow_rows(tmp_path_factory):
    """What a store of `slow` must hold."""
    undisturbed = tmp_path_factory.mktemp("slow") / "store"
    debox.run(SLOW, undisturbed, workers=1)
    return rows_of(undisturbed)


class Cluster:
    """A Dask scheduler and workers, each a process of its own; what a test kills is started again when it is needed."""

    def __init__(self, folder):
        self.file, self.workers = folder / "scheduler.json", []
        self.start_scheduler()

    def start_scheduler(self):
        self.file.unlink(missing_ok=True)
        self.scheduler = self.start("scheduler", "--port", "0")
        while not self.file.exists():
            assert self.scheduler.poll() is None
            time.sleep(0.05)

    def replace_the_dead(self, workers):
        if self.scheduler.poll() is not None:
            self.stop()
            self.start_scheduler()
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < workers:
            self.workers.append(self.start("worker", "--nthreads", "1", "--no-nanny", "--death-timeout", "5"))

    def start(self, what, *options):
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", str(self.file)]
        command += ["--host", "127.0.0.1", "--no-dashboard", *options]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, env={**os.environ, "DASK_LOGGING__DISTRIBUTED": "critical"}, **quiet)

    def client(self, workers=2):
        from distributed import Client

        self.replace_the_dead(workers)
        client = Client(scheduler_file=str(self.file), set_as_default=False)
        client.wait_for_workers(workers, timeout=30)
        return client

    def stop(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    running = Cluster(tmp_path_factory.mktemp("cluster"))
    yield running
    running.stop()
