"""The targets of the ReSQue solvers: what they claim, what they see, and bugs planted in the honest ones."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.accounting.epsilon import claimed_epsilon, epsilon_bounds, promised_epsilon
from dpaudit.algorithms.resque import (
    high_probability_erm,
    private_erm,
    private_regularised_erm,
    private_sco,
    sub_erm,
)
from dpaudit.audit import tiers
from dpaudit.audit.game import play as game
from dpaudit.content.audits import Audit
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_module, load_targets
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import ApproximateRenyi, Composed
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

AUDITS = Path(__file__).parents[3] / "audits"
FILES = sorted((AUDITS / "resque").glob("*.py"))
ITEMS = load_targets(FILES)
BY_NAME = {item.name: item for item in ITEMS if isinstance(item, Loaded)}
ALPHA = 1e-7
"""Level of the decisions below: the false alarm of each test that expects CONSISTENT."""

ASSEMBLED = {
    "resque/private-erm": private_erm,
    "resque/private-regularised-erm": private_regularised_erm,
    "resque/private-sco": private_sco,
}


def play(audit: Audit, trials: int | None = None, seed: int = 5) -> Verdict:
    """4,000 trials a side for the assembled solvers, 400,000 for the printed one, 40,000 for all others."""
    name = audit.target.name
    usual = 4_000 if name in ASSEMBLED else 400_000 if name.endswith("as-printed") else 40_000
    number = trials or usual
    target = replace(audit.target, trials=TrialPlan(number, number, number), truth=None)  # whose curve takes seconds
    return tiers.audit(replace(audit, target=target), Context(seed, Level.SMOKE, ALPHA))


def audit_named(name: str) -> Audit:
    return BY_NAME[name].carrier


def params(name: str) -> Any:
    """Of the algorithm that a target runs; its `run` binds them first."""
    return audit_named(name).run.args[0]


def with_params(name: str, careless: Any) -> Audit:
    """The same target, whose algorithm runs with other parameters."""
    audit = audit_named(name)
    return replace(audit, run=partial(audit.run.func, careless, *audit.run.args[1:]))


CLAIMED = {name: mechanism for path in FILES for name, mechanism in vars(load_module(path)).get("CLAIMED", {}).items()}


def test_all_files_load() -> None:
    assert len(BY_NAME) == len(ITEMS) == 16


@pytest.mark.deep(keep=4)
@pytest.mark.parametrize("name", BY_NAME)
def test_outcome_with_few_trials(name: str) -> None:
    verdict = play(audit_named(name))
    assert verdict.as_expected, verdict.evidence


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize("name", CLAIMED)
def test_the_claim_is_what_the_accountant_says(name: str) -> None:
    """Rounded up at the fourth decimal, at the first and the last of its points."""
    claim = BY_NAME[name].record.claim
    for epsilon, delta in (claim.guarantee.points[0], claim.guarantee.points[-1]):
        upper = epsilon_bounds(CLAIMED[name], delta, claim.neighbours).upper
        assert upper <= epsilon < upper + 1.1e-4


@pytest.mark.parametrize("name", ASSEMBLED)
def test_the_claim_of_the_assembled_solvers_is_their_promise(name: str) -> None:
    upper = promised_epsilon(ASSEMBLED[name].promise(params(name), 1e-5), 1e-5).upper
    assert upper <= claimed_epsilon(BY_NAME[name].record.claim.guarantee, 1e-5) < upper + 1.1e-4


def test_the_mechanisms_are_those_of_the_parameters() -> None:
    for name in ("resque/sub-erm-white-box", "resque/sub-erm-regularised"):
        record, (bound, indices) = BY_NAME[name].record, audit_named(name).run.args
        expected = epsilon_bounds(sub_erm.canary_mechanism(bound, indices), 1e-5, record.claim.neighbours)
        stated = epsilon_bounds(record.truth, 1e-5, record.claim.neighbours)
        assert stated.lower == pytest.approx(expected.lower, rel=1e-9)
    late = audit_named("known-bad/resque-last-iterate")
    honest, indices = late.score.args
    assert sub_erm.canary_shifts(honest, indices)[0] == pytest.approx(late.target.claim.guarantee.mu)
    assert isinstance(sub_erm.canary_mechanism(honest, indices), Composed)


def test_the_printed_promise_leaves_no_more_than_the_claim() -> None:
    """Total variation: failures on both sides, and Pinsker's inequality, as D_alpha bounds the divergence."""
    target, bound = (
        BY_NAME["resque/high-probability-erm-as-printed"].record,
        params("resque/high-probability-erm-as-printed"),
    )
    printed = high_probability_erm.promise_as_printed(bound, delta=0.01, constant=1.0).mechanism
    assert isinstance(printed, ApproximateRenyi)
    assert 2 * printed.failure + math.sqrt(printed.epsilon / 2) <= target.claim.guarantee.delta
    assert promised_epsilon(high_probability_erm.promise(bound, 1e-5), 1e-5).upper > 0.13


@pytest.mark.deep
def test_the_curve_with_fresh_queries_and_the_one_with_reused_ones() -> None:
    """delta(1) of three phases, each moved by a coin of its own, and of one coin for all; by quadrature."""
    claimed = BY_NAME["known-bad/resque-reused-queries"].record.claim.guarantee.delta
    x = np.linspace(-9, 9, 181)
    base, loss = np.exp(-(x**2) / 2) * (x[1] - x[0]) / math.sqrt(2 * math.pi), np.log(np.cosh(x)) - 0.5
    first, second = np.add.outer(loss, loss).ravel(), np.multiply.outer(base, base).ravel()
    total, mass = np.add.outer(first, loss), np.multiply.outer(second, base)
    orders = (mass * np.exp(total), mass), (mass, mass * np.exp(total))
    fresh = [np.maximum(0, a - math.e * b).sum() for a, b in orders]
    once = base * np.exp(np.log(np.cosh(math.sqrt(3) * x)) - 1.5)
    assert max(fresh) <= claimed
    assert np.maximum(0, once - math.e * base).sum() > 1.8 * claimed


def test_scores_of_the_white_box_are_the_unit_gaussian_experiment() -> None:
    """N(1/2, 1) and N(-1/2, 1); false alarm below 1e-8 each (six standard errors)."""
    item = BY_NAME["resque/sub-erm-white-box"]
    target = replace(item.record, trials=TrialPlan(50_000, 50_000, 50_000))
    scores = game.play(
        replace(item.carrier, target=target), Context(3, Level.SMOKE, ALPHA), target.claim.guarantee
    ).scores
    for part, mean in ((scores.positive, 0.5), (scores.negative, -0.5)):
        assert part.mean() == pytest.approx(mean, abs=6 / math.sqrt(len(part)))
        assert part.var() == pytest.approx(1.0, abs=6 * math.sqrt(2 / len(part)))


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    "name",
    ["resque/sub-erm-grey-box", "resque/sub-erm-final", "resque/sub-erm-regularised", "resque/bias-reduced-prox",
     "resque/high-probability-erm", "resque/sub-erm-strongly-convex"],
)  # fmt: skip
def test_scores_are_likelihood_ratios(name: str) -> None:
    """E_D'[exp(score)] = 1 and E_D[exp(-score)] = 1; false alarm below 1e-8 each (six standard errors)."""
    code = audit_named(name)
    pair = code.neighbours(np.random.default_rng(0))
    for side, sign in ((1, 1), (0, -1)):
        trials = Trials(Stream(17, f"{name}/{side}"), np.arange(40_000))
        ratios = np.exp(sign * code.score(code.run(pair[side], trials), *pair))
        assert ratios.mean() == pytest.approx(1.0, abs=6 * ratios.std() / math.sqrt(len(ratios)))


FOUR_TIMES = ("resque/sub-erm-strongly-convex", "resque/bias-reduced-prox", "resque/high-probability-erm")


class TestPlantedBugs:
    """Each honest target refuses its own worst bug, at 40,000 trials."""

    @pytest.mark.deep
    def test_two_thirds_of_the_noise(self) -> None:
        audit = audit_named("resque/sub-erm-white-box")
        bound, indices = audit.run.args

        def run(data: Any, trials: Trials) -> Any:  # eta_i and sigma_i are those of the parameters, the noise is not
            done = sub_erm.cpu(bound, data, trials, indices)
            noise = np.cumsum(done.phases - done.averages, axis=1)
            return done.phases - noise / 3  # on linear records noise adds to all that follows

        assert play(replace(audit, run=run)).outcome is Outcome.REFUTED

    def test_indices_that_are_always_the_record(self) -> None:
        audit = audit_named("resque/sub-erm-grey-box")
        always = np.zeros(sub_erm.queries(audit.run.args[0]), dtype=int)
        careless = replace(audit, run=partial(audit.run.func, audit.run.args[0], always))
        assert play(careless).outcome is Outcome.REFUTED

    def test_a_forgotten_regulariser(self) -> None:
        name = "resque/sub-erm-regularised"
        careless = replace(params(name), privacy=2 * params(name).privacy, regulariser=0.0)
        assert play(with_params(name, careless)).outcome is Outcome.REFUTED

    @pytest.mark.deep(keep=1)
    @pytest.mark.parametrize("name", FOUR_TIMES)
    def test_four_times_the_beta(self, name: str) -> None:
        careless = replace(params(name), privacy=4 * params(name).privacy)
        assert play(with_params(name, careless)).outcome is Outcome.REFUTED

    @pytest.mark.parametrize("name", sorted(ASSEMBLED))
    def test_no_noise_at_all(self, name: str) -> None:
        """The returned point tells the data sets apart as soon as the noise is gone."""
        verdict = play(with_params(name, replace(params(name), privacy=1e6)), 4_000)
        assert dict(verdict.numbers)["mu_lower_95"] > 0.2
