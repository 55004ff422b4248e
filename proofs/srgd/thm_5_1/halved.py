"""Theorem 5.1 for the update of z_t that its proof has, and the eta_t of the paper."""

from dpaudit.claims.writing import *

from .symbols import *

SLOPE_A = real("a", "[0, oo)", "slope")
ROWS = (sequence("x", "[0, 1]"), sequence("y", "[0, 1]"), sequence("z", "[0, 1]"))
RUN = (
    "x[0] == 0",
    "z[0] == 0",
    "all(t, 0, 4, y[t + 1] == x[t] + a)",
    "all(t, 0, 4, z[t + 1] == z[t] + (t + 1)/2*a)",
    "all(t, 0, 4, x[t + 1] == (t + 1)/(t + 3)*y[t + 1] + 2/(t + 3)*z[t + 1])",
)
"""beta = 1, F = -a x on C = [0, 1], no noise, no projection acting; tau_(t+1) = 2/(t + 3)."""

HALVED = (
    erratum(
        "halved",
        "the theorem for z_(t+1) the projection of z'_(t+1) = z_t - eta_t/(2 beta) nabla_t + b_t and eta_t = t "
        "+ 1: five steps without noise on F = -a x over C = [0, 1], beta = 1, where eta_{0:5} = 21",
        "a*(1 - y[5]) <= 1/21",
        (SLOPE_A, *ROWS),
        RUN,
        reads=Reads.READING,
        candidates=(
            point(
                "a=3/31 x=[0,2/31,19/124,33/124,25/62,35/62] y=[0,3/31,5/31,1/4,45/124,1/2] "
                "z=[0,3/62,9/62,9/31,15/31,45/62]"
            ),
        ),
        finding=(
            "With a = 3/31 the points y_1 to y_5 are 3/31, 5/31, 1/4, 45/124 and 1/2, z_5 = 45/62, and nothing "
            "is projected: F(y_5) - F(x*) = 3/62, more than 1/21, and less than 1/15, which is 1/eta_{0:4} and "
            "what the repaired theorem has with kappa = 2: again it is the index that fails. With the step of "
            "Algorithm 1 and eta_t = t + 1 this family gives at most 3/4 of the printed bound."
        ),
        repair=f"{HERE}~repaired",
    ),
)
