"""Sphinx settings: the pages of the repository as one site, and the reference from docstrings and from the program."""

from __future__ import annotations

import sys
from pathlib import Path

from dpaudit import __version__

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "dpaudit"
author = "the dpaudit authors"
copyright = author
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click"]
extensions += [  # of docs/extensions
    "addresses",
    "best_constants",
    "library_findings",
    "module_pages",
    "paper_pages",
    "plain_docstrings",
    "program_tables",
    "utility_figures",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "extensions"]

html_theme = "furo"  # its fonts, styles and scripts are files of the site: nothing is loaded from elsewhere
html_title = f"dpaudit {release}"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["narrow.css", "papers.css"]
html_js_files = ["focus.js"]
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

myst_heading_anchors = 3

default_role = "code"  # docstrings mark code with single backticks
autoclass_content = "both"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_mock_imports = ["jax", "opacus", "torch"]  # adapters import them when they are used

# A name of dpaudit that is referred to must be one that the reference documents; names of other packages have no page.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!dpaudit\.).*"), ("py:class", r"dpaudit\..*\.T")]
