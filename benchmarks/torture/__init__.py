"""`make torture`: debox is killed, its files are damaged, its paths are odd; each attack must end well.

An attack ends well in the right table or in a clear error. `victim` says what these are; the other files attack.
"""
