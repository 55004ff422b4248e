"""Lemma 5.4: the size of the noise, s1 and s2, with the parameters of Section 5.2."""

from dpaudit.claims.writing import *

from .symbols import *

LN_INVERSE = positive("l", "ln(1/delta)")
FORMULA = "4*sqrt(2)*log(n)**(3/2)*sqrt(log(2*n) + l)*(log(5/2) + l)"
BINARY = FORMULA.replace("log(n)**", "log2(n)**")
LARGE, LOG = "(n_0 + 16)", "log(n_0 + 16)"
LOG_LOG, SLOW = f"log({LOG})", f"({LARGE}**(1/6)/h)"
ROOTS = f"sqrt({SLOW}) <= sqrt(log(2*{LARGE}) + {SLOW})"
ABOVE = (
    Have(
        f"2 <= {LOG}",
        (
            Have("2 <= log(16)", (Boxes(),)),
            Combine((("1", f"log(16/{LARGE}) <= 16/{LARGE} - 1"), ("1", "2 <= log(16)"), (f"1/{LARGE}", "0 <= n_0"))),
        ),
    ),
    Have(
        f"1/2 <= {LOG_LOG}",
        (
            Have(f"1/{LOG} <= 1/2", (Scale(f"2*{LOG}"), Combine((("1", f"2 <= {LOG}"),)))),
            Combine((("1", f"log(1/{LOG}) <= 1/{LOG} - 1"), ("1", f"1/{LOG} <= 1/2"))),
        ),
    ),
    Have(f"{LOG_LOG} <= {LOG}", (Combine((("1", f"{LOG_LOG} <= {LOG} - 1"), ("1", "0 <= 1"))),)),
    Have(
        f"0 < log(2*{LARGE})",
        (Rewrite(right=f"log(2) + {LOG}"), Combine((("1", f"2 <= {LOG}"), ("2 + log(2)", "0 < 1")))),
    ),
    Have(f"0 < {LOG_LOG}", (Combine((("1", f"1/2 <= {LOG_LOG}"), ("1/2", "0 < 1"))),)),
    Name("h", LOG_LOG),
    Name("a", LOG),
    Have(ROOTS, (Power("2"), Combine((("1", f"0 < log(2*{LARGE})"),)))),
    Bound(
        right=f"4*sqrt(2)*a**(3/2)*{SLOW}**(3/2)",
        argument=(
            Combine(
                (
                    (f"4*sqrt(2)*a**(3/2)*({SLOW} + log(5/2))", ROOTS),
                    (f"4*sqrt(2)*a**(3/2)*sqrt({SLOW})*log(5/2)", "0 <= 1"),
                )
            ),
        ),
    ),
    Have("1 <= (a/h)**(3/2)", (Power("2/3"), Scale("h"), Combine((("1", "h <= a"),)))),
    Rewrite(right=f"{LARGE}**(1/4)*4*sqrt(2)*(a/h)**(3/2)"),
    Scale(f"1/{LARGE}**(1/4)"),
    Combine((("4*sqrt(2)", "1 <= (a/h)**(3/2)"), ("4*sqrt(2) - 1", "0 < 1"))),
)


NOISE_STEPS = (
    step(
        "s1",
        "b_max is at most R c_DP/n^{1/4}",
        f"{NOISE} <= R*c_DP/n**(1/4)",
        SYMBOLS[:8],
        (IS_WORST,),
        argument=(
            *DIMENSION_FITS,
            Rewrite(left="R*sqrt(p)*c_DP/(eps*n**(3/4)*m)"),
            Scale("n**(3/4)*eps*m/(R*c_DP)"),
            Combine((("1", "sqrt(p) <= eps*sqrt(n)*m"),)),
        ),
        place="Lemma 5.4, second assumption",
        printed=r"b_{max}:=\frac{c_{DP}^2L\sqrt p}{\varepsilon B\beta}\text{ (\ldots at most }Rc_{DP}/n^{1/4})",
        candidates=(point("n=16 p=4 eps=1 c_DP=1 L=1 R=1 M=1 m=1"),),
        mutants=(
            mutant("half", "half of it", f"{NOISE} <= 1/2*R*c_DP/n**(1/4)", "n=16 p=16 eps=1 c_DP=1 L=1 R=1 M=1 m=1"),
        ),
    ),
    erratum(
        "s2",
        "and R c_DP/n^{1/4} <= R for all large n if delta = 2^{-o(n^{1/6})}. Encoded: c_DP <= n^{1/4}, for ln(1/delta) "
        "= n^{1/6}/log log n, with natural logarithms (c_DP is larger with base 2)",
        f"{FORMULA} <= n**(1/4)",
        (constant("n_0"), real("n", "[16, oo)"), LN_INVERSE),
        ("l == n**(1/6)/log(log(n))",),
        enough=("n_0 <= n",),
        place="Lemma 5.4, second assumption",
        printed=r"\le R\text{ for all sufficiently large }n\text{ assuming }\delta=2^{-o(n^{1/6})}",
        argument=(ForEvery(where("n=n_0+16 l=(n_0+16)**(1/6)/log(log(n_0+16))"), argument=ABOVE),),
        finding=(
            "c_DP is about log^{3/2}(n) ln^{3/2}(1/delta), so that ln(1/delta) has to be O(n^{1/6}/log n). Where it is "
            "larger, sqrt(n) <= polylog(n, 1/delta), and the bound on the risk in Theorem 5.8 is trivial."
        ),
        repair=f"{LEM}/s2~repaired",
    ),
    step(
        "s2~repaired",
        "it is if ln(2n/delta) <= n^{1/6}/(4 log_2 n), with log_2(n) in c_DP, and so with the smaller log(n) there. "
        "Encoded: c_DP <= n^{1/4}, for l = ln(1/delta)",
        f"{BINARY} <= n**(1/4)",
        (real("n", "[2, oo)"), LN_INVERSE),
        ("log(2*n) + l <= n**(1/6)/(4*log2(n))",),
        argument=(
            Have(
                "log(5/2) <= log(2*n)",
                (Combine((("1", "log(5/(4*n)) <= 5/(4*n) - 1"), ("5/(8*n)", "2 <= n"), ("3/8", "0 <= 1"))),),
            ),
            Have("0 < log2(n)", (Rewrite(right="log(n)/log(2)"), Positive())),
            Have("0 < log(2*n) + l", (Rewrite(right="log(2) + log(n) + l"), Positive())),
            Have(
                "log2(n)*(log(2*n) + l) <= n**(1/6)/4",
                (Combine((("log2(n)", "log(2*n) + l <= n**(1/6)/(4*log2(n))"),)),),
            ),
            Have(
                "(log2(n)*(log(2*n) + l))**(3/2) <= (n**(1/6)/4)**(3/2)",
                (Power("2/3"), Combine((("1", "log2(n)*(log(2*n) + l) <= n**(1/6)/4"),))),
            ),
            Combine(
                (
                    ("4*sqrt(2)*log2(n)**(3/2)*sqrt(log(2*n) + l)", "log(5/2) <= log(2*n)"),
                    ("4*sqrt(2)", "(log2(n)*(log(2*n) + l))**(3/2) <= (n**(1/6)/4)**(3/2)"),
                    ("n**(1/4)*(1 - sqrt(2)/2)", "0 <= 1"),
                )
            ),
        ),
        candidates=(point("n=1000000000000000000000000000000000000000000000000 l=1"),),
        mutants=(
            Mutant(
                "constant",
                "1 in place of 1/4",
                conditions=("log(2*n) + l <= n**(1/6)/log2(n)",),
                candidates=(point("n=1000000000000000000000000000000000000000000000000 l=600000"),),
            ),
        ),
    ),
)
