"""TEMPLATE: the noisy mean. Copy this folder to `<paper>/<name>/`; nothing else needs to be edited.

Replace every part; the contract test then finds the folder and checks its shape. Keep the three forms
apart: none may call another, or agreement would compare a thing with itself. An algorithm that goes step by step has
less to write: copy `srgd/dp_sgd`, whose agreement cases and rounding bounds come from `stepwise`.

Source: paper, number of the algorithm. Shapes: d coordinates, n records; one release of shape (d,).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.algorithms._template import kernels
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.noise.threads import share_rows
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, Positive, check_fields

ALGORITHM = Algorithm(
    name="template/ALG-1",
    title="noisy mean",
    source="Dwork and Roth (2014), section 3.5.3",
    pseudo_code="release (x_1 + ... + x_n)/n + N(0, sigma^2 I)",
    options=(),
    released="the noisy mean",
    cost="n records read",
)


@dataclass(frozen=True)
class Params:
    """dimension: d, at least 1; noise: sigma, a standard deviation, at least 0;
    sensitivity: largest change of the mean, above 0. Raises ConfigurationError."""

    dimension: Count
    noise: NotNegative
    sensitivity: Positive

    def __post_init__(self) -> None:
        check_fields(self)


def noise_shape(params: Params) -> tuple[int, ...]:
    """(d,): the normals of one trial."""
    return (params.dimension,)


def promise(params: Params) -> Promise:
    """What the algorithm promises (None in files without privacy noise); ConfigurationError without noise."""
    if not params.noise > 0:
        raise ConfigurationError("noise must be above 0 for a promise of privacy")
    gaussian = Gaussian(params.noise / params.sensitivity)
    return Promise(gaussian, Neighbours.REPLACE_ONE, View.TRANSCRIPT, "Dwork and Roth (2014), appendix A, exact")


def calls(params: Params, records: Array) -> dict[str, int]:
    """What the complexity formula says that one run asks for."""
    return {"records": len(records)}


def reference(params: Params, records: Array, noise: Array) -> Array:
    """One trial as the paper prints it: records (n, d), standard normals (d,); result (d,)."""
    return np.asarray(records.mean(axis=0) + params.noise * noise)


def cpu(params: Params, records: Array, trials: Trials, dtype: str = "float64") -> Array:
    """All trials with numba, drawing from their stream; shape (trials, d)."""
    out = np.empty((len(trials), params.dimension), dtype=dtype)
    given = np.ascontiguousarray(records, dtype=dtype), params.noise, trials.stream.key
    share_rows(kernels.noisy_means, (out, trials.numbers), *given)
    return out


def gpu(params: Params, records: Array, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Tensor:
    """All trials with torch on `device`; shape (trials, d)."""
    torch = load_torch()
    kind = getattr(torch, dtype)
    noise = trials.stream.torch_normals(trials.numbers, 0, params.dimension, device, kind)
    return torch.tensor(records, dtype=kind, device=device).mean(0) + params.noise * noise
