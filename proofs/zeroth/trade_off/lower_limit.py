"""The lower limit of Corollary 3.3 on K, with x for m/M and c = 1 - x, and how large it is at least."""

from dpaudit.claims.writing import *

FACTOR = "20*(1 + (1 - x)**2)**2/(3*(1 - (1 - x)**2)**2)"
LOG = "log(4*N/delta)"
QUOTIENT = "4/5*(2 - x) <= 2 - 2*x + x**2"
MANY = f"1/(4*x) <= {FACTOR}"
LONG_LOG = (
    Have("1 < log(4)", (Boxes(),)),
    Have("delta/N <= 1", (Scale("N"), Combine((("1", "delta <= 1"), ("1", "1 <= N"))))),
    Have(
        f"1 < {LOG}",
        (Combine((("1", "log(4/(4*N/delta)) <= 4/(4*N/delta) - 1"), ("1", "delta/N <= 1"), ("1", "1 < log(4)"))),),
    ),
)
MANY_DIRECTIONS = (
    Have(QUOTIENT, (Combine((("1", "0 <= (x - 3/5)**2"), ("1/25", "0 <= 1"))),)),
    Have("16/25*(2 - x)**2 <= (2 - 2*x + x**2)**2", (Combine((("2 - 2*x + x**2 + 4/5*(2 - x)", QUOTIENT),)),)),
    Have(
        MANY,
        (
            Rewrite(right="20*(2 - 2*x + x**2)**2/(3*x**2*(2 - x)**2)"),
            Combine(
                (
                    ("20/(3*x**2*(2 - x)**2)", "16/25*(2 - x)**2 <= (2 - 2*x + x**2)**2"),
                    ("1/(4*x**2)", "x <= 1"),
                    ("4/x**2", "0 <= 1"),
                )
            ),
        ),
    ),
)
