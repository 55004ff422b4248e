"""The second bound of Lemma 5.9, and a run that exceeds it: one dimension, T = 4, L = M = 1, no noise.

C = [-R/2, R/2], batches of one record. The first three losses are linear, with slopes a0, a1, a2; the record of the
last step has the gradient s + k x. As z_1 = y_1 = x_1 the run begins at x_1.
"""

from dpaudit.claims.writing import *

from .symbols import *


def onto_set(term):
    """The projection of a number onto C."""
    return f"max(-R/2, min(R/2, {term}))"


SLOPES = tuple(real(f"a{i}", "[-1, 1]", f"slope of the loss of step {i}") for i in range(3))
POINTS = tuple(real(name) for name in ("x1", "y2", "z2", "x2", "y3", "z3", "x3"))
RUN = (
    f"x1 == {onto_set('-a0/beta')}",
    f"y2 == {onto_set('x1 - (a0 + a1)/(2*beta)')}",
    f"z2 == {onto_set('x1 - (a0 + a1)/beta')}",
    "x2 == 1/2*y2 + 1/2*z2",
    f"y3 == {onto_set('x2 - (a0 + a1 + a2)/(3*beta)')}",
    f"z3 == {onto_set('z2 - (a0 + a1 + a2)/beta')}",
    "x3 == 3/5*y3 + 2/5*z3",
    "abs(s + k*R/2) <= 1",
    "abs(s - k*R/2) <= 1",
)
FAR = "abs(4*(s + k*x3) - 3*(s + k*x2)) <= 2*R + 1"
"""|Delta_3(d)| <= 2 M b_max + (2 c_M + 1) L, where L = M = 1, c_M = M R/L = R and b_max = 0."""
RUN_SYMBOLS = (RADIUS, BETA, *SLOPES, real("s"), real("k", "[0, 1]"), *POINTS)
SLAM = "R=1/24 beta=8 a0=1/3 a1=-1/3 a2=-1 s=47/48 k=1 x1=-1/48 y2=-1/48 z2=-1/48 x2=-1/48 y3=1/48 z3=1/48 x3=1/48"

RUN_STEPS = (
    erratum(
        "s8",
        "2 (M b_max + 2 M R + L) <= 2 M b_max + (2 c_M + 1) L",
        f"2*{ADDED} <= 2*M*b + (2*c_M + 1)*L",
        (*CONSTANTS, C_M),
        ("M*R <= c_M*L",),
        place="Lemma 5.9, second bound",
        printed=r"2(Mb_{\max}+2MR+L)\le 2Mb_{max}+(2c_M+1)L",
        candidates=(point("M=1 b=0 R=1 L=1 c_M=1"),),
        finding=(
            "4 M R + 2 L is at most (4 c_M + 2) L; a factor of 2 is lost, and at M R = c_M L the line is false for "
            "every L and c_M. (4 c_M + 2) L is what Corollary 5.10 needs for its (8 c_M + 4) L."
        ),
        repair=f"{LEM}/s8~repaired",
    ),
    step(
        "s8~repaired",
        "with (4 c_M + 2) L it holds",
        f"2*{ADDED} <= 2*M*b + (4*c_M + 2)*L",
        (*CONSTANTS, C_M),
        ("M*R <= c_M*L",),
        argument=(Combine((("4", "M*R <= c_M*L"),)),),
        candidates=(point("M=1 b=0 R=1 L=1 c_M=1"),),
        mutants=(mutant("three", "3 c_M + 2", f"2*{ADDED} <= 2*M*b + (3*c_M + 2)*L", "M=1 b=0 R=1 L=1 c_M=1"),),
    ),
)
