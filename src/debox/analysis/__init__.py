"""What stored runs say: from tables to numbers, without engine or matplotlib. Figures and report take numbers here.

runs               a table grouped by configuration; panels
choice             which rows of a table are looked at
summary            the runs of one configuration in few numbers; two camps
thirds             POIS within each third of a run
median_map         the median POIS over F and Cr, and where it passes a level
first_generation   the exact curve of generation 1
cube               a full factorial study as one array, an axis per factor
factors            how much of the differences between configurations each factor makes, alone and with others
predict            what POIS would be between the levels of F and Cr, with a band
between            how cells are interpolated, and how a study calibrates bands
claims             the conclusions of the paper, each put to the test (a room with a map of its own)
headline           how many configurations have a property, in all and by factor
collapse           the last step of Cr, and where POIS falls there
answers            the sentences that a report begins with
names              names that come from files, checked; operators as the paper calls them
scale              a scale for POIS that tells 0.99 from 0.999
"""
