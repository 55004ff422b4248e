"""Cells of benchmarks/attack.py: years of runs with a ledger, null controls, plots, and tables of false alarms."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
from attack_game import DISCRETE, LADDER, Cell, Found, Generator, Sides, finite, kov, law_epsilon, target_of
from composed import within_reach

from dpaudit.audit import false_alarms
from dpaudit.audit.game import curves, decide, null
from dpaudit.audit.laws import known_laws
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.privacy import ApproximateDP
from dpaudit.runs import budget, spending

TOTAL = 0.5
"""Of the ledgers: large, so that years with a false alarm are not rare."""


def year(horizon: int, nights: int, greedy: bool) -> Any:
    """Nights of one ledger with two true claims at least; a target whose scores came near to a refutation gets twice as
    many trials the next night, and with `greedy` a third target joins. Is anything ever refuted?"""
    claim = ApproximateDP(1.0, 0.0)
    target, sides = target_of(claim, 0.0), kov(1.0, 0.0)

    def audit(rng: Generator) -> Found:
        sizes, refuted = [40, 40], False
        for night in range(1, nights + 1):
            share = spending.share(TOTAL, horizon, night)
            of_each = budget.plan(share, [budget.Asked(str(place), 1) for place in range(len(sizes))]).share
            for place, trials in enumerate(list(sizes)):
                scores = split(*sides(rng, trials, trials))
                if not within_reach(scores, claim, max(of_each, 0.05) / 2):
                    continue
                near = _p_value(scores, claim, rng) <= 0.1
                refuted |= within_reach(scores, claim, of_each / 2) and _refuted(target, scores, claim, of_each, rng)
                if near:
                    sizes[place] = min(2 * trials, 80)
                    if greedy and len(sizes) < 3:
                        sizes.append(40)
        return {"any refutation within the total": (TOTAL, refuted)}

    return audit


def _p_value(scores: Any, claim: ApproximateDP, rng: Generator) -> float:
    return decide.rank_test.split_p_value(scores, claim, rng)


def _refuted(target: Any, scores: Any, claim: ApproximateDP, alpha: float, rng: Generator) -> bool:
    with (
        patch.object(decide, "printed_bounds", return_value=(0.0, 0.0)),
        patch.object(decide.power, "smallest_violation", return_value=1.0),
    ):
        return decide.judge(target, scores, claim, alpha, rng).decision.refuted


def calibration(sides: Sides, claim: ApproximateDP, trials: int) -> Any:
    """Is a null control that keeps its claim refuted by the p-values of its blocks?"""

    def audit(rng: Generator) -> Found:
        p_value = null.of_blocks(split(*sides(rng, trials, trials)), claim, rng).p_value
        return {f"refuted at {alpha:g}": (alpha, p_value <= alpha) for alpha in (0.05, 0.001)}

    return audit


def plots(first: Any, second: Any, values: Any, trials: int) -> Any:
    """Do the limits of both rates hold at all thresholds, and the band over trials at all times? Two known laws."""
    order = np.argsort(values)
    ordered, above = values[order], [np.cumsum(law[order][::-1])[::-1] for law in (first, second)]

    def rate(law: Any, threshold: float) -> float:
        place = int(np.searchsorted(ordered, threshold, "left"))
        return float(law[place]) if place < len(law) else 0.0

    def audit(rng: Generator) -> Found:
        sides = finite(first, second, values)(rng, trials, trials)
        scores = split(*sides)
        with patch.object(curves, "_listed", lambda found, side="": [float(one) for one in np.asarray(found)]):
            band = curves.roc_band(scores)
        assert band is not None
        thresholds = curves.spread(scores.held_negative, scores.held_positive)
        wrong = False
        for kind, law in (("false", above[1]), ("true", above[0])):
            for place, threshold in enumerate(thresholds):
                low, high = (band[f"{kind}_positive_rate_{end}"][place] for end in ("lower", "upper"))
                wrong |= not float(low or 0) - 1e-12 <= rate(law, float(threshold)) <= float(high or 0) + 1e-12
        held = trials // 10
        threshold = curves.epsilon_threshold(scores, 1e-3)
        counted = curves.progress(threshold, sides[0][held:], sides[1][held:])
        assert counted is not None
        false, true = rate(above[1], threshold), rate(above[0], threshold)
        shown = curves.epsilon_over_trials(counted, 1e-3)
        truth = max(0.0, float(curves.witnessed_epsilon(false, true, 1e-3)))
        lower = any(one is not None and one > truth + 1e-4 for one in shown["epsilon_lower"])
        upper = any(one is not None and one < truth - 1e-4 for one in shown["epsilon_upper"])
        return {"band": (0.05, wrong), "progress": (0.05, lower or upper)}

    return audit


def auditor(level: float, audits: int) -> Any:
    """An auditor that is wrong exactly as often as it may be: is it refuted in some row, and do intervals hold it?"""
    cells = [(law, (2, 2)) for law in known_laws(1e-5)]

    def audit(rng: Generator) -> Found:
        seed = int(rng.integers(2**31))

        def bounds(first: Any, second: Any, delta: float, alpha: float) -> float:
            return np.inf if rng.random() < alpha else 0.0

        found = list(false_alarms.rows(bounds, cells, audits, seed=seed, alpha=0.05, level=level))
        low, high = found[0].number("rate_lower_95"), found[0].number("rate_upper_95")
        refuted = any(row.finding.outcome.value == "REFUTED" for row in found)
        return {"refuted in some row": (0.05, refuted), "interval": (0.05, not low <= level <= high)}

    return audit


DISCRETE_EPSILON = law_epsilon(*DISCRETE, 1e-3)
CELLS = (
    Cell("ledger", "horizon 2, 4 nights", year(2, 4, False)),
    Cell("ledger", "horizon 1, 5 nights, targets join", year(1, 5, True)),
    Cell("null", "blocks, no ties, (0, 0.1)", calibration(kov(0, 0.1), ApproximateDP(0, 0.1), 1_400)),
    Cell("band", "discrete Gaussian, 300 a side", plots(*DISCRETE, LADDER, 300)),
    Cell("band", "two values, 60 a side", plots(np.array([0.3, 0.7]), np.array([0.7, 0.3]), np.array([0.0, 1.0]), 60)),
    Cell("auditors", "wrong in 0.05, 200 audits a row", auditor(0.05, 200)),
    Cell("auditors", "wrong in 0.001, 500 audits a row", auditor(0.001, 500)),
)
