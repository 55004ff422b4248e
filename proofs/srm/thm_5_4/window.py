"""Where the privacy conditions of Theorem 5.1 hold at kappa = 0 and beta = 1/2.

b0 may be rounded up: it lies between G^3/(zeta L D_F) and twice that. sigma'^2 is 7 b0^2 T alpha/(n^2 eps), from (2.3)
and (2.2), and the same for the later estimates, from (2.5) and (2.4) with b = b0.
"""

from dpaudit.claims.writing import *

from .notation import *
from .terms import *

SYMBOLS = (LIPSCHITZ, SMOOTH, GAP, RECORDS, FIRST_BATCH, ZETA, EPS, DELTA)
V = f"(7*b0**2*{STEPS_0}*{HALVES}/(n**2*eps))"
INNER = f"(b0/n*{HALVES}*(1 + {V}))"
"""tau alpha (1 + sigma'^2)."""
AT_LEAST, AT_MOST = "G**3/(zeta*L*D_F) <= b0", "b0 <= 2*G**3/(zeta*L*D_F)"
NOT_LARGE = "zeta**4*n**2*eps <= 56/3*G**4"
NOT_SMALL = f"6720*exp(1)*G**7*{LAM}**2 <= L*D_F*(n*eps)**3*zeta**5"
SEVERAL = "G*zeta <= 2*L*D_F"
"""T is more than 1; gamma <= 1 gives more, sqrt(2) G zeta <= L D_F."""
STEPS_FROM = "4*L**2*D_F**2/(G**2*zeta**2)"
ENOUGH = f"3/2*{HALVES} <= {V}"
SMALL = f"{INNER} <= exp(-1)"
INSIDE = point("G=1 L=1 D_F=1 n=200000000 b0=10000 zeta=1/10000 eps=1/2 delta=1/2")
ZETA_1 = ACCURACY_0.replace("C_9*", "")
ROUNDED = f"ceil(G**3/({ZETA_1}*L*D_F))"
ROUNDED_V = V.replace("zeta", ZETA_1).replace("b0", ROUNDED)
ROUNDED_ORDER = f"{HALVES} - 1 <= 2*{ROUNDED_V}*log(1/({ROUNDED}/n*{HALVES}*(1 + {ROUNDED_V})))/3"

WINDOW = (
    step(
        "variance-low",
        "sigma'^2 >= (3/2) alpha, so that it is at least 0.7, for zeta^4 n^2 eps <= (56/3) G^4",
        ENOUGH,
        SYMBOLS,
        (AT_LEAST,),
        ours=(NOT_LARGE,),
        argument=(
            Have(f"0 < {HALVES}"),
            Have(f"{STEPS_FROM} <= {STEPS_0}"),
            Have("G**6/(zeta*L*D_F)**2 <= b0**2", (Combine((("b0 + G**3/(zeta*L*D_F)", AT_LEAST),)),)),
            Name("alpha", HALVES),
            Name("T", STEPS_0),
            Combine(
                (
                    ("7*b0**2*alpha/(n**2*eps)", f"{STEPS_FROM} <= T"),
                    (f"7*alpha*{STEPS_FROM}/(n**2*eps)", "G**6/(zeta*L*D_F)**2 <= b0**2"),
                    ("3/2*alpha/(zeta**4*n**2*eps)", NOT_LARGE),
                )
            ),
        ),
        mutants=(
            Mutant(
                "constant",
                "zeta^4 n^2 eps <= 25 G^4",
                conditions=(AT_LEAST, "zeta**4*n**2*eps <= 25*G**4"),
                candidates=(point("G=1 L=1 D_F=1 n=49999 b0=100 zeta=1/100 eps=1 delta=1/2"),),
            ),
        ),
    ),
    step(
        "product",
        "tau alpha (1 + sigma'^2) <= 1/e for zeta^5 >= 6720 e G^7 log^2(1/delta)/(L D_F (n eps)^3)",
        SMALL,
        SYMBOLS,
        (SMALL_EPS, AT_MOST, SEVERAL),
        given={"srm/THM-5.4/variance-low": ENOUGH},
        ours=(NOT_SMALL,),
        argument=(
            Have(f"{STEPS_0} <= {STEPS_FROM} + 1"),
            Have(f"1 <= {STEPS_FROM}", (Combine((("(2*L*D_F + G*zeta)/(G*zeta)**2", SEVERAL),)),)),
            Have(
                "b0**3 <= 8*G**9/(zeta*L*D_F)**3",
                (Combine((("b0**2 + 2*b0*G**3/(zeta*L*D_F) + 4*G**6/(zeta*L*D_F)**2", AT_MOST),)),),
            ),
            Have(f"1 <= {HALVES}"),
            Have(f"{HALVES} <= 3*{LAM}/eps", (Combine((("1/eps", SMALL_EPS),)),)),
            Have(f"0 < {LAM}"),
            Name("lam", LAM),
            Name("T", STEPS_0),
            Name("alpha", "2*lam/eps + 1"),
            Have("alpha**2 <= 9*lam**2/eps**2", (Combine((("alpha + 3*lam/eps", "alpha <= 3*lam/eps"),)),)),
            Combine(
                (
                    ("2/3*b0*alpha/n", "3/2*alpha <= 7*b0**2*T*alpha/(n**2*eps)"),
                    ("b0*alpha/n", "1 <= alpha"),
                    ("35/3*b0**3*alpha**2/(n**3*eps)", f"T <= {STEPS_FROM} + 1"),
                    ("35/3*b0**3*alpha**2/(n**3*eps)", f"1 <= {STEPS_FROM}"),
                    (f"70/3*{STEPS_FROM}*alpha**2/(n**3*eps)", "b0**3 <= 8*G**9/(zeta*L*D_F)**3"),
                    ("2240/3*G**7/(L*D_F*zeta**5*n**3*eps)", "alpha**2 <= 9*lam**2/eps**2"),
                    ("exp(-1)/(L*D_F*zeta**5*(n*eps)**3)", "6720*exp(1)*G**7*lam**2 <= L*D_F*(n*eps)**3*zeta**5"),
                )
            ),
        ),
        candidates=(INSIDE,),
        mutants=(
            Mutant(
                "constant",
                "1/100 of the bound on zeta^5",
                conditions=(SMALL_EPS, AT_MOST, SEVERAL, ENOUGH, NOT_SMALL.replace("6720", "67.2")),
                candidates=(point("G=1 L=1 D_F=1 n=145000000 b0=50000 zeta=1/25000 eps=69/100 delta=1/2"),),
            ),
        ),
    ),
    step(
        "order",
        "sigma'^2 >= (3/2) alpha and tau alpha (1 + sigma'^2) <= 1/e are enough for the order condition",
        "alpha - 1 <= 2*variance*log(1/(tau*alpha*(1 + variance)))/3",
        (TAU, ALPHA, positive("variance", "sigma'^2")),
        ours=("3/2*alpha <= variance", "tau*alpha*(1 + variance) <= exp(-1)"),
        argument=(
            Combine(
                (
                    ("2/3*variance", "log(tau*alpha*(1 + variance)*exp(1)) <= tau*alpha*(1 + variance)*exp(1) - 1"),
                    ("2/3*variance*exp(1)", "tau*alpha*(1 + variance) <= exp(-1)"),
                    ("2/3", "3/2*alpha <= variance"),
                    ("1", "0 <= 1"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "half",
                "sigma'^2 >= (3/4) alpha",
                conditions=("3/4*alpha <= variance", "tau*alpha*(1 + variance) <= exp(-1)"),
                candidates=(point("alpha=100 variance=75 tau=1/25000"),),
            ),
        ),
    ),
    step(
        "conditions~repaired",
        "so both conditions of Theorem 5.1 hold at beta = 1/2, for every zeta that is neither too small nor too large",
        f"{HALVES} - 1 <= 2*{V}*log(1/{INNER})/3",
        SYMBOLS,
        (SMALL_EPS, AT_LEAST, AT_MOST, SEVERAL, "b0 <= n"),
        ours=(NOT_LARGE, NOT_SMALL),
        argument=(
            Have(ENOUGH, (ByTheorem("srm/THM-5.4/variance-low"),)),
            Have(SMALL, (ByTheorem("srm/THM-5.4/product"),)),
            Have(f"1 < {HALVES}"),
            Have("b0/n <= 1", (Combine((("1/n", "b0 <= n"),)),)),
            Have(f"0 < {V}"),
            ByTheorem("srm/THM-5.4/order", at=(("alpha", HALVES), ("variance", V), ("tau", "b0/n"))),
        ),
        candidates=(INSIDE,),
        mutants=(
            Mutant(
                "any-zeta",
                "zeta as small as one likes",
                conditions=(SMALL_EPS, AT_LEAST, AT_MOST, SEVERAL, "b0 <= n", NOT_LARGE),
                candidates=(point("G=1 L=1 D_F=1 n=1000000 b0=10000 zeta=1/10000 eps=1/2 delta=1/2"),),
            ),
        ),
    ),
    step(
        "window-low",
        "zeta of (2.22), kappa = 0, is not too large from some n on",
        f"{ACCURACY_0}**4*n**2*eps <= 56/3*G**4",
        NO_KAPPA,
        ours=(f"3/56*C_9**4*(G*L*D_F*d*{LAM})**(4/3)/(eps*G**4) <= (n*eps)**(2/3)",),
        argument=(
            *CUBE_ROOT,
            Combine(
                (
                    (
                        "56/3*G**4/(n*eps)**(2/3)",
                        "3/56*c**8*a**8*(n*eps)**(8/3)/(eps*G**4) <= (n*eps)**(2/3)",
                    ),
                )
            ),
        ),
        mutants=(
            Mutant(
                "constant",
                "half of the bound on (n eps)^(2/3)",
                conditions=(f"3/112*C_9**4*(G*L*D_F*d*{LAM})**(4/3)/(eps*G**4) <= (n*eps)**(2/3)",),
                candidates=(point("G=1 L=1 D_F=1 n=22 d=100 eps=1 delta=1/2 C_9=1"),),
            ),
        ),
    ),
    step(
        "window-high",
        "zeta of (2.22), kappa = 0, is not too small up to some n only: with this C_9 the two bounds leave a window "
        "of n",
        f"6720*exp(1)*G**7*{LAM}**2 <= L*D_F*(n*eps)**3*{ACCURACY_0}**5",
        NO_KAPPA,
        ours=(f"6720*exp(1)*(n*eps)**(1/3)*G**(16/3)*{LAM}**(1/3) <= C_9**5*(L*D_F)**(8/3)*d**(5/3)",),
        argument=(*CUBE_ROOT,),
        mutants=(
            Mutant(
                "any-n",
                "for every n",
                conditions=(),
                candidates=(point("G=1 L=1 D_F=1 n=1000 d=1 eps=1 delta=1/2 C_9=1"),),
            ),
        ),
    ),
    Step(
        "window-point",
        "the window is not empty for C_9 = 1: with d = 1000, G = L = D_F = 1, eps = 1, delta = 10^-5 and n = 1600000 "
        "the order condition holds, with zeta of (2.22), sigma'^2 >= 0.7, gamma <= 1 and b0 = ceil(G^3/(zeta L D_F)) "
        "<= n",
        Statement(
            ROUNDED_ORDER,
            (LIPSCHITZ, SMOOTH, GAP, RECORDS, DIMENSION, EPS, DELTA),
            (f"0.7 <= {ROUNDED_V}", f"sqrt(2)*G*{ZETA_1} <= L*D_F", f"{ROUNDED} <= n"),
            exists=True,
        ),
        kind=ClaimKind.NON_VACUITY,
        argument=(Exhibit(point("G=1 L=1 D_F=1 n=1600000 d=1000 eps=1 delta=1/100000")),),
        mutants=(
            Mutant(
                "factor",
                "with 5/4 (alpha - 1) in the place of alpha - 1 (at this point)",
                f"5/4*({HALVES} - 1) <= {ROUNDED_ORDER.partition(' <= ')[2]}",
            ),
        ),
    ),
)
