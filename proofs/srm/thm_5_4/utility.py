"""(2.25) itself, from (2.18) to the end, with the noise that Theorem 5.1 asks for: C_9 = 1 and C_10 = 1700 will do."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_noise import BY_24
from .symbols import *
from .terms import *

A_0 = f"({SPREAD}/(n*eps))"
DIVISOR_0 = "(L*D_F/G**2)"
"""n0 at kappa = 0."""


def chosen(text):
    """With n0 = L D_F/G^2 and zeta of (2.22), kappa = 0."""
    return text.replace("n0", DIVISOR_0).replace("zeta", ACCURACY_0)


NOISE_25, NOISE_23 = f"14*T*{HALVES}*{DRIFT}**2/(1/2*n**2*eps)", f"14*T*{HALVES}*G**2/(1/2*n**2*eps)"
"""(2.5) and (2.3) with beta = 1/2 and the alpha of Theorem 5.1."""
BOUNDED = tuple(chosen(text) for text in (NEEDED, STEPS_OF, f"sigma**2 <= {NOISE_25}", f"sigma0**2 <= {NOISE_23}"))
GIVEN_24, DIVISOR_SIZE = chosen(BY_24), "G**2 <= L*D_F"
CONDITIONS = (SMALL_EPS, *BOUNDED, GIVEN_24, DIVISOR_SIZE)
SYMBOLS = (
    *(LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, EPS, DELTA, STEPS, SIGMA, FIRST_SIGMA, MEAN_G),
    *(constant("C_9"), constant("C_10")),
)
STATEMENT = Statement(f"mean_g <= C_10*{A_0}**(2/3)", SYMBOLS, CONDITIONS)
ORIGINS = (Condition(GIVEN_24, Origin.GIVEN, f"{HERE}/s24"), Condition(DIVISOR_SIZE, Origin.OURS))
LARGE = point(
    "G=1 L=1 D_F=1 n=1000000 d=1 eps=1/2 delta=1/2 T=202676327 sigma=7/100000 sigma0=2069/10000 mean_g=19/100"
)

C_1, C_2 = "(84*(1 + sqrt(2))**2/sqrt(2))", "(84/sqrt(2))"
LINE_1 = line_1(C_1, C_2)
LINE_2 = line_2(f"4*{C_1}", f"4*{C_1}", f"({C_2} + {C_1}/2)", f"(sqrt({C_2}) + sqrt({C_1}/2))**2")
NUMBERS = f"15 + 4*{C_1} + 2*sqrt({C_1}) + {C_2} + {C_1}/2 + sqrt({C_2}) + sqrt({C_1}/2) <= 1700"
RATE = f"{HALVES}/(1/2*eps) <= 6*{LAM}/eps**2"


def one(text):
    """With C_9 = 1."""
    return chosen(text).replace("C_9", "1")


HERE_0 = (("zeta", ACCURACY_0.replace("C_9", "1")), ("n0", DIVISOR_0))
BY_CHOICE = (
    Choose(where("C_9=1 C_10=1700")),
    Have(RATE, (ByTheorem(f"{HERE}/s25~repaired"),)),
    Have(
        one(f"sigma**2 <= {NOISE_219.replace('14', '84', 1)}"),
        (Combine(((one(f"14*T*{DRIFT}**2/n**2"), RATE), ("1", one(f"sigma**2 <= {NOISE_25}")))),),
    ),
    Have(
        f"sigma0**2 <= {FIRST_NOISE_219.replace('14', '84', 1)}",
        (Combine((("14*T*G**2/n**2", RATE), ("1", f"sigma0**2 <= {NOISE_23}"))),),
    ),
    Have(one(f"mean_g <= {LINE_1}"), (ByTheorem(f"{HERE}/s26~repaired", at=HERE_0),)),
    Have(one(f"mean_g <= {LINE_2}"), (ByTheorem(f"{HERE}/s27", at=(*HERE_0, ("C_1", C_1), ("C_2", C_2))),)),
    Have(NUMBERS, (Boxes(),)),
    Bound(left=one(LINE_2), argument=(Combine((("1", one(f"mean_g <= {LINE_2}")),)),)),
    Substitute(
        (positive("a", "the power 1/3"), positive("w", LAM)),
        where("L=(a**3*n*eps)**2/(G*D_F*d*w) delta=exp(-w)"),
        where(f"a=({SPREAD}/(n*eps))**(1/3) w={LAM}"),
    ),
    Combine((("a**2", NUMBERS),)),
)
FALSE_VARIANTS = (
    Mutant("exponent", "3/4 in place of 2/3", f"mean_g <= C_10*{A_0}**(3/4)", candidates=(LARGE,)),
    Mutant(
        "noise",
        "with any noise at t >= 1",
        conditions=tuple(text for text in CONDITIONS if not text.startswith("sigma**2")),
        candidates=(tuple((name, "1" if name == "sigma" else "100" if name == "mean_g" else x) for name, x in LARGE),),
    ),
)
