"""Theorem 5.12: the rate with B <= sqrt(n), without A5.

The algebra of the proof is right, line by line (s1 to s7): L R (1/sqrt(n) + sqrt(p)/(eps n)) up to logarithms.
Two things of the statement are not what it gives. The best batch size has M where M R/L belongs, so that a number of
records is compared with a quantity that has a unit (s9). And 1/sqrt(n) stands without a logarithm, while Theorem 5.1,
at the failure probability 1/T^2, has sqrt(log T) there (s8-logarithm): O~ is shown, O is printed.
"""

from dpaudit.claims.writing import *

THM = "srgd/THM-5.12"
RECORDS, BATCH = real("n", "[1, oo)"), real("B", "[1, oo)", "batch size")
DIMENSION, EPS = real("p", "[1, oo)"), positive("eps")
LIPSCHITZ, RADIUS, SMOOTH = positive("L"), positive("R", "diameter of C"), positive("M")
C_M = real("c_M", "[0, oo)", "M R <= c_M L")
SMALL = "B <= sqrt(n)"
FULL_BETA = "((16*c_M + 8)*L*n**(3/2)/(R*B**2))"
BETA, STEPS = "(L*n**(3/2)/(R*B**2))", "(n/B)"
"""beta but for a constant, and T."""
NOISE = f"(L*sqrt(p)/(eps*B*{BETA}))"
SYMBOLS = (RECORDS, BATCH, DIMENSION, EPS, LIPSCHITZ, RADIUS)
SQUARES = Have("B**2 <= n", (Power("1/2"), Combine((("1", SMALL),))))
RATE = "L*R*(1/sqrt(n) + sqrt(p)/(eps*n))"
TERMS = "L**2*sqrt(T)/(sqrt(B)*beta) + L*b/sqrt(B*T) + L*R/sqrt(B*T) + beta*b*R/T + beta*b**2/T + beta*R**2/T**2"
IN_N = (
    "L*R*B/n + L*R*sqrt(B*p)/(eps*n**(3/2)*sqrt(T)) + L*R/sqrt(n) + L*R*sqrt(p)/(eps*n) + L*R*p/(eps**2*n**(3/2)*T)"
    " + L*R/sqrt(n)"
)


def at_preset(text):
    """A text in T, beta and b with T = n/B, beta = L n^{3/2}/(R B^2) and b = L sqrt(p)/(eps B beta)."""
    return text.replace("beta", BETA).replace("*b", f"*{NOISE}").replace("T", STEPS)


def power_sum(name, power, bound):
    """1/T^2 times the sum of t^power, power >= 0, is at most the power of T in the next line."""
    return step(
        name,
        f"a power sum: 1/T^2 times the sum of t^{power} over t = 1, ..., T is at most {bound}",
        f"1/T**2*sum(t, 1, T, t**({power})) <= {bound}",
        (integer("T", "[1, oo)", "steps"),),
        reads=Reads.PRINTED,
        argument=(
            Scale("T**2"),
            Rewrite(left=f"sum(t, 1, T, t**({power}))"),
            Bound(
                left=f"sum(t, 1, T, T**({power}))",
                argument=(Termwise((Power(f"1/({power})"), Combine((("1", "t <= T"),)))),),
            ),
            Rewrite(left=f"T*T**({power})"),
            Combine((("0", "0 <= 1"),)),
        ),
        mutants=(mutant("third", "a third of it", f"1/T**2*sum(t, 1, T, t**({power})) <= 1/3*{bound}", "T=1"),),
    )


CLAIM = Claim(
    id=THM,
    title="the optimal rate with sqrt(n) steps and batches of sqrt(n)",
    words=(
        "With B <= sqrt(n), T = n/B and the beta and sigma of the theorem, Algorithm 1 is (eps, delta)-DP and E F(y_T) "
        "- F(x*) = O(L R (1/sqrt(n) + sqrt(p)/(eps n) polylog)). Encoded: the rate, from the fourth line, with "
        "T = n/B, for p <= eps^2 n^2; F is the excess risk, K what O~ hides."
    ),
    place="Theorem 5.12",
    printed=r"O\left(LR\cdot\left(\frac1{\sqrt n}+\frac{\sqrt p}{\varepsilon n}\cdot\text{polylog}(n/B,1/\delta)"
    r"\right)\right)",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"F <= C*K*{RATE}",
        (constant("C"), *SYMBOLS, positive("K"), real("F")),
        (SMALL, "p <= eps**2*n**2", f"F <= K*({IN_N.replace('T', STEPS)})"),
    ),
    origins=(Condition(f"F <= K*({IN_N.replace('T', STEPS)})", Origin.GIVEN, f"{THM}/s5"),),
    argument=(
        Choose(where("C=3")),
        Have(f"{IN_N.replace('T', STEPS)} <= 3*{RATE}", (ByTheorem(f"{THM}/s7"),)),
        Combine((("1", f"F <= K*({IN_N.replace('T', STEPS)})"), ("K", f"{IN_N.replace('T', STEPS)} <= 3*{RATE}"))),
    ),
    candidates=(point("n=4 B=1 p=1 eps=1 L=1 R=1 K=1 F=1"),),
    mutants=(
        Mutant(
            "one",
            "1 in place of C",
            f"F <= 1*K*{RATE}",
            symbols=(*SYMBOLS, positive("K"), real("F")),
            candidates=(point("n=4 B=1 p=1 eps=1 L=1 R=1 K=1 F=1"), point("n=4 B=2 p=1 eps=100 L=1 R=1 K=1 F=1")),
            own_sentence=True,
        ),
    ),
    steps=(
        step(
            "s1",
            "beta >= 16 M n^{3/2}/B^2 >= 16 M n/B >= 2 M T",
            f"2*M*{STEPS} <= {FULL_BETA}",
            (RECORDS, BATCH, LIPSCHITZ, RADIUS, SMOOTH, C_M),
            (SMALL, "M*R <= c_M*L"),
            printed=r"\beta\ge16Mn^{3/2}/B^2\ge16Mn/B\ge2MT",
            argument=(
                Combine(
                    (
                        ("2*M*n/B**2", SMALL),
                        ("2*n**(3/2)/(R*B**2)", "M*R <= c_M*L"),
                        ("(14*c_M + 8)*L*n**(3/2)/(R*B**2)", "0 <= 1"),
                    )
                ),
            ),
            candidates=(point("n=4 B=2 L=1 R=1 M=1 c_M=1"),),
            mutants=(
                Mutant(
                    "batch",
                    "B up to n",
                    conditions=("B <= n", "M*R <= c_M*L"),
                    candidates=(point("n=10000 B=10000 L=1 R=1 M=1000 c_M=1000"),),
                ),
            ),
        ),
        power_sum("s3-variance", "3/2", "sqrt(T)"),
        power_sum("s3-radius", "1/2", "1/sqrt(T)"),
        step(
            "s5",
            "the third line with beta and b_max put in, and T = n/B in the fourth: term by term the same",
            f"{at_preset(TERMS)} == {IN_N.replace('T', STEPS)}",
            SYMBOLS,
        ),
        step(
            "s4",
            "the line in between: with beta and b_max put in, T kept",
            "L**2*sqrt(T)/(sqrt(B)*"
            + BETA
            + ") + L*"
            + NOISE
            + "/sqrt(B*T) + "
            + BETA
            + "*"
            + NOISE
            + "*R/T + "
            + BETA
            + "*"
            + NOISE
            + "**2/T + "
            + BETA
            + "*R**2/T**2 == L*R*B**(3/2)*sqrt(T)/n**(3/2)"
            " + L**2*sqrt(p)/(eps*" + BETA + "*B**(3/2)*sqrt(T)) + L*R*sqrt(p)/(eps*B*T)"
            " + L**2*p/(eps**2*B**2*" + BETA + "*T) + n**(3/2)*L*R/(B**2*T**2)",
            (*SYMBOLS, positive("T")),
        ),
        step(
            "s6",
            "(*1): by B <= sqrt(n) and T >= sqrt(n) the fourth line is at most 3 L R/sqrt(n) + 2 L R sqrt(p)/(eps n) + "
            "L R p/(eps^2 n^2)",
            f"{IN_N} <= 3*L*R/sqrt(n) + 2*L*R*sqrt(p)/(eps*n) + L*R*p/(eps**2*n**2)",
            (*SYMBOLS, positive("T")),
            (SMALL, "sqrt(n) <= T"),
            argument=(
                Have("1/T <= 1/sqrt(n)", (Scale("T*sqrt(n)"), Combine((("1", "sqrt(n) <= T"),)))),
                Have(
                    "sqrt(B) <= sqrt(n)*sqrt(T)",
                    (
                        Power("2"),
                        Have("1 <= sqrt(n)", (Power("2"), Combine((("1", "1 <= n"),)))),
                        Have("1 <= T", (Combine((("1", "sqrt(n) <= T"), ("1", "1 <= sqrt(n)"))),)),
                        Combine((("1", SMALL), ("sqrt(n)", "1 <= sqrt(n)"), ("n", "1 <= T"))),
                    ),
                ),
                Have("B/n <= 1/sqrt(n)", (Scale("n"), Rewrite(right="sqrt(n)"), Combine((("1", SMALL),)))),
                Combine(
                    (
                        ("L*R", "B/n <= 1/sqrt(n)"),
                        ("L*R*sqrt(p)/(eps*n**(3/2)*sqrt(T))", "sqrt(B) <= sqrt(n)*sqrt(T)"),
                        ("L*R*p/(eps**2*n**(3/2))", "1/T <= 1/sqrt(n)"),
                    )
                ),
            ),
            candidates=(point("n=4 B=2 p=1 eps=1 L=1 R=1 T=2"),),
            mutants=(
                mutant(
                    "two",
                    "2 L R/sqrt(n)",
                    f"{IN_N} <= 2*L*R/sqrt(n) + 2*L*R*sqrt(p)/(eps*n) + L*R*p/(eps**2*n**2)",
                    "n=4 B=2 p=1 eps=100 L=1 R=1 T=2",
                ),
            ),
        ),
        step(
            "s7",
            "(*2): p/(eps^2 n^2) <= sqrt(p)/(eps n) for p <= eps^2 n^2, and so the rate",
            f"{IN_N.replace('T', STEPS)} <= 3*{RATE}",
            SYMBOLS,
            (SMALL, "p <= eps**2*n**2"),
            argument=(
                Have("sqrt(p) <= eps*n", (Power("2"), Combine((("1", "p <= eps**2*n**2"),)))),
                Have(f"sqrt(n) <= {STEPS}", (Scale("B"), Combine((("sqrt(n)", SMALL),)))),
                Bound(
                    left="3*L*R/sqrt(n) + 2*L*R*sqrt(p)/(eps*n) + L*R*p/(eps**2*n**2)",
                    by=f"{THM}/s6",
                    at=(("T", STEPS),),
                ),
                Combine((("L*R*sqrt(p)/(eps**2*n**2)", "sqrt(p) <= eps*n"),)),
            ),
            candidates=(point("n=4 B=1 p=1 eps=1 L=1 R=1"),),
            mutants=(
                Mutant(
                    "dimension",
                    "p <= 100 eps^2 n^2",
                    conditions=(SMALL, "p <= 100*eps**2*n**2"),
                    candidates=(point("n=10000 B=100 p=10000000000 eps=1 L=1 R=1"),),
                ),
            ),
        ),
        step(
            "s8",
            "the event of probability 1/T^2 costs L R/T^2 <= L R/n",
            "L*R/T**2 <= L*R/n",
            (RECORDS, LIPSCHITZ, RADIUS, positive("T")),
            ("sqrt(n) <= T",),
            argument=(
                Have("n <= T**2", (Power("1/2"), Combine((("1", "sqrt(n) <= T"),)))),
                Scale("n*T**2/(L*R)"),
                Combine((("1", "n <= T**2"),)),
            ),
            candidates=(point("n=4 L=1 R=1 T=2"),),
            mutants=(
                Mutant(
                    "steps", "T >= sqrt(n)/2", conditions=("1/2*sqrt(n) <= T",), candidates=(point("n=4 L=1 R=1 T=1"),)
                ),
            ),
        ),
        erratum(
            "s8-logarithm",
            "the statement has 1/sqrt(n) without a logarithm. Encoded: L R sqrt(log(6 T/gamma))/"
            "sqrt(n) with gamma = 1/T^2 and T = sqrt(n), is O(L R/sqrt(n)); log(n) for the logarithm, which is less",
            "L*R*sqrt(log(n))/sqrt(n) <= C*L*R/sqrt(n)",
            (constant("C"), RECORDS, LIPSCHITZ, RADIUS),
            reads=Reads.GAP,
            argument=(
                ForEvery(
                    where("n=exp(C**2+1) L=1 R=1"),
                    argument=(
                        Rewrite(left="C/sqrt(exp(C**2 + 1))", right="sqrt(C**2 + 1)/sqrt(exp(C**2 + 1))"),
                        Scale("sqrt(exp(C**2 + 1))"),
                        Power("2"),
                        Positive(),
                    ),
                ),
            ),
            finding=(
                "The proof gives O~(L R/sqrt(n)), with a logarithm on this term. Means in the place of events of high "
                "probability may remove it; the paper does not do so."
            ),
            repair=THM,
        ),
        Step(
            "s9",
            "the batch size M n^{3/2} eps/sqrt(p) is a number of records, without a unit",
            homogeneous(
                "B <= M*n**(3/2)*eps/sqrt(p)",
                (BATCH, SMOOTH, RECORDS, EPS, DIMENSION),
                {"M": (1, -2)},
            ),
            expects=Outcome.REFUTED,
            kind=ClaimKind.HOMOGENEITY,
            printed=r"B=\min\{\sqrt n,Mn^{3/2}\varepsilon/(\sqrt p\cdot\text{polylog}(n/B,1/\delta))\}",
            candidates=(point("B=1 M=1 n=1 eps=1 p=1 value_unit=2 length_unit=1"),),
            finding="M has the unit of loss over length squared. M R/L has none; it is 1 where L = R = 1.",
            repair=f"{THM}/s9~repaired",
        ),
        Step(
            "s9~repaired",
            "M R/L in the place of M has no unit",
            homogeneous(
                "B <= M*R/L*n**(3/2)*eps/sqrt(p)",
                (BATCH, SMOOTH, RADIUS, LIPSCHITZ, RECORDS, EPS, DIMENSION),
                {"M": (1, -2), "R": (0, 1), "L": (1, -1)},
            ),
            argument=(Identical(),),
            kind=ClaimKind.HOMOGENEITY,
        ),
    ),
)
