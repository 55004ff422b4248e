"""What `dp_ftrl` equals for some parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import dp_ftrl, dp_sgd, prefix_noise
from dpaudit.algorithms.srgd.noisy_sums.instances import (
    EXACT,
    PAPER,
    SMALL,
    STRIP,
    TOLERANCE,
    WHY,
    linear_instance,
    logistic_instance,
    parts,
    run_reference,
    stated,
)
from dpaudit.problems.domains import EVERYTHING
from dpaudit.sampling.batches import Batches


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Independent noise is DP-SGD; one pass over linear losses is noisy prefix sums; the readings of the projection."""
    made = (
        ("ALG-6", "independent noise: DP-SGD", f"C = I is DP-SGD, projecting every step ({EXACT})", _sgd),
        ("ALG-2", "linear losses: noisy prefix sums", f"the y_t add up to the noisy prefix sums ({WHY})", _sums),
        ("projection", "without a domain both readings are one", f"lazy or every step ({EXACT})", _projections),
    )
    source = f"{PAPER}, section 2.2"
    return tuple(stated(n, title, says, source, partial(pairs, seed)) for n, title, says, pairs in made)


def _params(**changes: Any) -> dp_ftrl.Params:
    eta, pairs = (0.5, 0.4, 0.3, 0.2, 0.1, 0.1), Batches("in order", 13, 2)
    return replace(dp_ftrl.Params((0.3, -0.2, 0.1), eta, pairs, 0.4, 3.0), **changes)


def _sgd(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for clip_norm, domain in ((None, EVERYTHING), (0.6, SMALL), (None, STRIP)):
        params = _params(factorisation="independent noise", clip_norm=clip_norm, domain=domain, projection="every step")
        other = dp_sgd.Params(params.start, params.step_sizes, params.batches, 0.4, 3.0, clip_norm, domain)
        left, right = (
            run_reference(dp_ftrl, params, logistic_instance(seed), seed),
            run_reference(dp_sgd, other, logistic_instance(seed), seed),
        )
        pairs += [
            Pair(f"points, {domain.kind}", parts(left, dp_ftrl.State).w, parts(right, dp_sgd.State).w),
            Pair(f"noisy gradients, {domain.kind}", left.transcript, right.transcript),
        ]
    return tuple(pairs)


def _sums(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for name in ("binary tree", "square root", "noise per prefix"):
        params = _params(factorisation=name)
        sums = prefix_noise.Params(params.start, 6, params.batches, 0.4, 3.0, None, name)
        left, right = (
            run_reference(dp_ftrl, params, linear_instance(seed), seed),
            run_reference(prefix_noise, sums, linear_instance(seed), seed),
        )
        pairs.append(Pair(name, np.cumsum(left.transcript, axis=0), right.transcript, TOLERANCE))
    return tuple(pairs)


def _projections(seed: int) -> tuple[Pair, ...]:
    left, right = (
        run_reference(dp_ftrl, _params(projection=one), logistic_instance(seed), seed) for one in dp_ftrl.PROJECTIONS
    )
    return (Pair("states", left.states, right.states),)
