"""The plan of a study as runs, and its execution into a store.

`Study` itself, what is planned, is in debox.design; `StudyError`, what an execution raises, in debox.study.work.
"""
