"""What stored runs say: from tables to numbers, without engine or matplotlib. Figures and report take numbers here.

runs               the runs of a study as dense arrays, an axis for each factor
where              which part of a study is meant, in one grammar
estimate           the one error bar: a jackknife, corrected tests
contrast           how much each two levels of a factor differ
factors            how much of the differences between configurations each factor makes, alone and with others
predict            what POIS would be between the levels of F and Cr, with a band
between            how cells are interpolated, and how a study calibrates bands
leaving            how many configurations leave the box how often, and from which F on; a scale for POIS
last_step          the last step of Cr, and where POIS falls there
first_generation   the exact curve of generation 1
names              panels, and operators as the paper calls them
"""
