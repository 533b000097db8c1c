"""Figures: runs become small frozen records (`data`), records become ink (`draw`).

`catalogue` names them all, without matplotlib; `make` turns its entries into files.
"""
