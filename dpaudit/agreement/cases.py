"""What an algorithm file hands to the agreement engine, and the rounding bounds that both speak of.

A bound is derived, never tuned. If a number is computed from its inputs by sums, products and
divisions, and no term goes through more than N roundings, then the computed value differs from the
exact one by at most gamma_N A, where A is the same expression with every term replaced by its
absolute value, u the unit roundoff, gamma_N = N u/(1 - N u) (Higham 2002, lemma 3.1 and section 3.1);
any order of summation and any use of fused operations is covered. Two backends therefore
differ by at most (gamma_N(u) + gamma_N(u')) A. Casting an input to float32 is one more rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.records.verdict import Outcome


@dataclass(frozen=True)
class Trace:
    """What the reference did: one row for every step of every trial.

    trials, steps: (rows,), which; before: (rows, width), its state before the step; after: (rows, columns),
    all that the step computed; magnitude: (rows, columns), the sum A of absolute values behind each
    number of `after`; branches: (rows, choices) integers, the way taken; tie_distance and
    tie_magnitude: (rows, choices), how far the deciding number is from its switching point, and its A
    (0 where the backends decide on the same bits); final: (trials, size), results of the whole run.
    """

    trials: Integers
    steps: Integers
    before: Array
    after: Array
    magnitude: Array
    branches: Integers
    tie_distance: Array
    tie_magnitude: Array
    final: Array


@dataclass(frozen=True)
class Replay:
    """What a backend did from the reference's states, in the layout of `Trace`."""

    after: Array
    branches: Integers
    final: Array


@dataclass(frozen=True)
class Case:
    """One instance of an algorithm on which its forms are compared.

    name: in words; params: of the algorithm; operations: N; reference(trials) -> Trace;
    cpu(trace, dtype) -> Replay with numba; gpu(trace, dtype, device) -> Replay with torch;
    calls(trial) -> (counted, formula): the oracle calls of one trial by kind, as the reference
    made them and as the complexity formula says; bulk(numbers, backend, dtype, device): whole runs of
    these trials on one backend, whose results are thrown away by benchmarks.
    """

    name: str
    params: Any
    operations: int
    reference: Callable[[int], Trace]
    cpu: Callable[[Trace, str], Replay]
    gpu: Callable[[Trace, str, str], Replay]
    calls: Callable[[int], tuple[dict[str, int], dict[str, int]]] | None = None
    bulk: Callable[[Integers, str, str, str], Any] | None = None


@dataclass(frozen=True)
class Pair:
    """Two arrays that a reduction says are equal; tolerance: 0 for equal bits, else relative to max(1, |right|)."""

    name: str
    left: Array
    right: Array
    tolerance: float = 0.0


@dataclass(frozen=True)
class Reduction:
    """The statement that for some parameters one algorithm is another, or has a closed form.

    id: of the spec, for example `rbcd/RED-1`; statement: in words, with the reason for a tolerance above 0;
    pairs(): the arrays, made on shared noise by this file's reference and by the other algorithm's own file or an
    independent formula; expects: CONSISTENT, or REFUTED for what a paper prints and is false; finding: then what is
    wrong and how bad it is.
    """

    id: str
    title: str
    statement: str
    source: str
    pairs: Callable[[], tuple[Pair, ...]]
    expects: Outcome = Outcome.CONSISTENT
    finding: str = ""
