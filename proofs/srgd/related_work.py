r"""Remarks of the introduction on related work: REM-5 (c) and (e), and its comparison with [14].

[14] and [26] for M about sqrt(n) are quoted; the numbers agree with the rest of the text and with the way in which
accelerated methods depend on M. Regret: random signs show the quoted bound, with a constant.
"""

from dpaudit.claims.writing import *

N, DIMENSION, EPS = real("n", "[1, oo)", "records"), real("p", "[1, oo)"), real("eps", "(0, 1]")
COUNT = "min(n, n**2/p) + min(n*p**2/eps, n**(4/3)*eps**(1/3))"
"""The gradients of [14], as the paper quotes them."""
SMOOTH = positive("M")
HALF, WALK = (
    integer("m", "[1, oo)", "half the number of rounds"),
    sequence("a", "[0, oo)", "mean of |s_1 + ... + s_2m|"),
)
GROWS = "all(i, 1, m - 1, a[i + 1] == a[i]*(2*i + 1)/(2*i))"

ROUGH = Claim(
    id="srgd/REM-5c",
    title="rough losses: at most about n^{4/3} gradients in [14]",
    words=(
        "For M about sqrt(n), [14] has the worst-case gradient complexity n^{4/3}, as opposed to n^{11/8} by [26]. "
        "Encoded: what the paper quotes of [14] is at most 2 n^{4/3} for eps <= 1 in every dimension."
    ),
    place="Section 1, our result",
    printed=r"[14]\text{ achieves worst-case gradient complexity of }\widetilde\Theta(n^{4/3})",
    reads=Reads.READING,
    kind=ClaimKind.COST,
    statement=Statement(f"{COUNT} <= 2*n**(4/3)", (N, DIMENSION, EPS)),
    argument=(
        Have("1 <= n**(1/3)", (Power("3"), Combine((("1", "1 <= n"),)))),
        Have("eps**(1/3) <= 1", (Power("3"), Combine((("1", "eps <= 1"),)))),
        Combine(
            (
                ("1", "min(n, n**2/p) <= n"),
                ("1", "min(n*p**2/eps, n**(4/3)*eps**(1/3)) <= n**(4/3)*eps**(1/3)"),
                ("n", "1 <= n**(1/3)"),
                ("n**(4/3)", "eps**(1/3) <= 1"),
            )
        ),
    ),
    mutants=(Mutant("one", "1 in place of 2", f"{COUNT} <= 1*n**(4/3)", candidates=(point("n=1 p=1 eps=1"),)),),
    steps=(
        step(
            "attained",
            "and at p = n, eps = 1 it is at least n^{4/3}",
            "n**(4/3) <= min(n, n**2/n) + min(n*n**2, n**(4/3))",
            (N,),
            kind=ClaimKind.COST,
            argument=(
                Have("1 <= n**(5/3)", (Power("3/5"), Combine((("1", "1 <= n"),)))),
                Cases(
                    (
                        ("n**(4/3) <= n*n**2", (Cases((("n <= n**2/n", ()), ("otherwise", ()))),)),
                        ("otherwise", (Combine((("n**(4/3)", "1 <= n**(5/3)"),)),)),
                    )
                ),
            ),
            mutants=(mutant("three", "3 of it", "3*n**(4/3) <= min(n, n**2/n) + min(n*n**2, n**(4/3))", "n=1"),),
        ),
        step(
            "less",
            "as opposed to n^{11/8} by [26]: read as a comparison; n^{4/3} is at most n^{11/8}",
            "n**(4/3) <= n**(11/8)",
            (N,),
            kind=ClaimKind.COST,
            reads=Reads.READING,
            printed=r"\text{as opposed to }\widetilde\Theta(n^{11/8})\text{ by }[26]",
            mutants=(mutant("half", "half of it", "n**(4/3) <= 1/2*n**(11/8)", "n=1"),),
        ),
        step(
            "smoothness",
            "n^{11/8} is the n^{9/8} of Table 1 times sqrt(M), M = sqrt(n), as for accelerated methods",
            "n**(9/8)*sqrt(sqrt(n)) == n**(11/8)",
            (N,),
        ),
        step(
            "superior",
            "for constant eps our gradient complexity is superior in all dimensions. Encoded: 2 n is at most what is "
            "quoted of [14], for eps <= 1 and n >= 8/eps",
            f"2*n <= {COUNT}",
            (N, DIMENSION, EPS),
            ("8/eps <= n",),
            reads=Reads.READING,
            kind=ClaimKind.COST,
            place="Section 1, other related work",
            printed=r"\text{under all regimes of the dimensionality }\ldots\ p\le n^2,\text{ our gradient oracle "
            r"complexity is superior}",
            argument=(
                Have("8 <= n*eps", (Combine((("eps", "8/eps <= n"),)),)),
                Have("2 <= n**(1/3)*eps**(1/3)", (Power("3"), Combine((("1", "8 <= n*eps"),)))),
                Have("8 <= n", (Combine((("1", "8 <= n*eps"), ("n", "eps <= 1"))),)),
                Have("1 <= 1/eps", (Scale("eps"), Combine((("1", "eps <= 1"),)))),
                Have("1 <= p**2", (Power("1/2"), Combine((("1", "1 <= p"),)))),
                Have("n <= n*p**2/eps", (Combine((("n*p**2", "1 <= 1/eps"), ("n", "1 <= p**2"))),)),
                Have("2*n <= n**(4/3)*eps**(1/3)", (Combine((("n", "2 <= n**(1/3)*eps**(1/3)"),)),)),
                Cases(
                    (
                        (
                            "p <= n",
                            (
                                Have("n <= n**2/p", (Scale("p"), Combine((("n", "p <= n"),)))),
                                Have(
                                    "n <= min(n, n**2/p)",
                                    (Cases((("n <= n**2/p", ()), ("otherwise", (Combine((("1", "n <= n**2/p"),)),)))),),
                                ),
                                Have(
                                    "n <= min(n*p**2/eps, n**(4/3)*eps**(1/3))",
                                    (
                                        Cases(
                                            (
                                                (
                                                    "n*p**2/eps <= n**(4/3)*eps**(1/3)",
                                                    (Combine((("1", "n <= n*p**2/eps"),)),),
                                                ),
                                                (
                                                    "otherwise",
                                                    (Combine((("1", "2*n <= n**(4/3)*eps**(1/3)"), ("n", "0 <= 1"))),),
                                                ),
                                            )
                                        ),
                                    ),
                                ),
                                Combine(
                                    (
                                        ("1", "n <= min(n, n**2/p)"),
                                        ("1", "n <= min(n*p**2/eps, n**(4/3)*eps**(1/3))"),
                                    )
                                ),
                            ),
                        ),
                        (
                            "otherwise",
                            (
                                Have("n**2 <= p**2", (Power("1/2"), Combine((("1", "n <= p"),)))),
                                Have(
                                    "2*n <= n*p**2/eps",
                                    (
                                        Combine(
                                            (
                                                ("n*p**2", "1 <= 1/eps"),
                                                ("n", "n**2 <= p**2"),
                                                ("n*(n + 1)", "8 <= n"),
                                                ("n*(7*n + 6)", "0 <= 1"),
                                            )
                                        ),
                                    ),
                                ),
                                Have(
                                    "2*n <= min(n*p**2/eps, n**(4/3)*eps**(1/3))",
                                    (
                                        Cases(
                                            (
                                                (
                                                    "n*p**2/eps <= n**(4/3)*eps**(1/3)",
                                                    (Combine((("1", "2*n <= n*p**2/eps"),)),),
                                                ),
                                                ("otherwise", (Combine((("1", "2*n <= n**(4/3)*eps**(1/3)"),)),)),
                                            )
                                        ),
                                    ),
                                ),
                                Have(
                                    "0 <= min(n, n**2/p)",
                                    (Cases((("n <= n**2/p", ()), ("otherwise", (Positive(),)))),),
                                ),
                                Combine(
                                    (
                                        ("1", "0 <= min(n, n**2/p)"),
                                        ("1", "2*n <= min(n*p**2/eps, n**(4/3)*eps**(1/3))"),
                                    )
                                ),
                            ),
                        ),
                    )
                ),
            ),
            candidates=(point("n=8 p=1 eps=1"),),
            mutants=(mutant("three", "3 n", f"3*n <= {COUNT}", "n=8 p=1 eps=1"),),
        ),
        step(
            "tie",
            "though at p = 1 and eps = 1 it is no more than 2 n",
            "min(n, n**2) + min(n, n**(4/3)) <= 2*n",
            (N,),
            kind=ClaimKind.COST,
            place="Section 1, other related work",
            argument=(Combine((("1", "min(n, n**2) <= n"), ("1", "min(n, n**(4/3)) <= n"))),),
            mutants=(mutant("one", "n", "min(n, n**2) + min(n, n**(4/3)) <= 1*n", "n=1"),),
        ),
    ),
)

REGRET = Claim(
    id="srgd/REM-5e",
    title="the regret of online convex optimisation",
    words=(
        "The mean regret cannot be improved beyond Omega(1/sqrt(T)) even under smoothness. Encoded: losses s_t G x "
        "with random signs s_t are smooth, and the mean of |s_1 + ... + s_2m|, which is 1 at m = 1 and grows by "
        "(2 m + 1)/(2 m), is at least sqrt(m)."
    ),
    place="Section 1, comparison to relevant prior work",
    printed=r"\Omega(1/\sqrt T)\text{ even under smoothness}",
    reads=Reads.READING,
    kind=ClaimKind.MOMENT,
    statement=Statement("sqrt(m) <= a[m]", (HALF, WALK), ("a[1] == 1", GROWS)),
    argument=(
        Induct(
            "m",
            step=(
                Have("sqrt(m + 1) <= sqrt(m)*(2*m + 1)/(2*m)", (Scale("2*m"), Power("2"), Positive())),
                Combine(
                    (
                        ("1", "sqrt(m + 1) <= sqrt(m)*(2*m + 1)/(2*m)"),
                        ("(2*m + 1)/(2*m)", "sqrt(m) <= a[m]"),
                        ("1", "a[m + 1] == a[m]*(2*m + 1)/(2*m)"),
                    )
                ),
            ),
        ),
    ),
    candidates=(point("m=2 a=[0,1,3/2]"),),
    mutants=(mutant("more", "11/10 sqrt(m)", "11/10*sqrt(m) <= a[m]", "m=1 a=[0,1]"),),
    steps=(
        step(
            "regret",
            "so that over [-D/2, D/2] the mean regret of T = 2 m rounds, a G D/(2 T), as E s_t x_t = 0 for every x_t "
            "that does not know s_t, is at least G D/(2 sqrt(2) sqrt(T))",
            "G*D/(2*sqrt(2)*sqrt(2*m)) <= value*G*D/(2*(2*m))",
            (HALF, positive("G"), positive("D"), real("value", "[0, oo)", "a[m]")),
            given={"srgd/REM-5e": "sqrt(m) <= value"},
            argument=(Combine((("G*D/(4*m)", "sqrt(m) <= value"),)),),
            candidates=(point("m=1 G=1 D=1 value=1"),),
            mutants=(
                mutant(
                    "twice", "twice it", "2*G*D/(2*sqrt(2)*sqrt(2*m)) <= value*G*D/(2*(2*m))", "m=1 G=1 D=1 value=1"
                ),
            ),
        ),
        step(
            "smooth",
            "the losses have 0 for the difference of two gradients, at most M times the distance for every M",
            "norm(g - g) <= M*norm(x - y)",
            (SMOOTH, vector("g"), vector("x"), vector("y")),
            argument=(Rewrite(left="0"), Positive()),
            mutants=(mutant("one", "1 more", "1 + norm(g - g) <= M*norm(x - y)", "M=1 g=(0) x=(0) y=(0)"),),
        ),
    ),
)

CLAIMS = (ROUGH, REGRET)
