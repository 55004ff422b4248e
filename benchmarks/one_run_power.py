"""One training with 500 canaries and too little noise: what its audit says, by the score.

    python benchmarks/one_run_power.py            5 repeats, a few minutes
    python benchmarks/one_run_power.py -o FILE    and the figures as JSON

DP-SGD on digits as in `audits/one_run/digits.py`, claimed to be 0.268-GDP, with noise that is 1, 4, 16 and 64 times too
small. The canaries are digits with a wrong label, or crafted: blank but for a feature of their own. The adversary sees
the losses of the final model: their threshold alone, or with shadow models. Columns, each the number of repeats with
that outcome:

    refuted        by the guesses
    nothing found  neither refuted nor out of reach for so many canaries
    consistent     of these, those in which the same scores refute a training without noise, and ranks refute nothing;
                   the others are inconclusive
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit import membership
from dpaudit.audit.game import decide_one_run
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

CANARIES, SHADOWS, NOISE, DELTA, ALPHA = 500, 32, 26.4, 1e-5, 1e-3
SCORES = ("loss threshold", "LiRA online")
KINDS = ("mislabelled", "crafted")
FACTORS = (1, 4, 16, 64)
CLAIM = GaussianDP(0.268)
TARGET = Target(
    "benchmark/one-run",
    "Digits",
    View.LOSS,
    PrivacyClaim(CLAIM, Neighbours.ADD_OR_REMOVE, delta=DELTA, source="50 Gaussian releases"),
    TrialPlan(2, 2, 2),
    canaries=CANARIES,
)
Scored = tuple[dict[str, NDArray[np.float64]], NDArray[np.bool_]]


def scored(kind: str, noise_multiplier: float, seed: int, factor: int) -> Scored:
    """Scores of the canaries in one training, by name, and which were included."""
    rng = np.random.default_rng([seed, factor])
    task = membership.digits(rng, CANARIES, crafted=kind == "crafted")
    included = rng.random(CANARIES) < 0.5
    models = np.concatenate([membership.shadow_members(SHADOWS, CANARIES, rng), included[None]])
    training = membership.Training(50, 45.0, clip_norm=0.5, noise_multiplier=noise_multiplier)
    found = membership.attack_scores(membership.observe(task, models, training, rng), SHADOWS)
    return {name: np.asarray(found[name][0], dtype=np.float64) for name in SCORES}, included


def outcome(name: str, audited: Scored, silenced: Scored, seed: int) -> tuple[float, Outcome]:
    """The bound that is printed, and the outcome beside a training without noise."""
    scores, included = audited[0][name], audited[1]
    alone = decide_one_run.judge(TARGET, scores, included, CLAIM, ALPHA, np.random.default_rng(seed))
    both = decide_one_run.controlled(alone, silenced[0][name], silenced[1], DELTA)
    return alone.epsilon_lower, decide_one_run.decide(both)[0]


def rows(repeats: int) -> Iterator[dict[str, object]]:
    """One row for each kind of canaries, score and factor."""
    for kind in KINDS:
        silenced = [scored(kind, 0.0, seed, 0) for seed in range(repeats)]
        played = {f: [scored(kind, NOISE / f, seed, f) for seed in range(repeats)] for f in FACTORS}
        for name in SCORES:
            for factor in FACTORS:
                yield {"canaries": kind, "score": name, "factor": factor} | row(name, played[factor], silenced)


def row(name: str, played: list[Scored], silenced: list[Scored]) -> dict[str, object]:
    """What the audits of these trainings say, each beside one without noise."""
    parts = zip(played, silenced, range(len(played)), strict=True)
    bounds, found = zip(*(outcome(name, *part) for part in parts), strict=True)
    refuted = found.count(Outcome.REFUTED)
    return {
        "epsilon lower": round(max(bounds), 2),
        "refuted": refuted,
        "nothing found": len(found) - refuted,
        "consistent": found.count(Outcome.CONSISTENT),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="audits of one training with too little noise")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    made = []
    for row in rows(options.repeats):
        if not made:
            print("  ".join(f"{name:>16s}" for name in row))
        made.append(row)
        print("  ".join(f"{value!s:>16s}" for value in row.values()), flush=True)
    if options.output:
        setting = {"canaries": CANARIES, "shadow models": SHADOWS, "alpha": ALPHA, "repeats": options.repeats}
        command = f"python benchmarks/one_run_power.py --repeats {options.repeats}"
        options.output.write_text(json.dumps({"command": command, **setting, "rows": made}, indent=1) + "\n")


if __name__ == "__main__":
    main()
