"""Figures: a table becomes small frozen records (`data`), records become ink (`draw`), `make` names and saves them."""
