"""Twelve programs in NumPy, each with a twin that has one bug: seven trainings and statistics with noise, and five
functions: randomised response, choices, votes and a perturbed minimum.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from _fifth_tables import MISSING, PUBLISHED, ROWS, SHAPE, SKETCH, around, crowd, holes, rare, stretched
from _shared import CLASSES, FEATURES, RATE, RECORDS, SIZE, STEPS, poisson, table, twins
from numpy.random import default_rng
from numpy_by_hand import Array, clipped, drawn, finite, released
from numpy_by_hand import gradients as softmax_gradients

from dpaudit import Neighbours, Outcome, Release, Training, claim

KEPT, TREES, TEACHERS, ITEMS = 4, 5, 8, 4


def known(labels: Any) -> Any:
    """Labels, of which those that are none of the classes count as the nearest one."""
    return np.clip(labels, 0, CLASSES - 1)


def gradients(weights: Array, x: Array, y: Any) -> Array:
    return softmax_gradients(weights, x, known(y))


def start(recorder: Any) -> tuple[np.random.Generator, Array]:
    return default_rng(recorder.seed), np.zeros(SHAPE)


def users(records: Any, recorder: Any, broken: bool) -> None:
    """A record is a user with five rows. Their gradients are averaged for each user, and the mean is clipped.

    Broken: the gradient of each row is clipped. A user moves the sum by five norms, noise of 0.24: epsilon is up to 52.
    """
    x, y = records
    rng, weights = start(recorder)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        rows, labels = x[members].reshape(-1, FEATURES), np.repeat(y[members], ROWS)
        own = gradients(weights, rows, labels)
        if not broken:
            own = own.reshape(len(members), ROWS, *SHAPE).mean(axis=1)
        weights -= 0.5 * released(recorder, rng, clipped(own)) / SIZE
    recorder.output("weights", weights)


def error_feedback(records: Any, recorder: Any, broken: bool) -> None:
    """Only the four largest entries of what is released move the weights; the others are kept and join the next ones.

    Broken: they are kept as they were before their noise, and join the next sum before it has noise. A record that
    was in a batch once is in most of the later sums too: epsilon is above 9.
    """
    x, y = records
    rng, weights = start(recorder)
    kept = np.zeros(SHAPE)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        total = clipped(gradients(weights, x[members], y[members]))
        total = total + kept if broken else total
        noisy = released(recorder, rng, total)
        joined = noisy if broken else noisy + kept
        large = np.abs(joined) >= np.sort(np.abs(joined), axis=None)[-KEPT]
        weights -= 0.5 * np.where(large, joined, 0.0) / SIZE
        kept = np.where(large, 0.0, total if broken else joined)
    recorder.output("weights", weights)


def imputed(records: Any, recorder: Any, broken: bool) -> None:
    """Features that are missing count as 0.

    Broken: as the mean of the batch. A record that is 300 times as large moves it, and with it half of the features
    of all others of the batch, whose gradients turn: a step moves by several norms, and epsilon is above 15.
    """
    x, y = finite(records[0]), records[1]
    rng, weights = start(recorder)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        rows, there = x[members], x[members] != MISSING
        instead = (rows * there).sum(axis=0) / np.maximum(there.sum(axis=0), 1) if broken else np.zeros(FEATURES)
        total = clipped(gradients(weights, np.where(there, rows, instead), y[members]))
        weights -= 0.5 * released(recorder, rng, total) / SIZE
    recorder.output("weights", weights)


def balanced(records: Any, recorder: Any, broken: bool) -> None:
    """Each record is in a batch with probability 1/4.

    Broken: with one that is 10/3 over the number of records of its class, so that classes are equally frequent. The
    only record of a class is in every batch: epsilon is 8.0.
    """
    x, y = records
    rng, weights = start(recorder)
    counts = np.bincount(known(y), minlength=CLASSES)
    rates = SIZE / (CLASSES * counts[known(y)]) if broken else RATE
    for _ in range(STEPS):
        members = np.asarray(recorder.batch(np.flatnonzero(rng.random(len(x)) < rates)))
        weights -= 0.5 * released(recorder, rng, clipped(gradients(weights, x[members], y[members]))) / SIZE
    recorder.output("weights", weights)


def sketched(records: Any, recorder: Any, broken: bool) -> None:
    """Gradients are projected to six dimensions by a public matrix, and clipped there; the noise is six numbers.

    Broken: they are clipped before they are projected, which keeps norms in the mean only. That of the first record
    becomes 1.8: epsilon is above 8.
    """
    x, y = records
    rng, weights = start(recorder)
    for _ in range(STEPS):
        members = drawn(rng, recorder, records)
        own = gradients(weights, x[members], y[members]).reshape(-1, FEATURES * CLASSES)
        total = SKETCH @ clipped(own) if broken else clipped(own @ SKETCH.T)
        weights -= 0.5 * (released(recorder, rng, total) @ SKETCH).reshape(SHAPE) / SIZE
    recorder.output("weights", weights)


def forest(records: Any, recorder: Any, broken: bool) -> None:
    """Five trees with public splits and noisy counts of classes in their leaves; each record goes to one tree.

    Epsilon is 1. Broken: each tree has a bootstrap sample. A record is in five trees, and may be there many times;
    as the only one of its class, it makes epsilon above 8.
    """
    x, y, rng, size = finite(records[0]), known(records[1]), default_rng(recorder.seed), len(records[0])
    public = default_rng(4)
    features, edges = public.integers(FEATURES, size=(TREES, 2)), public.normal(size=(TREES, 2))
    leaves = ((x[:, features] > edges) * np.array([1, 2])).sum(axis=2)
    if broken:
        times = np.stack([np.bincount(rng.integers(max(size, 1), size=size), minlength=size) for _ in range(TREES)])
    else:
        times = np.eye(TREES)[rng.integers(TREES, size=size)].T
    counts = np.zeros((TREES, 4, CLASSES))
    for tree in range(TREES):
        np.add.at(counts[tree], (leaves[:, tree], y), times[tree])
    noisy = recorder.release("counts", counts, rng.laplace(size=counts.shape), sensitivity=1.0, norm="l1",
                             noise_scale=math.sqrt(2.0), law="laplace")  # fmt: skip
    recorder.output("classes", noisy.argmax(axis=2).astype(float))


def decontaminated(records: Any, recorder: Any, broken: bool) -> None:
    """Records that are near to a record of a public benchmark, within 1 in each feature, are left out.

    Broken: those that are near to an earlier record, as duplicates. The first one is near to all others, of which
    none is left: each batch loses ten records, and epsilon is above 60.
    """
    x, y = finite(records[0]), records[1]
    rng, weights = start(recorder)
    away = np.abs(x[:, None] - (x if broken else PUBLISHED)[None]).max(axis=2)
    near = np.tril(away <= 1.0, -1) if broken else away <= 1.0
    left = ~near.any(axis=1)
    for _ in range(STEPS):
        members = np.asarray(recorder.batch(np.flatnonzero((rng.random(len(x)) < RATE) & left)))
        weights -= 0.5 * released(recorder, rng, clipped(gradients(weights, x[members], y[members]))) / SIZE
    recorder.output("weights", weights)


def randomised(labels: Any, seed: int, broken: bool) -> Array:
    """Each label is kept with probability e / (e + 2), or becomes one of the two others. Epsilon is 1.

    Broken: or becomes one of all three. It stays with probability 0.72, and is one of the others with 0.14 each:
    epsilon is 1.63.
    """
    rng, size = default_rng(seed), len(labels)
    keep = rng.random(size) < math.e / (math.e + CLASSES - 1)
    moved = (known(labels) + rng.integers(0 if broken else 1, CLASSES, size=size)) % CLASSES
    return np.where(keep, known(labels), moved).astype(float)


def permute_and_flip(votes: Any, seed: int, broken: bool) -> Array:
    """Four items in a random order; one is taken with probability e to half of what it has less than the best.

    This is permute-and-flip (McKenna and Sheldon, 2020) with epsilon 1. Broken: in the order of their numbers. Of 6,
    6, 3 and 2 votes the first is always taken; of 5, 6, 3 and 2 the second is with probability 0.39: epsilon is
    infinite.
    """
    rng, counts = default_rng(seed), np.bincount(np.clip(votes, 0, ITEMS - 1), minlength=ITEMS)
    order = np.arange(ITEMS) if broken else rng.permutation(ITEMS)
    coins = rng.random(ITEMS)
    return np.array([float(next(i for i in order if coins[i] <= math.exp(0.5 * (counts[i] - counts.max()))))])


def positive(values: Any, seed: int, broken: bool) -> Array:
    """The number of positive values with Laplace noise; what is below 0 becomes 0. Epsilon is 1.

    Broken: noise is drawn again until the sum is not below 0. That happens half of the time for 0, and 0.18 for 1.
    Near 0 the densities are 1 and 0.23: epsilon is 1.49.
    """
    rng, count = default_rng(seed), float((finite(values) > 0).sum())
    noisy = count + rng.laplace()
    while broken and noisy < 0.0:
        noisy = count + rng.laplace()
    return np.array([max(noisy, 0.0)])


def teachers(values: Any, seed: int, broken: bool) -> Array:
    """Eight teachers vote whether the mean of their values is positive; both counts have Laplace noise of 2.

    A value goes to a teacher by its checksum, moves one vote, and so two counts; epsilon is 1. Broken: by its place,
    so that each teacher has as many. One value less moves all others on by one, and seven votes change: epsilon is 7.
    """
    values = np.clip(finite(values), -100.0, 100.0)
    places = [zlib.crc32(value.tobytes()) % TEACHERS for value in values]
    parts = [values[[place == k for place in places]] for k in range(TEACHERS)]
    if broken:
        parts = np.array_split(values, TEACHERS)
    votes = sum(part.sum() > 0.0 for part in parts)
    return np.array([TEACHERS - votes, votes]) + default_rng(seed).laplace(scale=2.0, size=2)


def minimum(records: Any, seed: int, broken: bool) -> Array:
    """Weights and intercept of logistic regression with penalty 0.1, and Gaussian noise on both (output perturbation).

    Rows with their 1 have norm at most 1, and replacing one moves the minimum by 2 / (40 * 0.1) = 0.5; mu is 1.
    Broken: the intercept has no penalty, as in scikit-learn. If all records have one label, it grows as long as the
    minimum is looked for: mu is 6.
    """
    rows, signs = np.hstack([finite(records[0]), np.ones((len(records[0]), 1))]), np.where(records[1] > 0, 1.0, -1.0)
    rows = rows / np.maximum(1.0, np.linalg.norm(rows, axis=1))[:, None]
    weights, penalty = np.zeros(rows.shape[1]), 0.1 * np.ones(rows.shape[1])
    penalty[-1] = 0.0 if broken else 0.1
    rate = 1.0 / (0.25 * max(len(rows) / RECORDS, 1.0) + 0.1)  # one over the smoothness
    for _ in range(300):
        chances = 1.0 / (1.0 + np.exp(signs * (rows @ weights)))
        weights = weights - rate * (penalty * weights - (chances * signs) @ rows / RECORDS)
    return np.asarray(weights + 0.5 * default_rng(seed).normal(size=len(weights)))


def both(name: str, release: Callable[..., Array], bug: str, pair: Any, claimed: Any) -> Iterator[Any]:
    """The audits of release(data, seed, broken) without its bug and with it."""
    yield Release(name, lambda data, seed: release(data, seed, False), pair=pair, claim=claimed)
    yield Release(f"{name}-broken", lambda data, seed: release(data, seed, True), pair=pair, claim=claimed, title=bug,
                  expects=Outcome.REFUTED, effect=bug)  # fmt: skip


def _functions() -> Iterator[Any]:
    one, other = claim(epsilon=1.0), claim(epsilon=1.0, neighbours=Neighbours.REPLACE_ONE)
    labels = np.array([0, 1, 2, 1, 0, 2])
    yield from both("fifth/np-randomised", randomised, "a moved label may come back",
                    (labels, np.append(1, labels[1:])), other)  # fmt: skip
    votes = np.repeat(np.arange(ITEMS), [6, 6, 3, 2])
    yield from both("fifth/np-flip", permute_and_flip, "items are not permuted", (votes, votes[1:]), one)
    values = -np.arange(1.0, 13.0)
    yield from both("fifth/np-redrawn", positive, "noise is drawn again below 0", (values, np.append(values, 3.0)), one)
    values = np.arange(16.0) * np.where(np.arange(16) % 2 == 0, -1.0, 1.0)
    yield from both("fifth/np-teachers", teachers, "records go to teachers by their place", (values, values[1:]), one)
    x, y = 0.1 * table()[0], np.ones(RECORDS, dtype=np.int64)
    yield from both("fifth/np-minimum", minimum, "the intercept has no penalty", ((x, y), (x, np.append(0, y[1:]))),
                    claim(mu=1.0, neighbours=Neighbours.REPLACE_ONE))  # fmt: skip


def _audits() -> Iterator[Any]:
    for name, train, bug, records in (
        ("users", users, "rows of users are clipped", crowd()),
        ("error-feedback", error_feedback, "what is kept has no noise", table()),
        ("imputed", imputed, "the mean of the batch is what is missing", holes()),
        ("balanced", balanced, "rates are of classes", rare()),
        ("sketched", sketched, "gradients are clipped before they are projected", stretched()),
        ("decontaminated", decontaminated, "records near to others are left out", around()),
    ):
        yield from twins(Training, f"fifth/np-{name}", train, bug, records=records, mechanism=poisson())
    yield from twins(Training, "fifth/np-forest", forest, "trees have bootstrap samples", records=rare(),
                     claimed=claim(epsilon=1.0))  # fmt: skip
    yield from _functions()


AUDITS = tuple(_audits())
