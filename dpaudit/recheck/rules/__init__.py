"""The moves of a proof, one function each: importing this package makes all of them known.

A rule says what has to be shown for its goal: needs, which are shown here and now, and goals of parts, which have a
proof of their own.
"""

from dpaudit.recheck.rules import closing, constants, rewriting, statements, variables

__all__ = ["closing", "constants", "rewriting", "statements", "variables"]
