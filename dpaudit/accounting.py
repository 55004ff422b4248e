"""The epsilon of a mechanism or of a guarantee, through the accountants of `dp-accounting`.

Directions of rounding: `epsilon_bounds` encloses the epsilon between the optimistic and the
pessimistic privacy loss distribution; a claim takes the upper end, so that an audit is never
refuted by the accountant's rounding. Compositions of Gaussian mechanisms alone are mu-GDP with
mu^2 = sum of 1 / noise_multiplier^2 (Dong, Roth, Su 2022, corollary 3.3), whose epsilon the
package knows up to a root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from dpaudit.errors import ContentError, MissingPackageError
from dpaudit.mechanism import Composed, Constant, Gaussian, Laplace, Mechanism, PoissonSampled, SelfComposed
from dpaudit.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours

_DISCRETISATION = 1e-4
"""Width of the grid of privacy losses; the enclosure shrinks with it."""


@dataclass(frozen=True)
class EpsilonBounds:
    """lower <= epsilon <= upper; both equal (to 1e-9) where the epsilon is known up to a root."""

    lower: float
    upper: float


def gaussian_parameter(mechanism: Mechanism) -> float | None:
    """mu of a composition of Gaussian mechanisms (0 for constants), None for any other mechanism."""
    if isinstance(mechanism, Constant):
        return 0.0
    if isinstance(mechanism, Gaussian):
        return 1 / mechanism.noise_multiplier
    if isinstance(mechanism, SelfComposed):
        part = gaussian_parameter(mechanism.mechanism)
        return None if part is None else part * math.sqrt(mechanism.count)
    if isinstance(mechanism, Composed):
        parts = [gaussian_parameter(part) for part in mechanism.mechanisms]
        known = [part for part in parts if part is not None]
        return math.hypot(*known) if len(known) == len(parts) else None
    if isinstance(mechanism, PoissonSampled) and mechanism.rate == 1:
        return gaussian_parameter(mechanism.mechanism)
    return None


def gaussian_epsilon(delta: float, mu: float) -> float:
    """The smallest epsilon >= 0 such that mu-GDP implies (epsilon, delta)-DP; 0 < delta < 1, mu >= 0.

    Raises MissingPackageError without dp-accounting, ContentError for a delta or mu out of range.
    """
    if not 0 < delta < 1:
        raise ContentError(f"delta must be in (0, 1), got {delta}")
    if not 0 <= mu < math.inf:
        raise ContentError(f"mu must be finite and at least 0, got {mu}")
    return float(_package().get_epsilon_gaussian(1 / mu, delta)) if mu > 0 else 0.0


def epsilon_bounds(mechanism: Mechanism, delta: float, neighbours: Neighbours) -> EpsilonBounds:
    """An enclosure of the epsilon of `mechanism` at `delta`, in (0, 1).

    Exact for compositions of Gaussian mechanisms; else by privacy loss distributions. Raises
    MissingPackageError without dp-accounting, ContentError for a mechanism that its accountant
    cannot treat under `neighbours`.
    """
    if not 0 < delta < 1:
        raise ContentError(f"delta must be in (0, 1), got {delta}")
    mu = gaussian_parameter(mechanism)
    if mu is not None:
        epsilon = gaussian_epsilon(delta, mu)
        return EpsilonBounds(epsilon, epsilon)
    _refuse_sampled_replacement(mechanism, neighbours)
    return EpsilonBounds(
        _loss_distribution(mechanism, pessimistic=False).get_epsilon_for_delta(delta),
        _loss_distribution(mechanism, pessimistic=True).get_epsilon_for_delta(delta),
    )


def claimed_epsilon(guarantee: Guarantee, delta: float) -> float:
    """The epsilon that `guarantee` promises at `delta`, rounded up; infinite where it promises nothing.

    RDP is converted by dp-accounting (Canonne, Kamath, Steinke 2020, proposition 12), which
    raises MissingPackageError when absent.
    """
    if isinstance(guarantee, ApproximateDP):
        return guarantee.epsilon if delta >= guarantee.delta else math.inf
    if isinstance(guarantee, GaussianDP):
        return gaussian_epsilon(delta, guarantee.mu)
    epsilon, _ = _package().rdp.compute_epsilon([guarantee.order], [guarantee.epsilon], delta)
    return float(epsilon)


def _package() -> Any:
    try:
        import dp_accounting
    except ImportError as error:
        raise MissingPackageError("dp-accounting", "accountants") from error
    return dp_accounting


def _refuse_sampled_replacement(mechanism: Mechanism, neighbours: Neighbours) -> None:
    """Replacing a record moves two sampling decisions, which a sampled sensitivity of one does not describe."""
    if isinstance(mechanism, PoissonSampled) and neighbours is Neighbours.REPLACE_ONE:
        raise ContentError("Poisson sampling is accounted for add-or-remove and zero-out only, got replace-one")
    parts = mechanism.mechanisms if isinstance(mechanism, Composed) else ()
    parts = (mechanism.mechanism,) if isinstance(mechanism, SelfComposed | PoissonSampled) else parts
    for part in parts:
        _refuse_sampled_replacement(part, neighbours)


def _loss_distribution(mechanism: Mechanism, pessimistic: bool, rate: float = 1.0) -> Any:
    distributions = _package().pld.privacy_loss_distribution
    options = {"value_discretization_interval": _DISCRETISATION, "pessimistic_estimate": pessimistic}
    dots = {"use_connect_dots": pessimistic}  # the tighter discretisation exists for upper bounds only
    if isinstance(mechanism, Gaussian):
        return distributions.from_gaussian_mechanism(mechanism.noise_multiplier, sampling_prob=rate, **options, **dots)
    if isinstance(mechanism, Laplace):
        return distributions.from_laplace_mechanism(mechanism.noise_multiplier, sampling_prob=rate, **options, **dots)
    if isinstance(mechanism, PoissonSampled) and isinstance(mechanism.mechanism, Gaussian | Laplace) and rate == 1:
        return _loss_distribution(mechanism.mechanism, pessimistic, mechanism.rate)
    if rate != 1 or isinstance(mechanism, PoissonSampled):
        raise ContentError("only a Poisson sample of one Gaussian or Laplace mechanism can be accounted")
    if isinstance(mechanism, SelfComposed):
        return _loss_distribution(mechanism.mechanism, pessimistic).self_compose(mechanism.count)
    whole = distributions.identity(**options)
    for part in mechanism.mechanisms if isinstance(mechanism, Composed) else ():
        whole = whole.compose(_loss_distribution(part, pessimistic))
    return whole
