"""Planted auditors: what each bug does to one set of scores; how often each is wrong is in tests/audits."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit.planted import auditors
from dpaudit.audit.planted.auditors import CASES, Twins
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper
from dpaudit.records.target import Tier

RNG = np.random.default_rng(11)
EQUAL = RNG.normal(size=(2, 1000))
APART = RNG.normal(size=(2, 1000)) + np.array([[1.0], [0.0]])
DELTA, ALPHA = 1e-5, 0.05


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
def test_the_bug_makes_the_bound_larger(case: Twins) -> None:
    """On scores where it matters: no bug reports less than the correct form, and each reports more somewhere."""
    flipped = (EQUAL[0] - 0.2, EQUAL[1])
    pairs = [(*APART, DELTA), (*EQUAL, DELTA), (*flipped, DELTA), (*APART, 0.2)]
    gains = [case.broken(*pair, ALPHA) - case.correct(*pair, ALPHA) for pair in pairs]
    assert min(gains) > -0.3  # thresholds of two halves differ
    assert max(gains) > 0.02


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
def test_correct_forms_see_a_difference(case: Twins) -> None:
    delta = DELTA if case.twin == "joined-by-name" else 0.01  # one run shows nothing beyond delta 1/canaries
    assert 0.2 < case.correct(*APART, delta, ALPHA) < gaussian_epsilon(delta, 1.0)


def test_the_fixed_threshold_is_two_clopper_pearson_bounds() -> None:
    hits, alarms = (int((scores > 0.5).sum()) for scores in APART)
    expected = np.log((rate_lower(hits, 1000, ALPHA / 2) - DELTA) / rate_upper(alarms, 1000, ALPHA / 2))
    assert auditors.fixed_threshold(*APART, DELTA, ALPHA) == pytest.approx(float(expected))
    doubled = np.log((rate_lower(hits, 1000, 2 * ALPHA) - DELTA) / rate_upper(alarms, 1000, 2 * ALPHA))
    assert auditors.doubled_alpha(*APART, DELTA, ALPHA) == pytest.approx(float(doubled))


def test_the_best_threshold_is_the_largest_of_all() -> None:
    listed = [
        auditors._epsilon(*auditors._rates(*APART, threshold, 2 * ALPHA), DELTA) for threshold in np.concatenate(APART)
    ]
    assert auditors.best_threshold(*APART, DELTA, ALPHA) == pytest.approx(max(listed))


def test_both_targets_say_what_they_are() -> None:
    for case in CASES:
        bad, good = case.target(broken=True), case.target(broken=False)
        assert bad.repair == good.name
        assert bad.bug is not None
        assert (bad.bug.tier, bad.bug.cost) == (Tier.COVERAGE, case.audit(broken=True).repetitions.smoke)
