"""What the second half of the proof names, as text: the parameters of Theorem 5.4, the lines of (2.20), and (2.21)."""

from dpaudit.claims.writing import positive, real

from .notation import *

ORDER = f"({LAM}/((1 - beta)*eps) + 1)"
"""alpha of Theorem 5.1."""
DIVISOR_OF = "(L*D_F/G**2*(G/zeta)**kappa)"
"""n0, before (2.21)."""
MOMENTUM = "(sqrt(2)*zeta/(n0*G))"
"""gamma: the paper has gamma^2 = 2 zeta^2/(n0^2 G^2)."""
STEPS_OF = "T == floor(4*n0*L*D_F/zeta**2) + 1"
DRIFT = f"((1 - {MOMENTUM})*zeta/n0 + {MOMENTUM}*G)"
NEEDED = f"{MOMENTUM} <= 1"
"""gamma <= 1: "note that we require", after (2.23)."""
NOISE_219 = f"14*T*{DRIFT}**2*{LAM}/(n**2*eps**2)"
FIRST_NOISE_219 = f"14*T*G**2*{LAM}/(n**2*eps**2)"
"""sigma^2 and sigma_0^2 as (2.19) prints them."""

ANY_9 = positive("C_9", "the constant of (2.22), any")
NO_KAPPA = (LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, EPS, DELTA, ANY_9)
ANY_KAPPA = (*NO_KAPPA, KAPPA)
ONE = "G=1 L=1 D_F=1 n=1 d=1 eps=1 delta=1/2"
SMALL_EPS = f"eps <= {LAM}"
"""The paper assumes it before (2.25), "without loss of generality"."""

C_1, C_2 = "14*(1 + sqrt(2))**2/sqrt(2)", "14/sqrt(2)"


def line_1(c_1, c_2):
    """(2.20), first line."""
    return (
        f"15*zeta + {c_1}*T*d*G*{LAM}/(n0*n**2*eps**2) + sqrt({c_1}*T*zeta*d*G*{LAM})/(n*eps*sqrt(n0))"
        f" + {c_2}*d*n0*G**3*{LAM}/(n**2*eps**2*zeta**2) + sqrt({c_2}*n0*d*G**3*{LAM})/(n*eps*sqrt(zeta))"
    )


def line_2(c_3, c_4, c_5, c_6):
    """(2.20), second line."""
    return (
        f"15*zeta + {c_3}*L*D_F*G*d*{LAM}/(n**2*eps**2*zeta**2) + sqrt({c_4}*G*L*D_F*d*{LAM})/(n*eps*sqrt(zeta))"
        f" + {c_5}*n0*d*G**3*{LAM}/(n**2*eps**2*zeta**2) + sqrt({c_6}*n0*d*G**3*{LAM})/(n*eps*sqrt(zeta))"
    )


def line_3(c_7, c_8):
    """(2.21)."""
    return (
        f"15*zeta + {c_7}*L*D_F*G*d*{LAM}*G**kappa/(n**2*eps**2*zeta**(2 + kappa))"
        f" + {c_8}*sqrt(G*L*D_F*d*{LAM})*G**(kappa/2)/(n*eps*zeta**((1 + kappa)/2))"
    )


ROOTS_AT = "d=e**2 zeta=z**2 G=h**2 delta=exp(-w**2)"
ROOTS = "e=sqrt(d) z=sqrt(zeta) h=sqrt(G) w=sqrt(log(1/delta))"


def roots(*more):
    """Square roots as symbols, for `Substitute` with ROOTS_AT and ROOTS."""
    return (
        real("e", "[1, oo)", "sqrt(d)"),
        positive("z", "sqrt(zeta)"),
        positive("h", "sqrt(G)"),
        positive("w", "sqrt(log(1/delta))"),
        *more,
    )


SPREAD = f"sqrt(G*L*D_F*d*{LAM})"
ACCURACY = f"(C_9*(G**(kappa/2)*{SPREAD}/(n*eps))**(2/(3 + kappa)))"
"""zeta of (2.22)."""
ACCURACY_0 = f"(C_9*({SPREAD}/(n*eps))**(2/3))"
"""The same at kappa = 0."""
LARGEST = f"(4*G**(-kappa/2)*{SPREAD}/(n*eps))**(2/(3 - kappa))"
"""(2.24)."""
FIRST_BATCH_OF = "(G**3/(zeta*L*D_F))"
"""b0."""
STEPS_0 = "(floor(4*L**2*D_F**2/(G**2*zeta**2)) + 1)"
"""T at kappa = 0, where n0 = L D_F/G^2."""
HALVES = "(2*log(1/delta)/eps + 1)"
"""alpha at beta = 1/2."""
