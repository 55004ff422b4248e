"""What the parts of Theorem 4.1 share."""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/THM-4.1"
RADIUS_C, LARGEST_NOISE = positive("R", "bound on |C|_2"), positive("b_max", "bound on |b_t|")
VARIANCE = real("S", "[0, oo)", "E|Delta_t - E Delta_t|^2 <= S^2")
SIZES = (LIPSCHITZ, RADIUS_C, BETA, LARGEST_NOISE)
RATE = "(S*L + S**2)/(beta*sqrt(T)) + S*R/T**(3/2) + (S + L)*b_max/T + beta*b_max*R/T**2 + beta*R**2/T**2"
UNITS = {"S": (1, -1), "L": (1, -1), "R": (0, 1), "beta": (1, -2), "b_max": (0, 1), "gap": (1, 0)}
