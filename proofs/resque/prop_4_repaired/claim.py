"""Proposition 4, repaired: AC-SA with the lines of [GL12], samples of its own for each step and one loop at least.

The bound of one loop, which the paper quotes from Proposition 9 of [GL12], is proved here, with 6L^2 in place of 24L^2:
one step (r1) is a nonnegative combination of smoothness, convexity at x^ag, strong convexity at x* and the optimality
of x_t; its mean, the error of the gradient being that of fresh samples, lets a potential grow by s^2/lambda a step
(r2), and the sum over a loop is s2~repaired. The printed T and N_k then halve the gap in every loop (PROP-4/s3).
"""

import numpy as np

from dpaudit.algorithms.resque import ac_sa
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.minimum import ball_minimum
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses, smoothed_value

from .steps import LAM, LOOP, LOOP_STEPS, PHI, RADIUS, RHO, SIZE, SQUARE, L, T

CHOSEN_T, CHOSEN_N = "16*(L/(rho*lam) + 1) <= T**2", "48*2**k*L**2/(lam**2*r**2*T) <= N"
LOOP_ERROR = "2*(L/rho + lam)*E_square/(T*(T + 1)) + 24*L**2/(lam*N*(T + 1))"
HYPOTHESIS = "E_square <= 2*r**2/2**(k - 1)"
LOOP_SYMBOLS, LOOP_CONDITIONS = (L, RHO, RADIUS, LAM, T, LOOP, SIZE, SQUARE), (CHOSEN_T, CHOSEN_N, HYPOTHESIS)
LOOP_TERMS = (
    ("2*lam*E_square/(16*T*(T + 1))", CHOSEN_T),
    ("lam*T/(8*(T + 1))", HYPOTHESIS),
    ("lam*r**2*T/(2*2**k*N*(T + 1))", CHOSEN_N),
    ("lam*r**2/2**k", "0 <= 1/(T + 1)"),
)
# L/(rho lambda) = 10^6 - 1, T = 4000, k = 1, N_1 = 24 * 10^9 (a little more: L < 10^6), E|x^0 - x*|^2 = 2 r^2.
LARGE_T = point("L=999999 rho=1 r=1 lam=1 T=4000 k=1 N=24000000000 E_square=2")  # fmt: skip
QUERIES = "(4*sqrt(1 + L/(rho*lam)) + 1)*(1 + log(lam*r**2/phi)/log(2)) + 192*L**2/(lam*phi)"
COUNTS = ("T <= 4*sqrt(1 + L/(rho*lam)) + 1", "K <= 1 + log(lam*r**2/phi)/log(2)", "power <= 4*lam*r**2/phi")
GROUNDS = (
    "resque/LEM-1.1", "resque/LEM-1.2", "resque/FACT-5", "tower-property", "strong-convexity-growth",
    "resque/PROP-4/s1", "resque/PROP-4/s5~repaired",
    "resque/PROP-4/s5-sign", "resque/PROP-4~repaired/s2~repaired", "resque/PROP-4~repaired/s2-line-c~repaired",
)  # fmt: skip


def cited_gap(stream, trials):
    """Gap over phi = 1/2 after one loop on f(x) = x, d = 1, L = r = rho = lambda = 1, at most 2."""
    params = ac_sa.Params((0.0,), 1.0, 1.0, 1.0, 0.5, 1.0)
    oracle = Oracle(ridge_losses([(Ridge.LINEAR, (1.0,))]))
    x = ac_sa.cpu(params, oracle, Trials(stream, np.arange(trials)))
    least = ball_minimum(oracle.losses, params.centre, 1.0, 1.0, 1.0)
    value = smoothed_value(oracle.losses, x, 1.0) + (x**2).sum(axis=1) / 2
    return np.minimum((value - least.value) / params.tolerance, 2.0)


def own_samples(stream, cases):
    """Different samples that the reference form weights, against those it draws."""
    counted, drawn = [], []
    for case in range(cases):
        params = ac_sa.Params((0.0, 0.0), 1.0, 1.0, 1.0 + case / 10, 0.3, 1.0)
        oracle = Oracle(ridge_losses([(Ridge.ABSOLUTE, (0.6, 0.8), 0.3)]))
        run = ac_sa.reference(params, oracle, *ac_sa.draw_inputs(params, oracle, stream, case))
        counted.append(run.used)
        drawn.append(run.queries)
    return np.array(counted), np.array(drawn)


CLAIM = Claim(
    id="resque/PROP-4~repaired",
    title="AC-SA is a ball optimisation oracle, with the lines of [GL12]",
    words="With the weights and the linear term of [GL12], samples of its own for every step and K = max(1, "
    "ceil(log2(lambda "
    "r^2/phi))) loops the gap after the last loop is at most phi on average; the hypothesis is s1 for the loop "
    "before (k = K).",
    place="Proposition 4; Algorithm 2; Appendix D",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(f"{LOOP_ERROR} <= phi", (*LOOP_SYMBOLS, PHI), (*LOOP_CONDITIONS, "lam*r**2/phi <= 2**k")),
    rests_on=GROUNDS,
    argument=(Combine(terms=(*LOOP_TERMS, ("phi/2**k", "lam*r**2/phi <= 2**k"))),),
    from_standard=(Sampling("cited_gap", "<=", 1.0, 1.0, 0.02, trials=130_000),),
    candidates=(
        (*LARGE_T, ("phi", "1/2")),
        (*(pair for pair in LARGE_T if pair[0] != "N"), ("N", "2999994000003/125"), ("phi", "1/2")),
    ),
    mutants=(
        Mutant(
            "samples",
            "N_k with 46 in place of 48",
            conditions=(CHOSEN_T, CHOSEN_N.replace("48", "46"), HYPOTHESIS, "lam*r**2/phi <= 2**k"),
            candidates=((*(pair for pair in LARGE_T if pair[0] != "N"), ("N", "23000000000"), ("phi", "1/2")),),
        ),
        Mutant(
            "steps",
            "T with 14 in place of 16",
            conditions=(CHOSEN_T.replace("16", "14"), CHOSEN_N, HYPOTHESIS, "lam*r**2/phi <= 2**k"),
            candidates=(point("L=999999 rho=1 r=1 lam=1 T=3742 k=1 N=25655000000 E_square=2 phi=1/2"),),
        ),
    ),
    steps=(
        *LOOP_STEPS,
        step(
            "s2-line-c~repaired",
            "with (t - 1) N_k added to the index the samples of step t of a loop come before those of every later "
            "step u",
            "(t - 1)*N + m < (u - 1)*N + n",
            tuple(integer(name, "[1, oo)") for name in ("t", "u", "N", "m", "n")),
            ("t + 1 <= u", "m <= N"),
            argument=(Solve(),),
            empirical=(Count("own_samples", cases=5),),
            kind=ClaimKind.COST,
            candidates=(point("t=1 u=2 N=1 m=1 n=1"),),
            mutants=(Mutant("printed", "the printed index, without t", "m < n", own_sentence=True),),
        ),
        step(
            "sum",
            "sum over k <= K of (48 2^k L^2/(lambda^2 r^2 T) + 1) = K + b (2^{K+1} - 2), b = 48 L^2/(lambda^2 r^2 T)",
            "sum(k, 1, K, b*2**k + 1) == K + b*(2**(K + 1) - 2)",
            (integer("K", "[0, oo)"), positive("b")),
            kind=ClaimKind.INDUCTION,
            argument=(Induct("K", base=(Identical(),), step=(Identical(),)),),
        ),
        step(
            "s6~repaired",
            "the total T (N_1 + ... + N_K) is at most (4 sqrt(1 + L/(rho lambda)) + 1)(1 + log2(lambda r^2/phi)) + "
            "192 L^2/(lambda "
            "phi) for phi < lambda r^2",
            f"T*(K + 48*L**2/(lam**2*r**2*T)*(power - 2)) <= {QUERIES}",
            (L, RHO, RADIUS, LAM, PHI, T, integer("K", "[1, oo)"), real("power", "[4, oo)", "2^(K + 1)")),
            COUNTS,
            argument=(
                Combine(
                    terms=(
                        ("K", COUNTS[0]),
                        ("4*sqrt(1 + L/(rho*lam)) + 1", COUNTS[1]),
                        ("48*L**2/(lam**2*r**2)", COUNTS[2]),
                        ("96*L**2/(lam**2*r**2)", "0 <= 1"),
                    )
                ),
            ),
            kind=ClaimKind.COST,
            rests_on=("resque/PROP-4~repaired/sum",),
            candidates=(point("L=1 rho=1 r=1 lam=1 phi=1/2 T=6 K=1 power=4"),),
            mutants=(
                mutant(
                    "queries",
                    "90 in place of 192",
                    f"T*(K + 48*L**2/(lam**2*r**2*T)*(power - 2)) <= {QUERIES.replace('192', '90')}",
                    "L=1000 rho=1 r=1 lam=1 phi=1/1000 T=127 K=10 power=2048",
                ),
            ),
        ),
        step(
            "depth",
            "T K steps one after the other: at most (4 sqrt(1 + L/(rho lambda)) + 1)(1 + log2(lambda r^2/phi))",
            "T*K <= (4*sqrt(1 + L/(rho*lam)) + 1)*(1 + log(lam*r**2/phi)/log(2))",
            (L, RHO, RADIUS, LAM, PHI, T, integer("K", "[1, oo)")),
            COUNTS[:2],
            argument=(Combine(terms=(("K", COUNTS[0]), ("4*sqrt(1 + L/(rho*lam)) + 1", COUNTS[1]))),),
            kind=ClaimKind.COST,
            candidates=(point("L=1 rho=1 r=1 lam=1 phi=1/2 T=6 K=1"),),
            mutants=(
                mutant(
                    "rounded",
                    "without the 1 that rounding K up costs",
                    "T*K <= (4*sqrt(1 + L/(rho*lam)) + 1)*(log(lam*r**2/phi)/log(2))",
                    "L=1 rho=1 r=1 lam=1 phi=9/10 T=6 K=1",
                ),
            ),
        ),
    ),
)
