"""DP-CD: differentially private proximal coordinate descent.

Source: Mangold, Bellet, Salmon, Tommasi (2022), "Differentially Private Coordinate Descent for Composite Empirical Risk
Minimization", algorithm 1; the baseline of Maranjyan, Sadiev, Richtarik (2024), section 2 (rbcd/ALG-9).

Shapes: d coordinates, n records, T epochs of K inner steps. A transcript has shape (T K, 2): the drawn coordinate and
its noisy partial derivative; the output w^T has shape (d,). A batch of trials adds a first axis. A state has 2 d
numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.rbcd.dp_cd import kernels
from dpaudit.algorithms.rbcd.epochs import Epochs, State, first_state, output
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.problems.prox import NOTHING, Regulariser
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count
from dpaudit.records.validation import check_vector

ALGORITHM = Algorithm(
    name="rbcd/ALG-9",
    title="DP-CD: differentially private proximal coordinate descent",
    source="Mangold, Bellet, Salmon, Tommasi (2022), algorithm 1",
    pseudo_code=(
        "for t < T: theta^0 = w^t; for k < K: j uniform on [d]; eta ~ N(0, sigma_j^2); "
        "theta_j^{k+1} = prox_{g_j psi_j}(theta_j^k - g_j (grad_j f(theta^k) + eta)), the other coordinates stay; "
        "w^{t+1} = (theta^1 + ... + theta^K)/K; return w^T"
    ),
    options=(("regulariser.kind", "none", "l1: soft threshold; ridge; box: the coordinates stay in an interval"),),
    released="the coordinates and their noisy partial derivatives; all iterates follow from them",
    cost="n partial derivatives in each of T K rounds",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params(Epochs):
    """Everything public about a run.

    start: w^0, d finite numbers; step_sizes: g_j above 0; epochs: T, inner_steps: K, at least 1; noise_scales:
    standard deviations sigma_j at least 0, lipschitz: L_j above 0, one a coordinate; records: n; regulariser: psi.
    Raises ConfigurationError.
    """

    noise_scales: tuple[float, ...]
    lipschitz: tuple[float, ...]
    records: Count
    regulariser: Regulariser = NOTHING

    def __post_init__(self) -> None:
        super().__post_init__()
        check_vector("noise_scales", self.noise_scales, self.dimension, least=0.0)
        check_vector("lipschitz", self.lipschitz, self.dimension, above=0.0)


class Draws(NamedTuple):
    """noise: standard normals, (T K,); coordinates: from 0 to d - 1, (T K,)."""

    noise: Array
    coordinates: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T K, 1): the normals of one trial."""
    return (params.steps, 1)


def promise(params: Params) -> Promise:
    """T K Gaussian mechanisms; sensitivity 2 L_j/n of a partial derivative (replace one record).

    Raises ConfigurationError without noise.
    """
    multiplier = min(
        s * params.records / (2 * bound) for s, bound in zip(params.noise_scales, params.lipschitz, strict=True)
    )
    if not multiplier > 0:
        raise ConfigurationError("noise_scales has a 0, so the run promises no privacy; raise it")
    mechanism = SelfComposed(Gaussian(multiplier), params.steps)
    return Promise(mechanism, Neighbours.REPLACE_ONE, View.TRANSCRIPT, "Mangold et al. (2022), theorem 3.1, exactly")


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n partial derivatives in each of T K rounds."""
    return {"partial derivatives": params.records * params.steps, "rounds": params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise and coordinates of one trial for `reference`: from its parts "noise" and "sets"."""
    drawn = stepwise.uniforms(stream, trial, params.steps, "sets") * params.dimension
    return Draws(stepwise.normals(stream, trial, noise_shape(params))[:, 0], drawn.astype(np.int64))


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Inner step k = t mod K of epoch t // K; branch: the coordinate."""
    (theta, total), j = stepwise.unpack(State, state), int(draw.coordinates)
    if t % params.inner_steps == 0:
        total = np.zeros_like(total)
    y = problem.partial(theta, [j]) + params.noise_scales[j] * draw.noise
    g, moved = params.step_sizes[j], theta.copy()
    moved[[j]] = params.regulariser.prox(theta[[j]] - g * y, g)
    total = total + moved
    if (t + 1) % params.inner_steps == 0:
        moved = total / params.inner_steps
    return Step(stepwise.pack(State(moved, total)), np.concatenate([np.array([j]), y]), ((j, None),))


class _Torch(stepwise.Machine[Params]):
    """The constants of a run as tensors, and one inner step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.step_sizes, self.noise_scales = self.tensor(params.step_sizes), self.tensor(params.noise_scales)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, (theta, total) = self.params, stepwise.unpack(State, state)
        j = self.picked(trials, step, params.dimension, "sets")
        y = self.problem.gradient(theta).gather(1, j) + self.noise_scales[j] * self.normals(trials, step, 1)
        g = self.step_sizes[j]
        theta = theta.scatter(1, j, params.regulariser.torch_prox(theta.gather(1, j) - g * y, g))
        total = theta if step % params.inner_steps == 0 else total + theta
        if (step + 1) % params.inner_steps == 0:
            theta = total / params.inner_steps
        return self.pack(State(theta, total)), self.torch.cat([j.to(y.dtype), y], dim=1), j


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    keys = stream.keys("noise", "sets")
    vectors = (np.array(params.step_sizes, dtype=dtype), np.array(params.noise_scales, dtype=dtype))
    strength = np.dtype(dtype).type(params.regulariser.strength)
    numbers = (*vectors, params.inner_steps, params.regulariser.code, strength)
    return keys, numbers, loss_kernels.arrays(problem, dtype)


STEPWISE = stepwise.Stepwise(
    step,
    start=first_state,
    final=output,
    columns=lambda params: 2,
    sizes=lambda params: (params.records, params.dimension),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
    kinds=("partial derivatives", "rounds"),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def declared_noise(params: Params, t: int, draw: Draws, columns: int) -> Array:
    """The coordinate is public; its partial derivative carries noise."""
    return np.asarray(params.noise_scales[draw.coordinates] * np.eye(columns)[:, 1:])


RECORDED = stepwise.Recorded(declared_noise)
