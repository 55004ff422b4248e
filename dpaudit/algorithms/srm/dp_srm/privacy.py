"""What DP-SRM promises: sensitivities, exact composition, and the paper's own accounting beside it.

Source: Wang, Jayaraman, Evans, Gu (2023), theorem 5.1 and lemma 3.7 with the proofs of the supplement.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, FixedSizeSampled, Gaussian, Mechanism, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View

if TYPE_CHECKING:
    from dpaudit.algorithms.srm.accounting.calibration import Setting, SrmEpsilon
    from dpaudit.algorithms.srm.dp_srm.params import Params


def sensitivities(params: Params) -> tuple[float, float]:
    """(Delta_0, Delta_t) = (2 G/b0, 2 ((1 - gamma) zeta/n0 + gamma G)/b), theorem 5.1, steps s2 and s11.

    With clipping C1 and C2 stand for G and zeta/n0. Without, the constant step rule has no longest step: the
    difference of a record's gradients is then at most 2 G.
    """
    largest, drift = scales(params)
    later = 2 * ((1 - params.momentum) * drift + params.momentum * largest) / params.batch
    return 2 * largest / params.first_batch, later


def scales(params: Params) -> tuple[float, float]:
    """Bounds on a record's gradient, and on the difference of its gradients at theta^t and theta^{t-1}."""
    if params.clips is not None:
        return params.clips
    if params.step_rule == "constant":
        return params.lipschitz, 2 * params.lipschitz
    return params.lipschitz, params.accuracy / params.divisor


def promise(params: Params) -> Promise:
    """What the transcript promises when one record is replaced: T Gaussian mechanisms on hidden uniform subsets.

    The sensitivity behind each is that of a batch one of whose records is replaced. Without clipping it rests on
    the supplement's G and L. Raises ConfigurationError without noise.
    """
    _require_noise(params)
    first, later = sensitivities(params)
    once = _sampled(params, 0, params.first_noise / first)
    whole: Mechanism = once
    if params.steps > 1:
        whole = Composed((once, SelfComposed(_sampled(params, 1, params.noise / later), params.steps - 1)))
    return Promise(
        whole,
        Neighbours.REPLACE_ONE,
        View.TRANSCRIPT,
        "Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, corrected: exact sampled steps in the place of lemma 3.7",
    )


def _sampled(params: Params, step: int, multiplier: float) -> Mechanism:
    batches = params.batches_at(step)
    if batches.kind == "all records":
        return Gaussian(multiplier)
    return FixedSizeSampled(batches.size, batches.records, Gaussian(multiplier))


def _require_noise(params: Params) -> None:
    if not (params.first_noise > 0 and (params.noise > 0 or params.steps == 1)):
        raise ConfigurationError("first_noise and noise must be above 0 for a promise of privacy; raise them")


def setting_of(params: Params) -> Setting:
    """The public part of a run as `calibration` reads it; with clipping C1 and C2 stand for G and zeta/n0."""
    from dpaudit.algorithms.srm.accounting.calibration import Setting

    largest, drift = scales(params)
    sizes = (params.records, params.steps, params.first_batch, params.batch)
    return Setting(*sizes, lipschitz=largest, momentum=params.momentum, accuracy=drift, divisor=1.0)


def calibrate(
    params: Params, epsilon: float, delta: float, share: float | None = None, rate: str = "each", forced: bool = False
) -> Params:
    """ALG-3: `params` with the noise of (2.3) and (2.5) for (epsilon, delta)-DP, by theorem 5.1.

    share: beta in (0, 1), or None for the one with the least noise among those that meet the conditions of the theorem;
    rate: which tau the conditions mean, "each" or "largest"; forced: take the noise although a condition fails, as
    negative controls do. Raises ConfigurationError where a condition fails, naming it.
    """
    from dpaudit.algorithms.srm.accounting import calibration

    setting = setting_of(params)
    if share is None:
        found = calibration.feasible_shares(setting, epsilon, delta, rate)
        made, message = found.best, str(found)
    else:
        made = calibration.calibrate(setting, epsilon, delta, share, rate)
        message = "; ".join(str(condition) for condition in made.conditions if not condition.holds)
    if not (made.feasible or forced):
        raise ConfigurationError(
            f"theorem 5.1 does not apply for epsilon = {epsilon}, delta = {delta}: {message}; "
            "change steps, records or the batches"
        )
    return replace(params, first_noise=made.first_noise, noise=made.noise)


def claims(params: Params, delta: float, rate: str = "each") -> SrmEpsilon:
    """What lemma 3.7 claims of this run at `delta`, with and without its conditions, and what is true beside it."""
    from dpaudit.algorithms.srm.accounting import calibration

    _require_noise(params)
    return calibration.run_epsilon(setting_of(params), params.first_noise, params.noise, delta, rate)
