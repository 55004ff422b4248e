"""From the canaries of one training to statements: the bounds that are printed, and the decision about the claim.

That nothing was found is said only where something could have been: `dpaudit.audit.minimum` states what that needs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dpaudit.accounting.epsilon import claimed_epsilon, gaussian_epsilon
from dpaudit.accounting.tradeoff import describe
from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.arithmetic.roots import bisected
from dpaudit.audit import minimum, planning
from dpaudit.audit.game.decide import PRINTED_ALPHA, SILENT, Decision, are_silent
from dpaudit.estimators import one_run, one_run_family, one_run_fdp, rank_test
from dpaudit.records.privacy import GaussianDP, Guarantee, Neighbours, PrivacyProfile
from dpaudit.records.target import Control, Target
from dpaudit.records.verdict import Numbers, Outcome

STRONGER = "use more canaries, canaries that stand out more or a score that sees the gradients"
"""What helps where scores hardly tell who was in."""

_AUDITS, _CAUGHT = 40, 38
"""A violation counts as caught in 9 of 10 if it was in so many of so many simulated audits."""
_LARGEST_MU = 30.0
_NOISES = {False: np.random.Generator.normal, True: np.random.Generator.laplace}
"""Of the canaries that are simulated: Gaussian, against pure DP Laplace."""
_FACTORS = (0.5, 0.7, 0.8, 0.9, 0.95, 1.0, 1.05, 1.15)
"""Shifts of which the power curve is simulated, over the smallest that counts as caught."""


@dataclass(frozen=True)
class WithoutNoise:
    """What the same canaries and scores show of a training without its noise, at the same level."""

    decision: Decision
    epsilon_lower: float


@dataclass(frozen=True)
class OneRunFindings:
    """What the canaries show.

    epsilon_counted: the bound of Steinke et al., which uses (epsilon, delta) alone; epsilon_conditional: the bound
    `mu_by_ranks`, converted, which assumes that canaries are independent and alike and the curve Gaussian, None at
    delta 0, where no such curve has an epsilon; epsilon_family: the bound of `one_run_family`, None where the claim is
    no mechanism with noise that could be another; rank_p_value: of the claim, under the same assumption; neither
    refutes anything; separation: mu by ranks, at delta 0 epsilon by ranks; allowed: the mu of a Gaussian mechanism with
    the claimed epsilon, at delta 0 this epsilon; wanted: the separation that is enough, inf if none is; without_noise:
    None if no such training was played; exempt: a null control, which may release nothing.
    """

    guarantee: Guarantee
    decision: Decision
    epsilon_lower: float
    epsilon_counted: float
    epsilon_conditional: float | None
    epsilon_family: float | None
    mu_by_ranks: float
    separation: float
    rank_p_value: float
    allowed: float
    wanted: float
    mu_lower: float
    epsilon_claimed: float
    limit_of_detection: float
    smallest_violation: float
    pure: bool = False
    silent: bool = False
    exempt: bool = False
    without_noise: WithoutNoise | None = None

    @property
    def is_open(self) -> bool:
        """Does what a training without noise shows matter? Not beside a refutation, nor where nothing could be seen."""
        return not (self.decision.refuted or self.silent or self.limit_of_detection <= self.epsilon_claimed)


def judge(
    target: Target,
    scores: Array,
    included: Flags,
    guarantee: Guarantee,
    alpha: float,
    rng: np.random.Generator,
    outside: Array | None = None,
) -> OneRunFindings:
    """All numbers of a one-run audit; the decision about `guarantee` has the error probability `alpha`.

    outside: scores of canaries that no coin could include, (k,); the bound `epsilon_family` alone looks at them.
    """
    delta = target.claim.delta
    sides = scores[included], scores[~included]
    ranks = rank_test.lower_bound(*sides, delta, PRINTED_ALPHA, rng)
    pure, smallest = delta == 0, _smallest_shift(guarantee, len(scores), alpha, delta == 0)
    claimed = claimed_epsilon(target.claim.guarantee, delta)
    curve = one_run_fdp.one_run_bound(scores, included, delta, PRINTED_ALPHA)
    return OneRunFindings(
        guarantee=guarantee,
        decision=_decision(scores, included, guarantee, alpha),
        epsilon_lower=curve.epsilon_lower,
        epsilon_counted=one_run.one_run_bound(scores, included, delta, PRINTED_ALPHA).epsilon_lower,
        epsilon_conditional=None if pure else gaussian_epsilon(delta, ranks.mu_lower),
        epsilon_family=_in_the_family(target, scores, included, outside, rng),
        mu_by_ranks=ranks.mu_lower,
        separation=ranks.epsilon_lower if pure else ranks.mu_lower,
        rank_p_value=rank_test.p_value(*sides, guarantee, rng),
        allowed=claimed if pure or math.isinf(claimed) else planning.gaussian_mu(claimed, delta),
        wanted=math.inf if smallest is None else minimum.QUARTER * smallest,
        mu_lower=curve.mu_lower,
        epsilon_claimed=claimed,
        limit_of_detection=limit_of_detection(guarantee, included, alpha, delta),
        smallest_violation=smallest_violation(guarantee, len(scores), alpha, delta),
        pure=pure,
        silent=target.control is not Control.NULL and are_silent(scores, scores[:0]),
        exempt=target.control is Control.NULL,
    )


def _in_the_family(
    target: Target, scores: Array, included: Flags, outside: Array | None, rng: np.random.Generator
) -> float | None:
    """The bound over the claimed mechanism with other noise; its curve is that of one record in or out."""
    mechanism, relation = target.claimed_mechanism, target.claim.neighbours
    if mechanism is None or relation is Neighbours.REPLACE_ONE or not one_run_family.has_a_family(mechanism):
        return None
    return one_run_family.family_bound(
        scores, included, mechanism, target.claim.delta, PRINTED_ALPHA, rng, () if outside is None else outside
    ).epsilon_lower


def controlled(found: OneRunFindings, scores: Array, included: Flags, delta: float) -> OneRunFindings:
    """`found` with what the canaries of a training without noise show, (canaries,) each, at the level of `found`."""
    decision = _decision(scores, included, found.guarantee, found.decision.alpha)
    lower = one_run_fdp.one_run_bound(scores, included, delta, PRINTED_ALPHA).epsilon_lower
    return replace(found, without_noise=WithoutNoise(decision, lower))


def forecast(limit: float, violation: float, canaries: int, claimed: float, pure: bool = False) -> str:
    """What an audit with so many canaries can show, in a sentence, before it is made; `limit`, `violation` and
    `claimed` are epsilons, of a `pure` claim or at a delta.
    """
    return (
        f"{canaries:,} canaries in one training show an epsilon of at most {limit:.4g}, if their scores give every one "
        f"of them away; independent {_kind(pure)} ones of epsilon {violation:.4g} are caught in 9 of 10 audits; "
        f"claimed {claimed:.4g}"
    )


def decide(found: OneRunFindings) -> tuple[Outcome, str]:
    """REFUTED on more right guesses than the claim allows, INCONCLUSIVE if that was out of reach, else CONSISTENT.

    Out of reach for so many canaries, or for scores like these.
    """
    if found.decision.refuted:
        return Outcome.REFUTED, (
            f"statistical, wrong with probability at most {found.decision.alpha:.3g}: {found.decision.detail}"
        )
    if found.limit_of_detection <= found.epsilon_claimed:
        return Outcome.INCONCLUSIVE, (
            f"under-powered: so few canaries can show an epsilon of at most {found.limit_of_detection:.4g}, the claim "
            f"is {found.epsilon_claimed:.4g}; to settle it: use more canaries"
        )
    if found.silent:
        return Outcome.INCONCLUSIVE, SILENT
    shown = f"epsilon is at least {found.epsilon_lower:.4g} (95 %), claimed {found.epsilon_claimed:.4g}"
    too_weak = _too_weak(found)
    if too_weak:
        return Outcome.INCONCLUSIVE, f"{shown}; {too_weak}"
    return Outcome.CONSISTENT, (
        f"no violation of {describe(found.guarantee)} found; {shown}; independent {_kind(found.pure)} canaries of "
        f"epsilon {found.smallest_violation:.4g} would be caught in 9 of 10 audits (simulated){_seen(found)}"
    )


def _too_weak(found: OneRunFindings) -> str:
    """Why the scores show nothing, with what would settle it; "" where they would have shown something."""
    label, control, unit = describe(found.guarantee), found.without_noise, _unit(found.pure)
    if found.rank_p_value <= found.decision.alpha:
        return (
            f"were the canaries independent and alike, their ranks would refute {label}, with p = "
            f"{found.rank_p_value:.3g}; the guesses, which do not assume that, are too few; to settle it: use more "
            "canaries, or play the game on two data sets"
        )
    if found.exempt:
        return ""
    if control is not None and not control.decision.refuted:
        return (
            "the scores are too weak to show anything: of the same training without its noise they show an epsilon of "
            f"at least {control.epsilon_lower:.4g} (95 %), and do not refute {label} either; to settle it: {STRONGER}"
        )
    if control is None and min(found.separation, found.allowed) < found.wanted:
        return (
            f"nothing says that these scores would give a violation away: their ranks tell the canaries apart by "
            f"{unit} of at least {found.separation:.4g} (95 %), the claim allows {found.allowed:.4g}, and "
            f"{minimum.QUARTER:g} of the noise is caught from {found.wanted:.4g} on; to settle it: give without_noise, "
            f"the same training without its noise, or {STRONGER}"
        )
    return ""


def _seen(found: OneRunFindings) -> str:
    """What says that a violation would have shown."""
    if found.exempt:
        return ""
    if found.without_noise is not None:
        return (
            f"; the same training without its noise is refuted: {found.without_noise.decision.detail.partition(';')[0]}"
        )
    return (
        f"; the ranks tell the canaries apart by {_unit(found.pure)} of at least {found.separation:.4g} (95 %, if they "
        f"are independent and alike); {minimum.QUARTER:g} of the noise would be caught, if scores move as it shrinks"
    )


def as_numbers(target: Target, found: OneRunFindings) -> Numbers:
    """What the record of the verdict keeps, under the names of the game where they mean the same."""
    control = found.without_noise
    return (
        ("epsilon_lower_95", found.epsilon_lower),
        ("epsilon_lower_95_counts_alone", found.epsilon_counted),
        ("epsilon_if_canaries_are_independent_and_gaussian", found.epsilon_conditional),
        ("epsilon_if_canaries_are_alike_and_noise_alone_differs", found.epsilon_family),
        ("epsilon_claimed", found.epsilon_claimed),
        ("delta", target.claim.delta),
        ("mu_lower_95", found.mu_lower),
        ("mu_if_canaries_are_independent_and_alike", found.mu_by_ranks),
        ("rank_p_value_if_canaries_are_independent_and_alike", found.rank_p_value),
        ("epsilon_lower_95_without_noise", None if control is None else control.epsilon_lower),
        ("canaries", target.canaries),
        *((("canaries_outside", target.canaries_outside),) if target.canaries_outside else ()),
        ("alpha_decision", found.decision.alpha),
        ("limit_of_detection", found.limit_of_detection),
        ("smallest_violation_at_90", found.smallest_violation),
    )


def limit_of_detection(guarantee: Guarantee, included: Flags, alpha: float, delta: float) -> float:
    """The largest epsilon that so many canaries can show: that of perfect scores; of mu where a whole curve is claimed,
    as mu and a mechanism are."""
    perfect = one_run_fdp.one_run_bound(included.astype(np.float64), included, delta, alpha)
    if not isinstance(guarantee, GaussianDP | PrivacyProfile):
        return perfect.epsilon_lower
    return max(perfect.epsilon_lower, gaussian_epsilon(delta, perfect.mu_lower))


def smallest_violation(guarantee: Guarantee, canaries: int, alpha: float, delta: float) -> float:
    """The epsilon of independent Gaussian canaries that is caught in 38 of 40 simulated audits; inf if none is.

    At delta 0 of Laplace ones. To 2 % in mu, from above, with generators of its own: the same for the same arguments.
    """
    shift = _smallest_shift(guarantee, canaries, alpha, delta == 0)
    return math.inf if shift is None else _epsilon(delta, shift)


def chances(guarantee: Guarantee, canaries: int, alpha: float, delta: float) -> list[tuple[float, float]]:
    """Around the smallest violation, (share of 40 simulated audits that catch it, epsilon), epsilon ascending.

    Empty if no violation is caught.
    """
    pure = delta == 0
    least = _smallest_shift(guarantee, canaries, alpha, pure)
    shifts = [] if least is None else [factor * least for factor in _FACTORS]
    return [
        (sum(_refuted(shift, guarantee, canaries, alpha, pure)) / _AUDITS, _epsilon(delta, shift)) for shift in shifts
    ]


def _epsilon(delta: float, shift: float) -> float:
    """Of Gaussian canaries with this mu, at delta 0 of Laplace canaries with this epsilon."""
    return gaussian_epsilon(delta, shift) if delta else shift


def _kind(pure: bool) -> str:
    return "Laplace" if pure else "Gaussian"


def _unit(pure: bool) -> str:
    return "an epsilon" if pure else "a mu"


@lru_cache(maxsize=16)
def _smallest_shift(guarantee: Guarantee, canaries: int, alpha: float, pure: bool) -> float | None:
    if not _caught(_LARGEST_MU, guarantee, canaries, alpha, pure):
        return None
    return bisected(
        lambda shift: _caught(shift, guarantee, canaries, alpha, pure), _LARGEST_MU, 0.0, relative=0.02
    ).inside


def _caught(shift: float, guarantee: Guarantee, canaries: int, alpha: float, pure: bool) -> bool:
    missed = 0
    for refuted in _refuted(shift, guarantee, canaries, alpha, pure):
        missed += not refuted
        if missed > _AUDITS - _CAUGHT:
            return False
    return True


def _refuted(shift: float, guarantee: Guarantee, canaries: int, alpha: float, pure: bool = False) -> Iterator[bool]:
    """Of each simulated audit, one after the other: is `guarantee` refuted? shift: mu of the canaries, or epsilon of
    `pure` ones.
    """
    for seed in range(_AUDITS):
        rng = np.random.default_rng([seed, canaries])
        included = rng.random(canaries) < 0.5
        yield _decision(_NOISES[pure](rng, size=canaries) + shift * included, included, guarantee, alpha).refuted


def _decision(scores: Array, included: Flags, guarantee: Guarantee, alpha: float) -> Decision:
    found = one_run.guesses(scores, included)
    guesses = one_run_fdp.strongest(found, guarantee, alpha)
    return Decision(
        one_run_fdp.refutes(found, guarantee, alpha),
        alpha,
        f"{guesses.correct} of {guesses.made} guesses on {guesses.canaries} canaries were right; {describe(guarantee)} "
        f"makes so many less likely than that",
        (
            ("correct", guesses.correct),
            ("guesses", guesses.made),
            ("canaries", guesses.canaries),
            ("alpha", alpha),
            ("alpha_share_guesses", guesses.share),
        ),
    )
