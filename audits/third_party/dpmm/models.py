"""The models of dpmm 0.1.9 with a domain: what AIM and MST measure, and the network that PrivBayes chooses.

What: one `fit` a trial at epsilon 1. Why: the models spend one budget on choices and on noisy counts.
Worst-case neighbours: a record more in a table of zeros, which is in one cell of every count; for PrivBayes a record of
ones, which are then as dependent as two columns can be. The documentation names no relation.
The adversary sees the documented `cliques`, or the noisy counts `measures`, of which synthetic data are made.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.content.loading import load_module

SHARED = load_module(Path(__file__).with_name("_process.py"))

ZEROS = {name: np.zeros(100, dtype=int) for name in "abc"}
CONSTANT = {name: np.zeros(1_000, dtype=int) for name in "abc"}


def likelihood(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The logarithm of the likelihood ratio of noisy counts, in whichever number and with whichever noise."""
    counts, precision = outputs[:, 0], outputs[:, 1]
    return (len(data["a"]) + len(neighbour["a"])) / 2 * precision - counts


def counts(outputs: Any, data: Any, neighbour: Any) -> Any:
    """How low the three counts of columns and the two of pairs are, each group weighted by its noise."""
    return -(outputs[:, :3].mean(axis=1) + outputs[:, 3:].mean(axis=1))


def apart(outputs: Any, data: Any, neighbour: Any) -> Any:
    """Are columns a and b apart in the chosen network?"""
    return outputs[:, 0] == 0


MORE = SHARED.one_more(ZEROS, a=0, b=0, c=0)
PAIR = SHARED.one_more(CONSTANT, a=1, b=1, c=0)

AUDITS = (
    SHARED.audit(
        "aim",
        "aim",
        "AIMGM, noisy counts",
        MORE,
        likelihood,
        privacy=SHARED.model(1e-2),
        trials=SHARED.LONG,
    ),
    SHARED.audit("mst", "mst", "MSTGM, noisy counts", MORE, counts, privacy=SHARED.model(1e-2), trials=SHARED.LONG),
    SHARED.audit(
        "priv-bayes-plain",
        "network_plain",
        "PrivBayesGM, plain mutual information in nats",
        PAIR,
        apart,
        privacy=SHARED.model(1e-5),
        trials=SHARED.QUICK,
    ),
    SHARED.refuted(
        "priv-bayes-network",
        "network",
        "PrivBayesGM, network",
        PAIR,
        apart,
        "priv-bayes-plain",
        "the score of an edge is mutual information divided by the geometric mean of two entropies, while the noise of "
        "the choice is for mutual information itself: in nearly constant columns one record moves the score from 0 to "
        "1, and the chosen network tells that it is there",
        privacy=SHARED.model(1e-5),
        trials=SHARED.QUICK,
    ),
    SHARED.refuted(
        "aim-one-round",
        "aim_one_round",
        "AIMGM, rounds=1",
        MORE,
        likelihood,
        "aim",
        "every column is measured once with noise for `rounds` measurements, before any budget is looked at: with "
        "fewer rounds than columns the budget is overspent and nothing says so, 21.6 times here",
        privacy=SHARED.model(1e-2),
        trials=SHARED.USUAL,
    ),
)
