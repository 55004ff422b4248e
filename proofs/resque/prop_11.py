"""Proposition 11: from regularised empirical risk to population risk by phases on disjoint batches.

Phase i has n_i = n/2^i records, step eta_i and regulariser |x - x_(i-1)|^2/(eta_i n_i), so lambda_i = 2/(eta_i
n_i), and budget eps/2^i as printed. The rate of Corollary 3 gives v_i = (G L^2 eta_i^2/2)(n_i + W/eps_i^2), W = d
times the logarithms, and the phases add v_(i-1)/(eta_i n_i) to the risk (phased-erm). With the steps eta_i =
32^(-i) eta, which we recall from the quoted theorem, each is below 2^(-i) times a common bound (statement), so the
sum is geometric (r1). With the steps 4^(-i) eta of Feldman et al. the printed budgets eps/2^i would not do: that is
the mutant `steps`.

The delta of phase i is delta/2^i, so that its log(1/delta_i) is at most i + 1 times that of the whole (logs), while
log(n_i/delta_i) stays log(n/delta). The paper prints the sum over `i in ceil(log n)`, read as 1..ceil(log n), and n/2^i
records, read as rounded: floor(log2 n) phases have a record each (phases). The printed gradient count is compared
with Theorem 4 in THM-4.
"""

import numpy as np

from dpaudit.algorithms.resque import private_sco
from dpaudit.claims.writing import *

PHASE, LAST = integer("i", "[1, oo)", "phase"), integer("k", "[1, oo)", "number of phases")
N, EPS = real("n", "[1, oo)"), real("eps", "(0, 1)")
SCALE = positive("g", "G L^2 eta")
W = positive("W", "d log(1/delta) log^3(n/delta) log^2 n")
TERM = "g/2*({q}**(-(i - 1)))**2*(2**(-(i - 1))*n + i*W/(2**(-(i - 1))*eps)**2)/({q}**(-i)*2**(-i)*n)"
"""v_(i-1)/(eta_i n_i) with steps q^(-i) eta, budgets eps/2^i, n_i = n/2^i, and log(1/delta_(i-1)) <= i log(1/delta)."""
COMMON = "2**(-i)*g*(1024 + 128*W/(n*eps**2))"

GROWTH = (("2", "i <= 2**i"), ("1", "1 <= i"))
"""i + 1 <= 2 i <= 2 2^i."""


def uses(stream, cases):
    """Different records in the batches of the shipped phases, against all records in them, for n from 16 to 4096."""
    sizes = 16 + np.floor(4081 * stream.uniforms(np.arange(cases), 0, 1)[:, 0]).astype(int)
    different, all_used = [], []
    for n in sizes.tolist():
        params = private_sco.Params(
            origin=(0.0,),
            radius=1.0,
            lipschitz=1.0,
            records=n,
            epsilon=0.5,
            delta=0.1,
            steps=(1, 1, 1),
            privacy=1.0,
            failure=0.5,
            most=1,
            ball_share=0.5,
            smoothing_share=0.5,
            accuracy_share=0.5,
        )
        used = [r for p in private_sco.phases(params) for r in range(p.first, min(p.first + p.size, n))]
        different.append(len(set(used)))
        all_used.append(sum(p.size for p in private_sco.phases(params)))
    return np.array(different), np.array(all_used)


CLAIM = Claim(
    id="resque/PROP-11",
    title="population risk from regularised empirical risk by phases",
    words=(
        "The excess population risk has the rate of Theorem 4, O(L R (1/sqrt(n) + sqrt(W)/(n eps))). In part: the "
        "error of phase i - 1 adds at most 2^(-i) G L^2 eta (1024 + 128 W/(n eps^2)) to the risk, with steps 32^(-i) "
        "eta and the printed budgets eps/2^i and delta/2^i; r1, r2, r-steps and r-last add up. Not checked: the "
        "quoted reduction (phased-erm), and the constant G of Corollary 3."
    ),
    place="Proposition 11",
    kind=ClaimKind.REDUCTION,
    statement=Statement(f"{TERM.format(q=32)} <= {COMMON}", (PHASE, N, EPS, SCALE, W)),
    rests_on=("phased-erm", *(f"resque/PROP-11/{s}" for s in ("logs", "r1", "r2", "r-steps", "r-last"))),
    expects=Outcome.CONSISTENT,
    argument=(
        Rewrite(
            left="1024*32**(-i)*g + 128*4**(-i)*i*W*g/(n*eps**2)", right="1024*2**(-i)*g + 128*2**(-i)*W*g/(n*eps**2)"
        ),
        Bound(
            left="1024*2**(-i)*g + 128*4**(-i)*i*W*g/(n*eps**2)",
            argument=(Combine(terms=(("1024*g*2**(-i)", "16**(-i) <= 1"),)),),
        ),
        Bound(
            left="1024*2**(-i)*g + 128*2**(-i)*W*g/(n*eps**2)",
            argument=(
                Shift("-1024*2**(-i)*g"),
                Rewrite(left="128*4**(-i)*i*W*g/(n*eps**2)", right="128*2**(-i)*W*g/(n*eps**2)"),
                Scale("4**i*n*eps**2/(128*W*g)"),
                Rewrite(left="i", right="2**i"),
                Induct("i", base=(Boxes(),), step=(Rewrite(right="2*2**i"), Combine(terms=GROWTH))),
            ),
        ),
        Open("the quoted theorem is not restated in the paper, and the constant of Corollary 3 is hidden"),
    ),
    mutants=(
        mutant(
            "steps",
            "steps 4^(-i) eta with the printed budgets",
            f"{TERM.format(q=4)} <= {COMMON}",
            "i=20 n=1000000 eps=1/2 g=1 W=1000000",
            own_sentence=True,
        ),
    ),
    steps=(
        step(
            "logs",
            "log(1/delta_(i-1)) = log(2^(i-1)/delta) is at most i log(1/delta), as delta < 1/6; l = log(1/delta)",
            "l + (i - 1)*log(2) <= i*l",
            (PHASE, real("l", "[179/100, oo)")),
            argument=(Combine(terms=(("i - 1", "log(2) <= l"),)),),
            mutants=(mutant("flat", "no growth", "l + (i - 1)*log(2) <= l", "i=2 l=2"),),
        ),
        step(
            "r1",
            "the phases are geometric: the sum of 2^(-i) is 1 - 2^(-k)",
            "sum(i, 1, k, 2**(-i)) == 1 - 2**(-k)",
            (LAST,),
            kind=ClaimKind.INDUCTION,
            argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
        ),
        step(
            "r2",
            "eta = (R/L) min(1/sqrt(n), eps/sqrt(W)): first phase 64 R^2/(eta n), here t = R/(L eta), and later "
            "phases L^2 eta W/(n eps^2), with a = sqrt(n), b = sqrt(W)/eps, t = max(a, b), are of the order L R "
            "(1/sqrt(n) + sqrt(W)/(n eps))",
            "64*t/a**2 + b**2/(t*a**2) <= 65*(1/a + b/a**2)",
            (positive("a"), positive("b"), positive("t")),
            ("t <= a + b", "a <= t", "b <= t"),
            argument=(Combine(terms=(("64/a**2", "t <= a + b"), ("b/(t*a**2)", "b <= t"), ("1/a**2", "0 <= a"))),),
            mutants=(mutant("constant", "60", "64*t/a**2 + b**2/(t*a**2) <= 30*(1/a + b/a**2)", "a=1 b=1/100 t=1"),),
        ),
        step(
            "r-steps",
            "the terms 2 L^2 eta_i of stability: the sum of 32^(-i) is below 1/31, and L^2 eta <= L R/sqrt(n)",
            "sum(i, 1, k, 32**(-i)) == (1 - 32**(-k))/31",
            (LAST,),
            kind=ClaimKind.INDUCTION,
            argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
        ),
        step(
            "r-last",
            "the distance of the last phase: L^2 v_k <= (G/2) L^4 eta^2 1024^(-k) (n + (k + 1) 4^k W/eps^2) is at "
            "most 4^(-k) (G/2) L^4 eta^2 (n + W/eps^2), and 2^k > n/2: of lower order",
            "1024**(-k)*(k + 1)*4**k <= 4**(-k)",
            (LAST,),
            argument=(
                Scale("4**k"),
                Rewrite(left="(k + 1)*64**(-k)", right="1"),
                Scale("64**k"),
                Rewrite(left="k + 1", right="64**k"),
                Induct(
                    "k",
                    base=(Boxes(),),
                    step=(
                        Rewrite(right="64*64**k"),
                        Combine(terms=(("64", "k + 1 <= 64**k"), ("63", "0 <= k"), ("62", "0 <= 1"))),
                    ),
                ),
            ),
            mutants=(mutant("steps", "steps 4^(-i) eta", "16**(-k)*(k + 1)*4**k <= 4**(-k)", "k=1"),),
        ),
        step(
            "r3",
            "privacy: a record is in one batch, with budget eps/2^i <= eps; later phases are post-processing",
            "2**(-i)*eps <= eps",
            (PHASE, EPS),
            kind=ClaimKind.PRIVACY,
            rests_on=("post-processing",),
            argument=(Combine(terms=(("eps", "2**(-i) <= 1"),)),),
            empirical=(Count("uses", cases=60),),
            mutants=(mutant("growth", "2^i eps", "2**i*eps <= eps", "i=1 eps=1/2"),),
        ),
        step(
            "phases",
            "with floor(log2 n) phases, 2^k <= n, each has a record",
            "1 <= n/2**k",
            (LAST, N),
            ("2**k <= n",),
            argument=(Combine(terms=(("1/2**k", "2**k <= n"),)),),
            mutants=(mutant("half", "two records", "2 <= n/2**k", "k=1 n=2"),),
        ),
    ),
)
