"""The noise that the algorithms in `dpaudit.algorithms` declare, step by step; which are recorded, and which are not.

`recording_steps` reads these tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Factor = Callable[[Any, int, Any, int], Array]
"""(params, step, draw, columns) -> A: the release of this step carries the noise A xi, xi standard normal."""


def _scaled(scale: Callable[[Any, int], float]) -> Factor:
    """The same independent noise on every column."""
    return lambda params, t, draw, columns: scale(params, t) * np.eye(columns)


def _columns(first: int, count: int, columns: int) -> Array:
    return np.eye(columns)[:, first : first + count]


def _dp_skgd(params: Any, t: int, draw: Any, columns: int) -> Array:
    count = int(params.sampler.sizes[draw.sets])
    return np.asarray(params.deviations[draw.sets] * _columns(1, count, columns))


def _dpzero(params: Any, t: int, draw: Any, columns: int) -> Array:
    scale, d = params.step_size * params.noise, len(params.start)
    if params.noise_kind == "isotropic":
        return np.asarray(scale * _columns(0, d, columns))
    return np.asarray(scale * _columns(0, d, columns) @ params.sampler.frame(draw.directions).T)


def _noisy_zogd(params: Any, t: int, draw: Any, columns: int) -> Array:
    (along, across), d = params.deviations(t), len(params.start)
    frame = params.sampler.frame(draw.directions)
    return np.asarray(_columns(0, d, columns) @ np.hstack([along * frame.T, across * np.eye(d)]))


NOISE: dict[str, Factor] = {
    "accelerated_dp_srgd": _scaled(lambda params, t: params.noise * params.mixing[t, t]),
    "coordinate_gaussian": lambda params, t, draw, columns: params.noise * np.diag(params.chosen),
    "dp_cd": lambda params, t, draw, columns: params.noise_scales[draw.coordinates] * _columns(1, 1, columns),
    "dp_ftrl": _scaled(lambda params, t: params.noise * params.mixing[t, t]),
    "dp_gd": _scaled(lambda params, t: params.noise),
    "dp_sgd": _scaled(lambda params, t: params.noise),
    "dp_skgd": _dp_skgd,
    "dp_srm": _scaled(lambda params, t: params.noise_at(t)),
    "dp_svrg": _scaled(lambda params, t: params.noise),
    "dpzero": _dpzero,
    "independent_gradients": _scaled(lambda params, t: params.weights[t] * params.noise),
    "noisy_zogd": _noisy_zogd,
    "online_to_batch": _scaled(lambda params, t: params.noise * params.mixing[t, t]),
    "phased_sgd": _scaled(lambda params, t: params.noise * params.lipschitz * params.step_sizes[t]),
    "prefix_noise": _scaled(lambda params, t: params.noise * params.mixing[t, t]),
    "rrpsgd": _scaled(lambda params, t: params.noise),
    "unaccelerated_dp_srgd": _scaled(lambda params, t: params.noise * params.mixing[t, t]),
}
"""The algorithms that are covered, and the noise that their parameters declare."""

PRIVATE_STATE = {
    "accelerated_dp_srgd": (5, (3,)),
    "dp_svrg": (4, (2,)),
    "online_to_batch": (4, (2,)),
    "prefix_noise": (2, (0,)),
    "unaccelerated_dp_srgd": (3, (1,)),
}
"""Of how many equal parts a state consists, and which of them are sums without noise that never leave."""

_NO_NOISE = "adds no privacy noise and promises nothing"
_PHASES = "calls sub_erm, and adds no noise of its own"

NOT_COVERED = {
    "ac_sa": _NO_NOISE,
    "aggregate": _NO_NOISE,
    "ball_acceleration": _NO_NOISE,
    "ball_iteration": _NO_NOISE,
    "bias_reduced_prox": _PHASES,
    "dp_agd": "chooses its step sizes by a noisy minimum, whose scores it does not release; the noise of its gradient "
    "copies depends on those choices",
    "epoch_sgd": _NO_NOISE,
    "hidden_state_couplings": "two coupled runs of noisy_zogd for a proof; the release is that of noisy_zogd",
    "high_probability_erm": _PHASES,
    "lambda_search": _NO_NOISE,
    "non_private_prox": _NO_NOISE,
    "parallel_solver": _NO_NOISE,
    "private_erm": _PHASES,
    "private_regularised_erm": _PHASES,
    "private_sco": _PHASES,
    "randomised_smoothing": _NO_NOISE,
    "resque_estimate": _NO_NOISE,
    "resque_pool": _NO_NOISE,
    "skgd": _NO_NOISE,
    "storm": _NO_NOISE,
    "sub_erm": "its averages have no sensitivity that holds for every draw: theirs is bounded on an event only",
    "sub_erm_strongly_convex": _PHASES,
    "two_point_estimator": _NO_NOISE,
    "zogd": _NO_NOISE,
}
"""The other algorithms, and why."""
