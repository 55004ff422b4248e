"""Theorem 5.12: its first display, and the batch size that it names."""

from dpaudit.claims.writing import *

from .symbols import *

BATCH_STEPS = (
    step(
        "rate",
        "the first display of the theorem is at least the rate that the proof arrives at, but for what O~ hides there; "
        "q is the polylog (that no logarithm is needed before 1/sqrt(n) is not shown: s8-logarithm)",
        f"{RATE} <= M*R**2*B**2/n**2 + (L + M*R)*R/sqrt(n) + (L + M*R/sqrt(B))*R*sqrt(p)/(eps*n)*q",
        (*SYMBOLS, SMOOTH, real("q", "[1, oo)", "polylog")),
        reads=Reads.OURS,
        argument=(
            Combine(
                (
                    ("L*R*sqrt(p)/(eps*n)", "1 <= q"),
                    ("M*R**2*B**2/n**2 + M*R**2/sqrt(n) + M*R**2*sqrt(p)*q/(sqrt(B)*eps*n)", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            mutant(
                "half",
                "half of it",
                f"{RATE} <= 1/2*(M*R**2*B**2/n**2 + (L + M*R)*R/sqrt(n) + (L + M*R/sqrt(B))*R*sqrt(p)/(eps*n)*q)",
                "n=10000 B=1 p=1 eps=1 L=1 R=1 M=1/1000 q=1",
            ),
        ),
    ),
    step(
        "batch-steps",
        "with the batch size of the theorem T = n/B is max{sqrt(n), sqrt(p) q/(M eps sqrt(n))}. Encoded: where B is "
        "the second one",
        "n/(M*n**(3/2)*eps/(sqrt(p)*q)) == sqrt(p)*q/(M*eps*sqrt(n))",
        (RECORDS, DIMENSION, EPS, SMOOTH, real("q", "[1, oo)", "polylog")),
        reads=Reads.PRINTED,
        printed=r"\max\{\sqrt n,\sqrt p\cdot\text{polylog}(n/B,1/\delta)/M\varepsilon\sqrt n\}",
        place="Theorem 5.12",
    ),
    erratum(
        "batch-size",
        "the batch size of the theorem is a size of a batch. Encoded: min{sqrt(n), M n^{3/2} eps/(sqrt(p) q)} is at "
        "least 1, for p <= eps^2 n^2/q^2",
        "1 <= min(sqrt(n), M*n**(3/2)*eps/(sqrt(p)*q))",
        (RECORDS, DIMENSION, EPS, SMOOTH, real("q", "[1, oo)", "polylog")),
        ("p <= eps**2*n**2/q**2",),
        reads=Reads.BOUNDARY,
        place="Theorem 5.12",
        printed=r"B=\min\{\sqrt n,Mn^{3/2}\varepsilon/(\sqrt p\cdot\text{polylog}(n/B,1/\delta))\}",
        candidates=(point("n=100 p=10000 eps=1 M=1/100 q=1"),),
        finding=(
            "M is an upper bound, and may be small: losses that are nearly linear have a small M, and with M = 1/100, "
            "p = n^2 = 10^4 and eps = 1 the batch has 1/10 of a record. With M read as c_M L/R, at least 1/sqrt(n) in "
            "its unit, it has one or more (batch-size~repaired); the rate does not need this choice."
        ),
        repair=f"{THM}/batch-size~repaired",
    ),
    step(
        "batch-size~repaired",
        "for M >= 1/sqrt(n), at L = R = 1, it is",
        "1 <= min(sqrt(n), M*n**(3/2)*eps/(sqrt(p)*q))",
        (RECORDS, DIMENSION, EPS, SMOOTH, real("q", "[1, oo)", "polylog")),
        ("p <= eps**2*n**2/q**2", "1/sqrt(n) <= M"),
        argument=(
            Have("1 <= sqrt(n)", (Power("2"), Combine((("1", "1 <= n"),)))),
            Have("sqrt(p) <= eps*n/q", (Power("2"), Combine((("1", "p <= eps**2*n**2/q**2"),)))),
            Have(
                "1 <= M*n**(3/2)*eps/(sqrt(p)*q)",
                (
                    Scale("sqrt(p)*q"),
                    Combine((("q", "sqrt(p) <= eps*n/q"), ("n**(3/2)*eps", "1/sqrt(n) <= M"))),
                ),
            ),
            Cases(
                (
                    ("sqrt(n) <= M*n**(3/2)*eps/(sqrt(p)*q)", (Combine((("1", "1 <= sqrt(n)"),)),)),
                    ("otherwise", (Combine((("1", "1 <= M*n**(3/2)*eps/(sqrt(p)*q)"),)),)),
                )
            ),
        ),
        candidates=(point("n=100 p=100 eps=1 M=1 q=1"),),
        mutants=(
            Mutant(
                "smaller",
                "M >= 1/(2 sqrt(n))",
                conditions=("p <= eps**2*n**2/q**2", "1/(2*sqrt(n)) <= M"),
                candidates=(point("n=100 p=10000 eps=1 M=1/20 q=1"),),
            ),
        ),
    ),
)
