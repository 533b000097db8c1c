"""The paper *Differential evolution outside the box*: its conclusions, each put to the test on a stored study.

statements   what the paper concludes and how it is read: one table, a row per claim
tests        what is measured in each cell, and which cells are shown to agree or to disagree
verdict      from the share of cells that agree to holds, in part, does not hold, open; `claims`
readings     verdicts under other readings of the paper's text; `compare`
bound        other objective functions beside f0
text         both as text and JSON
"""

from debox.paper.readings import compare
from debox.paper.verdict import claims

__all__ = ["claims", "compare"]
