"""Trainings that tell a recorder what they do: one function for both tiers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from dpaudit.adapters.training import Training
from dpaudit.audit import tiers
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

ALPHA = 1e-6
"""False-alarm probability of each statistical test."""

RATE, STEPS, NOISE = 0.2, 8, 1.5
RECORDS = np.random.default_rng(0).normal(size=(100, 4))
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(NOISE)), STEPS)
STATED = claim(epsilon=2.3, delta=1e-5)


def train(
    records: np.ndarray,
    recorder: Recorder,
    noise: float = NOISE,
    clips: bool = True,
    rate: float = RATE,
    steps: int = STEPS,
) -> None:
    """Noisy descent to the mean, on Poisson batches."""
    rng, weights = np.random.default_rng(recorder.seed), np.zeros(4)
    for _ in range(recorder.public("steps", steps)):
        members = recorder.batch(np.flatnonzero(rng.random(len(records)) < rate))
        own = np.where(np.isfinite(records[members]).all(axis=1, keepdims=True), weights - records[members], 0.0)
        factors = np.minimum(1.0, 1.0 / np.maximum(np.linalg.norm(own, axis=1), 1e-12))
        total = ((factors if clips else 1.0) * own.T).sum(axis=1)
        added = recorder.release("gradient", total, noise * rng.normal(size=4), sensitivity=1.0, noise_scale=NOISE)
        weights -= added / (RATE * 100)
    recorder.output("weights", weights)


def audited(audit: Training) -> Verdict:
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, ALPHA))


def adapter(run: Any = train, trials: int | None = 200, **options: Any) -> Training:
    plan = None if trials is None else TrialPlan(trials, trials, trials)
    given = {"records": RECORDS, "claim": STATED, "mechanism": MECHANISM, **options}
    return Training("mine/mean", run, trials=plan, **given)


def refuting(verdict: Verdict) -> set[str]:
    wrong = [e for e in verdict.evidence if e.outcome is Outcome.REFUTED]
    return {e.detail.partition(":")[0] if e.engine == "structural" else e.engine for e in wrong}


def test_a_correct_training_is_consistent_in_both_tiers() -> None:
    verdict = audited(adapter())
    assert verdict.outcome is Outcome.CONSISTENT, refuting(verdict)
    assert {e.engine for e in verdict.evidence} == {"structural", "game"}
    assert "neighbours differ in" in verdict.statement


def test_a_third_of_the_noise_is_refuted_by_the_structural_tier() -> None:
    assert refuting(audited(adapter(partial(train, noise=NOISE / 3), trials=None))) >= {"noise scale"}


def test_no_clipping_is_refuted_by_both_tiers() -> None:
    assert refuting(audited(adapter(partial(train, clips=False)))) >= {"sensitivity", "accountant", "game"}


@pytest.mark.deep
def test_without_a_mechanism_the_record_still_joins_random_batches() -> None:
    verdict = audited(adapter(partial(train, clips=False), trials=None, mechanism=None))
    assert "sensitivity" in refuting(verdict)


def test_the_projections_are_those_of_what_was_released() -> None:
    """Against the record itself: a far record pulls by its direction, clipped to length 1, in every batch."""
    record = np.array([30.0, 0.0, 0.0, 0.0])
    audit = adapter(partial(train, rate=2.0, steps=1), canary=record)
    data, _ = audit.neighbours(np.random.default_rng(0))
    assert np.array_equal(data[-1], record)
    assert len(data) == 101
    trials = Trials(Stream(3, "x"), np.arange(4))
    outputs = audit.run(data, trials)
    assert outputs.shape == (4, 1 + 3)
    for row, seed in zip(outputs, trials.seeds(), strict=True):
        recorder = Recorder(seed=int(seed) & 0x7FFFFFFF)
        train(data, recorder, rate=2.0, steps=1)
        pulls = [-release.value[0] / NOISE**2 for release in recorder.recording().releases]
        assert row[:-3] == pytest.approx(pulls)
        assert row[-3] == 0.0, "no value is ever 0"


def test_the_final_model_alone_is_one_column() -> None:
    audit = adapter(view=View.FINAL_MODEL)
    data, _ = audit.neighbours(np.random.default_rng(0))
    assert audit.run(data, Trials(Stream(3, "x"), np.arange(4))).shape == (4, 1)
    assert set(audit.ATTACKS) >= {"projection", "projection, negated"}


@pytest.mark.usefixtures("every_candidate")
def test_of_the_final_model_no_standard_deviations_are_told() -> None:
    """The shift is one of releases, the final model 20 times smaller: their ratio would be told 20 times too large."""
    audit = adapter(view=View.FINAL_MODEL, trials=400)
    audit.neighbours(np.random.default_rng(0))
    [note] = audit.notes()
    assert "noise scales; of 14 candidates" in note
    assert "48 trials of its own" in note


@pytest.mark.usefixtures("every_candidate")
def test_the_choice_says_which_record_it_is_and_how_far_it_moves_the_releases() -> None:
    audit = adapter(trials=400)
    data, _ = audit.neighbours(np.random.default_rng(0))
    [note] = audit.notes()
    assert note.startswith("neighbours differ in a blank record with one bright feature, a feature that no other")
    assert "noise scales, in every batch a trial by " in note
    assert "standard deviations; of 14 candidates none does much more; chosen with 30 recordings and 48 trials" in note
    place = int(np.argmax(data[-1]))
    assert not data[:-1, place].any()


def test_a_pair_of_equal_size_is_seen_from_the_data_set() -> None:
    data, neighbour = RECORDS.copy(), RECORDS.copy()
    data[-1], neighbour[-1] = [50.0, 0, 0, 0], [-50.0, 0, 0, 0]
    replaced = claim(mu=1.0, neighbours=Neighbours.REPLACE_ONE)
    audit = adapter(partial(train, rate=2.0, steps=1), pair=(data, neighbour), records=None, claim=replaced)
    assert audit.neighbours(np.random.default_rng(0))[0] is data
    trials = Trials(Stream(3, "x"), np.arange(5))
    first, second = (audit.run(side, trials)[:, 0] for side in (data, neighbour))
    assert first - second == pytest.approx(2 * 2 / NOISE**2)  # the same noise, and a record that moves the sum by 2
    smaller = adapter(pair=(RECORDS, data), records=None, claim=replaced)
    with pytest.raises(ContentError, match="differ in one record"):
        adapter(pair=(RECORDS, data[::-1]), records=None, claim=replaced).neighbours(np.random.default_rng(0))
    assert smaller.neighbours(np.random.default_rng(0))[1] is data


def still(records: np.ndarray, recorder: Recorder) -> None:
    recorder.release("zero", np.zeros(3), np.random.normal(size=3))


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda records, recorder: None, "released nothing: call recorder.release"),
        (still, "no record moves any recorded statistic"),
    ],
)
def test_a_training_that_shows_nothing_is_an_error_that_says_so(run: Any, words: str) -> None:
    verdict = audited(adapter(run))
    assert verdict.outcome is Outcome.ERROR
    assert words in verdict.evidence[-1].detail


@pytest.mark.deep
def test_structural_checks_alone_are_no_pass_where_no_record_moves_anything() -> None:
    def declared(records: np.ndarray, recorder: Recorder) -> None:
        recorder.release("zero", np.zeros(300), np.random.normal(size=300), sensitivity=1.0, noise_scale=1.0)

    verdict = audited(adapter(declared, trials=None, mechanism=None))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "no statistic moves between the neighbours" in verdict.evidence[0].detail
    assert "no record moves any recorded statistic (tried: " in verdict.statement


def test_a_training_may_change_its_records() -> None:
    def greedy(records: np.ndarray, recorder: Recorder) -> None:
        train(records, recorder)
        records[:] = 0.0

    audit = adapter(greedy)
    data, _ = audit.neighbours(np.random.default_rng(0))
    trials = Trials(Stream(3, "x"), np.arange(3))
    assert np.array_equal(audit.run(data, trials), audit.run(data, trials))
    assert data.any()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"records": None}, "give records="),
        ({"pair": (RECORDS, RECORDS)}, "give records="),
        ({"records": None, "pair": (RECORDS, RECORDS), "canary": RECORDS[0]}, "give records="),
        ({"claim": claim(mu=1.0, neighbours=Neighbours.ZERO_OUT)}, "only the training knows the empty record"),
        ({"canary": np.ones(3)}, "a canary is one record"),
        ({"view": View.LOSS}, "cannot play the view"),
    ],
)
def test_arguments_that_do_not_fit_together_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        adapter(**options).neighbours(np.random.default_rng(0))


# Pairs of other types. ----------------------------------------------------------------------------


class Tensors:
    """A data set like that of torch."""

    def __init__(self, *tensors: np.ndarray) -> None:
        self.tensors = tensors


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    "form",
    [np.ndarray.tolist, lambda part: [tuple(row) for row in part], Tensors, lambda part: (part.tolist(),)],
    ids=["lists", "list of tuples", "TensorDataset", "tuple of lists"],
)
def test_a_pair_of_lists_reaches_the_training_as_arrays(form: Any) -> None:
    def checked(records: Any, recorder: Recorder) -> None:
        [records] = records if isinstance(records, tuple) else [records]
        train(records, recorder)

    audit = adapter(checked, records=None, pair=(form(RECORDS), form(RECORDS[:-1])), trials=None)
    assert refuting(audited(audit)) == set()
    assert not any("not checked" in note for note in audit.notes())


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        (([([1.0, 2.0], 0), ([3.0, 4.0], 1)], [([1.0, 2.0], 0)]), r"write a list of \(x, y\) as \(all x, all y\)"),
        (({"x": RECORDS}, {"x": RECORDS[:-1]}), "each data set of pair must be an array of numbers"),
        ((RECORDS, RECORDS[:0]), "one or more records"),
        (RECORDS, r"pair must be \(data set, neighbour\)"),
    ],
)
def test_a_pair_that_is_no_array_is_named(pair: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        adapter(records=None, pair=pair)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("bare", [False, True])
def test_a_count_without_noise_is_tried_with_a_label_that_no_record_has(bare: bool) -> None:
    def counted(records: Any, recorder: Recorder) -> None:
        counts = np.bincount(np.clip(records[1], 0, 3), minlength=4).astype(float)
        noise = np.random.default_rng(recorder.seed).laplace(size=4)
        noise = np.where(counts > 0, noise, 0.0) if bare else noise
        declared = {"sensitivity": 1.0, "noise_scale": 2**0.5, "norm": "l1", "law": "laplace"}
        recorder.output("counts", recorder.release("counts", counts, noise, **declared))

    labels = np.arange(100) % 3
    audit = adapter(counted, records=(RECORDS, labels), claim=claim(epsilon=1.0), mechanism=None, trials=None)
    assert refuting(audited(audit)) == ({"un-noised outputs"} if bare else set())
