"""The shipped targets: their contract, their outcome with few trials, and planted bugs in each.

Targets are found on disk; a new file needs no entry here.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from what_runs import algorithm_and_params, run_with

from dpaudit.accounting.epsilon import claimed_epsilon, epsilon_bounds, gaussian_parameter
from dpaudit.audit import tiers
from dpaudit.audit.game import decide
from dpaudit.audit.game import play as game
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_module, load_targets
from dpaudit.estimators import power
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.privacy import GaussianDP
from dpaudit.records.target import Control, Target, TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

AUDITS = Path(__file__).parents[3] / "audits"
ITEMS = load_targets([AUDITS])
BY_NAME = {item.name: item for item in ITEMS if isinstance(item, Loaded)}
GAMES = {name: item for name, item in BY_NAME.items() if item.record.trials is not None and not item.record.canaries}
PLAYED = {name: item for name, item in GAMES.items() if "third_party" not in item.path.parts}
"""Targets of other people's packages are played in tests of their own, where those packages are."""
ALPHA = 1e-6
"""Level of the decisions below: the false alarm of each test that expects CONSISTENT."""


def play(name: str, trials: int, run: Any = None, **changes: Any) -> Verdict:
    """The verdict on the target `name` with `trials` trials a side, of another `run` if given."""
    item = BY_NAME[name]
    target: Target = replace(item.record, trials=TrialPlan(trials, trials, trials), **changes)
    played = replace(item.carrier, target=target, run=run or item.carrier.run)
    return tiers.audit(played, Context(11, Level.SMOKE, ALPHA))


def outputs(module: Any, data: Any, numbers: range) -> Any:
    return module.run(data, Trials(Stream(7, "contract"), np.arange(numbers.start, numbers.stop)))


def test_every_file_is_a_target() -> None:
    assert [item for item in ITEMS if not isinstance(item, Loaded)] == []
    assert {item.record.control for item in BY_NAME.values()} == set(Control)


@pytest.mark.parametrize("item", BY_NAME.values(), ids=BY_NAME)
def test_a_target_says_what_it_is(item: Loaded) -> None:
    target = item.record
    control = target.control
    group = target.name.partition("/")[0]
    assert control is {"known-bad": Control.KNOWN_BAD, "null": Control.NULL}.get(group, Control.NONE)
    assert (target.bug is not None) == (control is Control.KNOWN_BAD)
    allowed = {Control.KNOWN_BAD: {Outcome.REFUTED}, Control.NULL: {Outcome.CONSISTENT}}
    blind = {Outcome.INCONCLUSIVE} if target.canaries else set()  # what one run cannot see
    assert target.expects in allowed.get(control, {Outcome.REFUTED, Outcome.CONSISTENT} | blind)
    if control is Control.NONE and target.expects is Outcome.REFUTED:  # a paper that does not give what it claims
        assert BY_NAME[target.repair].record.expects is Outcome.CONSISTENT
    assert target.effect
    assert len(target.claim.source) > 10
    assert "The adversary sees" in str(load_module(item.path).__doc__)


@pytest.mark.parametrize("item", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("level", list(Level))
def test_the_planned_trials_can_decide(item: Loaded, level: Level) -> None:
    """Enough trials at every level to refute the claim at all, and to see a known bug with probability 0.9."""
    target, trials = item.record, getattr(item.record.trials, level.value)
    claimed = claimed_epsilon(target.claim.guarantee, target.claim.delta)
    assert power.limit_of_detection(trials, ALPHA, target.claim.delta) > claimed
    if target.expects is Outcome.REFUTED and target.truth is not None:
        guarantee = decide.decided_guarantee(target)
        smallest = power.smallest_violation(guarantee, trials, ALPHA, target.claim.delta)
        assert epsilon_bounds(target.truth, target.claim.delta, target.claim.neighbours).lower > smallest


@pytest.mark.parametrize("item", BY_NAME.values(), ids=BY_NAME)
def test_the_truth_meets_the_claim_unless_the_bug_is_planted(item: Loaded) -> None:
    target = item.record
    if target.truth is not None:
        claimed = claimed_epsilon(target.claim.guarantee, target.claim.delta)
        true = epsilon_bounds(target.truth, target.claim.delta, target.claim.neighbours).lower
        assert (true > claimed * (1 + 1e-9)) == (target.expects is Outcome.REFUTED)


@pytest.mark.deep(keep=120)
@pytest.mark.parametrize("item", BY_NAME.values(), ids=BY_NAME)
def test_a_claimed_mechanism_is_the_claim(item: Loaded) -> None:
    target = item.record
    if target.claimed_mechanism is not None:
        whole = epsilon_bounds(target.claimed_mechanism, target.claim.delta, target.claim.neighbours).upper
        assert whole <= claimed_epsilon(target.claim.guarantee, target.claim.delta) <= 1.001 * whole


@pytest.mark.deep(keep=40)
@pytest.mark.parametrize("item", PLAYED.values(), ids=PLAYED)
def test_a_trial_is_the_same_alone_and_in_any_batch(item: Loaded) -> None:
    data, neighbour = item.carrier.neighbours(np.random.default_rng(3))
    whole = outputs(item.carrier, data, range(8))
    parts = [outputs(item.carrier, data, r) for r in (range(3), range(3, 4), range(4, 8))]
    assert np.array_equal(whole, np.concatenate(parts))
    assert len({row.tobytes() for row in whole}) >= 2  # fresh noise in every trial; discrete outputs may repeat
    for attack in item.carrier.all_attacks.values():
        if callable(attack):
            scores = attack(whole, data, neighbour)
            assert scores.shape == (8,)
            assert np.allclose(scores[3:4], attack(whole[3:4], data, neighbour), rtol=1e-12, atol=0)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "trials"),
    [
        ("dpaudit/gaussian-mechanism", 100_000),
        ("rbcd/dp-skgd", 100_000),
        ("known-bad/dp-skgd-half-noise", 100_000),
        ("null/constant", 20_000),
        ("opacus/dp-sgd", 1600),
    ],
)
def test_outcome_with_few_trials(name: str, trials: int) -> None:
    verdict = play(name, trials)
    assert verdict.as_expected, verdict.evidence
    found = dict(verdict.numbers)
    if verdict.outcome is Outcome.CONSISTENT and found["epsilon_exact"]:
        assert found["epsilon_lower_95"] > (0.5 if trials >= 100_000 else 0.1) * found["epsilon_exact"]


def test_worst_case_of_dp_skgd_is_the_unit_gaussian_experiment() -> None:
    """Scores are N(1/2, 1) and N(-1/2, 1); false alarm below 1e-8 each (six standard errors)."""
    item = BY_NAME["rbcd/dp-skgd"]
    target = replace(item.record, trials=TrialPlan(50_000, 50_000, 50_000))
    scores = game.play(
        replace(item.carrier, target=target), Context(5, Level.SMOKE, ALPHA), target.claim.guarantee
    ).scores
    for part, mean in ((scores.positive, 0.5), (scores.negative, -0.5)):
        assert part.mean() == pytest.approx(mean, abs=6 / math.sqrt(len(part)))
        assert part.var() == pytest.approx(1.0, abs=6 * math.sqrt(2 / len(part)))


@pytest.mark.parametrize("name", ["rbcd/dp-skgd", "known-bad/dp-skgd-half-noise"])
def test_the_truth_is_what_the_algorithm_says_of_its_parameters(name: str) -> None:
    item = BY_NAME[name]
    algorithm, params = algorithm_and_params(item.carrier)
    promised = gaussian_parameter(algorithm.promise(params).mechanism)
    assert promised == pytest.approx(gaussian_parameter(item.record.truth), rel=1e-12)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("factor", "expected"), [(0.5, Outcome.REFUTED), (0.9, Outcome.REFUTED), (1.0, Outcome.CONSISTENT)]
)
def test_too_little_noise_in_the_unit_configuration_of_dp_skgd(
    factor: float, expected: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run draws less noise than the parameters that the adversary and the claim know."""
    run_with(
        monkeypatch,
        lambda honest: replace(honest, noise_scales=tuple(factor * scale for scale in honest.noise_scales)),
    )
    assert play("rbcd/dp-skgd", 100_000).outcome is expected


def test_a_forgotten_step_in_the_calibration_of_dp_skgd(monkeypatch: pytest.MonkeyPatch) -> None:
    run_with(monkeypatch, lambda honest: replace(honest, inner_steps=3))
    assert play("rbcd/dp-skgd", 100_000).outcome is Outcome.REFUTED


class TestOpacus:
    """The third-party target, with what it takes from Opacus checked against Opacus."""

    module: Any = load_module(BY_NAME["opacus/dp-sgd"].path)

    @pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")  # Opacus, at a sampling rate of 1
    def test_its_accountant_states_the_epsilon_of_the_claim(self) -> None:
        from opacus.accountants import create_accountant

        accountant = create_accountant(mechanism="prv")
        for _ in range(self.module.STEPS):
            accountant.step(noise_multiplier=self.module.NOISE_MULTIPLIER, sample_rate=1.0)
        claimed = claimed_epsilon(self.module.TARGET.claim.guarantee, 1e-5)
        assert claimed <= accountant.get_epsilon(1e-5) < claimed + 0.02

    def test_only_the_canary_moves_the_released_column(self) -> None:
        data, neighbour = self.module.neighbours(np.random.default_rng(0))
        with_canary, without = (outputs(self.module, d, range(3)) for d in (data, neighbour))
        signal = with_canary - without  # the same noise on both sides
        assert np.linalg.norm(signal, axis=2) == pytest.approx(1.0, abs=1e-5)
        assert np.all(signal[:, :, self.module.LABEL] < 0)
        assert np.array_equal(data[0][1:], neighbour[0][1:])

    @pytest.mark.deep
    def test_half_the_noise_is_caught(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(self.module, "NOISE_MULTIPLIER", self.module.NOISE_MULTIPLIER / 2)
        assert play("opacus/dp-sgd", 1000).outcome is Outcome.REFUTED

    def test_no_clipping_is_caught(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from opacus import PrivacyEngine

        honest = PrivacyEngine.make_private

        def careless(self: Any, **options: Any) -> Any:
            scale = options.pop("max_grad_norm") * options.pop("noise_multiplier")
            return honest(self, **options, max_grad_norm=1e3, noise_multiplier=scale / 1e3)

        monkeypatch.setattr(PrivacyEngine, "make_private", careless)
        assert play("opacus/dp-sgd", 100).outcome is Outcome.REFUTED


def test_four_fifths_of_the_noise_violates_the_claim_and_meets_the_weaker_one() -> None:
    honest = BY_NAME["dpaudit/gaussian-mechanism"].carrier.run

    def run(data: Any, trials: Trials) -> Any:
        return data.sum() + 0.8 * (honest(data, trials) - data.sum())

    assert play("dpaudit/gaussian-mechanism", 20_000, run).outcome is Outcome.REFUTED
    assert play("dpaudit/gaussian-mechanism", 20_000, run, claim=_claim(1.25)).outcome is Outcome.CONSISTENT


def _claim(mu: float) -> Any:
    return replace(BY_NAME["dpaudit/gaussian-mechanism"].record.claim, guarantee=GaussianDP(mu))
