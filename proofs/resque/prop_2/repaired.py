"""The statement that holds."""

import numpy as np

from dpaudit.algorithms.resque import non_private_prox
from dpaudit.claims.writing import *
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses

from .printed import LEVELS_OF, C


def calls_of_a_step(stream, cases):
    """Calls of the ball oracle by the proximal oracle, against 3 where a level was drawn and 1 where none was."""
    params = non_private_prox.Params(10.0, 1.0, 1.0, 1.0, 1.0, acceleration_constant=1.0, centre=(0.0,), strength=4.0)
    oracle = Oracle(ridge_losses([(Ridge.ABSOLUTE, (1.0,), 0.3)]))
    answers = [non_private_prox.reference(params, oracle, stream, case) for case in range(cases)]
    return np.array([a.calls for a in answers]), np.array([3 if a.choice > 0 else 1 for a in answers])


REPAIRED = Claim(
    id="resque/PROP-2~repaired",
    title="ball acceleration from ball oracles alone: calls of an iteration",
    words="With lX = max(1, log(R kappa/r)), 43 lX search calls (search) of 60 lX + 1 runs each (s1), one ball "
    "oracle call and three calls for the proximal oracle, an iteration makes at most 2700 lX^2 ball oracle calls; "
    "levels, lambda and iterations as in s2-levels~repaired and PROP-1~repaired. Checked is this count. That the "
    "answers make a good enough proximal oracle is checked for lambda = lamstar only (variance~repaired); for "
    "larger lambda it is quoted from [CH22].",
    place="Proposition 2; Appendix C",
    kind=ClaimKind.COST,
    statement=Statement("43*lX*(60*lX + 1) + 4 <= 2700*lX**2", (real("lX", "[1, oo)"),)),
    rests_on=(
        "resque/PROP-1~repaired",
        "resque/PROP-2/s2",
        "resque/PROP-2/s2-levels~repaired",
        "resque/PROP-2/s3~repaired",
        "resque/PROP-2/variance~repaired",
        "resque/PROP-2~repaired/search",
        "resque/PROP-2~repaired/levels",
    ),
    argument=(Positive(),),
    empirical=(Count("calls_of_a_step", cases=40),),
    mutants=(Mutant("constant", "2600 in place of 2700", "43*lX*(60*lX + 1) + 4 <= 2600*lX**2"),),
    steps=(
        step(
            "search",
            "the search from lamstar to max(2 lamstar, 2L/r) makes at most 43 lX calls: its bisection stops after "
            "2 + log2(136 (|x - v| + r) log(hi/lo)/r) of them; "
            "log(hi/lo) <= log(2) + lk as L/(r lamstar) <= kappa, and |x - v| + r <= 27 lk X^3 r with X = R kappa/r, "
            "as x moves by r "
            "at most in each of 24 K lk X^2 iterations, more of which have a probability of X^-2 (Markov)",
            "2 + log(136*(27*lk*X**3)*(log(2) + lk))/log(2) <= 43*lX",
            (real("X", "[1, oo)", "R kappa/r"), real("lk", "[1, oo)"), real("lX", "[1, oo)")),
            ("lk <= lX", "log(X) <= lX"),
            argument=(
                Rewrite(left="2 + (log(136*27) + log(lk) + 3*log(X) + log(log(2) + lk))/log(2)"),
                Bound(
                    left="2 + (log(136*27) + lk + 3*log(X) + log(log(2) + lk))/log(2)",
                    argument=(
                        Shift("-2 - (log(136*27) + 3*log(X) + log(log(2) + lk))/log(2)"),
                        Scale("log(2)"),
                        Rewrite(left="log(lk)", right="lk"),
                        Monotone("lk", "low", (Rewrite(right="(lk - 1)/lk"), Positive())),
                        Boxes(),
                    ),
                ),
                Bound(
                    left="2 + (log(136*27) + lk + 3*log(X) + log(2) + lk)/log(2)",
                    argument=(
                        Shift("-2 - (log(136*27) + lk + 3*log(X))/log(2)"),
                        Scale("log(2)"),
                        Rewrite(left="log(log(2) + lk)", right="log(2) + lk"),
                        Monotone("lk", "low", (Rewrite(right="(log(2) + lk - 1)/(log(2) + lk)"), Positive())),
                        Boxes(),
                    ),
                ),
                Bound(
                    left="2 + (log(136*27) + 5*lX + log(2))/log(2)",
                    argument=(Combine(terms=(("2/log(2)", "lk <= lX"), ("3/log(2)", "log(X) <= lX"))),),
                ),
                Positive(),
            ),
            kind=ClaimKind.COST,
            rests_on=("bisection-for-lambda", "markov-inequality"),
            candidates=(point("X=1 lk=1 lX=1"),),
            mutants=(
                Mutant("constant", "14 in place of 43", "2 + log(136*(27*lk*X**3)*(log(2) + lk))/log(2) <= 14*lX"),
            ),
        ),
        step(
            "levels",
            "union over the log2(K) + C + 2 levels: their failures add up to (C + 5)/kappa or less (k = log K, X = "
            "K^(3/2) kappa)",
            "(k/log(2) + C + 2)*exp(-3*k)/kappa**2 <= (C + 5)/kappa",
            (C, real("k", "[0, oo)", "log K"), LEVELS_OF),
            argument=(
                Scale("kappa"),
                Rewrite(left="(k/log(2) + C + 2)*exp(-3*k)/kappa", right="C + 5"),
                Bound(
                    left="(k/log(2) + C + 2)*exp(-3*k)",
                    argument=(Combine(terms=(("(k/log(2) + C + 2)*exp(-3*k)/kappa", "1 <= kappa"),)),),
                ),
                Scale("exp(3*k)"),
                Rewrite(left="k/log(2) + C + 2", right="(C + 5)*exp(3*k)"),
                Bound(
                    right="(C + 5)*(1 + 3*k)",
                    argument=(Scale("1/(C + 5)"), Rewrite(left="1 + 3*k", right="exp(3*k)"), Tangent("k", "0")),
                ),
                Positive(),
            ),
            rests_on=("union-bound", "resque/PROP-2/s2-levels~repaired"),
            kind=ClaimKind.TAIL,
            mutants=(Mutant("constant", "1/kappa", "(k/log(2) + C + 2)*exp(-3*k)/kappa**2 <= 1/kappa"),),
        ),
    ),
)
