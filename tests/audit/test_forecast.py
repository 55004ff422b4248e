"""Trials and time before anything is spent."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from canary_trainings import in_order
from depth import repeats

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit import forecast, tiers
from dpaudit.audit.game import decide
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Laplace
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.runs.stages import Stages


def make_target(guarantee: Any = None, **changes: Any) -> Target:
    claim = PrivacyClaim(guarantee or GaussianDP(1.0), Neighbours.REPLACE_ONE, delta=1e-5, source="the test")
    plan = TrialPlan(100, 10_000, 1_000_000)
    return replace(Target("test/shift", "A shifted normal", View.TRANSCRIPT, claim, plan), **changes)


def shift(mu: float) -> Any:
    def run(data: float, trials: Any) -> Any:
        return data + trials.stream.normals(trials.numbers, 0, 1)[:, 0]

    return SimpleNamespace(neighbours=lambda rng: (mu, 0.0), run=run, score=lambda outputs, data, other: outputs)


@pytest.mark.parametrize("mu", [0.1, 1.0, 7.0])
def test_the_mu_of_an_epsilon(mu: float) -> None:
    assert forecast.gaussian_mu(gaussian_epsilon(1e-5, mu), 1e-5) == pytest.approx(mu, rel=1e-5)


@pytest.mark.deep
def test_smaller_violations_need_more_trials_and_time() -> None:
    rows = list(forecast.forecast(audit_of(shift(1.0), make_target()), 1e-4, 1))
    trials = [row.trials for row in rows]
    assert [row.violation for row in rows] == [
        "noise times 0.5",
        "noise times 0.8",
        "noise times 0.9",
        "noise times 0.95",
    ]
    assert all(a is not None and b is not None and a < b for a, b in pairwise(trials))
    assert all(row.seconds is not None and row.seconds > 0 for row in rows)
    assert [row.level for row in rows] == ["standard", "standard", "standard", "deep"]


@pytest.mark.deep
def test_the_forecast_trials_catch_the_violation() -> None:
    """Audits of noise times 0.8 with the forecast trials: at 0.9, so few refuted ones have probability below 1e-6."""
    audits, fewest = repeats(20, 40), repeats(10, 25)
    row = next(
        r for r in forecast.forecast(audit_of(shift(1.0), make_target()), 1e-3, 1) if r.violation == "noise times 0.8"
    )
    assert row.trials is not None
    target = make_target(trials=TrialPlan(row.trials, row.trials, row.trials))
    found = [
        tiers.audit(audit_of(shift(1.25), target), Context(seed, Level.SMOKE, 1e-3)).outcome for seed in range(audits)
    ]
    assert sum(outcome is Outcome.REFUTED for outcome in found) >= fewest


def laplace_sum(epsilon: float) -> Any:
    """Releases a sum of sensitivity 1 with Laplace noise."""

    def run(data: float, trials: Any) -> Any:
        uniform = trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] - 0.5
        return data - np.sign(uniform) * np.log1p(-2 * np.abs(uniform)) / epsilon

    return SimpleNamespace(neighbours=lambda rng: (1.0, 0.0), run=run, score=lambda outputs, data, other: outputs)


@pytest.mark.deep
def test_half_of_the_noise_of_a_pure_claim_is_forecast_for_the_test_that_decides() -> None:
    """The counts alone need more; 20 audits with the forecast trials, at 0.9, fewer than 10: 1e-6."""
    target = make_target(ApproximateDP(1.0, 0.0))
    half, fewer, *_ = forecast.forecast(audit_of(laplace_sum(1.0), target), 1e-4, 1)
    assert (half.violation, half.epsilon, half.level) == ("noise times 0.5", 2.0, "standard")
    assert half.trials is not None
    assert fewer.trials is not None
    assert half.trials < 764  # planning.LAPLACE at epsilon 1: of the counts alone
    assert fewer.trials < 9_344
    subject = audit_of(laplace_sum(1.25), replace(target, trials=TrialPlan(*[fewer.trials] * 3)))
    found = [tiers.audit(subject, Context(seed, Level.SMOKE, 1e-4)).outcome for seed in range(20)]
    assert sum(outcome is Outcome.REFUTED for outcome in found) >= 14


@pytest.mark.deep
@pytest.mark.parametrize("delta", [0.0, 1e-5])
def test_a_pure_claim_of_a_named_mechanism_is_violated_by_laplace_noise_too(delta: float) -> None:
    """The curve that is decided on is a profile; the claim is pure DP all the same, wherever it is quoted."""
    stated = PrivacyClaim(ApproximateDP(1.0, 0.0), Neighbours.REPLACE_ONE, delta=delta, source="the test")
    plain = make_target(claim=stated)
    named = replace(plain, claimed_mechanism=Laplace(1.0))
    alone, with_curve = (
        next(forecast.forecast(audit_of(laplace_sum(1.0), target), 1e-4, 1)) for target in (plain, named)
    )
    assert (alone.violation, alone.epsilon) == (with_curve.violation, with_curve.epsilon) == ("noise times 0.5", 2.0)
    assert alone.trials is not None
    assert with_curve.trials is not None
    assert with_curve.trials <= 1.2 * alone.trials


def test_named_epsilons() -> None:
    [row] = forecast.forecast(audit_of(shift(0.3), make_target(ApproximateDP(1.0, 1e-5))), 1e-4, 1, epsilons=(2.0,))
    assert (row.violation, row.epsilon) == ("epsilon 2", 2.0)


@pytest.mark.deep
def test_a_claim_of_no_leakage_has_no_noise_to_speak_of() -> None:
    rows = list(forecast.forecast(audit_of(shift(0.0), make_target(GaussianDP(0.0))), 1e-4, 1))
    assert [row.epsilon for row in rows] == list(forecast.EPSILONS)


def test_of_one_training_it_is_said_what_its_canaries_can_show() -> None:
    target = make_target(canaries=1000)
    shown, caught = forecast.forecast(audit_of(SimpleNamespace(run=None), target), 1e-3, 1)
    verdict = tiers.audit(
        audit_of(SimpleNamespace(run=lambda included, trials: in_order(included)), target),
        Context(seed=1, level=Level.SMOKE, alpha=1e-3),
    )
    found: dict[str, Any] = dict(verdict.numbers)
    assert shown.epsilon == pytest.approx(found["limit_of_detection"], rel=0.01)  # other coins
    assert caught.epsilon == found["smallest_violation_at_90"]
    assert (shown.trials, caught.trials) == (500, 500)
    with pytest.raises(ConfigurationError, match="one training with 1000 canaries"):
        list(forecast.forecast(audit_of(shift(1.0), target), 1e-3, 1, epsilons=(2.0,)))


def test_what_cannot_be_forecast_says_so() -> None:
    with pytest.raises(ConfigurationError, match="no violation"):
        list(forecast.forecast(audit_of(shift(1.0), make_target()), 1e-4, 1, epsilons=(1.0,)))
    with pytest.raises(ConfigurationError, match="one training"):
        list(forecast.forecast(audit_of(shift(1.0), make_target(trials=None)), 1e-4, 1))
    with pytest.raises(ConfigurationError, match="claims nothing"):
        list(forecast.forecast(audit_of(shift(1.0), make_target(ApproximateDP(1.0, 1e-3))), 1e-4, 1))


def test_the_pilot_never_sees_the_trials_of_the_audit() -> None:
    seen: list[str] = []

    def run(data: float, trials: Any) -> Any:
        seen.append(trials.stream.purpose)
        return np.zeros(len(trials))

    assert (
        forecast.seconds_per_trial(
            audit_of(SimpleNamespace(neighbours=lambda rng: (1.0, 0.0), run=run), make_target()), 1
        )
        > 0
    )
    assert set(seen) == {"test/shift/pilot"}


def test_what_naming_the_mechanism_saves_is_said_before_the_game(tmp_path: Path) -> None:
    stages, said = Stages(tmp_path / "stages"), []

    def run(data: float, trials: Any) -> Any:
        stages.look()
        said[:] = stages.known
        return shift(1.0).run(data, trials)

    subject = audit_of(SimpleNamespace(**{**vars(shift(1.0)), "run": run}), make_target(ApproximateDP(3.6, 1e-5)))
    context = Context(1, Level.SMOKE, 1e-4, stages=str(stages.path))
    tiers.audit(subject, context)
    [sentence] = said
    found = re.fullmatch(
        r"no mechanism is named: half of the noise takes about ([\d,]+) trials a side, with `mechanism=` 400", sentence
    )
    assert found, sentence
    assert 9_000 < int(found[1].replace(",", "")) < 15_000  # 11,800 by simulated audits


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    "changes",
    [
        {"claimed_mechanism": Gaussian(1.0)},
        {"trials": None},
        {"expects": Outcome.REFUTED},
        {"claim": PrivacyClaim(ApproximateDP(1.0, 0.0), Neighbours.REPLACE_ONE, delta=1e-5, source="the test")},
        {"claim": PrivacyClaim(GaussianDP(1.0), Neighbours.REPLACE_ONE, delta=1e-5, source="the test")},
    ],
)
def test_nothing_is_said_where_a_mechanism_is_named_or_no_point_is_claimed(changes: dict[str, Any]) -> None:
    target = make_target(ApproximateDP(3.6, 1e-5))
    assert forecast.of_a_name(target, 1e-4)
    assert not forecast.of_a_name(replace(target, **changes), 1e-4)


def test_of_a_target_that_stops_early_bets_are_forecast(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def pairs_needed(law: Any, guarantee: Any, alpha: float, chance: float) -> int:
        asked.append((guarantee, alpha, chance))
        return 1_000

    monkeypatch.setattr(forecast.betting_power, "pairs_needed", pairs_needed)
    module = shift(1.0)
    [row] = forecast.forecast(audit_of(module, make_target(GaussianDP(1.0), early_stop=True)), 1e-3, 1, [10.0])
    assert row.trials == 1_000
    assert row.most == forecast.betting_power.MOST
    assert asked == [(GaussianDP(1.0), 1e-3 * (1 - decide.OF_SHAPES), 0.9)]
    module.ATTACKS = {"one": module.score, "two": module.score}  # a tenth of the trials chooses one
    [row] = forecast.forecast(audit_of(module, make_target(GaussianDP(1.0), early_stop=True)), 1e-3, 1, [10.0])
    assert row.trials == 1_112
