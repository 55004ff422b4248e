"""DP-SGD at epsilon 4: the bounds that an audit prints, and which bugs are found, by which tier, at which cost.

    python benchmarks/dp_sgd.py                            everything, about half an hour on one core
    python benchmarks/dp_sgd.py --bugs none --trials 1000  the goals; rows of earlier calls stay

Logistic regression, N = 200, d = 20, T = 30 Poisson batches at rate 0.2, noise multiplier 1.523: epsilon 4 at 1e-5. The
canary's gradient is C e_d in every batch that holds it, and no other record has a gradient along e_d (the dirac canary
of Nasr et al. 2021). Without clipping it is 2 C e_d. Views: the whole transcript, scored by its likelihood ratio, and
the final model, scored by its coordinate d. Each row is 20 audits with 20 seeds; the bounds are `epsilon_lower_95` as
`dpaudit audit` prints it, without any assumption; `conditional` is that of normal scores (`conditional_gaussian`), on
the same scores, and `guarded` the share of audits in which its guard let them pass. Decisions at an error probability
of 5 %, against the claimed curve. Results go to `reports/benchmarks/dp_sgd.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.audit import contract, tiers
from dpaudit.audit.game import decide, play
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import audit_of
from dpaudit.estimators import conditional_gaussian
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]
Row = dict[str, Any]

JSON = Path(__file__).parent.parent / "reports" / "benchmarks" / "dp_sgd.json"
RECORDS, DIMENSION, STEPS, RATE, CLIP_NORM, DELTA = 200, 20, 30, 0.2, 1.0, 1e-5
NOISE_MULTIPLIER, STEP_SIZE, UNCLIPPED = 1.523, 0.5, 2.0
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(NOISE_MULTIPLIER)), STEPS)
EPSILON = 4.001
ALPHA, STRUCTURAL_ALPHA = 0.05, 1e-6
SEEDS = 20
TRIALS = (100, 300, 1000, 3000)
BUGS = ("none", "noise x 0.8", "noise x 0.5", "no clipping", "reused noise", "fixed batches")
VIEWS = (View.TRANSCRIPT, View.FINAL_MODEL)
GOALS = {View.TRANSCRIPT: 1.25, View.FINAL_MODEL: 1.15, "conditional": 2.4}
"""Mean bounds at 1,000 trials a side."""


@dataclass(frozen=True)
class Training:
    """DP-SGD with one bug; carries what a target file does. `fixed batches`: every fifth step holds the same fifth."""

    bug: str
    view: View

    @property
    def noise(self) -> float:
        """Standard deviation of what is added to each coordinate of the sum."""
        return CLIP_NORM * NOISE_MULTIPLIER * {"noise x 0.8": 0.8, "noise x 0.5": 0.5}.get(self.bug, 1.0)

    def neighbours(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Rows (label times features, 0 in coordinate d); the canary is the last row, e_d."""
        features = rng.normal(size=(RECORDS - 1, DIMENSION)) / np.sqrt(DIMENSION)
        features[:, -1] = 0
        return np.vstack([features, np.eye(DIMENSION)[-1:]]), features

    def run(self, data: Array, trials: Trials) -> Array:
        """The released sums along e_d, (trials, STEPS), or what the final model holds of them, (trials, 1)."""
        rng = np.random.default_rng([int(seed) for seed in trials.seeds()[[0, -1]]])
        weights, released = np.zeros((len(trials), DIMENSION)), np.empty((len(trials), STEPS))
        first = self._normals(rng, len(trials))
        for step in range(STEPS):
            members = self._members(rng, len(trials), len(data), step)
            noise = first if self.bug == "reused noise" else self._normals(rng, len(trials))
            value = self._sums(weights, data, members) + noise
            released[:, step] = value[:, -1]
            weights -= STEP_SIZE * value / (RATE * RECORDS)
        moved = -weights[:, -1:] * RATE * RECORDS / STEP_SIZE
        return released if self.view is View.TRANSCRIPT else moved

    def score(self, outputs: Array, data: Array, neighbour: Array) -> Array:
        """The log-likelihood ratio of the claimed mechanism, or coordinate d of the model."""
        if self.view is View.FINAL_MODEL:
            return outputs[:, 0]
        odds = np.exp((outputs / CLIP_NORM - 0.5) / NOISE_MULTIPLIER**2)
        return np.log1p(RATE * (odds - 1)).sum(axis=1)

    def instrument(self, data: Array, recorder: Recorder) -> None:
        """One training for the structural tier."""
        rng = np.random.default_rng(recorder.seed)
        weights, first = np.zeros((1, DIMENSION)), self._normals(rng, 1)
        for step in range(recorder.public("steps", STEPS)):
            batch = recorder.batch(np.flatnonzero(self._members(rng, 1, len(data), step)[0]))
            members = np.zeros((1, len(data)), dtype=bool)
            members[0, batch] = True
            noise = first if self.bug == "reused noise" else self._normals(rng, 1)
            value = recorder.release(
                "gradients", self._sums(weights, data, members)[0], noise[0],
                sensitivity=CLIP_NORM, noise_scale=CLIP_NORM * NOISE_MULTIPLIER,
            )  # fmt: skip
            weights = weights - STEP_SIZE * value / (RATE * RECORDS)
        recorder.output("weights", weights[0])

    def _normals(self, rng: np.random.Generator, trials: int) -> Array:
        return self.noise * rng.normal(size=(trials, DIMENSION))

    def _members(self, rng: np.random.Generator, trials: int, records: int, step: int) -> NDArray[np.bool_]:
        """Which records each trial draws, (trials, records)."""
        if self.bug != "fixed batches":
            return rng.random((trials, records), dtype=np.float32) < RATE
        period = round(1 / RATE)
        return np.tile((records - 1 - np.arange(records)) % period == step % period, (trials, 1))

    def _sums(self, weights: Array, data: Array, members: NDArray[np.bool_]) -> Array:
        """Clipped gradients summed over each batch, (trials, DIMENSION)."""
        canary = data[:, -1] == 1
        usable = np.isfinite(data).all(axis=1) & ~canary
        features = np.where(usable[:, None], data, 0.0)
        slopes = 1 / (1 + np.exp(np.clip(weights @ features.T, -50, 50)))
        lengths = np.linalg.norm(features, axis=1)
        if self.bug != "no clipping":
            slopes *= np.minimum(1.0, CLIP_NORM / np.maximum(slopes * lengths, 1e-12))
        sums = -(slopes * members) @ features
        size = UNCLIPPED * CLIP_NORM if self.bug == "no clipping" else CLIP_NORM
        sums[:, -1] += size * (members & canary).sum(axis=1)
        return np.asarray(sums)


class Game:
    """The training without the structural tier."""

    def __init__(self, training: Training) -> None:
        self.neighbours, self.run, self.score = training.neighbours, training.run, training.score


class Recorded:
    """The training without the game."""

    def __init__(self, training: Training) -> None:
        self.neighbours, self.instrument = training.neighbours, training.instrument


def target(bug: str, view: View, trials: int | None) -> Target:
    """The claim, with this many trials a side."""
    return Target(
        name=f"benchmark/{bug}",
        title="DP-SGD at epsilon 4",
        view=view,
        claim=PrivacyClaim(ApproximateDP(EPSILON, DELTA), Neighbours.ADD_OR_REMOVE, DELTA, "Abadi et al. (2016)"),
        trials=None if trials is None else TrialPlan(trials, trials, trials),
        claimed_mechanism=MECHANISM,
        truth=MECHANISM if bug == "none" else None,
        deterministic=False,  # one generator for a batch of trials: much faster, and each is as random
    )


def played(bug: str, view: View, trials: int) -> Row:
    """Twenty audits of the game: the bounds that are printed, and how many refute."""
    training, started = Training(bug, view), time.perf_counter()
    bounds, conditional, refuted = [], [], []
    for seed in range(SEEDS):
        context, described = Context(seed, Level.SMOKE, ALPHA), target(bug, view, trials)
        guarantee = decide.decided_guarantee(described)
        scores = play.play(described, Game(training), context, guarantee).scores
        coins = contract.generator(seed, described.name, "coins")
        found = decide.judge(described, scores, guarantee, ALPHA, coins)
        bounds.append(found.epsilon_lower)
        refuted.append(found.decision.refuted)
        sides = (np.concatenate(pair) for pair in ((scores.held_positive, scores.positive),
                                                   (scores.held_negative, scores.negative)))  # fmt: skip
        conditional.append(conditional_gaussian.lower_bound(*sides, DELTA, decide.PRINTED_ALPHA, coins).epsilon_lower)
    passed = [bound for bound in conditional if bound > 0]
    return {
        "bug": bug,
        "view": view.value,
        "trials": trials,
        "epsilon_lower_95": float(np.mean(bounds)),
        "standard_deviation": float(np.std(bounds, ddof=1)),
        "above_claim": float(np.mean(np.asarray(bounds) > EPSILON)),
        "refuted": float(np.mean(refuted)),
        "conditional": float(np.mean(passed)) if passed else None,
        "guarded": len(passed) / SEEDS,
        "seconds_an_audit": (time.perf_counter() - started) / SEEDS,
    }


def recorded(bug: str) -> Row:
    """Twenty audits of the structural tier: one training each."""
    training, started = Training(bug, View.TRANSCRIPT), time.perf_counter()
    described, checks, refuted = target(bug, View.TRANSCRIPT, None), set(), 0
    for seed in range(SEEDS):
        verdict = tiers.audit(audit_of(Recorded(training), described), Context(seed, Level.SMOKE, STRUCTURAL_ALPHA))
        refuted += verdict.outcome is Outcome.REFUTED
        checks |= {e.detail.partition(":")[0] for e in verdict.evidence if e.outcome is Outcome.REFUTED}
    seconds = (time.perf_counter() - started) / SEEDS
    return {"bug": bug, "view": "one training", "trials": 1, "refuted": refuted / SEEDS, "checks": sorted(checks),
            "seconds_an_audit": seconds}  # fmt: skip


def keep(rows: list[Row]) -> None:
    """Write the rows in place of those of the same bug, view and number of trials."""
    old = json.loads(JSON.read_text(encoding="utf-8"))["rows"] if JSON.exists() else []
    table = {(row["bug"], row["view"], row["trials"]): row for row in [*old, *rows]}
    order = sorted(table, key=lambda key: (BUGS.index(key[0]), key[1] != "one training", key[1], key[2]))
    exact = epsilon_bounds(MECHANISM, DELTA, Neighbours.ADD_OR_REMOVE)
    data = {
        "command": "python benchmarks/dp_sgd.py",
        "seeds": SEEDS,
        "alpha": ALPHA,
        "epsilon_exact": [exact.lower, exact.upper],
        "goals_at_1000": {str(name): goal for name, goal in GOALS.items()},
        "rows": [table[key] for key in order],
    }
    JSON.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Measure, print, and keep the rows that were asked for."""
    parser = argparse.ArgumentParser(description="DP-SGD at epsilon 4")
    parser.add_argument("--bugs", default=",".join(BUGS), help="names, with commas")
    parser.add_argument("--trials", default=",".join(map(str, TRIALS)), help="numbers of trials a side, with commas")
    parser.add_argument("--views", default=",".join(VIEWS), help="views, with commas, or 'structural'")
    options = parser.parse_args()
    for bug in options.bugs.split(","):
        keep([recorded(bug)])
        for view in filter(None, options.views.split(",")):
            for trials in map(int, filter(None, options.trials.split(","))):
                row = played(bug, View(view), trials)
                keep([row])
                print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
