"""The symbols and terms that several parts use."""

import numpy as np

from dpaudit.algorithms.resque import sub_erm_strongly_convex
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses

BETA, LAM, LIP = positive("beta"), positive("lam"), positive("L")
D, N, T = integer("d", "[1, oo)"), integer("n", "[1, oo)"), integer("T", "[1, oo)")
LEVEL = integer("J", "[1, oo)", "j_max")
PRIV, CSC = real("c", "[1, oo)", "C_priv"), positive("C", "C_sc")
ANY = real("A", "[1, oo)", "any universal constant")
Q = positive("Q", "(L^2/lambda^2)(d/(beta^2 T^2) + 1/T)")
ERROR = "(d/((2**(-J/2)*beta)**2*(2**J*T)**2) + 1/(2**J*T))"
PRINTED = "(sqrt(d)/(beta*n) + 1/sqrt(n))"
FAR = point("beta=1/16384 d=1 n=268435456 T=1 J=28 c=1")
"""2^(J/2) = sqrt(d)/(beta T) = 16384: the printed bound is 2/16384 of a length of order L/lambda."""

LEVELS = np.array([4, 8, 16, 32])
"""2^(J/2): T_J = 4^(J/2), beta_J = 4^(-J/2), n = T_J, so that r = L/lambda = 1."""


def biases(stream, trials):
    """1 - mean of the output of Algorithm 5 at the last level on f = -x over [-1, 1], x* = 1: one mean over 50 runs a
    trial, the outputs projected (so that the bias is that of points of the ball)."""
    found = []
    for level in LEVELS.tolist():
        params = sub_erm_strongly_convex.Params(
            centre=(0.0,),
            radius=1.0,
            smoothing=1.0,
            privacy=level**-2.0,
            steps=level**2,
            lipschitz=1.0,
            regulariser=1.0,
            estimator="unweighted",
            project_output="projected",
        )
        runs = Trials(stream.part(f"level {level}"), np.arange(50 * trials))
        ends = sub_erm_strongly_convex.cpu(params, ridge_losses([(Ridge.LINEAR, (-1.0,))]), runs).final[:, 0]
        found.append(1.0 - ends.reshape(trials, 50).mean(axis=1))
    return np.stack(found, axis=1)


def implication(name, words, expression, symbols, conditions, terms, mutants, **more):
    """A step that adds up its hypotheses."""
    argument = (Combine(terms=terms),)
    return step(name, words, expression, symbols, conditions, argument=argument, mutants=mutants, **more)


INDEX = integer("j", "[1, oo)", "level")
SUM, FIRST = real("S", "[0, oo)", "E|xhat_k - x_0|^2"), real("m0", "[0, oo)", "E|x_0 - x*|^2")
BIAS, CBIAS = real("b", "[0, oo)", "|E xhat - x*|"), real("Cb", "[0, oo)", "C_bias")
