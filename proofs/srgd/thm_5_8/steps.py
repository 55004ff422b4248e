"""The printed proof of Theorem 5.8."""

from dpaudit.claims.writing import *

from .symbols import *

PRINTED_STEPS = (
    step(
        "s1",
        "for p >= eps^2 n^2 the bound is at least L R, which any point of C has. Encoded: L R <= L R sqrt(p)/(eps n)",
        "L*R <= L*R*sqrt(p)/(eps*n)",
        (RECORDS, DIMENSION, EPS, LIPSCHITZ, RADIUS),
        ("eps**2*n**2 <= p",),
        argument=(
            Have("eps*n <= sqrt(p)", (Power("2"), Combine((("1", "eps**2*n**2 <= p"),)))),
            Combine((("L*R/(eps*n)", "eps*n <= sqrt(p)"),)),
        ),
        place="after Theorem 5.8",
        mutants=(
            Mutant(
                "half",
                "p >= eps^2 n^2/2",
                conditions=("1/2*eps**2*n**2 <= p",),
                candidates=(point("n=2 p=2 eps=1 L=1 R=1"),),
            ),
        ),
    ),
    step(
        "s1-delta",
        "for ln(1/delta) = l >= c n^{1/6}: sqrt(n) <= l^3/c^3",
        "sqrt(n) <= l**3/c**3",
        (RECORDS, positive("l", "ln(1/delta)"), positive("c")),
        ("c*n**(1/6) <= l",),
        argument=(
            Scale("c**3"),
            Power("1/3"),
            Rewrite(left="c*n**(1/6)", right="l"),
            Combine((("1", "c*n**(1/6) <= l"),)),
        ),
        place="after Theorem 5.8",
        printed=r"\text{if }\delta=2^{-\Omega(n^{1/6})}\text{ then }\sqrt n\le\text{polylog}(1/\delta)",
        candidates=(point("n=1 l=1 c=1"),),
        mutants=(
            Mutant(
                "half", "l >= c n^{1/6}/2", conditions=("1/2*c*n**(1/6) <= l",), candidates=(point("n=64 l=1 c=1"),)
            ),
        ),
    ),
    step(
        "s2",
        "gamma = delta/4 <= 1/(4n): the events of Lemma 5.5 hold with probability 1 - 1/(2n), and the "
        "rest costs at most L R/(2n). Encoded: given noise of norm at most b_max",
        "2*gamma*L*R <= L*R/(2*n)",
        (RECORDS, LIPSCHITZ, RADIUS, real("delta", "(0, 1)"), real("gamma", "(0, 1)")),
        ("gamma == delta/4", "delta <= 1/n"),
        argument=(Combine((("2*L*R", "gamma == delta/4"), ("L*R/2", "delta <= 1/n"))),),
        place=PLACE,
        candidates=(point("n=2 L=1 R=1 delta=1/2 gamma=1/8"),),
        mutants=(
            Mutant(
                "gamma",
                "gamma = delta/2",
                conditions=("gamma == delta/2", "delta <= 1/n"),
                candidates=(point("n=2 L=1 R=1 delta=1/2 gamma=1/4"),),
            ),
        ),
    ),
    step(
        "s3",
        "the two terms of Theorem 5.1 that the display leaves out, L b_max/(sqrt(B) t^{3/2}) and beta b_max^2/t^2, "
        "are at most the next two, by b_max <= R, for the delta of LEM-5.4/s2~repaired",
        "L*b/(sqrt(B)*t**(3/2)) + beta*b**2/t**2 <= L*R/(sqrt(B)*t**(3/2)) + beta*b*R/t**2",
        (integer("t", "[1, oo)", "step"), LIPSCHITZ, RADIUS, BETA_ANY, NOISE_ANY, B_ANY),
        given={"srgd/LEM-5.4/s1": "", "srgd/LEM-5.4/s2~repaired": "b <= R"},
        reads=Reads.GAP,
        place=PLACE,
        argument=(Combine((("L/(sqrt(B)*t**(3/2)) + beta*b/t**2", "b <= R"),)),),
        mutants=(
            Mutant(
                "larger",
                "b_max <= 2 R",
                conditions=("b <= 2*R",),
                candidates=(point("t=1 L=1 R=1 beta=1 b=2 B=1"),),
            ),
        ),
    ),
    step(
        "s4",
        "the term of (21) at t = T: with the last line of (22) it is O~(L R/sqrt(n)). Encoded: without the factor 4 "
        "c_1 log(T/gamma)/3, at most 3 c_DP L R/sqrt(n)",
        f"sqrt(c_DP)*L*R*(2*sqrt(c_DP)/sqrt(n) + 1/sqrt(c_DP*{BATCH}*{STEPS})) <= 3*c_DP*L*R/sqrt(n)",
        SYMBOLS[:1] + SYMBOLS[3:],
        place=PLACE,
        argument=(Rewrite(left="2*c_DP*L*R/sqrt(n) + L*R/sqrt(n)"), Combine((("L*R/sqrt(n)", "1 <= c_DP"),))),
        candidates=(point("n=1 c_DP=1 L=1 R=1"),),
        mutants=(
            mutant(
                "two",
                "2 in place of 3",
                f"sqrt(c_DP)*L*R*(2*sqrt(c_DP)/sqrt(n) + 1/sqrt(c_DP*{BATCH}*{STEPS})) <= 2*c_DP*L*R/sqrt(n)",
                "n=1 c_DP=1 L=1 R=1",
            ),
        ),
    ),
    step(
        "s5",
        "1/T^2 times the sum of t^2 L R/(sqrt(B) t^{3/2}) is at most L R/sqrt(B T)",
        "1/T**2*sum(t, 1, T, sqrt(t)*L*R/sqrt(B)) <= L*R/sqrt(B*T)",
        (TIME, LIPSCHITZ, RADIUS, B_ANY),
        place=PLACE,
        argument=(
            Bound(
                left="1/T**2*(T*(sqrt(T)*L*R/sqrt(B)))",
                argument=(
                    Scale("T**2"),
                    Rewrite(left="sum(t, 1, T, sqrt(t)*L*R/sqrt(B))", right="sum(t, 1, T, sqrt(T)*L*R/sqrt(B))"),
                    Termwise(
                        (
                            Have("sqrt(t) <= sqrt(T)", (Power("2"), Combine((("1", "t <= T"),)))),
                            Combine((("L*R/sqrt(B)", "sqrt(t) <= sqrt(T)"),)),
                        )
                    ),
                ),
            ),
            Rewrite(left="L*R/sqrt(B*T)"),
            Combine((("0", "0 <= 1"),)),
        ),
        mutants=(
            mutant(
                "half",
                "half of it",
                "1/T**2*sum(t, 1, T, sqrt(t)*L*R/sqrt(B)) <= 1/2*L*R/sqrt(B*T)",
                "T=1 L=1 R=1 B=1",
            ),
        ),
    ),
    step(
        "s5-noise",
        "1/T^2 times the sum of t^2 beta b_max R/t^2 is beta b_max R/T. Encoded: with T equal terms for the sum",
        "1/T**2*(T*(beta*b*R)) == beta*b*R/T",
        (TIME, RADIUS, BETA_ANY, NOISE_ANY),
        reads=Reads.PRINTED,
        place=PLACE,
    ),
    step(
        "s6",
        "beta b_max R/T = c_DP^2 L R sqrt(p)/(eps n)",
        f"{BETA}*{NOISE}*R/{STEPS} == c_DP**2*L*R*sqrt(p)/(eps*n)",
        SYMBOLS,
        place=PLACE,
        printed=r"\beta b_{max}\le c_{DP}^2L\sqrt p/\varepsilon B",
    ),
    step(
        "s6-optimisation",
        "beta R^2/T^2 = L R max{1/sqrt(n), sqrt(p)/(eps n)}",
        f"{BETA}*R**2/{STEPS}**2 == L*R*{WORST}/sqrt(n)",
        SYMBOLS,
        reads=Reads.OURS,
        place=PLACE,
    ),
    step(
        "s6-maximum",
        "where max{1, x} <= 1 + x",
        "max(1, x) <= 1 + x",
        (real("x", "[0, oo)"),),
        reads=Reads.OURS,
        argument=(Cases((("x <= 1", ()), ("otherwise", ()))),),
        mutants=(mutant("less", "1 + x/2", "max(1, x) <= 1 + x/2", "x=3"),),
    ),
    erratum(
        "s7",
        "F(y_T) - F(x*) = O~(L R (sqrt(n) + sqrt(p)/(eps n))), the theorem. Encoded: the printed bound is at "
        "most a constant times that of the theorem (p = 1)",
        "sqrt(n) + 1/(eps*n) <= C*(1/sqrt(n) + 1/(eps*n))",
        (constant("C"), RECORDS, EPS),
        place="proof of Theorem 5.8, last display",
        printed=r"\widetilde O_{n,1/\delta}\left(LR\left({\sqrt n}+\frac{\sqrt p}{\varepsilon n}\right)\right)",
        argument=(
            ForEvery(
                where("n=4*(C+1)**2 eps=1"),
                argument=(
                    Rewrite(left="C/(2*(C + 1)) + C/(4*(C + 1)**2)", right="2*(C + 1) + 1/(4*(C + 1)**2)"),
                    Scale("4*(C + 1)**2"),
                    Positive(),
                ),
            ),
        ),
        finding="A misprint for 1/sqrt(n), which the statement and the line before have.",
        repair=f"{THM}/s6-optimisation",
    ),
)
