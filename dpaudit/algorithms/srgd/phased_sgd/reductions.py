"""What `phased_sgd` equals for some parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import dp_sgd, phased_sgd
from dpaudit.algorithms.srgd.noisy_sums.instances import (
    SMALL,
    STRIP,
    TOLERANCE,
    WHY,
    logistic_instance,
    run_reference,
    stated,
)
from dpaudit.problems.domains import EVERYTHING
from dpaudit.sampling.batches import Batches


def reductions(seed: int) -> tuple[Reduction, ...]:
    """A phase is DP-SGD without noise on its records."""
    says = f"w_1 without its noise is the mean iterate of one pass over the first floor(n/2) records ({WHY})"
    source = "Feldman, Koren, Talwar (2020), phased SGD"
    return (stated("B23-phase", "a phase is a pass of SGD", says, source, partial(_phase, seed)),)


def _phase(seed: int) -> tuple[Pair, ...]:
    problem, pairs = logistic_instance(seed), []
    first = replace(problem, features=problem.features[:6], labels=problem.labels[:6])
    for domain in (EVERYTHING, SMALL, STRIP):
        params = phased_sgd.Params((0.3, -0.2, 0.1), 13, 1.0, 0.0, 3.0, 3.0, domain, "after each step")
        eta = (params.step_sizes[0],) * 6
        other = dp_sgd.Params(params.start, eta, Batches("in order", 6, 1), 0.0, 3.0, None, domain, "mean")
        left, right = run_reference(phased_sgd, params, problem, seed), run_reference(dp_sgd, other, first, seed)
        pairs.append(Pair(domain.kind, left.transcript[0], right.final, TOLERANCE))
    return tuple(pairs)
