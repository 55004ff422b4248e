"""Noisy-ZOGD: K directions a step, noise along them and in all of space; its mini-batch and i.i.d. variants.

Source: Chien, Chen, Li (2025), equation (3); (63) and (64) for batches; appendix B for independent directions. The
parameters that make it each of the spec's algorithms:

    zeroth/ALG-4   batches "all records", frame "orthonormal"
    zeroth/ALG-5   Noisy-ZOSGD: batches "without replacement", the same batch for all K directions of a step
    zeroth/ALG-6   frame "independent": K points of the sphere, where K may exceed d

The paper prints the split of the noise in two ways, both called beta_t. Here `variance_share` is a fraction of the
variance sigma^2, and `noise_split` says of which part: "directions" (beta_t of theorem 3.2, corollary 3.3, theorem
A.3) or "isotropic" (beta_t of equation (3), theorem 3.1, appendix A.10). With b the share of the directions, the noise
of a step is (eta/sqrt(K)) sqrt(b) sigma sum_k G_k u_k + (eta/sqrt(d)) sqrt(1 - b) sigma G, of mean energy eta^2 sigma^2
for every b and every orthonormal frame.

Appendix B writes the sphere as S^d; the directions have d coordinates, so it is S^(d-1). A run of no step, T = 0, is
refused: it would release w_0, which does not depend on the data.

Shapes: d coordinates, n records, K directions, T steps. A transcript has shape (T, d + K d): every iterate w_{t+1} and
the rows of the frame that led to it. The output w_T has shape (d,). A batch of trials adds a first
axis. State: w, d numbers.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.algorithms.zeroth import steps as _zeroth
from dpaudit.algorithms.zeroth.noisy_zogd import kernels
from dpaudit.algorithms.zeroth.noisy_zogd.params import Draws, Params
from dpaudit.algorithms.zeroth.noisy_zogd.privacy import hidden_state_promise, promise, setting
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.sampling import batch_kernels

__all__ = [
    "ALGORITHM",
    "RECORDED",
    "STEPWISE",
    "Draws",
    "Params",
    "advance_cpu",
    "advance_gpu",
    "calls",
    "cpu",
    "draw_inputs",
    "gpu",
    "hidden_state_promise",
    "noise_shape",
    "promise",
    "reference",
    "setting",
    "step",
]

ALGORITHM = Algorithm(
    name="zeroth/ALG-4",
    title="Noisy-ZOGD: zeroth-order descent with split noise",
    source="Chien, Chen, Li (2025), equation (3)",
    pseudo_code=(
        "for t < T: draw U = (u_1, ..., u_K) and a batch; s_k = (1/b) sum over the batch of clip((l_i(w + xi u_k) - "
        "l_i(w - xi u_k))/(2 xi); Delta); w = Pi(w - (eta/K) sum_k s_k u_k + (eta/sqrt(K)) sum_k G_k u_k + "
        "(eta/sqrt(d)) G), G_k from N(0, b_dir sigma^2), G from N(0, (1 - b_dir) sigma^2 I); return w"
    ),
    options=(
        ("noise_split", "directions", "isotropic: variance_share is the share of the isotropic noise, as (3) prints"),
        ("frame", "orthonormal", "independent: appendix B and prior work"),
        ("batches.kind", "all records", "without replacement: Noisy-ZOSGD"),
        ("perturbation", "above 0", "0, which (1) prints and cannot divide by: the directional derivative"),
    ),
    released="every iterate and every frame (`promise`), or the last iterate only (`hidden_state_promise`)",
    cost="2 b K T values; b T gradients for perturbation 0",
    also=("zeroth/ALG-5", "zeroth/ALG-6"),
)


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d + K): the normals of one trial beside those of its directions."""
    return (params.steps, len(params.start) + params.directions)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """2 b K T values, or b T gradients."""
    once = params.query.calls(params.directions, params.batches.size)
    return {name: params.steps * number for name, number in once.items()}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise, directions and batches of one trial for `reference`: from the parts of its stream of these names."""
    noise = stepwise.normals(stream, trial, noise_shape(params))
    batches = params.batches.draw_all(stream.part("batches"), trial, params.steps)
    return Draws(noise, _zeroth.draw_frames(params, stream, trial), batches)


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t of the algorithm as printed; branch: how many slopes were clipped."""
    frame, d = params.sampler.frame(draw.directions), len(params.start)
    slopes, branches = params.query.slopes(problem, state, frame, draw.batches)
    along, across = params.deviations(t)
    moves = along * draw.noise[d:] - params.step_size / params.directions * slopes
    after = params.domain.project(state + moves @ frame + across * draw.noise[:d])
    return Step(after, np.concatenate([after, frame.reshape(-1)]), branches)


class _Torch(_zeroth.Machine[Params]):
    """One step of all trials."""

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, frame, d = self.params, self.frame(step, trials), state.shape[1]
        slopes, clipped = self.slopes(self.problem, state, frame, step, trials)
        noise, (along, across) = self.normals(trials, step, d + params.directions), params.deviations(step)
        moves = along * noise[:, d:] - params.step_size / params.directions * slopes
        after = state + (moves[:, None, :] @ frame)[:, 0] + across * noise[:, :d]
        after = params.domain.torch_project(after)
        return after, self.torch.cat([after, frame.flatten(1)], dim=1), clipped


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    spreads = np.array([params.deviations(t) for t in range(params.steps)], dtype=dtype)
    pace, query = np.dtype(dtype).type(params.step_size / params.directions), _zeroth.asked(params.query, dtype)
    numbers = params.directions, params.sampler.code, pace, spreads
    batches, domain = batch_kernels.packed(params.batches), domain_kernels.packed(params.domain, dtype)
    return _zeroth.keys(stream), numbers, query, batches, domain, loss_kernels.arrays(problem, dtype)


STEPWISE = stepwise.Stepwise(
    step,
    columns=lambda params: len(params.start) + params.sampler.size,
    sizes=_zeroth.sizes,
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
)

reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def declared_noise(params: Params, t: int, draw: Draws, columns: int) -> Array:
    """Noise on the iterate, along the directions and in every coordinate; the directions are public."""
    (along, across), d = params.deviations(t), len(params.start)
    frame = params.sampler.frame(draw.directions)
    return np.asarray(np.eye(columns)[:, :d] @ np.hstack([along * frame.T, across * np.eye(d)]))


RECORDED = stepwise.Recorded(
    declared_noise,
    used=lambda params, t, draw: draw.batches,
    drawn="batches",
    batches=lambda params, t: params.batches,
)
