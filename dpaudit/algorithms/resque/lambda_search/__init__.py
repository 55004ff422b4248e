"""LambdaSearch: the strength of the next proximal subproblem, by bisection on how far its solution moves.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", proposition 1 and appendix B, which cite Carmon, Jambulapati, Jin, Sidford (2021),
proposition 2. The paper prints no listing. A strength is accepted if the search oracle moves between 12/16 r and
14/16 r, or, for the smallest one, at most 14/16 r; with an oracle within r/17 the true movement is then between
11/16 r and 15/16 r. After the allowed number of calls the upper end of the interval is returned.

Shapes: instances by d coordinates; x and v (instances, d), weights A (instances,).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpaudit.algorithms.resque.ball_acceleration import kernels
from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective
from dpaudit.algorithms.resque.ball_acceleration.setting import HIGH, LOW, BallSetting
from dpaudit.algorithms.resque.ball_acceleration.tensors import ClosedForm
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.noise.threads import share_rows
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError

Oracle = Callable[[Array, float], Array]

ALGORITHM = Algorithm(
    name="resque/ALG-13",
    title="LambdaSearch: bisection for the strength of a proximal step",
    source="Carmon et al. (2023), appendix B; Carmon, Jambulapati, Jin, Sidford (2021), proposition 2",
    pseudo_code=(
        "D(lam) = |O_ls(y, lam) - y| at y = (A x + a v)/(A + a), lam a^2 = A + a; lo = lambda_star, "
        "hi = max(2 lambda_star, 2 L/r); if D(lo) <= 14/16 r return lo; loop: mid = sqrt(lo hi); "
        "if D(mid) > 14/16 r: lo = mid; elif D(mid) < 12/16 r: hi = mid; else return mid; return hi"
    ),
    options=(),
    released="lambda, from outputs of the search oracle only",
    cost="at most ceil(C_ba log(R kappa/r)) calls of the search oracle",
)


@dataclass(frozen=True)
class Params(BallSetting):
    """The numbers of `BallSetting`: radius R, ball_radius r, lipschitz L, accuracy eps, acceleration_constant C_ba,
    search_divisor and oracle_error. Raises ConfigurationError."""


@dataclass(frozen=True)
class Run:
    """strength: lambda; calls: of the search oracle; tried: (calls, 2), each lambda and how far its solution moved."""

    strength: float
    calls: int
    tried: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(calls,): steps of the noise of one search; each holds d normals where oracle_error is above 0."""
    return (params.search_calls,)


def promise(params: Params) -> None:
    """None: post-processing of what the oracle gave out."""


def calls(params: BallSetting, moved: Array) -> dict[str, int]:
    """Of a search whose solutions moved by `moved`, (calls,): one up to the first that is accepted, at most the cap."""
    share = moved / params.ball_radius
    accepted = (share <= HIGH) & ((np.arange(len(moved)) == 0) | (share >= LOW))
    return {"search oracle": int(np.argmax(accepted)) + 1 if accepted.any() else params.search_calls}


def weight_step(strength: float, weight: float) -> float:
    """a = (1 + sqrt(1 + 4 lambda A))/(2 lambda), the positive root of lambda a^2 = A + a."""
    return (1 + math.sqrt(1 + 4 * strength * weight)) / (2 * strength)


def reference(params: BallSetting, x: Array, v: Array, weight: float, oracle: Oracle) -> Run:
    """One search: x and v (d,), A >= 0, and oracle(y, lambda), the answer of O_ls, (d,)."""
    r, low, high, tried = params.ball_radius, params.smallest_strength, params.largest_strength, []
    for call in range(params.search_calls):
        strength = low if call == 0 else math.sqrt(low * high)
        a = weight_step(strength, weight)
        y = (weight * x + a * v) / (weight + a)
        moved = float(np.linalg.norm(oracle(y, strength) - y))
        tried.append((strength, moved))
        if moved <= HIGH * r and (call == 0 or moved >= LOW * r):
            return Run(strength, call + 1, np.array(tried))
        if call == 0:
            continue  # the smallest strength moves too far: it stays the lower end
        if moved > HIGH * r:
            low = strength
        else:
            high = strength
    return Run(high, params.search_calls, np.array(tried))


def cpu(
    params: BallSetting,
    objective: Objective,
    x: Array,
    v: Array,
    weights: Array,
    trials: Trials,
    dtype: str = "float64",
) -> Array:
    """All searches with numba: lambda and calls, shape (instances, 2); trials number the noise, one per instance."""
    rows = _checked(objective, x, v, weights, trials, dtype)
    out = np.empty((len(trials), 2), dtype=dtype)
    centres, shape = kernels.objective_arrays(objective, dtype)
    slots, plan = np.zeros(len(trials), dtype=np.int64), kernels.plan_of(params, 0.0)
    share_rows(kernels.run_search, (*rows, slots, trials.numbers, centres, out), trials.stream.key, shape, plan)
    return out


def gpu(
    params: BallSetting,
    objective: Objective,
    x: Array,
    v: Array,
    weights: Array,
    trials: Trials,
    device: str = "cpu",
    dtype: str = "float64",
) -> Tensor:
    """All searches with torch on `device`; shape (instances, 2)."""
    rows = _checked(objective, x, v, weights, trials, dtype)
    machine = ClosedForm(params, objective, trials, device, dtype)
    everyone = machine.torch.ones(len(trials), dtype=machine.torch.bool, device=device)
    start = [machine.tensor(part) for part in rows]
    strength, calls = machine.search(start[0], start[1], start[2], 0, everyone)
    return machine.torch.stack([strength, calls.to(strength.dtype)], dim=1)


def _checked(
    objective: Objective, x: Array, v: Array, weights: Array, trials: Trials, dtype: str
) -> tuple[Array, Array, Array]:
    shape = objective.centres.shape
    if x.shape != shape or v.shape != shape or weights.shape != shape[:1] or len(trials) != shape[0]:
        raise ConfigurationError(f"x, v must have shape {shape}, weights and trials {shape[:1]}")
    if not (np.isfinite(x).all() and np.isfinite(v).all() and np.isfinite(weights).all()):
        raise ConfigurationError("x, v and weights must be finite numbers, got NaN or infinity")
    if not (weights >= 0).all():
        raise ConfigurationError(f"weights must be at least 0, got {weights.min()}")
    first, second, third = (np.ascontiguousarray(part, dtype=dtype) for part in (x, v, weights))
    return first, second, third


NOT_RECORDED = "adds no privacy noise and promises nothing"
