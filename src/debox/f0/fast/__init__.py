"""The fast engine on f0: the same law as Algorithm 1, in a hundredth of the time. What calls what:

engines.Fast makes the tables of a configuration once, then calls the clock, step by step of each run:

    clock.prepare → batch.simulation, exact.enumeration     (at the start)
    clock.advance → batch | exact → scan → fixed_point      (in every run, for trials that are rejected)
    clock.advance → a `build` kernel of de/algorithm.py     (for accepted trials: assemble.builder_for)

Each file first makes its tables and buffers, in Python, then has the kernels that read them.

clock         what the engine can run, and all tables of a configuration; when each slot accepts its next trial: between
              two acceptances lies a quiet stretch, in which the population stands still and trials only have to be
              counted
batch         counts a stretch by simulating its trials, some hundred at a time, without building them: first all random
              numbers, whom each trial draws and which components its crossover takes
exact         or: the exact chance of a trial to be infeasible, from all donor tuples, and one binomial number
scan          both look at mutants here, through pointers to its loops: which of their components lie outside the box?
              For exact also what exponential crossover makes of the gaps between those
fixed_point   a population in whole numbers of 16 bits, which answer that for nearly every component, 32 at a time; what
              is too near to a bound goes to the exact formula
"""
