"""The choice of gamma, b and b0, (2.18) (s24)."""

from dpaudit.claims.writing import *

from .notation import *
from .steps_combination import LAST_STEP, rest, roots
from .symbols import *

# gamma^2 = 2 zeta^2/(n0^2 G^2), b = G/(n0 zeta), b0 = G^3/(zeta L D_F).
CHOSEN = ("(sqrt(2)*zeta/(n0*G))", "(G/(n0*zeta))", "(G**3/(zeta*L*D_F))")
WITH_CHOICE = f"mean_g <= 6*zeta + {rest(*CHOSEN)} + {roots(*CHOSEN)}"
DOUBLED = WITH_CHOICE.replace(f"{CHOSEN[0]}*G**2/(zeta", f"2*{CHOSEN[0]}*G**2/(zeta")
AT_MOST_ONE = "sqrt(2)*zeta <= n0*G"
NOISE = (
    f"d*sigma**2/(zeta*{CHOSEN[0]}) + sqrt(d)*sigma/sqrt({CHOSEN[0]}) + d*sigma0**2/(T*zeta*{CHOSEN[0]})"
    f" + sqrt(d)*sigma0/sqrt(T*{CHOSEN[0]})"
)
SYMBOLS = (STEPS, ZETA, DIVISOR, LIPSCHITZ, DIMENSION, SIGMA, FIRST_SIGMA, SMOOTH, GAP, MEAN_G)
MANY = point("T=1000 zeta=1/2 n0=1 G=1 d=1 sigma=1/1000 sigma0=1/1000 L=1 D_F=1999/32 mean_g=6148/1000")
MANY_DOUBLED = point("T=1000 zeta=1/2 n0=1 G=1 d=1 sigma=1/1000 sigma0=1/1000 L=1 D_F=1999/32 mean_g=6855/1000")
LARGE_T = (
    ("1", "4*n0*L*D_F/zeta**2 < floor(4*n0*L*D_F/zeta**2) + 1"),
    ("1", "floor(4*n0*L*D_F/zeta**2) + 1 <= T"),
)


def _added_up(given, gradients, total):
    """The terms one by one: 6, 2^(1/2), `gradients`, 2^(1/4), 2^(3/4), and with T 2^(-5/2), 2^(-5/4); their sum is at
    most `total`."""
    numbers = f"6 + sqrt(2) + {gradients} + 2**(-5/2) + 2**(1/4) + 2**(3/4) + 2**(-5/4) <= {total}"
    return (
        Have("4*n0*L*D_F/zeta**2 <= T", (Combine(terms=LARGE_T),)),
        Have(
            "sqrt(n0*L*D_F/(sqrt(2)*T)) <= 2**(-5/4)*zeta",
            (Power("2"), Combine(terms=(("zeta**2/(4*sqrt(2)*T)", "4*n0*L*D_F/zeta**2 <= T"),))),
        ),
        Have(numbers, (Boxes(),)),
        Combine(
            terms=(
                ("1", given),
                ("zeta/(4*sqrt(2)*T)", "4*n0*L*D_F/zeta**2 <= T"),
                ("1", "sqrt(n0*L*D_F/(sqrt(2)*T)) <= 2**(-5/4)*zeta"),
                ("zeta", numbers),
            )
        ),
    )


FEW = f"6*zeta + {rest(CHOSEN[0])} + {roots(CHOSEN[0])}"
NUMBERS = "6 + 2*sqrt(2) + 2**(-5/2) + 2**(1/4) + 2**(3/4) + 2**(-5/4) <= 15"
ROUNDED = (
    Have("4*n0*L*D_F/zeta**2 <= T", (Combine(terms=LARGE_T),)),
    Have(
        "G**3/(T*zeta*L*D_F*b0) <= 1/T",
        (Combine(terms=(("1/(T*b0)", "G**3/(zeta*L*D_F) <= b0"),)),),
    ),
    Have(
        "n0*G**3/(T*zeta*b0) <= zeta**2/4",
        (
            Combine(
                terms=(
                    ("n0*L*D_F", "G**3/(T*zeta*L*D_F*b0) <= 1/T"),
                    ("zeta**2/(4*T)", "4*n0*L*D_F/zeta**2 <= T"),
                )
            ),
        ),
    ),
    Have("G/(n0*b) <= zeta", (Combine(terms=(("zeta/b", "G/(n0*zeta) <= b"),)),)),
    Have(
        "sqrt(sqrt(2)*zeta*G/(n0*b)) <= 2**(1/4)*zeta",
        (Power("2"), Combine(terms=(("sqrt(2)*zeta", "G/(n0*b) <= zeta"),))),
    ),
    Have(
        "sqrt(n0*G**3/(sqrt(2)*T*zeta*b0)) <= 2**(-5/4)*zeta",
        (Power("2"), Combine(terms=(("1/sqrt(2)", "n0*G**3/(T*zeta*b0) <= zeta**2/4"),))),
    ),
    Have(NUMBERS, (Boxes(),)),
    Combine(
        terms=(
            ("1", f"mean_g <= {FEW}"),
            ("2*sqrt(2)", "G/(n0*b) <= zeta"),
            ("1/(sqrt(2)*zeta)", "n0*G**3/(T*zeta*b0) <= zeta**2/4"),
            ("1 + sqrt(2)", "sqrt(sqrt(2)*zeta*G/(n0*b)) <= 2**(1/4)*zeta"),
            ("1", "sqrt(n0*G**3/(sqrt(2)*T*zeta*b0)) <= 2**(-5/4)*zeta"),
            ("zeta", NUMBERS),
        )
    ),
)

CHOICE_STEPS = (
    step(
        "s24",
        "(2.18): with gamma^2 = 2 zeta^2/(n0^2 G^2), b = G/(n0 zeta), b0 = G^3/(zeta L D_F) the terms without noise "
        "are 6, 2^(1/2), 2^(1/2), 2^(-5/2), 2^(1/4), 2^(3/4) and 2^(-5/4) times zeta: 12.30 in all. (gamma <= 1 is "
        "sqrt(2) zeta <= n0 G)",
        f"mean_g <= 15*zeta + {NOISE}",
        SYMBOLS,
        (LAST_STEP, AT_MOST_ONE),
        given={f"{HERE}/s23": WITH_CHOICE},
        printed=r"\mathbb{E}\|\nabla F(\widetilde{\boldsymbol{\theta}})\|_{2} \leq 15\zeta + "
        r"\frac{d\sigma^{2}}{\zeta\gamma} + \frac{\sqrt{d}\sigma}{\sqrt{\gamma}} + "
        r"\frac{d\sigma_{0}^{2}}{T\zeta\gamma} + \frac{\sqrt{d}\sigma_{0}}{\sqrt{T\gamma}}",
        place="(2.18)",
        argument=_added_up(WITH_CHOICE, "sqrt(2)", "15"),
        mutants=(Mutant("constant", "12 in place of 15", f"mean_g <= 12*zeta + {NOISE}", candidates=(MANY,)),),
        tightness=(
            Tightness(
                "constant",
                "15",
                f"mean_g <= {{c}}*zeta + {NOISE}",
                "12.2967",
                "12.29",
                argument=_added_up(WITH_CHOICE, "sqrt(2)", "12.2967"),
                candidates=(MANY,),
            ),
        ),
    ),
    step(
        "s24-combined",
        "(2.18) with the lost factor 2 (s19) kept in what s20 to s23 make of it: 13.72 in all, so that 15 is enough",
        f"mean_g <= 15*zeta + {NOISE}",
        SYMBOLS,
        (LAST_STEP, AT_MOST_ONE),
        given={f"{HERE}/s23-combined": DOUBLED},
        reads=Reads.OURS,
        place="(2.18)",
        argument=_added_up(DOUBLED, "2*sqrt(2)", "15"),
        mutants=(Mutant("constant", "13 in place of 15", f"mean_g <= 13*zeta + {NOISE}", candidates=(MANY_DOUBLED,)),),
        tightness=(
            Tightness(
                "constant",
                "15",
                f"mean_g <= {{c}}*zeta + {NOISE}",
                "13.711",
                "13.7",
                argument=_added_up(DOUBLED, "2*sqrt(2)", "13.711"),
                candidates=(MANY_DOUBLED,),
            ),
        ),
    ),
    step(
        "s24-rounded",
        "b and b0 are whole numbers: (2.18) for any b >= G/(n0 zeta) and b0 >= G^3/(zeta L D_F), as when both are "
        "rounded up. (Rounding down, G/(n0 zeta) < 2 becomes 1, and the terms with b may double)",
        f"mean_g <= 15*zeta + {NOISE}",
        (*SYMBOLS, BATCH, FIRST_BATCH),
        (LAST_STEP, AT_MOST_ONE),
        given={f"{HERE}/s23": f"mean_g <= {FEW}"},
        ours=("G/(n0*zeta) <= b", "G**3/(zeta*L*D_F) <= b0"),
        reads=Reads.OURS,
        place="(2.18)",
        argument=ROUNDED,
        mutants=(
            Mutant(
                "down",
                "b >= G/(4 n0 zeta)",
                conditions=(
                    LAST_STEP,
                    AT_MOST_ONE,
                    "G/(4*n0*zeta) <= b",
                    "G**3/(zeta*L*D_F) <= b0",
                    f"mean_g <= {FEW}",
                ),
                candidates=(
                    point("T=1000 zeta=1/4 n0=1 G=1 d=1 sigma=1/1000 sigma0=1/1000 L=1 D_F=1999/128 b=1 b0=1 mean_g=5"),
                ),
            ),
        ),
    ),
)
