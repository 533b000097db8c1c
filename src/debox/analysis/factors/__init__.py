"""How much of the differences between configurations each factor and each set of factors makes: exact functional ANOVA.

decompose   the effects of all subsets of factors of a full table
cells       what is decomposed: a statistic of every configuration, and how its runs let it vary
intervals   which shares the runs do not contradict
result      Factors: shares with intervals, as dictionary, columns and text
where       which part of a study is analysed
analyse     factors(store): from stored runs to Factors
"""

from debox.analysis.factors.analyse import factors as factors
from debox.analysis.factors.result import Factors as Factors
