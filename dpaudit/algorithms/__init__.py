"""The algorithms of the papers, one folder each, all of the shape of `_template`."""

__all__ = ["rbcd", "resque", "srgd", "srm", "zeroth"]
