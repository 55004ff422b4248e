"""From the canaries of one training to a verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from canary_trainings import in_order
from judged_games import make_target

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit import tiers
from dpaudit.audit.game import decide, decide_one_run
from dpaudit.content.audits import audit_of
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_targets
from dpaudit.estimators import one_run, one_run_family, one_run_fdp
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, Target, TrialPlan
from dpaudit.records.verdict import Basis, Outcome, Verdict
from dpaudit.runs.stages import Stages

AUDITS = Path(__file__).parents[3] / "audits"
CONTEXT = Context(seed=4, level=Level.SMOKE, alpha=1e-4)


def audit(
    mu: float,
    guarantee: Any,
    canaries: int = 3000,
    folder: str | None = None,
    without_noise: Any = None,
    control: Control = Control.NONE,
) -> Verdict:
    """One run of independent canaries, each released with noise of standard deviation 1 and a shift of `mu` if in."""

    def run(included: Any, trials: Trials) -> Any:
        return in_order(trials.stream.normals(trials.numbers, 0, len(included))[0] + mu * included)

    claim = PrivacyClaim(guarantee, Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    plan = TrialPlan(2, 2, 2)
    target = Target("test/one-run", "Canaries", View.GRADIENTS, claim, plan, canaries=canaries, effect="it leaks")
    subject = SimpleNamespace(run=run, without_noise=without_noise)
    return tiers.audit(audit_of(subject, replace(target, control=control)), replace(CONTEXT, folder=folder))


def told_apart(included: Any, trials: Trials) -> Any:
    """Scores that give every canary away."""
    return in_order(included)


def not_told_apart(included: Any, trials: Trials) -> Any:
    """Scores that know nothing of the coins."""
    return in_order(trials.stream.normals(trials.numbers, 0, len(included))[0])


def never(included: Any, trials: Trials) -> Any:
    raise AssertionError("a training that nobody asked for")


def test_canaries_that_keep_the_claim_are_consistent() -> None:
    verdict = audit(1.0, GaussianDP(1.0))
    found: dict[str, Any] = dict(verdict.numbers)
    assert (verdict.outcome, verdict.basis) == (Outcome.CONSISTENT, Basis.SAMPLING)
    assert 0.5 < found["mu_lower_95"] < 1.0
    assert 0.5 < found["epsilon_lower_95"] < found["epsilon_claimed"] == pytest.approx(gaussian_epsilon(1e-5, 1.0))
    assert found["epsilon_claimed"] < found["smallest_violation_at_90"] < 20
    assert found["limit_of_detection"] > found["epsilon_claimed"]
    assert found["canaries"] == 3000
    conditional = found["epsilon_if_canaries_are_independent_and_gaussian"]
    assert found["epsilon_lower_95"] < conditional < found["epsilon_claimed"]
    assert conditional == pytest.approx(gaussian_epsilon(1e-5, 0.9), rel=0.1)  # 3,000 canaries: mu to one part in ten


def test_canaries_against_pure_privacy_are_decided_at_delta_0() -> None:
    """Canaries with Laplace noise: at the claim, and at an eighth of the noise; no Gaussian curve has a say."""
    stated = PrivacyClaim(ApproximateDP(1.0, 0.0), Neighbours.ADD_OR_REMOVE, delta=0.0, source="the test")

    def verdict(epsilon: float) -> Verdict:
        def run(included: Any, trials: Trials) -> Any:
            return in_order(np.random.default_rng(3).laplace(size=len(included)) + epsilon * included)

        target = Target("test/one-run", "Canaries", View.GRADIENTS, stated, TrialPlan(2, 2, 2), canaries=1000)
        return tiers.audit(audit_of(SimpleNamespace(run=run, without_noise=told_apart), target), CONTEXT)

    kept, broken = verdict(1.0), verdict(8.0)
    numbers: dict[str, Any] = dict(kept.numbers)
    assert (kept.outcome, broken.outcome) == (Outcome.CONSISTENT, Outcome.REFUTED)
    assert 0.2 < numbers["epsilon_lower_95"] < 1.0 < numbers["smallest_violation_at_90"] < numbers["limit_of_detection"]
    assert numbers["epsilon_if_canaries_are_independent_and_gaussian"] is None
    assert "independent Laplace canaries of epsilon" in kept.evidence[0].detail


def test_scores_against_pure_privacy_that_show_too_little_say_so_in_epsilon() -> None:
    stated = PrivacyClaim(ApproximateDP(1.0, 0.0), Neighbours.ADD_OR_REMOVE, delta=0.0, source="the test")
    target = Target("test/one-run", "Canaries", View.GRADIENTS, stated, TrialPlan(2, 2, 2), canaries=1000)
    rng = np.random.default_rng(1)
    included = rng.random(1000) < 0.5
    found = decide_one_run.judge(target, rng.laplace(size=1000), included, stated.guarantee, 1e-4, rng)
    assert found.allowed == found.epsilon_claimed == 1.0
    outcome, detail = decide_one_run.decide(found)
    assert outcome is Outcome.INCONCLUSIVE
    assert "their ranks tell the canaries apart by an epsilon of at least" in detail


def test_a_quarter_of_the_noise_is_refuted_with_the_counts() -> None:
    verdict = audit(4.0, GaussianDP(1.0))
    witness: dict[str, Any] = dict(verdict.witness)
    assert (verdict.outcome, verdict.effect) == (Outcome.REFUTED, "it leaks")
    assert witness["correct"] / witness["guesses"] > 0.8
    assert witness["alpha"] == CONTEXT.alpha


def test_a_claim_beyond_reach_is_inconclusive() -> None:
    verdict = audit(0.0, ApproximateDP(9.0, 1e-5), canaries=100)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "use more canaries" in verdict.evidence[0].detail


def test_the_smallest_violation_is_caught_in_nine_of_ten() -> None:
    """100 audits at the edge; 0.9 is promised, and 75 or fewer would have probability below 1e-4 at that."""
    canaries, guarantee = 1000, GaussianDP(0.5)
    epsilon = decide_one_run.smallest_violation(guarantee, canaries, 1e-3, 1e-5)
    low, high = 0.5, 20.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if gaussian_epsilon(1e-5, middle) > epsilon else (middle, high)
    rng = np.random.default_rng(8)
    caught = 0
    for _ in range(100):
        included = rng.random(canaries) < 0.5
        scores = rng.normal(size=canaries) + high * included
        caught += decide_one_run._decision(scores, included, guarantee, 1e-3).refuted
    assert caught >= 76


def test_the_curve_of_the_canaries_is_kept_for_the_plots(tmp_path: Path) -> None:
    verdict = audit(1.0, GaussianDP(1.0), folder=str(tmp_path))
    data = json.loads((tmp_path / verdict.attachments[0]).read_text())
    assert data["point"] is None
    rates = np.interp(0.5, data["false_positive_rate"], data["true_positive_rate"])
    assert 0.75 < rates < 0.92  # Phi(1) = 0.84


def test_canaries_whose_scores_are_all_the_same_show_nothing() -> None:
    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    target = Target("test/one-run", "Canaries", View.GRADIENTS, claim, TrialPlan(2, 2, 2), canaries=3_000)
    silent = SimpleNamespace(run=lambda included, trials: in_order(np.zeros(len(included))))
    verdict = tiers.audit(audit_of(silent, target), CONTEXT)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "every trial has the same score" in verdict.evidence[0].detail


def test_scores_that_show_nothing_are_no_evidence() -> None:
    verdict = audit(0.0, GaussianDP(1.0))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert verdict.evidence[0].detail.startswith("epsilon is at least 0 (95 %), claimed ")
    assert "nothing says that these scores would give a violation away" in verdict.evidence[0].detail
    assert "to settle it: give without_noise" in verdict.evidence[0].detail


def test_scores_that_are_told_apart_say_what_they_would_show() -> None:
    verdict = audit(1.0, GaussianDP(1.0))
    assert verdict.outcome is Outcome.CONSISTENT
    assert "0.25 of the noise would be caught, if scores move as it shrinks" in verdict.evidence[0].detail


def test_a_quarter_of_the_noise_is_caught_where_the_separation_is_enough() -> None:
    """What is wanted, four times over, is caught in 38 of 40 audits, and a little less is not."""
    found = decide_one_run.judge(
        make_target(GaussianDP(1.0), canaries=1000, control=Control.NONE),
        np.random.default_rng(1).normal(size=1000),
        np.arange(1000) % 2 == 0,
        GaussianDP(1.0),
        1e-3,
        np.random.default_rng(2),
    )
    caught = sum(decide_one_run._refuted(4 * found.wanted, GaussianDP(1.0), 1000, 1e-3))
    missed = sum(decide_one_run._refuted(4 * found.wanted / 1.2, GaussianDP(1.0), 1000, 1e-3))
    assert caught >= 38 > missed


def test_what_is_above_the_claim_is_no_power_of_the_score() -> None:
    """A quarter of the claimed noise is not caught by so few canaries, whatever more their scores seem to show."""
    scores, coins = np.random.default_rng(1).normal(size=500), np.arange(500) % 2 == 0
    target = make_target(GaussianDP(0.3), canaries=500)
    found = decide_one_run.judge(target, scores, coins, GaussianDP(0.3), 1e-4, np.random.default_rng(2))
    assert 0.3 < found.wanted < 0.5
    assert found.allowed == pytest.approx(0.3)
    outcome, detail = decide_one_run.decide(replace(found, separation=0.5))
    assert outcome is Outcome.INCONCLUSIVE
    assert "at least 0.5 (95 %), the claim allows 0.3, and 0.25 of the noise is caught from" in detail
    assert decide_one_run.decide(replace(found, separation=0.5, allowed=0.5))[0] is Outcome.CONSISTENT


def test_a_training_without_noise_that_is_refuted_makes_silence_speak() -> None:
    verdict = audit(0.0, GaussianDP(1.0), without_noise=told_apart)
    found: dict[str, Any] = dict(verdict.numbers)
    assert verdict.outcome is Outcome.CONSISTENT
    assert "the same training without its noise is refuted: 750 of 750 guesses" in verdict.evidence[0].detail
    assert found["epsilon_lower_95"] == 0 < found["epsilon_claimed"] < found["epsilon_lower_95_without_noise"]


def test_a_training_without_noise_that_shows_nothing_either_settles_nothing() -> None:
    """The separation of the audited training does not help: without noise there is none."""
    for mu in (0.0, 1.0):
        verdict = audit(mu, GaussianDP(1.0), without_noise=not_told_apart)
        assert verdict.outcome is Outcome.INCONCLUSIVE
        assert "the scores are too weak to show anything" in verdict.evidence[0].detail
        assert "to settle it: use more canaries, canaries that stand out more" in verdict.evidence[0].detail


def test_no_training_without_noise_is_made_where_it_changes_nothing() -> None:
    assert audit(4.0, GaussianDP(1.0), without_noise=never).outcome is Outcome.REFUTED
    assert audit(0.0, ApproximateDP(9.0, 1e-5), canaries=100, without_noise=never).outcome is Outcome.INCONCLUSIVE
    assert audit(0.0, GaussianDP(1.0), without_noise=never).outcome is Outcome.ERROR


def test_ranks_that_contradict_the_claim_are_not_passed_over() -> None:
    """Noise that is too small by less than the guesses of one training can show; a refutation stays one of guesses."""
    verdict = audit(0.8, GaussianDP(0.5), without_noise=told_apart)
    found: dict[str, Any] = dict(verdict.numbers)
    assert found["rank_p_value_if_canaries_are_independent_and_alike"] < CONTEXT.alpha
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "their ranks would refute 0.5-GDP" in verdict.evidence[0].detail


def test_a_null_control_may_show_nothing() -> None:
    assert audit(0.0, GaussianDP(1.0), control=Control.NULL).outcome is Outcome.CONSISTENT


def test_what_can_be_shown_is_said_before_the_training(tmp_path: Path) -> None:
    said: list[str] = []
    stages = Stages(tmp_path / "stages")

    def run(included: Any, trials: Trials) -> Any:
        stages.look()
        said.extend(stages.known)
        return told_apart(included, trials)

    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    target = Target("test/one-run", "Canaries", View.GRADIENTS, claim, TrialPlan(2, 2, 2), canaries=1000)
    verdict = tiers.audit(audit_of(SimpleNamespace(run=run), target), replace(CONTEXT, stages=str(stages.path)))
    found: dict[str, Any] = dict(verdict.numbers)
    assert f"1,000 canaries in one training show an epsilon of at most {found['limit_of_detection']:.4g}" in said[0]
    assert f"of epsilon {found['smallest_violation_at_90']:.4g} are caught in 9 of 10 audits" in said[0]


def test_a_mechanism_can_be_claimed_and_its_family_shows_more_than_the_coins() -> None:
    (item,) = (
        one for one in load_targets([AUDITS / "one_run" / "sampled.py"]) if one.name == "dpaudit/one-run-sampled"
    )
    assert isinstance(item, Loaded)
    verdict = tiers.audit(item.carrier, CONTEXT)
    found: dict[str, Any] = dict(verdict.numbers)
    assert verdict.outcome is Outcome.CONSISTENT
    assert found["limit_of_detection"] > found["epsilon_claimed"] == pytest.approx(2.0006)
    assert 2 * found["epsilon_lower_95"] < found["epsilon_if_canaries_are_alike_and_noise_alone_differs"] < 2.0006


def test_each_bound_and_decision_has_its_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printed bounds 5 %, the decision, and what could be shown, that of the audit, with noise and without."""
    asked: list[tuple[str, float]] = []

    def listen(module: Any, name: str, place: int) -> None:
        real = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: asked.append((name, given[place])) or real(*given))

    listen(decide_one_run.one_run_fdp, "one_run_bound", 3)
    listen(decide_one_run.one_run, "one_run_bound", 3)
    listen(decide_one_run.rank_test, "lower_bound", 3)
    listen(decide_one_run.one_run_fdp, "refutes", 2)
    audit(0.0, GaussianDP(1.0), canaries=500, without_noise=told_apart)
    levels = {name: {level for other, level in asked if other == name} for name, _ in asked}
    assert levels == {"one_run_bound": {0.05, CONTEXT.alpha}, "lower_bound": {0.05}, "refutes": {CONTEXT.alpha}}
    printed = [level for name, level in asked if name == "one_run_bound" and level == 0.05]
    assert len(printed) == 3  # of the curve, of the counts, and of the curve without noise


def test_canaries_outside_are_seen_by_the_family_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[Any] = []
    real = one_run_family.family_bound

    def family_bound(*arguments: Any) -> Any:
        handed.append(arguments[-1])
        return real(*arguments)

    monkeypatch.setattr(one_run_family, "family_bound", family_bound)
    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    plan = TrialPlan(2, 2, 2)
    target = Target(
        "test/outside", "Canaries", View.GRADIENTS, claim, plan, canaries=300, claimed_mechanism=Gaussian(1.0)
    )
    verdicts = []
    for outside in (0, 3_000):
        subject = audit_of(SimpleNamespace(run=told_apart), replace(target, canaries_outside=outside))
        verdicts.append(dict(tiers.audit(subject, CONTEXT).numbers))
    alone, beside = verdicts
    assert [len(one) for one in handed] == [0, 3_000]
    name = "epsilon_if_canaries_are_alike_and_noise_alone_differs"
    assert beside.pop("canaries_outside") == 3_000
    assert beside.pop(name) > alone.pop(name)  # by this fixed seed: half of what is not known is known now
    assert beside.keys() == alone.keys()
    for name, value in alone.items():  # sums are rounded as arrays lie in memory
        assert beside[name] == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), name


def test_so_many_canaries_can_refute_a_whole_curve_where_one_point_of_it_is_out_of_reach() -> None:
    included = np.random.default_rng(3).random(5_000) < 0.5
    mechanism = SelfComposed(PoissonSampled(0.2, Gaussian(2.5)), 30)
    whole = decide.curve(mechanism, Neighbours.ADD_OR_REMOVE, "the claimed mechanism")
    point = ApproximateDP(2.0006, 1e-5)
    for guarantee, within in ((whole, True), (point, False)):
        limit = decide_one_run.limit_of_detection(guarantee, included, 1e-5, 1e-5)
        assert (limit > 2.0006) is within
        perfect = one_run.guesses(included.astype(float), included)
        assert one_run_fdp.refutes(perfect, guarantee, 1e-5) is within
