"""Lemma 5.5: the parameters of Section 5.2 as in Lemma 5.4; c_DP may be any number from 1 on where its formula is not
needed."""

from dpaudit.claims.writing import *

LEM = "srgd/LEM-5.5"
RECORDS, DIMENSION, EPS = real("n", "[1, oo)"), real("p", "[1, oo)"), positive("eps")
C_DP = real("c_DP", "[1, oo)", "c_DP of Section 5.2")
LIPSCHITZ, RADIUS, SMOOTH = positive("L"), positive("R", "diameter of C"), positive("M", "smoothness")
C_M, C_1 = positive("c_M", "M R <= c_M L"), positive("c_1", "c_1 of Lemma 5.4")
WORST, ELL = real("m", "[1, oo)", "max{1, sqrt(p)/(eps sqrt(n))}"), real("ell", "[1, oo)", "log(T/gamma)")
TIME = real("t", "[1, oo)", "step")
NOISE = real("b", "[0, oo)", "b_max")
SCALED = "M*R <= c_M*L"
BATCH, BETA, STEPS = "(n**(3/4)/c_DP)", "(c_DP**2*L*m/R)", "(c_DP*n**(1/4))"
