import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from debox import Box


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.lists(st.floats(-1e307, 1e307), min_size=2, max_size=2, unique=True).map(sorted),
    st.integers(0, 2**32),
)
def test_samples_of_any_box_lie_in_it(bounds, seed):
    box = Box.of([bounds, (0, 1)])
    assert box.contains(box._sample(20, np.random.default_rng(seed))).all()
