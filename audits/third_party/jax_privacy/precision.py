"""Clipped sums of jax-privacy 2.0.0 in low precision: records that move them by several clipping norms.

What: `clipped_grad` on gradients in bfloat16 and float16, summed over all records, with `dtype` left at its default.
Why: its docstring guarantees a sensitivity of `l2_clip_norm` for every dtype. The norm is taken in the precision of
the gradients: in float16 squares below 3e-8 are 0, so that a long gradient of many small entries counts as one of norm
0 and is not clipped at all. The sum is rounded to that precision too: near 1,024 bfloat16 counts in steps of 8.
Worst-case neighbours: one record of many small entries; one record more than a number that is rounded down.
The adversary sees the noisy sum, with noise in single precision.
`dtype=jnp.float32` puts both right, and the documentation of 2.0.0 advises it ("Mixed precision training", 2025-12-09).
The norm in float16 is known upstream (pull request 309); sums in bfloat16 are against documented advice.
"""

from __future__ import annotations

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
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome

quiet = load_module(Path(__file__).with_name("_quiet.py")).quiet


@cache
def clipped_sum(precision: str, clip_norm: float) -> Callable[[Any, Any], Any]:
    """(weights, features) -> the sum of clipped gradients of weights @ features in this precision."""
    import jax
    from jax_privacy import clipping

    gradient = clipping.clipped_grad(lambda w, x: w @ x, l2_clip_norm=clip_norm, keep_batch_dim=False)
    return quiet(jax.jit(gradient))


@dataclass(frozen=True)
class OneSum:
    """`records` gradients, each `features` entries of `size`. The adversary sees their noisy sum."""

    TARGET: Target
    precision: str
    clip_norm: float
    records: int
    features: int
    size: float

    def neighbours(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Equal records, and one less."""
        import jax_privacy  # noqa: F401  here, since its import draws from NumPy's global generator

        records = np.full((self.records, self.features), self.size)
        return records, records[:-1]

    def instrument(self, data: Array, recorder: Recorder) -> None:
        """One release; the recorder sees the sum and its noise."""
        import jax
        import jax.numpy as jnp
        from jax_privacy import noise_addition

        privatizer = noise_addition.gaussian_privatizer(
            stddev=self.clip_norm, prng_key=jax.random.key(recorder.seed), dtype=jnp.float32
        )
        weights = jnp.zeros(self.features, self.precision)
        total = clipped_sum(self.precision, self.clip_norm)(weights, jnp.asarray(data, self.precision))
        single = total.astype(jnp.float32)
        noise, _ = privatizer.update(jnp.zeros_like(single), privatizer.init(weights))
        recorder.release(
            "sum", np.asarray(single), np.asarray(noise), sensitivity=self.clip_norm, noise_scale=self.clip_norm
        )


def target(kind: str, title: str, effect: str) -> Target:
    """The target jax-privacy/<kind>."""
    return Target(
        name=f"jax-privacy/{kind}",
        title=f"jax-privacy, {title}",
        view=View.GRADIENTS,
        claim=claim(
            mu=1.0,
            source="jax-privacy 2.0.0, clipped_grad: 'the L2 sensitivity ... is guaranteed to be ... l2_clip_norm'",
        ),
        trials=None,
        needs=(("jax_privacy", "third-party"),),
        claimed_mechanism=Gaussian(1.0),
        effect=effect,
        expects=Outcome.REFUTED,
        repair="jax-privacy/mixed-precision",
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
    )


AUDITS = (
    OneSum(
        target(
            "bfloat16-sum",
            "sum of 1,029 gradients in bfloat16",
            "against documented advice (dtype=float32): one record moves a sum in bfloat16 by 8 norms",
        ),
        "bfloat16",
        clip_norm=1.0,
        records=1029,
        features=1,
        size=1.0,
    ),
    OneSum(
        target(
            "float16-clipping",
            "clipping of small entries in float16",
            "a gradient of many small entries is not clipped at all: here one record moves the sum by 7.7 norms",
        ),
        "float16",
        clip_norm=0.005,
        records=3,
        features=65_536,
        size=1.5e-4,
    ),
)
