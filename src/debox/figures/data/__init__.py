"""From runs to the records that figures are drawn from, one module per kind of figure; no matplotlib here."""
