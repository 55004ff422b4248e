"""Where the window of n is empty: C_9^3 (L D_F/G^2)^2 d against log(1/delta)/sqrt(eps)."""

from dpaudit.claims.writing import *

from .growth import chosen
from .notation import *
from .steps_conditions import CHOSEN, RATE_OF
from .terms import *
from .window import STEPS_FROM

SIZE = f"(27*C_9**6*(L*D_F/G**2)**4*d**2/(3584*{LAM}))"
"""sigma'^2 is at most this times (tau alpha sigma'^2)^2."""
VARIANCE_OF = f"(7/2*{FIRST_BATCH_OF}**2*T*alpha/(beta*n**2*eps))"
FAILS = f"2*{VARIANCE_OF}*log(1/({RATE_OF}*alpha*(1 + {VARIANCE_OF})))/3 < alpha - 1"
SMALL = f"27*C_9**6*(L*D_F/G**2)**4*d**2*eps <= 10752*exp(1)*{LAM}**2"
IN_WORDS = FAILS.replace("alpha", ORDER).replace("T*", f"{STEPS_0}*")

NOWHERE = (
    step(
        "nowhere",
        "for C_9^3 (L D_F/G^2)^2 d <= 32.9 log(1/delta)/sqrt(eps) the order condition fails for every n and every "
        "beta, with zeta of (2.22), kappa = 0, and sigma'^2 = 3.5 b0^2 T alpha/(beta n^2 eps): as sigma'^2 is at most "
        "M (tau alpha sigma'^2)^2, and q^2 log(1/q) at most 1/(2 e)",
        chosen(IN_WORDS),
        CHOSEN,
        ours=(SMALL,),
        argument=(
            Have(f"1 < {ORDER}"),
            Have(f"{LAM}/(1 - beta) <= {ORDER}*eps"),
            Have(
                f"{SIZE} <= 3*exp(1)*({ORDER} - 1)",
                (Combine(((f"1/(3584*{LAM}*eps)", SMALL), (f"3*exp(1)*beta/(1 - beta)*{LAM}/eps", "0 <= 1"))),),
            ),
            Name("alpha", ORDER),
            Have(
                chosen(f"{STEPS_FROM} <= {STEPS_0}"),
                (Combine((("1", chosen(f"{STEPS_FROM} <= floor({STEPS_FROM}) + 1")),)),),
            ),
            Have(chosen(f"0 < {STEPS_FROM}"), CUBE_ROOT),
            Have(
                chosen(f"0 < {STEPS_0}"),
                (Combine((("1", chosen(f"0 < {STEPS_FROM}")), ("1", chosen(f"{STEPS_FROM} <= {STEPS_0}")))),),
            ),
            Name("T", chosen(STEPS_0)),
            Have(
                "1 <= 27/256/(beta*(1 - beta)**3)",
                (
                    Combine(
                        (
                            ("(beta - 1/4)**2/(beta*(1 - beta)**3)", "0 <= (beta - 5/4)**2"),
                            ("(beta - 1/4)**2/(8*beta*(1 - beta)**3)", "0 <= 1"),
                        )
                    ),
                ),
            ),
            Have(
                f"({LAM}/(1 - beta))**3 <= (alpha*eps)**3",
                (
                    Combine(
                        (
                            (
                                f"({LAM}/(1 - beta))**2 + {LAM}/(1 - beta)*alpha*eps + (alpha*eps)**2",
                                f"{LAM}/(1 - beta) <= alpha*eps",
                            ),
                        )
                    ),
                ),
            ),
            Have(
                chosen(f"1 <= {SIZE}*{RATE_OF}**2*alpha**2*{VARIANCE_OF}"),
                (
                    *CUBE_ROOT,
                    Combine(
                        (
                            (
                                "7/2*27*c**4*d**2*G**4/(3584*w**2*a**8*n**4)*alpha**3/(beta*eps)",
                                "4*a**8*n**4*eps**4/(G**4*d**2*w**4*c**4) <= T",
                            ),
                            ("27/256/(beta*w**6)", "(w**2/(1 - beta))**3 <= (alpha*eps)**3"),
                            ("1", "1 <= 27/256/(beta*(1 - beta)**3)"),
                        )
                    ),
                ),
            ),
            Have(chosen(f"0 < {RATE_OF}")),
            Have(chosen(f"0 < {FIRST_BATCH_OF}")),
            Name("M", SIZE),
            Name("tau", chosen(RATE_OF)),
            Name("b0", chosen(FIRST_BATCH_OF)),
            Have("0 < 7/2*b0**2*T*alpha/(beta*n**2*eps)"),
            Name("variance", "7/2*b0**2*T*alpha/(beta*n**2*eps)"),
            Combine(
                (
                    ("2/3*variance", "log(variance/(1 + variance)) <= variance/(1 + variance) - 1"),
                    (
                        "1/3*variance",
                        "log(1/(exp(1)*(tau*alpha*variance)**2)) <= 1/(exp(1)*(tau*alpha*variance)**2) - 1",
                    ),
                    ("1/(3*exp(1)*tau**2*alpha**2*variance)", "1 <= M*tau**2*alpha**2*variance"),
                    ("1/(3*exp(1))", "M <= 3*exp(1)*(alpha - 1)"),
                    ("2/3*variance/(1 + variance)", "0 < 1"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "size",
                "for d 30 times as large",
                conditions=(SMALL.replace("10752", "10000000"),),
                candidates=(point("G=1 L=1 D_F=1 n=1600000 d=1000 beta=1/2 eps=1 delta=1/100000 C_9=1"),),
            ),
        ),
    ),
)
