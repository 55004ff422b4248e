"""DP-SGD in JAX, with optax and with jax-privacy: ten trainings, each with a twin that has one bug."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, SIZE, STEPS, table, twins, whole
from jax.flatten_util import ravel_pytree
from jax_privacy import clipping, noise_addition

from dpaudit import Neighbours, Training

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


def views(records: Any, recorder: Any, broken: bool) -> None:
    """Two mirrored views of each record, by a key of its own, whose mean gradient is clipped; or each view is."""
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        flips, own = jax.random.split(jax.random.fold_in(key, step))
        x, y = drawn(rng, records, recorder)
        keys = jax.random.split(flips, len(x))
        coins = np.asarray([jax.random.bernoulli(one, 0.5, (2,)) for one in keys]).reshape(len(x), 2)
        sides = [padded(np.where(coins[:, [side]], -x, x), y) for side in range(2)]
        found = [gradients()(weights, x, y) for x, y, _ in sides]
        there = sides[0][2]
        total = sum(clipped(one, there) for one in found) if broken else clipped(sum(found) / 2, there)
        weights -= 0.5 * released(recorder, total, own) / SIZE
    recorder.output("weights", np.asarray(weights))


def emptied(place: int = 7) -> tuple[Any, Any]:
    """The table, and the same with one record of zeros, which has no gradient."""
    x, y = table()
    return (x, y), (np.where(np.arange(len(x))[:, None] == place, np.float32(0), x), y)


def shuffled(records: Any, recorder: Any, broken: bool) -> None:
    """Each epoch takes every record once, in a new order; the batches are not called random by the accountant."""
    _, key, weights = started(recorder)
    for epoch in range(2):
        order_key, noise_key = jax.random.split(jax.random.fold_in(key, epoch))
        order = np.asarray(jax.random.permutation(order_key, len(records[0])))
        order = np.concatenate([order, order[: -len(order) % 16]]) if broken else order
        for start in range(0, len(order), 16):
            members = recorder.batch(order[start : start + 16])
            x, y, there = padded(records[0][members], records[1][members])
            total = clipped(gradients()(weights, x, y), there)
            weights -= 0.5 * released(recorder, total, jax.random.fold_in(noise_key, start)) / 16
    recorder.output("weights", np.asarray(weights))


def two_layers(weights: Any, x: Any, y: Any) -> Any:
    hidden = jnp.tanh(x @ weights["in"] + weights["shift"])
    return -jax.nn.log_softmax(hidden @ weights["out"])[y]


def tree(records: Any, recorder: Any, broken: bool) -> None:
    """Parameters in a tree: every leaf has a key of its own, or all have one."""
    rng, key, _ = started(recorder)
    weights = {"in": 0.3 * jax.random.normal(key, (FEATURES, 5)), "shift": jnp.zeros(5), "out": jnp.zeros((5, CLASSES))}
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        rows = jax.vmap(lambda own: ravel_pytree(own)[0])(gradients(two_layers)(weights, x, y))
        total, lifted = clipped(rows, there), ravel_pytree(weights)[1]
        leaves, shape = jax.tree.flatten(weights)
        keys = list(jax.random.split(jax.random.fold_in(key, step + 1), len(leaves)))
        keys = keys[:1] * len(leaves) if broken else keys
        noise = [NOISE * CLIP_NORM * jax.random.normal(own, leaf.shape) for own, leaf in zip(keys, leaves, strict=True)]
        flat = ravel_pytree(jax.tree.unflatten(shape, noise))[0]
        noisy = recorder.release("gradient", np.asarray(total), np.asarray(flat), sensitivity=CLIP_NORM,
                                 noise_scale=NOISE * CLIP_NORM)  # fmt: skip
        weights = jax.tree.map(lambda w, g: w - 0.5 * g / SIZE, weights, lifted(jnp.asarray(noisy)))
    recorder.output("weights", {name: np.asarray(value) for name, value in weights.items()})


def _pairs() -> Iterator[Any]:
    yield twins(Training, "jax/softmax", softmax, "half of the noise")
    yield twins(Training, "jax/one-key", one_key, "one key for all steps")
    yield twins(Training, "jax/dropout", dropout, "clipped to three norms")
    yield twins(Training, "jax/adam", adam, "one step without noise")
    yield twins(Training, "jax/warm-up", warm_up, "the rate follows the mean of the batch")
    yield twins(Training, "jax/regularised", regularised, "divided by the size that was drawn")
    yield twins(Training, "jax/jax-privacy", jax_privacy, "clipped to twice the norm")
    yield twins(Training, "jax/views", views, "each of two views is clipped by itself")
    yield twins(Training, "jax/shuffled", shuffled, "the last batch is filled up from the first", mechanism=whole(2),
                neighbours=Neighbours.ZERO_OUT, pair=emptied())  # fmt: skip
    yield twins(Training, "jax/tree", tree, "one key for all leaves")


AUDITS = tuple(audit for pair in _pairs() for audit in pair)
