"""What a replay on a neighbour draws: the same for every record that both have, whatever was drawn before."""

from __future__ import annotations

import _random
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal
from torch.nn import functional

from dpaudit.audit.alignment import sites
from dpaudit.audit.alignment.alignment import Alignment
from dpaudit.audit.alignment.log import Log
from dpaudit.audit.alignment.sites import described
from dpaudit.audit.randomness import frozen

ALL = np.array([4, 2, 7, 0, 5])
LEFT = np.array([4, 2, 0, 5])
STAY = [0, 1, 3, 4]
"""Places in ALL of those that are left."""

Drawn = tuple[Any, Log]


@pytest.fixture(autouse=True)
def _one_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call sites are single lines: the lines of these tests around them differ between a recording and its replay."""
    monkeypatch.setattr(sites, "_DEPTH", 1)


def drawn(
    draw: Callable[[int], Any],
    members: np.ndarray = ALL,
    past: Log | None = None,
    records: int = 8,
    salted: frozenset[str] | None = None,
    seed: int = 1,
) -> Drawn:
    """What `draw(size of the batch)` returns in an alignment, and the log."""
    alignment = Alignment(past, salted)
    with frozen(seed), alignment.open(records):
        alignment.batch(members)
        value = draw(len(members))
    return value, alignment.log()


def generator() -> torch.Generator:
    """A generator of its own."""
    return torch.Generator().manual_seed(3)


ROWS: dict[str, Callable[[int], Any]] = {
    "rand": lambda m: torch.rand(m),
    "rand of two axes": lambda m: torch.rand(m, 3),
    "rand of a shape": lambda m: torch.rand((m, 3)),
    "randn": lambda m: torch.randn(m, 20),
    "randn by keyword": lambda m: torch.randn(size=(m, 20)),
    "randint": lambda m: torch.randint(0, 100, (m,)),
    "normal": lambda m: torch.normal(0.0, 1.0, (m, 2)),
    "normal of means": lambda m: torch.normal(torch.zeros(m, 2), 1.0),
    "own generator": lambda m: torch.rand(m, generator=generator()),
    "rand_like": lambda m: torch.rand_like(torch.zeros(m, 17)),
    "uniform_": lambda m: torch.empty(m, 2).uniform_(),
    "bernoulli": lambda m: torch.bernoulli(torch.full((m, 9), 0.5)),
    "dropout": lambda m: functional.dropout(torch.ones(m, 9)),
    "dropout of rows in another order": lambda m: functional.dropout(torch.ones(9, m).T),
    "dropout in place": lambda m: functional.dropout(torch.ones(m, 9), 0.5, True, True),
    "dropout by a layer": lambda m: torch.nn.Dropout(0.5)(torch.ones(m, 9)),
    "numpy.random": lambda m: np.random.rand(m, 2),
    "default_rng": lambda m: np.random.default_rng(5).normal(size=(m, 3)),
    "default_rng of integers": lambda m: np.random.default_rng(5).integers(0, 99, m),
    "default_rng of probabilities": lambda m: np.random.default_rng(5).binomial(9, np.full((m, 2), 0.5)),
    "RandomState": lambda m: np.random.RandomState(5).normal(0.0, 1.0, m),
    "a loop in Python": lambda m: np.array([random.random() for _ in range(m)]),
    "a loop of two draws": lambda m: np.array([[random.gauss(0, 1), np.random.rand()] for _ in range(m)]),
    "a loop of one generator": lambda m: np.array([[one.random(), one.random()] for one in [random.Random(2)] * m]),
    "a loop in torch": lambda m: torch.stack([torch.rand(2) for _ in range(m)]),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_record_keeps_its_draws_when_another_one_leaves(name: str) -> None:
    whole, log = drawn(ROWS[name])
    part, replayed = drawn(ROWS[name], LEFT, log)
    assert len(part) == len(LEFT)
    assert_array_equal(part, np.asarray(whole)[STAY])
    assert replayed.misaligned == ()


@pytest.mark.parametrize("name", ROWS)
def test_a_record_keeps_its_draws_when_another_one_joins(name: str) -> None:
    part, log = drawn(ROWS[name], LEFT)
    whole, replayed = drawn(ROWS[name], ALL, log)
    assert_array_equal(np.asarray(whole)[STAY], part)
    assert len(whole) == len(ALL)
    assert replayed.misaligned == ()


@pytest.mark.parametrize("name", ROWS)
def test_nobody_may_be_left(name: str) -> None:
    log = drawn(ROWS[name])[1]
    if "torch" in name and "loop" in name:
        assert drawn(lambda m: [torch.rand(2) for _ in range(m)], ALL[:0], log)[0] == []
    else:
        assert len(drawn(ROWS[name], ALL[:0], log)[0]) == 0


def test_the_joining_record_gets_draws_of_its_own() -> None:
    log = drawn(ROWS["randn"], LEFT)[1]
    rows = drawn(ROWS["randn"], ALL, log)[0].numpy()
    assert len({row.tobytes() for row in rows}) == len(ALL)


def test_a_record_that_is_twice_in_the_batch_has_two_draws() -> None:
    twice = np.array([3, 1, 3])
    whole, log = drawn(ROWS["rand"], twice)
    part = drawn(ROWS["rand"], np.array([3, 3]), log)[0]
    assert_array_equal(part, whole[[0, 2]])


LATER: dict[str, Callable[[int], Any]] = {
    "torch": lambda m: (torch.rand(m), torch.rand(3))[1],
    "numpy": lambda m: (np.random.rand(m), np.random.rand(3))[1],
    "one generator": lambda m: next((g.random(m), g.random(3))[1] for g in [np.random.default_rng(2)]),
    "python": lambda m: ([random.random() for _ in range(m)], random.random())[1],
    "an order": lambda m: (torch.randperm(m), torch.rand(3))[1],
    "a shuffle": lambda m: (random.shuffle(list(range(m))), random.random())[1],
}


@pytest.mark.parametrize("name", LATER)
def test_what_is_drawn_later_does_not_hang_on_the_size_of_the_batch(name: str) -> None:
    whole, log = drawn(LATER[name])
    assert_array_equal(drawn(LATER[name], LEFT, log)[0], whole)


def test_the_order_of_a_batch_is_that_without_the_record() -> None:
    whole, log = drawn(torch.randperm)
    part = drawn(torch.randperm, LEFT, log)[0]
    assert_array_equal(LEFT[part], [one for one in ALL[whole] if one != 7])


def test_draws_for_the_whole_data_set_follow_the_records_before_any_batch() -> None:
    def sampled(past: Log | None, records: int) -> Drawn:
        alignment = Alignment(past)
        with frozen(1), alignment.open(records):
            value = torch.rand(records), [random.random() for _ in range(records)]
        return value, alignment.log()

    whole, log = sampled(None, 8)
    part, replayed = sampled(log, 7)
    assert_array_equal(part[0], whole[0][:7])
    assert part[1] == whole[1][:7]
    assert replayed.misaligned == ()
    moved = sampled(log.moved(np.array([3, 1, 2, 0, 4, 5, 6, 7])), 8)[0]
    assert_array_equal(moved[0], whole[0][[3, 1, 2, 0, 4, 5, 6, 7]])


def test_steps_batches_and_sites_draw_different_numbers() -> None:
    def draw(_: int) -> list[bytes]:
        return [torch.randn(4).numpy().tobytes() for _ in range(300)] + [torch.randn(4).numpy().tobytes()]

    alignment, found = Alignment(), []
    with frozen(1), alignment.open(8):
        for _ in range(3):
            alignment.batch(ALL)
            found += draw(0)
    assert len(set(found)) == len(found)


def test_a_seed_gives_what_it_gives_unobserved_and_a_seed_used_twice_repeats() -> None:
    def draw(_: int) -> Any:
        first = torch.randn(5, generator=generator())
        second = torch.randn(5, generator=generator())
        torch.manual_seed(9)
        pair = torch.rand(2), torch.rand(2)
        torch.manual_seed(9)
        return first, second, torch.stack(pair), torch.stack([torch.rand(2), torch.rand(2)])

    first, second, once, again = drawn(draw)[0]
    assert_array_equal(first, torch.randn(5, generator=generator()))
    assert_array_equal(first, second)
    assert_array_equal(once[0], again[0])


def test_a_state_that_is_put_back_repeats() -> None:
    def draw(_: int) -> Any:
        state = torch.get_rng_state()
        first = torch.rand(3)
        torch.set_rng_state(state)
        return first, torch.rand(3)

    assert_array_equal(*drawn(draw)[0])


def test_a_block_draws_from_the_generators_as_they_stand() -> None:
    alignment = Alignment()
    with frozen(1), alignment.open(8):
        alignment.batch(ALL)
        before = torch.rand(2)
        state = torch.get_rng_state()
        with alignment.block():
            inside = torch.rand(3)
        after = torch.rand(2)
        torch.set_rng_state(state)
        with alignment.block():
            assert_array_equal(torch.rand(3), inside)
    assert len(alignment.log().bases) == 1
    assert not torch.equal(before, after)


MISALIGNED: dict[str, Callable[[int], Any]] = {
    "signs in a random order": lambda m: np.random.permutation(np.where(np.arange(m) % 2, 1.0, -1.0)),
    "a shuffle": lambda m: random.shuffle(list(range(m))),
    "a choice among the records": lambda m: np.random.default_rng(2).integers(m, size=3),
    "two axes of records": lambda m: torch.rand(m, m),
    "a loop for all but one": lambda m: [random.random() for _ in range(m - 1)],
    "half a batch": lambda m: torch.rand(m // 2, 2) if m % 2 else torch.rand(m, 2),
}


@pytest.mark.parametrize("name", MISALIGNED)
def test_what_cannot_be_aligned_is_named(name: str) -> None:
    log = drawn(MISALIGNED[name])[1]
    replayed = drawn(MISALIGNED[name], LEFT, log)[1]
    assert "test_alignment.py:" in described(replayed.misaligned)
    assert drawn(MISALIGNED[name], ALL, log)[1].misaligned == ()


def test_what_one_side_alone_draws_is_not_misaligned() -> None:
    """There is nothing that it could be equal to; the draws after it are those of the recording."""

    def draw(m: int) -> Any:
        dummy = torch.rand(2) if m < 8 else None
        return dummy, torch.rand(3)

    (_, after), log = drawn(draw)
    (dummy, same), replayed = drawn(draw, LEFT, log)
    assert dummy is not None
    assert replayed.misaligned == ()
    assert_array_equal(after, same)


def test_draws_that_are_not_seen_are_named_by_their_generator() -> None:
    def draw(m: int) -> float:
        random.random()
        [_random.Random.random(random._inst) for _ in range(m)]  # type: ignore[attr-defined]
        return random.random()

    log = drawn(draw)[1]
    assert described(drawn(draw, LEFT, log)[1].misaligned) == "random"
    assert drawn(draw, ALL, log)[1].misaligned == ()


def test_salted_sites_draw_something_else_and_others_the_same() -> None:
    def draw(m: int) -> Any:
        return torch.rand(m), [
            torch.rand(m),
        ][0]

    (first, second), log = drawn(draw)
    sites = sorted(
        {site for _, site, _ in log.counts},
        key=lambda site: int(site.split(" < ")[0].rpartition(":")[2].partition("@")[0]),
    )
    other, same = drawn(draw, ALL, log, salted=frozenset(sites[:1]))[0]
    assert not torch.equal(other, first)
    assert_array_equal(same, second)


def test_the_innermost_alignment_acts_and_everything_is_put_back() -> None:
    functions = np.random.default_rng, np.random.rand, random.random, random.Random, np.random.RandomState
    outer, inner = Alignment(), Alignment()
    with frozen(1), outer.open(8):
        with inner.open(8):
            torch.rand(2)
            random.random()
        torch.rand(2)
    assert [len(one.log().calls) for one in (outer, inner)] == [1, 2]
    assert functions == (np.random.default_rng, np.random.rand, random.random, random.Random, np.random.RandomState)
    assert torch.overrides._get_current_function_mode() is None


def test_a_layer_that_is_not_trained_draws_nothing() -> None:
    log = drawn(lambda m: functional.dropout(torch.ones(m, 3), training=False))[1]
    assert not log.calls


def put_back(read: Callable[[], Any], write: Callable[[Any], None], draw: Callable[[], Any]) -> list[Any]:
    """Draws, then draws again from where the first ones began, then goes on; the second ones by other lines."""
    draw()
    saved = read()
    first = [draw(), draw()]
    write(saved)
    one = draw()
    other = draw()
    return [*first, one, other, draw()]


@pytest.mark.parametrize(
    "run",
    [
        lambda: put_back(torch.get_rng_state, torch.set_rng_state, lambda: torch.randn(3).tolist()),
        lambda: put_back(random.getstate, random.setstate, lambda: random.random()),
        lambda: put_back(np.random.get_state, np.random.set_state, lambda: np.random.normal(size=2).tolist()),
    ],
    ids=["torch", "random", "numpy"],
)
def test_a_generator_that_is_put_back_draws_the_same_again(run: Callable[[], list[Any]]) -> None:
    """As it does unobserved: a checkpoint that brings back an old generator repeats the noise."""
    (first, second, one, other, last), _ = drawn(lambda _: run())
    assert [one, other] == [first, second]
    assert last not in (first, second)
    unobserved = run()
    assert unobserved[:2] == unobserved[2:4]


def test_what_is_drawn_after_a_fork_is_what_was_drawn_in_it_and_stays_aligned() -> None:
    """The fork draws a row for each record: the draw behind it has its numbers, also where a record is left out."""

    def forked(size: int) -> tuple[torch.Tensor, torch.Tensor]:
        torch.rand(1)
        with torch.random.fork_rng(devices=[]):
            inside = torch.rand(size, 4)
        return inside, torch.rand(4)

    (inside, behind), past = drawn(forked)
    assert_array_equal(inside[0], behind)
    (fewer, again), log = drawn(forked, LEFT, past)
    assert_array_equal(fewer, inside[STAY])
    assert_array_equal(again, behind)
    assert not log.misaligned


def test_a_second_seeding_is_no_way_back() -> None:
    """What follows its first draw hangs on the place alone, and not on how much was drawn after the first seeding."""

    def seeded(size: int) -> tuple[list[float], list[float]]:
        torch.manual_seed(5)
        first = [torch.randn(1).item() for _ in range(size)]
        torch.manual_seed(5)
        return first, [torch.randn(1).item() for _ in range(3)]

    (first, second), past = drawn(seeded)
    assert first[0] == second[0]
    assert not {*first[1:]} & {*second[1:]}
    (_, again), log = drawn(seeded, LEFT, past)
    assert again == second
    assert not log.misaligned
