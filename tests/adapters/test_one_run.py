"""Canaries in the gradients of one training: what they see, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit import claim
from dpaudit.adapters import one_run
from dpaudit.adapters.one_run import OneRun
from dpaudit.audit import tiers
from dpaudit.audit.game.play_canaries import play_one_run, play_without_noise
from dpaudit.content.audits import audit_of
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.verdict import Outcome, Verdict

CONTEXT = Context(seed=3, level=Level.SMOKE, alpha=1e-4)
STEPS, WIDTH, NOISE = 16, 1500, 8.0
RECORDS = np.random.default_rng(0).normal(size=(50, WIDTH))
MU = STEPS**0.5 / NOISE


def training(noise: float = NOISE, rate: float = 1.0, beside: Any = 0.0, **said: Any) -> Any:
    """Gradient descent towards the mean, each record's step clipped to 1; says `NOISE` whatever it draws."""

    def train(records: Any, recorder: Any) -> None:
        rng, mean = np.random.default_rng(recorder.seed), np.zeros(WIDTH)
        for _ in range(STEPS):
            members = recorder.batch(np.flatnonzero(rng.random(len(records)) < rate))
            own = records[members] - mean
            total = (own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1.0)).sum(axis=0) + beside
            added = noise * rng.normal(size=WIDTH)
            declared = {"sensitivity": 1.0, "noise_scale": NOISE} | said
            mean += recorder.release("gradient", total, added, **declared) / 100
        recorder.output("mean", mean)

    return train


def audit(train: Any, **options: Any) -> Verdict:
    given = {"claim": claim(mu=MU, quoted_delta=1e-5), "records": RECORDS, "canaries": 1000} | options
    return tiers.audit(audit_of(OneRun("test/once", train, **given)), CONTEXT)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("relation", [Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE])
def test_a_quarter_of_the_noise_is_refuted_and_the_claimed_one_is_not(relation: Neighbours) -> None:
    given = claim(mu=MU, quoted_delta=1e-5, neighbours=relation)
    kept = audit(training(), claim=given)
    found: dict[str, Any] = dict(kept.numbers)
    assert kept.outcome is Outcome.CONSISTENT
    assert "the same training without its noise is refuted" in kept.evidence[0].detail
    assert 0.75 * MU < found["mu_if_canaries_are_independent_and_alike"] < MU  # all that a gradient canary can see
    assert audit(training(NOISE / 4), claim=given).outcome is Outcome.REFUTED


@pytest.mark.deep
def test_batches_are_drawn_for_canaries_too() -> None:
    mechanism = SelfComposed(PoissonSampled(0.5, Gaussian(NOISE)), STEPS)
    given = {"claim": claim(epsilon=2.0, delta=1e-5), "mechanism": mechanism, "rate": 0.5}
    assert audit(training(rate=0.5), **given).outcome is Outcome.CONSISTENT
    assert audit(training(NOISE / 8, rate=0.5), **given).outcome is Outcome.REFUTED


def test_scores_do_not_know_who_joined_a_step() -> None:
    """At a small rate a canary that joined no step looks like one that is out."""
    faint = RECORDS / 1e9
    subject = audit_of(OneRun("test/once", training(rate=0.02), claim=claim(mu=MU), records=faint, rate=0.02))
    played = play_without_noise(subject, CONTEXT)
    seen = played.scores > played.scores.min() + 1e-6
    assert not seen[~played.included].any()
    assert 0.1 < seen[played.included].mean() < 0.5  # 1 - 0.98^16 = 0.28


def test_what_the_records_add_moves_no_score() -> None:
    """Signs that change from step to step average out what stands at a coordinate all the time."""
    beside = 5.0 * np.random.default_rng(5).normal(size=WIDTH)  # 2.5 times the noise of all steps together
    train = training(beside=beside)
    subject = audit_of(OneRun("test/once", train, claim=claim(mu=MU), records=RECORDS, canaries=WIDTH))
    played = play_one_run(subject, CONTEXT)
    inside, outside = played.scores[played.included], played.scores[~played.included]
    assert (inside.mean() - outside.mean()) / outside.std() > 0.7 * MU


@pytest.mark.parametrize(
    ("train", "options", "words"),
    [
        (training(rate=0.5), {}, "give rate=, with which a record is in"),
        (training(rate=0.5), {"rate": 0.2}, "rate is 0.2, and a record is in 0."),
        (training(sensitivity=None), {}, "declares no sensitivity"),
        (training(noise_scale=None), {}, "declares no noise_scale"),
        (
            training(sensitivity=1.2),
            {},
            "release 'gradient' declares, canaries would show an epsilon of 2.*the claim of 1",
        ),
        (training(law="laplace"), {}, "more than the claim of"),
        (training(), {"canaries": 2000}, "give canaries=1500 or fewer"),
        (lambda records, recorder: None, {}, "released nothing"),
    ],
)
def test_trainings_that_cannot_have_canaries_say_so(train: Any, options: Any, words: str) -> None:
    subject = audit_of(OneRun("test/once", train, **{"claim": claim(mu=MU), "records": RECORDS} | options))
    with pytest.raises(ContentError, match=words):
        play_one_run(subject, CONTEXT)


def test_batches_that_hold_each_record_once_are_not_held_against_the_training() -> None:
    """A record joins one step of ten for certain; a canary may join several, and would show more than the claim."""

    def train(records: Any, recorder: Any) -> None:
        rng = np.random.default_rng(recorder.seed)
        for members in np.split(rng.permutation(len(records)), 10):
            recorder.batch(members)
            total = np.clip(records[members], -1e-3, 1e-3).sum(axis=0)
            recorder.release("gradient", total, rng.normal(0.0, 0.3, WIDTH), sensitivity=1.0, noise_scale=0.3)

    subject = audit_of(OneRun("test/once", train, claim=claim(mu=1 / 0.3), records=RECORDS, rate=0.1))
    with pytest.raises(ContentError, match="use Training where a record joins few releases"):
        play_one_run(subject, CONTEXT)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"view": View.FINAL_MODEL}, "view must be one of View.TRANSCRIPT, View.GRADIENTS"),
        ({"rate": 0.0}, "rate must be in"),
        ({"canaries": 0}, "canaries must be at least 1"),
        ({"assumptions": Assumptions(independent_noise=False)}, "which correlated noise is not made for"),
        (
            {"rate": 0.5, "claim": claim(mu=MU, neighbours=Neighbours.REPLACE_ONE)},
            "random batches where a record is replaced",
        ),
    ],
)
def test_arguments_that_cannot_be(options: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        OneRun("test/once", training(), **{"claim": claim(mu=MU), "records": RECORDS} | options)


def test_a_training_that_forms_the_sum_itself_has_canaries_too() -> None:
    def train(records: Any, recorder: Any) -> None:
        rng = np.random.default_rng(recorder.seed)
        recorder.batch(np.arange(len(records)))
        total, noise = records.sum(axis=0), rng.normal(size=WIDTH)
        recorder.release("sum", total, noise, sensitivity=5.0, noise_scale=1.0, value=total + noise)

    small = RECORDS / 1e6
    subject = audit_of(OneRun("test/once", train, claim=claim(mu=5.0), records=small))
    played, silenced = play_one_run(subject, CONTEXT), play_without_noise(subject, CONTEXT)
    assert ((played.scores > 0) == played.included).mean() > 0.97
    assert np.array_equal(silenced.scores > 0, silenced.included)
    assert np.unique(silenced.scores.round(2)).size == 2


def test_noise_that_is_missing_now_and_then_is_refuted() -> None:
    """Every second release is exact, and the others have all of the noise."""
    correct = training()

    def train(records: Any, recorder: Any) -> None:
        release, calls = recorder.release, iter(range(STEPS))

        def forgetful(name: str, statistic: Any, noise: Any, **said: Any) -> Any:
            return release(name, statistic, (0.0 * noise, noise, None, noise)[next(calls) % 4], **said)

        recorder.release = forgetful
        correct(records, recorder)

    assert audit(train).outcome is Outcome.REFUTED


def formed(value: Any, noise: float | None = 1.0) -> Any:
    """A training that forms what it releases itself, by `value`."""

    def train(records: Any, recorder: Any) -> None:
        rng = np.random.default_rng(recorder.seed)
        recorder.batch(np.arange(len(records)))
        total, drawn = records.sum(axis=0), rng.normal(size=WIDTH)
        handed = None if noise is None else noise * drawn
        recorder.release("sum", total, handed, sensitivity=1.0, noise_scale=1.0, value=value(total + drawn))

    return train


@pytest.mark.parametrize(
    ("train", "words"),
    [
        (formed(lambda value: np.clip(value, -1.0, 1.0)), "from statistic . noise; hand over the noise"),
        (formed(lambda value: 0.1 * value), "from statistic . noise; hand over the noise"),
        (formed(lambda value: value + np.nan), "is nan from statistic . noise"),
        (formed(lambda value: value, noise=None), "and no noise; hand over the noise"),
    ],
)
def test_what_is_more_than_a_sum_is_refused(train: Any, words: str) -> None:
    """A canary that is added behind a clip would show more than a record can."""
    subject = audit_of(OneRun("test/once", train, claim=claim(mu=1.0), records=RECORDS / 1e6))
    with pytest.raises(ContentError, match=words):
        play_one_run(subject, CONTEXT)


def test_a_sum_of_single_precision_is_a_sum() -> None:
    train = formed(lambda value: value.astype(np.float32))
    subject = audit_of(OneRun("test/once", train, claim=claim(mu=1.0), records=RECORDS))
    assert np.isfinite(play_one_run(subject, CONTEXT).scores).all()


def test_canaries_in_whole_numbers_are_not_rounded_away() -> None:
    """Half of the sensitivity is what a canary adds where records are replaced."""

    def train(records: Any, recorder: Any) -> None:
        rng = np.random.default_rng(recorder.seed)
        recorder.batch(np.arange(len(records)))
        noise = rng.normal(0.0, 0.2, WIDTH)
        recorder.release("sum", records.sum(axis=0), noise, sensitivity=1.0, noise_scale=0.2)

    given = {"claim": claim(mu=5.0, neighbours=Neighbours.REPLACE_ONE), "records": np.zeros((9, WIDTH), dtype=int)}
    played = play_one_run(audit_of(OneRun("test/once", train, **given)), CONTEXT)
    assert ((played.scores > 0) == played.included).mean() > 0.97


def test_a_claim_is_held_against_the_declared_noise_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The account of many releases is dear; noise that differs by rounding is one law."""
    asked: list[Any] = []
    bounds = one_run.epsilon_bounds
    monkeypatch.setattr(one_run, "epsilon_bounds", lambda *given: asked.append(given[0]) or bounds(*given))

    def train(records: Any, recorder: Any) -> None:
        rng = np.random.default_rng(recorder.seed)
        recorder.batch(np.arange(len(records)))
        for _ in range(4):
            scale = 8.0 * (1 + 1e-6 * rng.random())
            noise = scale * rng.normal(size=WIDTH)
            recorder.release("sum", np.zeros(WIDTH), noise, sensitivity=1.0, noise_scale=scale)

    subject = audit_of(OneRun("test/once", train, claim=claim(mu=MU, quoted_delta=1e-5), records=RECORDS))
    play_one_run(subject, CONTEXT)
    play_without_noise(subject, CONTEXT)
    assert asked == [SelfComposed(Gaussian(8.0), 4)] * 3  # at the quoted delta and at two more
