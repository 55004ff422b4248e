"""The curves that a report draws of one audit, computed where its verdict is made and thinned for its scores file.

Nothing here decides: the decision and the printed bounds are those of `decide`. The bands hold at 95 %, each on its
own, and say of what: the rates of the attack that was played, at thresholds that no counted trial chose.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.accounting.tradeoff import describe, largest_true_positive_rate
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.audit.game import decide_one_run
from dpaudit.audit.game.decide import PRINTED_ALPHA, Findings, curve
from dpaudit.estimators import power
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper, witnessed_epsilon
from dpaudit.estimators.confidence_sequence import rate_interval
from dpaudit.estimators.held_out_threshold import Scores, spread
from dpaudit.records.privacy import Guarantee
from dpaudit.records.serial import Json, encode
from dpaudit.records.target import Target

MOMENTS = 30
"""Numbers of trials, geometrically spaced, at which counts are kept in the order of play."""

_CHANCES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
_DIGITS = 5


@dataclass(frozen=True)
class Progress:
    """The counts of one test in the order of play: (m,) numbers of counted trials a side, ascending, and
    how many of the first so many were called D, on D' and on D."""

    trials: Integers
    false_positives: Integers
    true_positives: Integers


def epsilon_threshold(scores: Scores, delta: float) -> float:
    """The threshold that shows most of epsilon at `delta`, from the held-out scores and the number of the others."""
    return scores.choose(lambda f, t: witnessed_epsilon(f, t, delta), PRINTED_ALPHA).threshold


def progress(threshold: float, positive: Array, negative: Array) -> Progress | None:
    """Counts at MOMENTS numbers of trials; the scores in the order of play. None if a side has none.

    threshold: chosen without looking at these scores.
    """
    number = min(len(positive), len(negative))
    if not number:
        return None
    trials = np.unique(np.round(np.geomspace(1, number, MOMENTS)).astype(np.int64))
    starts = np.concatenate([[0], trials[:-1]])
    false, true = (
        np.cumsum(np.add.reduceat(side[:number] >= threshold, starts, dtype=np.int64)) for side in (negative, positive)
    )
    return Progress(trials, false, true)


def game_file(
    target: Target, scores: Scores, found: Findings, progress: Progress | None, fixed: bool
) -> dict[str, object]:
    """The scores file of a game: every number that a report draws of it.

    fixed: the number of trials was set in advance, so that limits of rates at it hold: those of the point, and a band.
    """
    names = ("false_positive_rate", "true_positive_rate", "false_positive_rate_upper", "true_positive_rate_lower")
    number, delta = len(scores.positive) + len(scores.held_positive), target.claim.delta
    # Of the counts alone, like the smallest violation of the record: the ranks can only see more.
    chances = power.chances(found.guarantee, number, found.decision.alpha / 2, delta, _CHANCES)
    return {
        **curves(target, scores, found.guarantee),
        "trials_per_side": number,
        "point": {name: _rounded(getattr(found.decision_point, name)) for name in names} if fixed else None,
        "epsilon_lower": found.epsilon_lower,
        "delta": delta,
        "epsilon_claimed": encode(found.epsilon_claimed),
        "epsilon_exact": encode(found.epsilon_exact),
        "band": (band := roc_band(scores) if fixed else None),
        "ruled_out": None if band is None else ruled_out(band),
        "progress": None if progress is None else epsilon_over_trials(progress, delta),
        "power": _power("at least", chances),
    }


def one_run_file(target: Target, canaries: Scores, guarantee: Guarantee, alpha: float) -> dict[str, object]:
    """The scores file of one training with many canaries: no point, no band (canaries share a training), no trials to
    follow; the power is that of simulated audits."""
    number = len(canaries.positive) + len(canaries.negative)
    chances = decide_one_run.chances(guarantee, number, alpha, target.claim.delta)
    return {
        **curves(target, canaries, guarantee),
        "trials_per_side": target.canaries // 2,
        "point": None,
        "band": None,
        "ruled_out": None,
        "progress": None,
        "power": _power("simulated", chances),
    }


def _power(how: str, chances: list[tuple[float, float]]) -> Json:
    """(chance, epsilon) as columns."""
    return {"how": how, **_columns(epsilon=[e for _, e in chances], chance=[c for c, _ in chances])}


def curves(target: Target, scores: Scores, guarantee: Guarantee) -> Json:
    """The observed curve of the counted scores, and the claimed and exact ones; rates in [0, 1]."""
    false_rate, true_rate = scores.staircase()
    least = min(0.1 / max(len(scores.negative), 1), 0.01)
    rates = np.concatenate([[0.0], np.geomspace(least, 0.04, 20), np.linspace(0.05, 1.0, 25)])
    exact = None if target.truth is None else curve(target.truth, target.claim.neighbours, "exact")
    return {
        "target": target.name,
        **_columns(false_positive_rate=false_rate, true_positive_rate=true_rate),
        **_columns(
            claim_false_positive_rate=rates, claim_true_positive_rate=largest_true_positive_rate(rates, guarantee)
        ),
        "claim_label": describe(target.claim.guarantee),
        "exact_true_positive_rate": None if exact is None else _listed(largest_true_positive_rate(rates, exact)),
    }


def roc_band(scores: Scores) -> dict[str, list[float | None]] | None:
    """Bounds on both rates at some thresholds, all at once with probability 0.95; None without a held-out part.

    The thresholds are held-out scores, so that the counts at each are binomial, whatever the sides have to do with
    each other. With m thresholds each of the four bounds at each is a Clopper-Pearson bound at 0.05 / (4 m), and the
    union bound joins them. From the lowest threshold up.
    """
    if not (len(scores.held_positive) and len(scores.held_negative) and len(scores.positive) and len(scores.negative)):
        return None
    thresholds = spread(scores.held_negative, scores.held_positive)
    alpha = PRINTED_ALPHA / (4 * len(thresholds))
    false, true = (
        len(side) - np.searchsorted(side, thresholds, side="left") for side in (scores.negative, scores.positive)
    )
    return _columns(
        false_positive_rate_lower=rate_lower(false, len(scores.negative), alpha),
        false_positive_rate_upper=rate_upper(false, len(scores.negative), alpha),
        true_positive_rate_lower=rate_lower(true, len(scores.positive), alpha),
        true_positive_rate_upper=rate_upper(true, len(scores.positive), alpha),
    )


def ruled_out(band: dict[str, list[float | None]]) -> dict[str, list[float | None]]:
    """Corners, by rising rate, of the lowest concave curve above the lower limits of `band`: tests mixed at random
    reach all of it, so that no guarantee whose curve passes below it holds."""
    hull: list[tuple[float, float]] = []
    limits = zip(band["false_positive_rate_upper"], band["true_positive_rate_lower"], strict=True)
    for x, y in sorted([(0.0, 0.0), (1.0, 1.0), *((f or 0.0, t or 0.0) for f, t in limits)]):
        while len(hull) > 1 and _turn(hull[-2], hull[-1], (x, y)) >= 0:
            hull.pop()
        hull.append((x, y))
    return _columns(false_positive_rate=[x for x, _ in hull], true_positive_rate=[y for _, y in hull])


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    """Positive where the path from a over b to c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def epsilon_over_trials(progress: Progress, delta: float) -> dict[str, list[float | None]]:
    """What one test shows of epsilon at `delta`, after more and more trials: observed, and between bounds
    that hold at every number of trials at once with probability 0.95; at least 0, None where infinite.

    The lower bound holds for the target; the upper one bounds what this test can show, a better one may show more.
    """
    false = rate_interval(progress.false_positives, progress.trials, PRINTED_ALPHA / 2)
    true = rate_interval(progress.true_positives, progress.trials, PRINTED_ALPHA / 2)
    observed = progress.false_positives / progress.trials, progress.true_positives / progress.trials
    return {
        "trials": progress.trials.tolist(),
        **_columns(
            epsilon_lower=_shown(false[1], true[0], delta),
            epsilon=_shown(*observed, delta),
            epsilon_upper=_shown(false[0], true[1], delta),
        ),
    }


def _shown(false_rate: Array, true_rate: Array, delta: float) -> Array:
    return np.maximum(witnessed_epsilon(false_rate, true_rate, delta), 0.0)


def _columns(**values: ArrayLike) -> dict[str, list[float | None]]:
    """Lists of rounded numbers; what is called a lower or an upper bound is rounded away from what it bounds."""
    return {name: _listed(value, name.rpartition("_")[2]) for name, value in values.items()}


def _listed(values: ArrayLike, side: str = "") -> list[float | None]:
    return [_rounded(value, side) for value in np.asarray(values, dtype=np.float64)]


def _rounded(value: float, side: str = "") -> float | None:
    """Enough digits for a plot, never above a "lower" and never below an "upper" value; None where JSON has none."""
    if not np.isfinite(value):
        return None
    modes = {"lower": ROUND_FLOOR, "upper": ROUND_CEILING}
    return float(Decimal(float(value)).normalize(Context(_DIGITS, modes.get(side, ROUND_HALF_EVEN))))
