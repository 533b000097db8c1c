"""Figures: a module has the numbers of one and draws them; `catalogue` names them all, `save` writes files."""
