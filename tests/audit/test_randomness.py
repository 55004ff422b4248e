"""Frozen generators: everything reachable repeats, everything is put back, moves are seen."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.random import default_rng as bound_early

from dpaudit.audit.randomness import Frozen, every_seed, frozen


def draws() -> list[float]:
    """One number from every generator that a training can reach without being given one."""
    return [
        random.random(),
        np.random.random(),
        np.random.default_rng().random(),
        bound_early().random(),
        np.random.Generator(np.random.Philox()).random(),
        np.random.RandomState().random_sample(),
    ]


def drawn(seed: int) -> list[float]:
    with frozen(seed):
        return draws()


def test_everything_repeats_with_the_seed_and_nothing_repeats_within() -> None:
    assert drawn(3) == drawn(3)
    numbers = drawn(3) + drawn(4)
    assert len(set(numbers)) == len(numbers)


def test_fresh_generators_are_fresh_again_afterwards() -> None:
    drawn(3)
    assert np.random.default_rng().random() != np.random.default_rng().random()


@pytest.mark.parametrize("fails", [False, True])
def test_the_global_states_are_put_back(fails: bool) -> None:
    before = random.getstate(), np.random.get_state()[1].tolist()
    try:
        with frozen(1):
            draws()
            if fails:
                raise RuntimeError
    except RuntimeError:
        pass
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before


def test_moves_are_seen() -> None:
    with frozen(1) as nothing:
        np.random.default_rng().random()
        np.random.default_rng(5).random()
    assert nothing.moved() == ()
    with frozen(1) as some:
        np.random.random()
        assert some.moved() == ("numpy.random",)
        random.random()
    assert some.moved() == ("random", "numpy.random")


def test_seeding_within_is_seen() -> None:
    def trained(seed: int, own: bool) -> Frozen:
        with frozen(seed) as found:
            if own:
                np.random.seed(0)
            np.random.random()
        return found

    assert trained(1, own=True).reset_alike(trained(2, own=True)) == ("numpy.random",)
    assert trained(1, own=False).reset_alike(trained(2, own=False)) == ()


def test_torch_is_frozen_and_put_back() -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_rng_state()
    numbers = []
    for seed in (1, 1, 2):
        with frozen(seed) as found:
            numbers.append(float(torch.rand(())))
        assert "torch" in found.moved()
    assert numbers[0] == numbers[1] != numbers[2]
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("present", [True, False])
def test_torch_seeds_every_kind_of_device_that_is_there(present: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    seeds: list[int] = []
    seeded = torch.manual_seed
    monkeypatch.setattr(torch, "manual_seed", lambda seed: (seeds.append(seed), seeded(seed))[1])
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: present)
    with frozen(5):
        number = float(torch.rand(()))
    (whole,) = seeds or (int(np.random.SeedSequence(5).generate_state(3)[2]),)
    assert bool(seeds) is present
    assert number == float(torch.rand((), generator=torch.Generator().manual_seed(whole)))


def test_names_of_the_program_and_generators_of_torch_are_seeded_too() -> None:
    torch = pytest.importorskip("torch")
    own = torch.Generator().manual_seed(7)
    with every_seed(7):
        made = torch.Generator()
        made.manual_seed(3)
        found, named = torch.rand(2, generator=made), default_rng(3).random()
    assert torch.equal(found, torch.rand(2, generator=own))
    assert named == default_rng(7).random()
    with every_seed(None):
        assert default_rng(3).random() == np.random.default_rng(3).random()


def test_whatever_is_seeded_gets_the_given_seed() -> None:
    with frozen(1), every_seed(7):
        found = [
            np.random.default_rng(3).random(),
            np.random.default_rng(seed=np.int64(3)).random(),
            (np.random.seed(3), np.random.random())[1],
            (random.seed(3), random.random())[1],
        ]
        fresh = np.random.default_rng().random()
    own = np.random.default_rng(7).random()
    assert found[:2] == [own, own]
    assert found[2] == np.random.RandomState(7).random()
    assert found[3] == random.Random(7).random()
    assert fresh != own
    assert np.random.default_rng(3).random() == np.random.Generator(np.random.PCG64(3)).random()  # put back
