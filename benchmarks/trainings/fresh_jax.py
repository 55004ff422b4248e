"""Six trainings in JAX, each with one bug; written before any check saw one.

Each is the broken twin of a training in `jax_by_hand`, or stands beside its own correct form. Each docstring says what
is broken, and why the true epsilon is above the claimed one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, SIZE, STEPS, broken_twin, twins
from jax.flatten_util import ravel_pytree
from jax_by_hand import clipped, drawn, gradients, library, padded, released, started, two_layers
from jax_privacy import noise_addition

from dpaudit import Training


def handed(recorder: Any, total: Any, noise: Any) -> Any:
    return recorder.release("gradient", np.asarray(total), np.asarray(noise), sensitivity=CLIP_NORM,
                            noise_scale=NOISE * CLIP_NORM)  # fmt: skip


def broadcast(records: Any, recorder: Any) -> None:
    """The noise has the shape of the classes and is spread over the features: the difference of two rows has none."""
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        noise = NOISE * CLIP_NORM * jax.random.normal(jax.random.fold_in(key, step), (CLASSES,))
        weights -= 0.5 * handed(recorder, total, jnp.broadcast_to(noise, total.shape)) / SIZE
    recorder.output("weights", np.asarray(weights))


def pieces(records: Any, recorder: Any, broken: bool) -> None:
    """A batch in four pieces, each of which has a part of the noise: half of its scale; broken: a quarter, so that the
    sum has half of the noise."""
    rng, key, weights = started(recorder)
    rule = optax.adam(0.05)
    state = rule.init(weights)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        own = gradients()(weights, x, y)
        total, noise = jnp.zeros_like(weights), jnp.zeros_like(weights)
        for piece, part in enumerate(jax.random.split(jax.random.fold_in(key, step), 4)):
            total += clipped(own, there * (np.arange(len(there)) % 4 == piece))
            noise += NOISE * CLIP_NORM / (4 if broken else 2) * jax.random.normal(part, weights.shape)
        updates, state = rule.update(jnp.asarray(handed(recorder, total, noise)) / SIZE, state)
        weights = optax.apply_updates(weights, updates)
    recorder.output("weights", np.asarray(weights))


def truncated(records: Any, recorder: Any) -> None:
    """The noise is a normal law cut at two deviations: a sum that moves by 1 falls out of its range in a coordinate
    with a probability far above delta, and tells the record for certain."""
    rng, key, weights = started(recorder)
    rates = optax.warmup_cosine_decay_schedule(0.0, 0.5, 1, STEPS)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        noise = NOISE * CLIP_NORM * jax.random.truncated_normal(jax.random.fold_in(key, step), -2.0, 2.0, total.shape)
        weights -= float(rates(step)) * handed(recorder, total, noise) / SIZE
    recorder.output("weights", np.asarray(weights))


def with_bias(weights: Any, x: Any, y: Any) -> Any:
    """The last row of the weights is the bias."""
    return -jax.nn.log_softmax(x @ weights[:-1] + weights[-1])[y]


def padding(records: Any, recorder: Any, broken: bool) -> None:
    """A model with a bias; broken: rows that fill up a batch are summed too. A record takes the place of one, whose
    gradient is that of a bias, of norm 0.8: the sum moves by 1.6 if theirs goes the other way."""
    rng, key, _ = started(recorder)
    weights = jnp.zeros((FEATURES + 1, CLASSES))
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients(with_bias)(weights, x, y), np.ones_like(there) if broken else there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def old_state(records: Any, recorder: Any) -> None:
    """The new state of the rule that adds noise is thrown away: the noise of each step is that of the first, and the
    difference of two steps has none."""
    rng, _, weights = started(recorder)
    rule = noise_addition.gaussian_privatizer(stddev=NOISE * CLIP_NORM, prng_key=jax.random.key(recorder.seed))
    state = rule.init(weights)
    for _ in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = library(CLIP_NORM)(weights, x, y, ~there)
        noisy, _ = rule.update(total, state)
        weights -= 0.5 / SIZE * handed(recorder, total, np.asarray(noisy) - np.asarray(total))
    recorder.output("weights", np.asarray(weights))


def leaves(records: Any, recorder: Any) -> None:
    """Each leaf of the tree of parameters is clipped to the whole norm, with noise for one: a sensitivity of 3^0.5."""
    rng, key, _ = started(recorder)
    weights = {"in": 0.3 * jax.random.normal(key, (FEATURES, 5)), "shift": jnp.zeros(5), "out": jnp.ones((5, CLASSES))}
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = jax.tree.map(lambda own, there=there: clipped(own, there), gradients(two_layers)(weights, x, y))
        flat, lifted = ravel_pytree(total)
        noise = NOISE * CLIP_NORM * jax.random.normal(jax.random.fold_in(key, step + 1), flat.shape)
        noisy = lifted(jnp.asarray(handed(recorder, flat, noise)))
        weights = jax.tree.map(lambda w, g: w - 0.5 * g / SIZE, weights, noisy)
    recorder.output("weights", {name: np.asarray(value) for name, value in weights.items()})


def _audits() -> Iterator[Any]:
    kind = Training
    yield broken_twin(kind, "fresh/jax-broadcast", broadcast, "one noise for all features")
    yield from twins(kind, "fresh/jax-pieces", pieces, "a quarter of the noise in each of four pieces")
    yield broken_twin(kind, "fresh/jax-truncated", truncated, "noise that is cut at two deviations")
    yield from twins(kind, "fresh/jax-padding", padding, "rows that fill up a batch are summed")
    yield broken_twin(kind, "fresh/jax-old-state", old_state, "the state of the noise is not kept")
    yield broken_twin(kind, "fresh/jax-leaves", leaves, "each leaf has the whole norm")


AUDITS = tuple(_audits())
