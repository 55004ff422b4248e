"""TEMPLATE: the noisy mean. Copy this file to `<name>.py`; nothing else needs to be edited.

Replace every part; the contract test then finds the file and checks its shape. Keep the three forms
apart: none may call another, or agreement would compare a thing with itself. An algorithm that goes step by step has
less to write: copy `dp_sgd.py`, whose agreement cases and rounding bounds come from `_steps`.

Source: paper, number of the algorithm. Shapes: d coordinates, n records; one release of shape (d,).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithm import Algorithm
from dpaudit.comparison import Case, Replay, Trace
from dpaudit.errors import ConfigurationError
from dpaudit.mechanism import Gaussian, Promise
from dpaudit.noise import Stream, Trials
from dpaudit.noise_kernels import compiled, normal_pair
from dpaudit.noise_torch import load_torch
from dpaudit.parameters import check_count, check_number
from dpaudit.privacy import Neighbours, View

Array = NDArray[np.float64]

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

    dimension: int
    noise: float
    sensitivity: float

    def __post_init__(self) -> None:
        check_count("dimension", self.dimension)
        check_number("noise", self.noise, least=0.0)
        check_number("sensitivity", self.sensitivity, above=0.0)


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
    _kernel(np.ascontiguousarray(records, dtype=dtype), params.noise, trials.numbers, trials.stream.key, out)
    return out


@compiled(parallel=True)
def _kernel(records: Array, noise: float, trials: NDArray[np.int64], key: Any, out: Array) -> None:
    for row in numba.prange(len(trials)):
        for j in range(out.shape[1]):
            total = 0.0
            for i in range(len(records)):
                total += records[i, j]
            normal = normal_pair(key[0], key[1], j // 2, 0, trials[row])[j % 2]
            out[row, j] = total / len(records) + noise * normal


def gpu(params: Params, records: Array, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Any:
    """All trials with torch on `device`; shape (trials, d)."""
    torch = load_torch()
    kind = getattr(torch, dtype)
    noise = trials.stream.torch_normals(trials.numbers, 0, params.dimension, device, kind)
    return torch.tensor(records, dtype=kind, device=device).mean(0) + params.noise * noise


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """The instances on which the forms are compared; one is enough here."""
    records = np.random.default_rng([seed, 0x7E]).normal(size=(6, 3))
    params, stream = Params(3, 0.5, 2.0), Stream(seed, "agree/template")

    def run_reference(trials: int) -> Trace:
        numbers, zeros = np.arange(trials), np.zeros((trials, 0))
        noise = stream.normals(numbers, 0, 3)
        after = np.stack([reference(params, records, row) for row in noise])
        magnitude = np.abs(records).mean(axis=0) + params.noise * np.abs(noise)
        steps = np.zeros(trials, dtype=np.int64)
        return Trace(numbers, steps, zeros, after, magnitude, zeros.astype(np.int64), zeros, zeros, after)

    def replay(after: Array, trace: Trace) -> Replay:
        return Replay(after, trace.branches, after)

    def trials_of(trace: Trace) -> Trials:
        return Trials(stream, trace.trials)

    def counted(trial: int) -> tuple[dict[str, int], dict[str, int]]:
        return {"records": sum(1 for _ in records)}, calls(params, records)

    return (
        Case(
            "normal records",
            params,
            operations=len(records) + 6,  # the sum, the division, noise, product, casts
            reference=run_reference,
            cpu=lambda trace, dtype: replay(cpu(params, records, trials_of(trace), dtype), trace),
            gpu=lambda trace, dtype, device: replay(
                gpu(params, records, trials_of(trace), device, dtype).cpu().numpy(), trace
            ),
            calls=counted,
        ),
    )
