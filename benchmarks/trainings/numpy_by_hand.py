"""DP optimisation and statistics in NumPy, written by hand: fifteen programs, each with a twin that has one bug.

They tell a recorder where a batch is drawn and where a noisy statistic is released.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, RECORDS, SIZE, STEPS, twins, whole
from numpy.random import default_rng
from numpy.typing import NDArray

from dpaudit import Assumptions, Gaussian, SelfComposed, Training, claim

Array = NDArray[np.float64]


def finite(rows: Array) -> Array:
    return np.nan_to_num(rows.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)


def clipped(rows: Array, clip_norm: float = CLIP_NORM) -> Array:
    rows = finite(rows)
    norms = np.sqrt((rows**2).sum(axis=tuple(range(1, rows.ndim))))
    factors = np.minimum(1.0, clip_norm / np.maximum(norms, 1e-12))
    return np.asarray(np.einsum("i,i...->...", factors, rows))


def gradients(weights: Array, x: Array, y: Array) -> Array:
    """Of softmax regression, (records, FEATURES, CLASSES)."""
    scores = finite(x) @ weights
    odds = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-math.inf))
    errors = odds / odds.sum(axis=1, keepdims=True) - np.eye(CLASSES)[y]
    return np.asarray(finite(x)[:, :, None] * errors[:, None, :])


def drawn(rng: np.random.Generator, recorder: Any, records: Any) -> NDArray[np.int64]:
    return np.asarray(recorder.batch(np.flatnonzero(rng.random(len(records[0])) < RATE)))


def released(recorder: Any, rng: np.random.Generator, total: Array, noise: float = NOISE, said: float = NOISE) -> Any:
    added = noise * CLIP_NORM * rng.normal(size=total.shape)
    return recorder.release("gradient", total, added, sensitivity=CLIP_NORM, noise_scale=said * CLIP_NORM)


def softmax(records: Any, recorder: Any, broken: bool) -> None:
    x, y = records
    rng, weights = default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members], y[members]), 1.5 * CLIP_NORM if broken else CLIP_NORM)
        weights -= 0.5 * released(recorder, rng, total) / SIZE
    recorder.output("weights", weights)


def one_generator(records: Any, recorder: Any, broken: bool) -> None:
    """The batch, the augmentation and the noise come from one generator."""
    x, y = records
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        moved = x[members] + 0.1 * rng.normal(size=(len(members), FEATURES))
        total = clipped(gradients(weights, moved, y[members]))
        weights -= 0.5 * released(recorder, rng, total, 0.8 * NOISE / 2 if broken else NOISE) / SIZE
    recorder.output("weights", weights)


def masked(records: Any, recorder: Any, broken: bool) -> None:
    """A random half of the features in every step, the same for all records."""
    x, y = records
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        mask = rng.random(FEATURES) < 0.5
        own = gradients(weights, x[members] * mask, y[members])
        divisor = max(len(members), 1) if broken else SIZE
        total = clipped(own) * (SIZE / divisor)
        weights -= 0.5 * released(recorder, rng, total) / SIZE
    recorder.output("weights", weights)


def coins(records: Any, recorder: Any, broken: bool) -> None:
    """Each record is mirrored by a coin of Python's generator; noise from another one."""
    x, y = records
    noise, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    for _ in range(STEPS):
        members = recorder.batch(np.flatnonzero([random.random() < RATE for _ in range(len(x))]))
        signs = np.array([1.0 if random.random() < 0.5 else -1.0 for _ in members]).reshape(-1, 1)
        total = clipped(gradients(weights, signs * x[members], y[members]))
        if broken:
            noise = np.random.default_rng(recorder.seed)
        weights -= 0.5 * released(recorder, noise, total) / SIZE
    recorder.output("weights", weights)


def adam(records: Any, recorder: Any, broken: bool) -> None:
    x, y = records
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members], y[members]))
        noisy = released(recorder, rng, total) / SIZE
        first = 0.9 * first + 0.1 * noisy
        second = 0.99 * second + 0.01 * (total / SIZE if broken else noisy) ** 2
        weights -= 0.05 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    recorder.output("weights", weights)


def mean(records: Any, recorder: Any, broken: bool) -> None:
    """One noisy sum of all records, divided by a public size."""
    x, _ = records
    rng = np.random.default_rng(recorder.seed)
    total = clipped(x)
    value = released(recorder, rng, total)
    recorder.output("mean", value / (len(x) if broken else RECORDS))


def covariance(records: Any, recorder: Any, broken: bool) -> None:
    """The noisy second moment of records of norm at most 1."""
    x, _ = records
    rng = np.random.default_rng(recorder.seed)
    rows = finite(x)
    rows = rows / np.maximum(1.0, np.linalg.norm(rows, axis=1))[:, None]
    total = rows.T @ rows if not broken else rows.T @ rows - len(rows) * np.outer(rows.mean(axis=0), rows.mean(axis=0))
    noisy = released(recorder, rng, total)
    recorder.output("directions", np.linalg.eigh((noisy + noisy.T) / 2)[1])
    if broken:
        recorder.output("centre", rows.mean(axis=0))


def histogram(records: Any, recorder: Any, broken: bool) -> None:
    """Counts of labels with Laplace noise."""
    _, y = records
    rng = np.random.default_rng(recorder.seed)
    counts = np.bincount(y, minlength=CLASSES).astype(float)
    noise = rng.laplace(scale=1.0, size=CLASSES)
    noise = noise[:1] * np.ones(CLASSES) if broken else noise
    found = recorder.release(
        "counts", counts, noise, sensitivity=1.0, noise_scale=math.sqrt(2.0), norm="l1", law="laplace"
    )
    recorder.output("counts", found)


def clusters(records: Any, recorder: Any, broken: bool) -> None:
    """Lloyd's iterations: noisy sums and noisy counts, half of the budget each."""
    x, _ = records
    rng, scale = np.random.default_rng(recorder.seed), NOISE * math.sqrt(2.0)
    centres = np.eye(2, FEATURES)
    rows = finite(x) / np.maximum(1.0, np.linalg.norm(finite(x), axis=1))[:, None]
    for _ in range(STEPS // 2):
        nearest = np.argmin(((rows[:, None] - centres) ** 2).sum(axis=2), axis=1)
        sums = np.stack([rows[nearest == k].sum(axis=0) for k in range(2)])
        counts = np.array([float((nearest == k).sum()) for k in range(2)])
        noisy = recorder.release("sums", sums, scale * rng.normal(size=sums.shape), sensitivity=1.0, noise_scale=scale)
        sizes = counts
        if not broken:
            sizes = recorder.release("counts", counts, scale * rng.normal(size=2), sensitivity=1.0, noise_scale=scale)
        centres = noisy / np.maximum(sizes, 1.0)[:, None]
    recorder.output("centres", centres)


def epochs(records: Any, recorder: Any, broken: bool) -> None:
    """All records in every step; the number of steps is public, or found from the loss."""
    x, y = records
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    for _ in range(STEPS):
        own = gradients(weights, x, y)
        if broken and np.linalg.norm(clipped(own)) < 0.8 * CLIP_NORM * len(x) ** 0.5:
            break
        weights -= 0.5 * released(recorder, rng, clipped(own)) / RECORDS
    recorder.output("weights", weights)


def features(records: Any, recorder: Any, broken: bool) -> None:
    """Random Fourier features, which are public, before the regression."""
    x, y = records
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    project = rng.normal(size=(FEATURES, FEATURES))
    shift = finite(x).mean(axis=0) if broken else 0.0
    lifted = np.cos((finite(x) - shift) @ project)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, lifted[members], y[members]))
        weights -= 0.5 * released(recorder, rng, total) / SIZE
    recorder.output("weights", weights)


def tree(records: Any, recorder: Any, broken: bool) -> None:
    """Prefix sums of the gradients of one pass, each with the noise of its nodes in a binary tree."""
    x, y = records
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    scale = (1.0 if broken else math.sqrt(3.0)) * NOISE  # of each of the three nodes that a record is in
    nodes: dict[tuple[int, int], Array] = {}
    for step, part in enumerate(np.array_split(np.arange(len(x)), 4)):
        members = recorder.batch(part)
        total = clipped(gradients(weights, x[members], y[members]))
        for level in range(3):
            place = (level, step >> level)
            nodes[place] = nodes.get(place, np.zeros_like(total)) + total
        found = [
            recorder.release(f"node {level} {step}", nodes[level, step >> level], scale * rng.normal(size=total.shape),
                             sensitivity=CLIP_NORM, noise_scale=math.sqrt(3.0) * NOISE)
            for level in range(3) if (step + 1) % (1 << level) == 0
        ]  # fmt: skip
        weights -= 0.2 * sum(found) / RECORDS
    recorder.output("weights", weights)


def unit(records: Any) -> Array:
    """The features, each record scaled down to norm at most 1."""
    rows = finite(records[0])
    return np.asarray(rows / np.maximum(1.0, np.linalg.norm(rows, axis=1))[:, None])


def newton(records: Any, recorder: Any, broken: bool) -> None:
    """Logistic regression by Newton's method: a noisy gradient and a noisy Hessian, half of the budget each.

    The noise of the Hessian is as symmetric as the Hessian.
    """
    rows, labels = unit(records), (records[1] > 0).astype(float)
    rng, weights, noise = default_rng(recorder.seed), np.zeros(FEATURES), NOISE * math.sqrt(2.0)
    for _ in range(STEPS // 2):
        odds = 1 / (1 + np.exp(-rows @ weights))
        slope, curve = rows.T @ (odds - labels), rows.T @ ((odds * (1 - odds))[:, None] * rows)
        upper = np.triu(0.25 * noise * rng.normal(size=curve.shape))
        gradient = recorder.release("gradient", slope, noise * rng.normal(size=slope.shape), sensitivity=1.0,
                                    noise_scale=noise)  # fmt: skip
        hessian = recorder.release("hessian", curve, upper + np.triu(upper, 1).T, sensitivity=0.25,
                                   noise_scale=0.25 * noise)  # fmt: skip
        values, vectors = np.linalg.eigh(hessian)
        floor = np.linalg.eigvalsh(curve).mean() if broken else 2.0
        weights = weights - vectors @ ((vectors.T @ gradient) / np.maximum(values, floor))
    recorder.output("weights", weights)


def power_iteration(records: Any, recorder: Any, broken: bool) -> None:
    """The first direction of a principal component analysis: noisy products with the second moment of the records."""
    rows = unit(records)
    rng = default_rng(recorder.seed)
    direction = rows[0] + 1e-3 if broken and len(rows) else rng.normal(size=FEATURES)
    for _ in range(STEPS):
        direction = direction / np.linalg.norm(direction)
        direction = released(recorder, rng, rows.T @ (rows @ direction))
    recorder.output("direction", direction / np.linalg.norm(direction))


def adaptive(records: Any, recorder: Any, broken: bool) -> None:
    """The clipping norm follows the noisy share of gradients that are shorter (Andrew et al., 2021)."""
    x, y = records
    rng, weights, clip_norm, spread = default_rng(recorder.seed), np.zeros((FEATURES, CLASSES)), CLIP_NORM, 4.0
    noise = (NOISE**-2 - (2 * spread) ** -2) ** -0.5
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        own = gradients(weights, x[members], y[members])
        total = clipped(own, clip_norm)
        inside = float((np.sqrt((own**2).sum(axis=(1, 2))) <= clip_norm).sum() - 0.5 * len(own))
        weights -= 0.5 / SIZE * recorder.release("gradient", total, noise * clip_norm * rng.normal(size=total.shape),
                                                 sensitivity=clip_norm, noise_scale=noise * clip_norm)  # fmt: skip
        if not broken:
            inside = recorder.release("inside", inside, spread * rng.normal(), sensitivity=0.5, noise_scale=spread)
        clip_norm *= math.exp(-0.2 * float(np.clip(inside / SIZE, -0.5, 0.5)))
    recorder.output("weights", weights)


def _pairs() -> Iterator[Any]:
    yield twins(Training, "numpy/softmax", softmax, "clipped to 1.5 of the norm")
    yield twins(Training, "numpy/one-generator", one_generator, "0.4 of the noise")
    yield twins(Training, "numpy/masked", masked, "divided by the size that was drawn")
    yield twins(Training, "numpy/coins", coins, "the same noise in every step")
    yield twins(Training, "numpy/adam", adam, "the second moment has no noise")
    yield twins(
        Training, "numpy/mean", mean, "divided by the number of records", mechanism=SelfComposed(Gaussian(NOISE), 1)
    )
    yield twins(Training, "numpy/covariance", covariance, "centred without noise",
                mechanism=SelfComposed(Gaussian(NOISE), 1))  # fmt: skip
    yield twins(Training, "numpy/histogram", histogram, "one noise for all counts", claimed=claim(epsilon=1.0))
    yield twins(Training, "numpy/clusters", clusters, "counts without noise", mechanism=whole(STEPS // 2))
    yield twins(Training, "numpy/epochs", epochs, "stops by the gradient", mechanism=whole())
    yield twins(Training, "numpy/features", features, "centred by the mean of the records")
    yield twins(Training, "numpy/tree", tree, "a third of the variance", claimed=claim(mu=1 / NOISE),
                assumptions=Assumptions(independent_noise=True, shared_generators=True))  # fmt: skip
    yield twins(Training, "numpy/newton", newton, "damped by the Hessian without noise", mechanism=whole(STEPS // 2))
    yield twins(Training, "numpy/power-iteration", power_iteration, "starts at the first record", mechanism=whole())
    yield twins(Training, "numpy/adaptive", adaptive, "the norm follows a share without noise")


AUDITS = tuple(audit for pair in _pairs() for audit in pair)
