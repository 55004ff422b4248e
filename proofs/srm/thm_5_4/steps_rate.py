"""The choice of zeta and of kappa, (2.22) to (2.25): steps s29 to s35.

s32 and s33 stand in `steps_variance`, s34 in `steps_kappa`.
"""

from dpaudit.claims.writing import *

from .notation import *
from .steps_kappa import KAPPAS
from .steps_variance import VARIANCE
from .symbols import *
from .terms import *

C_10 = "(15*C_9 + (C_7 + C_8)*max(1, 1/C_9**3))"
A, A_0 = f"(G**(kappa/2)*{SPREAD}/(n*eps))", f"({SPREAD}/(n*eps))"
"""What is raised to 2/(3 + kappa) in (2.22) and (2.23), and to 2/3 in (2.25)."""
MOMENTUM_0 = f"sqrt(2)*{ACCURACY_0}/(L*D_F/G**2*G)"
"""gamma at kappa = 0."""
RIGHT_0 = (
    f"15*{ACCURACY_0} + C_7*L*D_F*G*d*{LAM}/(n**2*eps**2*{ACCURACY_0}**2) + C_8*{SPREAD}/(n*eps*sqrt({ACCURACY_0}))"
)
"""The right side of (2.21) at kappa = 0."""
RIGHT = line_3("C_7", "C_8").replace("zeta", ACCURACY)
"""The same for every kappa."""
LEAST_SIZE = f"(sqrt(2)*C_9)**(3/2)*G**2*sqrt(d*{LAM})/(L*D_F)"
# L for a = (sqrt(G L D_F d log(1/delta))/(n eps))^(1/3).
ROOT_OF_RATE = Substitute(
    (positive("a"), positive("w", f"sqrt({LAM})"), positive("c", "sqrt(C_9)")),
    where("L=(a**3*n*eps)**2/(G*D_F*d*w**2) delta=exp(-w**2) C_9=c**2"),
    where(f"a=({SPREAD}/(n*eps))**(1/3) w=sqrt({LAM}) c=sqrt(C_9)"),
)


def at_most_the_larger(power):
    """C_9^(-power) <= max(1, 1/C_9^3) for a power from 0 to 3."""
    return (
        Substitute((real("x", "(-oo, oo)"),), where("C_9=exp(x)"), where("x=log(C_9)")),
        Cases(
            (
                ("0 <= x", (Bound(right="1"), Logarithm())),
                (
                    "otherwise",
                    (
                        Bound(right="1/exp(x)**3"),
                        Logarithm(),
                        Rewrite(left=f"-({power})*x", right="-3*x"),
                        Combine(((f"3 - ({power})", "x <= 0"),)),
                    ),
                ),
            )
        ),
    )


RATE = (
    step(
        "s29",
        "zeta of (2.22) put into (2.21): (2.23), for every C_9, with C_10 = 15 C_9 + (C_7 + C_8) max(1, 1/C_9^3), for "
        "all kappa",
        f"mean_g <= {C_10}*{A}**(2/(3 + kappa))",
        (*ANY_KAPPA, positive("C_7"), positive("C_8"), MEAN_G),
        given={"srm/THM-5.4/s28": f"mean_g <= {RIGHT}"},
        place="(2.22), (2.23)",
        printed=(
            r"\zeta = C_9 \left(\frac{G^{\frac{\kappa}{2}} \sqrt{GLD_F d \log(1/\delta)}}{n\epsilon} \right)^{"
            r"\frac{2}{3+\kappa}}"
            r" \Rightarrow \mathbb{E} \|\nabla F(\widetilde{\theta})\|_{2} \le C_{10} \left(\frac{G^{\frac{\kappa}{2}}"
            r" \sqrt{GLD_{F} d \log(1/\delta)}}{n\epsilon}\right)^{\frac{2}{3+\kappa}}"
        ),
        argument=(
            Bound(left=RIGHT, argument=(Combine((("1", f"mean_g <= {RIGHT}"),)),)),
            Substitute(
                (positive("a", "the power 1/(3 + kappa)"), positive("w", LAM)),
                where("L=(a**(3+kappa)*n*eps/G**(kappa/2))**2/(G*D_F*d*w) delta=exp(-w)"),
                where(f"a=(G**(kappa/2)*{SPREAD}/(n*eps))**(1/(3+kappa)) w={LAM}"),
            ),
            Rewrite(
                left="a**2*(15*C_9 + C_7*C_9**(-2-kappa) + C_8*C_9**(-(1+kappa)/2))",
                right="a**2*(15*C_9 + (C_7 + C_8)*max(1, 1/C_9**3))",
            ),
            Have("C_9**(-2-kappa) <= max(1, 1/C_9**3)", at_most_the_larger("2 + kappa")),
            Have("C_9**(-(1+kappa)/2) <= max(1, 1/C_9**3)", at_most_the_larger("(1 + kappa)/2")),
            Combine(
                (
                    ("a**2*C_7", "C_9**(-2-kappa) <= max(1, 1/C_9**3)"),
                    ("a**2*C_8", "C_9**(-(1+kappa)/2) <= max(1, 1/C_9**3)"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "exponent",
                "the power 2/(2 + kappa)",
                f"mean_g <= {C_10}*{A}**(2/(2 + kappa))",
                candidates=(point(f"{ONE.replace('n=1', 'n=100')} kappa=0 C_9=1 C_7=1 C_8=1 mean_g=1/2"),),
            ),
        ),
    ),
    step(
        "s30",
        "gamma <= 1 gives n eps >= O(G^2 sqrt(d log(1/delta))/(L D_F)), at kappa = 0, with the constant (sqrt 2 "
        "C_9)^(3/2)",
        f"{LEAST_SIZE} <= n*eps",
        NO_KAPPA,
        (f"{MOMENTUM_0} <= 1",),
        reads=Reads.READING,
        place="after (2.23)",
        printed=r"n\epsilon \geq O(G^2(d\log(1/\delta))^{1/2}/(LD_F))",
        argument=(ROOT_OF_RATE,),
        mutants=(
            Mutant(
                "constant",
                "1.1 times as much",
                f"11/10*{LEAST_SIZE} <= n*eps",
                candidates=(point(f"{ONE} C_9=798/1000"),),
            ),
        ),
    ),
    step(
        "s30-enough",
        "and that is enough for gamma <= 1, at kappa = 0",
        f"{MOMENTUM_0} <= 1",
        NO_KAPPA,
        (f"{LEAST_SIZE} <= n*eps",),
        reads=Reads.OURS,
        argument=(
            ROOT_OF_RATE,
            Power("3/2"),
        ),
        mutants=(
            Mutant(
                "constant",
                "9/10 of it is enough",
                conditions=(f"9/10*{LEAST_SIZE} <= n*eps",),
                candidates=(point(f"{ONE} C_9=81/100"),),
            ),
        ),
    ),
    step(
        "s31",
        "b = b0 (zeta/G)^kappa",
        f"G/({DIVISOR_OF}*zeta) == {FIRST_BATCH_OF}*(zeta/G)**kappa",
        (LIPSCHITZ, SMOOTH, GAP, ZETA, KAPPA),
        place="before (2.24)",
        printed=r"b = b_0 \cdot (\zeta/G)^{\kappa}",
    ),
    *VARIANCE,
    *KAPPAS,
    step(
        "s35",
        "(2.25) is (2.21) at kappa = 0 and zeta of (2.22), for every C_9, with the C_10 of s29",
        f"mean_g <= {C_10}*{A_0}**(2/3)",
        (*NO_KAPPA, positive("C_7"), positive("C_8"), MEAN_G),
        given={"srm/THM-5.4/s28": f"mean_g <= {RIGHT_0}"},
        place="(2.25)",
        printed=(
            r"\mathbb{E} \|\nabla F(\widetilde{\theta})\|_{2} \leq C_{10} \left(\frac{\sqrt{GLD_{F}d\log(1/"
            r"\delta)}}{n\epsilon}"
            r"\right)^{\frac{2}{3}}"
        ),
        argument=(
            Bound(left=RIGHT_0, argument=(Combine((("1", f"mean_g <= {RIGHT_0}"),)),)),
            Substitute(
                (positive("a", "the power 1/3"), positive("w", LAM)),
                where("L=(a**3*n*eps)**2/(G*D_F*d*w) delta=exp(-w)"),
                where(f"a=({SPREAD}/(n*eps))**(1/3) w={LAM}"),
            ),
            Rewrite(
                left="a**2*(15*C_9 + C_7*C_9**(-2) + C_8*C_9**(-1/2))",
                right="a**2*(15*C_9 + (C_7 + C_8)*max(1, 1/C_9**3))",
            ),
            Have("C_9**(-2) <= max(1, 1/C_9**3)", at_most_the_larger("2")),
            Have("C_9**(-1/2) <= max(1, 1/C_9**3)", at_most_the_larger("1/2")),
            Combine(
                (("a**2*C_7", "C_9**(-2) <= max(1, 1/C_9**3)"), ("a**2*C_8", "C_9**(-1/2) <= max(1, 1/C_9**3)")),
            ),
        ),
        mutants=(
            Mutant(
                "exponent",
                "the power 3/4",
                f"mean_g <= {C_10}*{A_0}**(3/4)",
                candidates=(point(f"{ONE.replace('n=1', 'n=1000000')} C_9=1 C_7=1/9 C_8=1/9 mean_g=1/1000"),),
            ),
        ),
    ),
)
