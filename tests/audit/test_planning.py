"""Trials from tables against the power calculation that they were made with."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit import planning
from dpaudit.estimators import power
from dpaudit.estimators.clopper_pearson import excess, rate_lower, rate_upper
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, PrivacyProfile, claim

ALPHA = 5e-5
"""What a share of 1e-4 leaves for the counts."""


@pytest.mark.parametrize("mu", [0.013, 0.05, 0.3, 1.0, 1.7, 3.3, 7.0])
def test_gaussian_claims_have_the_trials_of_the_power_calculation(mu: float) -> None:
    planned = planning._look_up(planning.GAUSSIAN, mu)
    for trials, factor in zip(planned, planning.FACTORS, strict=True):
        needed = power.trials_needed(mu / factor, claim(mu=mu).guarantee, ALPHA)
        assert 0.9 * needed <= trials <= 1.5 * needed


def laplace_refutes(epsilon: float, factor: float, trials: int) -> bool:
    """The calculation of `power.refutes` for a Laplace mechanism of epsilon/factor against a claim of epsilon."""
    cuts, shift = np.linspace(-10, 10 + epsilon / factor, 801), epsilon / factor
    upper = np.where(cuts > 0, np.exp(-np.abs(cuts)) / 2, 1 - np.exp(-np.abs(cuts)) / 2)
    lower = np.where(cuts < shift, np.exp(-np.abs(cuts - shift)) / 2, 1 - np.exp(-np.abs(cuts - shift)) / 2)
    counted = int(power.FOUND * power.counted_trials(trials))
    false, missed = (power._quantile(0.95, counted, rate) for rate in (upper, lower))
    bounds = rate_upper(false, counted, ALPHA / 2), rate_lower(counted - missed, counted, ALPHA / 2)
    return bool(np.any(excess(*bounds, ApproximateDP(epsilon, 0.0)) > 0))


@pytest.mark.parametrize("epsilon", [0.05, 0.4, 1.0, 2.5, 7.0])
def test_pure_claims_have_the_trials_that_catch_a_laplace_mechanism(epsilon: float) -> None:
    for trials, factor in zip(planning._look_up(planning.LAPLACE, epsilon), planning.FACTORS, strict=True):
        assert laplace_refutes(epsilon, factor, int(1.15 * trials))
        assert not laplace_refutes(epsilon, factor, trials // 2)


@pytest.mark.parametrize("stated", [claim(mu=1.0), claim(epsilon=5.0), claim(mu=1.5), claim(epsilon=3.0)])
def test_smoke_trials_can_show_more_than_the_claim(stated: PrivacyClaim) -> None:
    plan, guarantee = planning.trials(stated), stated.guarantee
    epsilon = gaussian_epsilon(stated.delta, guarantee.mu) if hasattr(guarantee, "mu") else guarantee.epsilon
    assert power.limit_of_detection(plan.smoke, ALPHA, stated.delta) > epsilon
    assert plan.smoke <= plan.standard
    assert plan.deep == 10 * plan.standard


def test_a_claimed_mechanism_makes_a_point_a_curve() -> None:
    point = claim(epsilon=gaussian_epsilon(1e-5, 1.0), delta=1e-5)
    assert planning.trials(point, Gaussian(1.0)) == planning.trials(claim(mu=1.0))
    assert planning.trials(point).smoke == planning.UNCERTAIN
    assert planning.trials(point, most=2_000).smoke == 2_000
    assert planning.trials(point, most=2_000).standard == 20_000


def test_random_batches_take_more_trials_than_the_gaussian_curve_of_the_same_epsilon() -> None:
    point, whole = claim(epsilon=3.0, delta=1e-5), SelfComposed(Gaussian(1.0), 4)
    plain, batches = planning.trials(point, whole), SelfComposed(PoissonSampled(0.25, Gaussian(1.0)), 4)
    for sampled in (batches, Composed((whole, batches))):
        assert planning.trials(point, sampled).smoke == math.ceil(1.5 * plain.smoke)
        assert planning.trials(point, sampled).standard == 2 * plain.standard
    assert planning.trials(point, Composed((whole, whole))) == plain


@pytest.mark.parametrize("mu", [0.1, 1.0, 5.0])
def test_the_parameter_of_the_gaussian_curve_inverts_its_epsilon(mu: float) -> None:
    epsilon = gaussian_epsilon(1e-5, mu)
    assert planning.gaussian_mu(epsilon, 1e-5) == pytest.approx(mu, rel=1e-6)


@pytest.mark.parametrize("nothing", [claim(mu=0.0), claim(epsilon=0.0), claim(epsilon=math.inf)])
def test_claims_without_a_number_of_trials_ask_for_one(nothing: PrivacyClaim) -> None:
    with pytest.raises(ConfigurationError, match="give trials=TrialPlan"):
        planning.trials(nothing)


def test_other_guarantees_have_a_plan_too() -> None:
    profile = PrivacyProfile(((2.0, 1e-6), (1.0, 1e-3)), "a curve")
    assert planning.trials(PrivacyClaim(profile, Neighbours.REPLACE_ONE, 1e-5, "")).smoke == planning.UNCERTAIN
