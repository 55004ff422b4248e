"""Proposition 9: bias and variance of the multilevel proximal estimator (Algorithm 6 of the paper, ALG-9).

The bias bound is false as printed. Level j runs Algorithm 5 with (2^(-j/2) beta, 2^j T), so beta_j T_j =
2^(j/2) beta T and the mean square error falls by 2 per level, not by 4 in its first term: Proposition 8 gives, at
the last level, sqrt(d)/(beta sqrt(T n)) + 1/sqrt(n), not sqrt(d)/(beta n) + 1/sqrt(n) (s3). That no other
argument can give the printed form is shown on linear losses (r1 to r5). f(x; s) = -lambda r <u, x> for all s, with
ball radius r = (L/lambda) sqrt(d)/(beta_J T_J), has x* = xbar + r u. Run on f = 0 with the same draws Algorithm 5
returns a point with mean xbar (every step is odd about xbar); the two runs drift apart by at most the sum of the
step lengths, which is 0.69 r. So the bias is at least 0.31 r, whatever the smoothing radius and the iteration
count, and its ratio to the printed bound exceeds every constant.

What remains true is PROP-9~repaired, and the variance bound (s8~repaired), with 28 in place of 14: s4 loses a
factor of 2 of strong convexity that s3 has. That a function gap bounds a distance holds in the mean although outputs
carry noise (PROP-8/s4). Two misprints: Pr[J = j] is not 0 beyond j_max (s1-law), and x_j is an output of Algorithm 5.
The hypothesis T <= floor(n/(2 C_priv)) gives j_max >= 1 (r-jmax), so that nothing is divided by 0.
"""

from dpaudit.claims.writing import *

from .counterexample import FROM_BELOW_STEPS
from .printed import BIAS_STEPS, LAST, LOST
from .repaired import REPAIRED
from .symbols import *
from .variance import VARIANCE_STEPS

BIAS_STATEMENT = Statement(
    f"3/10*sqrt(d)/(2**(J/2)*beta*T) <= A*{PRINTED}",
    (ANY, BETA, D, N, T, LEVEL, PRIV),
    (*LAST, "sqrt(d) <= 2**(J/2)*beta*T"),
)
PRINTED_CLAIM = Claim(
    id="resque/PROP-9",
    title="bias of the multilevel stochastic proximal estimator",
    words=(
        "|E xhat - x*| <= C_bias (L/lambda)(sqrt(d)/(beta n) + 1/sqrt(n)) for a universal constant C_bias. Left: the "
        "bias, in units of L/lambda, that steps r1 to r4 prove for linear losses with r = (L/lambda) sqrt(d)/(beta_J "
        "T_J); floor(n/C_priv)/T lies in [2^J, 2^(J+1))."
    ),
    place="Proposition 9, first display",
    kind=ClaimKind.CONVERGENCE,
    statement=BIAS_STATEMENT,
    rests_on=tuple(f"resque/PROP-9/r{i}" for i in range(1, 6)),
    origins=(Condition("sqrt(d) <= 2**(J/2)*beta*T", Origin.OURS),),
    expects=Outcome.REFUTED,
    candidates=((("A", "1000"), *FAR),),
    finding=LOST,
    repair="resque/PROP-9~repaired",
    steps=(*BIAS_STEPS, *VARIANCE_STEPS, *FROM_BELOW_STEPS),
)

CLAIMS = (PRINTED_CLAIM, REPAIRED)
