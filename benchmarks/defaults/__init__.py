"""The default of `minimize` against other solvers: chosen on ten problems, judged on 34 others."""
