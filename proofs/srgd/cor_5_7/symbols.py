"""Corollary 5.7: what the release of all noisy prefix sums tells of two neighbouring runs.

With K the most that one per-example difference can be, a prefix moves by K/(B beta) in the units of the noise b, and
a difference is in as many nodes as `nodes` says. K, L, B and beta cancel, so that mu = eps sqrt(share/ln(2.5/delta)).
"""

from dpaudit.claims.writing import *

COR = "srgd/COR-5.7"
STEPS, NODES = integer("T", "[2, oo)", "steps"), integer("nodes", "[1, oo)", "nodes that hold one difference")
EPS, DELTA = positive("eps"), real("delta", "(0, 1)")
USUAL = real("eps", "(0, 9/5]")
RECORDS = integer("n", "[2, oo)", "number of records")
LN = "log(5/(2*delta))"
LEVELS = "ceil(log2(T))"
ALL_NODES = "(floor(log2(T)) + 1)"
"""The nodes that hold the first difference, after T steps."""
C_DP = f"(4*sqrt(2)*log2(n)**(3/2)*sqrt(log(2*n/delta))*{LN})"
SCALES = tuple(map(positive, ("c_DP", "L", "B", "beta")))
SIGMA = f"(c_DP*L*sqrt(log2(T)*{LN})/(eps*B*beta))"


def shift(share):
    """mu of the release, if its square is eps^2 share/ln(2.5/delta)."""
    return f"eps*sqrt({share}/{LN})"


def told_apart(share):
    """The hockey-stick divergence at e^eps of the release: of N(0, 1) and N(mu, 1)."""
    mu = shift(share)
    return f"Phi(-eps/({mu}) + ({mu})/2) - exp(eps)*Phi(-eps/({mu}) - ({mu})/2)"


def through_tail(share, most, rest, before=()):
    """That it is at most delta/2, by the tail of a normal law: -x^2/2 with x = eps/mu - mu/2, share <= most.

    rest: what shows that eps/2 <= (1/(2 most) - 1) l + log(5/2), l = ln(2.5/delta)."""
    mu, x = f"(eps*sqrt({share}/l))", f"(eps/(eps*sqrt({share}/l)) - eps*sqrt({share}/l)/2)"
    half = f"1/(2*{most})"
    return (
        *before,
        Bound(
            left=f"Phi(-eps/({shift(share)}) + ({shift(share)})/2)",
            argument=(Combine((("exp(eps)", f"0 <= Phi(-eps/({shift(share)}) - ({shift(share)})/2)"),)),),
        ),
        Substitute((real("l", "(9/10, oo)", "ln(2.5/delta)"),), where("delta=5/2*exp(-l)"), where(f"l={LN}")),
        Rewrite(left=f"Phi(-{x})"),
        Bound(left=f"exp(-{x}**2/2)/2", by="normal-tail", because="x >= 0, as eps/2 <= l/share"),
        Logarithm(),
        Rewrite(left=f"-log(2) - (l/({share}) - eps + ({mu})**2/4)/2", right="log(5/2) - log(2) - l"),
        Bound(
            left="-log(2) - l/(2*" + share + ") + eps/2",
            argument=(
                Rewrite(left=f"-log(2) - l/(2*{share}) + eps/2 - eps**2*({share})/(8*l)"),
                Combine(((f"eps**2*{share}/(8*l)", "0 <= 1"),)),
            ),
        ),
        Have(f"{half}*l <= l/(2*{share})", (Scale(f"2*{most}*{share}/l"), Combine((("1", f"{share} <= {most}"),)))),
        Have("91/100 <= log(5/2)", (Boxes(),)),
        Combine((("1", f"{half}*l <= l/(2*{share})"), ("1", "91/100 <= log(5/2)"), *rest)),
    )


NODES_FIT = (
    Have(f"nodes <= 1 + {LEVELS}", (ByTheorem("srgd/LEM-5.6/s3"),)),
    Have(
        f"1 + {LEVELS} <= 2*log2(T)",
        (
            Cases(
                (
                    ("T < 3", (Narrow(), Boxes())),
                    ("T < 4", (Narrow(), Boxes())),
                    (
                        "otherwise",
                        (
                            Have(
                                "2 <= log2(T)",
                                (
                                    Rewrite(left="log(4)/log(2)", right="log(T)/log(2)"),
                                    Scale("log(2)"),
                                    Combine((("1", "log(4/T) <= 4/T - 1"), ("1/T", "4 <= T"))),
                                ),
                            ),
                            Combine((("1", f"{LEVELS} < log2(T) + 1"), ("1", "2 <= log2(T)"))),
                        ),
                    ),
                )
            ),
        ),
    ),
    Have("0 < log2(T)", (Rewrite(right="log(T)/log(2)"), Positive())),
)
