"""Parameters of `dp_skgd`, checked as they are made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms.rbcd.epochs import Epochs
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.records.ranges import Count, OneOf
from dpaudit.records.validation import check_vector
from dpaudit.sampling.coordinates import Sampler


@dataclass(frozen=True)
class Params(Epochs):
    """Everything public about a run.

    start: w^0, d finite numbers; step_sizes: gamma_j above 0; epochs: T, inner_steps: K, at least 1;
    sampler: of sets of the d coordinates; noise_scales: sigma_U at least 0, lipschitz: L_U above 0, one
    a set; records: n; noise_param: "std" reads sigma_U as a standard deviation, "var" as a variance.
    Raises ConfigurationError.
    """

    sampler: Sampler
    noise_scales: tuple[float, ...]
    lipschitz: tuple[float, ...]
    records: Count
    noise_param: Annotated[str, OneOf(("std", "var"))] = "std"

    def __post_init__(self) -> None:
        check_vector("start", self.start, self.sampler.dimension)
        super().__post_init__()
        check_vector("noise_scales", self.noise_scales, len(self.sampler.sets), least=0.0)
        check_vector("lipschitz", self.lipschitz, len(self.sampler.sets), above=0.0)

    @cached_property
    def deviations(self) -> Array:
        """The standard deviation of eta for every set."""
        scales = np.array(self.noise_scales)
        return scales if self.noise_param == "std" else np.sqrt(scales)

    @cached_property
    def rates(self) -> Array:
        """gamma_j/p_j, shape (d,): the diagonal of Gamma C on the drawn set."""
        return np.array(self.step_sizes) / self.sampler.inclusion


class Draws(NamedTuple):
    """noise: standard normals, (T K, m); sets: numbers of the drawn sets, (T K,)."""

    noise: Array
    sets: Integers
