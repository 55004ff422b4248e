"""The joint induction of Lemmas 5.4 and 5.5: its order, its constants, and how large n has to be."""

from dpaudit.claims.writing import *

from .symbols import *

STEPS = (
    step(
        "order",
        "Delta_t needs |grad F(x_(t-1))| and Delta_0, ..., Delta_(t-1), and |grad F(x_t)| needs what comes before: "
        "where no bound is broken up to t none is at t + 1. Encoded: v[t] is how far one is exceeded, and the next "
        "is at most a multiple of it",
        "v[T] <= 0",
        (integer("T", "[0, oo)", "the last step"), BROKEN, real("K", "[0, oo)")),
        ("v[0] <= 0", "all(t, 0, T - 1, v[t + 1] <= K*v[t])"),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("T"),),
        candidates=(point("T=1 K=1 v=[0,0]"),),
        mutants=(
            Mutant(
                "start",
                "without Delta_0",
                conditions=("all(t, 0, T - 1, v[t + 1] <= K*v[t])",),
                candidates=(point("T=1 K=1 v=[1,1]"),),
            ),
        ),
    ),
    step(
        "c_1",
        "c_1 = 400000 closes Lemma 5.4 with c_2 = 144: both conditions of s18 there",
        "max(2*144**2*(8*400000 + 4*400000/(3*c_DP) + 1), (sqrt(2)*144 + 2)**2) <= 400000**2",
        (VALUE,),
        argument=(
            Have("1/c_DP <= 1", (Scale("c_DP"), Combine((("1", "1 <= c_DP"),)))),
            Have(
                "2*144**2*(8*400000 + 4*400000/(3*c_DP) + 1) <= 400000**2",
                (Combine((("2*144**2*4*400000/3", "1/c_DP <= 1"), ("1", "0 <= 1"))),),
            ),
            Have("(sqrt(2)*144 + 2)**2 <= 400000**2", (Boxes(),)),
            Cases(
                (
                    (
                        "2*144**2*(8*400000 + 4*400000/(3*c_DP) + 1) <= (sqrt(2)*144 + 2)**2",
                        (Combine((("1", "(sqrt(2)*144 + 2)**2 <= 400000**2"),)),),
                    ),
                    ("otherwise", ()),
                )
            ),
        ),
        mutants=(
            mutant(
                "smaller",
                "300000",
                "max(2*144**2*(8*300000 + 4*300000/(3*c_DP) + 1), (sqrt(2)*144 + 2)**2) <= 300000**2",
                "c_DP=1",
                own_sentence=True,
            ),
        ),
    ),
    step(
        "least",
        "c_DP is at least 8 log^3(n)",
        f"8*x**3 <= {C_DP}",
        (LOG,),
        argument=(
            Have("sqrt(2*x) <= sqrt(log(2) + 2*x)", (Power("2"), Positive())),
            Combine(
                (
                    ("4*sqrt(2)*x**(3/2)*(log(5/2) + x)", "sqrt(2*x) <= sqrt(log(2) + 2*x)"),
                    ("8*x**2*log(5/2)", "0 <= 1"),
                )
            ),
        ),
        mutants=(mutant("nine", "9", f"9*x**3 <= {C_DP}", "x=1000000"),),
    ),
    step(
        "most",
        "and at most 24 log^3(n) for log(n) >= 100",
        f"{C_DP} <= 24*x**3",
        (real("x", "[100, oo)"),),
        argument=(*UPPER[:-1], *UPPER[-1].argument),
        mutants=(mutant("eight", "8", f"{C_DP} <= 8*x**3", "x=1000000"),),
    ),
    step(
        "noise",
        "hence c_DP <= n^{1/4} for log(n) >= 100, and b_max <= R by LEM-5.4/s1. Encoded: the first",
        "c_DP <= exp(x/4)",
        (real("x", "[100, oo)"), VALUE),
        given={f"{HERE}/most": SIZES[1]},
        argument=(
            Have("log(24) <= 4", (Boxes(),)),
            Have("log(64) <= 5", (Boxes(),)),
            Bound(left="24*x**3", argument=(Combine((("1", SIZES[1]),)),)),
            Logarithm(),
            Rewrite(left="log(24) + 3*log(x)", right="x/4"),
            Combine(
                (
                    ("1", "log(24) <= 4"),
                    ("3", "log(x/64) <= x/64 - 1"),
                    ("3", "log(64) <= 5"),
                    ("13/64", "100 <= x"),
                    ("1", "0 <= 1"),
                )
            ),
        ),
        candidates=(point("x=100 c_DP=8000000"),),
        mutants=(mutant("tenth", "a ten-thousandth of it", "c_DP <= 1/10000*exp(x/4)", "x=100 c_DP=24000000"),),
    ),
    step(
        "batch",
        "so that T <= B, which LEM-5.4/s5-display uses",
        IN_TIME,
        (real("n", "[1, oo)"), VALUE),
        given={f"{HERE}/noise": "c_DP <= n**(1/4)"},
        argument=(Scale("c_DP/n**(1/4)"), Combine((("c_DP + n**(1/4)", "c_DP <= n**(1/4)"),))),
        candidates=(point("n=16 c_DP=2"),),
        mutants=(
            Mutant(
                "twice", "c_DP <= 2 n^{1/4}", conditions=("c_DP <= 2*n**(1/4)",), candidates=(point("n=16 c_DP=4"),)
            ),
        ),
    ),
    step(
        "logarithms",
        "log(T/gamma) = log(4 n T) = log(4) + 5/4 log(n) + log(c_DP) is at most 2 log(n), and with log(6) more at "
        "most 3 log(n). Encoded: the first",
        "log(4) + 5/4*x + log(c_DP) <= 2*x",
        (real("x", "[100, oo)"), VALUE),
        given={f"{HERE}/noise": "c_DP <= exp(x/4)"},
        argument=(
            Have("log(4) <= 2", (Boxes(),)),
            Have(
                "log(c_DP) <= x/4",
                (Combine((("1", "log(c_DP/exp(x/4)) <= c_DP/exp(x/4) - 1"), ("exp(-x/4)", "c_DP <= exp(x/4)"))),),
            ),
            Combine((("1", "log(4) <= 2"), ("1", "log(c_DP) <= x/4"), ("1/2", "100 <= x"), ("1", "0 <= 1"))),
        ),
        candidates=(point("x=100 c_DP=8000000"),),
        mutants=(mutant("one", "3/2 log(n)", "log(4) + 5/4*x + log(c_DP) <= 5/4*x", "x=100 c_DP=8000000"),),
    ),
    step(
        "needed",
        "with c_2 = 144 any c_1 of s18 is more than 16 c_2^2 = 331776, and the first term of the printed condition is "
        "more than c_DP unless c_DP >= c_1^2 c_M^2 log(T/gamma): not for c_M = 1, delta = 1/n, 1 <= log(n) <= 60000 "
        "and natural logarithms",
        f"{C_DP} < 331776**2*x",
        (real("x", "[1, 60000]", "log(n), less than log(T/gamma)"),),
        argument=(Boxes(),),
        mutants=(
            Mutant("later", "up to 10^6", symbols=(real("x", "[1, 1000000]"),), candidates=(point("x=1000000"),)),
        ),
    ),
    step(
        "needed-25",
        "(25) has sqrt(log(T/gamma)) in the first term, without c_DP; with the c_1 > 331776 of `needed` its second "
        "term is more than c_DP unless c_DP >= c_1^2 c_M^2: not for c_M = 1, delta = 1/n, 1 <= log(n) <= 2300 and "
        "natural logarithms",
        f"{C_DP} < 331776**2",
        (real("x", "[1, 2300]", "log(n)"),),
        argument=(Boxes(),),
        mutants=(Mutant("later", "up to 10^4", symbols=(real("x", "[1, 10000]"),), candidates=(point("x=10000"),)),),
    ),
    step(
        "too-early",
        "and whatever c_1 is, the third term is more than c_DP up to n = e^75, at log(6T/gamma) >= log(n)",
        f"exp(x/4) < 2*{C_DP}*sqrt(6*x)",
        (real("x", "[69/100, 75]", "log(n)"),),
        argument=(Boxes(),),
        mutants=(mutant("hundredth", "a hundredth of it", f"exp(x/4) < 1/100*2*{C_DP}*sqrt(6*x)", "x=75"),),
    ),
)
