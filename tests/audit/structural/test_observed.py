"""What checks are shown is made when first asked for, and once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpaudit.audit.structural.far import Far
from dpaudit.audit.structural.finding import Finding, Pair
from dpaudit.audit.structural.observed import MOST_RECORDINGS, Observed, correlated_by_design
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.assumptions import Assumptions, Sampling
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim
from dpaudit.records.verdict import Outcome

DATA = np.random.default_rng(0).uniform(-0.5, 0.5, size=(8, 2))
OTHER = DATA.copy()
OTHER[3] = 0.0
CLAIM = PrivacyClaim(GaussianDP(1.0), Neighbours.ZERO_OUT, 1e-5, source="the test")


def observed() -> tuple[Observed, list[int]]:
    """A noisy sum of all records, and the seeds with which it was run."""
    seeds: list[int] = []

    def train(data: np.ndarray, recorder: Recorder) -> None:
        seeds.append(recorder.seed)
        noise = np.random.default_rng(recorder.seed).normal(size=2)
        recorder.release("sum", data.sum(axis=0), noise, sensitivity=1.0, noise_scale=1.0)

    return Observed(train, DATA, [OTHER], CLAIM, Gaussian(1.0), Assumptions(), 7, 1e-6), seeds


def test_nothing_runs_before_it_is_asked_for_and_nothing_twice() -> None:
    seen, seeds = observed()
    assert seeds == []
    assert seen.recorded is seen.recorded
    assert seeds == [7]
    _ = seen.second
    assert seeds == [7, 8]
    made = len(seeds)
    assert seen.pairs is seen.pairs
    assert len(seeds) > made


def test_the_control_is_the_same_data_and_pairs_are_neighbours() -> None:
    seen, _ = observed()
    label, recorded, replayed = seen.repeated
    assert label == "the same data"
    assert np.array_equal(recorded.releases[0].statistic, replayed.releases[0].statistic)
    moved = [not np.array_equal(one.releases[0].statistic, other.releases[0].statistic) for _, one, other in seen.pairs]
    assert any(moved)


def test_where_a_crafted_record_moves_nothing_the_one_before_it_differs_too() -> None:
    def train(data: np.ndarray, recorder: Recorder) -> None:
        told = np.where(np.abs(data) < 1.0, data, 0.0)
        statistic = np.random.uniform(0.5, 1.0) * told.sum(axis=0)  # it hangs on a draw: no record elsewhere is removed
        noise = np.random.default_rng(recorder.seed).normal(size=2)
        recorder.release("sum", statistic, noise, sensitivity=1.0, noise_scale=1.0)

    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    crafted = np.append(DATA, [[9.0, 9.0]], axis=0)
    seen = Observed(train, crafted, [DATA], claim, Gaussian(1.0), Assumptions(), 7, 1e-6)
    moved = [
        bool((one.releases[0].statistic != replayed.releases[0].statistic).any()) for _, one, replayed in seen.pairs
    ]
    assert [label for label, *_ in seen.pairs] == ["removed", "added"] * 2
    assert moved == [False, False, True, True]


def test_sampling_is_what_is_assumed_before_what_is_claimed() -> None:
    seen, _ = observed()
    assumed = replace(seen, assumptions=Assumptions(sampling=Sampling("Poisson", 8, 2.0)))
    assert assumed.sampling == Sampling("Poisson", 8, 2.0)
    assert assumed.training.sampled
    assert not seen.training.sampled


def test_checks_of_independent_noise_are_left_out_where_it_is_correlated_by_design() -> None:
    seen, _ = observed()
    assert correlated_by_design(seen, "freshness") is None
    finding = correlated_by_design(replace(seen, assumptions=Assumptions(independent_noise=False)), "freshness")
    assert finding is not None
    assert (finding.check, finding.outcome) == ("freshness", Outcome.NOT_RUN)


def test_a_step_that_reads_nothing_was_made_on_an_empty_poisson_batch() -> None:
    def train(data: np.ndarray, recorder: Recorder) -> None:
        for pieces in ([[1], [2, 5]], []):
            for members in pieces:
                recorder.batch(members)
            recorder.step()

    seen = Observed(train, DATA, [OTHER], CLAIM, None, Assumptions(sampling=Sampling("Poisson", 8, 2.0)), 7, 1e-6)
    assert [batch.tolist() for batch in seen.batches] == [[1, 2, 5], []] * MOST_RECORDINGS
    fixed = replace(seen, assumptions=Assumptions(sampling=Sampling("without replacement", 8, 3.0)))
    assert [batch.tolist() for batch in fixed.batches] == [[1, 2, 5]] * MOST_RECORDINGS


def test_small_trainings_are_recorded_more_often_with_seeds_of_their_own() -> None:
    seen, seeds = observed()
    assert len(seen.recordings) == len(seen.independent) == MOST_RECORDINGS  # two coordinates each
    assert seeds == list(range(7, 7 + MOST_RECORDINGS))

    def long(data: np.ndarray, recorder: Recorder) -> None:
        noise = np.random.default_rng(recorder.seed).normal(size=300)
        recorder.release("sum", np.zeros(300), noise, sensitivity=1.0, noise_scale=1.0)

    assert len(replace(seen, instrument=long).recordings) == 4  # 1,200 coordinates are enough


def test_noise_that_repeats_is_not_counted_twice() -> None:
    def same(data: np.ndarray, recorder: Recorder) -> None:
        recorder.batch(np.flatnonzero(np.random.default_rng(recorder.seed).random(8) < 0.5))
        recorder.release("sum", np.zeros(2), np.random.default_rng(3).normal(size=2), noise_scale=1.0)

    seen = replace(observed()[0], instrument=same, assumptions=Assumptions(random_batches=True))
    assert len(seen.recordings) == MOST_RECORDINGS
    assert len(seen.independent) == 1
    assert len(seen.batches) == MOST_RECORDINGS


def test_shuffled_batches_are_taken_by_whole_epochs() -> None:
    def train(data: np.ndarray, recorder: Recorder) -> None:
        rng = np.random.default_rng(recorder.seed)
        for _ in range(5):  # an epoch and a half of three batches, and a half
            recorder.batch(rng.permutation(8)[:3])

    sampling = Sampling("shuffled", 8, 3.0)
    seen = replace(observed()[0], instrument=train, assumptions=Assumptions(sampling=sampling, random_batches=True))
    assert len(seen.batches) == 3 * (len(seen.recordings) - 1) + 5


def test_far_away_is_looked_at_only_where_neighbours_are_alike() -> None:
    seen, _ = observed()
    near, asked = Finding("a check", Outcome.CONSISTENT, "alike"), []

    def check(pairs: Sequence[Pair], told: str) -> Finding:
        asked.append((list(pairs), told))
        return replace(near, outcome=Outcome.REFUTED if ("open", *pair[1:]) in pairs else Outcome.CONSISTENT)

    pair = ("far", seen.recorded, seen.recorded)
    vars(seen)["far"] = Far([pair], [], [("all records blank", "ValueError")])
    refuted = replace(near, outcome=Outcome.REFUTED)
    assert seen.near_then_far(refuted, check) is refuted
    assert not asked
    assert seen.near_then_far(near, check).outcome is Outcome.CONSISTENT
    assert asked[0] == ([pair], "; refused: all records blank (ValueError)")
    vars(seen)["far"] = Far([pair], [("open", *pair[1:])], [])
    assert seen.near_then_far(near, check).outcome is Outcome.INCONCLUSIVE
    vars(seen)["far"] = Far([("open", *pair[1:])], [], [])
    assert seen.near_then_far(near, check).outcome is Outcome.REFUTED


def test_some_who_are_in_all_batches_together_are_known_where_nobody_says_how_these_are_drawn() -> None:
    def parts(data: np.ndarray, recorder: Recorder) -> None:
        part = np.random.default_rng(recorder.seed).integers(3, size=len(data))
        for step in range(4):
            members = recorder.batch(np.flatnonzero(part == step % 3))
            recorder.release("sum", data[members].sum(axis=0), np.ones(2))

    def shadows(train: object, **assumed: object) -> tuple[int, ...]:
        return Observed(train, DATA, [], CLAIM, None, Assumptions(**assumed), 7, 1e-6).shadows  # type: ignore[arg-type]

    part = np.random.default_rng(7).integers(3, size=len(DATA))
    found = shadows(parts, random_batches=True)
    assert sorted(part[list(found)]) == sorted({*part.tolist()}), "one of each part"
    assert shadows(parts) == (), "no random batches"
    assert shadows(parts, sampling=Sampling("Poisson", 8, 2)) == (), "any set can be a batch"

    def whole(data: np.ndarray, recorder: Recorder) -> None:
        members = recorder.batch(np.arange(len(data)))
        recorder.release("sum", data[members].sum(axis=0), np.ones(2))

    assert shadows(whole, random_batches=True) == (), "some are in all"

    def empty(data: np.ndarray, recorder: Recorder) -> None:
        recorder.batch([])
        recorder.release("sum", np.zeros(2), np.ones(2))

    assert shadows(empty, random_batches=True) == ()
