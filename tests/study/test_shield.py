"""Shield: what it does is finished, however often Ctrl-C comes."""

import os
import signal
import threading
import time

import pytest

from debox.study.shield import Shield


def test_what_runs_in_it_is_finished_before_it_is_left_also_at_a_second_control_c():
    begun, done = threading.Event(), []

    def write():
        begun.set()
        time.sleep(1)
        done.append("whole")

    def interrupt():
        begun.wait(30)
        for _ in range(3):
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt), Shield() as shielded:
            shielded(write)
    finally:
        sender.join(30)
    assert done == ["whole"]


def test_errors_pass_through_it():
    with pytest.raises(ZeroDivisionError), Shield() as shielded:
        shielded(lambda: 1 // 0)
