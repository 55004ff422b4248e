"""Cases in which the three forms of `skgd` are compared."""

from __future__ import annotations

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.rbcd import skgd
from dpaudit.algorithms.rbcd.dp_skgd import cases
from dpaudit.algorithms.rbcd.skgd import Params


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """The samplers and losses of DP-SkGD."""
    start = tuple(0.3 * j - 0.2 for j in range(4))
    return stepwise.cases(
        skgd,
        seed,
        (
            (name, problem, Params(start, (0.05,) * 4, 9, sampler, problem.records))
            for name, problem, sampler, _ in cases.listed(seed)
        ),
    )
