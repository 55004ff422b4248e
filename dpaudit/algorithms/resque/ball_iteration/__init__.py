"""Ball iteration: move to the minimiser of the smoothed or plain empirical risk in a small ball, and again from there.

Source: baseline B-BALL of Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", which names the scheme only (x <- argmin of F over B_x(r), about R/r calls). Filled in:
the minimiser in the ball is sought by J projected (sub)gradient steps from its centre, and is their mean or their last
point; how many calls and steps suffice is in `prescribed`.

Each inner step asks one batch in one round, every record of it at its own point perturbed by N(0, rho^2 I); rho = 0
asks them all at the iterate. The perturbations smooth, they are no privacy noise, and nothing is promised.

Shapes: d coordinates, n records, K balls, J inner steps, T = K J. A transcript has shape (T, d): the mean gradients;
the output x_K has shape (d,). A batch of trials adds a first axis. A state has 3 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.resque.ball_iteration import kernels
from dpaudit.algorithms.resque.perturbed_batches import form
from dpaudit.algorithms.resque.perturbed_batches.form import Draws, Rounds, mean_gradient
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.domains import clip, torch_clip
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.ranges import Count, NotNegative, Numbers, OneOf, Positive, PositiveNumbers, check_fields
from dpaudit.records.validation import check_number
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches

OUTPUTS = ("mean", "last")

ALGORITHM = Algorithm(
    name="resque/B-BALL",
    title="ball iteration: the minimiser in a small ball, repeated",
    source="Carmon et al. (2023), ReSQue, tables 1 and 2; the inner minimiser is filled in",
    pseudo_code=(
        "repeat K times: y_0 = x; for j < J: g = the mean over a batch of grad f^i(y_j + rho z_i); "
        "y_{j+1} = Pi_{B_x(r)}(y_j - eta_j g); x = the mean of y_0, ..., y_{J-1}, or y_J; return x"
    ),
    options=(
        ("inner_output", "mean", "last: y_J, for smooth losses"),
        ("smoothing", "0.0", "rho > 0: the records of a batch are asked at perturbed points"),
        ("batches.kind", "all records", "without replacement, with replacement, in order"),
    ),
    released="every mean gradient, and with them all iterates; nothing is private",
    cost="K J b gradients in K J rounds, b of the batch",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: x_0, d finite numbers; iterations: K; radius: r above 0 of the balls; step_sizes: eta_j above 0, one an inner
    step; batches: how they are drawn, of a fixed size; smoothing: rho, at least 0; inner_output: "mean" of the inner
    iterates before each step, or "last". Raises ConfigurationError.
    """

    start: Numbers
    iterations: Count
    radius: Positive
    step_sizes: PositiveNumbers
    batches: Batches
    smoothing: NotNegative = 0.0
    inner_output: Annotated[str, OneOf(OUTPUTS)] = "mean"

    def __post_init__(self) -> None:
        check_fields(self)
        form.check_batches(self.batches, self.steps)

    @property
    def steps(self) -> int:
        """T = K J."""
        return self.iterations * len(self.step_sizes)


def prescribed(
    start: tuple[float, ...], records: int, lipschitz: float, distance: float, radius: float, error: float
) -> Params:
    """Balls and inner steps on the plain empirical risk that bring it within `error` of its minimum. Filled in.

    lipschitz: L of F; distance: R >= |x_0 - x*|; radius: r, at most R; error: eps > 0. With exact minimisers x_k comes
    no further from x*, and by convexity a ball shrinks the gap by 1 - r/R, because x_k + (r/R)(x* - x_k) is in it. So
    K = ceil((R/r) log(2 L R/eps)), and inner errors of eps r/(2 R) add up to eps/2; the mean of J = ceil((2 L R/eps)^2)
    subgradient steps of r/(L sqrt J) has them. That |x_k - x*| <= R also with inner errors is assumed. J does not
    depend on r: without a better inner solver, small balls save nothing. Raises ConfigurationError.
    """
    for name, value in (("lipschitz", lipschitz), ("distance", distance), ("radius", radius), ("error", error)):
        check_number(name, value, above=0.0)
    check_number("radius", radius, most=distance)
    relative = 2 * lipschitz * distance / error
    iterations = max(1, math.ceil(distance / radius * math.log(max(relative, 1.0))))
    inner = max(1, math.ceil(relative**2))
    step_size = radius / (lipschitz * math.sqrt(inner))
    return Params(start, iterations, radius, (step_size,) * inner, Batches("all records", records, records))


class State(NamedTuple):
    """The centre x, the inner iterate y, and the sum of the inner iterates, (d,) each."""

    x: Vector
    y: Vector
    total: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Inner step t mod J of ball t div J; branch: whether it left the ball before the projection."""
    x, y, total = stepwise.unpack(State, state)
    inner, count = t % len(params.step_sizes), len(params.step_sizes)
    g = mean_gradient(problem, y, params.smoothing, draw.noise, draw.batches)
    offset = (y - params.step_sizes[inner] * g) - x
    length = np.linalg.norm(offset)
    branches = ((int(length > params.radius), length - params.radius),)
    total, y = total + y, x + clip(offset, params.radius)
    if inner < count - 1:
        return Step(stepwise.pack(State(x, y, total)), g, branches)
    x = total / count if params.inner_output == "mean" else y
    return Step(stepwise.pack(State(x, x, np.zeros_like(x))), g, branches)


class _Torch(form.Torch[Params]):
    """One inner step of all trials."""

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, (x, y, total) = self.params, stepwise.unpack(State, state)
        inner, count = step % len(params.step_sizes), len(params.step_sizes)
        g = self.mean_gradient(y, params.smoothing, step, trials)
        offset = (y - params.step_sizes[inner] * g) - x
        outside = offset.square().sum(dim=1, keepdim=True).sqrt() > params.radius
        total, y = total + y, x + torch_clip(offset, params.radius)
        if inner == count - 1:
            x = total / count if params.inner_output == "mean" else y
            y, total = x, self.torch.zeros_like(x)
        return self.pack(State(x, y, total)), g, outside.to(self.torch.int64)


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    kind, averaged = np.dtype(dtype).type, params.inner_output == "mean"
    numbers = (np.array(params.step_sizes, dtype=dtype), kind(params.radius), kind(params.smoothing), averaged)
    keys, batches = stream.keys("noise", "batches"), batch_kernels.packed(params.batches)
    return keys, numbers, batches, loss_kernels.arrays(problem, dtype)


noise_shape, draw_inputs, calls, promise = form.noise_shape, form.draw_inputs, form.calls, form.promise
STEPWISE = stepwise.Stepwise(
    step,
    start=lambda params: np.concatenate([params.start, params.start, np.zeros(len(params.start))]),
    final=lambda params, state: stepwise.unpack(State, state).x,
    columns=lambda params: len(params.start),
    sizes=lambda params: (params.batches.records, len(params.start)),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
    counted=Rounds,
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

NOT_RECORDED = "adds no privacy noise and promises nothing"
