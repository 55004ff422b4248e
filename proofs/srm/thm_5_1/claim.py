"""Theorem 5.1: DP-SRM with the noise of (2.3) and (2.5) is (eps, delta)-DP; Section 2.1 of the supplement.

The theorem stands in the main paper; its statement is read off from its proof and from Section 2.3. Each of the T
estimates is a Gaussian mechanism on a hidden batch (Lemma 3.7), which costs beta eps/T at order alpha =
log(1/delta)/((1 - beta) eps) + 1; they add up (Lemma 2.1) to beta eps, and the conversion (Lemma 3.9) adds (1 - beta)
eps. The order is a real number: that Lemma 3.7 holds for those is shown in its own folder and not in the paper.
"""

import numpy as np

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.algorithms.srm.accounting.calibration import Setting, feasible_shares, mechanism
from dpaudit.algorithms.srm.dp_srm import coupled
from dpaudit.claims.writing import *
from dpaudit.records.privacy import Neighbours

from .notation import *
from .steps_first import FIRST_STEPS
from .steps_later import LATER_STEPS
from .steps_total import TOTAL_STEPS
from .symbols import *


def coupled_runs(stream, trials):
    """Neighbouring runs of the shipped DP-SRM on the same released estimates and batches: the change
    of the pre-noise query against 2 G/b0 and 2((1-gamma) zeta/n0 + gamma G)/b."""

    return coupled.coupled_sensitivity(stream, trials)


def exact_runs(stream, trials):
    """The exact epsilon of runs for which the conditions hold, over the claimed one; batches of one record."""
    settings = ((13, 100, 10.0, 1e-3), (15, 60, 6.0, 1e-2))
    ratios = []
    for records, steps, epsilon, delta in settings[:trials]:
        setting = Setting(records, steps, 1, 1, lipschitz=1.0, momentum=1.0, accuracy=0.1, divisor=1.0)
        found = feasible_shares(setting, epsilon, delta)
        made = mechanism(setting, found.best.first_noise, found.best.noise)
        ratios.append(epsilon_bounds(made, delta, Neighbours.REPLACE_ONE).upper / epsilon)
    return np.array(ratios)


FIRST_MULTIPLIER = f"{FIRST_VARIANCE}/{FIRST_SENSITIVITY}**2"
LATER_MULTIPLIER = f"{VARIANCE}/{SENSITIVITY}**2"
CONDITIONS = (
    "b0 <= n",
    "b <= n",
    f"7/10 <= {FIRST_MULTIPLIER}",
    f"7/10 <= {LATER_MULTIPLIER}",
    order_condition("b0", FIRST_MULTIPLIER),
    order_condition("b", LATER_MULTIPLIER),
)
SPENT = (
    f"{subsampled('b0', FIRST_SENSITIVITY, FIRST_VARIANCE)} + (T - 1)*({subsampled('b', SENSITIVITY, VARIANCE)})"
    f" + log(1/delta)/(alpha - 1)"
)
FEASIBLE = point("n=1000 T=1000000 b=1 b0=1 eps=1 delta=1/100 beta=1/2 G=1 gamma=1 zeta=1 n0=1")

CLAIM = Claim(
    id=THM,
    title="DP-SRM is (eps, delta)-DP",
    words=(
        "Statement rebuilt from its use. "
        "Under A1, A2, A4, A5, with the noise (2.3), (2.5), alpha = log(1/delta)/((1 - beta) eps) + 1, and for both "
        "estimates sigma'^2 >= 0.7 and the condition on alpha, each with its own batch: Algorithm 1 is (eps, "
        "delta)-DP. Encoded: what Lemma 3.7 charges for the first estimate and for T - 1 later ones, plus what "
        "Lemma 3.9 adds, is at most eps."
    ),
    place="Theorem 5.1 (main paper); Section 2.1, (2.3) and (2.5)",
    printed=r"\sigma_0^2 = \frac{14T\alpha G^2}{\beta n^2 \epsilon}, \quad \sigma_t^2 = \frac{14T\alpha "
    r"\left((1-\gamma)\zeta/n_0 + \gamma G \right)^2}{\beta n^2 \epsilon}: \text{ Algorithm 1 satisfies } "
    r"(\epsilon, \delta)\text{-DP}",
    reads=Reads.READING,
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        at_order(f"{SPENT} <= eps"),
        (*RUN, DELTA, BATCH, FIRST_BATCH, LIPSCHITZ, GAMMA, ZETA, DIVISOR),
        (*(at_order(text) for text in CONDITIONS), ABOVE_ONE),
    ),
    origins=(Condition(ABOVE_ONE, Origin.GIVEN, f"{THM}/order"),),
    candidates=(FEASIBLE,),
    rests_on=(
        "srm/LEM-2.1",
        "srm/LEM-3.9",
        "srm/LEM-3.7/real-low",
        "srm/LEM-3.7/real-two",
        "srm/LEM-3.7/real-high",
        "post-processing",
        f"{THM}/s2",
        f"{THM}/s11",
    ),
    argument=(Rewrite(left="eps"), Identical()),
    from_standard=(Search("exact_runs", near_miss=0.2, trials=2),),
    tightness=(
        Tightness(
            "noise",
            printed="14",
            form=at_order(SPENT.replace("(14*", "({c}*")) + " <= eps",
            proved="14",
            refuted="139/10",
            candidates=(FEASIBLE,),
        ),
    ),
    mutants=(
        Mutant(
            "one-more",
            "T later estimates in place of T - 1",
            at_order(SPENT.replace("(T - 1)", "T") + " <= eps"),
            candidates=(FEASIBLE,),
        ),
    ),
    steps=(*FIRST_STEPS, *LATER_STEPS, *TOTAL_STEPS),
)
