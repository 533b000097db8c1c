"""How Sphinx makes the site of these pages: `make docs`."""

import sys
from pathlib import Path

from debox.version import __version__

sys.path.extend(map(str, Path(__file__).parents[:2]))
import site_pages

project = "debox"
author = "The debox developers"
copyright = "the debox developers"
version = release = __version__
language = "en"

extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
root_doc = "index"
exclude_patterns = ["figures"]
default_role = "py:obj"

myst_heading_anchors = 3
nb_execution_mode = "force"  # whatever outputs it has
nb_execution_raise_on_error = True
nb_execution_in_temp = True  # they write files
nb_execution_timeout = 60
nb_merge_streams = True

autodoc_member_order = "groupwise"
autodoc_typehints = "none"  # the docstrings say the types
numpydoc_show_class_members = False  # members have entries of their own
numpydoc_validation_checks = {
    "all",  # but for these; tests/slow/test_help.py checks arguments, defaults, results and examples, too
    "ES01",  # one sentence may say all
    "EX01",  # a class has an example, not each of its methods
    "PR01",  # counts `**unknown`, which collects misspelt keywords, and fields that stand under Attributes
    "PR04",  # "As in `minimize`." has no type
    "PR06",  # "an integer from 0 to 5" says more than int
    "PR08",  # a description may begin with code, such as fun(x)
    "RT01",  # a method's first line may say what it returns
    "RT04",
    "SA01",  # not every function has relatives
    "YD01",  # nor what it yields
    "SS05",  # takes a noun in the plural for a verb
}

html_theme = "pydata_sphinx_theme"
html_title = "debox"
html_favicon = "site/favicon.svg"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_extra_path = ["explorer.html"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {page: [] for page in ("index", "start", "measure") if page == "index" or not site_pages.below(page)}
html_theme_options = {
    "logo": {"text": "debox"},
    "header_links_before_dropdown": 7,
    "navbar_persistent": [],
    "navbar_end": ["search-button", "theme-switcher"],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "search_as_you_type": True,
}


def without_unknown(app, kind, name, found, options, signature, result):
    """The signature without `**unknown`, which only explains misspelt keywords."""
    return signature and signature.replace(", **unknown", ""), result


BARRIERS = {  # to readers with a screen reader, in what docutils and the theme write, and what takes their places
    '<div role="list" class="citation-list">': "<div>",
    ' role="doc-biblioentry"': "",
    '<summary><span class="toctree-toggle"': '<summary aria-label="Pages below"><span class="toctree-toggle"',
}


def remove_barriers(app, error):
    """Replace them in the pages that were written."""
    for path in Path(app.outdir).rglob("*.html"):
        text = before = path.read_text("utf-8")
        for found, replacement in BARRIERS.items():
            text = text.replace(found, replacement)
        if text != before:
            path.write_text(text, "utf-8")


def setup(app):
    """Pages that are made of the code, and what becomes of a page's text."""
    made = Path(site_pages.__file__).read_text(), site_pages.PARTS, site_pages.notebooks()
    app.add_config_value("made", made, "env")  # read all pages again when these have changed
    app.connect("autodoc-process-signature", without_unknown)
    app.connect("builder-inited", lambda app: site_pages.write(Path(app.srcdir)))
    app.connect("source-read", site_pages.read)
    app.connect("build-finished", remove_barriers)
