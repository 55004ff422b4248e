"""The pairs that bets are said to need, against bets that are really made."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, kstest, norm

from dpaudit.estimators import betting_power
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.rank_power import gaussian_law, laplace_law
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP

ALPHA = 1e-4


def test_the_stated_pairs_catch_the_mechanism() -> None:
    """40 games of which 0.9 are said to be caught: fewer than 24 have probability below 1e-6."""
    assert binom.cdf(23, 40, 0.9) < 1e-6
    claim, law = ApproximateDP(1.0, 0.0), laplace_law(2.0)
    pairs, caught = betting_power.pairs_needed(law, claim, ALPHA), 0
    for seed in range(40):
        rng = np.random.default_rng([seed, 5])
        bets = BettingTest((claim,), ALPHA)
        bets.update(rng.laplace(size=pairs) + 2.0, rng.laplace(size=pairs))
        caught += bool(bets.refuted[0])
    assert 24 <= caught < 40  # not far more than asked for, by these fixed seeds


def test_a_mechanism_that_keeps_the_claim_is_given_up_on() -> None:
    with pytest.raises(ContentError, match="1,000,000 pairs do not suffice"):
        betting_power.pairs_needed(gaussian_law(0.5), GaussianDP(0.5), ALPHA)


@pytest.mark.parametrize("law", [gaussian_law(0.7), laplace_law(1.5)])
def test_scores_have_the_roc_curve_of_the_law(law: object) -> None:
    """By the test of Kolmogorov and Smirnov at 1e-6."""
    positive, negative = betting_power._scores(law, np.random.default_rng(1), 20_000)  # type: ignore[arg-type]
    assert kstest(negative, "norm").pvalue > 1e-6

    def distribution(at: np.ndarray) -> np.ndarray:
        return 1 - law.shape.value(norm.sf(at))  # type: ignore[attr-defined, no-any-return]

    assert kstest(positive, distribution).pvalue > 1e-6
