"""Membership inference on digits: attacks against one another, and what one run shows with and without noise.

    python benchmarks/membership.py                    figures to reports/benchmarks/membership.json, under a minute
    python benchmarks/membership.py --repeats 10       fewer private models

500 mislabelled canaries, each in or out of a model by a coin. 64 shadow models, half of them with each canary, belong
to the adversary, all others are attacked. "true positive rate at 1 %": threshold from one half of the attacked
models, counted on the other half. "epsilon": lower bound of each model alone, at 95 %, by guessing its coins in one
run.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.audit import membership
from dpaudit.estimators import one_run, one_run_fdp
from dpaudit.estimators.clopper_pearson import rate_upper
from dpaudit.records.privacy import Neighbours

OUTPUT = Path(__file__).parent.parent / "reports" / "benchmarks" / "membership.json"
SEED, CANARIES, SHADOWS, DELTA, ALPHA = 5, 500, 64, 1e-5, 0.05
BASELINE, RATE = "loss threshold", 0.01
TRAININGS = {
    "non-private": membership.Training(steps=100, learning_rate=50.0),
    "epsilon 1": membership.Training(steps=50, learning_rate=2.0, clip_norm=0.5, noise_multiplier=26.4),
}
ESTIMATORS = {"one run": one_run.one_run_bound, "one run, f-DP": one_run_fdp.one_run_bound}


def main() -> None:
    """Train, attack, write the figures and print the table."""
    parser = argparse.ArgumentParser(description="membership inference on digits")
    parser.add_argument("--models", type=int, default=64, help="attacked models without noise, at least 4")
    parser.add_argument("--repeats", type=int, default=50, help="attacked models at epsilon 1, at least 4")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the figures go")
    options = parser.parse_args()
    numbers = {"non-private": options.models, "epsilon 1": options.repeats}
    figures: dict[str, Any] = {
        "command": f"python benchmarks/membership.py --models {options.models} --repeats {options.repeats}",
        "setting": {"seed": SEED, "canaries": CANARIES, "shadow_models": SHADOWS, "delta": DELTA, "alpha": ALPHA},
    }
    figures |= {name: measure(training, numbers[name]) for name, training in TRAININGS.items()}
    options.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for name in TRAININGS:
        report(name, figures[name])


def measure(training: membership.Training, models: int) -> dict[str, Any]:
    """All figures of one training: accuracy, claimed epsilon, and of each attack its rates and bounds."""
    started = time.perf_counter()
    rng = np.random.default_rng(SEED)
    task = membership.digits(rng, CANARIES)
    included = rng.random((models, CANARIES)) < 0.5
    everyone = np.concatenate([membership.shadow_members(SHADOWS, CANARIES, rng), included])
    observed = membership.observe(task, everyone, training, rng)
    scores = membership.attack_scores(observed, SHADOWS)
    private = training.noise_multiplier > 0
    return {
        "attacked_models": models,
        "epsilon_claimed": claimed(training) if private else None,
        "accuracy": float(observed.accuracy[SHADOWS:].mean()),
        "attacks": {name: attack(values, scores[BASELINE], included) for name, values in scores.items()},
        "seconds": time.perf_counter() - started,
    }


def claimed(training: membership.Training) -> float:
    """The accountant's epsilon at DELTA, from above."""
    return epsilon_bounds(training.mechanism(), DELTA, Neighbours.ADD_OR_REMOVE).upper


def attack(scores: membership.Floats, baseline: membership.Floats, included: membership.Flags) -> dict[str, Any]:
    """The rates of one attack, its gain over the loss threshold, and the bounds of every model alone."""
    rate = membership.rate_at(scores, included, RATE)
    bounds = {
        name: [bound(row, coins, DELTA, ALPHA).epsilon_lower for row, coins in zip(scores, included, strict=True)]
        for name, bound in ESTIMATORS.items()
    }
    return {
        "true_positive_rate_at_1_percent": [rate.true_positive_rate, rate.lower, rate.upper],
        "false_positive_rate": rate.false_positive_rate,
        "gain_over_loss_threshold": list(membership.advantage(scores, baseline, included, RATE)),
        "roc": membership.roc(scores, included),
        "epsilon_lower": {name: summary(found) for name, found in bounds.items()},
    }


def summary(found: list[float]) -> dict[str, Any]:
    """Mean, ends, and how often the bound is above 1, with the 95 % upper end of that share."""
    above = sum(bound > 1 for bound in found)
    upper = float(rate_upper(above, len(found), ALPHA))
    return {"mean": float(np.mean(found)), "smallest": min(found), "largest": max(found), "above_1": above,
            "models": len(found), "share_above_1_upper": upper}  # fmt: skip


def report(name: str, figures: dict[str, Any]) -> None:
    """The table of one training."""
    claim = figures["epsilon_claimed"]
    print(f"{name}: accuracy {figures['accuracy']:.3f}, claimed epsilon {claim}, {figures['seconds']:.1f} s")
    print("attack          TPR at 1 % FPR (95 %)   FPR     gain (95 %)             epsilon, one run / f-DP   above 1")
    for attack_name, found in figures["attacks"].items():
        rate, low, high = found["true_positive_rate_at_1_percent"]
        gain, gain_low, gain_high = found["gain_over_loss_threshold"]
        bounds = list(found["epsilon_lower"].values())
        print(
            f"{attack_name:15s} {rate:.3f} ({low:.3f}, {high:.3f})    {found['false_positive_rate']:.4f}  "
            f"{gain:+.3f} ({gain_low:+.3f}, {gain_high:+.3f})  {bounds[0]['mean']:.2f} / {bounds[1]['mean']:.2f}"
            f"               {bounds[0]['above_1']} / {bounds[1]['above_1']} of {bounds[0]['models']}"
        )


if __name__ == "__main__":
    main()
