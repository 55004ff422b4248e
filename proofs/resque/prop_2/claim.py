"""Proposition 2: ball acceleration from ball optimisation oracles alone, after [CH22].

It takes over the range of lambda and the iteration count of Proposition 1 with their errors (PROP-1). Of its own proof,
Appendix C, three things need mending:
* one constant C_ba is to serve the error lambda r^2/C_ba of the runs behind a search call and everything else. Markov's
  inequality with strong convexity wants C_ba >= 15606 there, so that two of three runs are within r/51 (r1);
* level j of the bias correction is said to be drawn at most C_ba^2 2^-j K log(R kappa/r) times with probability
  1 - O(1/kappa) for j up to ceil(log2 K + C_ba). At the highest level the probability of more draws is about a power of
  R kappa/r with an exponent above -0.66, whatever C_ba is (exponent): for K = 1, C_ba = 6 and kappa = 10^12 it is
  10^4 times 1/kappa. With C_ba^2 (2^-j K + 1) log(R kappa/r) the bound holds (s2-levels~repaired), and the extra
  log(R kappa/r) draws a level cost Theorems 1 and 2 no more than a constant (THM-1/deep);
* item 2 asks level j for the error lambda r^2/(C_ba 2^j) log^-2(R kappa/r). The proximal oracle made of such answers
  may have a second moment that the potential cannot pay for where lambda = lamstar: the sum that Appendix B makes for
  the ball oracle, whose error has log^-3, comes to R^2 times a logarithm (variance). With log^-4 it is O(R^2)
  (variance~repaired), and Theorems 1 and 2 keep their orders (THM-1/accurate-near, -far). [CH22], to which the paper
  refers for these errors, was not at hand. That the proximal oracle is good enough for lambda > lamstar, where the
  potential has the decrease of PROP-1/s3, is taken from [CH22] and not checked.

The point returned need not lie in B(R), while s3 speaks of the largest error over B(R); |x| <= R + N r will do as well,
as the failure probability has room for a factor log(kappa).
"""

from dpaudit.claims.writing import *

from .errors import ERROR_STEPS, L, R
from .printed import EPS, RADIUS, SEARCHES_STEPS, C
from .repaired import REPAIRED

K, KAPPA = "((R/r)**(2/3))", "(L*R/eps)"
LAMSTAR = f"(eps*{K}**2/R**2*log({KAPPA})**2)"
PRINTED = Claim(
    id="resque/PROP-2",
    title="ball acceleration from ball oracles alone: the range of lambda is not empty",
    words="As in Proposition 1 all calls have lambda in [lamstar/C_ba, C_ba L/eps]; here: there is such a lambda. "
    "(Calls and "
    "failure probability are the steps and PROP-2~repaired.)",
    place="Proposition 2; Appendix C",
    kind=ClaimKind.NON_VACUITY,
    statement=Statement(f"{LAMSTAR}/C <= C*L/eps", (L, R, RADIUS, EPS, C), ("r <= R", "eps <= L*R")),
    expects=Outcome.REFUTED,
    candidates=(point("L=1 R=1 r=1/1000 eps=1/3 C=6"),),
    finding="The range is that of Proposition 1, of the wrong unit and empty for K log(kappa) > C_ba kappa (see "
    "PROP-1). The calls "
    "and probabilities of Appendix C hold after repairs (levels, variance, constants apart); Theorems 1 and 2 survive.",
    repair="resque/PROP-2~repaired",
    steps=(*SEARCHES_STEPS, *ERROR_STEPS),
)
CLAIMS = (PRINTED, REPAIRED)
