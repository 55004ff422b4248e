"""Lemma 10: gradients and Renyi loss of one loop of the multilevel estimator (Algorithm 6), given the draw J.

The counts and the sum over the three calls hold; `adjusting C_priv as necessary` means a factor of 14 (statement).
The precondition on the radius does not carry over (s4): Proposition 8 is applied with 2^J T iterations, up to
n/C_priv, and needs rho/r >= C_priv log^2(log(2^J T)/delta'), but only log T is assumed. No universal constant
covers it as n grows with T and delta fixed; log n in place of log T does, and Theorem 3 grants that.
For 2^J T <= 2, that is T = 1, the printed log log T of Proposition 8 is negative; the statement is read with
log log n, n >= 2 C_priv >= 16, delta < 1/2, so that log log n/delta >= 2.
"""

import numpy as np

from dpaudit.algorithms.resque import bias_reduced_prox
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses

from .radius import RADIUS_STEPS
from .symbols import *


def gradients(stream, cases):
    """Counted gradients of every loop of the shipped estimator against 2^(J+1) T, or T for J > j_max."""
    counted, formula = [], []
    for steps in (2, 16, 256):
        params = bias_reduced_prox.Params(
            centre=(0.0,),
            radius=1.0,
            smoothing=1.0,
            privacy=1.0,
            steps=steps,
            lipschitz=1.0,
            regulariser=1.0,
            estimator="unweighted",
            records=64 * steps,
        )
        done = bias_reduced_prox.cpu(params, ridge_losses([(Ridge.LINEAR, (-1.0,))]), Trials(stream, np.arange(cases)))
        counted.append(done.queries.ravel())
        formula.append(np.where(done.levels <= params.highest, 2 ** (done.levels + 1), 1).ravel() * steps)
    return np.concatenate(counted), np.concatenate(formula)


CLAIM = Claim(
    id="resque/LEM-10",
    title="gradients and Renyi loss of one loop of the multilevel estimator",
    words=(
        "In part: at draw J <= j_max the Renyi loss of the three calls, at levels 0, J and J - 1 with delta/3 each, is "
        "1 + 2^J + 2^(J-1) times that of level 0 with log(3 log log n/delta), at most 14 * 2^J times that with "
        "log(log log n/delta); the orders are those of Proposition 8 at level 0. Gradients: s1."
    ),
    place="Lemma 10",
    kind=ClaimKind.PRIVACY,
    statement=Statement(f"{THREE}*log(3*x)**2 <= 14*2**J*log(x)**2", (J, X)),
    rests_on=("resque/LEM-10/s1", "resque/LEM-10/s2", "resque/LEM-10/s3"),
    expects=Outcome.CONSISTENT,
    argument=(
        Rewrite(left=f"{THREE}*(log(3) + log(x))**2"),
        *LOGS,
        Rewrite(left="(u + 3/2)*(log(3) + y)**2", right="14*y**2"),
        Bound(left="14*y**2", argument=(Positive(),)),
        Open("Proposition 8 and its constant C_priv, of which this is a multiple, are hidden"),
    ),
    mutants=(Mutant("constant", "13 in place of 14", f"{THREE}*log(3*x)**2 <= 13*2**J*log(x)**2", candidates=WORST),),
    steps=(
        step(
            "s1",
            "gradients: T (1 + 2^J + 2^(J-1)) <= 2^(J+1) T",
            f"T*{THREE} <= 2**(J + 1)*T",
            (J, T),
            kind=ClaimKind.COST,
            argument=(
                Scale("1/T"),
                Rewrite(left="1 + 3/2*2**J", right="2*2**J"),
                Combine(terms=(("1/2", "2 <= 2**J"),)),
            ),
            empirical=(Count("gradients", "<=", near_miss=0.7, cases=40),),
            mutants=(Mutant("constant", "19/10 2^J T", f"T*{THREE} <= 19/10*2**J*T", candidates=FIRST),),
            tightness=(Tightness("factor", "2", f"T*{THREE} <= {{c}}*2**J*T", "2", "1.99", candidates=FIRST),),
        ),
        step(
            "s1-zero",
            "J > j_max: one run of Algorithm 5 at level 0, whose k calls have T (1 - 2^(-k)) gradients together "
            "(PROP-8/gradients): at most T; the draw has J >= 1, so that j = 0 stands for this case",
            "T*(1 - 2**(-k)) <= T",
            (T, integer("k", "[1, oo)", "calls")),
            kind=ClaimKind.COST,
            rests_on=("resque/PROP-8/gradients",),
            argument=(Combine(terms=(("T*2**(-k)", "0 <= 1"),)),),
            mutants=(mutant("constant", "0.9 T", "T*(1 - 2**(-k)) <= 0.9*T", "T=1 k=4"),),
        ),
        step(
            "s2",
            "at level J the loss is proportional to (beta_J T_J)^2 = 2^J (beta T)^2",
            "(2**(-J/2)*beta*2**J*T)**2 == 2**J*beta**2*T**2",
            (J, T, BETA),
        ),
        step(
            "s2-sum",
            "Not printed: the three calls together: 1 + 2^J + 2^(J-1) <= 2 * 2^J, a factor that C_priv must absorb",
            f"{THREE} <= 2*2**J",
            (J,),
            reads=Reads.OURS,
            kind=ClaimKind.PRIVACY,
            argument=(Rewrite(left="1 + 3/2*2**J"), Combine(terms=(("1/2", "2 <= 2**J"),))),
            mutants=(mutant("constant", "1", f"{THREE} <= 2**J", "J=1"),),
            tightness=(Tightness("factor", "1", f"{THREE} <= {{c}}*2**J", "2", "1.99", candidates=(point("J=1"),)),),
        ),
        step(
            "s3",
            "delta/3 for each of at most three calls, which Proposition 8 needs below 1/6",
            "delta/3 <= 1/6",
            (DELTA,),
            kind=ClaimKind.PRIVACY,
            argument=(Combine(terms=(("1/3", "delta <= 1/2"),)),),
            mutants=(
                Mutant("range", "delta up to 1", symbols=(real("delta", "(0, 1)"),), candidates=(point("delta=9/10"),)),
            ),
        ),
        step(
            "s3-log",
            "Not printed: delta/3 in the logarithm: log(3 x) <= 2.6 log x for x = log log n/delta >= 2",
            "log(3*x) <= 2.6*log(x)",
            (X,),
            reads=Reads.OURS,
            argument=(
                Rewrite(left="log(3) + log(x)"),
                Substitute((real("y", "[69/100, oo)", "log x"),), where("x=exp(y)"), where("y=log(x)")),
                Rewrite(left="log(3) + y", right="2.6*y"),
                Positive(),
            ),
            mutants=(mutant("constant", "2.5", "log(3*x) <= 2.5*log(x)", "x=2"),),
        ),
        *RADIUS_STEPS,
    ),
)
