"""The conclusions of the paper, each as an entry that is tested on a study.

statements   what the paper concludes: one table, an entry per conclusion
rules        margins, quantifiers and what makes a claim hold, fixed before any verdict was looked at
levels       which part of a study an entry speaks of; what the study lacks
estimate     numbers of cells with their sampling variance, and contrasts of them
statistics   p-values: Welch, equivalence, binomial, Holm, distances of distributions with a permutation null
finding      what a test found, before it is judged
contrasts    tests of differences and of equivalence
counts       tests of how many cells have a property
shapes       tests of whole distributions
shares       tests of how much of the variance a factor explains
bound        the test of f0 as an upper bound for other objective functions, from runs on both
exact        statements of mathematics, checked by formula; statements that no study can test
verdict      from a study to the list of results
text         the results as a table of 100 columns, as JSON, as a page
readings     other readings of the paper's text: which there are, and a study with the runs of one in place of its own
compare      verdicts under other readings, beside those of the study itself
compare_text the comparison as a table of 100 columns, as JSON
"""
