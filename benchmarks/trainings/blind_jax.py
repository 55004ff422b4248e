"""Ten trainings in JAX, each with a twin that has one bug.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, RECORDS, SIZE, STEPS, twins
from jax.flatten_util import ravel_pytree
from jax_by_hand import clipped, drawn, gradients, padded, released, started, two_layers

from dpaudit import Training


def finite(rows: Any) -> Any:
    return np.nan_to_num(np.asarray(rows, dtype=np.float64), nan=0.0, posinf=0.0, neginf=0.0)


def handed(recorder: Any, total: Any, noise: Any, clip_norm: float = CLIP_NORM, scale: float = NOISE) -> Any:
    return jnp.asarray(recorder.release("gradient", np.asarray(total), np.asarray(noise), sensitivity=clip_norm,
                                        noise_scale=scale * clip_norm))  # fmt: skip


def microbatches(records: Any, recorder: Any, broken: bool) -> None:
    """The gradient of each record is clipped.

    Broken: the mean of four at a time is, with the noise of one norm. A record turns the mean that it is in, so that
    the sum moves by two norms, and pushes others into another mean: epsilon is 10 or more.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        own = jnp.nan_to_num(gradients()(weights, x, y), nan=0.0, posinf=0.0, neginf=0.0)
        if broken:
            filled = jnp.pad(own * there[:, None, None], ((0, -len(own) % 4), (0, 0), (0, 0)))
            own = filled.reshape(-1, 4, FEATURES, CLASSES).sum(axis=1)
            sizes = np.pad(there, (0, -len(there) % 4)).reshape(-1, 4).sum(axis=1)
            own, there = own / np.maximum(sizes, 1)[:, None, None], sizes > 0
        weights -= 0.5 * released(recorder, clipped(own, there), jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def nan_after(records: Any, recorder: Any, broken: bool) -> None:
    """A gradient that is not finite counts as 0.

    Broken: the sum does, after the clipping. One record with a NaN takes the gradients of all others out of its batch,
    up to ten norms and more.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        own = gradients()(weights, x, y)
        if broken:
            norms = jnp.linalg.norm(own.reshape(len(own), -1), axis=1)
            factors = jnp.minimum(1.0, CLIP_NORM / jnp.maximum(norms, 1e-12)) * there
            total = jnp.nan_to_num(jnp.einsum("i,i...->...", factors, own), nan=0.0, posinf=0.0, neginf=0.0)
        else:
            total = clipped(own, there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


@cache
def over_labels(axis: int | None) -> Any:
    """Gradients of the mean loss over the labels that are there; axis: of the labels in `vmap`."""

    def loss(weights: Any, x: Any, y: Any, there: Any) -> Any:
        chances = jax.nn.log_softmax(x @ weights)
        return -(chances[y] * there).sum() / jnp.maximum(there.sum(), 1)

    return jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0, axis, axis)))


def in_axes(records: Any, recorder: Any, broken: bool) -> None:
    """`vmap` goes over features and labels.

    Broken: over features alone, so that each gradient is that of the mean loss over all labels of the batch. A record
    moves the gradients of all others.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        own = over_labels(None if broken else 0)(weights, 3 * (x + 1), y, there)
        weights -= 0.5 * released(recorder, clipped(own, there), jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def one_noise(records: Any, recorder: Any, broken: bool) -> None:
    """The clipping norm follows the noisy share of gradients that are shorter (Andrew et al., 2021).

    Broken: the noise of the share is that of the first coordinate of the gradient, of the same key: the difference of
    the two has none, and epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    clip_norm, spread = CLIP_NORM, 4.0
    scale = (NOISE**-2 - (2 * spread) ** -2) ** -0.5
    for step in range(STEPS):
        first, second = jax.random.split(jax.random.fold_in(key, step))
        x, y, there = padded(*drawn(rng, records, recorder))
        own = jnp.nan_to_num(gradients()(weights, x, y), nan=0.0, posinf=0.0, neginf=0.0)
        short = (jnp.linalg.norm(own.reshape(len(own), -1), axis=1) <= clip_norm) * there
        noise = jax.random.normal(first, weights.shape)
        total = clipped(own, there, clip_norm)
        weights -= 0.5 / SIZE * handed(recorder, total, scale * clip_norm * noise, clip_norm, scale)
        of_share = float(noise[0, 0] if broken else jax.random.normal(second, ()))
        share = recorder.release("share", float(short.sum() - 0.5 * there.sum()), spread * of_share, sensitivity=0.5,
                                 noise_scale=spread)  # fmt: skip
        clip_norm *= math.exp(-0.2 * float(np.clip(share / SIZE, -0.5, 0.5)))
    recorder.output("weights", np.asarray(weights))


def lipschitz(records: Any, recorder: Any, broken: bool) -> None:
    """The rate is public; the iterates leave.

    Broken: it is one over the largest curvature of the loss over the records, without noise. Every noisy sum comes
    times that rate: a record of norm 1000 makes it nearly 0, and epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    rows = finite(records[0])
    rate = 1.0 / (1e-3 + 0.5 * float(np.linalg.eigvalsh(rows.T @ rows / RECORDS)[-1])) if broken else 0.5
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        weights -= rate * released(recorder, clipped(gradients()(weights, x, y), there),
                                   jax.random.fold_in(key, step)) / SIZE  # fmt: skip
        recorder.output(f"weights {step}", np.asarray(weights))


def importance(records: Any, recorder: Any, broken: bool) -> None:
    """Each record is in a batch with probability 1/4.

    Broken: with one in proportion to its norm, so that ten are expected. A long record is in every batch, and leaves
    hardly any place to others, for which the accountant gives 1/4: epsilon is 8.0 or more.
    """
    rng, key, weights = started(recorder)
    norms = np.linalg.norm(finite(records[0]), axis=1)
    rates = np.minimum(1.0, SIZE * norms / max(float(norms.sum()), 1e-9)) if broken else np.full(len(norms), RATE)
    for step in range(STEPS):
        members = recorder.batch(np.flatnonzero(rng.random(len(norms)) < rates))
        x, y, there = padded(records[0][members], records[1][members])
        total = clipped(gradients()(weights, x, y), there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def unit_variance(records: Any, recorder: Any, broken: bool) -> None:
    """Two layers, whose first weights are of a public size.

    Broken: they are scaled so that what comes out of the first layer has variance 1 over the records. A record of norm
    1000 makes them nearly 0, and the weights that leave show it: epsilon is infinite.
    """
    rng, key, _ = started(recorder)
    first = jax.random.normal(key, (FEATURES, 5))
    size = float((finite(records[0]) @ np.asarray(first)).std()) + 1e-6 if broken else 3.0
    weights = {"in": first / size, "shift": jnp.zeros(5), "out": 0.5 * jnp.ones((5, CLASSES))}
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        rows = jax.vmap(lambda one: ravel_pytree(one)[0])(gradients(two_layers)(weights, x, y))
        noisy = released(recorder, clipped(rows, there), jax.random.fold_in(key, step + 1))
        flat, lifted = ravel_pytree(weights)
        weights = lifted(flat - 0.5 / SIZE * jnp.asarray(noisy, dtype=flat.dtype))
    recorder.output("weights", {name: np.asarray(value) for name, value in weights.items()})


def same_variance(records: Any, recorder: Any, broken: bool) -> None:
    """Gaussian noise.

    Broken: Laplace noise with the same standard deviation. Small moves of many coordinates show 1.4 times as much
    through it: epsilon is up to 5.6.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        own = jax.random.fold_in(key, step)
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        drawn_noise = jax.random.laplace(own, total.shape) / 2**0.5 if broken else jax.random.normal(own, total.shape)
        weights -= 0.5 * handed(recorder, total, NOISE * CLIP_NORM * drawn_noise) / SIZE
    recorder.output("weights", np.asarray(weights))


def accumulated(records: Any, recorder: Any, broken: bool) -> None:
    """A batch in two halves, whose sums are added up before the noise.

    Broken: the halves are two batches, drawn one after the other at rate 1/4 each. A record is in one of them with
    probability 0.44, and in both with 0.06, where it counts twice: epsilon is above 4.7.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        first = np.flatnonzero(rng.random(len(records[0])) < RATE)
        second = np.flatnonzero(rng.random(len(records[0])) < RATE)
        parts = (first, second) if broken else (first[::2], first[1::2])
        total = jnp.zeros_like(weights)
        for part in parts:
            members = recorder.batch(part)
            x, y, there = padded(records[0][members], records[1][members])
            total = total + clipped(gradients()(weights, x, y), there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def grid(records: Any, recorder: Any, broken: bool) -> None:
    """The noisy sum is rounded to multiples of 1/8, to be sent in few bits.

    Broken: the noise is rounded, and the sum is not: what is left beside multiples of 1/8 is the sum's own, and
    epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        noise = NOISE * CLIP_NORM * jax.random.normal(jax.random.fold_in(key, step), total.shape)
        noisy = handed(recorder, total, jnp.round(8 * noise) / 8 if broken else noise)
        weights -= 0.5 * (noisy if broken else jnp.round(8 * noisy) / 8) / SIZE
    recorder.output("weights", np.asarray(weights))


def _audits() -> Iterator[Any]:
    kind = Training
    yield from twins(kind, "blind/jax-microbatches", microbatches, "means of four records are clipped")
    yield from twins(kind, "blind/jax-nan-after", nan_after, "a sum that is not finite counts as 0")
    yield from twins(kind, "blind/jax-in-axes", in_axes, "each record has the labels of all")
    yield from twins(kind, "blind/jax-one-noise", one_noise, "a share has the noise of a coordinate")
    yield from twins(kind, "blind/jax-lipschitz", lipschitz, "the rate is one over the private curvature")
    yield from twins(kind, "blind/jax-importance", importance, "long records are drawn more often")
    yield from twins(kind, "blind/jax-unit-variance", unit_variance, "the first weights are scaled by the records")
    yield from twins(kind, "blind/jax-same-variance", same_variance, "Laplace noise, accounted as Gaussian")
    yield from twins(kind, "blind/jax-accumulated", accumulated, "two batches are accounted as one")
    yield from twins(kind, "blind/jax-grid", grid, "noise on a grid and sums beside it")


AUDITS = tuple(_audits())
