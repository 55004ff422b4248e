"""Parameters of `noisy_zogd`, checked as they are made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

from dpaudit.algorithms.zeroth import steps as _zeroth
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.records.ranges import Count, NotNegative, OneOf, Positive, check_fields
from dpaudit.records.validation import check_number, check_vector
from dpaudit.sampling.batches import Batches
from dpaudit.sampling.directions import Directions

NOISE_SPLITS = ("directions", "isotropic")


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0 in the domain, d finite numbers; steps: T; batches: all records or a subset drawn without replacement;
    directions: K, at most d where orthonormal; step_size: eta, above 0; perturbation: xi, at least 0; clip_norm: Delta,
    above 0; noise: sigma, a standard deviation, at least 0; variance_share: of sigma^2, in [0, 1], one number or one
    a step; noise_split: whose share that is; domain: where iterates are projected, B_R in the paper; frame:
    "orthonormal" or "independent". Raises ConfigurationError.
    """

    start: tuple[float, ...]
    steps: Count
    batches: Batches
    directions: int
    step_size: Positive
    perturbation: float
    clip_norm: float
    noise: NotNegative
    variance_share: float | tuple[float, ...] = 0.5
    noise_split: Annotated[str, OneOf(NOISE_SPLITS)] = "directions"
    domain: Domain = EVERYTHING
    frame: Annotated[str, OneOf(("orthonormal", "independent"))] = "orthonormal"

    def __post_init__(self) -> None:
        check_fields(self)
        if isinstance(self.variance_share, int | float):
            check_number("variance_share", self.variance_share, least=0.0, most=1.0)
        else:
            check_vector("variance_share", self.variance_share, self.steps, least=0.0, most=1.0)
        _zeroth.check_run(self, self.domain)

    @cached_property
    def b_dir(self) -> tuple[float, ...]:
        """The share of the variance on the directions, of every step."""
        share = self.variance_share
        shares = share if isinstance(share, tuple) else (float(share),) * self.steps
        return shares if self.noise_split == "directions" else tuple(1 - one for one in shares)

    @cached_property
    def query(self) -> _zeroth.Query:
        """How slopes are asked for."""
        return _zeroth.Query("two-point", self.perturbation, self.clip_norm)

    @cached_property
    def sampler(self) -> Directions:
        """The law of a frame."""
        return Directions(self.frame, self.directions, len(self.start))

    def deviations(self, t: int) -> tuple[float, float]:
        """Standard deviations of the noise of step t along each direction, and in every coordinate beside."""
        scale, share = self.step_size * self.noise, self.b_dir[t]
        return scale * math.sqrt(share / self.directions), scale * math.sqrt((1 - share) / len(self.start))


class Draws(NamedTuple):
    """noise: standard normals, (T, d + K), first the isotropic ones; directions: those behind the frames, (T, K, d);
    batches: record numbers of every step."""

    noise: Array
    directions: Array
    batches: tuple[Integers, ...]
