"""Eight trainings in JAX by hand, each with a twin that has one bug.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _fifth_tables import clear, paired
from _fourth_opacus import heavy, lopsided
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, SIZE, STEPS, table, twins
from jax.flatten_util import ravel_pytree
from jax_by_hand import clipped, drawn, gradients, loss, padded, released, started

from dpaudit import Training

SHARDS, PUBLIC, SCALE = 4, 8, 1024.0
HALF = FEATURES // 2


def towers(weights: Any, x: Any, y: Any) -> Any:
    """Scores of both halves of the features, and biases."""
    scores = x[:HALF] @ weights["left"] + x[HALF:] @ weights["right"] + weights["bias"]
    return -jax.nn.log_softmax(scores)[y]


def by_leaf(records: Any, recorder: Any, broken: bool) -> None:
    """The gradient of a record is one vector, of all leaves of the parameters, which is clipped.

    Broken: `tree.map` clips each of three leaves. The norm of all is up to 3^0.5, and 1.5 to 1.7 for the first record:
    epsilon is 7.5.
    """
    rng, key, _ = started(recorder)
    weights = {"left": jnp.zeros((HALF, CLASSES)), "right": jnp.zeros((HALF, CLASSES)), "bias": jnp.zeros(CLASSES)}
    lifted = ravel_pytree(weights)[1]
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        if broken:
            own = gradients(towers)(weights, x, y)
            total = ravel_pytree(jax.tree.map(lambda leaf, rows=there: clipped(leaf, rows), own))[0]
        else:
            total = clipped(of_leaves()(weights, x, y), there)
        noisy = lifted(jnp.asarray(released(recorder, total, jax.random.fold_in(key, step)), dtype=jnp.float32))
        weights = jax.tree.map(lambda w, g: w - 0.5 * g / SIZE, weights, noisy)
    recorder.output("weights", {name: np.asarray(value) for name, value in weights.items()})


def info_loss(weights: Any, x: Any, others: Any, there: Any) -> Any:
    """How well the first half of a record finds its second half among others."""
    sought = x[:HALF] @ weights
    scores = jnp.where(there, others @ sought, -jnp.inf)
    return jnp.logaddexp(jax.nn.logsumexp(scores), x[HALF:] @ sought) - x[HALF:] @ sought


@cache
def of_leaves() -> Callable[..., Any]:
    """The gradient of each record as one row."""
    return jax.jit(lambda w, x, y: jax.vmap(lambda tree: ravel_pytree(tree)[0])(gradients(towers)(w, x, y)))


@cache
def info_gradients() -> Callable[..., Any]:
    return jax.jit(jax.vmap(jax.grad(info_loss), in_axes=(None, 0, None, None)))


def contrastive(records: Any, recorder: Any, broken: bool) -> None:
    """Halves of records are brought together, and are kept apart from eight public halves.

    Broken: from those of the other records of the batch, as is usual. One that is large is what the gradients of all
    of them are made of: a step moves by several norms, and epsilon is above 30.
    """
    rng, key, _ = started(recorder)
    weights, public = jnp.zeros((HALF, HALF)), jax.random.normal(jax.random.key(31), (PUBLIC, HALF))
    for step in range(STEPS):
        x, _, there = padded(*drawn(rng, records, recorder))
        others, known = (x[:, HALF:], there) if broken else (public, np.ones(PUBLIC, dtype=bool))
        total = clipped(info_gradients()(weights, x, others, known), there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def loss_scale(records: Any, recorder: Any, broken: bool) -> None:
    """Gradients are 1024 times as large in half precision; numbers of a record that are not finite count as 0.

    Broken: a batch where any is not finite is skipped, as where the scale of the loss is found on the way. A record
    that is 300 times as large skips all batches that it is in, and others never do: epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        own = (SCALE * gradients()(weights, x, y)).astype(jnp.float16)
        if broken and not bool(jnp.isfinite(own).all()):
            continue
        total = clipped(own.astype(jnp.float32) / SCALE, there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def logged(records: Any, recorder: Any, broken: bool) -> None:
    """The global norm of each noisy gradient is logged.

    Broken: that of the sum before its noise. Who knows the records knows the norm of each batch that may be: epsilon
    is infinite.
    """
    rng, key, weights = started(recorder)
    norms = []
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        noisy = released(recorder, total, jax.random.fold_in(key, step))
        norms.append(float(optax.global_norm({"weights": jnp.asarray(total if broken else noisy)})))
        weights -= 0.5 * noisy / SIZE
    recorder.output("norms", np.asarray(norms))
    recorder.output("weights", np.asarray(weights))


@cache
def losses() -> Callable[..., Any]:
    return jax.jit(jax.vmap(loss, in_axes=(None, 0, 0)))


def plateau(records: Any, recorder: Any, broken: bool) -> None:
    """The rate is halved where the loss on public records has not become less.

    Broken: the loss on the records of the training. One that is 300 times as large is most of it, and where it goes
    up while that of others goes down, the rate tells of it: epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    held, labels = records if broken else table(seed=1)
    rate, best = 0.5, math.inf
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        weights -= rate * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
        now = float(losses()(weights, jnp.asarray(held), jnp.asarray(labels)).mean())
        rate = recorder.public("rate", rate if now < best else rate / 2.0)
        best = min(best, now)
    recorder.output("weights", np.asarray(weights))


def half_loss(weights: Any, x: Any, y: Any, other: Any) -> Any:
    """The loss for either of two labels, half of it each."""
    return 0.5 * loss(weights, x, y) + 0.5 * loss(weights, x, other)


@cache
def half_gradients() -> Callable[..., Any]:
    return jax.jit(jax.vmap(jax.grad(half_loss), in_axes=(None, 0, 0, 0)))


def mixed(records: Any, recorder: Any, broken: bool) -> None:
    """Each record is averaged with one of eight public ones, and so are the losses for their labels (mixup).

    Broken: with another record of the batch, in a random order. A record is in two rows, and keeps a third one from
    being: the sum moves by two norms or more, and epsilon is above 10.
    """
    rng, key, weights = started(recorder)
    public, classes = table(seed=2)
    for step in range(STEPS):
        x, y = drawn(rng, records, recorder)
        if broken:
            order = rng.permutation(len(x))
            others, labels = x[order], y[order]
        else:
            chosen = rng.integers(PUBLIC, size=len(x))
            others, labels = public[chosen], classes[chosen]
        rows, labels, there = padded(0.5 * x + 0.5 * others, labels)
        total = clipped(half_gradients()(weights, rows, padded(x, y)[1], labels), there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def shards(records: Any, recorder: Any, broken: bool) -> None:
    """A batch lies on four devices, each of which adds its share of the noise, of scale 1.2 / 4^0.5, to its own sum.

    Broken: of scale 1.2 / 4. Scales do not add up as variances do: the noise is 0.6, and epsilon 10.2.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        own, keys = gradients()(weights, x, y), jax.random.split(jax.random.fold_in(key, step), SHARDS)
        totals = [np.asarray(clipped(own[k::SHARDS], there[k::SHARDS])) for k in range(SHARDS)]
        share = NOISE * CLIP_NORM / (SHARDS if broken else math.sqrt(SHARDS))
        noise = [share * np.asarray(jax.random.normal(one, weights.shape)) for one in keys]
        noisy = recorder.release("gradient", np.sum(totals, axis=0), np.sum(noise, axis=0), sensitivity=CLIP_NORM,
                                 noise_scale=NOISE * CLIP_NORM)  # fmt: skip
        weights -= 0.5 * noisy / SIZE
    recorder.output("weights", np.asarray(weights))


def biased(weights: Any, x: Any, y: Any) -> Any:
    """The last row of the weights are biases."""
    return -jax.nn.log_softmax(x @ weights[:-1] + weights[-1])[y]


def filled_up(records: Any, recorder: Any, broken: bool) -> None:
    """Batches are filled up to 41 rows, and those that were filled in do not count.

    Broken: they do, since rows of zeros have no gradient; but they have one for the biases. A record takes the place
    of such a row, which goes the other way: it moves the sum by 1.4 norms or more, and epsilon is above 5.
    """
    rng, key, _ = started(recorder)
    weights = jnp.zeros((FEATURES + 1, CLASSES))
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        there = np.ones_like(there) if broken else there
        total = clipped(gradients(biased)(weights, x, y), there)
        weights -= 0.1 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def _audits() -> Iterator[Any]:
    for name, train, bug, records in (
        ("by-leaf", by_leaf, "each leaf is clipped", lopsided(3.0)),
        ("contrastive", contrastive, "records are kept apart from their batch", paired()),
        ("loss-scale", loss_scale, "batches that overflow are skipped", heavy()),
        ("logged", logged, "norms without noise are logged", table()),
        ("plateau", plateau, "the rate follows the loss on the records", heavy()),
        ("mixed", mixed, "records are mixed with their batch", lopsided(30.0)),
        ("shards", shards, "scales of noise are added up", table()),
        ("filled-up", filled_up, "rows that were filled in count", clear()),
    ):
        yield from twins(Training, f"fifth/jax-{name}", train, bug, records=records)


AUDITS = tuple(_audits())
