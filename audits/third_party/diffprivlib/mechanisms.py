"""The mechanisms of diffprivlib 0.6.6, each at the parameters that its documentation explains.

What: one call of `randomise` a trial, through the public API, in a process of its own. Why: every tool and model of the
library rests on these; here only the values are looked at, `floating_point.py` looks at their last bits.
Worst-case neighbours: two values, or utilities, as far apart as the stated sensitivity.
The adversary sees the released value. The generator is NumPy's `RandomState`, seeded from the trial, in the place of
the operating system's entropy that the library takes by default. `Bingham` draws from another law than it documents
(its acceptance probability divides by a power where it must multiply, as in OpenDP); its target finds no violation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.adapters.command import Command
from dpaudit.content.loading import load_module
from dpaudit.records.mechanism import Laplace
from dpaudit.records.privacy import Neighbours

SHARED = load_module(Path(__file__).with_name("_process.py"))

VALUES = ({"value": np.array(0.0)}, {"value": np.array(1.0)})
UTILITIES = ({"utility": np.array([1.0, 0.0, 0.0])}, {"utility": np.array([0.0, 1.0, 1.0])})


def first(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The first candidate has the largest utility on the data set."""
    return outputs == 0


def along(outputs: Any, data: Any, neighbour: Any) -> Any:
    """The squared first coordinate of a sampled direction."""
    return outputs[:, 0]


def _audit(
    release: str,
    what: str,
    epsilon: float = 1.0,
    delta: float = 0.0,
    pair: Any = VALUES,
    score: Any = SHARED.low,
    **options: Any,
) -> Command:
    privacy = SHARED.promise(f"mechanisms.{what}", epsilon, delta, Neighbours.ADD_OR_REMOVE)
    options = {"trials": SHARED.MECHANISMS, **options}
    name = release.replace("_", "-")
    return SHARED.audit(name, release, pair, score, f"mechanisms.{what}", privacy, **options)


AUDITS = (
    _audit("laplace", "Laplace", truth=Laplace(1.0)),
    _audit("laplace_delta", "Laplace", delta=0.1),
    _audit("laplace_truncated", "LaplaceTruncated", truth=Laplace(1.0)),
    _audit("laplace_folded", "LaplaceFolded"),
    _audit("laplace_bounded_domain", "LaplaceBoundedDomain"),
    _audit("laplace_bounded_noise", "LaplaceBoundedNoise", delta=0.1),
    _audit("gaussian", "Gaussian", delta=0.05),
    _audit("gaussian_analytic", "GaussianAnalytic", delta=0.05),
    _audit("gaussian_discrete", "GaussianDiscrete", delta=0.05),
    _audit("geometric", "Geometric"),
    _audit("geometric_truncated", "GeometricTruncated"),
    _audit("geometric_folded", "GeometricFolded"),
    _audit("staircase", "Staircase"),
    _audit("uniform", "Uniform", epsilon=0.0, delta=0.1),
    _audit("binary", "Binary"),
    _audit("exponential", "Exponential", pair=UTILITIES, score=first, check_pair=False),
    _audit("permute_and_flip", "PermuteAndFlip", pair=UTILITIES, score=first, check_pair=False),
    _audit(
        "exponential_categorical",
        "ExponentialCategorical",
        score=first,
        pair=({"value": np.array(0)}, {"value": np.array(2)}),
    ),
    _audit(
        "exponential_hierarchical",
        "ExponentialHierarchical",
        score=first,
        pair=({"value": np.array(0)}, {"value": np.array(2)}),
    ),
    _audit(
        "bingham",
        "Bingham",
        epsilon=4.0,
        score=along,
        trials=SHARED.MODELS,
        pair=({"matrix": np.diag([1.0, 0.0])}, {"matrix": np.diag([0.0, 1.0])}),
        check_pair=False,
    ),
)
