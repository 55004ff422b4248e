"""Symbols of Section 4.3. What is much smaller is at most h times the other, 0 < h < 1; "about equal" is an explicit
factor.

Distances |w_j^0 - w_j*| are u_j; the first coordinate, for which the paper has its own hypotheses, is u_1, and its
smoothness M_1. Sums over the others run from 2.
"""

from dpaudit.claims.writing import *

COORDINATES = integer("d", "[1, oo)", "number of coordinates")
SEVERAL = integer("d", "[2, oo)", "number of coordinates")
H = real("h", "(0, 1)", "factor of what is much smaller")
M_1, U_1 = positive("M_1", "smoothness of the first coordinate"), positive("u_1", "|w_1^0 - w_1*|")
M_MAX, M_MIN = positive("M_max", "the largest M_j"), positive("M_min", "the smallest M_j")
M, U = sequence("M", "(0, oo)", "smoothness of the coordinate j"), sequence("u", "[0, oo)", "|w_j^0 - w_j*|")
MU, MU_M = positive("mu", "strong convexity"), positive("mu_M", "strong convexity in the norm of M")
L_FULL = positive("L_d", "Lipschitz constant L of the set [d]")
ANY = constant("C")

R_I_2, R_M_2 = "sum(j, 1, d, u[j]**2)", "sum(j, 1, d, M[j]*u[j]**2)"
TRACE, INVERSE_TRACE = "sum(j, 1, d, M[j])", "sum(j, 1, d, 1/M[j])"
AT_MOST, AT_LEAST = "all(j, 1, d, M[j] <= M_max)", "all(j, 1, d, M_min <= M[j])"
