"""Are the forecast numbers of trials right? python benchmarks/forecasts.py [-o FILE] [--settings 0,1]

In each setting a claim is violated by a mechanism of known law, and a number of trials is forecast with which its audit
refutes with probability 0.9 (`dpaudit power`). Then audits of that mechanism are played, as a verdict decides them, at
five numbers of trials around the forecast. A probit curve in the root of the number is fitted, and solved for 0.9:
`played`. `ratio` is the forecast over it, `interval` 95 % of the ratio, by the curvature of the likelihood.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_ndtr, ndtri

from dpaudit.audit import forecast
from dpaudit.audit.game import decide
from dpaudit.audit.planning import gaussian_mu
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.rank_power import Law, gaussian_law, laplace_law
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

CHANCE = 0.9
AROUND = (0.65, 0.8, 0.95, 1.1, 1.3)
MU = 1 / 3.7306
_STEP = 1e-3
"""Of the differences that give the curvature of the likelihood."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """A claim, the share of its noise that the mechanism has, and the error probability of the decision; early_stop: by
    bets."""

    guarantee: Guarantee
    noise: float
    alpha: float
    early_stop: bool = False

    @property
    def pure(self) -> bool:
        """Is it a claim of delta 0, violated by Laplace noise?"""
        return isinstance(self.guarantee, ApproximateDP) and self.guarantee.delta == 0

    @property
    def law(self) -> Law:
        """Of the scores."""
        if self.pure:
            return laplace_law(self.guarantee.epsilon / self.noise)  # type: ignore[union-attr]
        mu = self.guarantee.mu if isinstance(self.guarantee, GaussianDP) else None
        return gaussian_law((mu or gaussian_mu(self.guarantee.epsilon, self.guarantee.delta)) / self.noise)  # type: ignore[union-attr]

    def forecast(self) -> int:
        """Trials a side."""
        if self.early_stop:
            pairs = forecast._pairs(self.law, self.guarantee, self.alpha, CHANCE, attacks=1)
            assert pairs is not None, f"bets show no violation of {self.guarantee}"
            return pairs
        found = forecast._trials(self.law, self.guarantee, self.alpha / 2, CHANCE, self.pure)
        assert found is not None, f"no number of trials shows a violation of {self.guarantee}"
        return found

    def refuted(self, trials: int, seed: int) -> bool:
        """Does one audit refute?"""
        rng = np.random.default_rng([seed, trials])
        noise = rng.laplace if self.pure else rng.normal
        if self.early_stop:
            bets = BettingTest((self.guarantee,), self.alpha * (1 - decide.OF_SHAPES))
            bets.update(noise(size=trials) + self.law.shift, noise(size=trials))
            return bool(bets.refuted[0])
        scores = split(noise(size=trials) + self.law.shift, noise(size=trials))
        claim = PrivacyClaim(ApproximateDP(1.0, 1e-5), Neighbours.ADD_OR_REMOVE, 1e-5, "the benchmark")
        target = Target("benchmark/forecasts", "forecasts", View.TRANSCRIPT, claim, TrialPlan(100, 100, 100))
        with patch.object(decide, "printed_bounds", return_value=(0.0, 0.0)):  # they have no say in the decision
            return decide.judge(target, scores, self.guarantee, self.alpha, rng).decision.refuted


POINT, CURVE, PURE = ApproximateDP(1.0, 1e-5), GaussianDP(MU), ApproximateDP(1.0, 0.0)
SETTINGS = (
    *(Setting(claim, noise, alpha) for claim in (POINT, CURVE) for noise in (0.5, 0.8) for alpha in (1e-4, 1e-6)),
    *(Setting(PURE, noise, alpha) for noise in (0.6, 0.8) for alpha in (1e-4, 1e-6)),
    Setting(PURE, 0.9, 1e-4), Setting(CURVE, 0.9, 1e-4), Setting(GaussianDP(1.0), 0.8, 1e-4),
    *(Setting(ApproximateDP(4.0, 1e-5), noise, 1e-4) for noise in (0.5, 0.8)),
    Setting(ApproximateDP(0.1, 0.0), 0.5, 1e-4), Setting(ApproximateDP(4.0, 0.0), 0.8, 1e-4),
    Setting(ApproximateDP(0.3, 1e-6), 0.5, 1e-2),
    *(Setting(claim, 0.5, 1e-4, early_stop=True) for claim in (PURE, POINT, GaussianDP(1.0))),
    Setting(PURE, 0.9, 1e-4, early_stop=True), Setting(CURVE, 0.8, 1e-4, early_stop=True),
)  # fmt: skip


def solved(trials: Floats, refuted: Floats, audits: int) -> tuple[float, float]:
    """The logarithm of the number at which the fitted curve is CHANCE, and its standard error."""
    roots, scale = np.sqrt(trials / trials.mean()), float(ndtri(CHANCE))

    def loss(values: Floats) -> float:
        """In terms of the logarithm of what is looked for, and of the logarithm of the slope."""
        at = np.exp(values[1]) * (roots - math.exp(values[0] / 2)) + scale
        return -float(refuted @ log_ndtr(at) + (audits - refuted) @ log_ndtr(-at))

    precise = {"xatol": 1e-7, "fatol": 1e-9}
    best = minimize(loss, np.array([0.0, math.log(5.0)]), method="Nelder-Mead", options=precise).x
    around = np.diag([_STEP, _STEP])
    curvature = [
        [loss(best + a + b) - loss(best + a - b) - loss(best - a + b) + loss(best - a - b) for b in around]
        for a in around
    ]
    spread = np.linalg.pinv(np.array(curvature) / (4 * _STEP**2))
    return float(best[0] + math.log(trials.mean())), math.sqrt(float(spread[0, 0]))


def measured(setting: Setting, audits: int) -> dict[str, Any]:
    """The row of a setting."""
    forecast_trials = setting.forecast()
    audits = audits if forecast_trials < 10**6 else audits // 3
    trials = np.array([max(20, round(share * forecast_trials)) for share in AROUND])
    refuted = np.array([sum(setting.refuted(int(n), seed) for seed in range(audits)) for n in trials])
    log_played, error = solved(trials.astype(float), refuted.astype(float), audits)
    ratio = forecast_trials / math.exp(log_played)
    return {
        "claim": str(setting.guarantee), "bets": setting.early_stop, "noise": setting.noise, "alpha": setting.alpha,
        "forecast": forecast_trials, "played": round(math.exp(log_played)), "ratio": round(ratio, 3),
        "interval": [round(ratio * math.exp(side * 1.96 * error), 3) for side in (-1, 1)],
        "trials": trials.tolist(), "refuted": refuted.tolist(), "audits": audits,
    }  # fmt: skip


def main() -> None:
    """Print the table, and write it as JSON; rows of FILE that are not measured now stay."""
    parser = argparse.ArgumentParser(description="forecast against played numbers of trials")
    parser.add_argument("--audits", type=int, default=100, help="at each number of trials; a third beyond 10^6")
    parser.add_argument("--settings", default=",".join(map(str, range(len(SETTINGS)))), help="numbers, with commas")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    kept = json.loads(options.output.read_text())["rows"] if options.output and options.output.exists() else []
    rows = {row["setting"]: row for row in kept}
    for number in map(int, options.settings.split(",")):
        started = time.perf_counter()
        rows[number] = {"setting": number} | measured(SETTINGS[number], options.audits)
        print(f"{number} {time.perf_counter() - started:.0f} s {rows[number]}", flush=True)
        if options.output:
            written = {"command": f"python benchmarks/forecasts.py --audits {options.audits}", "chance": CHANCE}
            text = json.dumps(written | {"rows": [rows[n] for n in sorted(rows)]}, indent=1)
            options.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
