"""The explorer: one self-contained HTML file that shows a stored study and runs the experiment in the reader's browser.

`data` packs what the page shows, `bundle` joins the modules in page/, which are readable as they are, and `html` writes
both into one file.
"""

from debox.explore.html import explorer as explorer

__all__ = ["explorer"]
