"""How each rule of the checker is shown in Coq, by subject as in `recheck.rules`."""

from dpaudit.kernel.rules import closing, rewriting, statements, variables

__all__ = ["closing", "rewriting", "statements", "variables"]
