r"""Section 4.3: the variance of the recursive gradient without acceleration (Algorithm 5 of the specification).

A sketch, with eta_i/beta for the size of Delta_i(d) and L = R = M = 1. Its third expression lacks 1/B, which the
fourth has.
"""

from dpaudit.claims.writing import *

B, N, T = integer("B", "[1, oo)"), integer("n", "[1, oo)"), integer("t", "[1, oo)")
ETA, BETA, SQUARES = positive("eta", "eta_t"), positive("beta"), positive("squares", "sum of eta_i^2")
ABOUT = "squares == t*eta**2"
SCALE = "1/beta == B/sqrt(n)"
PARTIAL = vector_sequence("s", "partial sums of the differences")
FRESH = "all(i, 0, t - 1, dot(s[i + 1] - s[i], s[i]) == 0)"
"""The next difference has mean 0 given those before it."""
SQUARE_SUM = "norm(s[t])**2 == sum(i, 0, t - {}, norm(s[i + 1] - s[i])**2)"
SUM, POWER = "sum(i, 1, t, i**k)", positive("k", "twice the degree of eta_i")
BELOW = "1 - (k + 1)*(1/(t + 1)) <= (1 - 1/(t + 1))**(k + 1)"
SCALED = "(t + 1)**(k + 1)*(1 - 1/(t + 1))**(k + 1) == t**(k + 1)"
HERE = "srgd/REM-4.3"

CLAIM = Claim(
    id=HERE,
    title="variance without acceleration",
    words=(
        "With Var(Delta_i) = eta_i^2/(B beta^2), sum of eta_i^2 = t eta_t^2 and 1/beta = B/sqrt(n) the "
        "variance of nabla_t is t B/n, which is 1 at t = n/B: so that the unaccelerated variant needs B = "
        "O(1). In part: encoded is the value, with = for the two signs of about; that Var(Delta_i) is of this size, "
        "and not smaller, is a heuristic of the paper, and that SGD with batches of one needs n steps is taken from "
        "elsewhere."
    ),
    place="Section 4.3",
    printed=r"\mathbf{Var}(\nabla_t) = \ldots = \frac{tB}{n}",
    kind=ClaimKind.MOMENT,
    statement=Statement("squares/(B*beta**2)/eta**2 == t*B/n", (B, N, T, ETA, BETA, SQUARES), (ABOUT, SCALE)),
    argument=(
        Have("1/beta**2 == B**2/n", (Combine((("1/beta + B/sqrt(n)", SCALE),)),)),
        Combine((("1/(B*beta**2*eta**2)", ABOUT), ("t/B", "1/beta**2 == B**2/n"))),
    ),
    candidates=(point("B=1 n=4 t=1 eta=3 beta=2 squares=9"),),
    steps=(
        step(
            "s1",
            "the variance of a sum is the sum of the variances, for the differences Delta_i - E[Delta_i | batches "
            "before i] of a martingale: the variance of nabla_t about nabla F(x_t), times eta_t^2",
            SQUARE_SUM.format(1),
            (T, PARTIAL),
            ("norm(s[0]) == 0", FRESH),
            kind=ClaimKind.MOMENT,
            reads=Reads.READING,
            place="first and second equality; the index of Delta_t under the sum is read as i",
            printed=r"\mathbf{Var}\left(\frac{\sum_{i\leq t}\Delta_t}{\eta_t}\right)="
            r"\frac{\sum_{i\leq t}\mathbf{Var}(\Delta_t)}{\eta_t^2}",
            argument=(
                Induct(
                    "t",
                    base=(
                        AtIndex("0"),
                        Combine((("2", "dot(s[0 + 1] - s[0], s[0]) == 0"), ("norm(s[0])", "norm(s[0]) == 0"))),
                    ),
                    step=(Combine((("2", "dot(s[t + 1] - s[t], s[t]) == 0"),)),),
                ),
            ),
            candidates=(point("t=2 s=[(0,0),(1,0),(1,1)]"),),
            mutants=(mutant("last", "without the last", SQUARE_SUM.format(2), "t=2 s=[(0,0),(1,0),(1,1)]"),),
        ),
        erratum(
            "s2",
            "third and fourth expression: sum of eta_i^2/(eta_t^2 beta^2) = t/(B beta^2)",
            "squares/(eta**2*beta**2) == t/(B*beta**2)",
            (B, T, ETA, BETA, SQUARES),
            (ABOUT,),
            place="fourth equality; expressions are counted from the first one after Var(nabla_t)",
            printed=r"\frac{\sum_{i\leq t}\eta_i^2}{\eta_t^2\beta^2} = \frac{t}{B\beta^2}",
            candidates=(point("B=2 t=1 eta=1 beta=1 squares=1"),),
            finding=(
                "The two differ by the factor B. A misprint: the variance of a batch mean has 1/B, as the "
                "fourth expression has, and the rest follows from it (s2~repaired)."
            ),
            repair=f"{HERE}/s2~repaired",
        ),
        step(
            "s2~repaired",
            "with 1/B in the third expression",
            "squares/(B*eta**2*beta**2) == t/(B*beta**2)",
            (B, T, ETA, BETA, SQUARES),
            (ABOUT,),
            argument=(Combine((("1/(B*eta**2*beta**2)", ABOUT),)),),
            candidates=(point("B=2 t=1 eta=1 beta=1 squares=1"),),
        ),
        step(
            "s3",
            "for eta_i of polynomial growth the sum of eta_i^2 is about t eta_t^2; here eta_i^2 = i^k, k > 0: between "
            "1/(k + 1) of it and all of it (s3-most)",
            f"t**(k + 1)/(k + 1) <= {SUM}",
            (T, POWER),
            reads=Reads.READING,
            place="before the display",
            printed=r"\sum_{i\leq t}\eta_i^2 \approx t\eta_t^2",
            argument=(
                Induct(
                    "t",
                    step=(
                        Have(BELOW, (ByTheorem(f"{HERE}/tangent", at=(("u", "1/(t + 1)"),)),)),
                        Have(SCALED, (Rewrite(left="((t + 1)*(1 - 1/(t + 1)))**(k + 1)"), Identical())),
                        Combine(
                            (
                                ("1", "t**(k + 1)/(k + 1) <= sum_1"),
                                ("1/(k + 1)", SCALED),
                                ("(t + 1)**(k + 1)/(k + 1)", BELOW),
                            )
                        ),
                    ),
                ),
            ),
            mutants=(mutant("half", "3/2 of it", f"3/2*t**(k + 1)/(k + 1) <= {SUM}", "t=9 k=2"),),
        ),
        step(
            "tangent",
            "for 0 <= u <= 1/2 and k > 0 (1 - u)^(k + 1) is at least its tangent at 0",
            "1 - (k + 1)*u <= (1 - u)**(k + 1)",
            (POWER, real("u", "[0, 1/2]")),
            argument=(Tangent("u", "0"),),
            mutants=(mutant("less", "k in the place of k + 1", "1 - k*u <= (1 - u)**(k + 1)", "k=1 u=1/2"),),
        ),
        step(
            "s3-most",
            "and, for the same eta_i^2 = i^k with k > 0, at most t eta_t^2",
            f"{SUM} <= t**(k + 1)",
            (T, POWER),
            reads=Reads.OURS,
            argument=(
                Induct(
                    "t",
                    step=(
                        Have("t**k <= (t + 1)**k", (Power("1/k"), Combine((("1", "0 <= 1"),)))),
                        Combine((("1", "sum_1 <= t**(k + 1)"), ("t", "t**k <= (t + 1)**k"))),
                    ),
                ),
            ),
            mutants=(mutant("half", "half", f"{SUM} <= t**(k + 1)/2", "t=1 k=2"),),
        ),
        step(
            "s4",
            "1/beta is about sqrt(B/T) = B/sqrt(n). Encoded: the second, with T = n/B",
            "sqrt(B/(n/B)) == B/sqrt(n)",
            (B, N),
            printed=r"1/\beta \approx \sqrt{B/T} = B/\sqrt{n}",
            mutants=(mutant("root", "n for its root", "sqrt(B/(n/B)) == B/n", "B=1 n=4"),),
        ),
        step(
            "s5",
            "for t = Omega(n/B), at least c n/B, the variance t B/n is Omega(1), at least c",
            "c <= t*B/n",
            (positive("c"), B, N, T),
            ("c*n/B <= t",),
            place="after the display",
            argument=(Combine((("B/n", "c*n/B <= t"),)),),
            candidates=(point("c=1 B=1 n=1 t=1"),),
            mutants=(mutant("twice", "2 c", "2*c <= t*B/n", "c=1 B=1 n=1 t=1"),),
        ),
    ),
)
