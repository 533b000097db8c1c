"""Checkpoints: a run goes on from its file to the same end, or the file is refused; when it is saved."""

import importlib

from objectives import BOUNDS, squares

from debox import Optimizer, minimize

OPTIONS = {"variant": "DE/rand/1/bin", "N": 10, "budget": 100, "rng": 1}


def test_it_is_saved_at_the_beginning_every_minute_and_at_the_end(tmp_path, monkeypatch):
    module, now, seen = importlib.import_module("debox.optimize.checkpoint"), [1000.0], []
    monkeypatch.setattr(module, "monotonic", lambda: now[0])

    def takes_two_seconds(x):
        now[0] += 2.0
        seen.append(Optimizer.load(tmp_path / "run.npz").nfev)
        return squares(x)

    minimize(takes_two_seconds, BOUNDS, checkpoint=tmp_path / "run.npz", **OPTIONS)
    # a generation of 10 takes 20 s: after three of them, six, nine; at the end, 100
    assert seen == [0] * 30 + [30] * 30 + [60] * 30 + [90] * 10
    assert Optimizer.load(tmp_path / "run.npz").nfev == 100
