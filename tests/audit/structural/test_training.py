"""Which trainings and replays the checks get."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.audit.structural.data_sets import natural_neighbours
from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.structural.training import REPLACED, Training
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Neighbours

DATA = np.arange(1.0, 9.0).reshape(8, 1)
REMOVE, REPLACE = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE


def sums(data: np.ndarray, recorder: Recorder) -> None:
    """Four sums of Poisson batches."""
    rng = np.random.default_rng(recorder.seed)
    for _ in range(4):
        members = recorder.batch(np.flatnonzero(rng.random(len(data)) < 0.3))
        recorder.release("sum", data[members].sum(axis=0), rng.normal(size=1))


def refusing(data: np.ndarray, recorder: Recorder) -> None:
    """The mean of all records, which must be finite."""
    if not np.isfinite(data).all():
        raise ValueError("not finite")
    recorder.release("mean", data.mean(axis=0), np.zeros(1))


def moves(pair: tuple) -> list[float]:
    _, one, other = pair
    return [float((a.statistic - b.statistic)[0]) for a, b in zip(one.releases, other.releases, strict=True)]


SAMPLED, WHOLE = Training(sums, 3, sampled=True), Training(refusing, 3, sampled=False)


def test_the_seed_decides_the_recording() -> None:
    same = [SAMPLED.record(DATA)[0].releases[0].noise for _ in range(2)]
    assert np.array_equal(*same)
    assert not np.array_equal(same[0], SAMPLED.record(DATA, seed=4)[0].releases[0].noise)


def test_the_record_in_question_joins_every_random_batch() -> None:
    removed, added = SAMPLED.pairs(DATA, DATA[:-1])
    assert moves(removed) == pytest.approx([8.0] * 4)
    assert moves(added) == pytest.approx([-8.0] * 4)
    assert SAMPLED.pairs(DATA[:-1], DATA)[0][0] == "removed", "in any order"
    other = DATA.copy()
    other[2] = -5.0
    (replaced,) = SAMPLED.pairs(DATA, other)
    assert replaced[0] == REPLACED
    assert moves(replaced) == pytest.approx([8.0] * 4)


def in_pieces(data: np.ndarray, recorder: Recorder) -> None:
    """Four sums of Poisson batches, each read two records at a time."""
    rng = np.random.default_rng(recorder.seed)
    for _ in range(4):
        members = np.append(np.flatnonzero(rng.random(len(data)) < 0.6), -1)[:-1]
        parts = [recorder.batch(members[first : first + 2]) for first in range(0, max(len(members), 1), 2)]
        recorder.release("sum", sum(data[part].sum(axis=0) for part in parts), rng.normal(size=1))


def test_pieces_of_a_batch_are_one_batch_in_every_replay() -> None:
    fewer = more = False
    for seed in range(4):
        cut = Training(in_pieces, seed, sampled=True, any_batch=True)
        removed, added = cut.pairs(DATA, DATA[:-1])
        assert moves(removed) == pytest.approx([8.0] * 4)
        assert moves(added) == pytest.approx([-8.0] * 4)
        sides = list(zip(removed[1].pieces, removed[2].pieces, strict=True))
        fewer, more = fewer or any(a > b for a, b in sides), more or any(a < b for a, b in sides)
    assert fewer, "a neighbour draws other batches, and cuts some of them into fewer pieces"
    assert more
    base, _ = cut.record(DATA)
    assert max(base.pieces) > 1
    [alone] = cut.only_record(base, DATA, DATA[:-1])
    assert moves(alone) == pytest.approx([8.0] * 4), "alone it is in each batch once"
    odd, _ = cut.odd_batches(base, DATA)
    assert [r.statistic.tolist() for r in odd[-1][1].releases] == [r.statistic.tolist() for r in base.releases]
    assert [r.statistic.tolist() for r in odd[-1][2].releases] == [[8.0]] * 4
    _, _, permuted = cut.permuted(base, DATA)
    assert moves(("", base, permuted)) == pytest.approx([0.0] * 4)


def test_batches_that_are_not_random_are_left_alone() -> None:
    def in_order(data: np.ndarray, recorder: Recorder) -> None:
        for members in np.array_split(np.arange(8), 4):
            recorder.release("sum", data[recorder.batch(members)].sum(axis=0), np.zeros(1))

    pairs = Training(in_order, 3, sampled=False).pairs(DATA, DATA[:-1])
    assert [label for label, _, _ in pairs] == ["removed"], "the added record would be in no recorded batch"
    assert moves(pairs[0]) == [0.0, 0.0, 0.0, 8.0]
    assert [label for label, _, _ in WHOLE.pairs(DATA, DATA[:-1])] == ["removed", "added"]


def test_a_record_alone_in_its_batches_where_that_can_be() -> None:
    base, _ = SAMPLED.record(DATA)
    assert SAMPLED.only_record(base, DATA, DATA[:-1]) == [], "the size of the batch may be fixed"
    poisson = Training(sums, 3, sampled=True, any_batch=True)
    other = DATA.copy()
    other[2] = -5.0
    for neighbour, moved in ((DATA[:-1], 8.0), (other, 8.0)):
        (pair,) = poisson.only_record(base, DATA, neighbour)
        assert moves(pair) == pytest.approx([moved] * 4)
    assert float(poisson.only_record(base, DATA, other)[0][1].releases[0].statistic[0]) == 3.0


def test_a_training_that_takes_no_empty_batch_is_not_asked_for_one() -> None:
    """Its own sampler may draw none: a loader without Poisson sampling, say."""

    def never_empty(data: np.ndarray, recorder: Recorder) -> None:
        for members in np.array_split(np.arange(len(data)), 4):
            first = data[recorder.batch(members)][0]
            recorder.release("first", first, np.zeros(1))

    assumed = Training(never_empty, 3, sampled=True, any_batch=True)
    base, _ = assumed.record(DATA)
    assert assumed.only_record(base, DATA, DATA[:-1]) == []
    assert ("empty batches", "IndexError") in assumed.odd_batches(base, DATA)[1]


def test_data_sets_that_are_no_neighbours_are_refused() -> None:
    with pytest.raises(ContentError, match="one record"):
        SAMPLED.pairs(DATA, DATA[:-2])


@pytest.mark.parametrize("relation", [REMOVE, REPLACE])
def test_bad_records_are_tried_and_refusals_noted(relation: Neighbours) -> None:
    pairs, refused = SAMPLED.bad_pairs(DATA, relation)
    assert [label for label, _, _ in pairs] == ["NaN record", "infinite record", "huge record", "duplicate record"]
    assert not refused
    assert np.isnan(moves(pairs[0])).all()
    pairs, refused = WHOLE.bad_pairs(DATA, relation)
    assert [label for label, _, _ in pairs] == ["huge record", "duplicate record"]
    assert refused == [("NaN record", "ValueError"), ("infinite record", "ValueError")]


def test_odd_batches() -> None:
    base, _ = SAMPLED.record(DATA)
    pairs, refused = SAMPLED.odd_batches(base, DATA)
    assert [label for label, _, _ in pairs] == ["one record", "empty batches", "batches of one record"]
    assert not refused
    assert [float(r.statistic[0]) for r in pairs[1][2].releases] == [0.0] * 4
    assert [float(r.statistic[0]) for r in pairs[2][2].releases] == [8.0] * 4
    base, _ = WHOLE.record(DATA)
    assert [label for label, _, _ in WHOLE.odd_batches(base, DATA)[0]] == ["one record"]


def test_the_last_record_is_in_no_batch_of_the_unseen_pairs() -> None:
    base, _ = SAMPLED.record(DATA, [7])
    for relation in (REMOVE, REPLACE):
        (pair,) = SAMPLED.unseen_pairs(base, DATA, natural_neighbours(DATA, relation))
        assert moves(pair) == pytest.approx([0.0] * 4)
    assert SAMPLED.unseen_pairs(base, DATA, []) == []
    assert WHOLE.unseen_pairs(WHOLE.record(DATA)[0], DATA, natural_neighbours(DATA, REMOVE)) == []


def test_a_permuted_replay_sees_the_same_records() -> None:
    base, _ = SAMPLED.record(DATA)
    assert moves(SAMPLED.permuted(base, DATA)) == pytest.approx([0.0] * 4)


def test_records_that_stand_elsewhere_are_removed_too() -> None:
    """All others keep their batches."""
    pairs = SAMPLED.elsewhere(DATA, REMOVE)
    assert [label for label, _, _ in pairs] == ["record 0 removed", "record 4 removed", "record 7 removed"]
    assert [moves(pair) for pair in pairs] == [[1.0] * 4, [5.0] * 4, [8.0] * 4]


def test_a_record_keeps_its_place_in_a_batch_that_it_joins() -> None:
    """What comes first in a batch may be all that counts."""

    def first_two(data: np.ndarray, recorder: Recorder) -> None:
        members = recorder.batch(np.arange(1, len(data)))
        recorder.release("sum", data[members[:2]].sum(axis=0), np.ones(1))

    training = Training(first_two, 3, sampled=True)
    (pair,) = [pair for pair in training.elsewhere(DATA, REMOVE) if pair[0] == "record 0 removed"]
    assert moves(pair) == [1.0 + 2.0 - (2.0 + 3.0)]


def test_records_that_stand_elsewhere_are_replaced_too_and_refusals_left_out() -> None:
    replaced = SAMPLED.elsewhere(DATA, REPLACE)
    assert [label for label, _, _ in replaced] == ["record 0 replaced", "record 4 replaced", "record 7 replaced"]
    assert [moves(pair) for pair in replaced] == [[2.0] * 4, [10.0] * 4, [16.0] * 4]
    assert SAMPLED.elsewhere(DATA, Neighbours.ZERO_OUT) == []

    def fussy(data: np.ndarray, recorder: Recorder) -> None:
        if 5.0 not in data:
            raise ValueError("a record is gone")
        sums(data, recorder)

    assert [label for label, _, _ in Training(fussy, 3, sampled=True).elsewhere(DATA, REMOVE)] == [
        "record 0 removed",
        "record 7 removed",
    ]

    def first_one(data: np.ndarray, recorder: Recorder) -> None:
        if data[0, 0] != 1.0:
            raise ValueError("the first record is gone")
        sums(data, recorder)

    assert Training(first_one, 3, sampled=True).elsewhere(DATA, REMOVE) == []


def test_where_places_of_records_matter_only_the_last_one_is_removed() -> None:
    """Workers take every second record: without the first one each has the records of the other."""

    def shards(data: np.ndarray, recorder: Recorder) -> None:
        members = recorder.batch(np.arange(len(data)))
        for worker in range(2):
            recorder.release(f"worker {worker}", data[members[members % 2 == worker]].sum(axis=0), np.ones(1))

    assert Training(shards, 3, sampled=False).elsewhere(DATA, REMOVE) == []


def test_a_record_with_a_shadow_is_in_the_batches_of_that_one_alone() -> None:
    def parts(data: np.ndarray, recorder: Recorder) -> None:
        part, total = np.random.default_rng(recorder.seed).integers(2, size=len(data)), 0.0
        for step in range(4):
            total = total + data[recorder.batch(np.flatnonzero(part == step % 2))].sum(axis=0)
            recorder.release("sum", total, np.ones(1))

    for shadow, most in ((None, 4), (2, 2)):
        training = Training(parts, 3, sampled=True, shadow=shadow)
        removed = [training.first_pair(DATA, DATA[:-1]), *training.elsewhere(DATA, REMOVE)]
        assert [moves(pair)[-1] for pair in removed] == [most * one for one in (8.0, 1.0, 5.0, 8.0)]


@pytest.mark.parametrize("by_place", [True, False])
def test_nothing_is_removed_elsewhere_where_statistics_hang_on_draws(by_place: bool) -> None:
    """Masks in chunks of three places: without a record all later ones have the mask of another place."""

    def chunks(data: np.ndarray, recorder: Recorder) -> None:
        rng = np.random.default_rng(recorder.seed)
        for _ in range(2):
            members = recorder.batch(np.arange(len(data)))
            own = np.random.default_rng([recorder.seed, 1])
            parts = [data[members[i : i + 3]] for i in range(0, len(members), 3)]
            masks = [own.random((3, 1)) if by_place else np.ones((3, 1)) for _ in parts]
            total = sum((mask[: len(part)] * part).sum(axis=0) for part, mask in zip(parts, masks, strict=True))
            recorder.release("sum", total, rng.normal(size=1))

    found = Training(chunks, 3, sampled=False).elsewhere(DATA, REMOVE)
    assert bool(found) != by_place
