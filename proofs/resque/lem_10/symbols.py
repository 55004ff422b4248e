"""The symbols and terms that several parts use."""

from dpaudit.claims.writing import *

J, T = integer("J", "[1, oo)", "the draw, at most j_max"), integer("T", "[1, oo)")
X = real("x", "[2, oo)", "log log n/delta")
BETA = positive("beta")
DELTA = real("delta", "(0, 1/2)")
FIRST = (point("J=1 T=1"),)
WORST = (point("J=1 x=2"),)
THREE = "(1 + 2**J + 2**(J - 1))"
LOGS = (
    Scale("2**(-J)"),
    Substitute(
        (real("u", "(0, 1/2]", "2^(-J)"), real("y", "[69/100, oo)", "log x")),
        where("J=-log(u)/log(2) x=exp(y)"),
        where("u=2**(-J) y=log(x)"),
    ),
)
