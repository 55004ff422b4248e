"""Lemma A.4: of all laws on a ball a point of its boundary makes the divergence of Definition A.2 largest.

A mixture of points tells no more than its points (mixture), a point tells what its length does (point), and a shorter
one is the result of a map of a longer one with noise (shorter). So the supremum is that of a point of length R, which
is itself one of the laws, and for it the divergence is S_alpha(q, s/R).
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-A.4"
ALPHA, RATE = real("alpha", "(1, oo)", "order"), real("q", "(0, 1)", "mixing probability")
S, RADIUS = positive("s", "noise scale"), positive("R", "radius of the ball")
POINTS, WEIGHT = integer("m", "[1, oo)", "number of points"), sequence("p", "[0, 1]", "p[k]: weight of the k-th point")
OF_POINT = sequence("part", "[0, oo)", "part[k]: the moment exp((alpha - 1) D) for the k-th point alone")
LARGEST = real("largest", "[0, oo)", "exp((alpha - 1) S_alpha(q, s/R))")
WHOLE = real("whole", "[0, oo)", "exp((alpha - 1) D) for the mixture")
SUMMED, TOTAL = "whole <= sum(k, 1, m, p[k]*part[k])", "sum(k, 1, m, p[k]) == 1"
EACH = "all(k, 1, m, part[k] <= largest)"
RATIOS = sequence("r", "(0, oo)", "r[k]: 1 - q + q L for the k-th point")
MEAN = "sum(k, 1, m, p[k]*r[k])"
G = real("g", meaning="a draw of the standard Gaussian, along x")
LENGTH = positive("x", "length of the point")
SHORTER = real("x", "[0, oo)", "length of the point")

CLAIM = Claim(
    id=HERE,
    title="of all laws on the ball a point of its boundary has the largest sampled divergence, S_alpha(q, sigma/R). "
    "Encoded: that no law on finitely many points has a larger one; a point of length R attains it (`point`)",
    words=(
        "For alpha > 1, q in (0, 1), s > 0 and R > 0 the supremum over the laws mu on the ball of radius R of "
        "D_alpha(N(0, s^2 I) || (1 - q) N(0, s^2 I) + q (N(0, s^2 I) * mu)) is S_alpha(q, s/R). Encoded: for mu on "
        "finitely many points, in moments exp((alpha - 1) D); the same inequality at each draw (mixture) serves for "
        "every law. A point of length R attains it (point)."
    ),
    place="Lemma A.4",
    printed=r"\sup_{\mu\in\mathcal P(B_R)}D_\alpha(N(0,\sigma^2I_d)\|(1-q)N(0,\sigma^2I_d)+q(N(0,\sigma^2I_d)\ast\mu))"
    r"=S_\alpha(q,\sigma/R)",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement("whole <= largest", (POINTS, WEIGHT, OF_POINT, LARGEST, WHOLE), (SUMMED, EACH, TOTAL)),
    origins=(
        Condition(SUMMED, Origin.GIVEN, f"{HERE}/mixture"),
        Condition(EACH, Origin.GIVEN, f"{HERE}/shorter"),
        Condition("", Origin.GIVEN, f"{HERE}/point"),
    ),
    rests_on=("monotone-mean", "post-processing", "rotation-invariance"),
    argument=(
        Have(
            "sum(k, 1, m, p[k]*part[k]) <= largest*sum(k, 1, m, p[k])",
            (
                Rewrite(right="sum(k, 1, m, largest*p[k])"),
                Termwise((AtIndex("k"), Combine((("p[k]", "part[k] <= largest"),)))),
            ),
        ),
        Combine(
            (
                ("1", SUMMED),
                ("1", "sum(k, 1, m, p[k]*part[k]) <= largest*sum(k, 1, m, p[k])"),
                ("largest", TOTAL),
            )
        ),
    ),
    candidates=(point("m=2 p=[1/2] part=[2] largest=2 whole=2"),),
    mutants=(mutant("less", "9/10 of it", "whole <= 9/10*largest", "m=2 p=[1/2] part=[2] largest=2 whole=2"),),
    steps=(
        step(
            "mixture",
            "at every draw the integrand of a mixture is at most the mean of those of its points: t^(1 - alpha) is "
            "convex. Encoded with M for the mean of the ratios",
            "M**(1 - alpha)*sum(k, 1, m, p[k]) <= sum(k, 1, m, p[k]*r[k]**(1 - alpha))",
            (ALPHA, POINTS, WEIGHT, RATIOS, positive("M")),
            (TOTAL, f"M == {MEAN}"),
            rests_on=("monotone-mean", f"{HERE}/tangent"),
            argument=(
                Have(
                    "sum(k, 1, m, p[k]*(M**(1 - alpha) + (1 - alpha)*M**(-alpha)*(r[k] - M))) <= "
                    "sum(k, 1, m, p[k]*r[k]**(1 - alpha))",
                    (
                        Termwise(
                            (
                                Have(
                                    "M**(1 - alpha) + (1 - alpha)*M**(-alpha)*(r[k] - M) <= r[k]**(1 - alpha)",
                                    (ByTheorem(f"{HERE}/tangent", at=(("t", "r[k]"),)),),
                                ),
                                Combine(
                                    (
                                        (
                                            "p[k]",
                                            "M**(1 - alpha) + (1 - alpha)*M**(-alpha)*(r[k] - M) <= r[k]**(1 - alpha)",
                                        ),
                                    )
                                ),
                            )
                        ),
                    ),
                ),
                Combine(
                    (
                        (
                            "1",
                            "sum(k, 1, m, p[k]*(M**(1 - alpha) + (1 - alpha)*M**(-alpha)*(r[k] - M))) <= "
                            "sum(k, 1, m, p[k]*r[k]**(1 - alpha))",
                        ),
                        ("(1 - alpha)*M**(-alpha)", f"M == {MEAN}"),
                        ("(1 - alpha)*M**(1 - alpha)", TOTAL),
                    )
                ),
            ),
            candidates=(point("alpha=2 m=2 p=[1/2] r=[1,1,2] M=3/2"),),
            mutants=(
                mutant(
                    "sharper",
                    "10/9 of the left side",
                    "10/9*M**(1 - alpha)*sum(k, 1, m, p[k]) <= sum(k, 1, m, p[k]*r[k]**(1 - alpha))",
                    "alpha=2 m=2 p=[1/2] r=[1] M=1",
                ),
            ),
        ),
        step(
            "tangent",
            "t^(1 - alpha) lies above its tangent at M",
            "M**(1 - alpha) + (1 - alpha)*M**(-alpha)*(t - M) <= t**(1 - alpha)",
            (ALPHA, positive("M"), positive("t")),
            argument=(Tangent("t", "M"),),
            candidates=(point("alpha=2 M=1 t=1"), point("alpha=2 M=1 t=2")),
            mutants=(
                mutant(
                    "less",
                    "9/10 of the right side",
                    "M**(1 - alpha) + (1 - alpha)*M**(-alpha)*(t - M) <= 9/10*t**(1 - alpha)",
                    "alpha=2 M=1 t=1",
                ),
            ),
        ),
        step(
            "point",
            "a point x: along x the draw is s g, g a standard Gaussian, and the logarithm of the ratio of the "
            "densities is that of S_alpha(q, s/|x|), at the draw (s/|x|) g. So a point of length R has S_alpha(q, "
            "s/R)",
            "(2*x*(s*g) - x**2)/(2*s**2) == (2*(s/x*g) - 1)/(2*(s/x)**2)",
            (S, LENGTH, G),
            rests_on=("rotation-invariance", "zeroth/DEF-A.2"),
        ),
        step(
            "shorter",
            "a point of length x <= R tells no more than one of length R: x/R times the draw, and fresh noise of "
            "variance s^2 (1 - x^2/R^2), makes N(0, s^2) and N(x, s^2) of N(0, s^2) and N(R, s^2). Encoded: the "
            "variance, which is that of the noise before; that the fresh one is not negative is x <= R",
            "(x/R)**2*s**2 + s**2*(1 - x**2/R**2) == s**2",
            (S, RADIUS, SHORTER),
            rests_on=("post-processing",),
        ),
    ),
)
