"""What "large n" has to mean besides gamma <= 1 (s30): a batch that is at least one record and at most all of them."""

from dpaudit.claims.writing import *

from .notation import *
from .terms import *

CHOSEN_BATCH = FIRST_BATCH_OF.replace("zeta", ACCURACY_0)

SIZES = (
    step(
        "batch-fits",
        "b0 <= n for n >= G^8 eps^2/(C_9^3 (L D_F)^4 d log(1/delta)), kappa = 0. The paper does not name this; its "
        "own bound on n is smaller where d^3 is large",
        f"{CHOSEN_BATCH} <= n",
        NO_KAPPA,
        ours=(f"G**8*eps**2/(C_9**3*(L*D_F)**4*d*{LAM}) <= n",),
        argument=(
            *CUBE_ROOT,
            Power("3"),
        ),
        mutants=(
            Mutant(
                "constant",
                "half as many",
                conditions=(f"G**8*eps**2/(2*C_9**3*(L*D_F)**4*d*{LAM}) <= n",),
                candidates=(point("G=10 L=1 D_F=1 n=500000 d=100 eps=69/100 delta=1/2 C_9=1"),),
            ),
        ),
    ),
    step(
        "batch-one",
        "b0 >= 1, which the chain before (2.24) uses, for n eps >= C_9^(3/2) (L D_F)^2 sqrt(d log(1/delta))/G^4, "
        "kappa = 0",
        f"1 <= {CHOSEN_BATCH}",
        NO_KAPPA,
        ours=(f"C_9**(3/2)*(L*D_F)**2*sqrt(d*{LAM})/G**4 <= n*eps",),
        argument=(*CUBE_ROOT, Power("3/2")),
        mutants=(
            Mutant(
                "constant",
                "half of it",
                conditions=(f"C_9**(3/2)*(L*D_F)**2*sqrt(d*{LAM})/(2*G**4) <= n*eps",),
                candidates=(point("G=1 L=1 D_F=1 n=5 d=100 eps=1 delta=1/2 C_9=1"),),
            ),
        ),
    ),
)
