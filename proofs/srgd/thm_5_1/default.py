"""Theorem 5.1 without noise for eta_t = t + 1, one and two steps of Algorithm 1, with projections, in every dimension.

In units where beta = 1, for M <= 1, so that F is 1-smooth. y_1 = z_1 = x_1, as eta_0 = 1.
"""

from dpaudit.claims.writing import *

from .symbols import *

Y_2 = vector("y_2")
X_1 = vector("x_1", "x_1 = y_1 = z_1")
GRADIENTS = tuple(vector(name) for name in ("g_0", "g_1", "g_2", "g_star"))
VALUES = tuple(real(name) for name in ("F_0", "F_1", "F_2"))
OPTIMUM = ("x_star", "g_star", "F_star")
NEAR = "norm(x_0 - x_star)**2 <= 1"
"""|C|_2 = 1."""
POINTS_1 = (("x_0", "g_0", "F_0"), ("x_1", "g_1", "F_1"))
POINTS_2 = (*POINTS_1, ("y_2", "g_2", "F_2"))
MOVES_1 = (("x_0 - g_0", "x_1"),)
MOVES_2 = (*MOVES_1, ("x_1 - g_1", "y_2"))


def run(points, moves, members):
    """Conditions on a run: the class of F, the projections onto C and the minimiser over it."""
    return (
        NEAR,
        *smooth_convex_at("1", *points, OPTIMUM),
        *projected_at(*moves, members=("x_0", "x_star")),
        *minimised_at(("x_star", "g_star"), members=members),
    )


LINEAR_1 = "x_0=(0) x_1=(1/2) x_star=(1) g_0=(-1/2) g_1=(-1/2) g_star=(-1/2) F_0=0 F_1=-1/4 F_star=-1/2"
LINEAR_2 = (
    "x_0=(0) x_1=(1/4) y_2=(1/2) x_star=(1) g_0=(-1/4) g_1=(-1/4) g_2=(-1/4) g_star=(-1/4) F_0=0 F_1=-1/16 F_2=-1/8 "
    "F_star=-1/4"
)
"""F = -a x on C = [0, 1], the worst slope."""
DEFAULT = (
    step(
        "default-1",
        "one step without noise, examples alike, eta_t = t + 1, in units where beta = |C|_2 = 1: F(y_1) - F(x*) <= "
        "1/3, the printed beta |C|_2^2/eta_{0:1}",
        "F_1 - F_star <= 1/3",
        (START, X_1, BEST, *GRADIENTS[:2], GRADIENTS[3], *VALUES[:2], F_STAR),
        run(POINTS_1, MOVES_1, ("x_0", "x_1")),
        tightness=(Tightness("bound", "1/3", "F_1 - F_star <= {c}", "1/4", "6/25", candidates=(point(LINEAR_1),)),),
    ),
    step(
        "default-2",
        "two steps of the same: F(y_2) - F(x*) <= 1/6, the printed beta |C|_2^2/eta_{0:2}",
        "F_2 - F_star <= 1/6",
        (START, X_1, Y_2, BEST, *GRADIENTS[:3], GRADIENTS[3], *VALUES, F_STAR),
        run(POINTS_2, MOVES_2, ("x_0", "x_1", "y_2")),
        tightness=(Tightness("bound", "1/6", "F_2 - F_star <= {c}", "1/8", "3/25", candidates=(point(LINEAR_2),)),),
    ),
)
