"""What a study is, its plan as runs, and their execution into a store.

`study.py` and `fields.py`, which stores import, say what a study is; they run nothing.
"""
