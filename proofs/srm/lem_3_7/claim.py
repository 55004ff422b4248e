"""Lemma 3.7: Renyi DP of the Gaussian mechanism on a hidden uniform subset; Section 3 of the supplement.

The lemma itself stands in the main paper; its statement is read off from Section 3 and from how the proof of Theorem
5.1 uses it: for sigma'^2 = sigma^2/Delta^2 >= 0.7 and alpha <= 1 + (2/3) sigma'^2 log(1/(tau alpha (1 + sigma'^2)))
the mechanism on a subset without replacement of rate tau is (alpha, 3.5 alpha tau^2/sigma'^2)-RDP. Without loss of
generality Delta = 1. The proof bounds the right side of (3.1), which a theorem gives for integers alpha >= 2 only:
for them the lemma is the statement below. Theorem 5.1 takes alpha = log(1/delta)/((1 - beta) eps) + 1, which is
seldom an integer. `real_orders.py` closes this gap: up to order 2 by another argument, above 2 between neighbouring
integers.

Two slips do not touch the result: the last display has 10 where 7 is meant (s13), and the last paragraph repeats the
condition on alpha in another form (s11).
"""

import numpy as np

from dpaudit.accounting.subsampling import symmetrised
from dpaudit.claims.writing import *

from .closing import CLOSING_OURS
from .real_high import HIGH_STEPS
from .real_orders import REAL_STEPS
from .real_tails import SHARP, TAIL_STEPS
from .steps_closing import CLOSING_STEPS
from .steps_others import OTHER_STEPS
from .steps_sum import SUM_STEPS
from .steps_terms import TERM_STEPS
from .symbols import *


def real_orders_above_two(stream, trials):
    """What no pair exceeds (`symmetrised`) over 3.5 alpha tau^2/sigma^2, at the largest rate of (3.2)."""
    rng = np.random.default_rng(stream.seeds(np.array([0])))
    ratios = []
    for order, spread in zip(2 + 38 * rng.random(trials) ** 3, rng.random(trials), strict=True):
        variance = 0.7 * float(np.exp(4 * spread))
        tau = float(np.exp(-1.5 * (order - 1) / variance)) / (order * (1 + variance))
        if tau > 1e-8:  # smaller rates need more than n = 10^8 records
            ratios.append(float(symmetrised(float(order), tau, variance)) / (3.5 * order * tau**2 / variance))
    return np.array(ratios)


BY_S2 = f"{MINIMUM} <= 6/sigma2"


def added_up(name, second):
    """log(1 + y) <= y, the bound on the second term of the step `name`, and s9."""
    return (
        Have(second, (ByTheorem(f"{LEM}/{name}"),)),
        Have(BY_S9, (ByTheorem(f"{LEM}/s9"),)),
        Combine(
            terms=(
                ("1/(alpha - 1)", f"log(1 + {TOTAL}) <= 1 + {TOTAL} - 1"),
                (f"{SECOND}/(alpha - 1)", second),
                ("1/(alpha - 1)", BY_S9),
            )
        ),
    )


CLAIM = Claim(
    id=LEM,
    title="the Gaussian mechanism on a hidden subset",
    words=(
        "Statement rebuilt from its use. "
        "For sigma'^2 = sigma^2/Delta^2 >= 0.7 and alpha <= 1 + (2/3) sigma'^2 log(1/(tau alpha (1 + sigma'^2))) "
        "the Gaussian mechanism on a uniform subset without replacement of rate tau is (alpha, 3.5 alpha tau^2 "
        "Delta^2/sigma^2)-RDP; without a subset it is (alpha, alpha Delta^2/(2 sigma^2))-RDP. Encoded: the right side "
        "of (3.1) is at most that, for integers alpha >= 2 and Delta = 1; every other real order by the steps "
        "real-low, real-two and real-high that it rests on, the mechanism without a subset by gaussian."
    ),
    place="Lemma 3.7 (main paper); Section 3",
    printed=r"\rho'(\alpha) \le 3.5\alpha\tau^2/\sigma^2",
    kind=ClaimKind.PRIVACY,
    statement=Statement(f"{THEOREM_9} <= {BOUND}", SYMBOLS, (ORDER_CONDITION,)),
    reads=Reads.READING,
    rests_on=("subsampled-renyi", *ids(LEM, "gaussian real-low real-two real-high")),
    argument=added_up("s2", BY_S2),
    tightness=(
        Tightness(
            "factor",
            printed="7/2",
            form=f"{THEOREM_9} <= {{c}}*alpha*tau**2/sigma2",
            proved="137/40",
            refuted="29/10",
            argument=added_up("sharp-second", SHARP),
            candidates=(point("alpha=2 tau=1/1000 sigma2=7/10"),),
        ),
    ),
    mutants=(
        Mutant(
            "no-order-condition", "without (3.2)", conditions=(), candidates=(point("alpha=8 tau=1/100 sigma2=7/10"),)
        ),
        Mutant(
            "no-variance-condition",
            "sigma^2 >= 0.15",
            symbols=(ORDER, SYMBOLS[1], real("sigma2", "[3/20, oo)")),
            candidates=(point("alpha=2 tau=1/1000000 sigma2=3/20"),),
        ),
    ),
    steps=(
        *TERM_STEPS,
        *SUM_STEPS,
        *CLOSING_STEPS,
        *REAL_STEPS,
        *TAIL_STEPS,
        *HIGH_STEPS,
        *CLOSING_OURS,
        *OTHER_STEPS,
    ),
)
