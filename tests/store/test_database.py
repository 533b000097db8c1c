import numpy as np
import pytest

from debox.store.database import connect, errors, interruptible


def test_python_variables_are_no_tables():
    mine = {"a": np.zeros(3)}
    with pytest.raises(errors(), match="mine"):
        connect().execute("SELECT * FROM mine")
    assert mine


def test_an_interrupted_query_is_a_keyboard_interrupt_other_errors_pass():
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="else"), interruptible():
        raise RuntimeError("something else")
