"""The algorithms of the papers, one folder each, all of the shape of `_template`.

All have the same names in them, which CONTRIBUTING lists and the contract test checks; a folder has `__all__` only
where it hands on names from its other files.
"""

__all__ = ["rbcd", "resque", "srgd", "srm", "zeroth"]
