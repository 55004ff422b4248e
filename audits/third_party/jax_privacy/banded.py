"""Correlated noise of jax-privacy 2.0.0: execution plans for banded matrix factorisation.

What: `BandMFExecutionPlanConfig` with two bands over four steps: its batches (each record in every second step, the
half by a random partition), its clipped gradients, its noise C^-1 z. With strategies (1, 1/2), and (1/2, 1/4) whose
columns the plan is asked to normalise.
Why: its `dp_event` is of two Gaussian releases at the given noise multiplier, sqrt(2), which makes it 1-GDP. The
deviation of z is the noise multiplier times the sensitivity times the norm of the strategy. Columns that are normalised
have norm 1: for a strategy of norm 0.56 the plan then adds 0.56 of the noise. `inverse_as_streaming_matrix` demands a
strategy of norm 1; the plan neither demands nor checks it. Known as pull request 310 (2026-07-13), not merged by
2026-08-20. Norms above 1 get too much noise; `column_normalize=False`, the default, is not affected.
Worst-case neighbours: a record along the one direction that the other record lacks, or the empty record in its place.
The adversary sees every noisy gradient along that direction and takes the correlation out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.content.loading import load_module
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

quiet = load_module(Path(__file__).with_name("_quiet.py")).quiet

STEPS, BANDS, BLOCK = 4, 2, 1_024
NOISE_MULTIPLIER = math.sqrt(STEPS / BANDS)


@dataclass(frozen=True)
class Banded:
    """One plan with this strategy. The adversary sees every noisy gradient."""

    TARGET: Target
    strategy: tuple[float, ...]
    column_normalize: bool

    def neighbours(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Two records in two directions; the first one, or the empty record in its place."""
        import jax_privacy  # noqa: F401  here, since its import draws from NumPy's global generator

        return np.array([[5.0, 0.0], [0.0, 5.0]]), np.array([[0.0, 0.0], [0.0, 5.0]])

    def run(self, data: Array, trials: Trials) -> Array:
        """The noisy gradients along the first direction, (trials, steps)."""
        seeds, setting = trials.seeds(), (self.strategy, self.column_normalize)
        sampler, train = plan(*setting).batch_selection_strategy, training(*setting)
        places = np.stack([np.stack(list(sampler.batch_iterator(2, rng=int(seed)))) for seed in seeds])
        words = seeds.view(np.uint64)
        keys = np.stack([words >> np.uint64(32), words & np.uint64(0xFFFFFFFF)], axis=1).astype(np.uint32)
        rows = np.resize(np.arange(len(seeds)), math.ceil(len(seeds) / BLOCK) * BLOCK).reshape(-1, BLOCK)
        blocks = [np.asarray(train(data[places[chosen, :, 0]], keys[chosen])) for chosen in rows]
        return np.concatenate(blocks)[: len(seeds)].astype(np.float64)

    def score(self, outputs: Array, data: Array, neighbour: Array) -> Array:
        """The likelihood ratio once C has taken the correlation out, on average over both halves of the partition."""
        encoder = self.encoder()
        deviation = NOISE_MULTIPLIER * np.linalg.norm(encoder, axis=0).max()
        halves = [encoder @ (np.arange(STEPS) % BANDS == half) for half in range(BANDS)]
        gains = [(outputs @ encoder.T @ mean - mean @ mean / 2) / deviation**2 for mean in halves]
        return np.asarray(np.logaddexp(*gains))

    def encoder(self) -> Array:
        """The strategy matrix C, which the noise is the inverse of."""
        places = np.subtract.outer(np.arange(STEPS), np.arange(STEPS))
        padded = np.append(self.strategy, np.zeros(STEPS))
        matrix = np.where(places >= 0, padded[np.abs(places)], 0.0)
        return matrix / np.linalg.norm(matrix, axis=0) if self.column_normalize else matrix


@cache
def plan(strategy: tuple[float, ...], column_normalize: bool) -> Any:
    """The plan under audit."""
    from jax_privacy.experimental.execution_plan import BandMFExecutionPlanConfig

    config = BandMFExecutionPlanConfig(
        iterations=STEPS,
        strategy=np.array(strategy),
        epsilon=None,
        delta=None,
        noise_multiplier=NOISE_MULTIPLIER,
        column_normalize=column_normalize,
        noise_seed=0,
    )
    return config.plan


@cache
def training(strategy: tuple[float, ...], column_normalize: bool) -> Callable[[Any, Any], Any]:
    """(records of each step (trials, steps, 2), keys (trials, 2)) -> releases (trials, steps), compiled once."""
    import jax
    import jax.numpy as jnp

    used = plan(strategy, column_normalize)
    gradient = used.clipped_grad(lambda weights, record: weights @ record, keep_batch_dim=False)
    transform = used.noise_addition_transform

    def train(batches: Any, key: Any) -> Any:
        weights, released = jnp.zeros(2), []
        _, memory = transform.init(weights)
        state = (jax.random.wrap_key_data(key), memory)
        for step in range(STEPS):
            noisy, state = transform.update(gradient(weights, batches[step][None]), state)
            released.append(noisy[0])
        return jnp.stack(released)

    return quiet(jax.jit(jax.vmap(train)))


def target(kind: str, title: str, effect: str, **options: Any) -> Target:
    """The target jax-privacy/<kind>."""
    return Target(
        name=f"jax-privacy/{kind}",
        title=f"jax-privacy, {title}",
        view=View.GRADIENTS,
        claim=claim(
            mu=1.0,
            neighbours=Neighbours.ZERO_OUT,
            source="jax-privacy 2.0.0, BandMFExecutionPlanConfig: its dp_event is of two Gaussian releases",
        ),
        trials=TrialPlan(smoke=4_000, standard=40_000, deep=400_000),
        needs=(("jax_privacy", "third-party"),),
        claimed_mechanism=SelfComposed(Gaussian(NOISE_MULTIPLIER), STEPS // BANDS),
        effect=effect,
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
        **options,
    )


AUDITS = (
    Banded(
        target("banded-noise", "noise with two bands", "models leak more about single records than the plan reports"),
        (1.0, 0.5),
        column_normalize=False,
    ),
    Banded(
        target(
            "banded-noise-normalised",
            "noise with two bands, normalised columns of a short strategy",
            "a plan with column_normalize and a strategy of norm 0.56 adds 0.56 of the noise that it accounts for",
            expects=Outcome.REFUTED,
            repair="jax-privacy/banded-noise",
        ),
        (0.5, 0.25),
        column_normalize=True,
    ),
)
