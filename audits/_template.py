"""Copy this file to audit an implementation: one target, three functions.

Variants of one setting stand in one file as `AUDITS = (Audit(...), ...)`, see `dpaudit.content.audits`: an
implementation, the calibration that a paper prints, planted bugs.

What: what is run, and through which interface.
Why: what the implementation promises, and where it says so.
Worst-case neighbours: two data sets that differ as the claim allows, chosen to be told apart.
The adversary sees: what `run` returns and what else `score` uses.

Rules that the framework relies on:
* `run` takes its randomness from the trial alone: `trials.stream.normals(trials.numbers, step, count)`,
  or `trials.seeds()` for the generator of another library. Trials must not share noise.
* One row a trial, real numbers, no NaN (a NaN is an ERROR of the target, never a pass).
* `score` may know both data sets and everything public, never the side that it scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

TARGET = Target(
    name="mine/release",
    title="My release",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(ApproximateDP(2.0, 1e-5), Neighbours.REPLACE_ONE, delta=1e-5, source="my documentation"),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=10_000_000),
    needs=(),  # packages as (importable name, extra), for example ("torch", "torch")
    truth=Gaussian(2.0),  # the exact mechanism where theory knows it, else None
    effect="what goes wrong in practice when the claim is false",
)


def neighbours(rng: np.random.Generator) -> tuple[float, float]:
    """A data set and its neighbour; any type that `run` and `score` understand."""
    return 1.0, 0.0


def run(data: float, trials: Trials) -> NDArray[np.float64]:
    """The released values, shape (trials, ...)."""
    noise = trials.stream.normals(trials.numbers, 0, 1)[:, 0]
    return np.asarray(data + 2.0 * noise)


def score(outputs: NDArray[np.float64], data: float, neighbour: float) -> NDArray[np.float64]:
    """One number a trial, larger where the output looks more like `data`; shape (trials,)."""
    return likelihood_ratio.gaussian(outputs, data, neighbour, 2.0)
