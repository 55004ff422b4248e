"""Lemma B.2: the norm of a sum of K norm-sub-Gaussian vectors, with the absolute constant 1.

One standard normal number (K = d = 1) breaks it: the constant must be at least 2, as the definition itself has
exp(-t^2/(2 sigma^2)). With 18 it holds for vectors of mean 0 (~repaired), which Jin et al. (2019) assume and the lemma
does not say.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-B.2"
DELTA = real("delta", "(0, 1)", "failure probability")
D, K = integer("d", "[1, oo)", "dimension"), integer("K", "[1, oo)", "vectors")
SIGMA, FAILS = positive("sigma"), real("fails", "[0, 1]", "probability that the bound fails")
LOG = "log(2*d/delta)"
T = f"sqrt(18*K*sigma**2*{LOG})"
THETA = f"({T}/(9*K*sigma**2))"
LAPLACE = f"(d + 1)*exp(-{THETA}*{T} + 9/2*K*sigma**2*{THETA}**2)"
OF_MATRICES, ONE_MEAN = "fails <= (d + 1)*exp(-theta*t)*m**K", "m <= exp(9/2*sigma**2*theta**2)"
Q, Z = real("q", "[0, 9/20]", "2 sigma^2 theta^2"), real("z", "[9/40, oo)", "sigma^2 theta^2")

PRINTED = Claim(
    id=HERE,
    title="with the constant 1 the bound on the sum is false, for a single standard normal number too",
    words=(
        "For i.i.d. sigma-norm-sub-Gaussian X_1, ..., X_K in R^d: |X_1 + ... + X_K| <= sqrt(K sigma^2 log(2d/delta)) "
        "with probability 1 - delta. Encoded for d = 1 and X_k ~ N(0, 1), which is 1-norm-sub-Gaussian (`normal`): the "
        "sum is N(0, K), so that K drops out."
    ),
    place="Lemma B.2, (118)",
    printed=r"\left\lVert\sum_{k=1}^{K}X_{k}\right\rVert\leq\sqrt{K\sigma^{2}\log\left(\frac{2d}{\delta}\right)}",
    kind=ClaimKind.TAIL,
    statement=Statement("2*Phi(-sqrt(log(2/delta))) <= delta", (DELTA,)),
    rests_on=(f"{HERE}/normal",),
    expects=Outcome.REFUTED,
    candidates=(point("delta=1/100"),),
    finding=(
        "The sentence after the lemma says that the absolute constant is 1. "
        "At delta = 1/100 the bound on |N(0, 1)| is sqrt(log 200) = 2.30, and is exceeded with probability 0.021. The "
        "factor 2 of the definition, exp(-t^2/(2 sigma^2)), is lost: for K = 1 the definition gives sqrt(2 sigma^2 "
        "log(2/delta)) (`one`). Lemma 5.5 of Vershynin says that moments and tails are equivalent up to an absolute "
        "constant, and not that it is 1. With 18 in the place of 1, and mean 0, the lemma holds (~repaired). Lemma B.4 "
        "and (130) take this bound."
    ),
    repair=f"{HERE}~repaired",
    steps=(
        step(
            "normal",
            "the standard normal law is 1-norm-sub-Gaussian",
            "2*Phi(-t) <= 2*exp(-t**2/2)",
            (real("t", "[0, oo)"),),
            place="Definition B.1",
            argument=(ByTheorem("normal-tail"),),
            mutants=(mutant("rate", "exp(-t^2)", "2*Phi(-t) <= 2*exp(-t**2)", "t=2"),),
        ),
        step(
            "one",
            "what the definition gives for K = 1 and mean 0: sqrt(2 sigma^2 log(2/delta))",
            "2*exp(-(sqrt(2*sigma**2*log(2/delta)))**2/(2*sigma**2)) == delta",
            (SIGMA, DELTA),
            place="Definition B.1",
            argument=(Rewrite(left="2*exp(-log(2/delta))"), Rewrite(left="delta"), Identical()),
            candidates=(point("sigma=1 delta=1/2"),),
            mutants=(
                mutant(
                    "printed",
                    "without the 2 under the root",
                    "2*exp(-(sqrt(sigma**2*log(2/delta)))**2/(2*sigma**2)) == delta",
                    "sigma=1 delta=1/2",
                ),
            ),
        ),
        erratum(
            "mean",
            "the lemma does not say that the mean is 0. Encoded for X_k = 1, which is sigma-norm-sub-Gaussian for "
            "every sigma",
            "K <= sqrt(K*sigma**2*log(2/delta))",
            (K, SIGMA, DELTA),
            reads=Reads.BOUNDARY,
            candidates=(point("K=2 sigma=1/10 delta=1/2"),),
            finding=(
                "The definition is about X - E X, the bound about the sum itself. Jin et al. (2019) have mean 0, and "
                "so has the use in Lemma B.4; that of (130) has not (PROP-B.5)."
            ),
            repair=f"{HERE}~repaired",
        ),
    ),
)

REPAIRED = Claim(
    id=f"{HERE}~repaired",
    title="with mean 0 and 18 in the place of the constant 1 the bound on the sum holds",
    words=(
        "For independent sigma-norm-sub-Gaussian X_k of mean 0: |X_1 + ... + X_K| <= sqrt(18 K sigma^2 log(2d/delta)) "
        "with probability 1 - delta, in every dimension."
    ),
    place="Lemma B.2, (118)",
    kind=ClaimKind.TAIL,
    statement=Statement("fails <= delta", (D, K, SIGMA, DELTA, FAILS), (f"fails <= {LAPLACE}",)),
    origins=(Condition(f"fails <= {LAPLACE}", Origin.GIVEN, f"{HERE}~repaired/laplace"),),
    argument=(
        Have(
            f"{LAPLACE} <= delta",
            (
                Rewrite(left=f"(d + 1)*exp(-{LOG})"),
                Rewrite(left="(d + 1)*delta/(2*d)"),
                Combine((("delta/(2*d)", "1 <= d"),)),
            ),
        ),
        Combine((("1", f"{LAPLACE} <= delta"), ("1", f"fails <= {LAPLACE}"))),
    ),
    candidates=(point("d=1 K=1 sigma=1 delta=1/2 fails=0"),),
    mutants=(
        Mutant("half", "delta/2", "fails <= delta/2", candidates=(point("d=1 K=1 sigma=1 delta=1/2 fails=1/2"),)),
    ),
    steps=(
        step(
            "laplace",
            "the symmetric matrix of X and its transpose has the largest eigenvalue |X|, and its exponential at theta "
            "has mean at most exp(9/2 sigma^2 theta^2) I (`small`, `large`): so the sum exceeds t with probability at "
            "most (d + 1) exp(-theta t + 9/2 K sigma^2 theta^2). Encoded: from the matrix Laplace bound, with m for "
            "the bound on one mean",
            "fails <= (d + 1)*exp(-theta*t + 9/2*K*sigma**2*theta**2)",
            (D, K, SIGMA, *(positive(name) for name in ("theta", "t", "m")), FAILS),
            (OF_MATRICES,),
            given={f"{HERE}~repaired/small": ONE_MEAN, f"{HERE}~repaired/large": ""},
            kind=ClaimKind.TAIL,
            rests_on=("matrix-laplace", *ids(f"{HERE}~repaired", "mean-of-square elementary")),
            argument=(
                Have(
                    "m**K <= exp(9/2*K*sigma**2*theta**2)",
                    (
                        Power("1/K"),
                        Rewrite(left="m", right="exp(9/2*sigma**2*theta**2)"),
                        Combine((("1", ONE_MEAN),)),
                    ),
                ),
                Rewrite(right="(d + 1)*exp(-theta*t)*exp(9/2*K*sigma**2*theta**2)"),
                Combine((("1", OF_MATRICES), ("(d + 1)*exp(-theta*t)", "m**K <= exp(9/2*K*sigma**2*theta**2)"))),
            ),
            candidates=(point("d=1 K=1 sigma=1/10 theta=1 t=1 m=1 fails=1/2"),),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    "fails <= (d + 1)/2*exp(-theta*t + 9/2*K*sigma**2*theta**2)",
                    "d=1 K=1 sigma=1/10 theta=1 t=1 m=1 fails=1/2",
                ),
            ),
        ),
        step(
            "elementary",
            "e^x <= x + e^(x^2), which for the matrix at theta gives a mean of at most E exp(theta^2 |X|^2) I, as X "
            "has mean 0. Encoded: for numbers, which the eigenvalues are",
            "exp(x) <= x + exp(x**2)",
            (real("x"),),
            argument=(
                Cases(
                    (
                        (
                            "x <= -1",
                            (
                                Have("exp(x) <= 1", (Monotone("x", "high"), Boxes())),
                                Combine(
                                    (
                                        ("1", "exp(x) <= 1"),
                                        ("1", "1 + x**2 <= exp(x**2)"),
                                        ("-x", "x <= -1"),
                                    )
                                ),
                            ),
                        ),
                        ("x <= 1", (Taylor("x", "0", 2, "both", (Boxes(),)),)),
                        (
                            "otherwise",
                            (
                                Have("exp(x) <= exp(x**2)", (Logarithm(), Combine((("x", "1 <= x"),)))),
                                Combine((("1", "exp(x) <= exp(x**2)"), ("1", "1 <= x"))),
                            ),
                        ),
                    )
                ),
            ),
            mutants=(mutant("half", "e^(x^2/4)", "exp(x) <= x + exp(x**2/4)", "x=1"),),
        ),
        step(
            "mean-of-square",
            "E exp(s |X|^2) is at most 1 plus the integral over t of 2 s t exp(s t^2) 2 exp(-t^2/(2 sigma^2)), and "
            "that is (1 + q)/(1 - q) for q = 2 s sigma^2. Encoded: the last equality, with 2 s/(1/(2 sigma^2) - s) for "
            "the integral",
            "1 + 2*s/(1/(2*sigma**2) - s) == (1 + 2*s*sigma**2)/(1 - 2*s*sigma**2)",
            (positive("s"), SIGMA),
            ("2*s*sigma**2 < 1",),
            rests_on=("monotone-mean",),
            candidates=(point("s=1/4 sigma=1"),),
        ),
        step(
            "small",
            "for q = 2 sigma^2 theta^2 <= 9/20, (1 + q)/(1 - q) is at most exp(9/4 q) = exp(9/2 sigma^2 theta^2). "
            "Encoded: the logarithms",
            "log(1 + q) - log(1 - q) <= 9/4*q",
            (Q,),
            argument=(
                Cases(
                    (
                        (
                            "q <= 1/3",
                            (
                                Taylor(
                                    "q", "0", 1, "above", (Scale("1 - q**2"), Combine((("9/4*(q + 1/3)", "q <= 1/3"),)))
                                ),
                            ),
                        ),
                        ("otherwise", (Boxes(),)),
                    )
                ),
            ),
            mutants=(mutant("two", "exp(2 q)", "log(1 + q) - log(1 - q) <= 2*q", "q=9/20"),),
        ),
        step(
            "large",
            "for z = sigma^2 theta^2 >= 9/40: theta |X| <= 2 z + |X|^2/(8 sigma^2), so that the mean of its "
            "exponential is at most (5/3) exp(2 z) (`mean-of-square` at q = 1/4), and that is at most exp(9/2 z). "
            "Encoded: the last inequality",
            "5/3*exp(2*z) <= exp(9/2*z)",
            (Z,),
            rests_on=(f"{HERE}~repaired/mean-of-square",),
            argument=(
                Logarithm(),
                Rewrite(left="log(5/3) + 2*z", right="9/2*z"),
                Have("log(5/3) <= 5/2*(9/40)", (Boxes(),)),
                Combine((("1", "log(5/3) <= 5/2*(9/40)"), ("5/2", "9/40 <= z"))),
            ),
            mutants=(mutant("four", "exp(4 z)", "5/3*exp(2*z) <= exp(4*z)", "z=9/40"),),
        ),
    ),
)

CLAIMS = (PRINTED, REPAIRED)
