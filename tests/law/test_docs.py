"""Pages whose scripts take long are what these write."""

import write_factors
import write_prediction


def test_the_page_of_factors_is_what_its_script_writes():
    text = write_factors.PAGE.read_text()
    assert text == write_factors.page(write_factors.coverage_of(text)), "run `python docs/write_factors.py`"


def test_the_page_of_predictions_is_what_its_script_writes():
    text = write_prediction.PAGE.read_text()
    measured = [write_prediction.kept(text, name) for name in write_prediction.MARKS]
    assert all(measured), "run `python -m benchmarks predict`"
    assert text == write_prediction.page(*measured), "run `python docs/write_prediction.py`"
