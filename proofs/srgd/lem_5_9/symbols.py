"""Lemma 5.9: its symbols. eta_t = t + 1, so that eta_{0:t} = (t + 1)(t + 2)/2 and x_t = (t y_t + 2 z_t)/(t + 2)."""

from dpaudit.claims.writing import *

LEM = "srgd/LEM-5.9"
TIME, STEPS = integer("t", "[1, oo)", "step"), integer("T", "[2, oo)", "steps")
SMOOTH, LIPSCHITZ = real("M", "[0, oo)", "smoothness"), positive("L", "Lipschitz constant")
RADIUS, NOISE = positive("R", "diameter of C"), real("b", "[0, oo)", "b_max")
CONSTANTS = (SMOOTH, NOISE, RADIUS, LIPSCHITZ)
C_M = real("c_M", "[0, oo)", "M R <= c_M L")
BETA = positive("beta", "scaling")
MOST = sequence("most", "[0, oo)", "most[t]: the largest |Delta_i(d)| over i <= t and all d")
ADDED = "(M*b + 2*M*R + L)"
LARGEST = real("D", "[0, oo)", "the largest |Delta_i(d)| over i < t and all d")
