"""The configurations on which the explorer's engine is compared, and those that show its wrong twins."""

from itertools import product

F, CR = (0.05, 0.266, 0.483, 0.7, 0.916, 1.133, 1.35, 1.566, 1.783, 2.0), (0.05, 0.285, 0.52, 0.755, 0.99)
NAMES = ("rand/1", "rand/2", "best/1", "curr-to-best/1"), ("bin", "exp"), ("sat", "tor", "mirr", "COTN", "dism")
COMBINATIONS = tuple(  # every combination of operators once; N, F and Cr change from one to the next
    f"DE/{mutation}/{crossover} {strategy}, N={(5, 20, 100)[k % 3]}, F={F[3 * k % 10]}, Cr={CR[k // 2 % 5]}"
    for k, (mutation, crossover, strategy) in enumerate(product(*NAMES))
)
NEAR_ALL = (  # nearly all trials are infeasible: a binomial number is small, and not normal
    *(f"DE/best/1/bin {strategy}, N=20, F=2.0, Cr=0.52" for strategy in ("tor", "mirr", "COTN", "dism")),
    *(f"DE/best/1/bin {strategy}, N=20, F=1.35, Cr=0.755" for strategy in ("tor", "dism")),
    *(f"DE/best/1/bin {strategy}, N=100, F=2.0, Cr=0.52" for strategy in ("COTN", "tor")),
)
TARGET_MATTERS = (  # the target is among the donors of every second or third trial
    *(f"DE/curr-to-best/1/{c} {s}, N=5, F={f}, Cr={cr}" for c, s, f, cr in (
        ("bin", "tor", 1.35, 0.05), ("exp", "mirr", 2.0, 0.05), ("bin", "mirr", 0.7, 0.285),
        ("exp", "tor", 1.783, 0.05), ("bin", "COTN", 1.566, 0.05), ("exp", "COTN", 1.35, 0.05),
        ("bin", "sat", 1.133, 0.05), ("exp", "dism", 1.566, 0.285),
    )),
    "DE/rand/1/bin mirr, N=5, F=0.7, Cr=0.285",
    "DE/best/1/bin mirr, N=5, F=0.7, Cr=0.285",
)  # fmt: skip
SHORT_SEGMENTS = ("DE/rand/1/exp mirr, N=5, F=0.7, Cr=0.05", "DE/best/1/exp tor, N=20, F=0.7, Cr=0.285")
PAPERS = COMBINATIONS + NEAR_ALL + TARGET_MATTERS + SHORT_SEGMENTS
OTHERS = tuple(  # operators that the paper does not have, each strategy once
    f"DE/{mutation}/{crossover} {strategy}, N={N}, F={f}, Cr={cr}" for mutation, crossover, strategy, N, f, cr in (
        ("best/2", "bin", "unif", 5, 0.4, 0.3), ("curr-to-best/2", "exp", "mid-tgt", 5, 0.5, 0.9),
        ("rand-to-best/1", "bin", "mid-base", 20, 0.7, 0.3), ("rand-to-best/2", "exp", "rand-tgt", 5, 0.4, 0.9),
        ("rand/1", "bin", "rand-base", 5, 0.6, 0.5), ("best/2", "exp", "exp-tgt", 20, 0.6, 0.9),
        ("curr-to-best/2", "bin", "exp-ctr", 20, 0.4, 0.2), ("rand-to-best/1", "exp", "exp-spr", 5, 0.8, 0.8),
        ("rand-to-best/2", "bin", "refl-rnd", 20, 0.3, 0.3), ("rand/1", "exp", "cons", 5, 0.7, 0.9),
        ("best/1", "bin", "proj-mid", 20, 0.5, 0.4), ("rand/1", "bin", "proj-base", 5, 0.5, 0.4),
        ("rand/1", "exp", "res", 20, 0.6, 0.8), ("best/1", "bin", "res", 5, 0.5, 0.3),
        ("rand/2", "bin", "pen", 20, 0.3, 0.4), ("rand-to-best/1", "bin", "cons", 5, 0.5, 0.5),
    )
)  # fmt: skip
AT_THE_BASE = tuple(case for case in OTHERS if "base," in case or "cons," in case)
MISTAKES = {  # the names are those in page_wrong.js
    "a normal instead of a binomial number": NEAR_ALL,
    "segments one component too long": SHORT_SEGMENTS,
    "donors that avoid the target": TARGET_MATTERS,
    "the target in place of the base": AT_THE_BASE,
    "an infeasible trial not drawn anew": tuple(case for case in OTHERS if " res," in case),
}
