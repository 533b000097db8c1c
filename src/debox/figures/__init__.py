"""Figures: runs become small frozen records (`data`), records are drawn with matplotlib (`draw`).

`catalogue` names them all, without matplotlib; `make` turns its entries into files.
"""
