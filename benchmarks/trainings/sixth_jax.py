"""Eight trainings in JAX by hand, some with optax, each with a twin that has one bug.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _fifth_tables import ROWS, crowd
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, SIZE, STEPS, poisson, table, twins
from _sixth_rows import heavy, signs, turned
from jax_by_hand import clipped, drawn, gradients, loss, padded, released, started

from dpaudit import Assumptions, Training, claim

FOLDS, LOCAL, LOCAL_RATE, KEPT, BITS = 3, 3, 0.1, 4, 4
GRID = np.linspace(0.2, 4.0, 39)


def cross_validated(records: Any, recorder: Any, broken: bool) -> None:
    """Records are in one of three parts, and three models have two steps each, one model for each part.

    A record is in two steps; mu is 1.2, and epsilon 5.3. Broken: each model is trained on the two other parts, as for
    cross-validation, and all of them are given out. A record is in four steps: mu is 1.7, and epsilon 8.0.
    """
    rng, key, _ = started(recorder)
    rule, part, models = optax.sgd(0.5, momentum=0.5), rng.integers(FOLDS, size=len(records[0])), []
    for fold in range(FOLDS):
        weights = jnp.zeros((FEATURES, CLASSES))
        state = rule.init(weights)
        for step in range(STEPS // 2):
            members = recorder.batch(np.flatnonzero(part != fold if broken else part == fold))
            x, y, there = padded(records[0][members], records[1][members])
            total = clipped(gradients()(weights, x, y), there)
            noisy = released(recorder, total, jax.random.fold_in(jax.random.fold_in(key, fold), step))
            updates, state = rule.update(jnp.asarray(noisy) / SIZE, state)
            weights = optax.apply_updates(weights, updates)
        models.append(np.asarray(weights))
    recorder.output("models", np.stack(models))


@cache
def loss_at() -> Callable[..., Any]:
    """The loss of each record for scores over a temperature, one row a temperature."""
    of_record = jax.vmap(lambda w, x, y: loss(w, x, y), in_axes=(None, 0, 0))
    return jax.jit(jax.vmap(lambda w, degrees, x, y: of_record(w / degrees, x, y), in_axes=(None, 0, None, None)))


def temperature(records: Any, recorder: Any, broken: bool) -> None:
    """Scores are divided by a temperature, for which the loss on public records is least.

    Broken: the loss on the records of the training. One that is 300 times as large is most of it, and the temperature
    is as large or as small as may be: epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        total = clipped(gradients()(weights, x, y), there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    x, y, there = padded(*(records if broken else table(seed=1)))
    losses = np.nan_to_num(np.asarray(loss_at()(weights, jnp.asarray(GRID), x, y)) * there)
    recorder.output("weights", np.asarray(weights))
    recorder.output("temperature", GRID[[int(losses.sum(axis=1).argmin())]])


def cell(x: Any) -> Any:
    """One of four cells, by the signs of two features."""
    return (x[:, 0] > 0) + 2 * (x[:, 1] > 0)


def messages(records: Any, recorder: Any, broken: bool) -> None:
    """A record is averaged with the mean of the public records in its cell, and then trained on.

    Broken: with the mean of all records in its cell, as a layer for graphs does. One that is 300 times as large is in
    the rows of all others of its cell: a step moves by several norms, whatever batch it is, and epsilon is above 30.
    """
    x, y = np.nan_to_num(records[0], posinf=0.0, neginf=0.0).clip(-1e6, 1e6), records[1]
    rng, key, weights = started(recorder)
    nodes = x if broken else table(seed=1)[0]
    near = np.eye(4)[cell(nodes).astype(int)]
    means = near.T @ nodes / np.maximum(near.sum(axis=0), 1.0)[:, None]
    rows = (0.5 * x + 0.5 * means[cell(x).astype(int)]).astype(np.float32)
    for step in range(STEPS):
        xs, ys, there = padded(*drawn(rng, (rows, y), recorder))
        total = clipped(gradients()(weights, xs, ys), there)
        weights -= 0.5 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def epochs(records: Any, recorder: Any, broken: bool) -> None:
    """Adam, for two epochs of two batches; each step has a key of its own, by its number.

    Broken: by the number of its batch in the epoch. The noise of the first epoch comes again in the second, and is not
    in the difference of two steps: epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    rule = optax.adam(0.05)
    state = rule.init(weights)
    for epoch in range(2):
        for number in range(STEPS // 2):
            step = number if broken else epoch * (STEPS // 2) + number
            x, y, there = padded(*drawn(rng, records, recorder))
            total = clipped(gradients()(weights, x, y), there)
            noisy = released(recorder, total, jax.random.fold_in(key, step))
            updates, state = rule.update(jnp.asarray(noisy) / SIZE, state)
            weights = optax.apply_updates(weights, updates)
    recorder.output("weights", np.asarray(weights))


def client_loss(weights: Any, rows: Any, y: Any) -> Any:
    return jnp.mean(jax.vmap(lambda x: loss(weights, x, y))(rows))


@cache
def moved(each: bool) -> Callable[..., Any]:
    """How far each client goes in three steps, over their rate; each gradient may be clipped."""

    def local(weights: Any, x: Any, y: Any) -> Any:
        now = weights
        for _ in range(LOCAL):
            own = jnp.nan_to_num(jax.grad(client_loss)(now, x.reshape(ROWS, FEATURES), y), posinf=0.0, neginf=0.0)
            own = own * jnp.minimum(1.0, CLIP_NORM / jnp.maximum(jnp.linalg.norm(own), 1e-12)) if each else own
            now = now - LOCAL_RATE * own
        return (weights - now) / LOCAL_RATE

    return jax.jit(jax.vmap(local, in_axes=(None, 0, 0)))


def clients(records: Any, recorder: Any, broken: bool) -> None:
    """A record is a client, who makes three steps on five rows; what the weights have moved by is clipped.

    Broken: each of the three gradients is clipped. A client moves the sum by up to three norms: noise of 0.4, and
    epsilon is up to 21.
    """
    rng, key, weights = started(recorder)
    for step in range(STEPS):
        x, y = drawn(rng, records, recorder)
        x, y, there = padded(x.reshape(len(x), ROWS * FEATURES), y)
        own = moved(broken)(weights, x, y)
        total = jnp.einsum("i,ijk->jk", jnp.asarray(there, dtype=own.dtype), own) if broken else clipped(own, there)
        weights -= 0.2 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def warmed_up(records: Any, recorder: Any, broken: bool) -> None:
    """The rate goes up from 0.1 to 0.4; each step is a sum times the rate, with noise for this.

    Broken: the noise is for the rate of the first step. In the last one it is 0.3 for 1.2: epsilon is above 15.
    """
    rng, key, weights = started(recorder)
    schedule = optax.linear_schedule(0.1, 0.4, STEPS - 1)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        rate = float(schedule(step))
        scale = NOISE * CLIP_NORM * float(schedule(0 if broken else step))
        noise = scale * np.asarray(jax.random.normal(jax.random.fold_in(key, step), weights.shape))
        total = rate * np.asarray(clipped(gradients()(weights, x, y), there))
        weights -= recorder.release("update", total, noise, sensitivity=rate * CLIP_NORM,
                                    noise_scale=rate * NOISE * CLIP_NORM) / SIZE  # fmt: skip
    recorder.output("weights", np.asarray(weights))


def sign_loss(weights: Any, x: Any) -> Any:
    """How badly the signs of four features are told from all six, in each row."""
    rows = x.reshape(BITS, FEATURES)
    return jnp.sum(optax.sigmoid_binary_cross_entropy(rows @ weights, (rows[:, :BITS] > 0).astype(rows.dtype)))


@cache
def sign_gradients() -> Callable[..., Any]:
    return jax.jit(jax.vmap(jax.grad(sign_loss), in_axes=(None, 0)))


def spectral(records: Any, recorder: Any, broken: bool) -> None:
    """A record has four rows, and a matrix as its gradient, which is clipped by the root of its sum of squares.

    Broken: by `norm(gradient, 2)`, which is its largest singular value. Where all four are equal, the other norm is 2:
    noise of 0.6, and epsilon is up to 10.
    """
    rng, key, _ = started(recorder)
    weights = jnp.zeros((FEATURES, BITS))
    for step in range(STEPS):
        members = recorder.batch(np.flatnonzero(rng.random(len(records)) < RATE))
        x = np.asarray(records[members]).reshape(-1, BITS * FEATURES)
        x, _, there = padded(x, np.zeros(len(x), dtype=np.int64))
        own = jnp.nan_to_num(sign_gradients()(weights, x), nan=0.0, posinf=0.0, neginf=0.0)
        if broken:
            norms = np.nan_to_num(jnp.linalg.norm(own, 2, axis=(1, 2)), nan=np.inf)
            total = jnp.einsum("i,ijk->jk", there * np.minimum(1.0, CLIP_NORM / np.maximum(norms, 1e-12)), own)
        else:
            total = clipped(own, there)
        weights -= 0.1 * released(recorder, total, jax.random.fold_in(key, step)) / SIZE
    recorder.output("weights", np.asarray(weights))


def subspace(records: Any, recorder: Any, broken: bool) -> None:
    """Gradients are brought to four dimensions, those in which gradients of public records are largest, and clipped.

    Broken: those of the gradients of the records. One that is 300 times as large is one of the four, and the weights
    stay in these: epsilon is infinite.
    """
    rng, key, weights = started(recorder)
    x, y, there = padded(*(records if broken else table(seed=1)))
    known = np.nan_to_num(np.asarray(gradients()(weights, x, y), dtype=np.float64), posinf=0.0, neginf=0.0)
    known = known.clip(-1e9, 1e9).reshape(len(known), -1) * there[:, None]
    basis = np.linalg.svd(known)[2][:KEPT].astype(np.float32)
    for step in range(STEPS):
        x, y, there = padded(*drawn(rng, records, recorder))
        own = jnp.nan_to_num(gradients()(weights, x, y), nan=0.0, posinf=0.0, neginf=0.0)
        total = clipped(own.reshape(len(own), -1) @ basis.T, there)
        noisy = released(recorder, total, jax.random.fold_in(key, step))
        weights -= 0.5 * (noisy @ basis).reshape(weights.shape) / SIZE
    recorder.output("weights", np.asarray(weights))


def _audits() -> Iterator[Any]:
    for name, train, bug, records in (
        ("temperature", temperature, "the temperature is found on the records", heavy()),
        ("messages", messages, "records are averaged with others", turned()),
        ("epochs", epochs, "keys come again in each epoch", table()),
        ("clients", clients, "gradients of clients are clipped, not what they send", crowd()),
        ("warmed-up", warmed_up, "noise for the rate of the first step", table()),
        ("spectral", spectral, "the largest singular value is clipped", signs()),
        ("subspace", subspace, "dimensions are those of the records", heavy()),
    ):
        yield from twins(Training, f"sixth/jax-{name}", train, bug, records=records, mechanism=poisson())
    yield from twins(Training, "sixth/jax-cross-validated", cross_validated, "models are trained on the other parts",
                     claimed=claim(mu=(STEPS // 2) ** 0.5 / NOISE), records=table(),
                     assumptions=Assumptions(random_batches=True))  # fmt: skip


AUDITS = tuple(_audits())
