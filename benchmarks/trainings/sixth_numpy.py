"""Twelve programs in NumPy, each with a twin that has one bug: eight trainings, and four functions that release counts,
a sum and a median.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from _shared import CLASSES, FEATURES, NOISE, RECORDS, SIZE, STEPS, poisson, table, twins, whole
from _sixth_rows import STARTS, close, heavy, lopsided, lowest, priced, priced_in_public, small
from numpy.random import default_rng
from numpy_by_hand import Array, clipped, drawn, finite, released
from numpy_by_hand import gradients as softmax_gradients

from dpaudit import Assumptions, Neighbours, Outcome, Release, Training, claim

SHAPE = (FEATURES, CLASSES)
PIECE, WINDOW, KEYS, LOWEST = 16, 3, 5, 0.01

DECAY = np.tril(0.9 ** np.maximum(np.subtract.outer(np.arange(STEPS), np.arange(STEPS)), 0))
"""How much of the gradient of each step is in the sum of each step."""

MOST = (DECAY[:, : STEPS // 2] + DECAY[:, STEPS // 2 :]).max(axis=1)
"""How far a record that is in two steps moves the sum of each step."""

ONCE, TWICE = float(np.linalg.norm(DECAY[:, 0])), float(np.linalg.norm(MOST))


def known(labels: Any) -> Any:
    """Labels, of which those that are none of the classes count as the nearest one."""
    return np.clip(labels, 0, CLASSES - 1)


def gradients(weights: Array, x: Array, y: Any) -> Array:
    return finite(softmax_gradients(weights, x, known(y)))


def start(recorder: Any) -> tuple[np.random.Generator, Array]:
    return default_rng(recorder.seed), np.zeros(SHAPE)


def norms_of(own: Array) -> Array:
    return np.sqrt((own**2).sum(axis=(1, 2)))


def pieces(records: Any, recorder: Any, broken: bool) -> None:
    """The gradient of each record of a batch is clipped.

    Broken: the mean gradient of each piece of sixteen records is, as where `num_microbatches` is not the size of the
    batch. A large record turns its piece around: noise of 0.6, and epsilon is up to 10.
    """
    x, y = records
    rng, weights = start(recorder)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        own = gradients(weights, x[members], y[members])
        if broken:
            parts = [own[first : first + PIECE].mean(axis=0) for first in range(0, len(own), PIECE)]
            own = np.reshape(parts, (-1, *SHAPE))
        weights -= 0.5 * released(recorder, rng, clipped(own)) / SIZE
    recorder.output("weights", weights)


def two_passes(records: Any, recorder: Any, broken: bool) -> None:
    """Two passes over two parts of the records; decaying sums of all gradients so far have noise of their own.

    A record is in two steps, and moves the four sums by less than 2.9 together, for which the noise is; mu is 0.83.
    Broken: it is for 1.7, as of one pass. The first part moves them by 2.8: mu is 1.3, and epsilon 6.2 for 3.5.
    """
    x, y = records
    rng, weights = start(recorder)
    part, total = rng.integers(STEPS // 2, size=len(x)), np.zeros(SHAPE)
    for step in range(STEPS):
        members = np.asarray(recorder.batch(np.flatnonzero(part == step % 2)))
        total = 0.9 * total + clipped(gradients(weights, x[members], y[members]))
        noise = NOISE * (ONCE if broken else TWICE) * rng.normal(size=SHAPE)
        noisy = recorder.release("sum", total, noise, sensitivity=float(MOST[step]), noise_scale=NOISE * TWICE)
        weights -= 0.1 * noisy / SIZE
    recorder.output("weights", weights)


def mean_norm(records: Any, recorder: Any, broken: bool) -> None:
    """The clipping norm is the mean norm of the gradients of public records, and the noise goes with it.

    Broken: of those of the batch. A record that is 300 times as large makes both thirty times as large, which the size
    of 18 numbers shows: epsilon is above 20.
    """
    x, y = records
    rng, weights = start(recorder)
    public, labels = table(seed=1)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        own = gradients(weights, x[members], y[members])
        lengths = norms_of(own if broken else gradients(weights, public, labels))
        norm = float(np.clip(finite(lengths).sum() / max(len(lengths), 1), 0.01, 1e6))
        noise = NOISE * norm * rng.normal(size=SHAPE)
        noisy = recorder.release("gradient", clipped(own, norm), noise, sensitivity=norm, noise_scale=NOISE * norm)
        weights -= 0.5 * noisy / SIZE
    recorder.output("weights", weights)


def automatic(records: Any, recorder: Any, broken: bool) -> None:
    """Gradients are divided by their norm and 0.01 (automatic clipping), so that none is longer than 1.

    Broken: the root of the sum of squares is forgotten. A gradient of norm 0.1 becomes one of norm 5: noise of 0.24,
    and epsilon is up to 52.
    """
    x, y = records
    rng, weights = start(recorder)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        own = gradients(weights, x[members], y[members])
        squares = (own**2).sum(axis=(1, 2), keepdims=True)
        total = (own / ((squares if broken else np.sqrt(squares)) + 0.01)).sum(axis=0)
        weights -= 0.2 * released(recorder, rng, total) / SIZE
    recorder.output("weights", weights)


def target_encoding(records: Any, recorder: Any, broken: bool) -> None:
    """Least squares for a price; a group stands for itself as the mean price of the group in a public table.

    Broken: as that in the records (target encoding). A price that is 300 times as large moves it by 20, and turns the
    gradients of all others of its group: epsilon is above 15.
    """
    x, groups = finite(records[0]), known(records[1])
    rng, weights = default_rng(recorder.seed), np.zeros(FEATURES)
    seen, kinds = (x, groups) if broken else priced_in_public()
    member = np.eye(CLASSES)[kinds]
    means = member.T @ seen[:, -1] / np.maximum(member.sum(axis=0), 1.0)
    rows, prices = np.column_stack([x[:, :-1], means[groups]]), x[:, -1]
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        errors = rows[members] @ weights - prices[members]
        weights -= 0.5 * released(recorder, rng, clipped(errors[:, None] * rows[members])) / SIZE
    recorder.output("weights", weights)


def tuned(records: Any, recorder: Any, broken: bool) -> None:
    """Of three public models the one that is right most often is trained further, on all records; epsilon is 9.2.

    How often each is right is one release with noise. Broken: it has none, as where a setting is looked for before the
    private training. One record decides which model it is, which the weights show: epsilon is infinite.
    """
    x, y = records
    rng = default_rng(recorder.seed)
    right = ((finite(x) @ STARTS).argmax(axis=2) == y).sum(axis=1).astype(float)
    if not broken:
        norm = math.sqrt(len(STARTS))
        right = recorder.release("right", right, NOISE * norm * rng.normal(size=len(STARTS)), sensitivity=norm,
                                 noise_scale=NOISE * norm)  # fmt: skip
    weights = STARTS[int(np.argmax(right))].copy()
    for _ in range(STEPS):
        weights -= 0.5 * released(recorder, rng, clipped(gradients(weights, x, y))) / RECORDS
    recorder.output("weights", weights)


def windows(records: Any, recorder: Any, broken: bool) -> None:
    """Each third step of a series is foretold from the two before; epsilon is 8.0 if a step becomes an empty one.

    Windows with an empty step do not count, and none has a step with another in common. Broken: one window starts at
    every step, and a step is in three of them. Noise of 0.4, and epsilon is up to 33, 32 here.
    """
    series, rng = finite(records), default_rng(recorder.seed)
    weights = np.zeros((2 * series.shape[1], series.shape[1]))
    firsts = np.arange(0, len(series) - WINDOW + 1, 1 if broken else WINDOW)
    there = (series != 0.0).any(axis=1)
    firsts = firsts[there[firsts] & there[firsts + 1] & there[firsts + 2]]
    before, after = np.hstack([series[firsts], series[firsts + 1]]), series[firsts + 2]
    for _ in range(STEPS):
        own = before[:, :, None] * (before @ weights - after)[:, None, :]
        weights -= 0.1 * released(recorder, rng, clipped(own)) / RECORDS
    recorder.output("weights", weights)


def boosted(records: Any, recorder: Any, broken: bool) -> None:
    """Four trees with one public split each are fitted to what is left of targets, by noisy sums; epsilon is 8.0.

    What is left is cut to [-1, 1] for each tree. Broken: only the targets are. Where a prediction goes the other way
    there is 2 left: mu is 3.0 instead of 1.7, and epsilon 16.
    """
    x, rng = finite(records[0]), default_rng(recorder.seed)
    targets, said, trees = np.clip(x[:, -1], -1.0, 1.0), np.zeros(len(x)), []
    for tree in range(STEPS):
        left = targets - said if broken else np.clip(targets - said, -1.0, 1.0)
        leaf = np.stack([x[:, tree] <= 0.0, x[:, tree] > 0.0])
        trees.append(released(recorder, rng, (leaf * left).sum(axis=1)) / (RECORDS / 2))
        said = said + trees[-1] @ leaf
    recorder.output("trees", np.stack(trees))


def by_key(keys: Any, seed: int, broken: bool) -> Array:
    """Counts of five keys with Laplace noise, where each record has one. Epsilon is 1.

    Broken: a key that no record has is in no group, and gets no noise. Its count is 0, and is not once a record has it:
    epsilon is infinite.
    """
    counts = np.bincount(np.clip(keys, 0, KEYS - 1), minlength=KEYS).astype(float)
    noise = default_rng(seed).laplace(size=KEYS)
    return counts + (np.where(counts > 0, noise, 0.0) if broken else noise)


def median(values: Any, seed: int, broken: bool) -> Array:
    """The median of values in [0, 10] with Laplace noise of scale 10. Epsilon is 1.

    Broken: of the larger distance to the next values (local sensitivity). Between equal values it is 0.01, and one
    value less makes it 6: epsilon is above 6.
    """
    ordered = np.sort(np.clip(finite(values), 0.0, 10.0))
    ordered = ordered if len(ordered) else np.array([5.0])
    place = (len(ordered) - 1) // 2
    around = np.diff(ordered[max(place - 1, 0) : place + 2])
    scale = float(max(around.max(initial=0.0), LOWEST)) if broken else 10.0
    return np.array([ordered[place] + default_rng(seed).laplace(scale=scale)])


def geometric(values: Any, seed: int, broken: bool) -> Array:
    """The number of positive values, plus the difference of two geometric numbers. Epsilon is 1.

    Broken: plus one geometric number from 0 on, with a random sign. 0 has either sign, and comes twice as often as it
    should: epsilon is 1.69.
    """
    rng, size = default_rng(seed), float((finite(values) > 0).sum())
    share = 1.0 - math.exp(-1.0)
    one, other = rng.geometric(share, size=2)
    noise = (one - 1) * rng.choice([-1, 1]) if broken else one - other
    return np.array([size + float(noise)])


def bounds(ages: Any, seed: int, broken: bool) -> Array:
    """The sum of ages in [0, 100], with Laplace noise of scale 100. Epsilon is 1.

    Broken: bounds that nobody gave are the least and the largest age. The only one who is 90 makes the scale 90 for 5:
    epsilon is above 10.
    """
    rows = finite(ages)
    low, high = (rows.min(), rows.max()) if broken and len(rows) else (0.0, 100.0)
    scale = max(abs(low), abs(high), LOWEST)
    return np.array([np.clip(rows, low, high).sum() + default_rng(seed).laplace(scale=scale)])


def both(name: str, release: Callable[..., Array], bug: str, pair: Any) -> Iterator[Any]:
    """The audits of release(data, seed, broken) without its bug and with it."""
    said = claim(epsilon=1.0)
    yield Release(name, lambda data, seed: release(data, seed, False), pair=pair, claim=said)
    yield Release(f"{name}-broken", lambda data, seed: release(data, seed, True), pair=pair, claim=said, title=bug,
                  expects=Outcome.REFUTED, effect=bug)  # fmt: skip


def _functions() -> Iterator[Any]:
    keys = np.array([0, 1, 1, 2, 0, 3, 2, 4])
    yield from both("sixth/np-by-key", by_key, "keys that do not occur have no noise", (keys, keys[:-1]))
    values = np.repeat([2.0, 8.0], [4, 7])
    yield from both("sixth/np-median", median, "noise for the local sensitivity", (values, values[:-1]))
    values = np.linspace(-1.0, 2.0, 12)
    yield from both("sixth/np-geometric", geometric, "0 has two signs", (values, values[:-1]))
    ages = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 90.0])
    yield from both("sixth/np-bounds", bounds, "bounds are those of the records", (ages, ages[:-1]))


def _audits() -> Iterator[Any]:
    for name, train, bug, records, mechanism in (
        ("pieces", pieces, "pieces of a batch are clipped", lopsided(), poisson()),
        ("mean-norm", mean_norm, "the norm is the mean of the batch", heavy(), poisson()),
        ("automatic", automatic, "the root of squares is forgotten", small(), poisson()),
        ("target-encoding", target_encoding, "groups are encoded by the records", priced(), poisson()),
        ("tuned", tuned, "a model is chosen without noise", close(), whole(STEPS + 1)),
        ("boosted", boosted, "what is left is not cut", lowest(), whole()),
    ):
        yield from twins(Training, f"sixth/np-{name}", train, bug, records=records, mechanism=mechanism)
    yield from twins(Training, "sixth/np-two-passes", two_passes, "noise for one pass of two", records=table(),
                     claimed=claim(mu=1 / NOISE), assumptions=Assumptions(random_batches=True))  # fmt: skip
    series = 1.0 + 0.2 * default_rng(63).normal(size=(RECORDS, 3))
    without = np.where((np.arange(RECORDS) == RECORDS // 2)[:, None], 0.0, series)
    yield from twins(
        Training,
        "sixth/np-windows",
        windows,
        "windows overlap",
        pair=(series, without),
        mechanism=whole(),
        neighbours=Neighbours.ZERO_OUT,
        assumptions=Assumptions(ordered=True),
    )
    yield from _functions()


AUDITS = tuple(_audits())
