"""What a training is meant to be, where it is not the usual: the structural tier of an audit judges by it."""

from __future__ import annotations

from dataclasses import dataclass

from dpaudit.records.arguments import checked
from dpaudit.records.validation import check_choice, check_count, check_number

SHUFFLED = "shuffled"
"""A new random order of all records every epoch, cut into batches."""
KINDS = ("all records", "without replacement", "with replacement", "Poisson", "in order")
"""How `dpaudit.sampling.batches` draws."""
SAMPLERS = (*KINDS, SHUFFLED)
"""How batches may be drawn."""


@checked
@dataclass(frozen=True)
class Sampling:
    """What is assumed of batches. kind: one of SAMPLERS; records: n >= 1; size: of a batch, expected for "Poisson".

    "in order" here is the same order every epoch. Raises ConfigurationError.
    """

    kind: str
    records: int
    size: float

    def __post_init__(self) -> None:
        check_choice("sampler", self.kind, SAMPLERS)
        check_count("records", self.records)
        most = None if self.kind == "with replacement" else float(self.records)
        check_number("batch size", self.size, above=0.0, most=most)

    @property
    def rate(self) -> float:
        """size/n."""
        return self.size / self.records


@checked
@dataclass(frozen=True)
class Assumptions:
    """What a training is meant to be, where it is not the usual.

    sampling: what the accountant assumes of batches, None to read it from the claimed mechanism; independent_noise:
    False where noise is correlated by design, as in prefix sums; random_batches: batches are random although neither
    the sampling nor the mechanism says how; where no record is in all batches of a few recordings, the record in
    question is in those of one other record at a time; ordered: the order of the records matters by design;
    shared_generators: noise may come from generators that other code can seed; checked_records: records that are not
    finite or not within their bounds never reach the training, so that none is tried.
    """

    sampling: Sampling | None = None
    independent_noise: bool = True
    random_batches: bool = False
    ordered: bool = False
    shared_generators: bool = False
    checked_records: bool = False
