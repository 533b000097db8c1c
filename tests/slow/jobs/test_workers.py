"""My objective takes minutes: forked and spawned processes, threads, Dask evaluate it, all to the same result."""

import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

import debox

SCRIPT = """
import multiprocessing
import os
import sys
from time import sleep

import debox


def cost(x):
    with open("processes", "a") as file:
        file.write(f"{os.getpid()} ")
    while len(set(open("processes").read().split())) < 2:  # one waits for the other
        sleep(0.01)
    return ((x - 1) ** 2).sum()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    result = debox.minimize(cost, [(0, 5)] * 3, budget=300, rng=1, workers=2)
    print(result.x.tolist(), os.getpid())
"""


def cost(x):
    return ((x - 1) ** 2).sum()


def minimum(fun=cost, **more):
    return debox.minimize(fun, [(0, 5)] * 3, budget=300, rng=1, **more).x.tolist()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_share_a_run(tmp_path, method):
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "script.py", method]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert run.stderr == ""
    x, _, process = run.stdout.strip().rpartition(" ")
    assert x == str(minimum())
    assert len({*(tmp_path / "processes").read_text().split()} - {process}) == 2


def test_threads_share_a_run():
    names = set()

    def slow(x):
        names.add(threading.current_thread().name)
        return cost(x)

    with ThreadPoolExecutor(2, "worker") as pool:
        assert minimum(slow, workers=pool.map) == minimum()
    assert names <= {"worker_0", "worker_1"}
    assert names


def test_several_runs_share_a_process():
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda seed: debox.minimize(cost, [(0, 5)] * 3, budget=300, rng=seed).fun, range(8))]
    assert found == [debox.minimize(cost, [(0, 5)] * 3, budget=300, rng=seed).fun for seed in range(8)]


def test_dask_evaluates_a_generation():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Dask's own
        from distributed import Client

        with Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
            found = minimum(workers=lambda fun, points: client.gather(client.map(fun, [*points])))
    assert found == minimum()
