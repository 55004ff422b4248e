"""Planted accountants: the broken ones state too little, the others do not, and each case tells its own numbers."""

from __future__ import annotations

import math

import pytest

from dpaudit.accounting.epsilon import epsilon_bounds, gaussian_epsilon
from dpaudit.audit.planted import accountants
from dpaudit.audit.planted.accountant_targets import CASES, Twins
from dpaudit.records.target import Tier

QUICK = [case for case in CASES if case.slug not in ("fixed-size-as-poisson", "central-limit")]
"""Enclosures of samples take seconds; tests/content/audits/test_known_bad.py has them."""


def smallest_ratio(case: Twins, broken: bool) -> float:
    """Stated over true epsilon, from above."""
    return min(
        stated / epsilon_bounds(mechanism, max(delta, 1e-12), case.relation).lower
        for _, mechanism, delta, stated in case.accountant(broken)
    )


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.slug)
def test_only_the_broken_form_states_too_little(case: Twins) -> None:
    assert smallest_ratio(case, broken=True) < 0.999
    assert smallest_ratio(case, broken=False) > 1 - 1e-6


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
def test_both_targets_say_what_they_are(case: Twins) -> None:
    bad, good = case.target(broken=True), case.target(broken=False)
    assert bad.repair == good.name
    assert bad.bug is not None
    assert (bad.bug.tier, bad.bug.cost) == (Tier.ACCOUNTS, case.accounts)
    assert good.bug is None
    assert len({case.slug for case in CASES}) == len(CASES)


def test_the_cost_is_the_number_of_accounts() -> None:
    for case in QUICK:
        assert len(list(case.accountant(True))) == case.accounts


def test_the_analytic_scale_is_that_of_the_mechanism() -> None:
    for label, mechanism, delta, stated in accountants.wrong_sign(broken=False):
        exact = gaussian_epsilon(delta, 1 / mechanism.noise_multiplier)  # type: ignore[union-attr]
        assert exact == pytest.approx(stated, rel=1e-5), label
        assert exact <= stated


def test_orders_near_one_are_lost_by_the_logarithm() -> None:
    order, scale = 1 + 2.0**-51, 2.0
    assert math.log(math.exp(order * (order - 1) / (2 * scale**2))) == 0.0
    [(_, _, _, stated)] = accountants.orders_near_one(broken=True)
    assert stated == 0.0
