"""Accounts: stated epsilons against enclosures, readings of one state, broken contracts, the tier in an audit."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit import accounts, tiers
from dpaudit.audit.accounts import Account
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, Laplace, Mechanism, PureDP, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target
from dpaudit.records.verdict import Basis, Outcome

ADDED = Neighbours.ADD_OR_REMOVE
TRUE = gaussian_epsilon(1e-5, 1.0)
TARGET = Target(
    name="third-party/accountant",
    title="an accountant",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(ApproximateDP(math.inf, 0.0), ADDED, delta=1e-5, source="stated by the accountant"),
    trials=None,
    effect="what is stated is too small",
)


def outcomes(*given: Account) -> list[Outcome]:
    return [finding.outcome for finding in accounts.examine(given, ADDED)]


def audit(*given: Account) -> tiers.Verdict:
    return tiers.audit(audit_of(SimpleNamespace(accounts=lambda: iter(given)), TARGET), Context(1, Level.SMOKE, 1e-6))


@pytest.mark.parametrize(
    ("epsilon", "expected"),
    [
        (TRUE, Outcome.CONSISTENT),
        (TRUE * 1.5, Outcome.CONSISTENT),
        (math.inf, Outcome.CONSISTENT),
        (TRUE * (1 - 1e-7), Outcome.CONSISTENT),  # the rounding of an accountant
        (TRUE * (1 - 1e-4), Outcome.REFUTED),
        (0.0, Outcome.REFUTED),
        (-1.0, Outcome.REFUTED),
    ],
)
def test_a_stated_epsilon_must_not_be_below_the_true_one(epsilon: float, expected: Outcome) -> None:
    assert outcomes(Account("one release", Gaussian(1.0), 1e-5, epsilon)) == [expected]


def test_the_witness_has_both_numbers() -> None:
    [finding] = accounts.examine([Account("one release", Gaussian(1.0), 1e-5, 3.0)], ADDED)
    numbers = dict(finding.numbers)
    assert numbers["epsilon_stated"] == 3.0
    assert numbers["epsilon_lower"] == pytest.approx(TRUE, rel=1e-9)
    assert "is stated at delta 1e-05, it is at least 4.37" in finding.detail


@pytest.mark.parametrize(
    ("mechanism", "epsilon"), [(Laplace(1.0), 1.0), (PureDP(0.5), 0.5), (SelfComposed(PureDP(0.25), 4), 1.0)]
)
def test_pure_promises_are_held_against_the_worst_mechanism_that_keeps_them(
    mechanism: Mechanism, epsilon: float
) -> None:
    assert outcomes(Account("spends", mechanism, 0.0, epsilon)) == [Outcome.CONSISTENT]
    assert outcomes(Account("spends", mechanism, 0.0, 0.99 * epsilon)) == [Outcome.REFUTED]


def test_roundings_around_zero_are_no_refutation() -> None:
    nothing = Gaussian(1e9)  # epsilon 0 at delta 1e-5
    assert outcomes(Account("nothing", nothing, 1e-5, -1e-12)) == [Outcome.CONSISTENT]
    assert outcomes(Account("nothing", nothing, 1e-5, -1e-6)) == [Outcome.REFUTED]


def test_below_the_smallest_delta_nothing_is_called_enough() -> None:
    [finding] = accounts.examine([Account("nearly pure", Gaussian(1.0), 1e-13, 10.0)], ADDED)
    assert finding.outcome is Outcome.CONSISTENT
    assert "not shown to be too small: 7.23849 or more is true" in finding.detail
    [finding] = accounts.examine([Account("at 1e-5", Gaussian(1.0), 1e-5, 10.0)], ADDED)
    assert "and enough: 4.37718 is true" in finding.detail


def test_a_finite_epsilon_of_gaussian_noise_at_delta_0_is_refuted() -> None:
    """At delta 0 itself the truth is known: Laplace noise has an epsilon there, Gaussian noise has none."""
    [finding] = accounts.examine([Account("as pure", Gaussian(1.0), 0.0, 10.0)], ADDED)
    assert finding.outcome is Outcome.REFUTED
    assert "it is at least inf: Gaussian noise keeps no epsilon at delta = 0" in finding.detail
    [finding] = accounts.examine([Account("as pure", Laplace(1.0), 0.0, 1.0)], ADDED)
    assert "and enough: 1 is true" in finding.detail


def test_what_cannot_be_enclosed_is_not_run() -> None:
    sampled = FixedSizeSampled(2, 10, Gaussian(1.0))  # has no meaning where records are added or removed
    [finding] = accounts.examine([Account("a sample", sampled, 1e-5, 0.0)], ADDED)
    assert finding.outcome is Outcome.NOT_RUN
    assert "Fixed" in finding.detail or "replace" in finding.detail


def test_a_reading_must_not_change_the_state() -> None:
    same = Account("10 steps", Gaussian(1.0), 1e-5, TRUE)
    more = Account("10 steps", Gaussian(1.0), 1e-5, TRUE + 0.5)
    assert outcomes(same, same) == [Outcome.CONSISTENT] * 3
    assert outcomes(same, more) == [Outcome.CONSISTENT, Outcome.CONSISTENT, Outcome.REFUTED]
    assert "when read again" in accounts.examine([same, more], ADDED)[-1].detail


@pytest.mark.parametrize("other", [Account("x", Gaussian(2.0), 1e-5, 9.0), Account("x", Gaussian(1.0), 1e-6, 9.0)])
def test_one_label_for_two_states_is_refused(other: Account) -> None:
    with pytest.raises(ContentError, match="readings of one state"):
        accounts.examine([Account("x", Gaussian(1.0), 1e-5, 9.0), other], ADDED)


@pytest.mark.parametrize("given", [[], [3.0], [("x", Gaussian(1.0), 1e-5, 1.0)]])
def test_what_is_no_account_is_refused(given: list[object]) -> None:
    with pytest.raises(ContentError, match=r"must yield dpaudit.audit.accounts.Account"):
        accounts.examine(given, ADDED)  # type: ignore[arg-type]


@pytest.mark.parametrize(("delta", "epsilon"), [(1.0, 1.0), (-0.1, 1.0), (math.nan, 1.0), (0.1, math.nan)])
def test_an_account_needs_numbers_in_range(delta: float, epsilon: float) -> None:
    with pytest.raises(ContentError, match="account 'x'"):
        Account("x", Gaussian(1.0), delta, epsilon)


def test_an_audit_of_an_accountant() -> None:
    right = audit(Account("one release", Gaussian(1.0), 1e-5, 4.4))
    assert (right.outcome, right.basis) == (Outcome.CONSISTENT, Basis.SEARCH)
    assert right.statement.startswith("every epsilon that is stated covers")
    wrong = audit(Account("fine", Gaussian(1.0), 1e-5, 4.4), Account("one release", Gaussian(1.0), 1e-5, 2.0))
    assert wrong.outcome is Outcome.REFUTED
    assert dict(wrong.witness)["one release: epsilon_stated"] == 2.0
    assert [e.engine for e in wrong.evidence] == ["accounts", "accounts"]
    assert wrong.effect == TARGET.effect
    assert not tiers.planned_tests(audit_of(SimpleNamespace(accounts=lambda: ()), TARGET))


def test_an_accountant_without_accounts_breaks_its_contract() -> None:
    assert audit().outcome is Outcome.ERROR
