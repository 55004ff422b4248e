"""The noisy histogram: the law of its noise, and that the wrong scale is caught."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kstest, laplace

from dpaudit.audit import tiers
from dpaudit.audit.planted import histogram
from dpaudit.content.loading import load_targets
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

AUDITS = Path(__file__).parents[3] / "audits"
CORRECT, WRONG_SCALE = (item.carrier for item in load_targets([AUDITS / "mechanisms" / "histogram.py"]))
TRIALS = Trials(Stream(3, "histogram"), np.arange(5000))


@pytest.mark.parametrize(("release", "scale"), [(histogram.correct, 4.0), (histogram.wrong_scale, 0.25)])
def test_the_noise_is_laplace_of_the_stated_scale(release: object, scale: float) -> None:
    """At epsilon 1/4, every count on its own; false alarm 1e-8."""
    noisy = release(np.array([3.0, 10.0]), 0.25, TRIALS)  # type: ignore[operator]
    assert noisy.shape == (5000, 2)
    noise = (noisy - [3.0, 10.0]).ravel()
    assert kstest(noise, laplace(scale=scale).cdf).pvalue > 1e-8
    assert abs(np.corrcoef(noise[::2], noise[1::2])[0, 1]) < 0.09  # six standard errors


def test_no_counts() -> None:
    assert histogram.correct(np.zeros(0), 1.0, TRIALS).shape == (5000, 0)


def test_the_wrong_scale_is_refuted_with_10_000_runs_a_side() -> None:
    """At alpha 0.05; seeds are fixed."""
    target = replace(WRONG_SCALE.target, trials=TrialPlan(10_000, 10_000, 10_000))
    assert tiers.audit(replace(WRONG_SCALE, target=target), Context(0, Level.SMOKE, 0.05)).outcome is Outcome.REFUTED


def test_the_correct_form_is_not_refuted() -> None:
    """False alarm 1e-6; the bound must come near the true epsilon of 1/2."""
    verdict = tiers.audit(CORRECT, Context(0, Level.SMOKE, 1e-6))
    assert verdict.outcome is Outcome.CONSISTENT
    assert 0.4 < dict(verdict.numbers)["epsilon_lower_95"] <= 0.5
