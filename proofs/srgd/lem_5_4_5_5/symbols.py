"""The joint induction of Lemmas 5.4 and 5.5: its symbols."""

from dpaudit.claims.writing import *

HERE = "srgd/LEM-5.4-5.5"
C_DP = "4*sqrt(2)*x**(3/2)*sqrt(log(2) + 2*x)*(log(5/2) + x)"
"""c_DP of (19) at delta = 1/n, where 2n/delta = 2 n^2 and 2.5/delta = 2.5 n."""
LOG, VALUE, SMOOTH = positive("x", "log(n)"), real("c_DP", "[1, oo)"), real("c_M", "[1, oo)", "M R <= c_M L")
ELL, G = real("ell", "[1, oo)", "log(T/gamma)"), positive("g", "log(6T/gamma)")
CLOSED = "400000*c_M*sqrt(c_DP*ell) + 400000*c_M*sqrt(c_DP) + 2*c_DP**2*sqrt(6*g)/exp(x/4) + 2*400000*c_M + 3*c_M + 1"
SIZES = ("8*x**3 <= c_DP", "c_DP <= 24*x**3")
SIX = "g <= log(6) + ell"
"""log(6T/gamma) = log(6) + log(T/gamma)."""
AT = "x=1000000 c_M=1 c_DP=10000000000000000000 ell=1500000 g=1500001"
IN_TIME = "c_DP*n**(1/4) <= n**(3/4)/c_DP"
BROKEN = sequence("v", "[0, oo)", "by how much a bound of either lemma is exceeded up to step t")
UPPER = (
    Have("log(2) <= 2*x", (Have("log(2) <= 1", (Boxes(),)), Combine((("1", "log(2) <= 1"), ("2", "100 <= x"))))),
    Have("log(5/2) <= x", (Have("log(5/2) <= 1", (Boxes(),)), Combine((("1", "log(5/2) <= 1"), ("1", "100 <= x"))))),
    Have("sqrt(log(2) + 2*x) <= 2*sqrt(x)", (Power("2"), Combine((("1", "log(2) <= 2*x"),)))),
    Have("16*sqrt(2) <= 24", (Boxes(),)),
    Have(
        f"{C_DP} <= 24*x**3",
        (
            Combine(
                (
                    ("4*sqrt(2)*x**(3/2)*(log(5/2) + x)", "sqrt(log(2) + 2*x) <= 2*sqrt(x)"),
                    ("8*sqrt(2)*x**2", "log(5/2) <= x"),
                    ("x**3", "16*sqrt(2) <= 24"),
                )
            ),
        ),
    ),
)
"""c_DP <= 24 x^3 for x >= 100."""
