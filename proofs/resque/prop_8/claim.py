"""Proposition 8: the strongly convex ball solver (Algorithm 5), k = ceil(log2 log2 T) calls of Algorithm 4.

Call i + 1 starts from x_i with T_i = 2^(i-k) T, beta_i = 2^((k-i)/2) beta and r_i = min(2 r, sqrt(2 D_i/lambda)), where
E_i = (2 C^2 L^2/lambda)(sqrt d/(beta_i T_i) + 1/sqrt T_i)^2 and D_i = 4 E_i ((2 L^2/lambda)/(4 E_0))^(2^-i). The
induction for the utility (s1 to s7) is right but for details; the privacy part is not:

* The first call has beta_0^2 = 2^k beta^2 >= beta^2 log2 T. The hypothesis and the range of orders name beta alone, so
  that Corollary 2 does not apply to the early calls (s9), and the statement is false for every C_priv: on the linear
  canary, for T = 2^(2^k) with k = 60 + C_priv, rounded up (`every-constant`; what the event rests on: `canary-hit` to
  `canary-end`).
* Read with natural logarithms, log(log log T/delta) vanishes at T = 3, delta = log log 3 (s8-loglog).
* x_i is noisy: it may lie outside of the ball, where Algorithm 4 asks for a start in the ball, and where the reason
  given for s4 fails (s4-outside); s4 itself holds in the mean.
* x_{k+1} is returned and never computed (a misprint); k is not defined for T = 1, and T_i is no integer (boundary cases
  and rounding: `index`, `domain`, `whole`).

Repaired: beta_i = beta in every call (the printed powers of two gain nothing: without them E_i <= 4 E_{i+1}, and 32 E_k
takes the place of 8 E_k), log(k/delta), starts projected, r <= rho/2, and the term that Corollary 2 lacks. Then
C_sc = 131072, from C_cvx = 32. Theorems 3 and 4 survive; with the printed beta_i, beta must shrink by sqrt(log n).
"""

from dpaudit.claims.writing import *

from .canary import CANARY_STEPS
from .every import EVERY_STEPS
from .every_terms import allowed, attained, beta_of
from .printed import BETA, DELTA, GAP_STEPS, LAM, RATES, D, K, L, T
from .printed_calls import CALL_STEPS
from .repaired import OURS, RATIO, REPAIRED_STEPS

BETA_C = beta_of("theta", "C", "k", "delta")
CALLS = "(60+ceil(C))"
"""k at the point where the claim fails."""
PRINTED = Claim(
    id="resque/PROP-8",
    title="utility and privacy of the strongly convex ball solver",
    words=(
        "Gap at most (C_sc L^2/lambda)(d/(beta^2 T^2) + 1/T) (steps s1 to s7), and if T/n <= 1/C_priv, beta^2 "
        "log^2(loglog T/delta) <= 1/C_priv and rho/r is large: (alpha, alpha tau, delta)-RDP, tau = C_priv (beta "
        "log(loglog T/delta) T/n)^2, for all alpha < 1/(C_priv beta^2 log^2(loglog T/delta)). Here on the linear "
        "canary with T = 2^(2^k), loglog T = k (base 2, as in the number of calls), n = C T and theta = C beta^2 "
        "log^2(k/delta) < 1: the event that x_k is to the right has probability at least Phi(a)/(8 C 2^k) - e for one "
        "data set and at most Phi(-a) + e for the other, a^2 = 15 beta_0^2/(256 k), beta_0^2 = 2^k beta^2, e the "
        "probability that the noise crosses the ball; the claim bounds the first by delta + (e^(alpha tau) (second + "
        "delta))^(1 - 1/alpha). C_priv is a universal constant of the paper, at least 1 and not given."
    ),
    place="Proposition 8",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"{attained('C', 'k', BETA_C)} <= {allowed('C', 'k', 'delta', 'theta', 'alpha', BETA_C)}",
        (
            constant("C", "[1, oo)", "C_priv"),
            K,
            DELTA,
            real("theta", "(0, 1)", "C beta^2 log^2(k/delta)"),
            real("alpha", "(1, oo)", "order"),
        ),
        ("alpha*theta < 1",),
    ),
    rests_on=("renyi-probability-preservation",),
    expects=Outcome.REFUTED,
    argument=(
        ForEvery(
            where(f"k={CALLS} delta=1/(160*2**{CALLS}*C) theta=1/(6*{CALLS}) alpha=3*{CALLS}"),
            (ByTheorem("resque/PROP-8/every-constant", at=where(f"k={CALLS}")),),
            because="T = 2^(2^(60 + C)): the event has probability 17 delta or more, and the claim allows 4 delta",
        ),
    ),
    finding=(
        "The privacy statement is false for every C_priv (every-constant), though only for astronomically large T: the "
        "first call runs with beta_0^2 = 2^k beta^2, which grows like log T while the hypothesis bounds beta alone. At "
        "T = 2^(2^k) with k = 60 + C_priv, rounded up, the noise of the first call is far below the effect of one hit "
        "(every-reach), and this event alone (canary-hit) breaks the claim. The utility (C_sc = 32 C_cvx^2) is "
        "right up to LEM-4's condition and COR-2's missing term. With beta_i = beta in every call the printed privacy "
        "follows from that of Corollary 2 with log(k/delta), and C_sc = 128 C_cvx^2: Theorems 3 and 4 survive with "
        "larger constants."
    ),
    repair="resque/PROP-8~repaired/r9",
    steps=(
        *GAP_STEPS,
        *CALL_STEPS,
        *CANARY_STEPS,
        *EVERY_STEPS,
    ),
)  # fmt: skip
REPAIRED = Claim(
    id="resque/PROP-8~repaired",
    title="utility of the strongly convex ball solver with one beta",
    words=(
        "Algorithm 5 with beta_i = beta, every start projected onto the ball, x_k returned, r <= rho/2, D_0 = 2 "
        "L^2/lambda, D_{i+1} = sqrt(D_i E_i) and C_cvx = 32 in E_i: for T >= 3 the gap is at most (131072 "
        "L^2/lambda)(d/(beta^2 T^2) + 1/T). The hypotheses say gap <= D_k (r2, by induction) and D_k <= R E_k with R "
        "<= 32 (r3, r5). For T <= 2 see r10. Its privacy is r9: (alpha, alpha tau/3, delta)-RDP with the printed tau, "
        "hypotheses and orders, k in place of loglog T, and rho/r >= 4 C_priv log^2(log T/delta)."
    ),
    place="Proposition 8",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"gap <= 131072*L**2/lam*{RATES}", (L, LAM, BETA, D, T, RATIO, real("gap")), (f"gap <= R*{OURS}", "R <= 32")
    ),
    rests_on=("resque/COR-2~repaired", "resque/LEM-8", *(f"resque/PROP-8~repaired/r{i}" for i in range(1, 11))),
    argument=(
        Combine(
            terms=(
                ("1", f"gap <= R*{OURS}"), (OURS, "R <= 32"),
                ("65536*L**2/lam", "0 <= (sqrt(d)/(beta*T) - 1/sqrt(T))**2"),
            )
        ),
    ),
    candidates=(point("L=1 lam=1 beta=1 d=1 T=1 R=32 gap=262144"), point("L=1 lam=1 beta=1 d=1 T=1 R=99 gap=300000")),
    mutants=(
        Mutant("constant", "131000", f"gap <= 131000*L**2/lam*{RATES}"),
        Mutant("few-calls", "R any number", conditions=(f"gap <= R*{OURS}",)),
        Mutant("one-term", "1/T alone", "gap <= 131072*L**2/lam/T"),
    ),
    steps=REPAIRED_STEPS,
)  # fmt: skip

CLAIMS = (PRINTED, REPAIRED)
