"""DP-SGD of jax-privacy 2.0.0, recorded once and replayed on its neighbours.

What: softmax regression on three classes, two parameter arrays. `CyclicPoissonSampling` draws batches at rate 0.1,
`split_and_pad_global_batch` pads them, `clipped_grad` sums gradients clipped to norm 1 in microbatches, and
`gaussian_privatizer` adds noise; 24 steps. In single precision throughout; and with parameters in bfloat16 whose
gradients are clipped, summed and noised in single precision, which `dtype` asks for.
Why: `clipped_grad` guarantees its sensitivity in its docstring, `gaussian_privatizer` its noise, and `dpsgd_event` is
what the accountant makes of both with Poisson batches.
Worst-case neighbours: a far record with a wrong label that is there or not.
The adversary sees every noisy sum of gradients.
JAX has no global generator: all noise hangs on the key that the user gives, so that a replay repeats it. Whoever knows
the key knows the noise; that it is secret is an assumption of every audit here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.loading import load_module
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target

quiet = load_module(Path(__file__).with_name("_quiet.py")).quiet

Records = tuple[Array, Integers]

RECORDS, FEATURES, CLASSES, STEPS = 200, 8, 3, 24
RATE, CLIP_NORM, NOISE_MULTIPLIER, LEARNING_RATE = 0.1, 1.0, 2.0, 0.5
PADDED, MICROBATCH = 64, 16
EPSILON = 1.168
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(NOISE_MULTIPLIER)), STEPS)


@cache
def clipped_sum() -> Callable[..., Any]:
    """(parameters, features, labels, is it padding) -> the sum of clipped gradients; compiled once a process."""
    import jax
    import jax.numpy as jnp
    from jax_privacy import clipping

    def loss(parameters: Any, features: Any, label: Any) -> Any:
        scores = parameters["weights"] @ features.astype(parameters["weights"].dtype) + parameters["bias"]
        return -jax.nn.log_softmax(scores)[label]

    gradient = clipping.clipped_grad(
        loss,
        l2_clip_norm=CLIP_NORM,
        batch_argnums=(1, 2),
        keep_batch_dim=False,
        microbatch_size=MICROBATCH,
        dtype=jnp.float32,
    )
    return quiet(jax.jit(lambda p, x, y, padding: gradient(p, x, y, is_padding_example=padding)))


def privatizer(seed: int) -> Any:
    """The privatizer under audit; all of its noise hangs on the key of `seed`."""
    import jax
    import jax.numpy as jnp
    from jax_privacy import noise_addition

    deviation, key = NOISE_MULTIPLIER * CLIP_NORM, jax.random.key(seed)
    return noise_addition.gaussian_privatizer(stddev=deviation, prng_key=key, dtype=jnp.float32)


@cache
def noisy_sum() -> Callable[..., Any]:
    """(sum, state) -> the noise, the noisy sum, the next state; compiled once, since the key lies in the state."""
    import jax
    import jax.numpy as jnp

    update = privatizer(0).update
    compiled: Callable[..., Any] = jax.jit(
        lambda total, state: (update(jax.tree.map(jnp.zeros_like, total), state)[0], *update(total, state))
    )
    return compiled


class DPSGD:
    """One training in the precision of `dtype`. The adversary sees every noisy sum of gradients."""

    def __init__(self, target: Target, dtype: str) -> None:
        self.TARGET, self.dtype = target, dtype

    def neighbours(self, rng: np.random.Generator) -> tuple[Records, Records]:
        """Two hundred records, the last one far away with a wrong label, and the data without it."""
        import jax_privacy  # noqa: F401  here, since its import draws from NumPy's global generator

        features = rng.normal(size=(RECORDS, FEATURES)) / np.sqrt(FEATURES)
        labels = np.argmax(features[:, :CLASSES], axis=1)
        features[-1], labels[-1] = -4.0, 0
        return (features, labels), (features[:-1], labels[:-1])

    def instrument(self, data: Records, recorder: Recorder) -> None:
        """One training; `recorder` sees batches, sums of clipped gradients and their noise, and the last weights."""
        import jax.numpy as jnp
        from jax_privacy import batch_selection

        parameters = {"weights": jnp.zeros((CLASSES, FEATURES), self.dtype), "bias": jnp.zeros(CLASSES, self.dtype)}
        sampler = batch_selection.CyclicPoissonSampling(sampling_prob=RATE, iterations=recorder.public("steps", STEPS))
        state = privatizer(recorder.seed).init(parameters)
        for drawn in sampler.batch_iterator(len(data[0]), rng=recorder.seed):
            total = _summed(parameters, data, recorder.batch(drawn))
            noise, noisy, state = noisy_sum()(total, state)
            released = {
                name: recorder.release(
                    name,
                    np.asarray(total[name]),
                    np.asarray(noise[name]),
                    sensitivity=CLIP_NORM,
                    noise_scale=NOISE_MULTIPLIER * CLIP_NORM,
                    value=np.asarray(noisy[name]),
                )
                for name in sorted(total)
            }
            parameters = {
                name: (p - LEARNING_RATE / (RATE * RECORDS) * jnp.asarray(released[name])).astype(self.dtype)
                for name, p in parameters.items()
            }
        recorder.output("weights", np.asarray(parameters["weights"].astype(jnp.float32)))


def _summed(parameters: Any, data: Records, members: Integers) -> Any:
    """The sum of clipped gradients of a batch, minibatch by minibatch; padding is a record of zeros."""
    import jax
    import jax.numpy as jnp
    from jax_privacy import batch_selection

    total = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), parameters)
    for places in batch_selection.split_and_pad_global_batch(members, PADDED, MICROBATCH):
        padding = places < 0
        features = np.where(padding[:, None], 0.0, data[0][places]) if len(data[0]) else np.zeros((PADDED, FEATURES))
        labels = np.where(padding, 0, data[1][places])
        part = clipped_sum()(parameters, jnp.asarray(features, jnp.float32), jnp.asarray(labels), jnp.asarray(padding))
        total = jax.tree.map(jnp.add, total, part)
    return total


def target(kind: str, title: str) -> Target:
    """The target jax-privacy/<kind>."""
    return Target(
        name=f"jax-privacy/{kind}",
        title=title,
        view=View.GRADIENTS,
        claim=claim(
            epsilon=EPSILON,
            delta=1e-5,
            source="jax-privacy 2.0.0, clipped_grad ('Formal Guarantees'), gaussian_privatizer and dpsgd_event",
        ),
        trials=None,
        needs=(("jax_privacy", "third-party"),),
        claimed_mechanism=MECHANISM,
        truth=MECHANISM,
        effect="models trained with jax-privacy leak more about single records than its accountant reports",
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
    )


AUDITS = (
    DPSGD(target("dp-sgd", "jax-privacy, DP-SGD with Poisson batches and microbatches"), "float32"),
    DPSGD(target("mixed-precision", "jax-privacy, DP-SGD on bfloat16 parameters, noise in float32"), "bfloat16"),
)
