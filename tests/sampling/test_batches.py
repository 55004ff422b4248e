"""Batches: the same records on every backend, and their laws.

Statistical tests: false alarm at most 1e-6 each (|z| <= 4.892, or a chi-square test at p >= 1e-6).
"""

from __future__ import annotations

import numpy as np
import pytest
from refusals import refused
from scipy import stats

from dpaudit.noise.stream import Stream
from dpaudit.records.errors import ConfigurationError
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import KINDS, Batches, TorchBatches

STREAM = Stream(5, "tests/batches")


def sized(kind: str) -> Batches:
    return Batches(kind, 7, 7 if kind == "all records" else 3)


@pytest.mark.parametrize("kind", KINDS)
def test_the_three_forms_draw_the_same_records(kind: str) -> None:
    batches, trials = sized(kind), np.array([0, 3, 1 << 40])
    numbers, counted = TorchBatches(batches, STREAM, "cpu").draw(1, trials)
    for row, trial in enumerate(trials):
        expected = batches.draw(STREAM, int(trial), 1)
        place = np.zeros(batches.width, dtype=np.int64)
        count = batch_kernels.draw_batch(batch_kernels.packed(batches), *STREAM.key, 1, trial, place)
        assert place[:count].tolist() == expected.tolist()
        assert numbers[row][counted[row]].tolist() == expected.tolist()


def counts(batches: Batches, trials: int) -> np.ndarray:
    """How often each record is in the batch of each trial, shape (trials, records)."""
    found = np.zeros((trials, batches.records), dtype=int)
    for trial in range(trials):
        np.add.at(found[trial], batches.draw(STREAM, trial, 0), 1)
    return found


def test_a_subset_without_replacement_is_uniform() -> None:
    found = counts(sized("without replacement"), 7_000)
    assert (found.sum(axis=1) == 3).all()
    assert found.max() == 1
    _, frequency = np.unique(found @ (1 << np.arange(7)), return_counts=True)
    assert len(frequency) == 35
    assert stats.chisquare(frequency).pvalue >= 1e-6


def test_draws_with_replacement_are_uniform_and_repeat() -> None:
    found = counts(sized("with replacement"), 5_000)
    assert found.max() == 3
    assert stats.chisquare(found.sum(axis=0)).pvalue >= 1e-6


def test_poisson_takes_each_record_at_the_rate_and_independently() -> None:
    batches, trials = sized("Poisson"), 5_000
    found = counts(batches, trials)
    z = (found.mean(axis=0) - batches.rate) * np.sqrt(trials / (batches.rate * (1 - batches.rate)))
    assert np.abs(z).max() <= stats.norm.isf(5e-7 / 7)
    correlation = np.corrcoef(found.T)[np.triu_indices(7, 1)]
    assert np.abs(correlation).max() * np.sqrt(trials) <= stats.norm.isf(5e-7 / 21)
    assert found.sum(axis=1).min() == 0, "an empty batch happens"


def test_one_pass_uses_each_record_once() -> None:
    drawn = Batches("in order", 7, 3).draw_all(STREAM, 0, 2)
    assert np.concatenate(drawn).tolist() == [0, 1, 2, 3, 4, 5]
    Batches("in order", 7, 3).check_steps(2)
    with pytest.raises(ConfigurationError, match="at most 2 steps"):
        Batches("in order", 7, 3).check_steps(3)


test_wrong_batches_are_refused = refused(
    Batches,
    (("sometimes", 7, 3), "batches must be one of"),
    (("Poisson", 7, 8), "batch size must be from 1 to 7"),
    (("in order", 7, 0), "batch size"),
    (("all records", 7, 3), "have size 7, got 3"),
    (("Poisson", 0, 1), "records"),
)


def test_more_draws_than_records_need_replacement() -> None:
    assert len(Batches("with replacement", 2, 5).draw(STREAM, 0, 0)) == 5
