"""Trials of the level smoke: enough for what they are there to show, and not many times as many."""

from __future__ import annotations

import math
from functools import cache

import pytest

from dpaudit.audit.game import decide
from dpaudit.content import loading, places
from dpaudit.estimators import power
from dpaudit.records.mechanism import Gaussian, Mechanism, SelfComposed
from dpaudit.records.privacy import GaussianDP
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome
from dpaudit.runs import budget

ALPHA = budget.DEFAULT_TOTAL / 500 / 2
"""Of the counts: half of the share of one test in a run of everything, which has about 500 at smoke."""
ENOUGH = 50_000
"""Trials a side that catch nine tenths of the noise of a claim of 1-GDP nine times in ten."""
LONGER = ("discrete/float-grid", "dpaudit/gaussian-mechanism")
"""The one looks at single bits, the other is quick enough to say how tight an audit can be."""


def mu_of(mechanism: Mechanism | None) -> float | None:
    """The Gaussian DP of a Gaussian mechanism or of several of one kind."""
    if isinstance(mechanism, SelfComposed) and isinstance(mechanism.mechanism, Gaussian):
        return math.sqrt(mechanism.count) / mechanism.mechanism.noise_multiplier
    return 1 / mechanism.noise_multiplier if isinstance(mechanism, Gaussian) else None


@cache
def played() -> dict[str, Target]:
    """The targets of dpaudit's own code that play a game of fixed length on two data sets."""
    items = loading.load_targets([places.shipped_folder("audits")])
    own = [item.record for item in items if "third_party" not in item.path.parts]
    return {t.name: t for t in own if t.trials is not None and not t.canaries and not t.early_stop}


WRONG = [name for name, t in played().items() if t.expects is Outcome.REFUTED and mu_of(t.truth) is not None]
RIGHT = [name for name, t in played().items() if name not in LONGER
         and t.expects is Outcome.CONSISTENT and isinstance(t.claim.guarantee, GaussianDP) and t.claim.guarantee.mu == 1
         and t.trials is not None and t.trials.smoke >= ENOUGH]  # fmt: skip


def test_there_is_something_to_ask() -> None:
    assert len(WRONG) > 20
    assert len(RIGHT) > 15


@pytest.mark.parametrize("name", WRONG)
def test_a_violation_of_known_size_is_missed_once_in_ten_thousand_smoke_runs_at_most(name: str) -> None:
    target = played()[name]
    mu = mu_of(target.truth)
    assert mu is not None
    assert target.trials is not None
    guarantee = decide.decided_guarantee(target)
    assert power.refutes(mu, guarantee, target.trials.smoke, ALPHA, power=1 - 1e-4)


@pytest.mark.parametrize("name", RIGHT)
def test_smoke_has_the_trials_that_see_a_tenth_of_the_noise_gone_and_no_more(name: str) -> None:
    target = played()[name]
    assert target.trials is not None
    assert target.trials.smoke == ENOUGH
    guarantee = decide.decided_guarantee(target)
    assert power.refutes(1 / 0.9, guarantee, target.trials.smoke, ALPHA)
    assert not power.refutes(1 / 0.9, guarantee, ENOUGH // 2, ALPHA)
