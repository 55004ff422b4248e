"""The recorder: what is recorded, what a replay gives back, what is refused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from dpaudit.audit.structural.other_batches import in_one_piece, rebatched, swapped, without
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.records.errors import ContentError


def train(data: np.ndarray, recorder: Recorder, steps: int = 3) -> np.ndarray:
    """Noisy sums of a running batch; the number of steps and the rate are public."""
    rng, total = np.random.default_rng(recorder.seed), np.zeros(2)
    for _ in range(recorder.public("steps", steps)):
        members = recorder.batch(np.flatnonzero(rng.random(len(data)) < 0.5))
        statistic = data[members].sum(axis=0) - 0.1 * total
        total = recorder.release("sum", statistic, rng.normal(size=2), sensitivity=1.0, noise_scale=1.0)
    return recorder.output("total", total)


def record(data: np.ndarray, seed: int = 1, **kwargs: object) -> Recording:
    recorder = Recorder(seed=seed)
    train(data, recorder, **kwargs)
    return recorder.recording()


DATA = np.random.default_rng(0).normal(size=(8, 2))


def test_a_recording_holds_the_calls_in_order() -> None:
    found = record(DATA)
    assert [(r.name, r.step) for r in found.releases] == [("sum", 0), ("sum", 1), ("sum", 2)]
    first = found.releases[0]
    assert (first.sensitivity, first.noise_scale, first.norm, first.law) == (1.0, 1.0, "l2", "gaussian")
    assert np.array_equal(first.value, first.statistic + first.noise)
    assert np.array_equal(first.statistic, DATA[found.batches[0]].sum(axis=0))
    assert found.public == (("steps", 3),)
    assert len(found.batches) == 3
    assert [name for name, _ in found.outputs] == ["total"]
    assert np.array_equal(found.outputs[0][1], found.releases[-1].value)


def test_a_replay_on_equal_data_with_another_seed_follows_the_recorded_path() -> None:
    recorded = record(DATA)
    recorder = Recorder(recorded, seed=99)
    last = train(DATA, recorder)
    replayed = recorder.recording()
    assert np.array_equal(last, recorded.releases[-1].value)
    for one, other in zip(recorded.releases, replayed.releases, strict=True):
        assert np.array_equal(one.statistic, other.statistic)
        assert not np.array_equal(one.noise, other.noise)
        assert np.array_equal(other.value, other.statistic + other.noise)


def test_a_replay_without_the_last_record_differs_by_that_record() -> None:
    recorded = record(DATA)
    recorder = Recorder(recorded, present=np.arange(7), seed=99)
    train(DATA[:7], recorder)
    changes = zip(recorded.releases, recorder.recording().releases, recorded.batches, strict=True)
    for one, other, members in changes:
        expected = DATA[7] * (7 in members)
        assert one.statistic - other.statistic == pytest.approx(expected, abs=1e-12)
    assert any(7 in members for members in recorded.batches)


def test_joined_records_are_in_every_batch_once_and_not_in_the_recorded_draws() -> None:
    recorder = Recorder(joined=[7])
    assert recorder.batch([1, 2]).tolist() == [1, 2, 7]
    recorder.step()
    assert recorder.batch([7, 2]).tolist() == [7, 2]
    recorder.step()
    assert recorder.batch([]).tolist() == [7]
    assert [b.tolist() for b in recorder.recording().batches] == [[1, 2], [7, 2], []]


def test_pieces_of_a_batch_are_those_between_two_steps() -> None:
    recorder = Recorder(joined=[7])
    assert [recorder.batch(ids).tolist() for ids in ([1], [7, 2], [])] == [[1, 7], [2], []], "it joins once"
    recorder.release("sum", 0.0, None)
    recorder.release("count", 0.0, None)
    assert [recorder.batch(ids).tolist() for ids in ([7], [7])] == [[7], [7]], "what the sampler draws twice stays"
    recorder.step()
    recorder.step()
    recorder.batch([5])
    made = recorder.recording()
    assert made.pieces == (3, 2, 0)
    assert [b.tolist() for b in made.logical()] == [[1, 7, 2], [7, 7]], "what no step follows is no batch"
    assert [b.tolist() for b in made.logical(unread=True)] == [[1, 7, 2], [7, 7], []]
    assert [b.tolist() for b in in_one_piece(made).batches] == [[1, 7, 2], [7, 7], [5]]
    assert in_one_piece(made).pieces == (1, 1, 0)
    assert [b.tolist() for b in rebatched(made, [3]).batches] == [[3], [3], [3]]


def test_other_records_are_put_in_the_place_of_a_piece() -> None:
    recorder = Recorder()
    with recorder.draws.open(10):
        for step in ([[1, 2], [8]], [[3]], [[4], []], [list(range(10)), [5]]):
            for ids in step:
                recorder.batch(ids)
            recorder.step()
    made = recorder.recording()
    first, second = swapped(made, 0), swapped(made, 1)
    assert [b.tolist() for b in first.batches] == [[6, 7], [8], [3], [9], [], [*range(10)], [5]], (
        "not of one piece alone"
    )
    assert [b.tolist() for b in second.batches[:2]] == [[1, 2], [3]]
    assert swapped(made, 2) is None


def test_what_is_read_before_the_steps_begin_is_no_batch_if_they_read_too() -> None:
    recorder = Recorder()
    recorder.begin()
    recorder.batch([0, 1, 2])
    recorder.begin()
    alone = recorder.recording()
    assert [b.tolist() for b in alone.logical(unread=True)] == [[0, 1, 2]], "else it is all that was ever read"
    recorder.batch([1])
    recorder.batch([2])
    recorder.step()
    made = recorder.recording()
    assert made.pieces == (-1, 2)
    assert [b.tolist() for b in made.logical(unread=True)] == [[1, 2]]
    assert in_one_piece(made).pieces == (-1, 1)
    replay = Recorder(made)
    replay.batch([9])
    replay.begin()
    assert [replay.batch([9]).tolist() for _ in range(2)] == [[1], [2]]


def test_a_read_of_all_records_beside_a_batch_is_a_look_at_them() -> None:
    """A replay gives it all records that are there, and the batch as it was recorded."""

    def made(recorder: Recorder, records: int, reads: Sequence[Sequence[int]]) -> list[list[int]]:
        with recorder.draws.open(records):
            found = [recorder.batch(ids).tolist() for ids in reads]
            recorder.step()
        return found

    recorder = Recorder(joined=[3])
    assert made(recorder, 4, [range(4), [1]]) == [[0, 1, 2, 3], [1, 3]]
    recorded = recorder.recording()
    assert [b.tolist() for b in recorded.logical()] == [[1]]
    assert [b.tolist() for b in rebatched(recorded, [2]).batches] == [[0, 1, 2, 3], [2]]
    assert [b.tolist() for b in without(recorded, 1).batches] == [[0, 1, 2, 3], []]
    assert in_one_piece(recorded).pieces == (2,)
    more = made(Recorder(recorded, range(5), joined=[4]), 5, [range(5), [0, 2]])
    assert more == [[0, 1, 2, 3, 4], [1, 4]]
    assert made(Recorder(recorded, range(3)), 3, [[0], range(3)]) == [[1], [0, 1, 2]], "in whatever order"
    whole = Recorder()
    assert made(whole, 4, [range(4)]) == [[0, 1, 2, 3]]
    assert [b.tolist() for b in whole.recording().logical()] == [[0, 1, 2, 3]], "a step on all records"
    assert rebatched(whole.recording(), [2]).batches[0].tolist() == [2]


def test_without_a_step_every_read_is_a_batch() -> None:
    made = Recording((), (), (np.array([3]), np.array([1])), ())
    assert [b.tolist() for b in made.logical()] == [[3], [1]]
    assert [b.tolist() for b in in_one_piece(made).batches] == [[3], [1]]


def test_pieces_are_replayed_by_step_and_place() -> None:
    pieces = (np.array([1, 2]), np.array([3]), np.array([4]), np.array([5]))
    recorded = Recording((), (), pieces, (), (2, 1))
    recorder = Recorder(recorded)
    assert [recorder.batch([0]).tolist() for _ in range(3)] == [[1, 2], [3], []], "nothing beyond what was recorded"
    recorder.step()
    recorder.step()
    assert recorder.batch([0]).tolist() == [5], "what was read after the last step"
    recorder.step()
    assert recorder.batch([0]).tolist() == [0], "more steps than were recorded: its own"


def test_a_replay_gives_recorded_batches_that_are_present_whatever_is_drawn() -> None:
    recorded = Recording((), (), (np.array([3, 1, 5]),), ())
    recorder = Recorder(recorded, present=[0, 1, 3])
    assert recorder.batch([0]).tolist() == [3, 1]
    assert Recorder(recorded, present=[0, 3, 6]).batch([0]).tolist() == [3], "1 is absent, and so is 5"
    assert Recorder(recorded, present=[]).batch([0]).tolist() == []
    assert recorder.batch([0, 4]).tolist() == [0], "more draws than were recorded: its own, those present"
    assert [b.tolist() for b in recorder.recording().batches] == [[0], [0, 4]]


def test_public_values_of_a_replay_are_the_recorded_ones_by_name_and_number() -> None:
    first = Recorder()
    rates = [first.public("rate", r) for r in (0.5, 0.25)]
    assert rates == [0.5, 0.25]
    second = Recorder(first.recording())
    assert [second.public("rate", r) for r in (1.0, 2.0, 3.0)] == [0.5, 0.25, 3.0]
    assert second.public("n", 4) == 4
    assert second.recording().public == (("rate", 1.0), ("rate", 2.0), ("rate", 3.0), ("n", 4))


def test_a_longer_replay_gets_its_own_values() -> None:
    recorded = record(DATA, steps=2)
    recorder = Recorder(recorded)
    for number in range(4):
        recorder.release("sum", [float(number)] * 2, [0.0, 0.0])
    values = [r.value.tolist() for r in recorder.recording().releases]
    assert values == [[float(n)] * 2 for n in range(4)]
    assert recorder.release("sum", [9.0, 9.0], [0.0, 0.0]).tolist() == [9.0, 9.0]


def test_a_replay_of_another_shape_gets_its_own_value() -> None:
    first = Recorder()
    first.release("sum", [1.0, 2.0], [0.0, 0.0])
    recorder = Recorder(first.recording())
    assert recorder.release("sum", [5.0], [0.0]).tolist() == [5.0]


def test_what_was_recorded_does_not_change_afterwards() -> None:
    recorder, statistic, rates = Recorder(), np.ones(2), [0.1]
    value = recorder.release("a", statistic, np.zeros(2))
    recorder.public("rates", rates)
    recorder.output("model", statistic)
    statistic += 1
    value += 1
    rates.append(0.2)
    found = recorder.recording()
    assert found.releases[0].statistic.tolist() == found.releases[0].value.tolist() == [1.0, 1.0]
    assert found.public == (("rates", [0.1]),)
    assert found.outputs[0][1].tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="read-only"):
        found.releases[0].value[0] = 2


def test_scalars_integers_single_precision_and_releases_without_noise() -> None:
    recorder = Recorder()
    assert recorder.release("count", 3, 0.5) == 3.5
    assert recorder.release("mean", np.float32(1), np.float32(2)).dtype == np.float32
    assert recorder.release("plain", [1, 2], None).tolist() == [1.0, 2.0]
    assert recorder.release("summed elsewhere", 1.0, 2.0, value=3.5) == 3.5
    assert recorder.recording().releases[2].noise is None


@pytest.mark.parametrize(
    ("arguments", "declared", "message"),
    [
        (([1.0, 2.0], [1.0]), {}, "one shape"),
        (([1.0], [1.0]), {"value": [1.0, 2.0]}, "one shape"),
        (([1j], [1.0]), {}, "real numbers"),
        ((["a"], [1.0]), {}, "real numbers"),
        ((1.0, 1.0), {"norm": "l3"}, "norm"),
        ((1.0, 1.0), {"law": "cauchy"}, "law"),
        ((1.0, 1.0), {"sensitivity": -1.0}, "sensitivity"),
        ((1.0, 1.0), {"sensitivity": float("nan")}, "sensitivity"),
        ((1.0, 1.0), {"noise_scale": float("inf")}, "noise_scale"),
    ],
)
def test_broken_releases_are_refused(arguments: tuple, declared: dict, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        Recorder().release("a", *arguments, **declared)


@pytest.mark.parametrize("members", [[0.5], [[1]], [-1], 3])
def test_broken_batches_are_refused(members: object) -> None:
    with pytest.raises(ContentError, match="record ids"):
        Recorder().batch(members)
