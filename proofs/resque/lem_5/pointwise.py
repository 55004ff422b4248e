"""One step of two coupled runs, at each point."""

from dpaudit.claims.writing import *

HERE = "resque/LEM-5~drift"

P = integer("p", "[1, oo)", "half the order m = 2p of the moment")
H, R, RHO = positive("h", "eta_i L"), positive("r", "radius"), positive("rho", "smoothing")
SLOPE = positive("L", "Lipschitz constant")
ETA, ONE, OTHER = positive("eta"), real("w", "[0, oo)", "weight"), real("w2", "[0, oo)", "the other weight")
Z = real("z", "[0, oo)", "h|Z_j|/|y - y'|")
UNIT, CHANGE = vector("e", "(y - y')/|y - y'|"), vector("d", "eta Z_j grad/|y - y'|")
SMALL = ("norm(e) <= 1", "norm(d) <= z")
A, S = positive("A", "(1 + z)^2"), real("s", "[0, 1]", "|y_j - y'_j|^2/|y - y'|^2 as a share of A")

POINTWISE = (
    step(
        "projection",
        "projections x, y of u, v onto a convex set (their variational inequalities given) are no further apart",
        "dot(x - y, x - y) <= dot(u - v, u - v)",
        (vector("u"), vector("v"), vector("x"), vector("y")),
        ("dot(u - x, y - x) <= 0", "dot(v - y, x - y) <= 0"),
        rests_on=("projection-onto-a-convex-set",),
        argument=(
            Combine(
                terms=(
                    ("2", "dot(u - x, y - x) <= 0"),
                    ("2", "dot(v - y, x - y) <= 0"),
                    ("1", "0 <= dot(u - v - (x - y), u - v - (x - y))"),
                )
            ),
        ),
        candidates=(point("u=(10,) v=(9,) x=(10,) y=(9,)"),),
        mutants=(
            mutant(
                "contraction",
                "strictly closer",
                "dot(x - y, x - y) <= 0.95*dot(u - v, u - v)",
                "u=(1,) v=(0,) x=(1,) y=(0,)",
            ),
        ),
    ),
    step(
        "hit",
        "at a hit the gradients are w g and w' g': |y_j - y'_j| <= |y - y'| + eta L (w + w') before the projection",
        "norm(x - eta*(w*g - w2*g2)) <= norm(x) + eta*L*(w + w2)",
        (ETA, SLOPE, ONE, OTHER, vector("x", "y - y'"), vector("g"), vector("g2")),
        ("norm(g) <= L", "norm(g2) <= L"),
        argument=(
            Combine(
                terms=(
                    ("1", "norm(x - eta*(w*g - w2*g2)) <= norm(x) + norm(eta*(w*g - w2*g2))"),
                    ("1", "norm(eta*(w*g - w2*g2)) <= norm(eta*w*g) + norm(eta*w2*g2)"),
                    ("eta*w", "norm(g) <= L"),
                    ("eta*w2", "norm(g2) <= L"),
                )
            ),
        ),
        mutants=(
            mutant(
                "one-weight",
                "one of the two weights",
                "norm(x - eta*(w*g - w2*g2)) <= norm(x) + eta*L*w",
                "eta=1 L=1 w=1 w2=1 x=(1,) g=(-1,) g2=(1,)",
            ),
        ),
    ),
    step(
        "away-above",
        "elsewhere both runs use w g, w' g: with C = |y_j - y'_j|^2/|y - y'|^2 - 1, C <= 2z + z^2",
        "dot(d, d) - 2*dot(e, d) <= 2*z + z**2",
        (UNIT, CHANGE, Z),
        SMALL,
        argument=(
            Combine(
                terms=(
                    ("2", "dot(-e, d) <= norm(-e)*norm(d)"),
                    ("2*norm(d)", "norm(e) <= 1"),
                    ("2 + z + norm(d)", "norm(d) <= z"),
                )
            ),
        ),
        mutants=(mutant("first-order", "without the square", "dot(d, d) - 2*dot(e, d) <= 2*z", "e=(1,) d=(-1,) z=1"),),
    ),
    step(
        "away-below",
        "and -C <= 2z + z^2",
        "2*dot(e, d) - dot(d, d) <= 2*z + z**2",
        (UNIT, CHANGE, Z),
        SMALL,
        argument=(
            Combine(
                terms=(
                    ("2", "dot(e, d) <= norm(e)*norm(d)"),
                    ("2*norm(d)", "norm(e) <= 1"),
                    ("2", "norm(d) <= z"),
                    ("1", "0 <= norm(d)**2"),
                    ("1", "0 <= z**2"),
                )
            ),
        ),
        mutants=(mutant("half", "z in place of 2z", "2*dot(e, d) - dot(d, d) <= z - z**2", "e=(1,) d=(1,) z=1"),),
    ),
    step(
        "powers",
        "if A + s A >= 2, as follows from |C| <= 2z + z^2 with A = (1 + z)^2 and s A = 1 + C, then A^p + (s A)^p >= 2",
        "2 <= A**p*(1 + s**p)",
        (A, S, P),
        ("2 <= A*(1 + s)",),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "p",
                base=(Combine(terms=(("1", "2 <= A*(1 + s)"),)),),
                step=(
                    Combine(
                        terms=(
                            ("A*(1 + s)/2", "2 <= A**p*(1 + s**p)"),
                            ("1", "2 <= A*(1 + s)"),
                            ("A**(p + 1)/2*(1 - s)", "s**p <= 1"),
                        )
                    ),
                ),
            ),
        ),
        mutants=(mutant("constant", "2.1 in place of 2", "2.1 <= A**p*(1 + s**p)", "A=1 s=1 p=3"),),
    ),
    step(
        "taylor",
        "(1 + C)^p - p C <= (1 + z)^(2p) - p (2z + z^2), that is p (A - s A) <= A^p - (s A)^p",
        "p*A*(1 - s) <= A**p*(1 - s**p)",
        (A, S, P),
        ("2 <= A*(1 + s)",),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "p",
                base=(Identical(),),
                step=(
                    Have("2 <= A**p*(1 + s**p)", (ByTheorem(f"{HERE}/powers"),)),
                    Rewrite(right="(A*(1 + s)/2)*(A**p*(1 - s**p)) + (A*(1 - s)/2)*(A**p*(1 + s**p))"),
                    Combine(
                        terms=(
                            ("A*(1 + s)/2", "p*A*(1 - s) <= A**p*(1 - s**p)"),
                            ("A*(1 - s)/2", "2 <= A**p*(1 + s**p)"),
                            ("p*A*(1 - s)/2", "2 <= A*(1 + s)"),
                        )
                    ),
                ),
            ),
        ),
        mutants=(
            Mutant(
                "no-lower-bound",
                "the condition |C| <= 2z + z^2 dropped",
                conditions=(),
                candidates=(point("A=1/2 s=0 p=2"),),
            ),
            mutant("slope", "1.1 p in place of p", "1.1*p*A*(1 - s) <= A**p*(1 - s**p)", "A=10/9 s=4/5 p=2"),
        ),
    ),
)
