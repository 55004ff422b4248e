"""Sphinx settings: the pages of the repository as one site."""

from dpaudit import __version__

project = "dpaudit"
author = "the dpaudit authors"
release = __version__
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "alabaster"
myst_heading_anchors = 3
