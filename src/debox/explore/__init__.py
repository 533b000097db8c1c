"""The explorer: one self-contained HTML file that shows a stored study and runs the experiment in the reader's browser.

`data` packs what the page shows, `html` joins it and the modules in page/, which are readable as they are, to one file.
`build` compiles the C core for the page.
"""

from debox.explore.html import explorer as explorer

__all__ = ["explorer"]
