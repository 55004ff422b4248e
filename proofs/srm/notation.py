"""The symbols of the paper: its name for each, the range, and where it is introduced.

`Lam` of the specification is log(1/delta); the paper writes it out, and so do the statements, as `LAM`.
"""

from dpaudit.claims.writing import Substitute, integer, positive, real, where

# The problem: assumptions A1 to A3 and the sizes.
LIPSCHITZ = positive("G", "every record's loss is G-Lipschitz")
SMOOTH = positive("L", "every record's loss is L-smooth")
GAP = positive("D_F", "F(theta^0) - F(theta*)")
RECORDS = integer("n", "[1, oo)", "number of records")
DIMENSION = integer("d", "[1, oo)", "dimension")

# Algorithm 1.
STEPS = integer("T", "[1, oo)", "number of noisy estimates")
BATCH, FIRST_BATCH = integer("b", "[1, oo)", "batch size"), integer("b0", "[1, oo)", "size of the first batch")
GAMMA = real("gamma", "(0, 1]", "momentum")
ZETA, DIVISOR = positive("zeta", "target accuracy"), positive("n0", "step-size divisor")
SIGMA, FIRST_SIGMA = (
    positive("sigma", "noise of the estimates t >= 1"),
    positive("sigma0", "noise of the first estimate"),
)

# Privacy: Section 2.1.
EPS, DELTA = positive("eps"), real("delta", "(0, 1)")
ALPHA = real("alpha", "(1, oo)", "Renyi order")
BETA = real("beta", "(0, 1)", "share of eps that the Renyi bound has")
TAU = real("tau", "(0, 1]", "subsampling rate: batch size over n")

# Utility: Section 2.3.
KAPPA = real("kappa", "[0, 1]", "exponent of (2.21)")
LAM = "log(1/delta)"
# Symbols in which the zeta of (2.22) at kappa = 0 has no root left: a is its cube root but for C_9.
CUBE_ROOT = (
    Substitute(
        (positive("w", f"sqrt({LAM})"), positive("c", "sqrt(C_9)")),
        where("delta=exp(-w**2) C_9=c**2"),
        where(f"w=sqrt({LAM}) c=sqrt(C_9)"),
    ),
    Substitute(
        (positive("a"),),
        where("L=(a**3*n*eps)**2/(G*D_F*d*w**2)"),
        where("a=(sqrt(G*L*D_F*d*w**2)/(n*eps))**(1/3)"),
    ),
)
