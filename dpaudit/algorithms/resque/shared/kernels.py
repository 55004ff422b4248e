"""The numba forms of one ReSQue draw, its weight and a projection, shared by the parallel solvers.

Addresses: sample i (from 0) of a pool lies at step i // PIECE; its d normals have
the indices (i mod PIECE) d + a, its choice of record and sign the uniforms 2 (i mod PIECE) and the next one.
`keys`: the two key words of the draws, then of the choices. Queries are answered in float64 whatever the dtype of the
iterates: they do not depend on them. `work`: scratch of shape (3, d): the query point, the draw, the gradient.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.resque.shared.draws import PIECE
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.kernels import Packed, Scalar, compiled, normal_pair
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.kernels import oracle_choice, oracle_query


def pool_keys(stream: Stream) -> tuple[int, ...]:
    """The key words that `draw_sample` reads."""
    return stream.keys("draws", "choices")


@compiled()
def draw_sample(
    number: int, trial: int, keys: Packed, centre: Array, radius: float, oracle: Packed, work: Array
) -> None:
    """work[1] = xi of sample `number`, work[2] = g(centre + xi)."""
    d, step, place = len(centre), number // PIECE, number % PIECE
    first, second = 0.0, 0.0
    for a in range(d):
        index = place * d + a
        if a == 0 or index % 2 == 0:
            first, second = normal_pair(keys[0], keys[1], index // 2, step, trial)
        work[1, a] = radius * (second if index % 2 else first)
        work[0, a] = centre[a] + work[1, a]
    record, sign = 0, 1.0
    if oracle[5] or oracle[6] > 0.0:
        record, sign = oracle_choice(keys[2], keys[3], place, step, trial, len(oracle[0]))
    oracle_query(work[0], record, sign, oracle, work[2])


@compiled()
def weight(point: Array, centre: Array, draw: Array, radius: float) -> Scalar:
    """exp((2<v, xi> - |v|^2)/(2 rho^2)), v = point - centre."""
    exponent = 0.0
    for a in range(len(point)):
        v = point[a] - centre[a]
        exponent += v * (2.0 * draw[a] - v)
    return np.exp(exponent / (2.0 * radius * radius))


@compiled()
def project(point: Array, centre: Array, ball_radius: float) -> bool:
    """Onto the ball around `centre`, in place; whether the point lay outside."""
    square = 0.0
    for a in range(len(point)):
        square += (point[a] - centre[a]) ** 2
    if not square > ball_radius * ball_radius:
        return False
    scale = ball_radius / np.sqrt(square)
    for a in range(len(point)):
        point[a] = centre[a] + (point[a] - centre[a]) * scale
    return True
