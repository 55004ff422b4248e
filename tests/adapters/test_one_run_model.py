"""Crafted records in one training of which only losses are seen: what they show, and what is refused."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np
import pytest

from dpaudit import claim
from dpaudit.adapters.one_run_model import OneRunModel
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.content.named_scores import by_name
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.verdict import Outcome, Verdict

CONTEXT = Context(seed=3, level=Level.SMOKE, alpha=1e-3)
STEPS, WIDTH, NOISE, CLASSES, CANARIES = 20, 600, 8.0, 3, 500
MU = STEPS**0.5 / NOISE
RECORDS = (
    np.random.default_rng(0).normal(size=(300, WIDTH)) / WIDTH**0.5,
    np.random.default_rng(1).integers(CLASSES, size=300),
)


def softmax(records: Any, seed: int, noise: float) -> Any:
    """DP-SGD on full batches with gradients clipped to 1; noise: its multiplier."""
    (x, y), rng, weights = records, np.random.default_rng(seed), np.zeros((WIDTH, CLASSES))
    for _ in range(STEPS):
        odds = np.exp(x @ weights)
        errors = odds / odds.sum(axis=1, keepdims=True) - np.eye(CLASSES)[y]
        norms = np.linalg.norm(x, axis=1) * np.linalg.norm(errors, axis=1)
        total = x.T @ (errors / np.maximum(norms, 1.0)[:, None])
        weights -= 20 * (total + noise * rng.normal(size=weights.shape)) / 550

    def losses(some: Any) -> Any:
        logits = some[0] @ weights
        return np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(len(logits)), some[1]]

    return losses


def audit(factor: float, control: bool = True, **options: Any) -> Verdict:
    """factor: by which the noise is too small."""
    silent = {"without_noise": partial(softmax, noise=0.0)} if control else {}
    given = {"claim": claim(mu=MU, quoted_delta=1e-5), "records": RECORDS, "canaries": CANARIES} | silent | options
    train = partial(softmax, noise=NOISE / factor)
    return tiers.audit(audit_of(OneRunModel("test/model", train, **given)), CONTEXT)


@pytest.mark.deep
def test_too_little_noise_shows_in_the_losses_of_the_final_model() -> None:
    found = [audit(factor) for factor in (1, 4, 8)]
    assert [one.outcome for one in found] == [Outcome.CONSISTENT, Outcome.INCONCLUSIVE, Outcome.REFUTED]
    assert "the same training without its noise is refuted" in found[0].evidence[0].detail
    assert "their ranks would refute 0.559-GDP" in found[1].evidence[0].detail
    seen = dict(found[0].numbers)["mu_if_canaries_are_independent_and_alike"]
    assert 0.3 * MU < float(str(seen)) < MU  # of all that a canary gives away, the final losses keep so much
    assert "canaries are 500 blank records with a bright feature each" in found[0].statement


def test_without_a_control_nothing_found_is_inconclusive() -> None:
    assert audit(1, control=False).outcome is Outcome.INCONCLUSIVE


def test_the_canaries_that_are_in_join_the_records() -> None:
    seen: list[Any] = []

    def train(records: Any, seed: int) -> Any:
        seen.append((records, seed, np.random.random()))
        return lambda some: np.argmax(some[0] != 0, axis=1)

    made = OneRunModel("test/model", train, claim=claim(mu=1.0), records=RECORDS, canaries=4)
    features = np.argmax(made._crafted[0] != 0, axis=1)
    assert len(set(features)) == 4
    included = np.array([True, False, True, True])
    trials = Trials(Stream(1, "x"), np.arange(1))
    assert by_name(made.run(included, trials), 4, "run").tolist() == (-features).tolist()
    (features, labels), _, drawn = seen[0]
    assert len(features) == len(labels) == 303
    assert np.array_equal(features[:300], RECORDS[0])
    assert np.count_nonzero(features[300:]) == 3
    made.run(included, trials)
    assert seen[1][1:] == (seen[0][1], drawn)  # both the seed and the global generators
    made.run(included, Trials(Stream(2, "x"), np.arange(1)))
    assert seen[2][1] != seen[0][1]
    assert seen[2][2] != drawn


@pytest.mark.parametrize(
    "losses",
    [
        lambda some: np.sort(some[0].sum(axis=1)),
        lambda some: np.arange(len(some[1])),
        lambda some: some[0].sum(axis=1)[::-1],
        lambda some: np.roll(some[0].sum(axis=1), 15),
    ],
)
def test_a_loss_that_hangs_on_the_place_of_its_record_is_nobodys(losses: Any) -> None:
    def train(records: Any, seed: int) -> Any:
        return losses

    made = OneRunModel("test/model", train, claim=claim(mu=1.0), records=RECORDS, canaries=30)
    made._crafted = (made._crafted[0] * np.arange(1, 31)[:, None], made._crafted[1])
    with pytest.raises(ContentError, match="so that nobody knows whose loss is whose"):
        made.run(np.ones(30, dtype=bool), Trials(Stream(1, "x"), np.arange(1)))


def test_what_train_does_to_its_records_harms_nobody() -> None:
    def train(records: Any, seed: int) -> Any:
        records[0][:] = 0
        return lambda some: some[0].__imul__(0).sum(axis=1)

    made = OneRunModel("test/model", train, claim=claim(mu=1.0), records=RECORDS, canaries=4)
    kept = made._crafted[0].copy()
    made.run(np.ones(4, dtype=bool), Trials(Stream(1, "x"), np.arange(1)))
    assert np.array_equal(made._crafted[0], kept)
    assert RECORDS[0].any()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"claim": claim(mu=1.0, neighbours=Neighbours.ZERO_OUT)}, "a canary is a record that is there or not"),
        ({"claim": claim(mu=1.0, neighbours=Neighbours.REPLACE_ONE)}, "a canary is a record that is there or not"),
        ({"view": View.FINAL_MODEL}, "view must be View.LOSS"),
        ({"canaries": 0}, "at least one record with a feature in floats, got 0"),
        ({"records": np.arange(12).reshape(4, 3)}, r"a feature in floats, got 500 of int64 \(3,\)"),
        ({"train": 3}, "train must be a function"),
        ({"train": lambda records: None}, r"train is called with \(records, seed\)"),
        ({"without_noise": lambda records: None}, r"without_noise is called with \(records, seed\)"),
    ],
)
def test_what_is_refused(changed: dict[str, Any], words: str) -> None:
    given = {"train": lambda records, seed: None, "claim": claim(mu=1.0), "records": RECORDS} | changed
    with pytest.raises(ConfigurationError, match=words):
        OneRunModel("test/model", **given)


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, r"train must return a function losses\(records\) of the final model, got NoneType"),
        (lambda some: 1.0, r"losses must return one number a record, shape \(500,\), got \(\)"),
        (lambda some: np.full(500, np.nan), "NaN"),
    ],
)
def test_what_train_returns(returned: object, words: str) -> None:
    made = OneRunModel("test/model", lambda records, seed: returned, claim=claim(mu=1.0), records=RECORDS)
    verdict = tiers.audit(audit_of(made), CONTEXT)
    assert verdict.outcome is Outcome.ERROR
    assert re.search(words, verdict.evidence[0].detail)
