"""What debox says is to be cited: BibTeX that agrees with the table of operators and with CITATION.cff."""

import re

from commands import invoke


def test_a_complete_study_of_fixed_f_and_cr_says_no_more_than_that():
    text = " ".join(invoke("cite", "paper").stdout.split())
    assert "(300000 evaluations): 300000 runs. Every" in text
    assert not re.search("adaptations|reevaluate|frozen|repair:", text)
    assert r"after 33.33 and 66.67 \% of" in text
