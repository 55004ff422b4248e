"""Lemma 5.5: the condition that closes the induction, and for which delta large n meets it. Step s17."""

from dpaudit.claims.writing import *

from .symbols import *

LN_INVERSE, AT = positive("l", "ln(1/delta)"), "(n_0 + 16)"
THIRD = "8*sqrt(2)*log(n)**(3/2)*sqrt(log(2*n) + l)*(log(5/2) + l)*sqrt(6*(log(24) + l))"
"""n^{1/4}/c_DP times the third term of (25), for T >= 1 and gamma = delta/4."""
UPPER = positive("A", "a bound on the logarithms")


def too_large(power, least):
    """That THIRD is more than n^{1/4} where ln(1/delta) = n^power; least: of the factors, so that their product is."""
    size, log = f"{AT}**({power})", f"log({AT})"
    root, last = f"sqrt(log(2*{AT}) + {size})", f"sqrt(6*(log(24) + {size}))"
    return (
        Have(
            f"1 <= {log}",
            (
                Have("1 <= log(16)", (Boxes(),)),
                Combine((("1", f"log(16/{AT}) <= 16/{AT} - 1"), ("1", "1 <= log(16)"), (f"1/{AT}", "0 <= n_0"))),
            ),
        ),
        Have(
            f"0 < log(2*{AT})",
            (Rewrite(right=f"log(2) + {log}"), Combine((("1", f"1 <= {log}"), ("1 + log(2)", "0 < 1")))),
        ),
        Have(f"1 <= {log}**(3/2)", (Power("2/3"), Combine((("1", f"1 <= {log}"),)))),
        Have(f"sqrt({size}) <= sqrt(log(2*{AT}) + {size})", (Power("2"), Combine((("1", f"0 < log(2*{AT})"),)))),
        Have(
            f"sqrt({size}) <= sqrt(6*(log(24) + {size}))", (Power("2"), Combine(((f"6*log(24) + 5*{size}", "0 <= 1"),)))
        ),
        Bound(
            right=f"8*sqrt(2)*sqrt({size})*{size}*sqrt({size})",
            argument=(
                Combine(
                    (
                        (f"8*sqrt(2)*{root}*(log(5/2) + {size})*{last}", f"1 <= {log}**(3/2)"),
                        (f"8*sqrt(2)*(log(5/2) + {size})*{last}", f"sqrt({size}) <= {root}"),
                        (f"8*sqrt(2)*sqrt({size})*(log(5/2) + {size})", f"sqrt({size}) <= {last}"),
                        (f"8*sqrt(2)*{size}*log(5/2)", "0 <= 1"),
                    )
                ),
            ),
        ),
        Scale(f"1/{AT}**(1/4)"),
        Rewrite(left="1", right=f"8*sqrt(2)*{AT}**({least})"),
        Have(f"1 <= {AT}**({least})", (Power(f"1/({least})"), Combine((("1", "0 < n_0"), ("15", "0 <= 1"))))),
        Combine((("8*sqrt(2)", f"1 <= {AT}**({least})"), ("8*sqrt(2) - 1", "0 < 1"))),
    )


CLOSING_STEPS = (
    erratum(
        "s17",
        "sqrt(c_DP log(T/gamma)) = o(c_DP) since c_DP = omega(sqrt(log(T/gamma))). Encoded: some multiple of sqrt(log) "
        "is enough for sqrt(c_DP log) <= c_DP",
        "sqrt(c_DP*ell) <= c_DP",
        (constant("K"), positive("c_DP"), ELL),
        ("K*sqrt(ell) <= c_DP",),
        printed=r"\sqrt{c_{DP}\log(T/\gamma)}=o(c_{DP})\text{ since }c_{DP}=\omega(\sqrt{\log(T/\gamma)})",
        argument=(
            ForEvery(
                where("ell=(K+1)**2 c_DP=K*(K+1)"),
                argument=(Power("2"), Scale("1/(K*(K + 1))"), Positive()),
            ),
        ),
        finding=(
            "It takes c_DP = omega(log(T/gamma)), which holds (s17~repaired): c_DP has more than three halves of a "
            "logarithm. (25) has sqrt(log(T/gamma)) in this place, without c_DP, and for that the reason is right."
        ),
        repair=f"{LEM}/s16",
    ),
    step(
        "s17~repaired",
        "k sqrt(c_DP log) <= c_DP where c_DP >= k^2 log",
        "k*sqrt(c_DP*ell) <= c_DP",
        (positive("k"), positive("c_DP"), ELL),
        ("k**2*ell <= c_DP",),
        argument=(Power("2"), Combine((("c_DP", "k**2*ell <= c_DP"),))),
        candidates=(point("k=1 c_DP=1 ell=1"),),
        mutants=(
            Mutant("power", "k ell <= c_DP", conditions=("k*ell <= c_DP",), candidates=(point("k=2 c_DP=2 ell=1"),)),
        ),
    ),
    erratum(
        "s17-third",
        "2 c_DP^2 sqrt(6 log(6T/gamma))/n^{1/4} = o(c_DP) if delta = 2^{-o(n^{1/3})}. Encoded: it is at most c_DP from "
        "some n on, at ln(1/delta) = n^{1/4}, gamma = delta/4, and 1 in the place of T in the logarithm",
        f"{THIRD} <= n**(1/4)",
        (constant("n_0"), real("n", "[16, oo)"), LN_INVERSE),
        ("l == n**(1/4)",),
        enough=("n_0 <= n",),
        printed=r"\frac{2c_{DP}^2\sqrt{6\log(6T/\gamma)}}{n^{1/4}}=o(c_{DP})\text{ under the condition }"
        r"\delta=2^{-o(n^{1/3})}",
        argument=(ForEvery(where("n=n_0+16 l=(n_0+16)**(1/4)"), argument=too_large("1/4", "1/4")),),
        finding=(
            "c_DP sqrt(log(1/delta)) is about log^{3/2}(n) ln^2(1/delta), so that ln(1/delta) = o(n^{1/8}/log^{3/4} n) "
            "is needed. (For a constant gamma it is n^{1/6} but for logarithms; at n^{1/4} the line fails there too.)"
        ),
        repair=f"{LEM}/s17-third~repaired",
    ),
    erratum(
        "s17-range",
        "and where Theorem 5.8 uses the lemma, for delta >= 2^{-o(n^{1/6})}: the same at ln(1/delta) = n^{1/7}",
        f"{THIRD} <= n**(1/4)",
        (constant("n_0"), real("n", "[16, oo)"), LN_INVERSE),
        ("l == n**(1/7)",),
        enough=("n_0 <= n",),
        reads=Reads.GAP,
        argument=(ForEvery(where("n=n_0+16 l=(n_0+16)**(1/7)"), argument=too_large("1/7", "1/28")),),
        finding=(
            "So for such delta the proof does not give that the algorithm of Theorem 5.8 is private without clipping. "
            "Its bound on the risk is trivial there if polylog may be ln^4(1/delta); with c_DP^2 it is not."
        ),
        repair=f"{LEM}/s17-third~repaired",
    ),
    step(
        "s17-third~repaired",
        "it is, at most c_DP/k, if all logarithms, ln(2n/delta) and g = log(6T/gamma), are at most n^{1/8}/(6 sqrt(k) "
        "log_2^{3/4}(n)); with log_2(n) in c_DP too, so that the same holds with the smaller log(n) there",
        "k*(8*sqrt(2)*log2(n)**(3/2)*sqrt(log(2*n) + l)*(log(2*n) + l)*sqrt(6*g)) <= n**(1/4)",
        (real("n", "[2, oo)"), LN_INVERSE, positive("g", "log(6T/gamma)"), UPPER, real("k", "[1, oo)")),
        ("log(2*n) + l <= A", "g <= A", "A <= n**(1/8)/(6*sqrt(k)*log2(n)**(3/4))"),
        argument=(
            Have("0 < log2(n)", (Rewrite(right="log(n)/log(2)"), Positive())),
            Have("0 < log(2*n) + l", (Rewrite(right="log(2) + log(n) + l"), Positive())),
            Have("sqrt(log(2*n) + l) <= sqrt(A)", (Power("2"), Combine((("1", "log(2*n) + l <= A"),)))),
            Have("sqrt(g) <= sqrt(A)", (Power("2"), Combine((("1", "g <= A"),)))),
            Have(
                "sqrt(k)*A*log2(n)**(3/4) <= n**(1/8)/6",
                (Combine((("sqrt(k)*log2(n)**(3/4)", "A <= n**(1/8)/(6*sqrt(k)*log2(n)**(3/4))"),)),),
            ),
            Have(
                "(sqrt(k)*A*log2(n)**(3/4))**2 <= (n**(1/8)/6)**2",
                (Power("1/2"), Combine((("1", "sqrt(k)*A*log2(n)**(3/4) <= n**(1/8)/6"),))),
            ),
            Have("8*sqrt(2)*sqrt(6) <= 36", (Boxes(),)),
            Combine(
                (
                    ("8*sqrt(2)*sqrt(6)*k*log2(n)**(3/2)*(log(2*n) + l)*sqrt(g)", "sqrt(log(2*n) + l) <= sqrt(A)"),
                    ("8*sqrt(2)*sqrt(6)*k*log2(n)**(3/2)*sqrt(A)*sqrt(g)", "log(2*n) + l <= A"),
                    ("8*sqrt(2)*sqrt(6)*k*log2(n)**(3/2)*A**(3/2)", "sqrt(g) <= sqrt(A)"),
                    ("8*sqrt(2)*sqrt(6)", "(sqrt(k)*A*log2(n)**(3/4))**2 <= (n**(1/8)/6)**2"),
                    ("n**(1/4)/36", "8*sqrt(2)*sqrt(6) <= 36"),
                )
            ),
        ),
        candidates=(point(f"n=1{'0' * 100} l=1 g=1 A=232 k=1"),),
        mutants=(
            Mutant(
                "constant",
                "1 in the place of 1/6",
                conditions=("log(2*n) + l <= A", "g <= A", "A <= n**(1/8)/(1*sqrt(k)*log2(n)**(3/4))"),
                candidates=(
                    point(f"n=1{'0' * 100} l=5000000000 g=5000000000 A=5100000000 k=1"),
                    point(f"n=1{'0' * 100} l=39000000000 g=39000000000 A=39900000000 k=1"),
                ),
            ),
        ),
    ),
)
