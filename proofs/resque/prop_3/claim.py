"""Proposition 3: EpochSGD is a ball optimisation oracle with 2 ceil(48 L^2/(lambda phi)) queries in one round.

The paper cites [ACJ+21]; the steps are the argument with its constants, F = fhat_rho + (lambda/2)|. - xbar|^2 and
E|G|^2 <= 3L^2 (LEM-1.2, which is why rho = r). They hold as printed, for every T: the recursion closes with
equality, the last, incomplete epoch costs the factor that the 16 in 48 = 3 * 16 pays for, and with T < 16, where no
epoch is run, xbar itself is good enough. The average of an epoch includes the point x^{T_k}, at which no gradient is
taken; the unused half-square of s1 and L <= G pay for it (r2). At least half of the pool of 2T samples is never used.

The O(L^2/(phi lambda)) queries, taken literally for all phi > 0, are too few where phi lambda/L^2 is large: two are
made at least. It needs phi <= L^2/lambda (beyond, xbar solves the problem without a query).
"""

import numpy as np

from dpaudit.algorithms.resque import epoch_sgd
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.minimum import ball_minimum
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses, smoothed_value

from .epochs import EPOCH_STEPS
from .queries import QUERY_STEPS
from .symbols import *


def mean_gap(stream, trials):
    """Gap over phi of the output for f(x) = x, L = lambda = r = rho = 1, T = 47: one epoch of 16, two almost fit."""
    params = epoch_sgd.Params((0.0,), 1.0, 1.0, 1.0, 48 / 47 * (1 + 1e-12), 1.0)
    oracle = Oracle(ridge_losses([(Ridge.LINEAR, (1.0,))]))
    x = epoch_sgd.cpu(params, oracle, Trials(stream, np.arange(trials)))
    least = ball_minimum(oracle.losses, params.centre, 1.0, 1.0, 1.0)
    return (smoothed_value(oracle.losses, x, 1.0) + (x**2).sum(axis=1) / 2 - least.value) / params.tolerance


def samples_used(stream, cases):
    """Samples that the reference form weights, against T, for T from 16 on."""
    oracle = Oracle(ridge_losses([(Ridge.ABSOLUTE, (0.6, 0.8), 0.3)]))
    counted, allowed = [], []
    for case in range(cases):
        params = epoch_sgd.Params((0.0, 0.0), 1.0, 1.0, 1.0, 48 / (16 + case), 1.0)
        run = epoch_sgd.reference(params, oracle, *epoch_sgd.draw_inputs(params, oracle, stream, case))
        counted.append(run.used)
        allowed.append(params.iterations)
    return np.array(counted), np.array(allowed)


CLAIM = Claim(
    id="resque/PROP-3",
    title="EpochSGD is a ball optimisation oracle",
    words="With rho = r the output has E F - F* <= phi; here: the gap after the m epochs that fit into T >= 48 "
    "L^2/(lambda phi) "
    "samples, by the recursion s3 from the start s4, is at most phi, for every T and m.",
    place="Proposition 3; Algorithm 1",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(f"{GAP} <= phi", (L, LAM, PHI, EPOCHS, T), ("48*L**2/(lam*phi) <= T", *LOOP)),
    rests_on=(*(f"resque/PROP-3/s{i}" for i in range(1, 7)), "resque/LEM-1.1", "resque/LEM-1.2", "tower-property"),
    argument=(
        Bound(left=CLOSED, by="resque/PROP-3/s5"),
        Scale("lam*2**(m + 1)/phi"),
        Rewrite(left="3*L**2/phi", right="lam*2**(m + 1)"),
        Solve(because="s6"),
    ),
    empirical=(Count("samples_used", "<=", near_miss=0.9, cases=130),),
    # The gap over phi lies in [0, 1.96]: its variance is at most 1.96^2/4.
    from_standard=(Sampling("mean_gap", "<=", 1.0, 1.0, 0.025, trials=500_000),),
    candidates=(AT_47, point("L=8 lam=1 m=0 T=15 phi=1024/5"), point("L=1 lam=1 m=4 T=495 phi=16/165")),
    mutants=(
        Mutant(
            "samples",
            "T = 30 L^2/(lambda phi) samples in place of 48 L^2/(lambda phi)",
            conditions=("30*L**2/(lam*phi) <= T", *LOOP),
            candidates=(point("L=1 lam=1 m=6 T=2031 phi=30/2031"),),
        ),
        Mutant(
            "loop",
            "the loop may stop one epoch early",
            conditions=("48*L**2/(lam*phi) <= T", LOOP[0], "T < 16*(2**(m + 2) - 1)"),
            candidates=(point("L=1 lam=1 m=4 T=1007 phi=48/1007"),),
        ),
    ),
    steps=(*EPOCH_STEPS, *QUERY_STEPS),
)
