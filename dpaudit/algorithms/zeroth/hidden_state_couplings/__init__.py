"""Noisy-ZOGD on two neighbouring data sets at once: the couplings behind the hidden-state bound.

Source: Chien, Chen, Li (2025): equation (5), the proof of lemma 3.9, the proof of theorem 3.2 with its equation (6).
W runs on the data D, W' on the neighbour D', both from w_0; each alone has the law of `noisy_zogd`. `coupling`:

    "independent"               zeroth/ALG-9a   W' has directions, batches and noise of its own, equation (5)
    "synchronous"               zeroth/ALG-9b   all of these are shared; only the data differ
    "shared isotropic noise"    zeroth/ALG-9c   directions, batches and Z_t are shared, and
                                W_{t+1} = Pi(psi(W_t) + Y_t + Z_t), W'_{t+1} = Pi(psi(W'_t) + Y'_t + Z_t),
                                psi made from D on both sides, Y_t = sum_k G_{t,k} u_{t,k}, likewise Y'_t with
                                G'_{t,k} of mean -(eta/K)(s'_k(W'_t) - s_k(W'_t)), s' made from D'
    "mean as printed"           the same with the mean that (6) prints

Equation (6) gives the number G'_{t,k} the vector psi'(W'_t) - psi(W'_t) as its mean. The third coupling reads it as
the component along u_{t,k}, so that psi(W') + Y' has the law of psi'(W') + Y; the fourth adds the whole vector for
every k, that is K times, which is the same for K = 1 and another law for K > 1. G and G' - E G' are drawn independently
of each other, which the paper leaves open.

Shapes: d coordinates, n records on either side, K directions, T steps. A transcript has shape (T, 2 d + 2 K + K d):
W_{t+1}, W'_{t+1}, the K numbers G, the K numbers <Y', u_k>, the rows of the frame of W. The
output is (W_T, W'_T), of shape (2 d,). A batch of trials adds a first axis. A state has 2 d numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.algorithms.zeroth import steps as _zeroth
from dpaudit.algorithms.zeroth.hidden_state_couplings import kernels
from dpaudit.algorithms.zeroth.hidden_state_couplings.params import CountedPair, Neighbouring, Params
from dpaudit.algorithms.zeroth.noisy_zogd import privacy
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Promise
from dpaudit.sampling import batch_kernels

__all__ = [
    "ALGORITHM",
    "NOT_RECORDED",
    "STEPWISE",
    "Draws",
    "Neighbouring",
    "Params",
    "State",
    "advance_cpu",
    "advance_gpu",
    "calls",
    "cpu",
    "draw_inputs",
    "gpu",
    "noise_shape",
    "promise",
    "reference",
    "step",
]

ALGORITHM = Algorithm(
    name="zeroth/ALG-9",
    title="couplings of Noisy-ZOGD on neighbouring data sets",
    source="Chien, Chen, Li (2025), equations (5), (6), proofs of lemma 3.9 and theorem 3.2",
    pseudo_code="two runs of Noisy-ZOGD on D and D' from the same start that share what `coupling` says",
    options=(
        ("coupling", "synchronous", "independent; shared isotropic noise; mean as printed: (6) to the letter"),
        ("noise_split, frame, batches.kind, perturbation", "as in zeroth/ALG-4", "see there"),
    ),
    released="nothing: an object of proofs; its transcript shows both runs and their directional noise",
    cost="twice that of Noisy-ZOGD; three times with shared isotropic noise",
    from_level=Level.STANDARD,
)


class Draws(NamedTuple):
    """Of W and W', which share what the coupling shares. noise: standard normals, (T, 2, d + K), first the isotropic
    ones; directions: those behind the frames, (T, 2, K, d); batches: a pair of record numbers for every step."""

    noise: Array
    directions: Array
    batches: tuple[tuple[Integers, Integers], ...]


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, 2, d + K): the normals of one trial beside those of its directions."""
    return (params.steps, 2, len(params.start) + params.directions)


def promise(params: Params) -> Promise:
    """What each of the two runs promises when all its iterates and frames are public."""
    return privacy.promise(params)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """Two or three times those of Noisy-ZOGD."""
    once = params.query.calls(params.directions, params.batches.size)
    return {name: params.steps * (3 if params.shifted else 2) * number for name, number in once.items()}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise, directions and batches of one trial for `reference`: from the parts of its stream of these names.

    The draws of W are those of `noisy_zogd` on the same stream, those of W' that are not shared come from its part
    "neighbour".
    """
    d, streams = len(params.start), _streams(params, stream)
    own = noisy_zogd.draw_inputs(params, stream, trial)
    noise = own.noise.copy()
    for part, place in ((streams[0], slice(0, d)), (streams[1], slice(d, None))):
        noise[:, place] = noisy_zogd.draw_inputs(params, part, trial).noise[:, place]
    other = noisy_zogd.draw_inputs(params, streams[2], trial)
    directions = np.stack([own.directions, other.directions], axis=1)
    batches = tuple(zip(own.batches, other.batches, strict=True))
    return Draws(np.stack([own.noise, noise], axis=1), directions, batches)


def _streams(params: Params, stream: Stream) -> tuple[Stream, Stream, Stream]:
    """Where W' has its isotropic noise from, its directional noise, and its directions and batches."""
    fresh = stream.part("neighbour")
    return {
        "independent": (fresh, fresh, fresh),
        "synchronous": (stream, stream, stream),
    }.get(params.coupling, (stream, fresh, stream))


class State(NamedTuple):
    """W and W', (d,) each."""

    own: Vector
    other: Vector


def step(params: Params, problem: Neighbouring, state: Vector, t: int, draw: Draws) -> Step:
    """Step t; branches: how many slopes were clipped, at W, at W', and of D at W'."""
    d, pace, (along, across) = len(params.start), params.step_size / params.directions, params.deviations(t)
    points, frames = stepwise.unpack(State, state), [params.sampler.frame(draw.directions[side]) for side in (0, 1)]
    slopes, branch = params.query.slopes(problem.own, points[0], frames[0], draw.batches[0])
    theirs, branches = params.query.slopes(problem.other, points[1], frames[1], draw.batches[1])
    branches = branch + branches
    g, h = along * draw.noise[0, d:], along * draw.noise[1, d:]
    if params.shifted:
        same, branch = params.query.slopes(problem.own, points[1], frames[1], draw.batches[1])
        h, theirs, branches = h - params.shifted * (pace * (theirs - same)), same, branches + branch
    moved = [
        params.domain.project(points[side] + (move - pace * slope) @ frames[side] + across * draw.noise[side, :d])
        for side, (move, slope) in enumerate(((g, slopes), (h, theirs)))
    ]
    after = stepwise.pack(State(*moved))
    return Step(after, np.concatenate([after, g, h, frames[0].reshape(-1)]), branches)


class _Torch(_zeroth.Machine[Params]):
    """One step of all trials."""

    def __init__(self, params: Params, problem: Neighbouring, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem.own, stream, device, dtype)
        self.isotropic, self.directional, rest = _streams(params, stream)
        self.second = _zeroth.Queries(params, problem.other, rest, device, dtype)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, (w, v) = self.params, stepwise.unpack(State, state)
        d, pace, (along, across) = w.shape[1], params.step_size / params.directions, params.deviations(step)
        frame, second = self.frame(step, trials), self.second.frame(step, trials)
        slopes, clipped = self.slopes(self.problem, w, frame, step, trials)
        theirs, also = self.second.slopes(self.second.problem, v, second, step, trials)
        counts, size = [clipped, also], d + params.directions
        noise, others, beside = (
            one.part("noise").torch_normals(trials, step, count, self.device, self.kind)
            for one, count in ((self.stream, size), (self.directional, size), (self.isotropic, d))
        )
        g, h = along * noise[:, d:], along * others[:, d:]
        if params.shifted:
            same, clipped = self.slopes(self.problem, v, second, step, trials)
            h, theirs = h - params.shifted * (pace * (theirs - same)), same
            counts.append(clipped)
        w = w + _along(g - pace * slopes, frame) + across * noise[:, :d]
        v = v + _along(h - pace * theirs, second) + across * beside
        after = self.pack(State(params.domain.torch_project(w), params.domain.torch_project(v)))
        return after, self.torch.cat([after, g, h, frame.flatten(1)], dim=1), self.torch.cat(counts, dim=1)


def _along(moves: Vector, frame: Vector) -> Vector:
    return (moves[:, None, :] @ frame)[:, 0]


def _packed(params: Params, problem: Neighbouring, stream: Stream, dtype: str) -> Packed:
    kind, (isotropic, directional, rest) = np.dtype(dtype).type, _streams(params, stream)
    keys = (*_zeroth.keys(stream), *isotropic.part("noise").key, *directional.part("noise").key, *_zeroth.keys(rest))
    spreads = np.array([params.deviations(t) for t in range(params.steps)], dtype=dtype)
    pace, query = params.step_size / params.directions, _zeroth.asked(params.query, dtype)
    numbers = params.sampler.code, params.directions, kind(pace), spreads, kind(params.shifted)
    batches, domain = batch_kernels.packed(params.batches), domain_kernels.packed(params.domain, dtype)
    own, other = (loss_kernels.arrays(one, dtype) for one in problem)
    return keys, numbers, query, batches, domain, own, other


class _OfTwoProblems(stepwise.Stepwise[Params, Draws]):
    def check_inputs(self, params: Params, problem: Neighbouring) -> None:
        """Refuse problems of other sizes than `params` says."""
        for one in problem:
            super().check_inputs(params, one)


STEPWISE = _OfTwoProblems(
    step,
    start=lambda params: np.array(params.start * 2),
    columns=lambda params: 2 * len(params.start) + 2 * params.directions + params.sampler.size,
    sizes=_zeroth.sizes,
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0, 1, 2) if params.shifted else (0, 1),
    counted=CountedPair.of,
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

NOT_RECORDED = "two coupled runs of noisy_zogd for a proof; the release is that of noisy_zogd"
