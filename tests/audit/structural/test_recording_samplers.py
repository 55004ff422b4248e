"""Do our samplers, and those of Opacus, draw batches as accountants assume? And would we see it if they did not?"""

from __future__ import annotations

import contextlib
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpaudit.audit.structural.checks import sampler
from dpaudit.audit.structural.tails import binomial_two_sided
from dpaudit.noise.stream import Stream
from dpaudit.records.assumptions import SHUFFLED, Sampling
from dpaudit.records.verdict import Outcome
from dpaudit.sampling import coordinates
from dpaudit.sampling.batches import KINDS, Batches, TorchBatches

ALPHA = 1e-6
"""False-alarm probability of each check below."""

RECORDS, SIZE, STEPS = 24, 6, 3_000
STREAM = Stream(5, "samplers")


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Opacus takes seconds to load."""
    with contextlib.suppress(ImportError):
        import opacus  # noqa: F401


def drawn(kind: str, steps: int = STEPS) -> list[Any]:
    """Batches of one of our kinds; one pass over and over where they come in order."""
    size = RECORDS if kind == "all records" else SIZE
    batches, passes = Batches(kind, RECORDS, size), RECORDS // SIZE
    return [batches.draw(STREAM, 0, t % passes if kind == "in order" else t) for t in range(steps)]


def shuffled(steps: int = STEPS) -> list[Any]:
    rng = np.random.default_rng(3)
    epochs = [np.split(rng.permutation(RECORDS), RECORDS // SIZE) for _ in range(steps * SIZE // RECORDS)]
    return [batch for epoch in epochs for batch in epoch]


def sampling(kind: str) -> Sampling:
    return Sampling(kind, RECORDS, RECORDS if kind == "all records" else SIZE)


@pytest.mark.parametrize("kind", KINDS)
def test_our_batches_are_what_accountants_assume(kind: str) -> None:
    finding = sampler.check(drawn(kind), sampling(kind), ALPHA)
    assert finding.outcome is Outcome.CONSISTENT, finding.detail


@pytest.mark.parametrize("kind", KINDS)
def test_the_torch_form_draws_the_same_kind(kind: str) -> None:
    pytest.importorskip("torch")
    size = RECORDS if kind == "all records" else SIZE
    batches, steps = TorchBatches(Batches(kind, RECORDS, size), STREAM, "cpu"), 1_000
    trials, passes = np.arange(steps if kind != "in order" else RECORDS // SIZE), RECORDS // SIZE
    rows = [batches.draw(t, np.zeros(1, dtype=np.int64)) for t in range(passes)] if kind == "in order" else None
    listed = rows if rows else [batches.draw(0, trials)]
    found = [
        numbers[counts].numpy() for members, counted in listed for numbers, counts in zip(members, counted, strict=True)
    ]
    assert sampler.check(found, sampling(kind), ALPHA).outcome is Outcome.CONSISTENT


OTHERS = [
    (kind, assumed)
    for kind in (*KINDS, SHUFFLED)
    for assumed in (*KINDS, SHUFFLED)
    if kind != assumed != "all records" and (kind, assumed) != ("in order", SHUFFLED)
]


@pytest.mark.deep(keep=6)
@pytest.mark.parametrize(("kind", "assumed"), OTHERS)
def test_another_kind_than_the_assumed_one_is_seen(kind: str, assumed: str) -> None:
    batches = shuffled() if kind == SHUFFLED else drawn(kind)
    assert sampler.check(batches, sampling(assumed), ALPHA).outcome is Outcome.REFUTED


def test_fixed_order_for_a_shuffle_is_seen() -> None:
    """A shuffle repeats a batch of 16 of 64 records with probability 2e-15, one of few records too often to be sure."""
    batches = [Batches("in order", 64, 16).draw(STREAM, 0, t % 4) for t in range(STEPS)]
    assert sampler.check(batches, Sampling(SHUFFLED, 64, 16), ALPHA).outcome is Outcome.REFUTED


@pytest.mark.parametrize("size", [5, 7])
def test_another_rate_is_seen(size: int) -> None:
    batches = [Batches("Poisson", RECORDS, size).draw(STREAM, 0, t) for t in range(STEPS)]
    assert sampler.check(batches, sampling("Poisson"), ALPHA).outcome is Outcome.REFUTED


def test_a_batch_that_is_used_twice_is_seen() -> None:
    fresh = drawn("Poisson", STEPS // 2)
    assert sampler.check([b for batch in fresh for b in (batch, batch)], sampling("Poisson"), ALPHA).outcome is (
        Outcome.REFUTED
    )


# Sets of coordinates. -----------------------------------------------------------------------------


def sets(law: coordinates.Sampler) -> list[Any]:
    uniforms = STREAM.uniforms(np.arange(STEPS), 0, 1)[:, 0]
    return [np.array(law.sets[number]) for number in law.draw(uniforms)]


@pytest.mark.parametrize(
    ("law", "size"), [(coordinates.tau_nice(8, 3), 3), (coordinates.single_uniform(8), 1), (coordinates.full(8), 8)]
)
def test_uniform_sets_of_coordinates_are_uniform_subsets(law: coordinates.Sampler, size: int) -> None:
    kind = "without replacement" if size < 8 else "all records"
    assert sampler.check(sets(law), Sampling(kind, 8, size), ALPHA).outcome is Outcome.CONSISTENT


@pytest.mark.parametrize(
    "law",
    [
        coordinates.single_importance((1.0, 2.0, 3.0, 4.0)),
        coordinates.block_uniform(((0, 1), (2,), (3, 4, 5))),
        coordinates.block_importance(((0, 1), (2, 3)), (1.0, 2.0, 3.0, 9.0)),
        coordinates.table(3, ((0,), (1, 2), (0, 2)), (0.5, 0.3, 0.2)),
    ],
)
def test_sets_have_their_probabilities(law: coordinates.Sampler) -> None:
    """Each set by an exact binomial test at ALPHA over their number; wrong probabilities fail it."""
    counts = np.array([sum(tuple(found) == one for found in sets(law)) for one in law.sets])
    chosen = np.array(law.probabilities)
    assert binomial_two_sided(counts, STEPS, chosen).min() > ALPHA / len(counts)
    wrong = np.roll(chosen, 1) if len(set(law.probabilities)) > 1 else chosen * 0.8
    assert binomial_two_sided(counts, STEPS, wrong).min() < ALPHA / len(counts)


# Opacus. ------------------------------------------------------------------------------------------


def test_the_sampler_of_opacus_is_a_poisson_sampler() -> None:
    torch, uniform_sampler = pytest.importorskip("torch"), pytest.importorskip("opacus.utils.uniform_sampler")
    found = uniform_sampler.UniformWithReplacementSampler(
        num_samples=RECORDS, sample_rate=SIZE / RECORDS, generator=torch.Generator().manual_seed(1), steps=1_000
    )
    batches = [np.array(batch, dtype=np.int64) for batch in found]
    assert len(batches) == 1_000
    assert sampler.check(batches, sampling("Poisson"), ALPHA).outcome is Outcome.CONSISTENT
    assert sampler.check(batches, sampling("without replacement"), ALPHA).outcome is Outcome.REFUTED


def test_the_loader_of_opacus_is_a_poisson_sampler_and_that_of_torch_is_not() -> None:
    torch, opacus_loader = pytest.importorskip("torch"), pytest.importorskip("opacus.data_loader")
    records = torch.utils.data.TensorDataset(torch.arange(RECORDS))
    plain = torch.utils.data.DataLoader(
        records, batch_size=SIZE, shuffle=True, generator=torch.Generator().manual_seed(2)
    )
    private = opacus_loader.DPDataLoader.from_data_loader(plain, generator=torch.Generator().manual_seed(2))

    def batches(loader: Any, epochs: int) -> list[Any]:
        return [batch.numpy().astype(np.int64) for _ in range(epochs) for [batch] in loader]

    poisson, shuffle = batches(private, 500), batches(plain, 500)
    assert sampler.check(poisson, sampling("Poisson"), ALPHA).outcome is Outcome.CONSISTENT
    assert sampler.check(shuffle, sampling("Poisson"), ALPHA).outcome is Outcome.REFUTED
    assert sampler.check(shuffle, sampling(SHUFFLED), ALPHA).outcome is Outcome.CONSISTENT
    assert all(not np.array_equal(one, two) for one, two in pairwise(shuffle[:8]))
