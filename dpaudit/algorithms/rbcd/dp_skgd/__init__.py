"""DP-SkGD: differentially private sketched gradient descent, with any random set of coordinates.

Source: Maranjyan, Sadiev, Richtarik (2024), "Differentially Private Random Block Coordinate Descent", Algorithm 1;
random sets: `dpaudit.sampling.coordinates`; noise and schedules: theorems 4.1, 4.2. With the block samplers it is
DP-SkGD-BS (section 4.2.1; rbcd/ALG-7).

Shapes: d coordinates, n records, T epochs of K inner steps. A transcript has shape (T K, 1 + m)
with m the largest set: the number of the set, then the released values y = I_S(grad f + eta) in
the order of the set's coordinates, filled up with 0; the output w^T has shape (d,). A batch of trials adds a first
axis. A state has 2 d numbers.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.rbcd.dp_skgd import kernels
from dpaudit.algorithms.rbcd.dp_skgd.params import Draws, Params
from dpaudit.algorithms.rbcd.dp_skgd.privacy import transcript_log_likelihood_ratio
from dpaudit.algorithms.rbcd.dp_skgd.schedules import Schedule, calibrate, convex_schedule, strongly_convex_schedule
from dpaudit.algorithms.rbcd.epochs import State, first_state, output
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View

__all__ = [
    "ALGORITHM", "RECORDED", "STEPWISE", "Draws", "Params", "Schedule", "State", "advance_cpu", "advance_gpu",
    "calibrate", "calls", "convex_schedule", "cpu", "draw_inputs", "gpu", "noise_shape", "promise", "reference",
    "step", "strongly_convex_schedule", "transcript_log_likelihood_ratio",
]  # fmt: skip

ALGORITHM = Algorithm(
    name="rbcd/ALG-1",
    title="DP-SkGD: differentially private sketched gradient descent",
    source="Maranjyan, Sadiev, Richtarik (2024), Algorithm 1",
    pseudo_code=(
        "for t < T: theta^0 = w^t; for k < K: draw S, C = I_S P^-1; eta ~ N(0, sigma_S^2 I); "
        "theta^{k+1} = theta^k - Gamma C (grad f(theta^k) + eta); w^{t+1} = (theta^1 + ... + theta^K)/K; return w^T"
    ),
    options=(("noise_param", "std", "var: line 6 prints N(0, sigma_S), read as the variance"),),
    released="the sets S and the noisy gradient coordinates of every step; w^T follows from them",
    cost="n |S| partial derivatives per inner step, n K T sum_j p_j expected",
    also=("rbcd/ALG-7",),
)


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T K, m): the normals of one trial; only the first |S| of a step are used."""
    return (params.steps, params.sampler.widest)


def promise(params: Params) -> Promise:
    """T K Gaussian mechanisms; sensitivity 2 L_U/n of the block gradient (replace one record).

    Raises ConfigurationError without noise, which promises nothing.
    """
    multipliers = params.deviations * params.records / (2 * np.array(params.lipschitz))
    if not multipliers.min() > 0:
        raise ConfigurationError("noise_scales has a 0, so the run promises no privacy; see calibrate")
    mechanism = SelfComposed(Gaussian(float(multipliers.min())), params.steps)
    source = "Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, its steps composed exactly"
    return Promise(mechanism, Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n |S| partial derivatives in each of T K rounds."""
    sizes = params.sampler.sizes[draws.sets]
    return {"partial derivatives": params.records * int(sizes.sum()), "rounds": params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise and sets of one trial for `reference`: from its parts "noise" and "sets"."""
    sets = params.sampler.draw(stepwise.uniforms(stream, trial, params.steps, "sets"))
    return Draws(stepwise.normals(stream, trial, noise_shape(params)), sets)


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Inner step k = t mod K of epoch t // K as printed; branch: the drawn set.

    What is released: the number of the set, then y in the order of its coordinates, filled up with 0.
    """
    sampler, (theta, total) = params.sampler, stepwise.unpack(State, state)
    if t % params.inner_steps == 0:
        total = np.zeros_like(total)
    s = list(sampler.sets[draw.sets])
    y = problem.partial(theta, s) + params.deviations[draw.sets] * draw.noise[: len(s)]
    moved = theta.copy()
    moved[s] = theta[s] - params.rates[s] * y
    total = total + moved
    if (t + 1) % params.inner_steps == 0:
        moved = total / params.inner_steps  # the next epoch starts from the average, not from theta^K
    released = np.concatenate([np.array([draw.sets]), y, np.zeros(sampler.widest - len(s))])
    return Step(stepwise.pack(State(moved, total)), released, ((int(draw.sets), None),))


class _Torch(stepwise.Machine[Params]):
    """The constants of a run as tensors, and one inner step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        sampler = params.sampler
        self.cumulative = self.torch.tensor(sampler.cumulative, device=device)
        self.members = self.torch.tensor(sampler.members, device=device)
        self.used = self.tensor(np.arange(sampler.widest) < sampler.sizes[:, None])
        self.deviations, self.rates = self.tensor(params.deviations), self.tensor(params.rates)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        theta, total = stepwise.unpack(State, state)
        number = self.torch.searchsorted(self.cumulative, self.uniforms(trials, step, "sets"), right=True)
        chosen, used = self.members[number[:, 0]], self.used[number[:, 0]]
        eta = self.deviations[number] * self.normals(trials, step, chosen.shape[1])
        y = (self.problem.gradient(theta).gather(1, chosen) + eta) * used
        theta = theta.scatter_add(1, chosen, -(self.rates[chosen] * y))
        total = theta if step % self.params.inner_steps == 0 else total + theta
        if (step + 1) % self.params.inner_steps == 0:
            theta = total / self.params.inner_steps
        released = self.torch.cat([number.to(y.dtype), y], dim=1)
        return self.pack(State(theta, total)), released, number


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    sampler = params.sampler
    floats = (params.deviations.astype(dtype), params.rates.astype(dtype))
    numbers = (sampler.cumulative, sampler.members, sampler.sizes, *floats, params.inner_steps)
    keys = stream.keys("noise", "sets")
    return keys, numbers, loss_kernels.arrays(problem, dtype)


STEPWISE = stepwise.Stepwise(
    step,
    start=first_state,
    final=output,
    columns=lambda params: 1 + params.sampler.widest,
    sizes=lambda params: (params.records, len(params.start)),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
    kinds=("partial derivatives", "rounds"),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def declared_noise(params: Params, t: int, draw: Draws, columns: int) -> Array:
    """The set is public; the first columns after it carry noise, one for each of its coordinates."""
    count = int(params.sampler.sizes[draw.sets])
    return np.asarray(params.deviations[draw.sets] * np.eye(columns)[:, 1 : 1 + count])


RECORDED = stepwise.Recorded(declared_noise)
