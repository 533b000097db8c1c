"""Other readings of the paper's text: their runs, and docs/readings.md, which tells what they change."""
