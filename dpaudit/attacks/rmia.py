"""Robust membership inference (RMIA): a record against records that no model was trained on.

The probability p(x | model) that the model gives the label of a record x, over its average p(x) over models, says how
much this model favours x. The score of x is the share of population records z with (p(x | model) / p(x)) / (p(z |
model) / p(z)) >= gamma. Comparing with z takes out what is common to all records of this model, so that one threshold
serves many models; within one model the order is that of the ratio itself. Offline, p(x) is guessed from models without
x: p(x) = ((1 + a) p_out(x) + 1 - a) / 2, since training with x moves its probability towards 1.

Scores: the share of population records that this record outdoes, in [0, 1].

Finds: records that a model remembers: membership in the training set, read off the outputs of the model alone.

Cannot find: leaks that do not show in the probability of the record's label; finer differences than one over the number
of population records.

Needs: shadow models, and records of the same kind that no model was trained on. No held-out trials of a game.

Costs: the training of the shadow models, of which it needs fewer than `lira` according to its authors; the score itself
costs little.

Competes: never in a game on two data sets: it scores the canaries of one training. `dpaudit.audit.membership` uses it.

Source: Zarifzadeh, Liu, Shokri, "Low-cost high-power membership inference attacks" (2024), section 3 and appendix B.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks._shadows import checked, group_mean
from dpaudit.records.errors import ConfigurationError, ContentError

_LOWEST = -700.0
"""Log-probabilities are cut off here, far from where float64 ends."""


def online(
    target: ArrayLike,
    shadows: ArrayLike,
    members: ArrayLike,
    population: ArrayLike,
    population_shadows: ArrayLike,
    gamma: float = 2.0,
) -> Array:
    """The share of population records that each record outdoes; (..., records) -> (..., records), in [0, 1].

    target: log-probabilities of the labels under the attacked models; shadows: under the shadow models, (models,
    records); members: who was trained with which record, booleans of that shape; population (..., records of
    the population) and population_shadows (models, records of the population): the same for records that nobody was
    trained on. gamma > 0. Each record needs a shadow model with it and one without. Raises ContentError.
    """
    values, others, inside = checked(_cut(target), _cut(shadows), members)
    probability = np.exp(others)
    usual = (group_mean(probability, inside, 1, "in") + group_mean(probability, ~inside, 1, "out")) / 2
    return _share(values - _log(usual), _population(values, population, population_shadows), gamma)


def offline(
    target: ArrayLike,
    shadows: ArrayLike,
    members: ArrayLike,
    population: ArrayLike,
    population_shadows: ArrayLike,
    gamma: float = 2.0,
    pull: float = 0.3,
) -> Array:
    """`online` without shadow models that were trained with the record.

    pull: the a of the paper, in [0, 1]; 1 takes the models without the record as they are.
    """
    if not 0 <= pull <= 1:
        raise ConfigurationError(f"pull must be in [0, 1], got {pull}")
    values, others, inside = checked(_cut(target), _cut(shadows), members)
    usual = ((1 + pull) * group_mean(np.exp(others), ~inside, 1, "out") + 1 - pull) / 2
    return _share(values - _log(usual), _population(values, population, population_shadows), gamma)


def _population(values: Array, population: ArrayLike, population_shadows: ArrayLike) -> Array:
    """Sorted log-ratios of the population records under each attacked model, (..., records of the population)."""
    known, others = np.asarray(_cut(population)), np.asarray(_cut(population_shadows))
    known, others, _ = checked(known, others, np.zeros(others.shape, dtype=bool))
    if known.shape[:-1] != values.shape[:-1] or not known.shape[-1]:
        raise ContentError(f"population must be {values.shape[:-1]} models with at least one record, got {known.shape}")
    return np.sort(known - _log(np.exp(others).mean(axis=0)), axis=-1)


def _share(ratios: Array, population: Array, gamma: float) -> Array:
    """For each log-ratio, the share of the population's that lie at least log(gamma) below."""
    if not gamma > 0:
        raise ConfigurationError(f"gamma must be above 0, got {gamma}")
    rows = zip(population.reshape(-1, population.shape[-1]), ratios.reshape(-1, ratios.shape[-1]), strict=True)
    places = [np.searchsorted(known, row - np.log(gamma), side="right") for known, row in rows]
    return np.asarray(np.reshape(places, ratios.shape) / population.shape[-1], dtype=np.float64)


def _cut(values: ArrayLike) -> Array:
    given = np.asarray(values, dtype=np.float64)
    if np.any(given > 1e-6):
        raise ContentError(f"log-probabilities must be at most 0, got {float(np.max(given))}")
    return np.asarray(np.maximum(given, _LOWEST), dtype=np.float64)


def _log(probability: Array) -> Array:
    return np.asarray(np.log(np.maximum(probability, np.exp(_LOWEST))), dtype=np.float64)
