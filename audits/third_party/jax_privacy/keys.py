"""Noise of jax-privacy 2.0.0 and where it comes from: keys, plans that are used twice, matrices that run out of rows.

What: twelve full-batch steps: `clipped_grad` at norm 1, then a privatizer of deviation 2, made in four ways: from a key
and a dense noising matrix (the identity) with a row for every step; with eight rows for twelve steps; without a key, as
is the default; by a `BandMFExecutionPlanConfig` whose plan trains twice.
Why: twelve releases with independent noise are accounted for. Past its last row the dense privatizer goes on with the
noise of that row: two releases subtracted show a gradient without noise. Without a key the noise hangs on
`numpy.random.randint(0, 2**31)`: whoever seeds NumPy's global generator knows it, and 2^31 keys can be tried. A plan
holds one key: every training from it, and every `init`, draws the same noise again.
Worst-case neighbours: a long record that is there or not.
The adversary sees every noisy sum of gradients.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.loading import load_module
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome

quiet = load_module(Path(__file__).with_name("_quiet.py")).quiet

RECORDS, FEATURES, STEPS, ROWS = 12, 16, 12, 8
NOISE_MULTIPLIER = 2.0
MECHANISM = SelfComposed(Gaussian(NOISE_MULTIPLIER), STEPS)


def dense(rows: int) -> Callable[[Any], Any]:
    """A privatizer from a dense noising matrix, the identity with so many rows."""

    def privatizer(key: Any) -> Any:
        from jax_privacy import noise_addition

        matrix = np.eye(rows, dtype=np.float32)
        return noise_addition.matrix_factorization_privatizer(matrix, stddev=NOISE_MULTIPLIER, prng_key=key)

    return privatizer


def without_key(key: Any) -> Any:
    """A privatizer as its constructor makes it when no key is given."""
    from jax_privacy import noise_addition

    return noise_addition.gaussian_privatizer(stddev=NOISE_MULTIPLIER)


@cache
def plan() -> Any:
    """One execution plan for all trainings."""
    from jax_privacy.experimental.execution_plan import BandMFExecutionPlanConfig

    config = BandMFExecutionPlanConfig(
        iterations=STEPS, strategy=np.ones(1), epsilon=None, delta=None, noise_multiplier=NOISE_MULTIPLIER, noise_seed=7
    )
    return config.plan


def of_one_plan(key: Any) -> Any:
    """The privatizer of the plan."""
    return plan().noise_addition_transform


@cache
def clipped_sum() -> Callable[[Any, Any], Any]:
    """(weights, features) -> the sum of clipped gradients of weights @ features."""
    import jax
    from jax_privacy import clipping

    gradient = clipping.clipped_grad(lambda w, x: w @ x, l2_clip_norm=1.0, keep_batch_dim=False)
    return quiet(jax.jit(gradient))


@cache
def noisy_sum(privatizer: Callable[[Any], Any]) -> Callable[..., Any]:
    """(key, sum, state) -> the noise, the noisy sum, the next state; compiled once."""
    import jax
    import jax.numpy as jnp

    def step(key: Any, total: Any, state: Any) -> Any:
        update = privatizer(key).update
        return update(jnp.zeros_like(total), state)[0], *update(total, state)

    compiled: Callable[..., Any] = jax.jit(step)
    return compiled


@dataclass(frozen=True)
class Steps:
    """Full-batch steps with one privatizer. The adversary sees every noisy sum."""

    TARGET: Target
    privatizer: Callable[[Any], Any]

    def neighbours(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Random records and a long last one, or not."""
        import jax_privacy  # noqa: F401  here, since its import draws from NumPy's global generator

        records = rng.normal(size=(RECORDS, FEATURES)) / FEATURES
        records[-1] = 10.0
        return records, records[:-1]

    def instrument(self, data: Array, recorder: Recorder) -> None:
        """One training; the recorder sees the sums and their noise."""
        import jax
        import jax.numpy as jnp

        weights, key = jnp.zeros(FEATURES), jax.random.key(recorder.seed)
        state = self.privatizer(key).init(weights)
        for _ in range(recorder.public("steps", STEPS)):
            total = clipped_sum()(weights, jnp.asarray(data, jnp.float32))
            noise, noisy, state = noisy_sum(self.privatizer)(key, total, state)
            released = recorder.release(
                "gradient",
                np.asarray(total),
                np.asarray(noise),
                sensitivity=1.0,
                noise_scale=NOISE_MULTIPLIER,
                value=np.asarray(noisy),
            )
            weights = weights - 0.1 * jnp.asarray(released)
        recorder.output("weights", np.asarray(weights))


def target(kind: str, title: str, effect: str, broken: bool = True) -> Target:
    """The target jax-privacy/<kind>; broken: it is refuted, and dense-noise puts it right."""
    return Target(
        name=f"jax-privacy/{kind}",
        title=f"jax-privacy, {title}",
        view=View.GRADIENTS,
        claim=claim(
            mu=math.sqrt(STEPS) / NOISE_MULTIPLIER,
            source="jax-privacy 2.0.0, matrix_factorization_privatizer, gaussian_privatizer, composed over the steps",
        ),
        trials=None,
        needs=(("jax_privacy", "third-party"),),
        claimed_mechanism=MECHANISM,
        effect=effect,
        expects=Outcome.REFUTED if broken else Outcome.CONSISTENT,
        repair="jax-privacy/dense-noise" if broken else "",
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
    )


AUDITS = (
    Steps(
        target("dense-noise", "dense noising matrix, a row for every step", "noise that is not fresh", broken=False),
        dense(STEPS),
    ),
    Steps(
        target(
            "dense-noise-exhausted",
            "dense noising matrix with fewer rows than steps",
            "a hazard of trainings longer than planned: the difference of two releases after the last row has no noise",
        ),
        dense(ROWS),
    ),
    Steps(
        target(
            "default-key",
            "a privatizer without a key",
            "a hazard of the default: whoever seeds NumPy's global generator, or tries 2^31 keys, subtracts the noise",
        ),
        without_key,
    ),
    Steps(
        target(
            "plan-used-twice",
            "one execution plan, two trainings",
            "a hazard, since a plan describes one training: two from one share their noise, their difference has none",
        ),
        of_one_plan,
    ),
)
