"""Symbols of Table 1, and the form of its rows.

A cell of the first column is the term Sigma_S R_{MP^-1} of Theorem 4.2, one of the second is Sigma_S^2
max_i{M_i/p_i}/mu, at one choice of S. So a row is judged as equations between the terms of the theorem and its cells,
and each cell by its unit: that of f. The hidden factors, 13 sqrt(log(1/delta))/(n eps) and logarithms times
log(1/delta)/(n eps)^2, are the same on both sides.
"""

from dpaudit.claims.writing import *

COORDINATES, BLOCKS = integer("d", "[1, oo)", "number of coordinates"), integer("b", "[1, oo)", "number of blocks")
NORM = positive("norm2", "||L_A||^2 in the norm of M^-1")
M = sequence("M", "(0, oo)", "smoothness of the coordinate j")
W = sequence("w", meaning="w^0 - w*, coordinate by coordinate")
L = sequence("L", "(0, oo)", "Lipschitz constant of the coordinate j")
P = sequence("p", "(0, 1]", "Prob(j in S)")
L_FULL = positive("L_d", "Lipschitz constant L of the set [d]")
TALLEST = sequence("m", "(0, oo)", "m[k]: the largest M_j of the block A_k")
M_MAX = positive("M_max", "the largest M_j")
MU, MU_M = positive("mu", "strong convexity"), positive("mu_M", "strong convexity in the norm of M")
R_WEIGHTED = real("R_MP", "[0, oo)", "R_{MP^-1}")
TOP = positive("top", "max_i {M_i/p_i}")

NORM_1D = "sum(j, 1, d, L[j]**2/M[j])"
R_M, R_I = "sqrt(sum(j, 1, d, M[j]*w[j]**2))", "sqrt(sum(j, 1, d, w[j]**2))"
TRACE, INVERSE_TRACE = "sum(i, 1, d, M[i])", "sum(j, 1, d, 1/M[j])"
TALLEST_SUM = "sum(k, 1, b, m[k])"
BLOCK_NORM = r"\left\|L_{\{A_1,\ldots,A_b\}}\right\|"

UNITS = {
    "gap": (1, 0),
    "norm2": (1, 0),
    "radius2": (1, 0),
    "R_I": (0, 1),
    "top": (1, -2),
    "M_max": (1, -2),
    "trace": (1, -2),
    "inverse_trace": (-1, 2),
    "mu": (1, -2),
    "mu_I": (1, -2),
    "L_d": (1, -1),
}
"""The unit of each quantity: powers of the units of f and of length."""
IN_UNITS = {name: positive(name) for name in (*UNITS, "b", "d", "mu_M")}


def unit(name, words, cell, used, **rest):
    """That a cell has the unit of f; used: the names in it."""
    return Step(
        name,
        words,
        homogeneous(f"gap == {cell}", tuple(IN_UNITS[one] for one in ("gap", *used.split())), UNITS),
        **({"kind": ClaimKind.HOMOGENEITY, "argument": (Identical(),)} | rest),
    )


def units(convex, used, strong, strong_used):
    """Both cells of a row have the unit of f."""
    return (
        unit("unit", "unit of the first cell: that of f", convex, used),
        unit("unit-strong", "unit of the second cell: that of f", strong, strong_used),
    )


def table_row(number, title, words, printed, equation, symbols, steps, conditions=(), **rest):
    """A row: its first cell is the statement, its second one the first of the steps."""
    return Claim(
        id=f"rbcd/TAB-1.{number}",
        title=title,
        words=words,
        place=f"Table 1, row {number}",
        printed=printed,
        kind=ClaimKind.IDENTITY,
        statement=Statement(equation, symbols, conditions),
        steps=steps,
        origins=(Condition("", Origin.GIVEN, "rbcd/THM-4.2a"), *rest.pop("origins", ())),
        **({"argument": (Identical(),)} | rest),
    )


def second(number, words, printed, equation, symbols, conditions=(), name="s2", **rest):
    """The second cell of a row."""
    place = f"Table 1, row {number}, Strongly-convex"
    known = {"rbcd/THM-4.2b": ""} | rest.pop("given", {})
    return step(
        name, words, equation, symbols, conditions, given=known, **({"place": place, "printed": printed} | rest)
    )
