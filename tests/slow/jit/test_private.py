"""A private folder is made for its owner alone, and refused if anyone else could write to it or exchange it."""

import grp
import os
import pwd
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from debox.jit import private
from debox.jit.private import SharedFolderError, private_folder

STRANGER = 12345


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def folder(path, mode=0o700):
    """A folder with exactly this mode"""
    path.mkdir(parents=True)
    path.chmod(mode)
    return path


def give_away(path, monkeypatch):
    """To a stranger; who may not do that becomes a stranger"""
    if os.geteuid() == 0:
        os.chown(path, STRANGER, STRANGER)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: STRANGER)


@pytest.mark.parametrize("umask", [0, 0o002, 0o027, 0o277], ids=oct)
def test_folders_are_made_for_their_owner_alone_whatever_the_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        made = private_folder(tmp_path / "base", "state", owns_base=True)
    finally:
        os.umask(before)
    assert made == tmp_path.resolve() / "base" / "state"
    assert [mode(made), mode(made.parent)] == [0o700, 0o700]
    assert private_folder(tmp_path / "base", "state", owns_base=True) == made


def test_folders_above_that_are_missing_are_made_for_their_owner_alone_too(tmp_path):
    before = os.umask(0)
    try:
        private_folder(tmp_path / "home" / ".cache" / "debox", "state", owns_base=True)
    finally:
        os.umask(before)
    assert {mode(path) for path in (tmp_path / "home").rglob("*")} | {mode(tmp_path / "home")} == {0o700}


@pytest.mark.parametrize("bits", [0o775, 0o757, 0o777, 0o1777], ids=oct)
def test_what_debox_makes_is_closed_to_others_and_what_the_user_made_is_refused_and_left_as_it_is(
    tmp_path, monkeypatch, bits
):
    monkeypatch.setattr(private, "_is_private", lambda gid: False)
    base = folder(tmp_path / "base", bits)
    with pytest.raises(SharedFolderError, match=f"others can write to {base.resolve()} .chmod go-w {base.resolve()} "):
        private_folder(base, "state", owns_base=False)
    assert mode(base) == bits
    assert not list(base.iterdir())
    made = private_folder(base, "state", owns_base=True)
    assert [mode(base), mode(made)] == [0o700, 0o700]
    made.chmod(bits)
    assert mode(private_folder(base, "state", owns_base=False)) == 0o700


@pytest.mark.parametrize("bits", [0o775, 0o757, 0o777], ids=oct)
def test_a_folder_above_that_others_can_write_to_is_refused_and_left_as_it_is(tmp_path, monkeypatch, bits):
    monkeypatch.setattr(private, "_is_private", lambda gid: False)
    above = folder(tmp_path / "above", bits)
    for base in (above / "base", above / "between" / "base"):
        with pytest.raises(SharedFolderError, match=f"others can write to {above.resolve()} "):
            private_folder(base, "state", owns_base=True)
    assert mode(above) == bits
    assert not list(above.iterdir())


def test_a_sticky_folder_above_will_do(tmp_path):
    above = folder(tmp_path / "above", 0o1777)
    assert private_folder(above / "base", "state", owns_base=False).parent.parent == above.resolve()
    assert mode(above) == 0o1777


@pytest.mark.parametrize("bits", [0o775, 0o777, 0o757], ids=oct)
def test_a_folder_may_be_open_to_the_users_private_group_but_to_nobody_else(tmp_path, monkeypatch, bits):
    monkeypatch.setattr(private, "_is_private", lambda gid: gid == tmp_path.stat().st_gid)
    above = folder(tmp_path / "above", bits)
    if bits == 0o775:
        assert private_folder(above / "base", "state", owns_base=False).is_dir()
        assert mode(private_folder(above, "state", owns_base=False)) == 0o700
    else:
        with pytest.raises(SharedFolderError, match="others can write"):
            private_folder(above / "base", "state", owns_base=False)
    assert mode(above) == bits


@pytest.mark.parametrize(
    ("uid", "group", "members", "answer"),
    [
        (1000, "ada", [], True),
        (1000, "ada", ["ada"], True),
        (1000, "ada", ["ada", "bob"], False),
        (1000, "users", [], False),
        (0, "ada", [], False),
    ],
)
def test_a_private_group_has_the_users_name_and_no_other_member_and_root_has_none(
    monkeypatch, uid, group, members, answer
):
    monkeypatch.setattr(pwd, "getpwuid", lambda _: SimpleNamespace(pw_uid=uid, pw_name="ada", pw_gid=7))
    monkeypatch.setattr(grp, "getgrgid", lambda gid: SimpleNamespace(gr_name=group, gr_mem=members))
    assert private._is_private(7) == answer
    assert not private._is_private(8)


def test_a_user_or_group_that_nobody_knows_is_not_private(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 2**31 - 5)
    assert not private._is_private(2**31 - 5)


@pytest.mark.parametrize("which", ["above", "above/base", "above/base/state"])
def test_a_folder_of_another_user_is_refused_and_nothing_is_made_in_it(tmp_path, monkeypatch, which):
    folder(tmp_path / which)
    give_away(tmp_path / which, monkeypatch)
    with pytest.raises(SharedFolderError, match=r"belongs to another user \(uid \d+\)"):
        private_folder(tmp_path / "above" / "base", "state", owns_base=True)
    assert not list((tmp_path / which).iterdir())


def test_a_link_counts_as_the_folder_it_leads_to(tmp_path):
    good, bad = folder(tmp_path / "good"), folder(tmp_path / "bad", 0o777)
    for name, target in [("to_good", good), ("to_bad", bad)]:
        (tmp_path / name).symlink_to(target)
    assert private_folder(tmp_path / "to_good", "state", owns_base=False) == good.resolve() / "state"
    for base in ("to_bad", "to_bad/below"):
        with pytest.raises(SharedFolderError, match=f"others can write to {bad.resolve()} "):
            private_folder(tmp_path / base, "state", owns_base=False)


@pytest.mark.parametrize("make", [Path.touch, lambda path: path.symlink_to(path.parents[1])], ids=["file", "link"])
def test_a_file_or_link_in_the_place_of_the_folder_is_no_folder(tmp_path, make):
    make(folder(tmp_path / "base") / "state")
    with pytest.raises(NotADirectoryError):
        private_folder(tmp_path / "base", "state", owns_base=True)


def test_systems_without_owners_and_modes_are_not_asked_for_them(tmp_path, monkeypatch):
    base = folder(tmp_path / "base", 0o777)
    monkeypatch.setattr(os, "name", "other")
    assert private_folder(base, "state", owns_base=True).is_dir()
    assert mode(base) == 0o777
