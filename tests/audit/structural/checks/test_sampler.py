"""Batches against the sampler that is accounted for."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from dpaudit.audit.structural.accounted import sampling_of
from dpaudit.audit.structural.checks import sampler
from dpaudit.audit.structural.tails import binomial_upper
from dpaudit.records.assumptions import Sampling
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, PoissonSampled, SelfComposed, WithReplacementSampled
from dpaudit.records.verdict import Outcome

ALPHA, N, SIZE, STEPS = 1e-6, 100, 20, 60
Draw = Callable[[np.random.Generator], list[np.ndarray]]


def poisson(rng: np.random.Generator, rate: float = SIZE / N) -> list[np.ndarray]:
    return [np.flatnonzero(rng.random(N) < rate) for _ in range(STEPS)]


def without(rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.choice(N, size=SIZE, replace=False) for _ in range(STEPS)]


def with_replacement(rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.integers(N, size=SIZE) for _ in range(STEPS)]


def shuffled(rng: np.random.Generator) -> list[np.ndarray]:
    return [part for _ in range(STEPS * SIZE // N) for part in np.array_split(rng.permutation(N), N // SIZE)]


def fixed(rng: np.random.Generator) -> list[np.ndarray]:
    return np.array_split(rng.permutation(N), N // SIZE) * (STEPS * SIZE // N)


def everything(rng: np.random.Generator) -> list[np.ndarray]:
    return [np.arange(N)] * STEPS


def blocks(rng: np.random.Generator) -> list[np.ndarray]:
    """Each pair of neighbouring records is in or out together."""
    return [np.flatnonzero(np.repeat(rng.random(N // 2) < SIZE / N, 2)) for _ in range(STEPS)]


def canary(rng: np.random.Generator) -> list[np.ndarray]:
    return [np.union1d(batch, [7]) for batch in poisson(rng)]


DRAWS: dict[str, Draw] = {
    "Poisson": poisson,
    "without replacement": without,
    "with replacement": with_replacement,
    "shuffled": shuffled,
    "in order": fixed,
    "all records": everything,
}
OTHERS: dict[str, tuple[str, Draw]] = {
    "blocks": ("agreements of neighbouring records", blocks),
    "canary": ("memberships of single records", canary),
    "a smaller rate": ("numbers of members", lambda rng: poisson(rng, 0.15)),
    "a larger rate": ("numbers of members", lambda rng: poisson(rng, 0.25)),
    "one batch of all": ("sizes", lambda rng: [*poisson(rng)[:-1], np.arange(N)]),
    "twice the same": ("batches that come again", lambda rng: poisson(rng)[:30] * 2),
    "twice in a row": ("overlaps of consecutive batches", lambda rng: [b for b in poisson(rng)[:30] for _ in "12"]),
    "constant size": ("repeated sizes", without),
    "every record once an epoch": ("repeated memberships", shuffled),
}


def sampling(kind: str) -> Sampling:
    return Sampling(kind, N, N if kind == "all records" else SIZE)


@pytest.mark.parametrize("assumed", list(DRAWS))
@pytest.mark.parametrize("drawn", list(DRAWS))
def test_every_sampler_against_every_assumption(assumed: str, drawn: str) -> None:
    batches = DRAWS[drawn](np.random.default_rng(3))
    found = sampler.check(batches, sampling(assumed), ALPHA)
    assert found.outcome is (Outcome.CONSISTENT if assumed == drawn else Outcome.REFUTED), found.detail


@pytest.mark.parametrize("case", list(OTHERS))
def test_other_ways_not_to_be_poisson(case: str) -> None:
    label, draw = OTHERS[case]
    found = sampler.check(draw(np.random.default_rng(4)), sampling("Poisson"), ALPHA)
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["test"] == label


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("kind", ["Poisson", "without replacement", "with replacement", "shuffled"])
def test_false_alarms_are_at_most_as_many_as_stated(kind: str) -> None:
    """At alpha 0.1, over 400 nulls: more than 68 have a probability below 1e-5."""
    rng = np.random.default_rng(5)
    alarms = sum(sampler.check(DRAWS[kind](rng), sampling(kind), 0.1).outcome is Outcome.REFUTED for _ in range(400))
    assert alarms <= 68


def test_the_stated_factor_on_the_rate_is_caught_nine_times_in_ten() -> None:
    """Of 200 trainings at least 155 are caught: fewer have a probability below 1e-5."""
    factor = sampler.rate_caught(STEPS, sampling("Poisson"), ALPHA / 10)
    assert factor is not None
    assert 0.75 < factor < 1
    rng = np.random.default_rng(6)
    caught = (sampler.check(poisson(rng, factor * SIZE / N), sampling("Poisson"), ALPHA) for _ in range(200))
    assert sum(found.outcome is Outcome.REFUTED for found in caught) >= 155


@pytest.mark.parametrize(
    ("kind", "batch"),
    [
        ("Poisson", [1, 1]),
        ("Poisson", [N]),
        ("without replacement", [1, 2]),
        ("without replacement", [1] * SIZE),
        ("with replacement", [1, 2]),
        ("all records", [1, 2]),
    ],
)
def test_one_batch_that_is_never_drawn_is_enough(kind: str, batch: list[int]) -> None:
    assert sampler.check([np.array(batch)], sampling(kind), ALPHA).outcome is Outcome.REFUTED


@pytest.mark.parametrize("kind", ["Poisson", "without replacement", "with replacement"])
def test_a_test_has_its_share_of_alpha(kind: str) -> None:
    batches = DRAWS[kind](np.random.default_rng(3))
    numbers = dict(sampler.check(batches, sampling(kind), ALPHA).numbers)
    whole = float(numbers["p_value"]) * ALPHA / float(numbers["alpha"])
    assert round(ALPHA / float(numbers["alpha"])) == len(sampler.TESTS[kind](batches, sampling(kind)))
    below, above = (sampler.check(batches, sampling(kind), part * whole) for part in (0.99, 1.01))
    assert (below.outcome, above.outcome) == (Outcome.CONSISTENT, Outcome.REFUTED)


def test_a_shuffled_epoch_may_be_unfinished() -> None:
    batches = shuffled(np.random.default_rng(7))[:7]
    assert sampler.check(batches, sampling("shuffled"), ALPHA).outcome is Outcome.CONSISTENT
    batches[6] = batches[5]
    assert sampler.check(batches, sampling("shuffled"), ALPHA).outcome is Outcome.REFUTED


def test_an_epoch_that_leaves_a_record_out_is_no_shuffle() -> None:
    batches = shuffled(np.random.default_rng(7))
    last = N // SIZE - 1
    batches[last] = batches[last][:-1]
    found = sampler.check(batches, sampling("shuffled"), ALPHA)
    assert found.outcome is Outcome.REFUTED
    assert f"batches 0 to {last} do not hold every record once" in found.detail


SMALL_EPOCH = Sampling("shuffled", 24, 6)


@pytest.mark.parametrize("epochs", [2, 3, 750])
def test_a_fixed_order_is_no_shuffle(epochs: int) -> None:
    batches = np.array_split(np.random.default_rng(9).permutation(24), 4) * epochs
    found = sampler.check(batches, SMALL_EPOCH, ALPHA)
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["test"] in ("repeated epochs", "repeated first batches")


def test_fixed_batches_in_a_random_order_are_no_shuffle() -> None:
    """One first batch in four is that of the epoch before; two of 25 pairs are enough."""
    rng = np.random.default_rng(10)
    parts = np.array_split(rng.permutation(24), 4)
    found = sampler.check([parts[k] for _ in range(50) for k in rng.permutation(4)], SMALL_EPOCH, ALPHA)
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["test"] == "repeated first batches"


def test_the_chance_of_the_same_cut() -> None:
    assert sampler.cut_chance([2, 2]) == pytest.approx(1 / 6, rel=1e-8)
    assert sampler.cut_chance([6] * 4) == pytest.approx(math.factorial(6) ** 4 / math.factorial(24), rel=1e-8)
    assert sampler.cut_chance([5]) == 1.0


@pytest.mark.parametrize("size", [4, 10 / 3, 5])
def test_shuffles_of_few_records_are_rarely_refuted(size: float) -> None:
    """At alpha 0.1, over 300 nulls of nine epochs of ten records: more than 55 have a probability below 1e-5."""
    rng, parts = np.random.default_rng(11), math.ceil(10 / size)
    alarms = sum(
        sampler.check(
            [part for _ in range(9) for part in np.array_split(rng.permutation(10), parts)],
            Sampling("shuffled", 10, size),
            0.1,
        ).outcome
        is Outcome.REFUTED
        for _ in range(300)
    )
    assert alarms <= 55


@pytest.mark.parametrize("kind", list(DRAWS))
def test_one_batch_shows_little_and_refutes_nothing(kind: str) -> None:
    batches = DRAWS[kind](np.random.default_rng(8))[:1]
    assert sampler.check(batches, sampling(kind), ALPHA).outcome is Outcome.CONSISTENT


def test_extreme_rates_and_single_records() -> None:
    always = [np.arange(N)] * 5
    assert sampler.check(always, Sampling("Poisson", N, N), ALPHA).outcome is Outcome.CONSISTENT
    assert sampler.check([np.arange(N - 1)], Sampling("Poisson", N, N), ALPHA).outcome is Outcome.REFUTED
    single = [np.array([0])] * 3
    assert sampler.check(single, Sampling("without replacement", 1, 1), ALPHA).outcome is Outcome.CONSISTENT
    assert sampler.check(single, Sampling("with replacement", 1, 1), ALPHA).outcome is Outcome.CONSISTENT
    empty = [np.array([], dtype=np.int64)] * 3
    assert sampler.check(empty, Sampling("Poisson", 3, 0.1), ALPHA).outcome is Outcome.CONSISTENT


def test_what_is_not_assumed_or_not_declared_is_said() -> None:
    assert sampler.check([], sampling("Poisson"), ALPHA).outcome is Outcome.NOT_RUN
    assert sampler.check(everything(np.random.default_rng(0)), None, ALPHA).outcome is Outcome.NOT_RUN


def test_what_a_mechanism_assumes() -> None:
    once = Gaussian(1.0)
    assert sampling_of(SelfComposed(PoissonSampled(0.1, once), 5), 50) == Sampling("Poisson", 50, 5.0)
    assert sampling_of(FixedSizeSampled(4, 50, once), 50) == Sampling("without replacement", 50, 4)
    assert sampling_of(WithReplacementSampled(4, 50, once), 50) == Sampling("with replacement", 50, 4)
    assert sampling_of(SelfComposed(once, 5), 50) is None
    assert sampling_of(None, 50) is None


@pytest.mark.parametrize("arguments", [("Bernoulli", 5, 1), ("Poisson", 0, 1), ("Poisson", 5, 0), ("Poisson", 5, 6)])
def test_broken_assumptions_are_refused(arguments: tuple) -> None:
    with pytest.raises(ConfigurationError):
        Sampling(*arguments)


def drawn_batches(rng: np.random.Generator, steps: int, records: int = 40, rate: float = 0.2) -> list[np.ndarray]:
    return [np.flatnonzero(rng.random(records) < rate) for _ in range(steps)]


def test_batches_that_are_cut_off_or_come_again_are_not_drawn_batches() -> None:
    """Eighty batches of 40 records, as ten small trainings make them."""
    rng, assumed = np.random.default_rng(18), Sampling("Poisson", 40, 8.0)
    capped = [batch[:9] for batch in drawn_batches(rng, 80)]
    assert sampler.extremes(np.array([len(batch) for batch in capped]), 40, 0.2) < 1e-9
    assert sampler.check(capped, assumed, 1e-6).outcome is Outcome.REFUTED
    again = [batch for _ in range(10) for batch in 2 * drawn_batches(rng, 4)]
    assert sampler.repeats(sampler.membership(again, 40), 0.2).min() < 1e-9
    assert sampler.check(again, assumed, 1e-6).outcome is Outcome.REFUTED
    assert sampler.check(drawn_batches(rng, 80), assumed, 1e-6).outcome is Outcome.CONSISTENT


@pytest.mark.deep
def test_false_alarms_of_poisson_batches_over_several_recordings_are_as_many_as_stated() -> None:
    """At alpha 0.01, over 2,000 nulls of 32 batches: above 40 has a chance of 2e-5."""
    rng, assumed = np.random.default_rng(19), Sampling("Poisson", 12, 3.0)
    found = (sampler.check(drawn_batches(rng, 32, 12, 0.25), assumed, 0.01) for _ in range(2_000))
    assert sum(one.outcome is Outcome.REFUTED for one in found) <= 40


def test_no_batch_is_in_two_pairs_at_a_distance() -> None:
    """Five batches of three records: at distance 1 the pairs 0-1 and 2-3, at distance 2 the pairs 0-2 and 1-3."""
    table = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=bool)
    expected = binomial_upper([1 + 2, 2 + 1], [6, 6], 0.3**2)
    assert sampler.repeats(table, 0.3).tolist() == pytest.approx(expected.tolist())
