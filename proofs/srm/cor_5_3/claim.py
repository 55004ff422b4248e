"""Corollary 5.3: for large batches the conditions of Theorem 5.1 hold from an explicit T on; Section 2.2 of the
supplement.

beta = 1/2 and b0 = b with b^2 = n^2 eps/T, so that tau = sqrt(eps/T) and alpha = 2 log(1/delta)/eps + 1. sigma'^2 is
7 alpha by (2.3) or (2.5); the printed 14 alpha carries the 7 of Theorem 5.1's proof along (THM-5.1/s5). The printed
inferences from 14 alpha are valid, the same with 7 alpha are as good, and the corollary holds with the constants that
its proof gives, 720^2 and 180^2, which are best for the bound of s4 and s5. The exact least T has a closed form
(`exact`): it is about 430 times smaller. b must be an integer: rounded down the conditions still hold, rounded up
they can fail at this constant, and hold with 4 times as many estimates.
"""

from dpaudit.claims.writing import *

from .ours import OUR_STEPS
from .steps_order import ORDER_STEPS
from .steps_variance import VARIANCE_STEPS
from .symbols import *

LAM = "log(1/delta)"
PRINTED_ORDER = f"(2*{LAM}/eps + 1)"
LARGEST = "max(1, 2*l/eps)"
L_ORDER = "(2*l/eps + 1)"
CROWDED = f"(sqrt(eps/T)*{L_ORDER}*(1 + 7*{L_ORDER}))"

CLAIM = Claim(
    id=COR,
    title="large batches meet the conditions of Theorem 5.1",
    words=(
        "Statement rebuilt from its use. "
        "With beta = 1/2 and b0 = b = n sqrt(eps/T) the conditions of Theorem 5.1 hold if T >= "
        "O(log^4(1/delta)/eps^3) for eps <= 2 log(1/delta) and if T >= O(eps) for larger eps. Encoded: the "
        "condition on alpha, sigma'^2 = 7 alpha, for both cases at once: T >= 180^2 eps max(1, 2 "
        "log(1/delta)/eps)^4, that is 720^2 log^4(1/delta)/eps^3 and 180^2 eps."
    ),
    place="Corollary 5.3 (main paper); Section 2.2",
    printed=r"b_0^2 = b^2 = n^2\epsilon/T,\ \beta = 1/2",
    reads=Reads.READING,
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        condition(f"7*{PRINTED_ORDER}", alpha=PRINTED_ORDER, tau="sqrt(eps/T)"),
        (EPS, DELTA, STEPS),
        (f"180**2*eps*max(1, 2*{LAM}/eps)**4 <= T",),
    ),
    origins=(Condition(f"180**2*eps*max(1, 2*{LAM}/eps)**4 <= T", Origin.ENOUGH),),
    rests_on=(f"{COR}/s1~repaired", f"{COR}/s8"),
    candidates=(point("eps=1 delta=1/10 T=1000000000000"),),
    argument=(
        Substitute((positive("l", LAM),), where("delta=exp(-l)"), where("l=log(1/delta)")),
        Have(f"{L_ORDER} <= 2*{LARGEST}", (Combine(terms=(("1", f"1 <= {LARGEST}"), ("1", f"2*l/eps <= {LARGEST}"))),)),
        Have(
            f"{L_ORDER}**4 <= (2*{LARGEST})**4",
            (Power("1/4"), Combine(terms=(("1", f"{L_ORDER} <= 2*{LARGEST}"),))),
        ),
        Have(
            f"15*{L_ORDER}**2*sqrt(eps/T) <= 1/3",
            (
                Power("2"),
                Rewrite(left=f"225*{L_ORDER}**4*eps/T", right="1/9"),
                Scale("9*T"),
                Combine(
                    terms=(("2025*eps", f"{L_ORDER}**4 <= (2*{LARGEST})**4"), ("1", f"180**2*eps*{LARGEST}**4 <= T"))
                ),
            ),
        ),
        Have(
            f"{CROWDED} <= 1/3",
            (
                Combine(
                    terms=(
                        ("1", f"15*{L_ORDER}**2*sqrt(eps/T) <= 1/3"),
                        (f"sqrt(eps/T)*{L_ORDER}*(8*{L_ORDER} - 1)", "0 <= 1"),
                    )
                ),
            ),
        ),
        Have(f"1 <= log(1/{CROWDED})", (ByTheorem(f"{COR}/s6", at=(("y", CROWDED),)),)),
        Combine(terms=((f"14/3*{L_ORDER}", f"1 <= log(1/{CROWDED})"), (f"11/3*{L_ORDER} + 1", "0 <= 1"))),
    ),
    mutants=(
        Mutant(
            "thousandth",
            "T a thousandth of it",
            conditions=(f"32.4*eps*max(1, 2*{LAM}/eps)**4 <= T",),
            candidates=(point("eps=1 delta=1/10 T=15000"),),
        ),
    ),
    steps=(*VARIANCE_STEPS, *ORDER_STEPS, *OUR_STEPS),
)
