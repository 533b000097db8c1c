"""The study that a store says it holds: a file from elsewhere may say anything."""

from __future__ import annotations

from debox.store.errors import StoreError
from debox.store.read import Reader
from debox.study.design import Study


def study_of(store: Reader) -> Study:
    """The study of a store, or a StoreError that says why there is none."""
    try:
        return Study(**store.study)
    except (ValueError, TypeError, ArithmeticError) as error:
        raise StoreError(f"the manifest of {store.path} describes no study: {error}") from None
