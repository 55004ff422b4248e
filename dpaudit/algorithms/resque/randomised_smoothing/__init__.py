"""Accelerated stochastic gradients on a smoothed risk, with mini-batches: few rounds of queries for rough losses.

Source: Duchi, Bartlett, Wainwright (2012), "Randomized Smoothing for Stochastic Optimization", the accelerated method
of section 2 with Gaussian perturbations; baseline B-DBW12 of Carmon et al. (2023), which prints rho = eps/(L sqrt d),
depth d^(1/4)/eps and d^(1/4)/eps + eps^-2 queries for L = R = 1. Written down without the text of the first at hand, so
its schedules are filled in: `prescribed` has them, `gap_bound` evaluates what is proved for any schedule.

Each step asks one batch in one round, every record of it at its own point perturbed by N(0, rho_t^2 I). The
perturbations smooth, they are no privacy noise, and nothing is promised.

Shapes: d coordinates, n records, T steps. A transcript has shape (T, d): the mean gradients. The output x_T has
shape (d,). A batch of trials adds a first axis. A state has 3 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.resque.perturbed_batches import form
from dpaudit.algorithms.resque.perturbed_batches.form import Draws, Rounds, mean_gradient
from dpaudit.algorithms.resque.randomised_smoothing import kernels
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.domains import EVERYTHING, Domain, ball
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Numbers, Range, check_fields
from dpaudit.records.validation import check_choice, check_number, check_vector
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches

SCHEDULES = ("fixed radius", "shrinking radius")

ALGORITHM = Algorithm(
    name="resque/B-DBW12",
    title="randomised smoothing with accelerated stochastic gradients and mini-batches",
    source="Duchi, Bartlett, Wainwright (2012), section 2; Carmon et al. (2023), table 1; schedules filled in",
    pseudo_code=(
        "x = z = x_0, theta_0 = 1; for t < T: y = (1 - theta_t) x + theta_t z; g_t = the mean over a batch of "
        "grad f^i(y + rho_t z_i); z = argmin over the domain of sum_{s <= t} <g_s, .>/theta_s + B_{t+1} |. - x_0|^2/2; "
        "x = (1 - theta_t) x + theta_t z; theta_{t+1} = 2/(1 + sqrt(1 + 4/theta_t^2)); return x"
    ),
    options=(
        ("schedule", "fixed radius", "shrinking radius: rho_t = theta_t R d^(-1/4), that of 2012"),
        ("batches.kind", "with replacement", "all records, without replacement, in order"),
    ),
    released="every mean gradient, and with them all iterates; nothing is private",
    cost="T b gradients in T rounds, b of the batch",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: x_0, d finite numbers; radii: rho_0, ..., rho_{T-1}, at least 0, never growing; strengths: B_1, ..., B_T
    above 0, never falling; batches: how they are drawn, of a fixed size; domain: where z is projected. Raises
    ConfigurationError.
    """

    start: Numbers
    radii: Annotated[tuple[float, ...], Range(least=0.0)]
    strengths: tuple[float, ...]
    batches: Batches
    domain: Domain = EVERYTHING

    def __post_init__(self) -> None:
        check_fields(self)
        check_vector("strengths", self.strengths, self.steps, above=0.0)
        if np.any(np.diff(self.radii) > 0):
            raise ConfigurationError(f"radii must never grow, got {self.radii}; the smoothed risk must not increase")
        if np.any(np.diff(self.strengths) < 0):
            raise ConfigurationError(f"strengths must never fall, got {self.strengths}; raise the later ones")
        form.check_batches(self.batches, self.steps)
        self.domain.check_dimension(len(self.start))

    @property
    def steps(self) -> int:
        """T."""
        return len(self.radii)


@cache
def momentum(steps: int) -> tuple[float, ...]:
    """theta_0, ..., theta_T: 1, then 1/theta_{t+1}^2 - 1/theta_{t+1} = 1/theta_t^2; at most 2/(t + 2)."""
    theta = [1.0]
    for _ in range(steps):
        theta.append(2 / (1 + math.sqrt(1 + 4 / theta[-1] ** 2)))
    return tuple(theta)


def prescribed(
    start: tuple[float, ...],
    records: int,
    lipschitz: float,
    distance: float,
    error: float,
    schedule: str = "fixed radius",
) -> Params:
    """Steps, batches with replacement, radii and strengths for a target. Constants filled in.

    lipschitz: L of every record's loss; distance: R >= |x_0 - x*|, also the radius of the domain; error: eps > 0;
    schedule: "fixed radius", rho = eps/(L sqrt d), T = ceil(2 L R d^(1/4)/eps), b = ceil(16 (L R/eps)^2/T): the risk is
    within 2 eps of its minimum in expectation, eps of it for the smoothing; or "shrinking radius", that of 2012,
    rho_t = theta_t R d^(-1/4), T = ceil(20 L R d^(1/4)/eps), b = ceil(100 (L R/eps)^2/T): within eps. Both have
    B_t = L/rho_t + L sqrt((t + 1)/b)/(R theta_t). Raises ConfigurationError.
    """
    for name, value in (("lipschitz", lipschitz), ("distance", distance), ("error", error)):
        check_number(name, value, above=0.0)
    check_choice("schedule", schedule, SCHEDULES)
    fixed, d, relative = schedule == "fixed radius", len(start), lipschitz * distance / error
    steps = math.ceil((2 if fixed else 20) * relative * d**0.25)
    size = math.ceil((16 if fixed else 100) * relative**2 / steps)
    theta = momentum(steps)
    radii = [error / (lipschitz * math.sqrt(d)) if fixed else theta[t] * distance / d**0.25 for t in range(steps + 1)]
    strengths = tuple(
        lipschitz / radii[t] + lipschitz * math.sqrt((t + 1) / size) / (distance * theta[t])
        for t in range(1, steps + 1)
    )
    batches = Batches("with replacement", records, size)
    return Params(start, tuple(radii[:steps]), strengths, batches, ball(distance, start))


def gap_bound(params: Params, lipschitz: float, distance: float) -> float:
    """What E f(x_T) - f(x*) cannot exceed, for batches that are random or whole and L-Lipschitz convex losses.

    theta_{T-1}^2 times the sum of B_T R^2/2 and, over t, of L^2/(2 b theta_t^2 (B_t - L/rho_t)) + L rho_t
    sqrt(d)/theta_t, B_0 = B_1: accelerated dual averaging on risks that are L/rho_t-smooth, at least f and at most
    f + L rho_t sqrt d. Infinite where a strength does not exceed L/rho_t.
    """
    d, size, last = len(params.start), params.batches.size, momentum(params.steps)[params.steps - 1]
    total = params.strengths[-1] * distance**2 / 2
    held = (params.strengths[0], *params.strengths)
    for theta, radius, strength in zip(momentum(params.steps), params.radii, held, strict=False):
        spare = strength - lipschitz / radius if radius > 0 else -math.inf
        if not spare > 0:
            return math.inf
        total += lipschitz**2 / (2 * size * theta**2 * spare) + lipschitz * radius * math.sqrt(d) / theta
    return last**2 * total


class State(NamedTuple):
    """x, z, and the sum of g_s/theta_s, (d,) each."""

    x: Vector
    z: Vector
    total: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t of the algorithm."""
    x, z, total = stepwise.unpack(State, state)
    theta = momentum(params.steps)[t]
    y = (1 - theta) * x + theta * z
    g = mean_gradient(problem, y, params.radii[t], draw.noise, draw.batches)
    total = total + g / theta
    z = params.domain.project(np.array(params.start) - total / params.strengths[t])
    return Step(stepwise.pack(State((1 - theta) * x + theta * z, z, total)), g)


class _Torch(form.Torch[Params]):
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.start = self.tensor(params.start)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, theta = self.params, momentum(self.params.steps)[step]
        x, z, total = stepwise.unpack(State, state)
        g = self.mean_gradient((1 - theta) * x + theta * z, params.radii[step], step, trials)
        total = total + g / theta
        z = params.domain.torch_project(self.start - total / params.strengths[step])
        return self.pack(State((1 - theta) * x + theta * z, z, total)), g, self.no_branches(len(x))


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    listed = (params.start, momentum(params.steps), params.radii, params.strengths)
    keys, batches = stream.keys("noise", "batches"), batch_kernels.packed(params.batches)
    domain = domain_kernels.packed(params.domain, dtype)
    numbers = tuple(np.array(one, dtype=dtype) for one in listed)
    return keys, numbers, batches, domain, loss_kernels.arrays(problem, dtype)


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
    counted=Rounds,
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

NOT_RECORDED = "adds no privacy noise and promises nothing"
