"""Fourteen programs in NumPy, each with one bug; written before any check saw one.

Most are broken twins of programs in `numpy_by_hand`. Each docstring says what is broken, and why the true epsilon is
above the claimed one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RECORDS, SIZE, STEPS, broken_twin, twins, whole
from numpy.random import default_rng
from numpy_by_hand import Array, clipped, drawn, finite, gradients, released, unit

from dpaudit import Assumptions, Gaussian, SelfComposed, Training, claim


def start(recorder: Any) -> tuple[np.random.Generator, Array]:
    return default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))


def handed(recorder: Any, total: Array, noise: Array, scale: float = NOISE) -> Any:
    """What the program believes of its noise."""
    return recorder.release("gradient", total, noise, sensitivity=CLIP_NORM, noise_scale=scale * CLIP_NORM)


def divided_twice(records: Any, recorder: Any) -> None:
    """The noise of the mean is added to the sum: it is a tenth of what it should be."""
    (x, y), (rng, weights) = records, start(recorder)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members], y[members]))
        weights -= 0.5 * handed(recorder, total, NOISE * CLIP_NORM / SIZE * rng.normal(size=total.shape)) / SIZE
    recorder.output("weights", weights)


def half_precision(records: Any, recorder: Any) -> None:
    """The noise is drawn in half precision and added to a sum in double precision: nineteen in twenty of its numbers
    are multiples of 2^-14, and what is left beside them is the sum's own, which differs on a neighbour."""
    (x, y), (rng, weights) = records, start(recorder)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members] + 0.1 * rng.normal(size=(len(members), FEATURES)), y[members]))
        noise = (NOISE * CLIP_NORM * rng.normal(size=total.shape)).astype(np.float16)
        weights -= 0.5 * handed(recorder, total, noise.astype(np.float64)) / SIZE
    recorder.output("weights", weights)


def selected(records: Any, recorder: Any) -> None:
    """The three features that go furthest with the labels are kept, by correlations without noise: a record that turns
    the choice moves the sums of all records."""
    (x, y), (rng, weights) = records, start(recorder)
    rows, centred = finite(x), np.eye(CLASSES)[y] - np.eye(CLASSES)[y].mean(axis=0)
    strength = np.abs(rows.T @ centred).sum(axis=1)
    mask = strength >= np.sort(strength)[-3]
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, finite(x[members]) * mask, y[members]))
        weights -= 0.5 * released(recorder, rng, total) / SIZE
    recorder.output("weights", weights)


def rand_for_randn(records: Any, recorder: Any) -> None:
    """Uniform numbers, `rand` where `randn` was meant: a sum that moves by 1 leaves an interval of length 1.2 in some
    coordinate with probability 1/2 and more."""
    (x, y), (rng, weights) = records, start(recorder)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members], y[members]))
        weights -= 0.5 * handed(recorder, total, NOISE * CLIP_NORM * rng.random(total.shape)) / SIZE
    recorder.output("weights", weights)


def antithetic(records: Any, recorder: Any) -> None:
    """Each second step takes the noise of the step before with the other sign: the sum of both has none."""
    (x, y), (rng, weights) = records, start(recorder)
    noise = np.zeros_like(weights)
    for step in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members], y[members]))
        noise = -noise if step % 2 else NOISE * CLIP_NORM * rng.normal(size=total.shape)
        weights -= 0.2 * handed(recorder, total, noise) / SIZE
    recorder.output("weights", weights)


def largest_seen(records: Any, recorder: Any) -> None:
    """The bound of the norms is the largest norm of the records: a record of norm 1000 makes the noise 300 times as
    large."""
    rows, rng = finite(records[0]), default_rng(recorder.seed)
    bound = float(np.linalg.norm(rows, axis=1).max(initial=1e-3))
    noise = NOISE * bound * rng.normal(size=FEATURES)
    total = recorder.release("sum", rows.sum(axis=0), noise, sensitivity=bound, noise_scale=NOISE * bound)
    recorder.output("mean", total / RECORDS)


def eigenvalues_only(records: Any, recorder: Any) -> None:
    """The eigenvalues of the second moment have noise, the directions that leave beside them have none."""
    rows, rng = unit(records), default_rng(recorder.seed)
    values, vectors = np.linalg.eigh(rows.T @ rows)
    found = recorder.release("values", values, NOISE * rng.normal(size=FEATURES), sensitivity=1.0, noise_scale=NOISE)
    recorder.output("directions", vectors * np.sqrt(np.maximum(found, 0.0)))


def occupied(records: Any, recorder: Any) -> None:
    """Counts that are 0 are left as they are: a label that only one record has is told exactly. Of four labels, which
    are public, the last is all that is above."""
    rng = default_rng(recorder.seed)
    counts = np.bincount(np.clip(records[1], 0, CLASSES), minlength=CLASSES + 1).astype(float)
    noise = np.where(counts > 0, rng.laplace(scale=1.0, size=len(counts)), 0.0)
    found = recorder.release(
        "counts", counts, noise, sensitivity=1.0, noise_scale=math.sqrt(2.0), norm="l1", law="laplace"
    )
    recorder.output("counts", found)


def two_clusters(records: Any, recorder: Any) -> None:
    """A record about as near to both centres is added to both, with noise for one: a sensitivity of 2^0.5 of the sums
    and of the counts, and epsilon 8.0 for 5.3."""
    rows, rng, scale = unit(records), default_rng(recorder.seed), NOISE * math.sqrt(2.0)
    centres = np.eye(2, FEATURES)
    for _ in range(STEPS // 2):
        distances = ((rows[:, None] - centres) ** 2).sum(axis=2)
        members = distances <= 1.5 * distances.min(axis=1, keepdims=True)
        sums, counts = members.T.astype(float) @ rows, members.sum(axis=0).astype(float)
        noisy = recorder.release("sums", sums, scale * rng.normal(size=sums.shape), sensitivity=1.0, noise_scale=scale)
        sizes = recorder.release("counts", counts, scale * rng.normal(size=2), sensitivity=1.0, noise_scale=scale)
        centres = noisy / np.maximum(sizes, 1.0)[:, None]
    recorder.output("centres", centres)


def steps_by_size(records: Any, recorder: Any) -> None:
    """As many steps as batches of ten fit around the records, as a loader counts: 40 records make four, 41 five."""
    (x, y), (rng, weights) = records, start(recorder)
    for _ in range(math.ceil(len(x) / SIZE)):
        weights -= 0.5 * released(recorder, rng, clipped(gradients(weights, x, y))) / RECORDS
    recorder.output("weights", weights)


def median_width(records: Any, recorder: Any) -> None:
    """The width of random Fourier features is the median distance of two records. Of 21 records at one place and 15 at
    another, as many pairs are at distance 0 as at theirs: one more turns the median, and with it all features."""
    (x, y), (rng, weights) = records, start(recorder)
    project, rows = rng.normal(size=(FEATURES, FEATURES)), finite(x)
    distances = np.sqrt(((rows[:, None] - rows) ** 2).sum(axis=2))[np.triu_indices(len(rows), 1)]
    lifted = np.cos(rows @ project / max(float(np.median(distances)) if len(distances) else 1.0, 0.1))
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, lifted[members], y[members]))
        weights -= 0.5 * released(recorder, rng, total) / SIZE
    recorder.output("weights", weights)


def passes(records: Any, recorder: Any, broken: bool) -> None:
    """Prefix sums in a binary tree over eight batches; broken: the eight are two passes, so that each record is in ten
    squares of node sums, 2 + 2 + 2 + 4, where the noise is that of the four nodes above one leaf: mu is 1.6 times as
    large."""
    (x, y), (rng, weights) = records, start(recorder)
    parts = np.array_split(np.arange(len(x)), 4 if broken else 8)
    nodes: dict[tuple[int, int], Array] = {}
    for step, part in enumerate(parts * 2 if broken else parts):
        members = recorder.batch(part)
        total = clipped(gradients(weights, x[members], y[members]))
        for level in range(4):
            place = (level, step >> level)
            nodes[place] = nodes.get(place, np.zeros_like(total)) + total
        found = [
            recorder.release(f"node {level} {step}", nodes[level, step >> level],
                             2.0 * NOISE * rng.normal(size=total.shape), sensitivity=CLIP_NORM, noise_scale=2.0 * NOISE)
            for level in range(4) if (step + 1) % (1 << level) == 0
        ]  # fmt: skip
        weights -= 0.2 * sum(found) / RECORDS
    recorder.output("weights", weights)


def line_search(records: Any, recorder: Any) -> None:
    """The length of each step is the first of three that lowers the loss over the records, which has no noise: a record
    with a large loss decides, and the weights that leave each step show which it was."""
    rows, labels = unit(records), (records[1] > 0).astype(float)
    rng, weights = default_rng(recorder.seed), np.zeros(FEATURES)

    def loss(at: Array) -> float:
        return float(np.logaddexp(0.0, (1 - 2 * labels) * (rows @ at)).sum())

    for step in range(STEPS):
        slope = rows.T @ (1 / (1 + np.exp(-rows @ weights)) - labels)
        gradient = released(recorder, rng, slope)
        lengths = [length for length in (0.4, 0.1, 0.02) if loss(weights - length * gradient) < loss(weights)]
        weights = recorder.output(f"weights {step}", weights - (lengths or [0.0])[0] * gradient)


def explained(records: Any, recorder: Any) -> None:
    """The first direction of a principal component analysis, and the share of the second moment along it, which has no
    noise."""
    rows, rng = unit(records), default_rng(recorder.seed)
    direction = rng.normal(size=FEATURES)
    for _ in range(STEPS):
        direction = direction / np.linalg.norm(direction)
        direction = released(recorder, rng, rows.T @ (rows @ direction))
    direction = recorder.output("direction", direction / np.linalg.norm(direction))
    recorder.output("share", np.array([((rows @ direction) ** 2).sum() / max((rows**2).sum(), 1e-9)]))


def _audits() -> Iterator[Any]:
    kind, once = Training, SelfComposed(Gaussian(NOISE), 1)
    yield broken_twin(kind, "fresh/divided-twice", divided_twice, "noise of the mean on the sum")
    yield broken_twin(kind, "fresh/half-precision", half_precision, "noise in half precision")
    yield broken_twin(kind, "fresh/selected", selected, "features are chosen by the records")
    yield broken_twin(kind, "fresh/rand-for-randn", rand_for_randn, "uniform noise")
    yield broken_twin(kind, "fresh/antithetic", antithetic, "the noise of two steps cancels")
    yield broken_twin(kind, "fresh/largest-seen", largest_seen, "the bound is the largest norm seen", mechanism=once)
    yield broken_twin(kind, "fresh/eigenvalues-only", eigenvalues_only, "directions without noise", mechanism=once)
    yield broken_twin(kind, "fresh/occupied", occupied, "no noise on empty counts", claimed=claim(epsilon=1.0))
    yield broken_twin(kind, "fresh/two-clusters", two_clusters, "a record counts in two clusters",
                      mechanism=whole(STEPS // 2))  # fmt: skip
    yield broken_twin(kind, "fresh/steps-by-size", steps_by_size, "the number of steps follows that of records",
                      mechanism=whole(5))  # fmt: skip
    yield broken_twin(kind, "fresh/median-width", median_width, "features as wide as the median distance")
    yield from twins(kind, "fresh/passes", passes, "two passes, accounted as one", claimed=claim(mu=1 / NOISE),
                     assumptions=Assumptions(independent_noise=True, shared_generators=True))  # fmt: skip
    yield broken_twin(kind, "fresh/line-search", line_search, "step lengths by the private loss", mechanism=whole())
    yield broken_twin(kind, "fresh/explained", explained, "a share without noise leaves", mechanism=whole())


AUDITS = tuple(_audits())
