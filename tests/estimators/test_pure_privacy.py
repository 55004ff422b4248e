"""Bounds and decisions at delta 0: how often they are wrong where the truth is known and met with equality.

Each count of errors is held against the binomial tail of 1e-6 over the number of counts: the false alarm of this file
is at most 1e-6. All seeds are fixed.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.audit.game import decide
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

AUDITS, TRIALS, ALPHA = 300, 300, 0.1
LAWS = ("Laplace", "randomised response")
PURE = ("held_out_threshold", "pooled_guesses", "nested_guesses", "hockey_stick")
"""Estimators that bound the epsilon of pure DP and have a promise to keep; some others do too, more slowly."""
SLOW = {"rank_test": 10, "joint_binomial": 10, "betting": 10, "simultaneous_band": 10}
"""Audits of each."""
OTHERS = ("conditional_gaussian", "renyi_lower")
COUNTS = len(LAWS) * (len(PURE) + len(SLOW) + 1)


def sides(law: str, rng: np.random.Generator, epsilon: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Scores of a mechanism of exactly this epsilon."""
    if law == "Laplace":
        return rng.laplace(epsilon, 1, TRIALS), rng.laplace(0, 1, TRIALS)
    truth = rng.random((2, TRIALS)) < 1 / (1 + np.exp(-epsilon))
    return truth[0].astype(float), 1.0 - truth[1]


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", [*PURE, *SLOW])
def test_bounds_exceed_the_truth_no_more_often_than_stated(name: str, law: str) -> None:
    module = importlib.import_module(f"dpaudit.estimators.{name}")
    audits = SLOW.get(name, AUDITS)
    wrong, useful = 0, 0.0
    for seed in range(audits):
        rng = np.random.default_rng([seed, LAWS.index(law)])
        found = module.lower_bound(*sides(law, rng), 0.0, ALPHA, rng).epsilon_lower
        wrong += found > 1.0
        useful += found / audits
    assert wrong <= binom.isf(1e-6 / (COUNTS), audits, ALPHA)
    assert useful > 0.2


@pytest.mark.deep
@pytest.mark.parametrize("law", LAWS)
def test_a_claim_of_pure_privacy_that_holds_is_refuted_no_more_often_than_stated(law: str) -> None:
    stated = PrivacyClaim(ApproximateDP(1.0, 0.0), Neighbours.ADD_OR_REMOVE, 0.0, "the test")
    target = Target("test/pure", "pure", View.TRANSCRIPT, stated, TrialPlan(TRIALS, TRIALS, TRIALS))
    wrong = caught = 0
    for seed in range(40):
        rng = np.random.default_rng([seed, 7])
        for epsilon in (1.0, 2.5):
            found = decide.judge(target, split(*sides(law, rng, epsilon)), stated.guarantee, ALPHA, rng)
            wrong += found.decision.refuted and epsilon == 1.0
            caught += found.decision.refuted and epsilon > 1.0
    assert wrong <= binom.isf(1e-6 / (COUNTS), 40, ALPHA)
    assert caught >= 30


@pytest.mark.parametrize("name", OTHERS)
def test_estimators_without_a_word_on_pure_privacy_say_so(name: str) -> None:
    module = importlib.import_module(f"dpaudit.estimators.{name}")
    scores, rng = np.linspace(0, 1, 50), np.random.default_rng(0)
    with pytest.raises(ContentError, match="says nothing of pure DP"):
        module.lower_bound(scores, scores, 0.0, ALPHA, rng)
