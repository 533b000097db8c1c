"""What the sections of a report share."""

from adaptations import with_adaptations

from debox.analysis.old_runs import Runs
from debox.report.material import Material

SAT = ("rand/1", "bin", "saturation", 5)


def test_claims_are_those_of_a_full_design(made):
    full = {(*SAT, F, Cr): [0.2, 0.3] for F in (0.5, 1.5) for Cr in (0.1, 0.9)}
    material = Material(Runs.of(made(full)))
    assert len(material.claims) > 60
    assert material.claims is material.claims
    del full[(*SAT, 0.5, 0.1)]
    assert Material(Runs.of(made(full))).claims == []


def test_the_paper_s_conclusions_are_about_one_adaptation(made):
    runs = Runs.of(
        with_adaptations(made({("rand/1", "bin", "saturation", 5, 0.5, 0.5): [0.1, 0.2]}), fixed=0, SHADE=0.1)
    )
    material = Material(runs)
    assert material.claims == []
    assert material.claims_obstacle.startswith("the runs have adaptation = fixed, SHADE, and they are about one")
