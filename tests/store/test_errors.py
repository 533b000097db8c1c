from pathlib import Path

import pytest

from debox.store.errors import StoreError, as_store_errors


def test_an_error_of_the_system_becomes_one_that_says_what_is_safe():
    said = r"^cannot write a: No space left on device; what was stored before is whole: make room or access"
    with pytest.raises(StoreError, match=said), as_store_errors(Path("a")):
        raise OSError(28, "No space left on device")


def test_room_is_not_what_a_path_lacks_that_does_not_exist(tmp_path):
    with (
        pytest.raises(StoreError, match=r"cannot write .*a: No such file or directory$"),
        as_store_errors(tmp_path / "no" / "a"),
    ):
        (tmp_path / "no" / "a").write_text("x")


def test_reading_promises_nothing_about_what_was_written():
    with pytest.raises(StoreError, match=r"^cannot read a: Input/output error$"), as_store_errors(Path("a"), "read"):
        raise OSError(5, "Input/output error")


def test_other_errors_pass():
    with pytest.raises(ZeroDivisionError), as_store_errors(Path("a")):
        raise ZeroDivisionError
