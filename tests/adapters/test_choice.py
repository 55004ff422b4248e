"""What the choice of the record costs, and which record it takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpaudit.adapters import choice
from dpaudit.adapters.choice import Budget
from dpaudit.adapters.projections import Directions
from dpaudit.adapters.step_laws import StepLaw
from dpaudit.adapters.training import Training
from dpaudit.audit import side_by_side
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.privacy import Neighbours, claim
from dpaudit.records.target import TrialPlan

pytestmark = pytest.mark.usefixtures("every_candidate")


@pytest.mark.parametrize(
    ("trials", "backgrounds", "candidates", "found"),
    [
        (None, 2, 3, Budget(0, 0)),
        (10_000, 2, 3, Budget(6, 32)),
        (400, 2, 3, Budget(6, 16)),
        (100, 2, 3, Budget(6, 0)),
        (50, 2, 3, Budget(0, 0)),
    ],
)
def test_the_choice_takes_a_tenth_of_a_smoke_game(
    trials: int | None, backgrounds: int, candidates: int, found: Budget
) -> None:
    plan = None if trials is None else TrialPlan(trials, trials, trials)
    budget = choice.budget(plan, backgrounds, candidates)
    assert budget == found
    spent = backgrounds * budget.recordings + candidates * (budget.replays + budget.trials)
    assert spent <= 2 * (trials or 0) / 10


def test_a_record_that_is_replaced_is_replayed_on_both_sides() -> None:
    plan = TrialPlan(400, 400, 400)
    budget = choice.budget(plan, 2, 3, sides=2)
    assert budget == Budget(6, 10, 2)
    assert 2 * budget.recordings + 3 * (budget.replays + budget.trials) <= 80


def test_recordings_that_fill_the_memory_are_not_made() -> None:
    plan = TrialPlan(10_000, 10_000, 10_000)
    assert choice.budget(plan, 2, 3, numbers=11_000_000) == Budget(6, 32)
    assert choice.budget(plan, 2, 3, numbers=12_000_000) == Budget(0, 0)


def test_the_record_is_measured_against_the_spread_of_trials() -> None:
    found = Directions({}, 1.0, law=StepLaw(np.array([2.0, 4.0]), np.zeros(2), np.ones(2)))
    absent = np.array([[1.0, 0.0, 0.0, 7.0], [0.0, 4.0, 0.0, 7.0], [3.0, 6.0, 0.0, 9.0]])  # sums 1, 4 and 9
    assert choice.separation(found, absent, final=False) == pytest.approx(6 / np.std([1, 4, 9], ddof=1))
    assert choice.separation(found, absent, final=True) == pytest.approx(6 / np.std([7, 7, 9], ddof=1))
    assert choice.separation(found, np.full((3, 4), np.nan), final=False) == 0.0
    assert choice.separation(found, np.full((3, 4), np.inf), final=False) == 0.0
    assert choice.separation(replace(found, law=None), absent, final=False) == 0.0


def test_values_that_are_0_on_one_data_set_alone_tell_it_by_their_number() -> None:
    zeros = {("a", 0): np.array([1, 0, -1], dtype=np.int8), ("a", 1): np.array([1, 1, 1], dtype=np.int8)}
    found = Directions({}, 1.0, law=None, zeros=zeros)
    absent = np.array([[0.0, 0.0, 7.0], [0.0, 0.0, 7.0], [0.0, 0.0, 9.0]])
    assert choice.separation(found, absent, final=False) == 5.0  # of trials that never have such a value, over 1
    absent[:, 1] = [1.0, 5.0, 9.0]
    assert choice.separation(found, absent, final=False) == pytest.approx(5 / 4)
    assert choice.separation(found, absent, final=True) == 0.0


RATE, STEPS = 0.25, 4
RECORDS = np.array([[0.9, 0.0], [-0.9, 0.0]] * 100)
"""Along the first axis the others spread a sum by 0.9 sqrt(200 RATE (1 - RATE)) = 5.5; along the second by nothing."""


def total(records: np.ndarray, recorder: Recorder) -> None:
    """Sums of Poisson batches, whose second number is worth 0.8 of the first, with little noise."""
    rng = np.random.default_rng(recorder.seed)
    for _ in range(STEPS):
        members = recorder.batch(np.flatnonzero(rng.random(len(records)) < RATE))
        own = np.clip(records[members], -1.0, 1.0) * [1.0, 0.8]
        recorder.release("sum", own.sum(axis=0), 0.5 * rng.normal(size=2), sensitivity=1.3, noise_scale=0.5)


class TwoCandidates(Training):
    """One candidate moves most along the spread of the others, the other one across it."""

    def _listed(self, seed: int) -> list:
        along, across = np.array([1.0, 0.0]), np.array([0.0, 1.0])
        return [(name, (np.vstack([RECORDS, one]), RECORDS)) for name, one in (("along", along), ("across", across))]


def adapter(trials: int | None) -> TwoCandidates:
    plan = None if trials is None else TrialPlan(trials, trials, trials)
    return TwoCandidates("mine/sums", total, claim=claim(epsilon=1.0, delta=1e-5), records=RECORDS, trials=plan)


def test_the_record_across_the_spread_is_taken_though_it_moves_less() -> None:
    audit = adapter(400)
    data, _ = audit.neighbours(np.random.default_rng(0))
    assert data[-1].tolist() == [0.0, 1.0]
    note = audit.notes()[0]
    assert note.startswith("neighbours differ in across, which moves the steps by 3.2 noise scales, in every batch a")
    assert note.endswith("of 2 candidates none does much more; chosen with 18 recordings and 62 trials of its own")


def test_without_a_game_nothing_is_played_and_the_larger_move_is_taken() -> None:
    audit = adapter(None)
    data, _ = audit.neighbours(np.random.default_rng(0))
    assert data[-1].tolist() == [1.0, 0.0]
    assert "trials of its own" not in audit.notes()[0]


def test_the_choice_uses_no_seed_of_the_game() -> None:
    seen: list[int] = []

    def watched(records: np.ndarray, recorder: Recorder) -> None:
        seen.append(recorder.seed)
        total(records, recorder)

    audit = TwoCandidates("mine/sums", watched, claim=claim(epsilon=1.0, delta=1e-5), records=RECORDS,
                          trials=TrialPlan(400, 400, 400))  # fmt: skip
    data, _ = audit.neighbours(np.random.default_rng(0))
    chosen, trials = set(seen), Trials(Stream(3, "x"), np.arange(50))
    seen.clear()
    audit.run(data, trials)
    assert len(set(seen)) == 50
    assert not chosen & set(seen)  # by chance once in 10^5 choices of a seed, of which there is one


def test_all_trainings_of_the_choice_are_told() -> None:
    seen: list[int] = []

    def watched(records: np.ndarray, recorder: Recorder) -> None:
        seen.append(recorder.seed)
        total(records, recorder)

    pair = tuple(np.vstack([RECORDS, [0.0, one]]) for one in (1.0, -1.0))
    replaced = claim(epsilon=1.0, delta=1e-5, neighbours=Neighbours.REPLACE_ONE)
    audit = Training("mine/sums", watched, claim=replaced, pair=pair, trials=TrialPlan(200, 200, 200))
    audit.neighbours(np.random.default_rng(0))
    assert audit.notes()[0].endswith("chosen with 18 recordings and 22 trials of its own")
    # Beside them two that show whether batches are random, and a path with each record, one of them looked at twice.
    assert len(seen) == 18 + 22 + 2 + 1 + 3


def test_candidates_share_the_path_without_them() -> None:
    seen: list[int] = []

    def watched(records: np.ndarray, recorder: Recorder) -> None:
        seen.append(len(records))
        total(records, recorder)

    audit = TwoCandidates("mine/sums", watched, claim=claim(epsilon=1.0, delta=1e-5), records=RECORDS,
                          trials=TrialPlan(20, 20, 20))  # fmt: skip
    audit.neighbours(np.random.default_rng(0))  # twenty trials pay for no recordings of the choice
    assert seen == [200] * 3 + [201] * 3  # two on the question of batches, one path, a first look, two candidates


def test_structural_checks_take_the_furthest_move_before_a_trial_is_played() -> None:
    seen: list[int] = []

    def watched(records: np.ndarray, recorder: Recorder) -> None:
        seen.append(recorder.seed)
        total(records, recorder)

    audit = TwoCandidates("mine/sums", watched, claim=claim(epsilon=1.0, delta=1e-5), records=RECORDS,
                          trials=TrialPlan(400, 400, 400))  # fmt: skip
    first, _ = audit.first_neighbours(np.random.default_rng(0))
    assert first[-1].tolist() == [1.0, 0.0]
    assert len(seen) == 6  # as above
    again, _ = audit.first_neighbours(np.random.default_rng(0))
    assert again is first
    assert len(seen) == 6
    data, _ = audit.neighbours(np.random.default_rng(0))
    assert data[-1].tolist() == [0.0, 1.0]
    assert audit.notes()[1:] == ("the structural checks were made on along",)
    alone = adapter(400)
    assert np.array_equal(alone.neighbours(np.random.default_rng(0))[0], data)  # whatever was asked before
    assert len(alone.notes()) == 1


def test_the_generator_gives_both_pairs_the_same_seed() -> None:
    one, other = np.random.default_rng(4), np.random.default_rng(4)
    audit = adapter(None)
    assert np.array_equal(audit.first_neighbours(one)[0], audit.neighbours(other)[0])
    assert one.bit_generator.state == other.bit_generator.state


def test_the_likelihood_ratio_is_the_last_column() -> None:
    audit = adapter(400)
    data, neighbour = audit.neighbours(np.random.default_rng(0))
    on, off = (
        audit.run(side, Trials(Stream(4, name), np.arange(300))) for side, name in ((data, "a"), (neighbour, "b"))
    )
    scores = [audit.ATTACKS["likelihood ratio of the steps"](side, data, neighbour) for side in (on, off)]
    # The record is in a batch of 68 of 100 trials and moves it by 1.6 noise scales.
    assert scores[0].mean() - scores[1].mean() > 0.5
    assert np.array_equal(scores[0], on[:, -1])


@pytest.mark.parametrize("repeatable", [True, False])
def test_copies_play_trials_that_can_be_repeated_alone(repeatable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def rows(row: object, seeds: np.ndarray, repeatable: bool = True) -> np.ndarray:
        asked.append(repeatable)
        return np.random.default_rng(0).normal(size=(len(seeds), STEPS + 2))

    monkeypatch.setattr(side_by_side, "rows", rows)
    audit = TwoCandidates("mine/sums", total, claim=claim(epsilon=1.0, delta=1e-5), records=RECORDS,
                          trials=TrialPlan(400, 400, 400), deterministic=repeatable)  # fmt: skip
    data, _ = audit.neighbours(np.random.default_rng(0))
    audit.run(data, Trials(Stream(3, "x"), np.arange(5)))
    assert set(asked) == {repeatable}
    assert len(asked) == 3
