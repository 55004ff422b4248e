"""What a CONSISTENT rests on at least, in one place: a verdict on what nobody looked at is INCONCLUSIVE.

A target with a training under a recorder (`instrument`) needs one of two:

    a training whose noise was seen     a release was recorded with its noise, whose declared scale was tested, and a
                                        declared sensitivity was held against a neighbour that moves the statistic
    a game with power                   half of the claimed noise would be caught with probability 0.9 by the counts, if
                                        the scores show all of it, and scores are told apart: the separation mu that
                                        their ranks show at 95 %, or that of the claim if it is smaller, is as large,
                                        when it is divided by a quarter, as one that the counts catch so often

Checks that were not run say why; the evidence "minimum" repeats the reasons that matter and what helps. A check that
the user left out (`--select`, `--ignore`) is not asked for: the record says that it was left out. A target that only
plays a game needs one that could refute (`game.decide`): its limit of detection is above the claim, or it would catch
half of the claimed noise all the same, at another delta; and its scores are not all the same. One training with
canaries (`game.decide_one_run`) needs that, and one of two:

    a positive control                  the same training without its noise, scored alike, is refuted at the same level
    scores told apart                   the separation that the ranks show at 95 %, or that of the claim if it is
                                        smaller, as many times larger as a quarter of the noise would make it, is that
                                        of independent Gaussian canaries that are caught in 9 of 10 simulated audits

The second takes the canaries for independent and alike, and their scores for ones that move as the noise shrinks. It
needs more: were the canaries independent and alike, their ranks must not refute the claim at the level of the decision.
A refutation needs none of this.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit.planning import gaussian_mu
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.tier import Tier
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.verdict import Evidence, Outcome

ENGINE = "minimum"

NOISE, SENSITIVITY = "noise scale", "sensitivity"
"""The checks that see a release with its noise, and its sensitivity on a neighbour."""

HALF = 0.5
"""The share of the claimed noise that a game must catch where the noise was not seen."""

QUARTER = 0.25
"""The share of the noise that scores which are told apart must give away, where nothing else says that they would."""

RECORDED = (
    "a release recorded with its noise and its declared scale, and a declared sensitivity held against a neighbour",
    f"a game that would catch {HALF:g} of the claimed noise with probability 0.9, and scores told apart so well that "
    f"{QUARTER:g} of it would be caught so often",
)
"""One of these, for a target with `instrument`; `dpaudit show` prints it."""

GAME = "a game whose limit of detection is above the claim and whose scores differ"
"""For a target without."""

ONE_RUN = (
    "canaries whose limit of detection is above the claim and whose scores differ, and a training without noise "
    "(without_noise) that the same scores refute",
    f"canaries whose scores are told apart so well that {QUARTER:g} of the noise would be caught in 9 of 10 audits",
)
"""One of these, for one training with canaries."""

_SETTLED = (
    "to settle it: draw the noise where it can be seen (torch.normal, after watch) or hand it over with "
    "recorder.release(name, statistic, noise, sensitivity=..., noise_scale=...), declare clipping norm and noise, or "
    "play more trials (a higher level)"
)


def of_one_training(
    findings: Sequence[Finding], assumptions: Assumptions, left_out: Sequence[str] = ()
) -> tuple[str, ...]:
    """What a training under the recorder did not show: nothing where noise and sensitivity were both seen.

    left_out: names of checks that were not made by choice, which are not asked for. Noise that is correlated by design
    has no scale of its own that is tested; there the sensitivity is enough.
    """
    wanted = (SENSITIVITY, NOISE) if assumptions.independent_noise else (SENSITIVITY,)
    asked = [f for f in findings if f.check in wanted and f.check not in left_out]
    return tuple(f"{f.check}: {f.detail}" for f in asked if f.outcome is Outcome.NOT_RUN)


def of_a_game(smallest_violation: float, claimed: float, delta: float) -> tuple[str, ...]:
    """What a game could not have shown: nothing where half of the noise is caught, or any violation of a claim that
    nothing leaks. Epsilons at the quoted delta."""
    if math.isinf(smallest_violation):
        return ("game: it would catch no violation with probability 0.9",)
    least = half_of_the_noise(claimed, delta)
    if smallest_violation <= least * (1 + 1e-9):
        return ()
    caught = f"no epsilon below {smallest_violation:.4g}"
    return (f"game: it would catch {caught} with probability 0.9; {HALF:g} of the claimed noise has {least:.4g}",)


def of_scores(separation: float, smallest_violation: float, claimed: float, delta: float) -> tuple[str, ...]:
    """What scores that tell two data sets apart so little could not have shown, though a game of so many trials may;
    nothing where the claim is pure, of which no mu is known, or is one that nothing leaks.

    separation: mu as the ranks show it at 95 %; epsilons at the quoted delta. Scores are taken for ones that move as
    the noise shrinks: those of random batches move less.
    """
    if delta <= 0 or not 0 < claimed < math.inf or math.isinf(smallest_violation):
        return ()
    wanted = QUARTER * gaussian_mu(smallest_violation, delta)
    seen = min(separation, gaussian_mu(claimed, delta))
    if seen >= wanted:
        return ()
    return (
        f"game: its scores tell the data sets apart by a mu of {seen:.4g} (95 %), and {QUARTER:g} of the noise would "
        f"be caught with probability 0.9 from {wanted:.4g} on",
    )


def half_of_the_noise(claimed: float, delta: float) -> float:
    """The epsilon at `delta` of a mechanism with half of the noise that the claimed epsilon needs: Gaussian, at delta 0
    Laplace. Infinite for a claim that nothing leaks, which no noise keeps."""
    if not 0 < claimed < math.inf:
        return math.inf
    return gaussian_epsilon(delta, gaussian_mu(claimed, delta) / HALF) if delta > 0 else claimed / HALF


def lacking(tiers: Sequence[Tier]) -> tuple[Tier, ...]:
    """The tier that says INCONCLUSIVE where a training was recorded and nobody saw enough; none otherwise, and none
    beside a refutation."""
    if any(tier.outcome is Outcome.REFUTED for tier in tiers):
        return ()
    recorded = any(one.engine == "structural" for tier in tiers for one in tier.evidence)
    if not recorded or not all(tier.unseen for tier in tiers):
        return ()
    reasons = "; ".join(reason for tier in tiers for reason in tier.unseen)
    detail = f"too little was seen for CONSISTENT: {reasons}; {_SETTLED}"
    return (Tier(Outcome.INCONCLUSIVE, (Evidence(ENGINE, Outcome.INCONCLUSIVE, detail),)),)
