"""Are batches drawn as the accountant assumes?

Kinds: those of `batches`, and "shuffled", a new random order of all records every epoch, cut into batches. What a kind
forbids is refuted by the first batch that does it; the rest are exact binomial and hypergeometric tests of sizes,
memberships, overlaps of batches and agreements of records, over pairs that share nothing, with union bounds inside
alpha. What is read between two steps is one batch, in however many pieces it is read. No batch is a read of every
record once beside a batch of the same step, before the steps begin or after the last one: a replay gives it all records
that are there, and what a step takes from it is seen by `records outside the batch`.

Sees: shuffled, fixed-order and constant-size batches where Poisson sampling is accounted for; a fixed order, or fixed
batches, where a shuffle is; records that are in every batch, records that come in blocks; Poisson batches that are cut
off at a largest size, and those of a generator that begins again every epoch.

Cannot see: what a few batches do not show; the smallest change of the rate that would be seen is in the numbers.

False alarms: What a kind forbids is refuted without a test. The tests are exact binomial and hypergeometric ones, and
union bounds inside of alpha join them, so that they err if the batches are what the accountant assumes with at most
that probability. Where reads between the steps may be no batches, the outcome is INCONCLUSIVE.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from dpaudit.arithmetic.roots import bisected, bisected_integers
from dpaudit.audit.structural.accounted import sampling_of
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.observed import UNSETTLED_READS, Observed
from dpaudit.audit.structural.recorded_values import Ids
from dpaudit.audit.structural.tails import (
    binomial_coincidence,
    binomial_lower,
    binomial_two_sided,
    binomial_upper,
    hypergeometric_probabilities,
    tails,
    two_sided,
)
from dpaudit.audit.wording import probability
from dpaudit.records.assumptions import SHUFFLED, Assumptions, Sampling
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.verdict import Numbers, Outcome

NAME = "sampler"
FALSE_ALARM = "alpha"
PLACE = 17
REPLAYS = False
SPLIT = False
EXCEPTION = (
    "`Assumptions(sampling=Sampling(kind, records, size))` says what the accountant assumes, where the "
    "mechanism does not."
)
MOST_COMPARED = 256
"""Batches whose overlaps are all compared: the first ones."""

PValues = dict[str, float]


def tests(mechanism: Mechanism | None, assumptions: Assumptions) -> int:
    """How many shares of the error budget this check takes at most: one where a sampler is assumed."""
    return int(assumptions.sampling is not None or sampling_of(mechanism, 1) is not None)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    found = check(seen.batches, seen.sampling, seen.alpha)
    if found.outcome is Outcome.REFUTED and seen.idle:
        return Finding(NAME, Outcome.INCONCLUSIVE, f"{found.detail}; {UNSETTLED_READS}")
    return found


def check(batches: Sequence[Ids], sampling: Sampling | None, alpha: float) -> Finding:
    """REFUTED by a batch that the assumed sampler never draws, or by a test at its share of alpha."""
    if sampling is None:
        return Finding(NAME, Outcome.NOT_RUN, "the accountant assumes no sampler")
    if not batches:
        return Finding(NAME, Outcome.NOT_RUN, f"{sampling.kind} batches are accounted for; none is declared")
    impossible = forbidden(batches, sampling)
    if impossible:
        return Finding(NAME, Outcome.REFUTED, f"{impossible}: never {sampling.kind}", (("assumed", sampling.kind),))
    tests = TESTS[sampling.kind](batches, sampling)
    seen = rate_caught(len(batches), sampling, alpha / max(len(tests), 1))
    numbers: Numbers = (
        ("assumed", sampling.kind),
        ("batches", len(batches)),
        ("records", sampling.records),
        ("rate_factor_caught_at_90", seen),
    )
    if not tests:
        return Finding(NAME, Outcome.CONSISTENT, f"{len(batches)} batches are {sampling.kind}", numbers)
    label, p_value = min(tests.items(), key=lambda item: item[1])
    numbers += (("test", label), ("p_value", p_value), ("alpha", alpha / len(tests)))
    if p_value <= alpha / len(tests):
        detail = f"statistical: {label} are not those of {sampling.kind} batches (p {probability(p_value)})"
        return Finding(NAME, Outcome.REFUTED, detail, numbers)
    limit = "" if seen is None else f"; {seen:.4g} of the rate would be seen with probability 0.9"
    detail = f"{len(batches)} batches look {sampling.kind} in {len(tests)} tests{limit}"
    return Finding(NAME, Outcome.CONSISTENT, detail, numbers)


# What a kind forbids. ---------------------------------------------------------------------------


def forbidden(batches: Sequence[Ids], sampling: Sampling) -> str:
    """The first thing that the assumed sampler never does, in words; empty if there is none."""
    kind, n = sampling.kind, sampling.records
    per_epoch = math.ceil(n / sampling.size)
    for t, batch in enumerate(batches):
        if len(batch) and batch.max() >= n:
            return f"batch {t} holds record {batch.max()} of {n}"
        if kind != "with replacement" and len(np.unique(batch)) < len(batch):
            return f"batch {t} holds a record twice"
        if kind in ("without replacement", "with replacement", "all records") and len(batch) != sampling.size:
            return f"batch {t} has {len(batch)} records, not {sampling.size:g}"
        again = t - per_epoch
        if kind == "in order" and again >= 0 and set(batch.tolist()) != set(batches[again].tolist()):
            return f"batch {t} is not batch {again} again"
    return _not_a_partition(batches, per_epoch, n) if kind in ("in order", SHUFFLED) else ""


def _not_a_partition(batches: Sequence[Ids], per_epoch: int, records: int) -> str:
    """Every epoch must hold every record once; an unfinished last epoch no record twice."""
    for first in range(0, len(batches), per_epoch):
        members = np.concatenate(batches[first : first + per_epoch])
        whole = first + per_epoch <= len(batches)
        if len(np.unique(members)) < len(members) or (whole and len(members) != records):
            return f"batches {first} to {min(first + per_epoch, len(batches)) - 1} do not hold every record once"
    return ""


# Tests: p-values by name, each already paid for its union bound. --------------------------------


def _poisson(batches: Sequence[Ids], sampling: Sampling) -> PValues:
    n, q, steps = sampling.records, sampling.rate, len(batches)
    table = membership(batches, n)
    sizes, counts = table.sum(axis=1), table.sum(axis=0)
    half = table[: steps // 2 * 2]
    both = (half[::2] & half[1::2]).sum()
    agree = (table[:, : n // 2 * 2 : 2] == table[:, 1 : n // 2 * 2 : 2]).sum()
    same_sizes, same_counts = equal_pairs(sizes), equal_pairs(counts)
    return {
        "numbers of members": float(binomial_two_sided(sizes.sum(), n * steps, q)),
        "sizes": union(binomial_two_sided(sizes, n, q)),
        "memberships of single records": union(binomial_two_sided(counts, steps, q)),
        "smallest and largest sizes": extremes(sizes, n, q),
        "repeated sizes": float(binomial_upper(same_sizes, steps // 2, binomial_coincidence(n, q))),
        "repeated memberships": float(binomial_upper(same_counts, n // 2, binomial_coincidence(steps, q))),
        "overlaps of consecutive batches": float(binomial_two_sided(both, n * (steps // 2), q**2)),
        "overlaps of batches": union(binomial_two_sided(overlaps(table), n, q**2)),
        "batches that come again": union(repeats(table, q)),
        "agreements of neighbouring records": float(binomial_two_sided(agree, steps * (n // 2), q**2 + (1 - q) ** 2)),
    }


def extremes(sizes: NDArray[np.int64], records: int, rate: float) -> float:
    """Is the largest batch too small, or the smallest too large? Exact: P(all of T sizes <= k) = P(one <= k)^T."""
    low = float(binomial_lower(sizes.max(initial=0), records, rate)) ** len(sizes)
    high = float(binomial_upper(sizes.min(initial=records), records, rate)) ** len(sizes)
    return union(np.array([low, high]))


def repeats(table: NDArray[np.bool_], rate: float) -> NDArray[np.float64]:
    """For each distance L, the p-value of the records that batches share with those L later. Batches are taken in runs
    of L, the first with the second, the third with the fourth: no batch is in two pairs, so that the sum is binomial.
    Sees generators that begin again every L batches."""
    steps, records = table.shape
    found = []
    for distance in range(1, min(steps // 2, MOST_COMPARED) + 1):
        first = np.flatnonzero(np.arange(steps - distance) // distance % 2 == 0)
        shared = int((table[first] & table[first + distance]).sum())
        found.append(float(binomial_upper(shared, records * len(first), rate**2)))
    return np.array(found)


def _without_replacement(batches: Sequence[Ids], sampling: Sampling) -> PValues:
    n, size, steps = sampling.records, int(sampling.size), len(batches)
    table = membership(batches, n)
    half = table[: steps // 2 * 2]
    disjoint = ((half[::2] & half[1::2]).sum(axis=1) == 0).sum()
    agree = (table[:, : n // 2 * 2 : 2] == table[:, 1 : n // 2 * 2 : 2]).sum(axis=0)
    alike = (size * (size - 1) + (n - size) * (n - size - 1)) / max(n * (n - 1), 1)
    return {
        "memberships of single records": union(binomial_two_sided(table.sum(axis=0), steps, sampling.rate)),
        "overlaps of batches": hypergeometric_union(overlaps(table), n, size),
        "disjoint consecutive batches": float(
            binomial_upper(disjoint, steps // 2, min(1.0, hypergeometric_probabilities(n, size, size)[0] * (1 + 1e-9)))
        ),
        "agreements of neighbouring records": union(binomial_two_sided(agree, steps, alike)),
    }


def _with_replacement(batches: Sequence[Ids], sampling: Sampling) -> PValues:
    n, size, steps = sampling.records, int(sampling.size), len(batches)
    counts = np.bincount(np.concatenate(batches), minlength=n)
    no_repeats = sum(len(np.unique(batch)) == len(batch) for batch in batches)
    chance = math.exp(np.log1p(-np.arange(size) / n).sum()) if size <= n else 0.0
    return {
        "memberships of single records": union(binomial_two_sided(counts, steps * size, 1 / n)),
        "batches without a repeat": float(binomial_upper(no_repeats, steps, min(1.0, chance * (1 + 1e-9)))),
    }


def _shuffled(batches: Sequence[Ids], sampling: Sampling) -> PValues:
    """Epochs are independent uniform cuts of the records into batches, and their first batches uniform subsets."""
    n, per_epoch = sampling.records, math.ceil(sampling.records / sampling.size)
    epochs = [batches[first : first + per_epoch] for first in range(0, len(batches), per_epoch)]
    if len(epochs) < 2 or n <= sampling.size:
        return {}
    sizes = [len(batch) for batch in epochs[0]]
    alike = [epoch for epoch in epochs if [len(batch) for batch in epoch] == sizes]
    same = [equal_batches(*pair) for pair in zip(alike[::2], alike[1::2], strict=False)]
    firsts = [epoch[0] for epoch in epochs if len(epoch[0]) == sizes[0]]
    first_chance = cut_chance([sizes[0], n - sizes[0]])
    return {
        "overlaps of the first batches of epochs": hypergeometric_union(overlaps(membership(firsts, n)), n, sizes[0]),
        "repeated first batches": float(binomial_upper(sum(row[0] for row in same), len(same), first_chance)),
        "repeated epochs": float(binomial_upper(sum(map(all, same)), len(same), cut_chance(sizes))),
    }


def _none(batches: Sequence[Ids], sampling: Sampling) -> PValues:
    return {}


TESTS: dict[str, Callable[[Sequence[Ids], Sampling], PValues]] = {
    "Poisson": _poisson,
    "without replacement": _without_replacement,
    "with replacement": _with_replacement,
    SHUFFLED: _shuffled,
    "in order": _none,
    "all records": _none,
}


def membership(batches: Sequence[Ids], records: int) -> NDArray[np.bool_]:
    """Which records are in which batch, booleans (batches, records)."""
    table = np.zeros((len(batches), records), dtype=bool)
    for row, batch in zip(table, batches, strict=True):
        row[batch] = True
    return table


def overlaps(table: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The number of records that two batches share, for every pair of the first MOST_COMPARED batches."""
    head = table[:MOST_COMPARED].astype(np.float64)
    first, second = np.triu_indices(len(head), k=1)
    return np.asarray(np.rint((head @ head.T)[first, second]).astype(np.int64))


def equal_batches(first: Sequence[Ids], second: Sequence[Ids]) -> list[bool]:
    """Of two epochs, which batches hold the same records."""
    return [np.array_equal(np.sort(a), np.sort(b)) for a, b in zip(first, second, strict=True)]


def cut_chance(sizes: Sequence[int]) -> float:
    """P(two uniform cuts of all records into batches of these sizes are the same), rounded up."""
    parts = np.array(sizes, dtype=np.float64)
    return min(1.0, math.exp(gammaln(parts + 1).sum() - gammaln(parts.sum() + 1)) * (1 + 1e-9))


def equal_pairs(counts: NDArray[np.int64]) -> int:
    """How many of the pairs (0, 1), (2, 3), ... are equal."""
    half = counts[: len(counts) // 2 * 2]
    return int((half[::2] == half[1::2]).sum())


def union(p_values: NDArray[np.float64]) -> float:
    """The smallest p-value times their number, at most 1."""
    flat = np.ravel(p_values)
    return min(1.0, float(np.min(flat, initial=1.0)) * max(flat.size, 1))


def hypergeometric_union(shared: NDArray[np.int64], records: int, size: int) -> float:
    """`union` of the two-sided p-values of overlaps of uniform subsets of `size`."""
    return union(two_sided(*tails(hypergeometric_probabilities(records, size, size)))[shared])


def rate_caught(steps: int, sampling: Sampling, alpha: float) -> float | None:
    """The largest factor below 1 on the Poisson rate that the number of members shows with probability 0.9, else
    None.

    None for other kinds, and where no number of members is small enough to be refuted.
    """
    trials = steps * sampling.records
    if sampling.kind != "Poisson" or binomial_two_sided(0, trials, sampling.rate) > alpha:
        return None
    refuted = bisected_integers(
        lambda count: bool(binomial_two_sided(count, trials, sampling.rate) <= alpha),
        0,
        math.ceil(trials * sampling.rate),
    )
    return bisected(
        lambda factor: bool(binomial_lower(refuted, trials, factor * sampling.rate) >= 0.9), 0.0, 1.0, halvings=40
    ).inside
