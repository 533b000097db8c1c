"""Do the tests of the paper's claims err as rarely as they say, and see what they should? On made-up studies."""
