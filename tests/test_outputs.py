"""Outputs: every kind of thing that a path may lead to, made in folders of the tests' own."""

import os
import socket
import stat
import threading
from pathlib import Path

import pytest
from commands import fork_python

from debox import outputs

HTML = outputs.HTML


def write(path, text="new", kind=HTML, inputs=()):
    with outputs.writing(path, kind, inputs) as unfinished:
        unfinished.write_text(text)


def store(folder):
    """What a folder has that makes it a store."""
    (folder / "parts").mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    return folder


def device(path, number):
    """A character device of this number in a folder of ours; whether the system let us make and open it."""
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, number)
        os.close(os.open(path, os.O_WRONLY))
    except PermissionError:
        return False
    return True


NULL, FULL = os.makedev(1, 3), os.makedev(1, 7)


def test_a_link_is_followed_and_stays(tmp_path):
    (tmp_path / "b.html").write_text("old")
    (tmp_path / "a.html").symlink_to("b.html")
    (tmp_path / "link.html").symlink_to(tmp_path / "a.html")
    write(tmp_path / "link.html")
    assert (tmp_path / "b.html").read_text() == "new"
    assert not (tmp_path / "b.html").is_symlink()
    assert os.readlink(tmp_path / "link.html") == str(tmp_path / "a.html")
    assert os.readlink(tmp_path / "a.html") == "b.html"
    assert len(os.listdir(tmp_path)) == 3


def test_where_a_link_leads_to_nothing_the_file_is_made(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link.html").symlink_to("there/b.html")
    write(tmp_path / "link.html")
    assert (tmp_path / "there" / "b.html").read_text() == "new"
    assert (tmp_path / "link.html").is_symlink()


def test_a_link_into_a_folder_that_is_not_there_is_an_error_that_names_the_link(tmp_path):
    (tmp_path / "link.html").symlink_to("nowhere/b.html")
    with pytest.raises(FileNotFoundError) as error:
        write(tmp_path / "link.html")
    assert error.value.filename == str(tmp_path / "link.html")
    assert os.listdir(tmp_path) == ["link.html"]


def test_links_in_a_circle_are_an_error(tmp_path):
    (tmp_path / "a.html").symlink_to("b.html")
    (tmp_path / "b.html").symlink_to("a.html")
    with pytest.raises(OSError, match=r"symbolic links: '.*/a\.html'"):
        write(tmp_path / "a.html")


def test_a_fifo_gets_the_bytes_and_stays(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "fifo").read_bytes()), daemon=True)
    reader.start()
    with outputs.writing(tmp_path / "fifo", HTML) as unfinished, unfinished.open("w+b") as file:
        file.write(b"?bc")
        file.seek(0)  # as those do who write the beginning last
        file.write(b"a")
    reader.join(timeout=30)
    assert read == [b"abc"]
    assert stat.S_ISFIFO((tmp_path / "fifo").stat().st_mode)
    assert os.listdir(tmp_path) == ["fifo"]


def test_a_device_gets_the_bytes_and_stays(tmp_path):
    """A null device of our own; where none can be made, the end of a terminal."""
    path = tmp_path / "null"
    if device(path, NULL):
        write(path)
        assert path.stat().st_rdev == NULL
    else:
        master, slave = os.openpty()
        path.symlink_to(os.ttyname(slave))
        write(path)
        assert os.read(master, 9) == b"new"
    assert stat.S_ISCHR(path.stat().st_mode)
    assert os.listdir(tmp_path) == ["null"]


def test_a_device_without_room_is_an_error(tmp_path):
    """A full device of our own; where none can be made, a FIFO that nobody reads any more."""
    path = tmp_path / "full"
    if device(path, FULL):
        with pytest.raises(OSError, match=r"No space left on device: '.*/full'"):
            write(path)
    else:
        os.mkfifo(path)
        threading.Thread(target=lambda: os.close(os.open(path, os.O_RDONLY)), daemon=True).start()
        with pytest.raises(OSError, match=r"Broken pipe: '.*/full'"):
            write(path, "x" * 2**20)
    assert os.listdir(tmp_path) == ["full"]


@pytest.mark.parametrize("kind", ["directory", "socket", "block device"])
def test_what_cannot_hold_an_output_is_refused_and_stays(tmp_path, kind):
    path = tmp_path / "x.html"
    if kind == "socket":
        server = socket.socket(socket.AF_UNIX)
        server.bind(os.path.relpath(path))  # an address is short
        server.close()
    elif kind == "block device" and os.geteuid() == 0:
        os.mknod(path, 0o600 | stat.S_IFBLK, os.makedev(240, 77))  # of no driver
    else:
        path.mkdir()
    before = path.stat()
    with pytest.raises((ValueError, IsADirectoryError), match=r"is a socket|is a block device|Is a directory") as error:
        write(path)
    assert str(path) in str(error.value)
    assert (path.stat().st_ino, path.stat().st_mode) == (before.st_ino, before.st_mode)
    assert os.listdir(tmp_path) == ["x.html"]


@pytest.mark.parametrize("how", ["itself", "symbolic link", "hard link", "other way"])
def test_an_input_is_not_written_onto_by_any_name(tmp_path, how):
    source, path = tmp_path / "in.html", tmp_path / "out.html"
    source.write_text("input")
    if how == "symbolic link":
        path.symlink_to(source)
    elif how == "hard link":
        os.link(source, path)
    else:
        path = source if how == "itself" else tmp_path / "." / ".." / tmp_path.name / "in.html"
    with pytest.raises(ValueError, match=r"\.html: it is what is read"):
        write(path, inputs=[source])
    assert source.read_text() == "input"


@pytest.mark.parametrize("where", ["x.html", "new/x.html", "parts/x.html", "../link/x.html"])
def test_nothing_is_written_into_a_store(tmp_path, where):
    folder = store(tmp_path / "store")
    (tmp_path / "link").symlink_to("store/parts")
    with pytest.raises(ValueError, match=f"it lies within the store {folder}"):
        write(folder / where)
    assert sorted(os.listdir(folder)) == ["manifest.json", "parts"]
    assert os.listdir(folder / "parts") == []


def test_a_link_elsewhere_that_leads_into_a_store_is_refused(tmp_path):
    folder = store(tmp_path / "store")
    (tmp_path / "x.html").symlink_to(folder / "parts" / "x.html")
    with pytest.raises(ValueError, match=r"/x\.html: it lies within the store"):
        write(tmp_path / "x.html")
    assert os.listdir(folder / "parts") == []


def test_a_link_within_a_store_that_leads_out_of_it_is_followed(tmp_path):
    (store(tmp_path / "store") / "x.html").symlink_to(tmp_path / "y.html")
    write(tmp_path / "store" / "x.html")
    assert (tmp_path / "y.html").read_text() == "new"


@pytest.mark.parametrize(
    ("name", "content", "replaced"),
    [
        ("x.html", b"old", True),
        ("x.HTM", b"old", True),
        ("x.html", b"PAR1 and so on", False),  # a Parquet file by another name
        ("notes.txt", b"dear to me", False),
        ("x", b"dear to me", False),
        ("notes.txt", b"", True),
        ("new.txt", None, True),
    ],
)
@pytest.mark.parametrize("linked", [False, True])
def test_only_files_of_its_kind_are_replaced_and_those_that_hold_nothing(tmp_path, name, content, replaced, linked):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    asked = tmp_path / "link.html" if linked else path
    if linked:
        asked.symlink_to(path)
    if replaced:
        write(asked)
        assert path.read_text() == "new"
    else:
        with pytest.raises(
            ValueError, match=rf"cannot write {asked}: .* only a file whose name ends in \.html or \.htm"
        ):
            write(asked)
        assert path.read_bytes() == content


def test_a_new_file_has_the_name_that_its_kind_asks_for(tmp_path):
    with pytest.raises(ValueError, match=r"must end in \.csv, got '.*/x\.txt'"):
        write(tmp_path / "x.txt", kind=outputs.CSV)
    for name in ("x.csv", "X.CSV"):
        write(tmp_path / name, kind=outputs.CSV)
    assert len(os.listdir(tmp_path)) == 2


def test_what_fails_while_it_is_written_leaves_the_old_file_whole(tmp_path):
    (tmp_path / "x.html").write_text("old")

    def full():
        with outputs.writing(tmp_path / "x.html", HTML) as unfinished:
            unfinished.write_text("ne")
            raise OSError(28, "No space left on device", str(unfinished))

    with pytest.raises(OSError, match=r"No space left on device: '.*/x\.html'"):
        full()
    assert (tmp_path / "x.html").read_text() == "old"
    assert os.listdir(tmp_path) == ["x.html"]


TO_STDOUT = """
import sys
from pathlib import Path
from debox import outputs
with outputs.writing(Path(sys.argv[1]), outputs.HTML) as aside:
    aside.write_text("new")
"""


@pytest.mark.parametrize("through", ["/dev/stdout", "/dev/fd/1", "link"])
def test_what_the_shell_appends_to_is_written_on_not_replaced(tmp_path, through):
    (tmp_path / "link").symlink_to("/dev/stdout")
    all_pages = tmp_path / "all.html"
    all_pages.write_text("precious ")
    with all_pages.open("ab") as file:
        process = fork_python(TO_STDOUT, tmp_path / through, stdout=file)  # an absolute path stays what it is
        _, told = process.communicate(timeout=60)
    assert process.returncode == 0, told
    assert all_pages.read_text() == "precious new"


def test_an_input_is_not_written_onto_through_a_descriptor(tmp_path):
    store = tmp_path / "store.html"
    store.write_text("precious")
    with store.open("ab") as file, pytest.raises(ValueError, match="nothing is written onto itself"):
        write(Path(f"/dev/fd/{file.fileno()}"), inputs=[store])
    assert store.read_text() == "precious"
