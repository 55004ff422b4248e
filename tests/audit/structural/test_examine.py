"""The structural tier as a whole: what it gives, in which order, and when it holds its tongue."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dpaudit.audit.structural import examine as structural
from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.tier import decided
from dpaudit.records.assumptions import Assumptions, Sampling
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Composed, Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim
from dpaudit.records.serial import decode, encode
from dpaudit.records.verdict import Outcome

DATA = np.random.default_rng(0).uniform(-1, 1, size=(30, 3))
ZERO = DATA.copy()
ZERO[4] = 0.0
CLAIM = PrivacyClaim(GaussianDP(2.0), Neighbours.ZERO_OUT, 1e-5, source="the test")
MECHANISM = SelfComposed(Gaussian(1.0), 4)
ALPHA = 1e-6
_calls = itertools.count()


def train(data: np.ndarray, recorder: Recorder, bias: float = 0.0) -> None:
    """Four noisy sums of all records, each cut to length 1."""
    rng = np.random.default_rng(recorder.seed)
    lengths = np.maximum(np.linalg.norm(data, axis=1, keepdims=True), 1.0)
    cut = np.where(np.isfinite(lengths), data / lengths, 0.0)
    for _ in range(recorder.public("steps", 4)):
        total = cut.sum(axis=0) + bias
        value = recorder.release("sum", total, rng.normal(size=3), sensitivity=1.0, noise_scale=1.0)
    recorder.output("sum", value)


def examine(
    instrument: object = train, claim: PrivacyClaim = CLAIM, neighbour: np.ndarray = ZERO, **options: object
) -> dict:
    found = structural.examine(
        instrument, DATA, [(claim.neighbours, neighbour)], claim, MECHANISM, seed=1, alpha=ALPHA, **options
    )
    return {finding.check: finding for finding in found}


def test_a_correct_training_on_whole_data_raises_nothing() -> None:
    found = examine()
    assert decided(finding.outcome for finding in found.values()) is Outcome.CONSISTENT
    silent = {name for name, finding in found.items() if finding.outcome is Outcome.NOT_RUN}
    assert silent == {"records outside the batch", "draws of the sampler", "sampler", "joint moves"}
    assert all(found[name].detail for name in silent), "it is said why"


def test_findings_are_deterministic() -> None:
    assert examine() == examine()


def test_add_or_remove_on_whole_data() -> None:
    claim = PrivacyClaim(GaussianDP(2.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    found = examine(claim=claim, neighbour=DATA[:-1])
    assert decided(finding.outcome for finding in found.values()) is Outcome.CONSISTENT


def test_randomness_that_is_not_frozen_silences_the_replays() -> None:
    found = examine(lambda data, recorder: train(data, recorder, bias=float(next(_calls))))
    assert found["repeatable replay"].outcome is Outcome.INCONCLUSIVE
    assert found["sensitivity"].outcome is found["accountant"].outcome is Outcome.NOT_RUN
    assert found["noise scale"].outcome is Outcome.CONSISTENT
    assert decided(finding.outcome for finding in found.values()) is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(("drawn", "expected"), [(True, Outcome.CONSISTENT), (False, Outcome.NOT_RUN)])
def test_the_record_joins_batches_of_several_sizes(drawn: bool, expected: Outcome) -> None:
    """Without it the batches, which are all empty here, show nothing."""

    def batched(data: np.ndarray, recorder: Recorder) -> None:
        rng = np.random.default_rng(recorder.seed)
        for _ in range(2):
            total = data[recorder.batch([])].sum(axis=0) / 3.0
            recorder.release("sum", total, rng.normal(size=3), sensitivity=1.0, noise_scale=1.0)

    parts = tuple(PoissonSampled(rate, Gaussian(1.0)) if drawn else Gaussian(1.0) for rate in (0.1, 0.2))
    pairs = [(Neighbours.ZERO_OUT, ZERO)]
    found = structural.examine(batched, DATA, pairs, CLAIM, Composed(parts), seed=1, alpha=ALPHA)
    assert {f.check: f.outcome for f in found}["sensitivity"] is expected


def test_neighbours_of_another_relation_are_left_out() -> None:
    pairs = [(Neighbours.REPLACE_ONE, -DATA)]
    found = structural.examine(train, DATA, pairs, CLAIM, MECHANISM, seed=1, alpha=ALPHA)
    assert {f.check: f.outcome for f in found}["sensitivity"] is Outcome.NOT_RUN


def test_a_training_that_raises_is_not_swallowed() -> None:
    def broken(data: np.ndarray, recorder: Recorder) -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        examine(broken)


@pytest.mark.parametrize("neighbour", [-DATA, DATA[:-2], np.vstack([DATA, DATA])])
def test_data_sets_that_are_no_neighbours_are_refused(neighbour: np.ndarray) -> None:
    with pytest.raises(ContentError, match="one record"):
        examine(neighbour=neighbour)


def test_assumptions_silence_what_they_should() -> None:
    found = examine(assumptions=Assumptions(independent_noise=False, ordered=True, checked_records=True))
    names = {"noise scale", "noise law", "fresh noise", "order of the records", "bad records"}
    assert {found[name].outcome for name in names} == {Outcome.NOT_RUN}


def test_planned_tests_are_known_before_any_data() -> None:
    sampled = SelfComposed(PoissonSampled(0.1, Gaussian(1.0)), 4)
    assert structural.planned_tests() == structural.planned_tests(MECHANISM) == 3
    assert structural.planned_tests(sampled) == 4
    assert structural.planned_tests(sampled, Assumptions(independent_noise=False)) == 2
    assert structural.planned_tests(None, Assumptions(Sampling("shuffled", 9, 3))) == 4


def test_evidence_is_of_the_engine_and_has_a_json_form() -> None:
    found = structural.evidence(examine().values())
    assert {evidence.engine for evidence in found} == {"structural"}
    assert found[1].detail.startswith("sensitivity: ")
    assert decode(encode(found)) == found


def test_a_batch_that_is_skipped_for_a_record_in_it_is_refuted() -> None:
    """It is read, and nothing comes of it: which read is the batch is then not known, but calls hang on no record."""

    def skipping(data: np.ndarray, recorder: Recorder, private: bool) -> None:
        rng = np.random.default_rng(recorder.seed)
        for step in range(4):
            batch = data[recorder.batch(np.flatnonzero(rng.random(len(data)) < 0.5))]
            noise = rng.normal(size=3)
            if np.abs(batch).max(initial=0.0) > 1.0 if private else step == 1:
                continue
            lengths = np.maximum(np.linalg.norm(np.nan_to_num(batch), axis=1, keepdims=True), 1.0)
            total = (np.nan_to_num(batch) / lengths).sum(axis=0)
            recorder.release("sum", total, noise, sensitivity=1.0, noise_scale=1.0)

    data = np.concatenate([DATA, [[3.0, 0.0, 0.0]]])
    claim = PrivacyClaim(GaussianDP(2.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    for private in (True, False):
        found = structural.examine(
            lambda data, recorder, private=private: skipping(data, recorder, private), data, [], claim, seed=1,
            alpha=ALPHA, assumptions=Assumptions(random_batches=True, checked_records=True),
        )  # fmt: skip
        refuted = {one.check for one in found if one.outcome is Outcome.REFUTED}
        assert refuted == ({"noisy calls"} if private else set())


def in_two_parts(data: np.ndarray, recorder: Recorder, norm: float = 1.0) -> None:
    """Two passes over two random parts of the records; decaying sums of all that came so far."""
    rng = np.random.default_rng(recorder.seed)
    part, total = rng.integers(2, size=len(data)), np.zeros(3)
    lengths = np.maximum(np.linalg.norm(np.nan_to_num(data), axis=1, keepdims=True) / norm, 1.0)
    cut = np.nan_to_num(data) / lengths
    for step in range(4):
        total = 0.9 * total + cut[recorder.batch(np.flatnonzero(part == step % 2))].sum(axis=0)
        most = 1.0 if step < 2 else 1.81
        recorder.release("sum", total, 3 * rng.normal(size=3), sensitivity=most, noise_scale=3.0)


def test_a_record_that_cannot_be_in_all_batches_is_in_those_of_another_one() -> None:
    """Nobody says how the parts are drawn; in no recording is a record in both."""
    claim = PrivacyClaim(GaussianDP(2.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    data = 3 * DATA
    for norm in (1.0, 2.0):
        found = structural.examine(
            lambda data, recorder, norm=norm: in_two_parts(data, recorder, norm), data, [], claim, seed=1, alpha=ALPHA,
            assumptions=Assumptions(random_batches=True, checked_records=True),
        )  # fmt: skip
        outcome = {one.check: one.outcome for one in found}["sensitivity"]
        assert outcome is (Outcome.CONSISTENT if norm == 1.0 else Outcome.REFUTED)
    [said] = [one.detail for one in structural.examine(
        in_two_parts, data, [], claim, seed=1, alpha=ALPHA, assumptions=Assumptions(random_batches=True))
        if one.check == "sensitivity"]  # fmt: skip
    assert "none was in all of them" in said


@pytest.mark.deep
def test_a_batch_without_clipping_is_seen_whoever_is_in_it() -> None:
    """Four batches of an epoch, of which the last is not clipped: some record was in it."""

    def train(data: np.ndarray, recorder: Recorder, cut: bool) -> None:
        rng = np.random.default_rng(recorder.seed)
        for number, part in enumerate(np.array_split(rng.permutation(len(data)), 4)):
            rows = np.nan_to_num(data[recorder.batch(part)])
            lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1.0)
            total = (rows if number == 3 and not cut else rows / lengths).sum(axis=0)
            recorder.release("sum", total, rng.normal(size=3), sensitivity=1.0, noise_scale=1.0)

    claim = PrivacyClaim(GaussianDP(2.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    for cut in (True, False):
        for seed in range(4):
            found = structural.examine(
                lambda data, recorder, cut=cut: train(data, recorder, cut), 9 * DATA, [], claim, seed=seed, alpha=ALPHA,
                assumptions=Assumptions(random_batches=True, checked_records=True),
            )  # fmt: skip
            outcome = {one.check: one.outcome for one in found}["sensitivity"]
            assert outcome is (Outcome.CONSISTENT if cut else Outcome.REFUTED)
