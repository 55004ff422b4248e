"""What is assumed of a training is checked where it is written."""

from __future__ import annotations

from refusals import refused

from dpaudit.records.assumptions import KINDS, SAMPLERS, SHUFFLED, Assumptions, Sampling
from dpaudit.sampling import batches


def test_the_rate_is_the_share_of_a_batch() -> None:
    assert Sampling("Poisson", 50, 5.0).rate == 0.1
    assert Sampling("with replacement", 4, 8.0).rate == 2.0


def test_the_kinds_are_those_that_batches_can_be_drawn_by() -> None:
    assert (*KINDS, SHUFFLED) == SAMPLERS
    for kind in KINDS:
        assert batches.Batches(kind, 6, 6 if kind == "all records" else 2).kind == kind


test_wrong_sampling_is_refused = refused(
    Sampling,
    (("by mood", 5, 1.0), "sampler"),
    (("Poisson", 0, 1.0), "records"),
    (("Poisson", 5, 6.0), "batch size"),
    (("Poisson", 5, 0.0), "batch size"),
)


def test_the_usual_is_the_default() -> None:
    usual = Assumptions()
    assert usual.independent_noise
    others = (usual.random_batches, usual.ordered, usual.shared_generators, usual.checked_records)
    assert not any(others)
