"""Rows 7 to 9 of Table 1: DP-CD, full sampling, DP-SGD and DP-SVRG."""

from dpaudit.claims.writing import *

from .symbols import *

AFTER, BEFORE = real("after", "[0, oo)", "E f(w^(t+1)) - f*"), real("before", "[0, oo)", "f(w^t) - f*")
NOISE, DISTANCE = real("noise", "[0, oo)", "N"), real("dist2", "[0, oo)", "||w^t - w*||^2 in the norm of M")
ONE_EPOCH = "after <= (d*dist2 + 2*before)/(2*K) + noise"
GROWTH = "mu_M/2*dist2 <= before"
ENOUGH_STEPS = "K == 2*(1 + d/mu_M)"
STEPS, LOSS = positive("K", "inner steps"), positive("T", "epochs")
EPOCH_AT = "d=1 mu_M=1 K=4 after=1 before=1 noise=1/2 dist2=2"
QUOTED = "quoted from Mangold et al. (2022)"

COORDINATE_DESCENT = table_row(
    7,
    "DP-CD",
    "Quoted from Mangold et al. (2022). First cell, here: DP-CD without a regulariser is DP-SkGD with uniform single "
    "coordinates (RED-1), so that Sigma_S R_{MP^-1} = ||L_{1..d}|| R_M sqrt(d) is its rate by Theorem 4.2 too.",
    r"\left\|L_{\{1,\ldots,d\}}\right\|_{\mathbf{M}^{-1}} R_{\mathbf{M}}\sqrt d",
    f"sqrt(sum(j, 1, d, 1/d*L[j]**2/(1/d*M[j])))*sqrt(sum(j, 1, d, M[j]*w[j]**2/(1/d))) == "
    f"sqrt({NORM_1D})*{R_M}*sqrt(d)",
    (COORDINATES, L, M, W),
    (
        step(
            "s2",
            "second cell, in part, ||L||^2 d/mu_M: an epoch of uniform single coordinates at Gamma = P M^-1 halves "
            "the error with K = 2(1 + d/mu_M) steps. It is Lemma E.1 at M P^-1 = d M, and strong convexity in the "
            "norm of M, which gives dist2 <= 2 before/mu_M; the T epochs follow as in Theorem 4.2",
            "after <= before/2 + noise",
            (COORDINATES, MU_M, STEPS, AFTER, BEFORE, NOISE, DISTANCE),
            (GROWTH, ENOUGH_STEPS),
            given={"rbcd/LEM-E.1": ONE_EPOCH},
            place="Table 1, row 7, Strongly-convex",
            printed=r"\left\|L_{\{1,\ldots,d\}}\right\|^2_{M^{-1}}\frac1{\mu_{\mathbf{M}}} d",
            candidates=(
                point(EPOCH_AT),
                point("d=1 mu_M=1 K=4 after=0 before=1 noise=1/2 dist2=2"),
                point("d=1 mu_M=1 K=4 after=8 before=1 noise=0 dist2=64"),
                point("d=1 mu_M=1 K=4 after=9 before=1 noise=0 dist2=2"),
            ),
            argument=(
                Have(
                    "(d*dist2 + 2*before)/(2*K) <= before/2",
                    (
                        Scale("2*K"),
                        Combine(terms=(("2*d/mu_M", GROWTH), ("-before", ENOUGH_STEPS))),
                    ),
                ),
                Combine(terms=(("1", ONE_EPOCH), ("1", "(d*dist2 + 2*before)/(2*K) <= before/2"))),
            ),
            mutants=(
                Mutant(
                    "half-the-steps",
                    "half of the steps",
                    conditions=(ONE_EPOCH, GROWTH, "K == 1*(1 + d/mu_M)"),
                    candidates=(point("d=1 mu_M=1 K=2 after=3/2 before=1 noise=1/2 dist2=2"),),
                ),
            ),
        ),
        step(
            "s2-noise",
            "and the noise 2 N that is left, N = 12 K T c ||L||^2 with c = log(1/delta)/(n eps)^2, is at most 96 T c "
            "||L||^2 d/mu_M, as mu_M <= 1 where f is M-smooth; T is a logarithm",
            "2*(12*K*T*c*norm2) <= 96*T*c*norm2*d/mu_M",
            (COORDINATES, MU_M, STEPS, LOSS, NORM, positive("c", "log(1/delta)/(n eps)^2")),
            (ENOUGH_STEPS, "mu_M <= 1"),
            reads=Reads.OURS,
            rests_on=("rbcd/TAB-1.7/s2", "rbcd/THM-4.2b/s8"),
            candidates=(point("d=1 mu_M=1 K=4 T=1 c=1 norm2=1"),),
            argument=(
                Combine(
                    terms=(
                        ("24*T*c*norm2", "K == 2*(1 + d/mu_M)"),
                        ("48*T*c*norm2/mu_M", "mu_M <= 1"),
                        ("48*T*c*norm2/mu_M", "1 <= d"),
                    )
                ),
            ),
            mutants=(
                mutant(
                    "constant",
                    "95 in the place of 96",
                    "2*(12*K*T*c*norm2) <= 95*T*c*norm2*d/mu_M",
                    "d=1 mu_M=1 K=4 T=1 c=1 norm2=1",
                ),
            ),
        ),
        *units("sqrt(norm2)*sqrt(radius2)*sqrt(d)", "norm2 radius2 d", "norm2*(1/mu_M)*d", "norm2 mu_M d"),
    ),
    rests_on=("rbcd/RED-1",),
    candidates=(point("d=2 L=[1,1,2] M=[1,1,2] w=[1]"),),
)

FULL_SAMPLING = table_row(
    8,
    "full sampling",
    "p_j = 1. First cell: Sigma_S R_{MP^-1} = L sqrt(Tr(M^-1)) R_M.",
    r"L\sqrt{\operatorname{Tr}(\mathbf{M}^{-1})}R_{\mathbf{M}}",
    f"sqrt(L_d**2*{INVERSE_TRACE})*sqrt(sum(j, 1, d, M[j]*w[j]**2/1)) == L_d*sqrt({INVERSE_TRACE})*{R_M}",
    (COORDINATES, L_FULL, M, W),
    (
        second(
            8,
            "second cell: p_j = 1 for all j, so that max{M_i/p_i} is M_max/1, which is put in",
            r"L^2\operatorname{Tr}(\mathbf{M}^{-1})\frac1\mu M_{\max}",
            f"L_d**2*{INVERSE_TRACE}*(1/mu)*(M_max/1) == L_d**2*{INVERSE_TRACE}*(1/mu)*M_max",
            (COORDINATES, L_FULL, M, MU, M_MAX),
            rests_on=("rbcd/ID-SIG-FULL",),
            candidates=(point("d=2 L_d=2 M=[1,1,2] mu=1 M_max=2"),),
        ),
        *units(
            "L_d*sqrt(inverse_trace)*sqrt(radius2)",
            "L_d inverse_trace radius2",
            "L_d**2*inverse_trace*(1/mu)*M_max",
            "L_d inverse_trace mu M_max",
        ),
    ),
    rests_on=("rbcd/ID-SIG-FULL",),
    candidates=(point("d=2 L_d=2 M=[1,1,2] w=[1]"),),
)

BETA = positive("beta", "M_j = beta for all j")
STOCHASTIC = Claim(
    id="rbcd/TAB-1.9",
    title="DP-SGD and DP-SVRG",
    words=(
        "Quoted from Bassily et al. (2014) and Wang et al. (2017): L sqrt(d) R_I and L^2 d/mu_I. In part: the rates "
        "are not derived in this paper; encoded is that they are those of row 8, full sampling, where M = beta I: here "
        "the first cell, L sqrt(d/beta) sqrt(beta) R_I = L sqrt(d) R_I. (The bounds of Bassily et al. have further "
        "factors log(n/delta), which O_* in the first column does not hide.)"
    ),
    place="Table 1, row 9",
    printed=r"L\sqrt d R_{\mathbf{I}} \qquad L^2\frac1{\mu_{\mathbf{I}}} d",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"L_d*sqrt(sum(j, 1, d, 1/beta))*sqrt(sum(j, 1, d, beta*w[j]**2)) == L_d*sqrt(d)*{R_I}",
        (COORDINATES, L_FULL, BETA, W),
    ),
    reads=Reads.READING,
    candidates=(point("d=2 L_d=1 beta=2 w=[1]"),),
    argument=(Identical(),),
    steps=(
        *units("L_d*sqrt(d)*R_I", "L_d d R_I", "L_d**2*(1/mu_I)*d", "L_d mu_I d"),
        step(
            "as-row-8-strong",
            "M = beta I in row 8, second cell: L^2 (d/beta) beta/mu = L^2 d/mu",
            "L_d**2*sum(j, 1, d, 1/beta)*(1/mu)*beta == L_d**2*(1/mu)*d",
            (COORDINATES, L_FULL, BETA, MU),
            candidates=(point("d=2 L_d=1 beta=2 mu=1"),),
        ),
    ),
)

OTHERS = (COORDINATE_DESCENT, FULL_SAMPLING, STOCHASTIC)
