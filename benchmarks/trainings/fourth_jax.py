"""Six trainings in JAX, with optax and with jax-privacy, each with a twin that has one bug.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 where nothing else is said.
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
from _fourth_opacus import lopsided
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, RECORDS, SIZE, STEPS, twins, whole
from jax_by_hand import clipped, drawn, gradients, loss, padded, released, started
from jax_privacy import clipping
from numpy_by_hand import unit

from dpaudit import Training

WIDE = 16


def noise_of(key: Any, broken: bool) -> Any:
    """Standard noise for a table of weights and a last row of biases."""
    table_key, row_key = jax.random.split(key)
    noise = jnp.zeros((FEATURES + 1, CLASSES))
    noise = noise.at[:-1].set(jax.random.normal(table_key, (FEATURES, CLASSES)))
    filled = noise.at[-1].set(jax.random.normal(row_key, (CLASSES,)))
    return noise if broken else filled


def unassigned(records: Any, recorder: Any, broken: bool) -> None:
    """Adam, on weights and a row of biases; noise is drawn for the weights, then for the biases.

    Broken: what `at[-1].set` gives for the biases is not assigned, as arrays of NumPy do not need it. Their sums have
    no noise: epsilon is infinite.
    """
    rng, key, _ = started(recorder)
    weights, rule = jnp.zeros((FEATURES + 1, CLASSES)), optax.adam(0.05)
    state = rule.init(weights)
    for step in range(STEPS):
        x, y = drawn(rng, records, recorder)
        x, y, there = padded(np.column_stack([x, np.ones(len(x), dtype=np.float32)]), y)
        total = np.asarray(clipped(gradients()(weights, x, y), there))
        noise = NOISE * CLIP_NORM * np.asarray(noise_of(jax.random.fold_in(key, step), broken))
        noisy = recorder.release("gradient", total, noise, sensitivity=CLIP_NORM, noise_scale=NOISE * CLIP_NORM)
        updates, state = rule.update(jnp.asarray(noisy) / SIZE, state)
        weights = optax.apply_updates(weights, updates)
    recorder.output("weights", np.asarray(weights))


class Moment:
    """The second moment of rows of norm at most 1, and their sums by class, with noise for both together."""

    def __init__(self, records: Any, recorder: Any) -> None:
        rows = unit(records)
        member = np.eye(CLASSES)[np.clip(records[1], 0, CLASSES - 1)]
        self.total, self.recorder = rows.T @ np.hstack([rows, member]), recorder
        self.key = jax.random.key(recorder.seed)

    def noisy(self) -> Any:
        """Another noisy moment at each call."""
        self.key, own = jax.random.split(self.key)
        norm = math.sqrt(2.0)
        noise = NOISE * norm * np.asarray(jax.random.normal(own, self.total.shape))
        return jnp.asarray(self.recorder.release("moment", self.total, noise, sensitivity=norm,
                                                 noise_scale=NOISE * norm))  # fmt: skip


def asked_again(records: Any, recorder: Any, broken: bool) -> None:
    """Least squares by four steps on one noisy moment; epsilon is 3.5.

    Broken: each step asks for the moment, as if it were kept, and gets it with new noise. It is released four times:
    epsilon is 8.0.
    """
    moment, weights = Moment(records, recorder), jnp.zeros((FEATURES, CLASSES))
    kept = moment.noisy()
    for step in range(STEPS):
        now = moment.noisy() if broken and step else kept
        weights += (now[:, FEATURES:] - now[:, :FEATURES] @ weights) / (2.0 * RECORDS)
    recorder.output("weights", np.asarray(weights))


def cut_short(records: Any, recorder: Any, broken: bool) -> None:
    """Batches are filled up to 41 rows, so that nothing is compiled twice.

    Broken: to ten, the expected size, and the first ten are taken of those that are larger. In half of its batches the
    first record keeps another one out, which goes the other way: it moves the sum by 1.7 norms, and epsilon is above 5.
    """
    rng, key, weights = started(recorder)
    rule = optax.sgd(0.5, momentum=0.5)
    state = rule.init(weights)
    for step in range(STEPS):
        x, y = drawn(rng, records, recorder)
        if broken:
            x, y = x[: int(SIZE)], y[: int(SIZE)]
        x, y, there = padded(x, y)
        noisy = released(recorder, clipped(gradients()(weights, x, y), there), jax.random.fold_in(key, step))
        updates, state = rule.update(jnp.asarray(noisy) / SIZE, state)
        weights = optax.apply_updates(weights, updates)
    recorder.output("weights", np.asarray(weights))


def checksum(records: Any, recorder: Any, broken: bool) -> None:
    """Each step has a key of its own, from the seed of the training.

    Broken: from a checksum of the batch, so that a step can be made again. Who knows the records can draw the noise of
    each batch that may have been, and see whether one of them has the record: epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y = drawn(rng, records, recorder)
        total = float(np.abs(np.nan_to_num(np.asarray(x, dtype=np.float64), posinf=0.0, neginf=0.0)).sum())
        own = jax.random.key(int(1e4 * min(total, 1e5)) % 2**31) if broken else jax.random.fold_in(key, step)
        x, y, there = padded(x, y)
        weights -= 0.5 * released(recorder, clipped(gradients()(weights, x, y), there), own) / SIZE
    recorder.output("weights", np.asarray(weights))


@cache
def rescaled(norm: float) -> Callable[..., Any]:
    """Gradients are clipped to a norm, divided by it and summed up."""
    summed = clipping.clipped_grad(loss, l2_clip_norm=norm, batch_argnums=(1, 2), keep_batch_dim=False,
                                   rescale_to_unit_norm=True)  # fmt: skip
    return jax.jit(lambda w, x, y, padding: summed(w, x, y, is_padding_example=padding))


def unit_norm(records: Any, recorder: Any, broken: bool) -> None:
    """The clipping of jax-privacy, which brings gradients from norm 1/4 back to 1; the noise is for norm 1.

    Broken: the noise is for 1/4, as without `rescale_to_unit_norm`: it is 0.3 for 1.2, and epsilon is 35.
    """
    rng, key, weights = started(recorder)
    norm = 0.25
    scale = NOISE * (norm if broken else 1.0)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = np.asarray(rescaled(norm)(weights, x, y, ~there))
        noise = scale * np.asarray(jax.random.normal(jax.random.fold_in(key, step), total.shape))
        noisy = recorder.release("gradient", total, noise, sensitivity=norm if broken else 1.0, noise_scale=scale)
        weights -= 0.5 * noisy / SIZE
    recorder.output("weights", np.asarray(weights))


def wide() -> tuple[Any, Any]:
    """Records with sixteen features, so that there are more weights than records; the first has one feature alone."""
    rng = np.random.default_rng(13)
    labels = rng.integers(CLASSES, size=RECORDS)
    x = rng.normal(size=(RECORDS, WIDE)) + 2 * np.eye(CLASSES, WIDE)[labels]
    x[0], labels[0] = 3.0 * np.eye(WIDE)[0], 0
    return x.astype(np.float32), labels.astype(np.int64)


def one_key(records: Any, recorder: Any, broken: bool) -> None:
    """One key for the batch and one for the noise.

    Broken: one key for both. The first record is in the batch where a uniform number is below 1/4, which is where the
    first coordinate of the noise, made of the same bits, is below -0.67 of its scale. The record moves it further down,
    so that what is just below that does not occur: epsilon is infinite.
    """
    key, weights = jax.random.key(recorder.seed), jnp.zeros((WIDE, CLASSES))
    for step in range(STEPS):
        coins, own = jax.random.split(jax.random.fold_in(key, step))
        if broken:
            coins = own
        chances = np.asarray(jax.random.uniform(coins, (len(records[0]),)))
        members = recorder.batch(np.flatnonzero(chances < RATE))
        x, y, there = padded(records[0][members], records[1][members])
        weights -= 0.5 * released(recorder, clipped(gradients()(weights, x, y), there), own) / SIZE
    recorder.output("weights", np.asarray(weights))


def _audits() -> Iterator[Any]:
    kind = Training
    yield from twins(kind, "fourth/jax-unassigned", unassigned, "the noise of the biases is not assigned")
    yield from twins(kind, "fourth/jax-asked-again", asked_again, "a noisy moment is made anew at each call",
                     mechanism=whole(1))  # fmt: skip
    yield from twins(kind, "fourth/jax-cut-short", cut_short, "batches are cut to the expected size",
                     records=lopsided())  # fmt: skip
    yield from twins(kind, "fourth/jax-checksum", checksum, "the key of the noise is a checksum of the batch")
    yield from twins(kind, "fourth/jax-unit-norm", unit_norm, "noise for norm 1/4 and gradients of norm 1")
    yield from twins(kind, "fourth/jax-one-key", one_key, "batch and noise have one key", records=wide())


AUDITS = tuple(_audits())
