"""What the parts of the strongly convex case share.

kappa is (1/mu) max M_i/p_i, c is log(1/delta)/(n eps)^2, S_sq is Sigma_S^2, A = (1 + kappa) Sigma_S^2 c, and x =
(f(w^0) - f*)/A, so that the T of the theorem is log_2 x.
"""

from dpaudit.claims.writing import *

STEPS_K, EPOCHS = positive("K", "inner steps"), integer("T", "[1, oo)", "epochs")
KAPPA = real("kappa", "[1, oo)", "(1/mu) max over i of M_i/p_i; at least 1 by s11-kappa")
C_PRIV, SPREAD = positive("c", "log(1/delta)/(n eps)^2"), positive("S_sq", "Sigma_S^2")
NOW, NEXT = real("gap", "[0, oo)", "f(w^t) - f*"), real("gap_next", "[0, oo)", "E f(w^(t+1)) - f*")
START, ERROR = positive("gap_0", "f(w^0) - f*"), real("error", "[0, oo)", "E f(w^T) - f*")
N = real("N", "[0, oo)", "E|C sigma_S 1|^2_(P M^-1)")
GAPS = sequence("e", "[0, oo)", "E f(w^t) - f*")
FLOOR = "((1 + kappa)*S_sq*c)"
"""A, the noise floor."""
HERE = "rbcd/THM-4.2b"
HALVED = "all(t, 0, T - 1, e[t + 1] <= e[t]/2 + N)"
TOTAL = "error <= gap_0/2**T + 2*N"
LEVEL, CHOICE, ROUNDS = "N == 12*K*T*c*S_sq", "K == 2*(1 + kappa)", f"gap_0 == 2**T*{FLOOR}"
"""s8, and the K and the T of the theorem."""
SIZES = (STEPS_K, EPOCHS, KAPPA, C_PRIV, SPREAD, START, N, ERROR)
ONE_COORDINATE = "K=4 T=4 kappa=1 c=1 S_sq=1 gap_0=32 N=192"
"""d = 1, f of curvature mu = M, full sampling: kappa = 1."""
