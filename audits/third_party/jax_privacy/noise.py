"""Gaussian noise of jax-privacy 2.0.0 on clipped gradients: in single precision, in bfloat16, and by its last bits.

What: full-batch steps of linear regression: `clipped_grad` at norm 1, `gaussian_privatizer` with the noise multiplier
that makes all steps together 1-GDP. The privatizer draws its noise in the precision of the gradients unless `dtype`
says otherwise; `jax.vmap` makes thousands of trials at once, each with a key of its own.
Why: `clipped_grad` guarantees its sensitivity, `gaussian_privatizer` "isotropic Gaussian noise" of the given deviation.
Worst-case neighbours: a canary record along a feature that all others lack, and the empty record in its place.
The adversary sees the noisy gradient of the canary's weight at each step, all bits of it.
In bfloat16 JAX has 128 normal numbers, from -2.89 to 2.52: the canary shows wherever it moves one off this list. In
single precision there are 2^23, and the same holds for the last bits. The documentation of 2.0.0 advises float32 for
noise ("Mixed precision training", 2025-12-09), so that the first is against documented advice; the last bits are in
that of later versions alone ("Common Pitfalls", 2026-07-27). 2.0.0 has no exact noise, and nothing warns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.content.loading import load_module
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

quiet = load_module(Path(__file__).with_name("_quiet.py")).quiet

Records = tuple[Array, Array]

RECORDS, FEATURES, LEARNING_RATE, FAR = 16, 4, 0.001, 100.0
BLOCK = 2_048
"""Trials that are compiled together: always as many, so that a trial has the same bits in every batch."""


@cache
def normals(precision: str) -> Array:
    """All numbers that `jax.random.normal` can return in float32, or that 2^18 draws show in bfloat16; sorted."""
    import jax
    import jax.numpy as jnp

    if precision == "bfloat16":
        drawn = jax.random.normal(jax.random.key(0), (1 << 18,), precision)
        return np.unique(np.asarray(drawn.astype(jnp.float32), dtype=np.float64))
    lowest = np.nextafter(np.float32(-1), np.float32(0))
    uniform = jnp.arange(1 << 23, dtype=jnp.float32) / (1 << 23)
    signed = jnp.maximum(lowest, uniform * (np.float32(1) - lowest) + lowest)
    return np.unique(np.asarray(np.float32(np.sqrt(2)) * jax.lax.erf_inv(signed), dtype=np.float64))


def along_the_canary(outputs: Array, data: Records, neighbour: Records) -> Array:
    """The canary pulls its weight's gradient down at every step."""
    return -outputs.sum(axis=1)


def impossible_without(precision: str) -> Callable[[Array, Records, Records], Array]:
    """1 if a release is no number that noise alone can be."""

    def score(outputs: Array, data: Records, neighbour: Records) -> Array:
        known = normals(precision)
        places = np.clip(np.searchsorted(known, outputs), 0, len(known) - 1)
        return np.asarray((known[places] != outputs).any(axis=1), dtype=np.float64)

    return score


@dataclass(frozen=True)
class FullBatch:
    """Full-batch steps with noise in the precision of the parameters. The adversary sees the canary's gradient."""

    TARGET: Target
    precision: str
    steps: int
    ATTACKS: dict[str, Any] = field(default_factory=lambda: {"along the canary": along_the_canary})

    def neighbours(self, rng: np.random.Generator) -> tuple[Records, Records]:
        """Random records without the first feature and the canary, far along it; and the empty record in its place."""
        import jax_privacy  # noqa: F401  here, since its import draws from NumPy's global generator

        features, targets = rng.normal(size=(RECORDS, FEATURES)), rng.normal(size=RECORDS)
        features[:, 0] = 0.0
        features[0], targets[0] = 0.0, FAR
        canary = features.copy()
        canary[0, 0] = FAR
        return (canary, targets), (features, targets)

    def run(self, data: Records, trials: Trials) -> Array:
        """The noisy gradient of the first weight at each step, (trials, steps)."""
        words = trials.seeds().view(np.uint64)
        keys = np.stack([words >> np.uint64(32), words & np.uint64(0xFFFFFFFF)], axis=1).astype(np.uint32)
        padded = np.resize(keys, (math.ceil(len(keys) / BLOCK) * BLOCK, 2))
        train = training(self.precision, self.steps)
        blocks = [np.asarray(train(*data, block)) for block in padded.reshape(-1, BLOCK, 2)]
        return np.concatenate(blocks)[: len(keys)].astype(np.float64)


@cache
def training(precision: str, steps: int) -> Callable[..., Any]:
    """(features, targets, keys) -> the releases of one training a key, compiled once."""
    import jax
    import jax.numpy as jnp
    from jax_privacy import clipping, noise_addition

    def loss(weights: Any, features: Any, target: Any) -> Any:
        return 0.5 * (weights @ features - target) ** 2

    gradient = clipping.clipped_grad(loss, l2_clip_norm=1.0, batch_argnums=(1, 2), keep_batch_dim=False)

    def train(features: Any, targets: Any, key: Any) -> Any:
        weights, released = jnp.zeros(FEATURES, precision), []
        privatizer = noise_addition.gaussian_privatizer(
            stddev=math.sqrt(steps) * gradient.sensitivity(), prng_key=jax.random.wrap_key_data(key)
        )
        state = privatizer.init(weights)
        for _ in range(steps):
            noisy, state = privatizer.update(gradient(weights, features, targets), state)
            weights = (weights - LEARNING_RATE * noisy).astype(precision)
            released.append(noisy[0].astype(jnp.float32))
        return jnp.stack(released)

    def many(features: Any, targets: Any, keys: Any) -> Any:
        records = jnp.asarray(features, precision), jnp.asarray(targets, precision)
        return jax.vmap(lambda key: train(*records, key))(keys)

    return quiet(jax.jit(many))


def target(kind: str, title: str, effect: str, **options: Any) -> Target:
    """The target jax-privacy/<kind>."""
    return Target(
        name=f"jax-privacy/{kind}",
        title=f"jax-privacy, {title}",
        view=View.GRADIENTS,
        claim=claim(
            mu=1.0,
            neighbours=Neighbours.ZERO_OUT,
            source="jax-privacy 2.0.0, clipped_grad ('Formal Guarantees') and gaussian_privatizer",
        ),
        trials=TrialPlan(smoke=8_000, standard=200_000, deep=2_000_000),
        needs=(("jax_privacy", "third-party"),),
        effect=effect,
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
        **options,
    )


FLOAT32 = target(
    "gaussian-noise",
    "two full-batch steps in single precision",
    "models trained with jax-privacy leak more about single records than its accountant reports",
    truth=SelfComposed(Gaussian(math.sqrt(2)), 2),
)
BFLOAT16 = target(
    "bfloat16-noise",
    "one step with noise in bfloat16",
    "against documented advice (dtype=float32): noise in bfloat16 takes 128 values, and most releases show for certain "
    "whether one record is there",
    expects=Outcome.REFUTED,
    repair="jax-privacy/gaussian-noise",
)
BITS = target(
    "float32-bits",
    "the last bits of one step in single precision",
    "a hazard of noise as floating-point numbers: whoever reads all bits of one noisy gradient knows for certain, most "
    "of the time, whether one record is there",
    expects=Outcome.REFUTED,
    repair="discrete/float-grid",
)

AUDITS = (
    FullBatch(FLOAT32, "float32", 2),
    FullBatch(BFLOAT16, "bfloat16", 1, {"impossible without the record": impossible_without("bfloat16")}),
    FullBatch(BITS, "float32", 1, {"impossible without the record": impossible_without("float32")}),
)
