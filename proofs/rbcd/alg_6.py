r"""The schedule of the strongly convex case (Theorem 4.2): K and T.

Two different K are printed. That of the appendix, 2 (1 + (1/mu) max M_i/p_i), has no units (k-app) and halves the gap
of an epoch (k-app-half, THM-4.2b/s5). That of the main text, 2 (1 + 1/(mu max M_i/p_i)), is a misprint of it: its
second term has the units of 1/smoothness^2, and it does not halve the gap (k-main-half, k-main-run). T is the same in
both places and has no units; it is a number of epochs, and the paper does not say how it is rounded (THM-4.2b~repaired
rounds both up), nor what it means where it is below 1 (few).
"""

from dpaudit.claims.writing import *

MU, TOP = positive("mu", "modulus of strong convexity"), positive("top", "max over i of M_i/p_i")
K, T = positive("K"), positive("T")
RECORDS, EPS, LAM = integer("n", "[1, oo)", "records"), real("eps", "(0, 1]"), real("lam", "(1, oo)", "log(1/delta)")
GAP, SPREAD = positive("gap", "f(w^0) - f*"), positive("S_sq", "Sigma_S^2")
UNITS = {"mu": (1, -2), "top": (1, -2), "gap": (1, 0), "S_sq": (1, 0)}
OF_EPOCHS = "log2(gap*n**2*eps**2/((1 + top/mu)*S_sq*lam))"
AT = "mu=1 top=4 value_unit=4 length_unit=1"
FULL = f"{AT} T=1 n=1 eps=1 lam=4 gap=160 S_sq=1"
HERE = "rbcd/ALG-6"


def epochs(units):
    return homogeneous(f"T == {OF_EPOCHS}", (T, RECORDS, EPS, LAM, GAP, SPREAD, MU, TOP), units)


CLAIM = Claim(
    id=HERE,
    title="the number of epochs in the strongly convex case",
    words=(
        "T = log_2((f(w^0) - f*) n^2 eps^2/((1 + (1/mu) max M_i/p_i) Sigma_S^2 log(1/delta))) does not change with the "
        "units of the loss and of the model."
    ),
    place="Theorem 4.2, strongly convex case",
    printed=r"T = \log_2\left(\frac{(f(w^0) - f^\star)n^2\epsilon^2}{\left(1 + "
    r"\frac{1}{\mu}\max_{i\in[d]}\left\{\frac{M_i}{p_i}\right\}\right)\Sigma_S^2\log(1/\delta)}\right)",
    kind=ClaimKind.HOMOGENEITY,
    reads=Reads.OURS,
    statement=epochs(UNITS),
    argument=(Identical(),),
    mutants=(
        mutant(
            "root",
            "Sigma_S in the place of its square",
            epochs({**UNITS, "S_sq": (2, 0)}).expression,
            FULL,
        ),
    ),
    steps=(
        Step(
            "k-app",
            "the K of the appendix has no units",
            homogeneous("K == 2*(1 + top/mu)", (K, MU, TOP), UNITS),
            kind=ClaimKind.HOMOGENEITY,
            reads=Reads.OURS,
            argument=(Identical(),),
            candidates=(point(f"{AT} K=10"),),
        ),
        step(
            "k-app-half",
            "the K of the appendix makes the factor of an epoch one half: (1 + (1/mu) max M_i/p_i)/K = 1/2",
            "(1 + top/mu)/K == 1/2",
            (K, MU, TOP),
            ("K == 2*(1 + top/mu)",),
            reads=Reads.PRINTED,
            printed=r"\text{Setting } K = 2\left(1 + \frac{1}{\mu}\max_{i\in[d]}\left\{\frac{M_i}{p_i}\right\}\right)"
            r"\text{ we obtain } \mathbb{E}[f(w^{t+1}) - f(w^\star)] \leq \frac{f(w^t) - f(w^\star)}{2} + \ldots",
            place="Appendix E.2, before the second display of the proof",
            argument=(Combine((("-1/(2*K)", "K == 2*(1 + top/mu)"),)),),
            candidates=(point("mu=1 top=4 K=10"),),
        ),
        Step(
            "k-main",
            "the K of the main text has no units",
            homogeneous("K == 2*(1 + 1/(mu*top))", (K, MU, TOP), UNITS),
            kind=ClaimKind.HOMOGENEITY,
            reads=Reads.PRINTED,
            printed=r"K = 2\left(1 + \frac{1}{\mu\max_{i\in[d]}\left\{\frac{M_i}{p_i}\right\}}\right)",
            place="Theorem 4.2, strongly convex case, main text",
            expects=Outcome.REFUTED,
            candidates=(point(f"{AT} K=5/2"),),
            finding=(
                "The maximum stands in the denominator. mu and M_i scale alike, so the number of steps changes with "
                "the unit of the loss: at mu = 1, max M_i/p_i = 4 it is 2.5, and for the same loss in other units "
                "2.03. The appendix, where the theorem is proved, has the maximum in the numerator: a misprint of the "
                "main text (k-app, k-app-half)."
            ),
            repair=f"{HERE}/k-app-half",
        ),
        Step(
            "k-modulus",
            "the K of the appendix has no units for the mu of Assumption 3.5, strong convexity in the norm M, which "
            "the main text names",
            homogeneous("K == 2*(1 + top/mu)", (K, MU, TOP), {"top": (1, -2)}),
            kind=ClaimKind.HOMOGENEITY,
            reads=Reads.READING,
            place="Theorem 4.2, strongly convex case, main text: f is mu-strongly convex (3.5)",
            expects=Outcome.REFUTED,
            candidates=(point(f"{AT} K=10"),),
            finding=(
                "The modulus in the norm M has no units, so that (1/mu) max M_i/p_i would have those of a smoothness. "
                "The appendix says which modulus is meant, that in the Euclidean norm; with it K has no units (k-app)."
            ),
            repair=f"{HERE}/k-app",
        ),
        step(
            "k-main-half",
            "with the K of the main text the proof does not halve the gap in an epoch: (1 + (1/mu) max M_i/p_i)/K > "
            "1/2 wherever max M_i/p_i > 1 in the units at hand",
            "1/2 < (1 + top/mu)/(2*(1 + 1/(mu*top)))",
            (MU, TOP),
            ("1 < top",),
            argument=(
                Scale("2*(1 + 1/(mu*top))"),
                Combine((("1/mu", "1 < top"), ("1/(mu*top)", "1 < top"))),
            ),
            mutants=(Mutant("any", "for every maximum", conditions=(), candidates=(point("mu=1/4 top=1/2"),)),),
        ),
        step(
            "k-main-run",
            "nor does the algorithm halve the gap: f(w) = w^2/20, M = 10, full sampling, no noise: mu max M_i = 1, K "
            "= 4, each step leaves 99/100, and the epoch 0.95 of the gap",
            "95/100 < (sum(k, 1, 4, (1 - (1/10)/10)**k)/4)**2",
            (),
            mutants=(mutant("more", "96/100", "96/100 < (sum(k, 1, 4, (1 - (1/10)/10)**k)/4)**2", ""),),
        ),
        step(
            "few",
            "where T <= 0 no epoch is run, and w^0 itself has the utility of the theorem: f(w^0) - f* <= (1 + kappa) "
            "Sigma_S^2 log(1/delta)/(n eps)^2",
            "gap <= (1 + top/mu)*S_sq*lam/(n**2*eps**2)",
            (RECORDS, EPS, LAM, GAP, SPREAD, MU, TOP),
            (f"{OF_EPOCHS} <= 0",),
            candidates=(point("mu=1 top=4 n=1 eps=1 lam=4 gap=20 S_sq=1"),),
            argument=(
                Logarithm(),
                Combine((("log(2)", f"{OF_EPOCHS} <= 0"),)),
            ),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    "gap <= (1 + top/mu)*S_sq*lam/(2*n**2*eps**2)",
                    "mu=1 top=4 n=1 eps=1 lam=4 gap=20 S_sq=1",
                ),
            ),
        ),
    ),
)
