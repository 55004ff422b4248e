"""The binary tree with the node set that the paper prints: a planted bug that the auditor must find.

What: seven noisy prefix sums; a prefix is the sum of its nodes, of which only those with odd j up to T/2^k - 1 exist.
Why: that leaves out the nodes 4, 6 and 7, which an implementation takes without noise: prefix 4 is exact. The node set
that works ends at T/2^k, as the paper's own example for prefix 7 has it.
Worst-case neighbours: the first item is 1, and zero in the neighbour.
The adversary sees every prefix sum and knows the other items.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.factorisations import printed_nodes, tree_factors
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

ITEMS, EXACT = 7, 4
NOISE = math.sqrt(3)
PRINTED = [node.number - 1 for node in printed_nodes(ITEMS)]

TARGET = Target(
    name="known-bad/srgd-printed-nodes",
    title="The binary tree with the printed node set",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), section 2.2, the node set as printed; lemma 5.6",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    effect="prefix sums whose nodes are missing are released without noise: no privacy at all",
    repair="srgd/prefix-sums",
    bug=PlantedBug(
        "Choquette-Choo, Ganesh, Thakurta (2024), https://arxiv.org/abs/2406.02716, section 2.2 as printed",
        Tier.GAME,
        100,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Items, shape (7,); the first one is 1, and zero in the neighbour."""
    data = rng.uniform(-1, 1, size=ITEMS)
    neighbour = data.copy()
    data[0], neighbour[0] = 1.0, 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Prefix sums with the noise of the nodes that are printed, shape (trials, 7)."""
    left, _ = tree_factors(ITEMS)
    noise = trials.stream.normals(trials.numbers, 0, ITEMS)[:, PRINTED]  # the bug
    return np.asarray(np.cumsum(data) + NOISE * (noise[:, None, :] * left[:, PRINTED]).sum(axis=2))


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer prefix 4 is to that of the data set."""
    seen = outputs[:, EXACT - 1]
    return np.asarray(np.abs(seen - neighbour[:EXACT].sum()) - np.abs(seen - data[:EXACT].sum()))
