"""Callables of all kinds: what they get, what they must not do, and verdicts on right and wrong noise."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from dpaudit.adapters.release import Release
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Laplace
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

PAIR = (np.ones(10), np.ones(9))
ALPHA = 1e-6
"""False-alarm probability of the decision."""


def audited(audit: Release) -> Verdict:
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, ALPHA))


def laplace_sum(scale: float) -> Any:
    return lambda data, seed: data.sum() + np.random.laplace(scale=scale)


@pytest.mark.parametrize(("scale", "outcome"), [(1.0, Outcome.CONSISTENT), (0.4, Outcome.REFUTED)])
def test_laplace_noise_in_three_lines(scale: float, outcome: Outcome) -> None:
    audit = Release("mine/sum", laplace_sum(scale), pair=PAIR, claim=claim(epsilon=1.0))
    verdict = audited(audit)
    assert verdict.outcome is outcome
    assert "checked" not in verdict.statement


def test_a_release_that_returns_nothing_is_told_so() -> None:
    audit = Release("mine/sum", lambda data, seed: None, pair=PAIR, claim=claim(epsilon=1.0))
    assert "release returned None; return the number" in audited(audit).evidence[0].detail


def test_a_release_of_another_signature_is_told_so() -> None:
    with pytest.raises(
        ConfigurationError, match=r"release is called with \(data, seed\), by place, and takes \(data\)"
    ):
        Release("mine/sum", lambda data: data.sum(), pair=PAIR, claim=claim(epsilon=1.0))
    with pytest.raises(ConfigurationError, match=r"is called with \(data, trials\), by place, and takes \(data\)"):
        Release("mine/sum", lambda data: data.sum(), pair=PAIR, claim=claim(epsilon=1.0), batched=True)
    Release("mine/max", max, pair=PAIR, claim=claim(epsilon=1.0))  # a function in C says nothing of its arguments


def test_data_that_cannot_be_copied_are_an_error_in_words() -> None:
    def count(records: Any, seed: int) -> float:
        return sum(1 for _ in records) + np.random.laplace()

    pair = tuple((record for record in range(size)) for size in (3, 2))
    found = audited(Release("mine/count", count, pair=pair, claim=claim(epsilon=1.0))).evidence[0].detail
    assert "a data set of type generator cannot be copied, which every trial needs (cannot pickle" in found
    assert "give a list or an array" in found


@pytest.mark.parametrize(("chance", "outcome"), [(0.57, Outcome.CONSISTENT), (0.9, Outcome.REFUTED)])
def test_randomised_response_of_words(chance: float, outcome: Outcome) -> None:
    """The truth with this chance, else one of the others: e/(e + 2) = 0.576 is epsilon = 1."""
    colours = ["red", "green", "blue"]

    def respond(answers: list[str], seed: int) -> list[str]:
        coin = random.Random(seed)
        lies = [[one for one in colours if one != answer] for answer in answers]
        return [one if coin.random() < chance else coin.choice(lie) for one, lie in zip(answers, lies, strict=True)]

    stated = claim(epsilon=1.0, neighbours=Neighbours.REPLACE_ONE)
    audit = Release("mine/colours", respond, pair=[["red", "green"], ["red", "blue"]], claim=stated)
    assert audited(audit).outcome is outcome


@pytest.mark.parametrize(("chance", "outcome"), [(0.73, Outcome.CONSISTENT), (0.95, Outcome.REFUTED)])
def test_a_batched_release_of_few_values(chance: float, outcome: Outcome) -> None:
    """Randomised response: the truth with this chance; 0.731 is epsilon = 1."""

    def respond(data: int, trials: Trials) -> Any:
        honest = trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] < chance
        return np.where(honest, data, 1 - data)

    audit = Release("mine/bit", respond, pair=(0, 1), claim=claim(epsilon=1.0), batched=True)
    assert audited(audit).outcome is outcome


def test_vectors_are_told_apart_by_directions() -> None:
    """Sums of coordinates say nothing here: the record moves two of them in opposite ways."""

    def release(data: Any, seed: int) -> Any:
        return data + np.random.default_rng(seed).normal(scale=0.4, size=4)

    pair = (np.array([1.0, -1.0, 0.0, 0.0]), np.zeros(4))
    plan = TrialPlan(1_500, 1_500, 1_500)
    verdict = audited(Release("mine/vector", release, pair=pair, claim=claim(mu=1.0), trials=plan, check_pair=False))
    assert verdict.outcome is Outcome.REFUTED
    assert verdict.statement.endswith("; it was not checked that the two data sets are neighbours")
    assert "linear discriminant" in verdict.evidence[0].detail or "logistic" in verdict.evidence[0].detail


def test_every_generator_is_seeded_from_the_trial_and_put_back() -> None:
    def release(data: Any, seed: int) -> Any:
        return [random.random(), np.random.random(), np.random.default_rng().random(), float(seed)]

    audit = Release("mine/random", release, pair=PAIR, claim=claim(epsilon=1.0))
    random.seed(1)
    state, trials = random.getstate(), Trials(Stream(1, "x"), np.arange(5))
    first, second = audit.run(PAIR[0], trials), audit.run(PAIR[0], trials)
    assert random.getstate() == state
    assert np.array_equal(first, second)
    assert all(len(np.unique(column)) == 5 for column in first.T)
    assert np.array_equal(first[3:4], audit.run(PAIR[0], Trials(Stream(1, "x"), np.array([3]))))


@pytest.mark.parametrize("batched", [False, True])
def test_a_release_may_change_its_data(batched: bool) -> None:
    def release(data: Any, given: Any) -> Any:
        data += 1.0
        return np.full(len(given), data[0]) if batched else data[0]

    audit = Release("mine/change", release, pair=PAIR, claim=claim(epsilon=1.0), batched=batched)
    trials = Trials(Stream(1, "x"), np.arange(3))
    assert audit.run(PAIR[0], trials).tolist() == audit.run(PAIR[0], trials).tolist() == [2.0, 2.0, 2.0]
    assert PAIR[0][0] == 1.0


def test_nan_is_an_error_that_counts_trials() -> None:
    verdict = audited(Release("mine/nan", lambda data, seed: np.nan, pair=PAIR, claim=claim(epsilon=1.0)))
    assert verdict.outcome is Outcome.ERROR
    assert "NaN" in verdict.evidence[0].detail


def test_outputs_of_unequal_shape_are_an_error() -> None:
    with pytest.raises(ConfigurationError, match=r"mine/ragged: every trial must release as many numbers"):
        Release("mine/ragged", lambda data, seed: np.zeros(seed % 3), pair=PAIR, claim=claim(epsilon=1.0)).run(
            PAIR[0], Trials(Stream(1, "x"), np.arange(20))
        )


@pytest.mark.parametrize("pair", [(1, 2, 3), "ab"])
def test_a_pair_is_a_tuple_of_two(pair: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"pair must be \(data set, neighbour\)"):
        Release("mine/pair", laplace_sum(1.0), pair=pair, claim=claim(epsilon=1.0))


def test_options_reach_the_target_and_attacks_replace_those_of_the_adapter() -> None:
    audit = Release(
        "mine/x", laplace_sum(1.0), pair=PAIR, claim=claim(epsilon=1.0), float_bits=True, view=View.FINAL_MODEL
    )
    assert audit.TARGET.view is View.FINAL_MODEL
    assert audit.TARGET.title == "mine/x"
    assert "float bits" in audit.ATTACKS
    mine = Release("mine/y", laplace_sum(1.0), pair=PAIR, claim=claim(epsilon=1.0), attacks={"a": len}, title="Y")
    assert (mine.ATTACKS, mine.TARGET.title) == ({"a": len}, "Y")


@pytest.mark.parametrize(("scale", "outcome"), [(1.0, Outcome.CONSISTENT), (0.4, Outcome.REFUTED)])
def test_pure_privacy_is_decided_and_quoted_at_delta_0(scale: float, outcome: Outcome) -> None:
    stated = claim(epsilon=1.0, quoted_delta=0.0)
    verdict = audited(Release("mine/sum", laplace_sum(scale), pair=PAIR, claim=stated, truth=Laplace(scale)))
    numbers = dict(verdict.numbers)
    assert verdict.outcome is outcome
    assert (numbers["delta"], numbers["epsilon_exact"]) == (0.0, pytest.approx(1 / scale))
    assert 0.5 < numbers["epsilon_lower_95"] <= 1 / scale
    assert ("a Laplace mechanism of epsilon" in verdict.evidence[0].detail) == (outcome is Outcome.CONSISTENT)
