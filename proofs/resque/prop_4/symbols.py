"""The symbols and terms that several parts use."""

import numpy as np

from dpaudit.algorithms.resque import ac_sa
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.minimum import ball_minimum
from dpaudit.problems.smoothing.ridges import Oracle, ridge_losses, smoothed_value

L, LAM, PHI = positive("L", "Lipschitz constant"), positive("lam"), positive("phi", "target error")
RHO, RADIUS = positive("rho", "smoothing radius"), positive("r", "radius of the ball, = rho")
T, TIME = integer("T", "[1, oo)", "steps of a loop"), integer("t", "[1, oo)", "step")


def gaps(stream, trials, kind, spread, centre, strength, loops, clipped, gradient="samples", **lines):
    """Gap over phi of the outputs, d = 1, L = r = rho = 1, phi = lambda r^2/2^loops, clipped at `clipped`.

    A mean of clipped gaps above 1 is a mean above 1.
    """
    params = ac_sa.Params((centre,), 1.0, 1.0, strength, strength / 2**loops, 1.0, gradient=gradient, **lines)
    oracle = Oracle(ridge_losses([(kind, (1.0,))]), spread=spread)
    x = ac_sa.cpu(params, oracle, Trials(stream, np.arange(trials)))
    least = ball_minimum(oracle.losses, params.centre, 1.0, 1.0, strength)
    value = smoothed_value(oracle.losses, x, 1.0) + strength / 2 * ((x - centre) ** 2).sum(axis=1)
    return np.minimum((value - least.value) / params.tolerance, clipped)
