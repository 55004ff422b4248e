"""The rate for the zeta that the privacy conditions of Theorem 5.1 allow: (n eps)^(-3/5) for large n."""

from dpaudit.claims.writing import *

from .notation import *
from .terms import *

RIGHT = f"15*zeta + C_7*L*D_F*G*d*{LAM}/(n**2*eps**2*zeta**2) + C_8*{SPREAD}/(n*eps*sqrt(zeta))"
LEAST_ZETA = f"((6720*exp(1)*G**7*{LAM}**2/(L*D_F*(n*eps)**3))**(1/5))"
LARGER = f"max({ACCURACY_0}, {LEAST_ZETA})"
C_10 = "(15 + C_7/C_9**3 + C_8/C_9**(3/2))"

REPAIRED_RATE = (
    step(
        "rate-any-zeta",
        "the right side of (2.21), kappa = 0, is at most (15 + C_7/C_9^3 + C_8/C_9^(3/2)) zeta for every zeta that is "
        "at least that of (2.22)",
        f"{RIGHT} <= {C_10}*zeta",
        (LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, ZETA, EPS, DELTA, ANY_9, positive("C_7"), positive("C_8")),
        ours=(f"{ACCURACY_0} <= zeta",),
        argument=(
            *CUBE_ROOT,
            Substitute((positive("z", "sqrt(zeta)"),), where("zeta=z**2"), where("z=sqrt(zeta)")),
            Have("c*a <= z", (Power("2"),)),
            Have("(c*a)**3 <= z**3", (Combine((("z**2 + c*a*z + (c*a)**2", "c*a <= z"),)),)),
            Have("(c*a)**6 <= z**6", (Combine((("z**3 + (c*a)**3", "(c*a)**3 <= z**3"),)),)),
            Rewrite(left="15*z**2 + C_7*a**6/z**4 + C_8*a**3/z", right="(15 + C_7/c**6 + C_8/c**3)*z**2"),
            Combine((("C_7/(c**6*z**4)", "(c*a)**6 <= z**6"), ("C_8/(c**3*z)", "(c*a)**3 <= z**3"))),
        ),
        mutants=(
            Mutant(
                "smaller",
                "zeta of 9/10 of (2.22)",
                conditions=(f"9/10*{ACCURACY_0} <= zeta",),
                candidates=(point("G=1 L=1 D_F=1 n=1 d=1 zeta=8/10 eps=1 delta=1/2 C_9=1 C_7=1 C_8=1"),),
            ),
        ),
    ),
    step(
        "large-n",
        "the least zeta that `product` allows, (6720 e G^7 log^2(1/delta)/(L D_F (n eps)^3))^(1/5), is not too large "
        "from some n on",
        f"{LEAST_ZETA}**4*n**2*eps <= 56/3*G**4",
        (LIPSCHITZ, SMOOTH, GAP, RECORDS, EPS, DELTA),
        ours=(f"3/56*(6720*exp(1)*{LAM}**2*G**2/(L*D_F))**(4/5)/eps <= (n*eps)**(2/5)",),
        mutants=(
            Mutant(
                "power",
                "(n eps)^(3/5) in the place of (n eps)^(2/5)",
                conditions=(f"3/56*(6720*exp(1)*{LAM}**2*G**2/(L*D_F))**(4/5)/eps <= (n*eps)**(3/5)",),
                candidates=(point("G=1 L=1 D_F=1 n=5000 eps=1 delta=1/2"),),
            ),
        ),
    ),
    step(
        "rate~repaired",
        "so with zeta the larger of (2.22), kappa = 0, and the least that `product` allows, the right side of (2.21) "
        "is at most C_10 times the larger of (sqrt(G L D_F d log(1/delta))/(n eps))^(2/3) C_9 and (6720 e G^7 "
        "log^2(1/delta)/(L D_F (n eps)^3))^(1/5)",
        f"{RIGHT.replace('zeta', LARGER)} <= {C_10}*{LARGER}",
        (*NO_KAPPA, positive("C_7"), positive("C_8")),
        argument=(
            Have(f"{ACCURACY_0} <= {LARGER}"),
            Have(f"0 < {ACCURACY_0}", CUBE_ROOT),
            Have(f"0 < {LARGER}", (Combine((("1", f"{ACCURACY_0} <= {LARGER}"), ("1", f"0 < {ACCURACY_0}"))),)),
            ByTheorem("srm/THM-5.4/rate-any-zeta", at=(("zeta", LARGER),)),
        ),
        mutants=(
            Mutant(
                "smaller",
                "a third of C_10",
                f"{RIGHT.replace('zeta', LARGER)} <= {C_10}/3*{LARGER}",
                candidates=(point("G=1 L=1 D_F=1 n=1000000 d=1000000 eps=1 delta=1/2 C_9=1 C_7=1 C_8=1"),),
            ),
        ),
    ),
)
