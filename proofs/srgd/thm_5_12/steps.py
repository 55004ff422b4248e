"""The printed proof of Theorem 5.12."""

from dpaudit.claims.writing import *

from .symbols import *

PRINTED_STEPS = (
    step(
        "s1",
        "beta >= 16 M n^{3/2}/B^2 >= 16 M n/B >= 2 M T. Encoded: beta >= 2 M T",
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
    erratum(
        "s1-dimension",
        "the proof takes p as at most eps^2 n^2/polylog, since above any point of C has the rate. The theorem, which "
        "has no bound on p, says that the algorithm is private. Encoded: every p is as small as Corollary 5.10 needs "
        "for that; q is the product of its logarithms",
        f"p <= B**2*{FULL_BETA}**2*eps**2/(32*M**2*q)",
        (*SYMBOLS, SMOOTH, C_M, real("q", "[1, oo)", "log^3(T) ln(2T/delta) ln(2.5/delta)")),
        (SMALL, "M*R <= c_M*L"),
        reads=Reads.GAP,
        printed=r"p=O\left(\frac{\varepsilon^2n^2}{\text{polylog}(n,1/\delta)}\right)",
        candidates=(point("n=4 B=2 p=1000 eps=1 L=1 R=1 M=1 c_M=1 q=4"),),
        finding=(
            "The risk is trivial for larger p, but the theorem says that the algorithm is private for every p, and "
            "that is not shown there without clipping: the bound on the differences needs small noise."
        ),
        repair="srgd/REM-5.11/roughly",
    ),
    step(
        "s5",
        "second line to fourth line: with beta and b_max put in and T = n/B the two are the same, term by term. "
        "Encoded: beta without its constant 16 c_M + 8, b_max without logarithms",
        f"{at_preset(TERMS)} == {IN_N.replace('T', STEPS)}",
        SYMBOLS,
    ),
    step(
        "s4",
        "second line to third line, with T kept: the same, term by term. Encoded: without L R/sqrt(B T), which both "
        "lines have, beta without its constant 16 c_M + 8, b_max without logarithms",
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
        "(*2): p/(eps^2 n^2) <= sqrt(p)/(eps n) for p <= eps^2 n^2, and so the rate. Encoded: the fourth line is at "
        "most 3 times L R (1/sqrt(n) + sqrt(p)/(eps n))",
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
            Mutant("steps", "T >= sqrt(n)/2", conditions=("1/2*sqrt(n) <= T",), candidates=(point("n=4 L=1 R=1 T=1"),)),
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
        repair=f"{THM}/s7",
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
        reads=Reads.READING,
        printed=r"B=\min\{\sqrt n,Mn^{3/2}\varepsilon/(\sqrt p\cdot\text{polylog}(n/B,1/\delta))\}",
        candidates=(point("B=1 M=1 n=1 eps=1 p=1 value_unit=2 length_unit=1"),),
        finding=(
            "M has the unit of loss over length squared; M R/L has none. At L = R = 1 it is right, and the rate, which "
            "holds for every B <= sqrt(n), does not need this choice."
        ),
        repair=f"{THM}/s9~repaired",
    ),
    Step(
        "s9-display",
        "the first display of the theorem has one unit",
        homogeneous(
            "F <= M*R**2*B**2/n**2 + (L + M*R)*R/sqrt(n) + (L + M*R/sqrt(B))*R*sqrt(p)/(eps*n)",
            (real("F"), BATCH, SMOOTH, RADIUS, LIPSCHITZ, RECORDS, EPS, DIMENSION),
            {"F": (1, 0), "M": (1, -2), "R": (0, 1), "L": (1, -1)},
        ),
        argument=(Identical(),),
        kind=ClaimKind.HOMOGENEITY,
        reads=Reads.OURS,
        printed=r"O\left(\frac{MR^2B^2}{n^2}+\frac{(L+MR)R}{\sqrt n}"
        r"+\frac{(L+\frac{MR}{\sqrt B})R\sqrt p}{\varepsilon n}\cdot\text{polylog}(n/B,1/\delta)\right)",
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
)
