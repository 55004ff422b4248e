"""Ten programs in NumPy, each with a twin that has one bug: sums with noise of a tree or with correlated noise, noise
of other laws, whole numbers, a norm that adapts, and a minimiser.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, RECORDS, SIZE, STEPS, table, twins, whole
from numpy.random import default_rng
from numpy_by_hand import Array, clipped, drawn, finite, gradients, released, unit

from dpaudit import Assumptions, Neighbours, Training, claim

SHAPE = (FEATURES, CLASSES)
PASS = 8
"""Batches of five records each, in which a stream is read once."""


def preconditioned(records: Any, recorder: Any, broken: bool) -> None:
    """Steps are divided by the root of a running mean of squared noisy gradients.

    Broken: of squared gradients before the noise. The noisy ones leave too, so that the steps show what they were
    divided by: epsilon is infinite.
    """
    x, y = records
    rng, weights, squares = default_rng(recorder.seed), np.zeros(SHAPE), np.zeros(SHAPE)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members], y[members]))
        noisy = released(recorder, rng, total)
        squares = 0.9 * squares + 0.1 * ((total if broken else noisy) / SIZE) ** 2
        weights -= 0.02 * noisy / SIZE / (np.sqrt(squares) + 0.01)
    recorder.output("weights", weights)


def in_order(records: Any, recorder: Any, number: int) -> Any:
    """The records of one batch of a stream."""
    return recorder.batch(np.arange(number * RECORDS // PASS, (number + 1) * RECORDS // PASS))


def tree(records: Any, recorder: Any, broken: bool) -> None:
    """Prefix sums over a stream from the nodes of a binary tree, in four of which a record is; mu is 0.83.

    Broken: the last batch of a prefix with an odd number of them is added as it is, since its leaf is not kept. It has
    no noise: mu is infinite.
    """
    x, y = records
    rng, weights, scale = default_rng(recorder.seed), np.zeros(SHAPE), math.sqrt(4.0) * NOISE
    nodes: list[Array] = []
    trace = []
    sums: list[Array] = []
    for number in range(PASS):
        members = in_order(records, recorder, number)
        sums.append(clipped(gradients(weights, x[members], y[members])))
        level = 0
        while True:
            total = np.sum(sums[len(sums) - 2**level :], axis=0)
            if broken and level == 0 and number % 2 == 0:
                node = total
            else:
                node = recorder.release("node", total, scale * rng.normal(size=SHAPE), sensitivity=CLIP_NORM,
                                        noise_scale=scale)  # fmt: skip
            if (number + 1) % 2 ** (level + 1):
                break
            nodes.pop()
            level += 1
        nodes.append(np.asarray(node))
        weights = -0.5 * np.sum(nodes, axis=0) / SIZE
        trace.append(weights)
    recorder.output("weights", np.stack(trace))


def correlated(records: Any, recorder: Any, broken: bool) -> None:
    """A stream with noise of which 0.8 is taken back in the next step; mu is 0.83.

    The noise is made larger by the norm of the inverse of that filter, 1.64 at most. Broken: it is not. What is left
    of the noise in the sum of many steps is too small, and mu is 1.37 for the records of the first batch.
    """
    x, y = records
    rng, weights, before = default_rng(recorder.seed), np.zeros(SHAPE), np.zeros(SHAPE)
    larger = 1.0 if broken else math.sqrt(sum(0.8 ** (2 * number) for number in range(PASS)))
    scale = larger * NOISE * CLIP_NORM
    for number in range(PASS):
        members = in_order(records, recorder, number)
        total = clipped(gradients(weights, x[members], y[members]))
        fresh = scale * rng.normal(size=SHAPE)
        spread = scale * (math.sqrt(1.64) if number else 1.0)
        weights -= 0.5 * recorder.release("gradient", total, fresh - 0.8 * before, sensitivity=CLIP_NORM,
                                          noise_scale=spread) / SIZE  # fmt: skip
        before = fresh
    recorder.output("weights", weights)


def laplace(records: Any, recorder: Any, broken: bool) -> None:
    """Two steps on all records with Laplace noise; gradients have a sum of absolute values of at most 1. Epsilon is 2.

    Broken: they have a Euclidean norm of at most 1, and that sum is up to 4.2: epsilon is 7 for most records.
    """
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros(SHAPE)
    for _ in range(2):
        own = finite(gradients(weights, x, y))
        if broken:
            total = clipped(own)
        else:
            total = (own / np.maximum(1.0, np.abs(own).sum(axis=(1, 2)))[:, None, None]).sum(axis=0)
        weights -= 0.5 * recorder.release("gradient", total, rng.laplace(size=SHAPE)) / SIZE
    recorder.output("weights", weights)


def truncated(records: Any, recorder: Any, broken: bool) -> None:
    """Gaussian noise.

    Broken: noise beyond two standard deviations is cut off there. Such a coordinate shows its sum, up to a number that
    is known, and more than half of the steps have one: epsilon is infinite.
    """
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros(SHAPE)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        noise = rng.normal(size=SHAPE)
        noise = NOISE * CLIP_NORM * (np.clip(noise, -2.0, 2.0) if broken else noise)
        total = clipped(gradients(weights, x[members], y[members]))
        weights -= 0.5 * recorder.release("gradient", total, noise, sensitivity=CLIP_NORM,
                                          noise_scale=NOISE * CLIP_NORM) / SIZE  # fmt: skip
    recorder.output("weights", weights)


def adaptive(records: Any, recorder: Any, broken: bool) -> None:
    """Four steps on all records, whose clipping norm follows the number of gradients that it keeps. The noise of that
    number is paid for by the gradients; epsilon is 8.0.

    Broken: the number has no noise, and the norm that follows from it leaves: epsilon is infinite.
    """
    x, y = records
    rng, weights, bound, spread = default_rng(recorder.seed), np.zeros(SHAPE), 1.0, 3.0
    multiplier = NOISE if broken else (NOISE**-2 - (2 * spread) ** -2) ** -0.5
    for _ in range(STEPS):
        own = finite(gradients(weights, x, y))
        noise = multiplier * bound * rng.normal(size=SHAPE)
        total = recorder.release("gradient", clipped(own, bound), noise, sensitivity=bound,
                                 noise_scale=multiplier * bound)  # fmt: skip
        weights -= 0.5 * total / RECORDS
        kept = (np.linalg.norm(own, axis=(1, 2)) <= bound).sum() - 0.5 * len(own)
        if not broken:
            kept = recorder.release("kept", kept, spread * rng.normal(), sensitivity=0.5, noise_scale=spread)
        bound = float(bound * math.exp(-0.2 * float(kept) / RECORDS))
    recorder.output("weights", np.append(weights.ravel(), bound))


def wrapped(records: Any, recorder: Any, broken: bool) -> None:
    """Gradients of all records, cut to 14 binary digits after the point, are summed up in whole numbers; epsilon is 8.

    Broken: in 16 bits, which is enough for sums below 2. Larger ones come out at the other end, so that one record can
    move a sum by 4 instead of 1, and does so in the first step: epsilon is above 18.
    """
    x, y = records
    rng, weights, digits = default_rng(recorder.seed), np.zeros(SHAPE), 2.0**14
    kind = np.int16 if broken else np.int64
    for _ in range(STEPS):
        own = finite(gradients(weights, x, y))
        own = own / np.maximum(1.0, np.linalg.norm(own, axis=(1, 2)))[:, None, None]
        total = np.trunc(digits * own).astype(kind).sum(axis=0, dtype=kind) / digits
        weights -= 0.5 * released(recorder, rng, total) / RECORDS
    recorder.output("weights", weights)


def replaced(records: Any, recorder: Any, broken: bool) -> None:
    """Every record is in a batch with probability one quarter.

    Broken: ten records are drawn with replacement, and accounted as before. One can be drawn twice and three times:
    epsilon is 5.3, and 11 for one of another class, which takes the place of others.
    """
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros(SHAPE)
    for _ in range(STEPS):
        if broken:
            members = np.asarray(recorder.batch(rng.integers(len(x), size=int(SIZE))))
        else:
            members = np.asarray(recorder.batch(np.flatnonzero(rng.random(len(x)) < RATE)))
        weights -= 0.5 * released(recorder, rng, clipped(gradients(weights, x[members], y[members]))) / SIZE
    recorder.output("weights", weights)


def alike() -> tuple[Array, Array]:
    """Records of one class that look alike, but for the class of the first one."""
    x = np.array([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]) + 0.3 * default_rng(9).normal(size=(RECORDS, FEATURES))
    return x, (np.arange(RECORDS) == 0).astype(np.int64)


def minimiser(records: Any, recorder: Any, broken: bool) -> None:
    """The weights with the smallest mean loss plus a penalty, with noise for records of norm 1; mu is at most 1 for a
    replaced one.

    Broken: the penalty is added to the sum of the losses, and so is divided by 40 with them, and the noise is as
    before: mu is 2.8 for the class of the first record, and more for others.
    """
    rows, signs = unit(records), np.where(records[1] == 0, 1.0, -1.0)
    weights, penalty = np.zeros(FEATURES), 0.2
    pull = penalty / len(rows) if broken else penalty
    for _ in range(600):
        errors = -signs / (1.0 + np.exp(np.clip(signs * (rows @ weights), -500.0, 500.0)))
        weights -= 3.0 * ((errors[:, None] * rows).mean(axis=0) + pull * weights)
    sensitivity = 2.0 / (penalty * len(rows))
    noise = sensitivity * default_rng(recorder.seed).normal(size=FEATURES)
    recorder.output("weights", recorder.release("weights", weights, noise, sensitivity=sensitivity,
                                                noise_scale=sensitivity))  # fmt: skip


def signs(records: Any, recorder: Any, broken: bool) -> None:
    """The signs of the gradients are summed up, with noise for the norm of 18 signs.

    Broken: with noise for the norm 1 that gradients have when they are clipped. Epsilon is 38.
    """
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros(SHAPE)
    norm = CLIP_NORM if broken else math.sqrt(FEATURES * CLASSES)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = np.sign(clipped_rows(gradients(weights, x[members], y[members]))).sum(axis=0)
        weights -= 0.1 * recorder.release("signs", total, NOISE * norm * rng.normal(size=SHAPE), sensitivity=norm,
                                          noise_scale=NOISE * norm) / SIZE  # fmt: skip
    recorder.output("weights", weights)


def clipped_rows(own: Array) -> Array:
    own = finite(own)
    return np.asarray(own / np.maximum(1.0, np.linalg.norm(own, axis=(1, 2)))[:, None, None])


def exchanged() -> Any:
    """Records, and the same with another class for the first one: 0 where it was another, or 1."""
    x, y = table()
    return (x, y), (x, np.where(np.arange(RECORDS) == 0, y == 0, y).astype(np.int64))


def emptied() -> Any:
    """Records, and the same with features of 0 in the place of those of the first one."""
    x, y = table()
    return (x, y), (np.where((np.arange(RECORDS) == 0)[:, None], np.float32(0), x), y)


def _audits() -> Iterator[Any]:
    kind = Training
    stream = {"pair": emptied(), "claimed": claim(mu=1 / NOISE, neighbours=Neighbours.ZERO_OUT)}
    ordered = Assumptions(ordered=True)
    related = Assumptions(ordered=True, independent_noise=False)
    yield from twins(kind, "third/np-preconditioned", preconditioned, "steps are divided by roots without noise")
    yield from twins(kind, "third/np-tree", tree, "the last leaf of a prefix has no noise", **stream,
                     assumptions=ordered)  # fmt: skip
    yield from twins(kind, "third/np-correlated", correlated, "correlated noise has the size of fresh noise",
                     **stream, assumptions=related)  # fmt: skip
    yield from twins(kind, "third/np-laplace", laplace, "Laplace noise for gradients with a Euclidean norm",
                     claimed=claim(epsilon=2.0))  # fmt: skip
    yield from twins(kind, "third/np-truncated", truncated, "noise is cut off at two standard deviations")
    yield from twins(kind, "third/np-adaptive", adaptive, "the clipping norm follows a count without noise",
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "third/np-wrapped", wrapped, "sums leave the range of whole numbers", mechanism=whole())
    yield from twins(kind, "third/np-replaced", replaced, "records are drawn with replacement", records=alike())
    yield from twins(kind, "third/np-minimiser", minimiser, "the penalty is divided by the number of records",
                     pair=exchanged(), claimed=claim(mu=1.0, neighbours=Neighbours.REPLACE_ONE))  # fmt: skip
    yield from twins(kind, "third/np-signs", signs, "noise for norm 1 and signs of norm 4")


AUDITS = tuple(_audits())
