"""What the parameters share of algorithms that are driven by noisy sums of gradients, and the draws of their runs."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.factorisations import FACTORISATIONS, Factorisation
from dpaudit.algorithms import stepwise
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.domains import Domain
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import check_fields
from dpaudit.records.validation import check_choice, check_vector
from dpaudit.sampling.batches import Batches

KINDS_OF_BATCHES = ("in order", "all records")


class Summed(Protocol):
    """Parameters of a run in T steps on d coordinates, with noise and batches, clipped or not."""

    @property
    def steps(self) -> int: ...

    @property
    def dimension(self) -> int: ...

    @property
    def batches(self) -> Batches: ...

    @property
    def noise(self) -> float: ...

    @property
    def lipschitz(self) -> float: ...

    @property
    def clip_norm(self) -> float | None: ...


class Correlated(Summed, Protocol):
    """Parameters of a run whose noise is mixed of the nodes of a factorisation of the prefix sums."""

    @property
    def factorisation(self) -> str | Factorisation: ...

    @property
    def factors(self) -> Factorisation: ...

    @property
    def mixing(self) -> NDArray[np.float64 | np.int64]: ...

    @property
    def changes(self) -> Array: ...


class Mixed:
    """What follows from the factorisation of `Correlated` parameters."""

    @cached_property
    def factors(self: Correlated) -> Factorisation:
        """left and right of the noise."""
        return factorisation_of(self)

    @cached_property
    def mixing(self: Correlated) -> NDArray[np.float64 | np.int64]:
        """left: which nodes a prefix uses."""
        return exactly(self.factors.left)


def exactly(matrix: NDArray[np.float64 | np.int64]) -> NDArray[np.float64 | np.int64]:
    """`matrix`, as integers if it holds no others: a mixed sum then takes its summands without a rounding."""
    whole = np.rint(matrix)
    return whole.astype(np.int64) if np.array_equal(whole, matrix) else matrix


def factorisation_of(params: Correlated) -> Factorisation:
    """One of FACTORISATIONS by name, or one that is given, of T items."""
    given, steps = params.factorisation, params.steps
    if isinstance(given, Factorisation):
        if given.steps != steps:
            raise ConfigurationError(f"factorisation must have {steps} items, one a step, got one of {given.steps}")
        return given
    check_choice("factorisation", given, tuple(FACTORISATIONS))
    return FACTORISATIONS[given](steps)


def check(params: Summed) -> None:
    """What `check_fields` refuses, batches for which no promise is known, and more steps than one pass has."""
    check_fields(params)
    check_choice("batches.kind", params.batches.kind, KINDS_OF_BATCHES)
    params.batches.check_steps(params.steps)


def check_correlated(params: Correlated) -> None:
    """What `check` refuses, and a factorisation of another number of items."""
    check(params)
    factorisation_of(params)


def check_offsets(offsets: object, steps: int, dimension: int) -> None:
    """Refuse fixed vectors unless they are none, or one of `dimension` numbers for each step."""
    if not isinstance(offsets, tuple) or len(offsets) not in (0, steps):
        raise ConfigurationError(f"offsets must be a tuple of {steps} vectors, or empty, got {offsets!r}")
    for t, vector in enumerate(offsets):
        check_vector(f"offsets[{t}]", vector, dimension)


def check_start_inside(domain: Domain, dimension: int) -> None:
    """Refuse a set without the origin, where the algorithms of this paper start."""
    domain.check_dimension(dimension)
    if np.any(domain.project(np.zeros(dimension)) != 0):
        raise ConfigurationError(
            "the domain must contain 0, where the algorithm starts; move the problem or the domain"
        )


class Draws(NamedTuple):
    """noise: standard normals of all steps, for every step, (T, T, d); batches: record numbers of every step."""

    noise: Array
    batches: tuple[Integers, ...]


def noise_shape(params: Summed) -> tuple[int, ...]:
    """(T, d): the normals of one trial."""
    return (params.steps, params.dimension)


def draw_inputs(params: Summed, stream: Stream, trial: int) -> Draws:
    """Noise of one trial for `reference`, which every step may read (a view, nothing is copied), from the part "noise"
    of the stream; the batches are fixed."""
    drawn = stepwise.normals(stream, trial, noise_shape(params))
    noise = np.broadcast_to(drawn, (len(drawn), *drawn.shape))
    return Draws(noise, params.batches.draw_all(stream.part("batches"), trial, len(drawn)))


def one_query_a_step(params: Summed, draws: NamedTuple) -> dict[str, int]:
    """T rounds with one gradient for each record of the batch."""
    return {"gradients": params.steps * params.batches.size, "values": 0, "rounds": params.steps}


def two_queries_a_step(params: Summed, draws: NamedTuple) -> dict[str, int]:
    """T rounds; b gradients at the first point, then b at x_t and b at x_{t-1}: 2 n - b in one pass over n = T b
    records."""
    return {"gradients": (2 * params.steps - 1) * params.batches.size, "values": 0, "rounds": params.steps}
