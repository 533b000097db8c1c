"""Pages whose scripts take long are what these write."""

import write_prediction


def test_the_page_of_predictions_is_what_its_script_writes():
    text = write_prediction.PAGE.read_text()
    measured = [write_prediction.kept(text, name) for name in write_prediction.MARKS]
    assert all(measured), "run `python -m benchmarks predict`"
    assert text == write_prediction.page(*measured), "run `python docs/write_prediction.py`"
