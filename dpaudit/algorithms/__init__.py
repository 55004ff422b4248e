"""The algorithms of the papers, one file each, all of the shape of `_template.py`."""
