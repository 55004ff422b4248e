"""The binary tree of Lemma 5.6: its symbols, and facts on log_2(T) for whole T >= 2."""

from dpaudit.claims.writing import *

LEM = "srgd/LEM-5.6"
STEPS, PREFIX = integer("T", "[2, oo)", "steps"), integer("t", "[1, oo)", "length of a prefix")
LEVEL, PLACE = integer("k", "[0, oo)", "level of a node"), integer("j", "[1, oo)", "its place on the level")
NODES = integer("nodes", "[1, oo)", "number of nodes")
SENSITIVITY, MU = positive("C", "most that one Delta_i changes"), positive("mu", "of the Gaussian guarantee")
DIMENSION, DELTA = integer("p", "[1, oo)", "dimension"), real("delta", "(0, 1)", "failure probability")
LEVELS, LOG_TAIL = "ceil(log2(T))", "log(2*T/delta)"
SIGMA = f"(C*sqrt(1 + {LEVELS})/mu)"
"""The standard deviation of the noise of a node, per coordinate."""
IN_PREFIX = ("t <= T", *prefix_nodes("nodes", "t"))


def at_least(ell, start):
    """log_2(T) >= ell, where T >= start = 2^ell is known."""
    return (
        Have(
            f"{ell} <= log2(T)",
            (
                Rewrite(left=f"log({start})/log(2)", right="log(T)/log(2)"),
                Scale("log(2)"),
                Combine((("1", f"log({start}/T) <= {start}/T - 1"), ("1/T", f"{start} <= T"))),
            ),
        ),
    )


def small(most):
    """Cases for T = 2, ..., most, each by enclosures."""
    return tuple((f"T < {size + 1}", (Narrow(), Boxes())) for size in range(2, most + 1))


FITS = (
    Have(
        "log2(t + 1) < log2(T) + 1",
        (
            Rewrite(left="log(t + 1)/log(2)", right="log(2*T)/log(2)"),
            Scale("log(2)"),
            Combine(
                (
                    ("1", "log((t + 1)/(2*T)) <= (t + 1)/(2*T) - 1"),
                    ("1/(2*T)", "t <= T"),
                    ("1/(2*T)", "2 <= T"),
                )
            ),
        ),
    ),
    Have(
        f"nodes < {LEVELS} + 1",
        (
            Combine(
                (
                    ("1", "nodes <= floor(log2((t) + 1))"),
                    ("1", "floor(log2(t + 1)) <= log2(t + 1)"),
                    ("1", "log2(t + 1) < log2(T) + 1"),
                    ("1", f"log2(T) <= {LEVELS}"),
                )
            ),
        ),
    ),
    Substitute((integer("gap", "(-oo, oo)"),), (("nodes", f"{LEVELS} - gap"),), (("gap", f"{LEVELS} - nodes"),)),
    Have("-1 < gap", (Combine((("1", f"{LEVELS} - gap < {LEVELS} + 1"),)),)),
    Have("0 <= gap", (Narrow(), Boxes())),
    Combine((("1", "0 <= gap"),)),
)
"""nodes <= ceil(log_2 T): nodes < ceil(log_2 T) + 1, and both are whole numbers."""
TWICE = (
    Cases(
        (
            *small(3),
            (
                "otherwise",
                (*at_least(2, 4), Combine((("1", f"{LEVELS} < log2(T) + 1"), ("1", "2 <= log2(T)")))),
            ),
        )
    ),
)
"""1 + ceil(log_2 T) <= 2 log_2 T."""
