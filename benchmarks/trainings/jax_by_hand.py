"""DP-SGD in JAX, with optax and with jax-privacy: seven trainings, each with a twin that has one bug."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, SIZE, STEPS, twins
from jax_privacy import clipping, noise_addition

from dpaudit import Training

PADDED = 40


def loss(weights: Any, x: Any, y: Any) -> Any:
    return -jax.nn.log_softmax(x @ weights)[y]


@cache
def gradients(kind: Callable[..., Any] = loss) -> Callable[..., Any]:
    return jax.jit(jax.vmap(jax.grad(kind), in_axes=(None, 0, 0)))


def padded(x: Any, y: Any) -> tuple[Any, Any, Any]:
    """The batch in one shape, so that nothing is compiled twice, and which rows are there."""
    empty = PADDED + 1 - len(x)
    return (jnp.asarray(np.pad(x, ((0, empty), (0, 0)))), jnp.asarray(np.pad(y, (0, empty))),
            np.arange(PADDED + 1) < len(x))  # fmt: skip


def clipped(own: Any, there: Any, clip_norm: float = CLIP_NORM) -> Any:
    own = jnp.nan_to_num(own, nan=0.0, posinf=0.0, neginf=0.0)
    norms = jnp.linalg.norm(own.reshape(len(own), -1), axis=1)
    factors = jnp.minimum(1.0, clip_norm / jnp.maximum(norms, 1e-12)) * there
    return jnp.einsum("i,i...->...", factors, own)


def drawn(rng: np.random.Generator, records: Any, recorder: Any) -> Any:
    members = recorder.batch(np.flatnonzero(rng.random(len(records[0])) < RATE))
    return records[0][members], records[1][members]


def released(recorder: Any, total: Any, key: Any, noise: float = NOISE) -> Any:
    added = noise * CLIP_NORM * jax.random.normal(key, total.shape)
    return recorder.release("gradient", np.asarray(total), np.asarray(added), sensitivity=CLIP_NORM,
                            noise_scale=NOISE * CLIP_NORM)  # fmt: skip


def started(recorder: Any) -> tuple[Any, Any, Any]:
    return np.random.default_rng(recorder.seed), jax.random.key(recorder.seed), jnp.zeros((FEATURES, CLASSES))


def softmax(records: Any, recorder: Any, broken: bool) -> None:
    rng, key, weights = started(recorder)
    for _ in range(STEPS):
        key, own = jax.random.split(key)
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        weights -= 0.5 * released(recorder, total, key if broken else own, 0.5 * NOISE if broken else NOISE) / SIZE
    recorder.output("weights", np.asarray(weights))


def one_key(records: Any, recorder: Any, broken: bool) -> None:
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        own = key if broken else jax.random.fold_in(key, step)
        x, y, there = padded(*drawn(rng, records, recorder))
        weights -= 0.5 * released(recorder, clipped(gradients()(weights, x, y), there), own) / SIZE
    recorder.output("weights", np.asarray(weights))


def dropout(records: Any, recorder: Any, broken: bool) -> None:
    """Each place of a batch has a mask of its own."""
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        masks, own = jax.random.split(jax.random.fold_in(key, step))
        x, y, there = padded(*drawn(rng, records, recorder))
        x = x * jax.random.bernoulli(masks, 0.7, x.shape) / 0.7
        total = clipped(gradients()(weights, x, y), there, 3.0 if broken else CLIP_NORM)
        weights -= 0.5 * released(recorder, total, own) / SIZE
    recorder.output("weights", np.asarray(weights))


def adam(records: Any, recorder: Any, broken: bool) -> None:
    rng, key, weights = started(recorder)
    rule = optax.adam(0.05)
    state = rule.init(weights)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        noisy = jnp.asarray(released(recorder, total, jax.random.fold_in(key, step))) / SIZE
        updates, state = rule.update(total / SIZE if broken and step == 1 else noisy, state)
        weights = optax.apply_updates(weights, updates)
    recorder.output("weights", np.asarray(weights))


def warm_up(records: Any, recorder: Any, broken: bool) -> None:
    rng, key, weights = started(recorder)
    rates = optax.warmup_cosine_decay_schedule(0.0, 0.5, 1, STEPS)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        rate = recorder.public("rate", float(rates(step)) + (0.1 * float(np.mean(x)) if broken else 0.0))
        total = clipped(gradients()(weights, x, y), there)
        weights -= rate * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def penalty(weights: Any, x: Any, y: Any) -> Any:
    return loss(weights, x, y) + 0.1 * (weights**2).sum()


def regularised(records: Any, recorder: Any, broken: bool) -> None:
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients(penalty)(weights, x, y), there)
        noisy = released(recorder, total, jax.random.fold_in(key, step))
        weights -= 0.5 * noisy / (max(int(there.sum()), 1) if broken else SIZE)
    recorder.output("weights", np.asarray(weights))


@cache
def library(norm: float) -> Callable[..., Any]:
    summed = clipping.clipped_grad(loss, l2_clip_norm=norm, batch_argnums=(1, 2), keep_batch_dim=False)
    return jax.jit(lambda w, x, y, padding: summed(w, x, y, is_padding_example=padding))


def jax_privacy(records: Any, recorder: Any, broken: bool) -> None:
    rng, _, weights = started(recorder)
    rule = noise_addition.gaussian_privatizer(stddev=NOISE * CLIP_NORM, prng_key=jax.random.key(recorder.seed))
    state = rule.init(weights)
    for _ in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = library(2.0 if broken else CLIP_NORM)(weights, x, y, ~there)
        noisy, state = rule.update(total, state)
        noise = np.asarray(noisy) - np.asarray(total)
        weights -= 0.5 / SIZE * recorder.release("gradient", np.asarray(total), noise, sensitivity=CLIP_NORM,
                                                 noise_scale=NOISE * CLIP_NORM)  # fmt: skip
    recorder.output("weights", np.asarray(weights))


def _pairs() -> Iterator[Any]:
    yield twins(Training, "jax/softmax", softmax, "half of the noise")
    yield twins(Training, "jax/one-key", one_key, "one key for all steps")
    yield twins(Training, "jax/dropout", dropout, "clipped to three norms")
    yield twins(Training, "jax/adam", adam, "one step without noise")
    yield twins(Training, "jax/warm-up", warm_up, "the rate follows the mean of the batch")
    yield twins(Training, "jax/regularised", regularised, "divided by the size that was drawn")
    yield twins(Training, "jax/jax-privacy", jax_privacy, "clipped to twice the norm")


AUDITS = tuple(audit for pair in _pairs() for audit in pair)
