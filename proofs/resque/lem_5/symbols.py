"""The symbols and terms that several parts use."""

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.sub_erm.coupled import coupled
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses

HERE = "resque/LEM-5"
T, LONG = integer("T", "[2, oo)", "iterations"), integer("T", "[4, oo)", "iterations")
DELTA, RATIO = real("delta", "(0, 1)"), real("y", "[0, oo)", "rho/r - 1728 log(log T/delta)^2")
ALPHA, BETA = real("alpha", "(1, oo)", "order"), positive("beta")
H, HITS = positive("h", "eta_i L"), integer("b", "[1, oo)", "hits")
SLOPE, ETA = positive("L", "Lipschitz constant"), positive("eta", "step size eta_i")
RADIUS, RHO = positive("r", "radius of the ball"), positive("rho", "smoothing")
L_ANY = real("l", "(1/5, oo)", "log(log T/delta), where p >= 2")
L_LONG = real("l", "[8/25, oo)", "log(log T/delta) for T >= 4: at least log(log 4)")
P = integer("p", "[2, oo)", "ceil(5 l)")
Q = integer("q", "[0, oo)", "summation index")
PHI, U = positive("Pot", "Phi_(j-1)"), positive("u", "48 eta L/rho")
CEIL = ("5*l <= p", "p <= 5*l + 1")

OPPOSITE = ridge_losses([(Ridge.LINEAR, (0.6, 0.8)), (Ridge.ABSOLUTE, (1.0, 0.0)), (Ridge.HINGE, (0.0, 1.0), 0.3)])


def drift(stream, trials):
    """|ybar_i - ybar'_i|/(sqrt(3000) b_i eta_i L), all phases; rho/r = 3000 meets the condition at T = 32."""
    rng = np.random.default_rng(stream.seeds(np.arange(1)))
    params = sub_erm.Params(centre=(0.0, 0.0), radius=1.0, smoothing=3000.0, privacy=2.0, steps=32)
    indices = rng.integers(0, 3, size=(trials, 31))
    neighbour = OPPOSITE.replaced(0, Ridge.LINEAR, (-0.6, -0.8))
    runs = coupled(params, OPPOSITE, neighbour, Trials(stream, np.arange(trials)), indices)
    return (runs.drift / np.maximum(runs.hits, 1)).max(axis=1) / np.sqrt(3000)
