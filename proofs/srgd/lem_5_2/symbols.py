"""What the parts of Lemma 5.2 share: the printed bound, the potential, and the updates of z_t.

r stands for Q sqrt(3 (t + 1) log(6/gamma))/(sqrt(B) eta_t); the printed bound is one in r, and s18 has that |q_t|
<= r holds with probability 1 - gamma. With Q = 0 it is 0.
"""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/LEM-5.2"
DROP = f"{GAP} + 2*beta*(norm(z_next - x_star)**2 - norm(z - x_star)**2)"
"""Phi_(t+1) - Phi_t."""
PLACES = (Y, Z, Y_NEXT, Z_NEXT, BEST, ESTIMATE, NOISE, ERROR)
GRADIENTS = (AT_Y, AT_NEXT, AT_BEST)
NUMBERS = (F_X, F_Y, F_NEXT, F_STAR)
SYMBOLS = (SMOOTH, SIZE, RADIUS, ETA, ETA_SUM, BETA, *PLACES, *GRADIENTS, *NUMBERS)
CLASS = smooth_convex_at(
    "M",
    (X, "grad - q", "F_x"),
    ("y", "grad_y", "F_y"),
    ("y_next", "grad_next", "F_next"),
    ("x_star", "grad_star", "F_star"),
)
MINIMAL = minimised_at(("x_star", "grad_star"), members=("y", "z", "y_next", "z_next"))
NEAR = ("norm(z - x_star) <= norm_C", "norm(z_next - x_star) <= norm_C", f"norm{LEAP} <= norm_C")


def z_step(inner):
    """z_(t+1) is the projection of this point, and x* lies in C."""
    return projected_at((inner, "z_next"), members=("x_star",))


ALGORITHM, PRIMED = "z - eta/beta*grad + b", "z - eta/(2*beta)*grad + b"
"""What Algorithm 1 projects, line 7, and z'_(t+1) of the proof."""
SETTING = (FOUR, PART, SMALL_STEP, ON_EVENT, *NEAR, *CLASS, *MINIMAL, *Y_STEP)
FREE = "M=1 norm_C=2 r=0 beta=1 b=(0) q=(0) x_star=(0) grad_star=(0) F_star=0"
RUN = (
    f"{FREE} eta=3 eta_sum=6 y=(1/4) z=(0) grad=(1/16) y_next=(1/16) z_next=(-3/16) grad_y=(1/8) "
    "grad_next=(1/32) F_x=1/256 F_y=1/64 F_next=1/1024"
)
"""Third step of Algorithm 1 for F = x^2/4, eta_t = t + 1, beta = 1, without noise, from x_0 = z_0 = 1, x* = 0: y_1 =
z_1 = x_1 = 1/2, y_2 = 1/4, z_2 = 0, x_2 = 1/8."""
PRIMED_RUN = (
    f"{FREE} eta=8 eta_sum=36 y=(-67/81920) z=(127/163840) grad=(-57/163840) y_next=(-19/163840) z_next=(71/32768) "
    "grad_y=(-201/327680) grad_next=(-57/655360) F_x=1083/13421772800 F_y=13467/53687091200 F_next=1083/214748364800"
)
"""Eighth step with z' for F = (3/8) x^2, otherwise the same."""
