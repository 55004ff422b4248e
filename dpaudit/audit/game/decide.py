"""From the scores of a game to statements: the bounds that are printed, and the decision about the claim.

Two levels, never mixed: printed bounds hold at 95 % for one audit on its own; the decision spends the target's share of
the error budget of the run, against the whole claimed curve.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.accounting.epsilon import claimed_epsilon, epsilon_bounds, gaussian_parameter, profile
from dpaudit.accounting.tradeoff import describe, largest_true_positive_rate
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit import minimum
from dpaudit.audit.wording import probability
from dpaudit.estimators import nested_guesses, power, rank_test
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.clopper_pearson import OperatingPoint, excess, witnessed_mu
from dpaudit.estimators.held_out_threshold import Scores
from dpaudit.estimators.pooled_guesses import best_guesses
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import GaussianDP, Guarantee, Neighbours
from dpaudit.records.target import Control, Target
from dpaudit.records.verdict import Numbers, Outcome

PRINTED_ALPHA = 0.05
"""Error probability of each printed lower bound, for one audit on its own."""

SILENT = (
    "every trial has the same score, on the data set and on its neighbour, so that the attack says nothing; to settle "
    "it: give an attack whose score moves with what is released"
)
"""Of a game that could not have shown anything, however much leaks."""

OF_SHAPES = 1e-3
"""Share of the error probability of a decision for releases whose shape tells the data set: no score is made of them.
"""

_FEW = 4_000
"""Trials a side up to which guesses at fixed ranks bound epsilon: there they see more than the rank test
(`benchmarks/dp_sgd.py`), since they hold none out; the number is fixed in advance, so that the choice costs nothing.
"""
_DISTINCT = 0.9
"""Share of distinct values among scores below which they count as having atoms."""
_LOOKED_AT = 20
"""Held-out trials of each side in which atoms are looked for; they are counted nowhere."""


@dataclass(frozen=True)
class Decision:
    """About the claim, wrong with probability at most `alpha` where it refutes; detail: what was seen, in words."""

    refuted: bool
    alpha: float
    detail: str
    witness: Numbers


@dataclass(frozen=True)
class Findings:
    """What the scores show: the counts behind the three statements, and the numbers around them.

    silent: every trial of both sides has the same score, where the target is not meant to release nothing.
    """

    guarantee: Guarantee
    delta: float
    decision_point: OperatingPoint
    decision: Decision
    epsilon_lower: float
    mu_lower: float
    epsilon_claimed: float
    epsilon_exact: float | None
    limit_of_detection: float
    smallest_violation: float
    silent: bool = False

    @property
    def tightness(self) -> float | None:
        """Measured over exact epsilon, None where the exact one is unknown, 0 or infinite."""
        exact = self.epsilon_exact
        return self.epsilon_lower / exact if exact and np.isfinite(exact) else None


def decided_guarantee(target: Target) -> Guarantee:
    """The guarantee that is decided on: the whole curve of the claimed mechanism where the claim is one."""
    if target.claimed_mechanism is None:
        return target.claim.guarantee
    return curve(target.claimed_mechanism, target.claim.neighbours, "the claimed mechanism")


def allowed_by(target: Target) -> Numbers:
    """What names in a witness whose curve is violated, where it is not that of the guarantee itself."""
    named = target.claimed_mechanism is not None and not isinstance(target.claim.guarantee, GaussianDP)
    return (("allowed_by", "the mechanism that is claimed"),) if named else ()


def curve(mechanism: Mechanism, neighbours: Neighbours, label: str) -> Guarantee:
    """All that `mechanism` guarantees, rounded up: a Gaussian curve where it is one, else its privacy profile."""
    mu = gaussian_parameter(mechanism)
    return profile(mechanism, neighbours, label) if mu is None else GaussianDP(mu)


def judge(
    target: Target,
    scores: Scores,
    guarantee: Guarantee,
    alpha: float,
    rng: np.random.Generator,
    bets: BettingTest | None = None,
    looks: int = 1,
) -> Findings:
    """All numbers of the audit from its scores; the decision about `guarantee` has the error probability `alpha`.

    bets: of a game that was played in stages; they decide, since counts at a time that the scores chose would not.
    looks: at how many numbers of trials, fixed beforehand, the game could have ended: each has its share of the error
    probability of the printed bounds, which therefore hold whenever it ends (Bonferroni).
    """
    delta = target.claim.delta
    point = scores.best_point(lambda f, t: excess(f, t, guarantee), alpha / 2)
    epsilon_lower, mu_lower = printed_bounds(scores, delta, rng, PRINTED_ALPHA / looks)
    number = len(scores.positive) + len(scores.held_positive)
    return Findings(
        guarantee=guarantee,
        delta=delta,
        decision_point=point,
        decision=_counted_and_ranked(point, scores, guarantee, alpha, rng) if bets is None else _bet(bets, guarantee),
        epsilon_lower=epsilon_lower,
        mu_lower=mu_lower,
        epsilon_claimed=claimed_epsilon(target.claim.guarantee, delta),
        epsilon_exact=exact_epsilon(target),
        # Of the counts alone: the ranks can only see more.
        limit_of_detection=power.limit_of_detection(number, alpha / 2, delta),
        smallest_violation=power.smallest_violation(guarantee, number, alpha / 2, delta),
        silent=target.control is not Control.NULL and are_silent(scores.positive, scores.negative),
    )


def are_silent(positive: Array, negative: Array) -> bool:
    """Are all scores of both sides equal?"""
    both = np.concatenate([positive, negative])
    return bool(len(both)) and bool(np.all(both == both[0]))


def exact_epsilon(target: Target) -> float | None:
    """The exact epsilon, rounded up so that tightness is never overstated; None where theory does not know it."""
    if target.truth is None:
        return None
    return epsilon_bounds(target.truth, target.claim.delta, target.claim.neighbours).upper


def printed_bounds(scores: Scores, delta: float, rng: np.random.Generator, alpha: float) -> tuple[float, float]:
    """Lower bounds on epsilon and mu, each wrong with probability at most `alpha`: by ranks, or by counts where the
    scores have atoms.

    Ties are broken at random before ranks are compared, which is valid and blunt. Some held-out trials say which it is,
    and no bound counts them: given them, the one that is printed fails with probability at most `alpha`, whichever it
    is. Epsilon is bounded by guesses at fixed ranks where trials are few.
    """
    looked_at, others = _looked_at(scores, rng)
    if _has_atoms(looked_at):
        epsilon_lower = best_guesses(scores, delta, alpha, rng).epsilon_lower(delta)
        return epsilon_lower, scores.best_point(witnessed_mu, alpha).mu_lower()
    bound = rank_test.split_lower_bound(scores, delta, alpha, rng)
    if len(scores.positive) + len(scores.held_positive) > _FEW:
        return bound.epsilon_lower, bound.mu_lower
    sides = [scores.positive, scores.negative]
    if scores.unspent:
        sides = [np.concatenate(both) for both in zip(others, sides, strict=True)]
    return nested_guesses.lower_bound(sides[0], sides[1], delta, alpha, rng).epsilon_lower, bound.mu_lower


def _looked_at(scores: Scores, rng: np.random.Generator) -> tuple[list[Array], list[Array]]:
    """Held-out trials of each side that say whether there are atoms, drawn without looking, and the other held-out
    ones.
    """
    mixed = [rng.permutation(held) for held in (scores.held_positive, scores.held_negative)]
    return [held[:_LOOKED_AT] for held in mixed], [held[_LOOKED_AT:] for held in mixed]


def _has_atoms(sides: list[Array]) -> bool:
    pooled = np.concatenate(sides)
    return len(np.unique(pooled)) < _DISTINCT * len(pooled)


def _counted_and_ranked(
    point: OperatingPoint, scores: Scores, guarantee: Guarantee, alpha: float, rng: np.random.Generator
) -> Decision:
    """Half of the error probability to counts at one threshold, whose witness anybody can check; to ranks the other
    half, but for that of shapes.
    """
    counted, p_value = _counted(point, guarantee), rank_test.split_p_value(scores, guarantee, rng)
    rare = probability(p_value, "at most")
    ranked = f"if {describe(guarantee)} holds, the scores on D rank so high with probability {rare}"
    return Decision(
        counted.refuted or p_value <= alpha * (0.5 - OF_SHAPES),
        alpha,
        counted.detail if counted.refuted else ranked,
        (*counted.witness, ("rank_p_value", p_value)),
    )


def _counted(point: OperatingPoint, guarantee: Guarantee) -> Decision:
    """By counts at one threshold."""
    false_rate, true_rate = point.false_positive_rate_upper, point.true_positive_rate_lower
    allowed = float(largest_true_positive_rate(false_rate, guarantee))
    detail = (
        f"at a false positive rate of at most {false_rate:.4g} the true positive rate is at least {true_rate:.4g}; "
        f"{describe(guarantee)} allows {allowed:.4g}"
    )
    witness = (
        ("threshold", point.threshold),
        ("false_positives", point.false_positives),
        ("negatives", point.negatives),
        ("true_positives", point.true_positives),
        ("positives", point.positives),
        ("false_positive_rate_upper", false_rate),
        ("true_positive_rate_lower", true_rate),
        ("true_positive_rate_allowed", allowed),
        ("alpha", point.alpha),
        ("alpha_share_true_positive", point.share),
    )
    return Decision(point.contradicts(guarantee), point.alpha, detail, witness)


def _bet(bets: BettingTest, guarantee: Guarantee) -> Decision:
    """By the capital of a gambler against the claim, who may stop at any time."""
    capital = float(bets.log_capital[0])
    return Decision(
        bool(bets.refuted[0]),
        bets.alpha,
        f"a gambler against {describe(guarantee)} has e^{capital:.4g} of the capital that they began with, after "
        f"{bets.pairs} pairs of trials",
        (("log_capital", capital), ("pairs", bets.pairs), ("alpha", bets.alpha)),
    )


def decide(found: Findings) -> tuple[Outcome, str]:
    """REFUTED on a contradiction of the claimed curve, INCONCLUSIVE if counts could not show one, else CONSISTENT."""
    label, decision = describe(found.guarantee), found.decision
    if decision.refuted:
        return Outcome.REFUTED, f"statistical, wrong with probability at most {decision.alpha:.3g}: {decision.detail}"
    if found.epsilon_claimed == np.inf:
        return Outcome.INCONCLUSIVE, (
            f"{label} says nothing at the quoted delta {found.delta:g}, so that no number of trials can exceed it; "
            "to settle it: quote epsilon at a delta at which the claim has one"
        )
    # Counts that say little at the quoted delta may catch half of the noise at another delta of the curve.
    unseen = minimum.of_a_game(found.smallest_violation, found.epsilon_claimed, found.delta)
    if found.limit_of_detection <= found.epsilon_claimed and unseen:
        return Outcome.INCONCLUSIVE, (
            "under-powered: the counts of so few trials can show an epsilon of at most "
            f"{found.limit_of_detection:.4g}, the claim is {found.epsilon_claimed:.4g}; to settle it: run more trials "
            "(a higher level)"
        )
    if found.silent:
        return Outcome.INCONCLUSIVE, SILENT
    return Outcome.CONSISTENT, (
        f"no violation of {label} found; epsilon is at least {found.epsilon_lower:.4g} (95 %), "
        f"claimed {found.epsilon_claimed:.4g}; a {'Gaussian' if found.delta else 'Laplace'} mechanism of epsilon "
        f"{found.smallest_violation:.4g} would be caught with probability 0.9"
    )


def as_numbers(target: Target, scores: Scores, found: Findings) -> Numbers:
    """What the record of the verdict keeps, under its fixed names."""
    return (
        ("epsilon_lower_95", found.epsilon_lower),
        ("epsilon_claimed", found.epsilon_claimed),
        ("epsilon_exact", found.epsilon_exact),
        ("tightness", found.tightness),
        ("delta", target.claim.delta),
        ("mu_lower_95", found.mu_lower),
        ("trials_per_side", len(scores.positive) + len(scores.held_positive)),
        ("alpha_decision", found.decision.alpha),
        ("limit_of_detection", found.limit_of_detection),
        ("smallest_violation_at_90", found.smallest_violation),
        ("threshold", found.decision_point.threshold),
    )
