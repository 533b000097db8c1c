"""A study: designed in a file, planned into runs, executed into a store."""
