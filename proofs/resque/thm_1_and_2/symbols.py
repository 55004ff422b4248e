"""The symbols and terms that several parts use."""

import numpy as np

from dpaudit.algorithms.resque import parallel_solver
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses

L, R, EPS = positive("L"), positive("R"), positive("eps", "eps_opt")
D, KAPPA = real("d", "[1, oo)", "dimension"), real("kappa", "[1, oo)", "L R/eps")
LK, LX, ELL = real("lk", "[1, oo)"), real("lX", "[1, oo)"), real("ell", "[1, oo)", "max(1, log(d kappa))")
RADIUS, RATIO = "(eps/(sqrt(d)*L))", "(L*R/eps)"
K = "(d**(1/3)*kappa**(2/3))"
INSTANCE = f"(d**(1/3)*{RATIO}**(2/3))"
LAMSTAR = f"(eps*{INSTANCE}**2/R**2*lk**2)"
LOGARITHMS = ("lk <= ell", "lX <= 2*ell")
SETTING = (L, R, EPS, D, LK)
ONES = tuple((name, "1") for name in ("d", "kappa", "lk", "lX", "ell"))


def solved(stream, trials, dimension, solver):
    """Runs on f = |x_1 - 1/2| with L = R = 1, eps = 1/2 and constants near 1: the batch and the gaps."""
    axis = tuple(float(i == 0) for i in range(dimension))
    params = parallel_solver.Params(
        dimension, 1.0, 1.0, 0.5, solver=solver, repetition_constant=0.5, search_accuracy=2.0, stop_constant=2.0
    )
    oracle = Oracle(ridge_losses([(Ridge.ABSOLUTE, axis, 0.5)]))
    found = parallel_solver.runs(parallel_solver.cpu(params, oracle, Trials(stream, np.arange(trials))))
    return found, np.abs(found.outer.points[:, 0] - 0.5)


ROUNDS = f"24*{K}*lk*(43*lX + 1)"
DEPTH = (
    Combine(
        terms=((f"24*{K}*(43*lX + 1)", LOGARITHMS[0]), (f"24*43*{K}*ell", LOGARITHMS[1]), (f"24*{K}*ell", "1 <= ell"))
    ),
)
UNCHECKED = "the proximal oracle of [CH22] is taken over for lambda > lamstar, and the constants of O() are hidden"
WHOLE = ("resque/PROP-1~repaired", "resque/PROP-2~repaired")
