"""What the reductions of this paper's algorithms share: two instances, runs on shared noise, words."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.stepwise import SomeParams, StepwiseAlgorithm, Trajectory
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses
from dpaudit.problems.domains import ball, box
from dpaudit.problems.losses import Problem

S = TypeVar("S", bound=NamedTuple)
TOLERANCE = 1e-12
WHY = "tolerance 1e-12: both sides round sums of their own over at most seven steps"
EXACT = "equal bits"
PAPER = "Choquette-Choo, Ganesh, Thakurta (2024)"
SMALL, STRIP = ball(0.5, (0.1, 0.0, 0.0)), box((-0.3,) * 3, (0.2,) * 3)


def stated(name: str, title: str, statement: str, source: str, pairs: Callable[[], tuple[Pair, ...]]) -> Reduction:
    """The reduction srgd/`name`."""
    return Reduction(f"srgd/{name}", title, statement, source, pairs)


def logistic_instance(seed: int) -> Problem:
    """Logistic losses of 13 records of 3 coordinates."""
    rng = np.random.default_rng([seed, 0x5D])
    return losses.logistic(rng.normal(size=(13, 3)), np.where(rng.random(13) < 0.5, -1.0, 1.0))


def linear_instance(seed: int) -> Problem:
    """Linear losses of 13 records of 3 coordinates."""
    return losses.linear(np.random.default_rng([seed, 0x11]).normal(size=(13, 3)))


def stream(seed: int) -> Stream:
    """The noise that both sides share."""
    return Stream(seed, "reduce/srgd")


def run_reference(
    module: StepwiseAlgorithm, params: SomeParams, problem: Problem, seed: int, trial: int = 0
) -> Trajectory:
    """One trial of the reference of `module`."""
    return module.reference(params, problem, module.draw_inputs(params, stream(seed), trial))


def parts(run: Trajectory, kind: type[S]) -> S:
    """The named parts of all states, (T + 1, d) each."""
    return stepwise.unpack(kind, run.states)
