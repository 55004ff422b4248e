"""The distinguishing game: run a target on two neighbouring data sets, score, decide.

The target is played `trials` times on D and on D' with streams of their own, chunk by chunk,
so that memory holds one score a trial. Three tests are chosen on the held-out part, one for
each statement: epsilon at the quoted delta (95 %), mu (95 %), and the decision against the
whole claimed curve at the run's share of the error budget. Only the last one can refute.
"""

from __future__ import annotations

import json
import time
import traceback
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit import power
from dpaudit.accounting import claimed_epsilon, epsilon_bounds
from dpaudit.context import Context, slug
from dpaudit.errors import ContentError, MissingPackageError
from dpaudit.estimators.clopper_pearson import OperatingPoint, excess, witnessed_mu
from dpaudit.estimators.held_out_threshold import Scores, split
from dpaudit.estimators.pooled_guesses import Guesses, best_guesses
from dpaudit.noise import Stream, Trials
from dpaudit.serial import encode
from dpaudit.target import Control, Target
from dpaudit.tradeoff import describe, largest_true_positive_rate
from dpaudit.verdict import Basis, Evidence, Kind, Numbers, Outcome, Verdict

PRINTED_ALPHA = 0.05
"""Error probability of each printed lower bound, for one audit on its own."""

CHUNK = 65_536
"""Trials that one call of `run` makes at most."""

_CURVE_POINTS = 280

SIDES = ("D", "D'")

_MIXED = 64
"""Trials of each side that are scored once more, in one batch with those of the other side."""


Played = tuple[NDArray[np.float64], NDArray[Any]]


@dataclass(frozen=True)
class Findings:
    """What the scores show: the counts behind the three statements, and the numbers around them."""

    guesses: Guesses
    mu_point: OperatingPoint
    decision_point: OperatingPoint
    epsilon_lower: float
    epsilon_claimed: float
    epsilon_exact: float | None
    limit_of_detection: float
    smallest_violation: float

    @property
    def tightness(self) -> float | None:
        """Measured over exact epsilon, None where the exact one is unknown, 0 or infinite."""
        exact = self.epsilon_exact
        return self.epsilon_lower / exact if exact and np.isfinite(exact) else None


def audit(target: Target, module: Any, context: Context) -> Verdict:
    """The verdict of the game on `target`, whose functions `module` carries.

    NOT_RUN without the packages that it needs; ERROR if it raises or breaks its contract
    (NaN, wrong shapes, trials that depend on each other): never a pass, never an exception.
    """
    started = time.perf_counter()
    try:
        _require(target)
        scores = play(target, module, context)
        verdict = _judged(target, context, scores, judge(target, scores, context))
    except MissingPackageError as error:
        verdict = _undecided(target, context, Outcome.NOT_RUN, str(error))
    except (Exception, SystemExit) as error:  # whatever a target does is a finding about that target
        reason = str(error) if isinstance(error, ContentError) else f"{type(error).__name__}: {error}"
        kept = context.attach(f"errors/{slug(target.name)}.txt", traceback.format_exc())
        verdict = replace(_undecided(target, context, Outcome.ERROR, reason), attachments=(kept,) if kept else ())
    return replace(verdict, duration_s=time.perf_counter() - started)


def play(target: Target, module: Any, context: Context) -> Scores:
    """Scores of all trials on D and on D', split and sorted; ContentError for a broken contract."""
    pair = module.neighbours(_generator(target, context, "neighbours"))
    if not (isinstance(pair, tuple) and len(pair) == 2):
        raise ContentError(f"neighbours must return a pair (data set, neighbour), got {type(pair).__name__}")
    played = [_play_side(target, module, context, pair, side) for side in SIDES]
    _refuse_batch_scores(module, pair, played)
    return split(played[0][0], played[1][0])


def _play_side(target: Target, module: Any, context: Context, pair: tuple[Any, Any], side: str) -> Played:
    """The scores of all trials on one side, and the first outputs."""
    number, data = getattr(target.trials, context.level.value), pair[SIDES.index(side)]
    stream = Stream(context.seed, f"{target.name}/{side}")
    scores, kept = np.empty(number), np.empty(0)
    for first in range(0, number, CHUNK):
        trials = Trials(stream, np.arange(first, min(first + CHUNK, number)))
        outputs = _numbers(module.run(data, trials), len(trials), f"run on {side}")
        found = _scored(module, outputs, pair, side)
        if first == 0:
            kept = outputs[:_MIXED].copy()
        elif _repeats(found, scores[first - CHUNK : first]):
            raise ContentError(f"run on {side} repeats itself: two batches have equal scores; use trials.numbers")
        scores[first : first + CHUNK] = found
    return scores, kept


def _scored(module: Any, outputs: NDArray[Any], pair: tuple[Any, Any], side: str) -> NDArray[Any]:
    found = _numbers(module.score(outputs, *pair), len(outputs), f"score on {side}")
    if found.ndim != 1:
        raise ContentError(f"score on {side} must return one number a trial, got shape {found.shape}")
    return found


def _repeats(found: NDArray[Any], before: NDArray[np.float64]) -> bool:
    """Are the scores those of the batch before? Chance does this less than once in 10^11 batches."""
    equal = len(found) >= 40 and np.array_equal(found, before[: len(found)])
    return equal and len(found) - int(np.unique(found, return_counts=True)[1].max()) >= 20


def _refuse_batch_scores(module: Any, pair: tuple[Any, Any], played: list[Played]) -> None:
    """A batch comes from one side: a score that looks at its batch knows the side, and its trials depend."""
    (scores, outputs), (others, other_outputs) = played
    if outputs.shape[1:] != other_outputs.shape[1:]:
        return
    mixed = _scored(module, np.concatenate([outputs, other_outputs]), pair, "both sides")
    alone = np.concatenate([scores[: len(outputs)], others[: len(other_outputs)]])
    slack = 1e-4 * float(np.max(np.abs(alone[np.isfinite(alone)]), initial=0.0))  # sums of float32 in another order
    if not np.allclose(mixed, alone, rtol=1e-4, atol=slack):
        raise ContentError("score depends on the other trials of its batch; score each trial on its own")


def judge(target: Target, scores: Scores, context: Context) -> Findings:
    """All numbers of the audit from its scores; the decision has the error probability `context.alpha`."""
    delta, guarantee, alpha = target.claim.delta, target.claim.guarantee, context.alpha
    guesses = best_guesses(scores, delta, PRINTED_ALPHA, _generator(target, context, "coins"))
    number = len(scores.positive) + len(scores.held_positive)
    return Findings(
        guesses=guesses,
        mu_point=scores.best_point(witnessed_mu, PRINTED_ALPHA),
        decision_point=scores.best_point(lambda f, t: excess(f, t, guarantee), alpha),
        epsilon_lower=guesses.epsilon_lower(delta),
        epsilon_claimed=claimed_epsilon(guarantee, delta),
        epsilon_exact=_exact_epsilon(target),
        limit_of_detection=power.limit_of_detection(number, alpha, delta),
        smallest_violation=power.smallest_violation(guarantee, number, alpha, delta),
    )


def _require(target: Target) -> None:
    """The packages of the target, and the accountant that every claim is held against."""
    for module, extra in (*target.needs, ("dp_accounting", "accountants")):
        if find_spec(module.partition(".")[0]) is None:
            raise MissingPackageError(module, extra)


def _generator(target: Target, context: Context, purpose: str) -> np.random.Generator:
    seed = Stream(context.seed, f"{target.name}/{purpose}").seeds(np.array([0]))
    return np.random.default_rng(int(seed[0]))


def _numbers(values: Any, rows: int, what: str) -> NDArray[Any]:
    """`values` as an array of numbers with one row a trial and no NaN."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise ContentError(f"{what} must return real numbers, got dtype {array.dtype}")
    if array.ndim == 0 or len(array) != rows:
        raise ContentError(f"{what} must return {rows} rows, one a trial, got shape {array.shape}")
    broken = int(np.isnan(array.reshape(rows, -1)).any(axis=1).sum())
    if broken:
        raise ContentError(f"{what} returned NaN in {broken} of {rows} trials")
    return array


def _exact_epsilon(target: Target) -> float | None:
    """The exact epsilon, rounded up so that tightness is never overstated; None where theory does not know it."""
    if target.truth is None:
        return None
    return epsilon_bounds(target.truth, target.claim.delta, target.claim.neighbours).upper


def _judged(target: Target, context: Context, scores: Scores, found: Findings) -> Verdict:
    outcome, detail = _decide(target, found)
    numbers = _verdict_numbers(target, context, scores, found)
    kept = context.attach(f"scores/{slug(target.name)}.json", json.dumps(_scores_file(target, scores, found)))
    return replace(
        _undecided(target, context, outcome, detail),
        basis=Basis.SAMPLING if outcome is Outcome.CONSISTENT else None,
        witness=_witness(target, found) if outcome is Outcome.REFUTED else (),
        effect=target.effect if outcome is Outcome.REFUTED else "",
        numbers=numbers,
        attachments=(kept,) if kept else (),
    )


def _decide(target: Target, found: Findings) -> tuple[Outcome, str]:
    """REFUTED on a contradiction of the claimed curve, INCONCLUSIVE if none was within reach, else CONSISTENT."""
    point, label = found.decision_point, describe(target.claim.guarantee)
    if point.contradicts(target.claim.guarantee):
        allowed = float(largest_true_positive_rate(point.false_positive_rate_upper, target.claim.guarantee))
        return Outcome.REFUTED, (
            f"statistical, wrong with probability at most {point.alpha:.3g}: at a false positive rate of at most "
            f"{point.false_positive_rate_upper:.4g} the true positive rate is at least "
            f"{point.true_positive_rate_lower:.4g}; {label} allows {allowed:.4g}"
        )
    if found.limit_of_detection <= found.epsilon_claimed:
        return Outcome.INCONCLUSIVE, (
            f"under-powered: so few trials can show an epsilon of at most {found.limit_of_detection:.4g}, "
            f"the claim is {found.epsilon_claimed:.4g}; run more trials (a higher level)"
        )
    return Outcome.CONSISTENT, (
        f"no violation of {label} found; epsilon is at least {found.epsilon_lower:.4g} (95 %), "
        f"claimed {found.epsilon_claimed:.4g}; a Gaussian mechanism of epsilon "
        f"{found.smallest_violation:.4g} would be caught with probability 0.9"
    )


def _undecided(target: Target, context: Context, outcome: Outcome, detail: str) -> Verdict:
    """A verdict without numbers; the run fills in the command that repeats it."""
    claim = target.claim
    return Verdict(
        id=target.name,
        kind=Kind.AUDIT if target.control is Control.NONE else Kind.CONTROL,
        outcome=outcome,
        expected=target.expects,
        title=target.title,
        evidence=(Evidence("game", outcome, detail),),
        source=claim.source,
        seed=context.seed,
        statement=f"{describe(claim.guarantee)}; neighbours: {claim.neighbours}; the adversary sees {target.view}",
    )


def _verdict_numbers(target: Target, context: Context, scores: Scores, found: Findings) -> Numbers:
    return (
        ("epsilon_lower_95", found.epsilon_lower),
        ("epsilon_claimed", found.epsilon_claimed),
        ("epsilon_exact", found.epsilon_exact),
        ("tightness", found.tightness),
        ("delta", target.claim.delta),
        ("mu_lower_95", found.mu_point.mu_lower()),
        ("trials_per_side", len(scores.positive) + len(scores.held_positive)),
        ("alpha_decision", context.alpha),
        ("limit_of_detection", found.limit_of_detection),
        ("smallest_violation_at_90", found.smallest_violation),
        ("threshold", found.guesses.rule.threshold),
    )


def _witness(target: Target, found: Findings) -> Numbers:
    point, upper = found.decision_point, found.decision_point.false_positive_rate_upper
    return (
        ("threshold", point.threshold),
        ("false_positives", point.false_positives),
        ("negatives", point.negatives),
        ("true_positives", point.true_positives),
        ("positives", point.positives),
        ("false_positive_rate_upper", upper),
        ("true_positive_rate_lower", point.true_positive_rate_lower),
        ("true_positive_rate_allowed", float(largest_true_positive_rate(upper, target.claim.guarantee))),
        ("alpha", point.alpha),
        ("alpha_share_true_positive", point.share),
    )


def _scores_file(target: Target, scores: Scores, found: Findings) -> dict[str, Any]:
    """The attachment that plots read: observed and claimed curves, the point of the decision, the epsilons."""
    false_rate, true_rate = scores.staircase()
    tail = np.geomspace(0.1 / max(len(scores.negative), 1), 0.5, _CURVE_POINTS // 2)
    claim_rate = np.concatenate([[0.0], tail, 1 - tail[-2::-1], [1.0]])
    names = ("false_positive_rate", "true_positive_rate", "false_positive_rate_upper", "true_positive_rate_lower")
    return {
        "target": target.name,
        "trials_per_side": len(scores.positive) + len(scores.held_positive),
        "false_positive_rate": false_rate.tolist(),
        "true_positive_rate": true_rate.tolist(),
        "claim_false_positive_rate": claim_rate.tolist(),
        "claim_true_positive_rate": largest_true_positive_rate(claim_rate, target.claim.guarantee).tolist(),
        "claim_label": describe(target.claim.guarantee),
        "point": {name: getattr(found.decision_point, name) for name in names},
        "epsilon_lower": found.epsilon_lower,
        "delta": target.claim.delta,
        "epsilon_claimed": encode(found.epsilon_claimed),
        "epsilon_exact": encode(found.epsilon_exact),
    }
