"""One training with many canaries, each in or out by a fair coin of the run's seed; and the same without its noise."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.audit import conduct, contract
from dpaudit.content.audits import Audit
from dpaudit.content.named_scores import by_name
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context
from dpaudit.records.target import Target


@dataclass(frozen=True)
class Canaries:
    """One training with m canaries: scores (m,), larger for members, and which were included, (m,) booleans; outside:
    scores of others that no coin could include, (k,).
    """

    scores: Array
    included: Flags
    outside: Array


def coins(target: Target, context: Context, purpose: str = "canaries") -> Flags:
    """Which canaries are included, (canaries,): each by a fair coin of the run's seed."""
    return contract.generator(context.seed, target.name, purpose).random(target.canaries) < 0.5


def play_one_run(subject: Audit, context: Context) -> Canaries:
    """The scores of all canaries in one training, each included by a fair coin of the run's seed."""
    return _one_training(subject, context, coins(subject.target, context), "one run", "run")


def play_without_noise(subject: Audit, context: Context) -> Canaries:
    """As `play_one_run` of `without_noise`, with coins and a stream of its own."""
    silenced = replace(subject, run=subject.without_noise, without_noise=None)
    included = coins(subject.target, context, "canaries without noise")
    return _one_training(silenced, context, included, "one run without noise", "without_noise")


def _one_training(subject: Audit, context: Context, included: Flags, purpose: str, what: str) -> Canaries:
    target = subject.target
    trials = Trials(Stream(context.seed, f"{target.name}/{purpose}"), np.arange(1))
    everyone = np.concatenate([included, np.zeros(target.canaries_outside, dtype=np.bool_)])
    found = conduct.play(subject, everyone, trials, what)
    scores = by_name(found, len(everyone), what)
    return Canaries(scores[: target.canaries], included, scores[target.canaries :])
