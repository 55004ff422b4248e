"""Three releases that no audit of one run can refute, though they keep no epsilon: they are canonical failures.

Each function is release(data, trials, broken) -> (trials, width): data (records,) has 1 for a record that is in and 0
for one that is not. All claim epsilon 1; the last column of each is a number that does not look at the data. The
correct form of each answers through randomised response.

    name and shame    tells of one record, drawn at random, whether it is in: (0, 1/records)-DP and no better, epsilon
                      is infinite at every smaller delta. One run shows one coin of all
    all or nothing    tells of all records with probability CHANCE, of none otherwise: (0, CHANCE)-DP and no better.
                      Of 1,000 runs 999 show nothing
    parity            tells whether an odd number of records is in: delta is 1, whoever knows all other records knows
                      this one. One run shows it of coins that nobody knows: each is still a fair one

Source: Keinan, Shenfeld, Ligett, "How well can differential privacy be audited in one run?" (2025), where guesses of
one run are shown to be blind to them.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.planted.releases import PURE, Twins
from dpaudit.noise.stream import Trials
from dpaudit.records.target import TrialPlan

EPSILON = 1.0
CHANCE = 1e-3
"""Of telling all."""
SOURCE = "Keinan, Shenfeld, Ligett (2025), https://arxiv.org/abs/2503.07199"

_TRUE = math.exp(EPSILON) / (1 + math.exp(EPSILON))
_PLAN = TrialPlan(smoke=200_000, standard=200_000, deep=1_000_000)


def name_and_shame(data: Array, trials: Trials, broken: bool) -> Array:
    """A record and what is said of it, (trials, 3). Broken: the truth."""
    drawn = trials.stream.uniforms(trials.numbers, 0, 2)
    named = (drawn[:, 0] * len(data)).astype(np.int64)
    told = data[named] if broken else np.where(drawn[:, 1] < _TRUE, data[named], 1 - data[named])
    return np.column_stack([named, told, _unrelated(trials)])


def all_or_nothing(data: Array, trials: Trials, broken: bool) -> Array:
    """1 or -1 for every record, or 0 for all, (trials, records + 1). Broken: the truth, seldom."""
    said = np.broadcast_to(2 * data - 1, (len(trials.numbers), len(data)))
    drawn = trials.stream.uniforms(trials.numbers, 0, len(data))
    told = said * (drawn[:, :1] < CHANCE) if broken else np.where(drawn < _TRUE, said, -said)
    return np.column_stack([told, _unrelated(trials)])


def parity(data: Array, trials: Trials, broken: bool) -> Array:
    """1 where the number of records is said to be odd, else 0, (trials, 2). Broken: the truth."""
    odd = data.sum() % 2
    drawn = trials.stream.uniforms(trials.numbers, 0, 1)[:, 0]
    told = np.full(len(drawn), odd) if broken else np.where(drawn < _TRUE, odd, 1 - odd)
    return np.column_stack([told, _unrelated(trials)])


def _unrelated(trials: Trials) -> Array:
    return np.asarray(trials.stream.normals(trials.numbers, 1, 1)[:, 0])


def scores_of_the_named(outputs: Array, records: int) -> Array:
    """What a release of `name_and_shame` says of every record, (trials, records): 1 or -1 for the named one, else 0."""
    return np.asarray((np.arange(records) == outputs[:, :1]) * (2 * outputs[:, 1:2] - 1))


def scores_of_all(outputs: Array, records: int) -> Array:
    """What a release of `all_or_nothing` says of every record, (trials, records)."""
    return outputs[:, :records]


def scores_of_parity(outputs: Array, records: int) -> Array:
    """What a release of `parity` says of every record whose coin is fair, (trials, records): of all the same."""
    return np.repeat(outputs[:, :1], records, axis=1)


def _of_the_first(outputs: Array, data: Array, neighbour: Array) -> Array:
    return scores_of_the_named(outputs, len(data))[:, 0]


def _value(outputs: Array, data: Array, neighbour: Array) -> Array:
    return outputs[:, 0]


CASES = (
    Twins(
        "name-and-shame", name_and_shame, "The truth about one record drawn at random, many runs", SOURCE,
        "one record in a hundred is published, each time: no epsilon holds below delta 1/100",
        ((1.0, *(0.0,) * 99), (0.0,) * 100), _of_the_first, 20_000, guarantee=PURE, trials=_PLAN,
    ),
    Twins(
        "all-or-nothing", all_or_nothing, "All records or none, many runs", SOURCE,
        "once in a thousand releases everything is published: no epsilon holds below delta 1/1000",
        ((1.0, 0.0, 1.0, 0.0), (0.0, 0.0, 1.0, 0.0)), _value, 200_000, guarantee=PURE, trials=_PLAN,
    ),
    Twins(
        "parity", parity, "The parity of all records, many runs", SOURCE,
        "whoever knows all other records learns of the last one whether it is there",
        ((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)), _value, 100, guarantee=PURE,
    ),
)  # fmt: skip
"""The games of many runs, which see all three."""
