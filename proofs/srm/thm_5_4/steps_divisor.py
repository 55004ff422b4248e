"""The size of n0: the descent step wants n0 >= 1, and the choice of n0 does not give it."""

from dpaudit.claims.writing import *

from .notation import *
from .terms import *

LARGER = "max(L*D_F, G**2)"
FOUR = tuple(positive(f"C_{i}") for i in (3, 4, 5, 6))
RIGHT = (
    f"15*zeta + (C_3 + C_5)*{LARGER}*G*d*{LAM}/(n**2*eps**2*zeta**2)"
    f" + (sqrt(C_4) + sqrt(C_6))*sqrt(G*{LARGER}*d*{LAM})/(n*eps*sqrt(zeta))"
)
LEFT = line_2(*(one.name for one in FOUR)).replace("n0", f"({LARGER}/G**2)")

DIVISOR_SIZE = (
    erratum(
        "s28-divisor",
        "n0 = (L D_F/G^2)(G/zeta)^kappa is at least 1: the descent step (s4) drops 1/2 - eta_t L/2 >= 1/4, from eta_t "
        "<= 1/(2 n0 L), and that is eta_t L <= 1/2 only if n0 >= 1",
        f"1 <= {DIVISOR_OF}",
        (LIPSCHITZ, SMOOTH, GAP, ZETA, KAPPA),
        ("1 <= G", "zeta <= 1", f"sqrt(2)*zeta/({DIVISOR_OF}*G) <= 1", f"1 <= G/({DIVISOR_OF}*zeta)"),
        reads=Reads.GAP,
        place="before (2.21)",
        candidates=(point("G=1 L=1 D_F=1/4 zeta=1/100 kappa=0"),),
        finding=(
            "A gap. The descent step needs n0 >= 1 (s4; 1/2 is enough for (2.6)), and for small n0 (2.18) itself is "
            "false (s24-range). At kappa = 0, which is chosen, n0 >= 1 means L D_F >= G^2: the first iterate must be "
            "bad enough. It is not assumed here (SPIDER, from which the step rule comes, assumes n0 >= 1), and L D_F "
            "can be as small as one likes, while gamma <= 1 and b >= 1 hold. With n0 = max(1, L D_F/G^2) all goes "
            "through, with max(L D_F, G^2) in the place of L D_F in (2.21) and so in the rate (s28-divisor~repaired)."
        ),
        repair="srm/THM-5.4/s28-divisor~repaired",
    ),
    step(
        "s28-divisor~repaired",
        "with n0 = max(1, L D_F/G^2), kappa = 0, the second line of (2.20) gives (2.21) with max(L D_F, G^2) in the "
        "place of L D_F",
        f"{LEFT} <= {RIGHT}",
        (LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, ZETA, EPS, DELTA, *FOUR),
        argument=(
            Have(f"L*D_F <= {LARGER}"),
            Have(f"0 < {LARGER}", (Combine((("1", f"L*D_F <= {LARGER}"), ("L*D_F", "0 < 1"))),)),
            Name("W", LARGER),
            Have("0 < sqrt(W)"),
            Substitute(
                roots(
                    positive("l", "sqrt(L D_F)"),
                    positive("p", "sqrt(C_4)"),
                    positive("q", "sqrt(C_6)"),
                    positive("y", "sqrt(W)"),
                ),
                where(f"{ROOTS_AT} L=l**2/D_F C_4=p**2 C_6=q**2 W=y**2"),
                where(f"{ROOTS} l=sqrt(L*D_F) p=sqrt(C_4) q=sqrt(C_6) y=sqrt(W)"),
            ),
            Have("l <= y", (Power("2"),)),
            Have("l**2 <= y**2"),
            Rewrite(
                left=(
                    "15*z**2 + C_3*(l*h*e*w/(z**2*n*eps))**2 + p*h*l*e*w/(n*eps*z) + C_5*(y*h*e*w/(z**2*n*eps))**2 + "
                    "q*h*y*e*w/(n*eps*z)"
                ),
                right="15*z**2 + (C_3 + C_5)*(y*h*e*w/(z**2*n*eps))**2 + (p + q)*h*y*e*w/(n*eps*z)",
            ),
            Combine((("C_3*(h*e*w/(z**2*n*eps))**2", "l**2 <= y**2"), ("p*h*e*w/(n*eps*z)", "l <= y"))),
        ),
        mutants=(
            Mutant(
                "printed",
                "L D_F on the right",
                f"{LEFT} <= {RIGHT.replace(LARGER, 'L*D_F')}",
                candidates=(point("G=1 L=1 D_F=1/4 n=1 d=1 zeta=1/100 eps=1 delta=1/2 C_3=1 C_4=1 C_5=1 C_6=1"),),
                own_sentence=True,
            ),
        ),
    ),
)
