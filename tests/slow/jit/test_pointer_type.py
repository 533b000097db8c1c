"""A pointer is read by compiled code as the number that it is."""

import gc
import pickle
import weakref

import numpy as np
from counters import Sample, above, below

from debox import jit
from debox.jit.binding import type_of
from debox.jit.library import load_numba
from debox.jit.pointer_type import Pointer, pointer_type

SAMPLE = Sample(np.array([1.0, 2.0, 3.0]), 3)


def test_pointers_to_functions_of_one_signature_have_one_type_and_others_another():
    t = load_numba().types
    one, other = (jit.counter(function, SAMPLE, 2.5) for function in (above, below))
    assert one != other
    assert type_of(one) == type_of(other) == pointer_type(t.int64(*map(type_of, (SAMPLE, 2.5))))
    assert type_of(one) != pointer_type(t.float64(t.float64))


def test_a_type_is_the_same_in_the_file_of_kept_machine_code():
    kind = type_of(jit.counter(above, SAMPLE, 2.5))
    assert pickle.loads(pickle.dumps(kind)) == kind


def test_a_pointer_is_the_address_and_keeps_the_machine_code_alive():
    class MachineCode:
        pass

    code = MachineCode()
    alive, pointer = weakref.ref(code), Pointer(4096, None, code)
    assert pointer == 4096
    del code
    gc.collect()
    assert alive() is not None
    del pointer
    gc.collect()
    assert alive() is None
