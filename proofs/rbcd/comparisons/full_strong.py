"""Section 4.3.1: full sampling against DP-SGD, strongly convex case."""

from dpaudit.claims.writing import *

from .symbols import *

WEIGHTED = "mu/M_max*sum(j, 1, d, M[j]*v[j]**2) <= mu*sum(j, 1, d, v[j]**2)"
EPOCH = "after <= (dist2 + 2*before)/(2*K) + noise"
HALF = "(dist2 + 2*before)/(2*K) <= before/2"
SENTENCE = r"\text{A similar argument can be made for the strongly convex case}"

STRONG = Claim(
    id="rbcd/CMP-2SC",
    title="full sampling against DP-SGD, strongly convex case",
    words=(
        "A similar argument can be made for the strongly convex case. One reading, with a guarantee that the paper "
        "does not have: encoded for f = sum M_j w_j^2/2 with M_j = M_max for j != 1 and Tr(M^-1) <= (1 + h)/M_1, and "
        "the guarantee L^2 Tr(M^-1)/mu_M that strong convexity in the norm of M gives (step epoch): here mu_M = 1 and "
        "mu = M_1, and d times it is at most 1 + h times that of DP-SGD, L^2 d/mu. (No loss that is Lipschitz on all "
        "of R^d, as Assumption 3.7 has it, is strongly convex there: the comparison is one of formulas.)"
    ),
    place="Section 4.3.1, last paragraph before Block Sampling",
    printed=SENTENCE,
    kind=ClaimKind.INEQUALITY,
    reads=Reads.READING,
    rests_on=("rbcd/CMP-2SC/epoch",),
    statement=Statement(
        "d*(L_d**2*(1/M_1 + (d - 1)/M_max)/1) <= (1 + h)*(L_d**2*d/M_1)",
        (COORDINATES, H, M_1, M_MAX, L_FULL),
        ("(d - 1)*M_1 <= h*M_max",),
    ),
    candidates=(point("d=2 h=1/2 M_1=1 M_max=2 L_d=1"),),
    argument=(Scale("M_1*M_max/(d*L_d**2)"), Combine(terms=(("1", "(d - 1)*M_1 <= h*M_max"),))),
    mutants=(
        mutant(
            "less",
            "without the factor 1 + h",
            "d*(L_d**2*(1/M_1 + (d - 1)/M_max)/1) <= L_d**2*d/M_1",
            "d=2 h=1/2 M_1=1 M_max=2 L_d=1",
        ),
    ),
    steps=(
        step(
            "s1",
            "a mu-strongly convex f is (mu/M_max)-strongly convex in the norm of M",
            WEIGHTED,
            (COORDINATES, M, M_MAX, MU, sequence("v")),
            (AT_MOST,),
            printed=r"\text{if } f \text{ is } \mu\text{-strongly convex then it is } "
            r"\frac{\mu}{M_{\max}}\text{-strongly convex with respect to the norm } \|\cdot\|_{\mathbf{M}}",
            candidates=(point("d=2 M=[1] M_max=1 mu=1 v=[1]"),),
            argument=(
                Rewrite(left="sum(j, 1, d, mu/M_max*M[j]*v[j]**2)", right="sum(j, 1, d, mu*v[j]**2)"),
                Termwise((AtIndex("j"), Combine(terms=(("mu*v[j]**2/M_max", "M[j] <= M_max"),)))),
            ),
            mutants=(
                mutant(
                    "less",
                    "0.9 mu on the right",
                    "mu/M_max*sum(j, 1, d, M[j]*v[j]**2) <= 0.9*mu*sum(j, 1, d, v[j]**2)",
                    "d=2 M=[1] M_max=1 mu=1 v=[1]",
                ),
            ),
        ),
        Step(
            "s2",
            "the argument with this remark: with mu_M = mu/M_max the guarantee is the cell of Table 1, L^2 Tr(M^-1) "
            "M_max/mu, which is somewhere below that of DP-SGD, L^2 d/mu",
            Statement(f"{INVERSE_TRACE}*M_max/mu < d/mu", (COORDINATES, M, M_MAX, MU), (AT_MOST,), exists=True),
            argument=(
                Nowhere(
                    (
                        Scale("mu/M_max"),
                        Rewrite(left="sum(j, 1, d, 1/M_max)", right=INVERSE_TRACE),
                        Termwise((AtIndex("j"), Combine(terms=(("1/(M[j]*M_max)", "M[j] <= M_max"),)))),
                    )
                ),
            ),
            expects=Outcome.REFUTED,
            reads=Reads.REASON,
            printed=r"\text{We need to use that, if } f \text{ is } \mu\text{-strongly convex then it is } "
            r"\frac{\mu}{M_{\max}}\text{-strongly convex with respect to the norm } \|\cdot\|_{\mathbf{M}}",
            finding=(
                "Tr(M^-1) M_max >= d for every M: with mu/M_max, as the paper says, and as row 8 of Table 1 has it, "
                "full sampling is never faster than DP-SGD in the strongly convex case, and in the scene of the "
                "convex comparison it is slower by about M_max/(d M_min). The remark s1 loses what is to be gained. "
                "With the modulus mu_M of f itself the comparison holds for f = sum M_j w_j^2/2; for other f mu_M may "
                "be as small as mu/M_max."
            ),
            repair="rbcd/CMP-2SC",
        ),
        step(
            "epoch",
            "with strong convexity in the norm of M, which gives dist2 <= 2 before/mu_M, an epoch of full sampling at "
            "Gamma = M^-1 halves the error with K = 2(1 + 1/mu_M) steps: Lemma E.1 at P = I. (The epochs that follow, "
            "as in Theorem 4.2 with mu_M in the place of mu/M_max, are not encoded)",
            "after <= before/2 + noise",
            (
                MU_M,
                positive("K", "inner steps"),
                real("after", "[0, oo)", "E f(w^(t+1)) - f*"),
                real("before", "[0, oo)", "f(w^t) - f*"),
                real("noise", "[0, oo)", "N"),
                real("dist2", "[0, oo)", "||w^t - w*||^2 in the norm of M"),
            ),
            ("mu_M/2*dist2 <= before", "K == 2*(1 + 1/mu_M)"),
            given={"rbcd/LEM-E.1": EPOCH},
            candidates=(
                point("mu_M=1 K=4 after=1 before=1 noise=1/2 dist2=2"),
                point("mu_M=1 K=4 after=0 before=1 noise=1/2 dist2=2"),
                point("mu_M=1 K=4 after=8 before=1 noise=0 dist2=64"),
                point("mu_M=1 K=4 after=9 before=1 noise=0 dist2=2"),
            ),
            argument=(
                Have(
                    HALF,
                    (
                        Scale("2*K"),
                        Combine(terms=(("2/mu_M", "mu_M/2*dist2 <= before"), ("-before", "K == 2*(1 + 1/mu_M)"))),
                    ),
                ),
                Combine(terms=(("1", EPOCH), ("1", HALF))),
            ),
            mutants=(
                Mutant(
                    "half-the-steps",
                    "half of the steps",
                    conditions=(EPOCH, "mu_M/2*dist2 <= before", "K == 1*(1 + 1/mu_M)"),
                    candidates=(point("mu_M=1 K=2 after=3/2 before=1 noise=1/2 dist2=2"),),
                ),
            ),
        ),
    ),
)
