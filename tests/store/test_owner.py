import re
import subprocess

from debox.store import owner


def test_the_type_of_a_file_system_is_that_of_the_mount(tmp_path):
    told = subprocess.run(["stat", "-f", "-c", "%T", "/proc"], capture_output=True, text=True, check=True, timeout=60)
    with open("/proc/self/stat") as file:
        assert owner.filesystem(file.fileno()) == told.stdout.strip() == "proc"
    with (tmp_path / "x").open("w") as file:
        assert re.fullmatch(r"[a-z][a-z0-9._]+", owner.filesystem(file.fileno()))


def test_an_owner_comes_back_as_it_was_written():
    me = owner.this_process((2, 3))
    assert owner.Owner.from_json(me.to_json().encode()) == me
    assert me.is_neighbour()
    assert not me.has_ended()
