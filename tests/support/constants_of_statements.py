"""Small statements with constants, for tests of the engines and of the checker."""

from __future__ import annotations

from dpaudit.claims.writing import Choose, Combine, ForEvery, Statement, Step, constant, integer, real, where

C, X, N = constant("C"), real("x", "[0, oo)"), integer("n", "[1, oo)")
BOUNDED = Step("s1", "w", Statement("x/(1 + x) <= C", (C, X)), (Choose(where("C=1")),))
UNBOUNDED = Step("s1", "w", Statement("x <= C*sqrt(x)", (C, X)), (ForEvery(where("x=4*C**2")),))
LARGE = Step(
    "s1", "w", Statement("100*n <= n**2", (constant("n_0"), N), ("n >= n_0",)),
    (Choose(where("n_0=100")), Combine(terms=(("n", "n >= 100"),))),
)  # fmt: skip
NEVER = Step(
    "s1", "w", Statement("n**2 <= 100*n", (constant("n_0"), N), ("n >= n_0",)), (ForEvery(where("n=101+ceil(n_0)")),)
)
