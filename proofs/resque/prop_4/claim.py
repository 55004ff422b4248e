"""Proposition 4: AC-SA as an accelerated ball optimisation oracle, by Proposition 9 of [GL12].

Four things in Algorithm 2 and its parameters are false as printed; each alone breaks the proposition:
* line b: the weights of x_t^md do not sum to 1. At t = 1 both are 0 and x_1^md is the origin, wherever xbar is. [GL12]
  has alpha ((1 - alpha) lambda + gamma) where the paper prints alpha (1 - alpha)(lambda + gamma);
* line c: the index of the samples lacks t, so that all T steps of a loop average the same N_k of the T N_k samples that
  are drawn. The errors of the T gradients are then one error, which does not average out;
* line d: alpha multiplies Ghat only, not lambda (x^md - xbar). The minimiser is then no fixed point: the output is
  pulled to xbar, and the gap stops falling at a constant share of the initial one;
* with phi >= lambda r^2 there is no outer loop (K <= 0) and the returned xbar need not be good enough.

`PROP-4~repaired` (beside this file) is the proposition with the lines of [GL12], samples of its own for each step and
one loop at least. It is proved from convexity alone, the quoted bound of [GL12] included.
The logarithm in the number of queries must be 1 + log(lambda r^2/phi).
"""

from dpaudit.claims.writing import *
from dpaudit.problems.smoothing.ridges import Ridge

from .loops import LOOP_STEPS
from .symbols import *
from .total import TOTAL_STEPS

LINES = {"index": "printed", "weight": "printed", "linear": "printed"}


def printed_gap(stream, trials):
    """Algorithm 2 as printed on f(x) = x with lambda = 1, xbar = 0."""
    return gaps(stream, trials, Ridge.LINEAR, 0.0, 0.0, 1.0, 4, 4.0, **LINES)


BROKEN = (
    "Algorithm 2 as printed is no (phi, lambda)-ball optimisation oracle: the weights in line b do not sum to 1, line "
    "c reuses the same samples in all steps of a loop, and line d weighs half of the gradient only; three misprints of "
    "[GL12], to which the text refers. And for phi >= lambda r^2 no loop is run and xbar is returned (the "
    "witness). With the lines of [GL12], fresh samples and one "
    "loop at "
    "least the proposition holds (proved), and Theorem 2 survives, as it uses phi <= lambda r^2/C_ba only."
)
CLAIM = Claim(
    id="resque/PROP-4",
    title="AC-SA is a ball optimisation oracle, as printed",
    words="For all r = rho, lambda, phi > 0 the output has a gap of at most phi on average. In part: the check of "
    "level standard runs the printed lines at phi = lambda r^2/16 (see also s2-line-c, s2-line-d, s5); the statement "
    "is the boundary case phi >= lambda r^2 without a loop on f = L <u, .>: the gap L r - lambda r^2/2 of xbar.",
    place="Proposition 4; Algorithm 2; Appendix D",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement("L*r - lam/2*r**2 <= phi", (L, RADIUS, LAM, PHI), ("lam*r**2 <= phi", "lam*r <= L")),
    from_standard=(Sampling("printed_gap", "<=", 1.0, 4.0, 0.5, trials=2_000),),
    expects=Outcome.REFUTED,
    candidates=(point("L=2 r=1 lam=1 phi=1"),),
    finding=BROKEN,
    repair="resque/PROP-4~repaired",
    steps=(*LOOP_STEPS, *TOTAL_STEPS),
)
