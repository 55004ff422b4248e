"""Theorem 5.8: its symbols, with the parameters of Section 5.2."""

from dpaudit.claims.writing import *

THM = "srgd/THM-5.8"
RECORDS, DIMENSION, EPS = real("n", "[1, oo)"), real("p", "[1, oo)"), positive("eps")
C_DP, TIME = real("c_DP", "[1, oo)"), integer("T", "[1, oo)", "steps")
LIPSCHITZ, RADIUS = positive("L"), positive("R", "diameter of C")
RATE = "(1/sqrt(n) + sqrt(p)/(eps*n))"
STEPS, BATCH = "(c_DP*n**(1/4))", "(n**(3/4)/c_DP)"
WORST = "max(1, sqrt(p)/(eps*sqrt(n)))"
BETA = f"(c_DP**2*L*{WORST}/R)"
NOISE = f"(c_DP**2*L*sqrt(p)/(eps*{BATCH}*{BETA}))"
SYMBOLS = (RECORDS, DIMENSION, EPS, C_DP, LIPSCHITZ, RADIUS)
TOTAL = "L*R/sqrt(n) + c_DP**2*L*R*sqrt(p)/(eps*n) + L*R*m/sqrt(n)"
PLACE = "proof of Theorem 5.8"
BETA_ANY, NOISE_ANY, B_ANY = positive("beta"), real("b", "[0, oo)", "b_max"), positive("B")
