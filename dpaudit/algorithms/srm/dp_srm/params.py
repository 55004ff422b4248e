"""Parameters of `dp_srm`, checked as they are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.stepwise import Step, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.problems.domains import clip
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Count, NotNegative, Numbers, OneOf, Positive, Range, check_fields
from dpaudit.records.validation import check_count
from dpaudit.sampling.batches import Batches

STEP_RULES = ("printed", "constant")


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: theta^0, d finite numbers; steps: T; first_batch: b0, batch: b, from 1 to n = records;
    momentum: gamma in [0, 1] (the paper has gamma > 0; 0 is the recursion of SPIDER); accuracy: zeta, divisor: n0,
    smoothness: L, lipschitz: G, all above 0; first_noise: sigma_0, noise: sigma, standard deviations at least 0;
    gradient_clip: C1, difference_clip: C2, both above 0 or both None; step_rule: "printed" or "constant";
    step_size: eta above 0 of the constant rule, None for the printed one. Raises ConfigurationError.
    """

    start: Numbers
    steps: Count
    records: Count
    first_batch: int
    batch: int
    momentum: Annotated[float, Range(least=0.0, most=1.0)]
    accuracy: Positive
    divisor: Positive
    smoothness: Positive
    lipschitz: Positive
    first_noise: NotNegative
    noise: NotNegative
    gradient_clip: Positive | None = None
    difference_clip: Positive | None = None
    step_rule: Annotated[str, OneOf(STEP_RULES)] = "printed"
    step_size: Positive | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        check_count("first_batch", self.first_batch, 1, self.records)
        check_count("batch", self.batch, 1, self.records)
        if (self.step_size is None) is (self.step_rule == "constant"):
            raise ConfigurationError(
                f"step_size is for the constant step_rule alone, got {self.step_size} with {self.step_rule!r}"
            )
        if (self.gradient_clip is None) is not (self.difference_clip is None):
            raise ConfigurationError("gradient_clip and difference_clip must be both given or both None")

    @property
    def longest(self) -> float:
        """zeta/(n0 L): no step of the printed rule is longer."""
        return self.accuracy / (self.divisor * self.smoothness)

    @property
    def clips(self) -> tuple[float, float] | None:
        """(C1, C2), or None without clipping."""
        if self.gradient_clip is None or self.difference_clip is None:
            return None
        return self.gradient_clip, self.difference_clip

    def batches_at(self, step: int) -> Batches:
        """b0 different records at step 0, b after."""
        size = self.batch if step else self.first_batch
        return Batches("all records" if size == self.records else "without replacement", self.records, size)

    def noise_at(self, step: int) -> float:
        """sigma_0 at step 0, sigma after."""
        return self.noise if step else self.first_noise


class Draws(NamedTuple):
    """noise: standard normals, (T, d); batches: record numbers of every step, b0 or b; output: j."""

    noise: Array
    batches: tuple[Integers, ...]
    output: int


class State(NamedTuple):
    """theta^{t-1}, theta^t, v_p^{t-1} and the drawn iterate, (d,) each."""

    previous: Vector
    theta: Vector
    fed_back: Vector
    drawn: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t as printed.

    Branches: whether the printed rate is 1/(2 n0 L); how many gradients and how many differences were clipped.
    """
    before = stepwise.unpack(State, state)
    previous, theta, fed_back, drawn = before
    ways: list[tuple[int, Vector]] = []
    if params.clips is not None:
        v, ways = _clipped_estimate(params, problem, before, t, draw, params.clips)
    else:
        v = problem.record_gradients(theta, draw.batches).mean(axis=0)
        if t:
            v = v + (1 - params.momentum) * (fed_back - problem.record_gradients(previous, draw.batches).mean(axis=0))
    v_p = v + params.noise_at(t) * draw.noise
    eta: Vector = params.step_size
    if params.step_rule == "printed":
        # zeta/(n0 L |v|) and 1/(2 n0 L) meet at |v| = 2 zeta; written so, their minimum never divides by 0.
        length = np.linalg.norm(v_p)
        eta = params.longest / np.maximum(length, 2 * params.accuracy)
        ways = [(int(length <= 2 * params.accuracy), length - 2 * params.accuracy), *ways]
    after = State(theta, theta - eta * v_p, v_p, theta if t == draw.output else drawn)
    return Step(stepwise.pack(after), v_p, tuple(ways))


def _clipped_estimate(
    params: Params, problem: SomeProblem, before: State, t: int, draw: Draws, clips: tuple[float, float]
) -> tuple[Vector, list[tuple[int, Vector]]]:
    """v^t of the clipped version, and how many gradients and differences are longer than C1 and C2."""
    previous, theta, fed_back, _ = before
    gradient_clip, difference_clip = clips
    gradients = problem.record_gradients(theta, draw.batches)
    if not t:
        return clip(gradients, gradient_clip).mean(axis=0), [_longer(gradients, gradient_clip), (0, None)]
    changes = gradients - problem.record_gradients(previous, draw.batches)
    keep = 1 - params.momentum
    mean = (params.momentum * clip(gradients, gradient_clip) + keep * clip(changes, difference_clip)).mean(axis=0)
    return keep * fed_back + mean, [_longer(gradients, gradient_clip), _longer(changes, difference_clip)]


def _longer(vectors: Vector, bound: float) -> tuple[int, Vector]:
    """How many rows are longer than `bound`, and by how much the row does that is nearest to it."""
    margins = np.linalg.norm(vectors, axis=-1) - bound
    return int((margins > 0).sum()), margins[int(np.argmin(np.abs(margins)))]
