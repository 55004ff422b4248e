"""Releases whose noise cancels, repeats or can be made again: epsilon is infinite, and each is refuted at level smoke.

Every one has a correct twin that draws its noise as it should and is CONSISTENT.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit.adapters.release import Release
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.privacy import claim
from dpaudit.records.verdict import Outcome, Verdict
from dpaudit.testing.guarantees import NotPrivate, assert_private

DATA = np.array([1.0, 0.5, 0.25, 0.7, 0.2])
PAIR = (DATA, DATA[:-1])
WIDE = 1_000.0
"""Far more noise than epsilon = 1 needs of any of these releases, if it is drawn as it should be."""

Function = Callable[[Any, int], Any]


def laplace(count: int | None = None, scale: float = WIDE) -> Any:
    return np.random.laplace(scale=scale, size=count)


def padded(data: Any) -> Any:
    return np.pad(data, (0, 5 - len(data)))


def one_noise_for_all_coordinates(data: Any, seed: int) -> Any:
    return padded(data) + laplace()


def own_noise_for_all_coordinates(data: Any, seed: int) -> Any:
    return padded(data) + laplace(5)


def first_noise_at_every_step(data: Any, seed: int) -> Any:
    noise = laplace()
    return [(step + 1) * data.sum() + noise for step in range(20)]


def own_noise_at_every_step(data: Any, seed: int) -> Any:
    return [(step + 1) * data.sum() + laplace() for step in range(20)]


def plus_and_minus_one_noise(data: Any, seed: int) -> Any:
    noise = laplace()
    return [data.sum() + noise, data.sum() - noise]


def plus_and_minus_two_noises(data: Any, seed: int) -> Any:
    return [data.sum() + laplace(), data.sum() - laplace()]


def seed_beside_its_noise(data: Any, seed: int) -> Any:
    return {"sum": data.sum() + np.random.default_rng(seed).laplace(scale=WIDE), "seed": seed}


def drawn_seed_beside_its_noise(data: Any, seed: int) -> Any:
    drawn = np.random.randint(2**31)
    return data.sum() + np.random.default_rng(drawn).laplace(scale=WIDE), drawn


def whole_number_beside_the_noise(data: Any, seed: int) -> Any:
    return {"sum": data.sum() + laplace(), "version": np.random.randint(2**31)}


def noise_by_size(data: Any, seed: int) -> Any:
    return laplace(scale=10.0 if len(data) == 5 else 1.0)


def noise_of_one_size(data: Any, seed: int) -> Any:
    return laplace(scale=10.0)


BAD_AND_GOOD: list[tuple[Function, Function, str]] = [
    (one_noise_for_all_coordinates, own_noise_for_all_coordinates, "noise-free part"),
    (first_noise_at_every_step, own_noise_at_every_step, "noise-free part"),
    (plus_and_minus_one_noise, plus_and_minus_two_noises, ""),  # their sum tells them apart as well
    (seed_beside_its_noise, whole_number_beside_the_noise, "replayed seed"),
    (drawn_seed_beside_its_noise, whole_number_beside_the_noise, "replayed seed"),
    (noise_by_size, noise_of_one_size, "distance from the middle"),
]


def audited(release: Function) -> Verdict:
    audit = Release(f"mine/{release.__name__}", release, pair=PAIR, claim=claim(epsilon=1.0))
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, 1e-6))


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("bad", "good", "attack"), BAD_AND_GOOD, ids=lambda one: getattr(one, "__name__", ""))
def test_the_bug_is_refuted_and_its_correct_twin_is_not(bad: Function, good: Function, attack: str) -> None:
    refuted = audited(bad)
    assert refuted.outcome is Outcome.REFUTED
    assert attack in refuted.evidence[0].detail
    assert audited(good).outcome is Outcome.CONSISTENT


def test_the_line_of_a_test_sees_it_too() -> None:
    with pytest.raises(NotPrivate):
        assert_private(first_noise_at_every_step, PAIR, epsilon=1.0)
    assert assert_private(own_noise_at_every_step, PAIR, epsilon=1.0).outcome is Outcome.CONSISTENT


def test_seeds_are_whole_among_floats() -> None:
    audit = Release("mine/seed", lambda data, seed: [float(seed), 0.5], pair=PAIR, claim=claim(epsilon=1.0))
    seeds = audit.run(DATA, Trials(Stream(1, "x"), np.arange(100)))[:, 0]
    assert 2.0**52 < seeds.max() < 2.0**53
