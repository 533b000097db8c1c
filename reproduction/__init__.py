"""What writes the numbers, pictures and pages of docs/ and the files of data/: `python -m reproduction --help`."""
