"""A mechanism as frozen, nested data that accountants, games, plots and reports all read.

Promise of this file: the meaning of a class never changes and a field is never removed; a reader
that does not know a class must refuse it. Noise multipliers are relative to the
sensitivity of the released value under the neighbouring relation of the claim.

Two kinds of classes. Gaussian, Laplace and what is sampled or composed from them say what is done. PureDP,
Concentrated and ApproximateRenyi say only what holds of the released value; an accountant takes the worst
mechanism of which it holds.
"""

from __future__ import annotations

from dataclasses import fields

from dpaudit.records.arguments import stated
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Neighbours, View


@stated
class Gaussian:
    """Releases q(D) + N(0, (noise_multiplier * l2-sensitivity)^2 I); noise_multiplier > 0."""

    noise_multiplier: float

    def __post_init__(self) -> None:
        _check_positive("noise_multiplier", self.noise_multiplier)


@stated
class Laplace:
    """Releases q(D) + Laplace(scale = noise_multiplier * l1-sensitivity); noise_multiplier > 0."""

    noise_multiplier: float

    def __post_init__(self) -> None:
        _check_positive("noise_multiplier", self.noise_multiplier)


@stated
class Constant:
    """Releases a value that does not depend on the data: perfectly private."""


@stated
class PureDP:
    """Releases a value that is epsilon-DP; epsilon >= 0, infinite where nothing is promised."""

    epsilon: float

    def __post_init__(self) -> None:
        _check_budget("epsilon", self.epsilon)


@stated
class Concentrated:
    """Releases a value that is (alpha, rho alpha)-RDP for every alpha > 1, given an event.

    The event has probability at least 1 - failure on each of two neighbouring data sets (most often it depends on
    draws that do not see the data, and has the same probability on both); the laws that meet the bound are those
    given the event. rho >= 0, infinite where nothing is promised; 0 <= failure < 1. With failure = 0 this is
    rho-zCDP (Bun, Steinke 2016, definition 1.1).
    """

    rho: float
    failure: float = 0.0

    def __post_init__(self) -> None:
        _check_budget("rho", self.rho)
        _check_failure(self.failure)


@stated
class ApproximateRenyi:
    """Releases a value whose law is within total variation `failure` of one that is (order, epsilon)-RDP.

    Both neighbours may move, and which laws meet the bound may depend on the pair (Carmon, Jambulapati, Jin, Lee,
    Liu, Sidford, Tian 2023, definition 9). order > 1; epsilon >= 0, infinite where nothing is promised;
    0 <= failure < 1. With failure = 0 this is RDP (Mironov 2017) at one order.
    """

    order: float
    epsilon: float
    failure: float

    def __post_init__(self) -> None:
        if not 1 < self.order < float("inf"):
            raise ContentError(f"order must be finite and above 1, got {self.order}")
        _check_budget("epsilon", self.epsilon)
        _check_failure(self.failure)


@stated
class PoissonSampled:
    """Runs `mechanism` on a Poisson sample: each record is in with probability `rate`, independently."""

    rate: float
    mechanism: Mechanism

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ContentError(f"rate must be in (0, 1], got {self.rate}")


@stated
class FixedSizeSampled:
    """Runs `mechanism` on a uniform subset of `size` of the `records` records, drawn without replacement.

    1 <= size <= records. Meant for replacement of one record; the sensitivity behind the noise multiplier is that
    of the query on `size` records, one of which is replaced.
    """

    size: int
    records: int
    mechanism: Mechanism

    def __post_init__(self) -> None:
        _check_count("records", self.records)
        if not 1 <= self.size <= self.records:
            raise ContentError(f"size must be from 1 to records = {self.records}, got {self.size}")


@stated
class WithReplacementSampled:
    """Runs `mechanism` on `draws` independent uniform draws from the `records` records; both >= 1.

    Meant for replacement of one record, which occurs k times with probability C(draws, k) (1/records)^k
    (1 - 1/records)^(draws - k). The sensitivity behind the noise multiplier is that of one occurrence: k of them
    move the query by k sensitivities at most.
    """

    draws: int
    records: int
    mechanism: Mechanism

    def __post_init__(self) -> None:
        _check_count("draws", self.draws)
        _check_count("records", self.records)


@stated
class SelfComposed:
    """Adaptive composition of `count` runs of `mechanism`; count >= 1."""

    mechanism: Mechanism
    count: int

    def __post_init__(self) -> None:
        _check_count("count", self.count)


@stated
class Composed:
    """Adaptive composition of `mechanisms`, in this order."""

    mechanisms: tuple[Mechanism, ...]


Mechanism = (
    Gaussian
    | Laplace
    | Constant
    | PureDP
    | Concentrated
    | ApproximateRenyi
    | PoissonSampled
    | FixedSizeSampled
    | WithReplacementSampled
    | SelfComposed
    | Composed
)


@stated
class Promise:
    """What a run promises.

    mechanism: what is released, or what holds of it; neighbours: the relation under which its multipliers are
    meant; view: the most that an adversary may see; source: who states it (paper, number, "as printed" or
    "corrected").
    """

    mechanism: Mechanism
    neighbours: Neighbours
    view: View
    source: str

    def __post_init__(self) -> None:
        if not self.source.strip():
            raise ContentError("source must say where the promise is stated, got an empty text")


_MOST = 3
"""Composed mechanisms that a sentence names."""


def written(mechanism: Mechanism) -> str:
    """The mechanism as it is written in a file, without the names of its fields, for a sentence."""
    values = (getattr(mechanism, field.name) for field in fields(mechanism))
    return f"{type(mechanism).__name__}({', '.join(map(_written, values))})"


def _written(value: float | Mechanism | tuple[Mechanism, ...]) -> str:
    if isinstance(value, tuple):
        more = [f"and {len(value) - _MOST} more"] if len(value) > _MOST else []
        return f"({', '.join([*map(written, value[:_MOST]), *more])})"
    return f"{value:g}" if isinstance(value, float) else str(value) if isinstance(value, int) else written(value)


def _check_positive(name: str, value: float) -> None:
    if not value > 0:
        raise ContentError(f"{name} must be above 0, got {value}")


def _check_budget(name: str, value: float) -> None:
    if not value >= 0:
        raise ContentError(f"{name} must be at least 0, got {value}")


def _check_failure(failure: float) -> None:
    if not 0 <= failure < 1:
        raise ContentError(f"failure must be in [0, 1), got {failure}")


def _check_count(name: str, value: int) -> None:
    if not value >= 1:
        raise ContentError(f"{name} must be at least 1, got {value}")
