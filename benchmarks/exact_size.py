"""Exact error probabilities of bounds and decisions at few trials: python benchmarks/exact_size.py [--only METHOD ...]

Nothing but `planned ranks` is sampled. The laws are the worst that (epsilon, delta)-DP admits: each side is told with
probability delta, else a randomised response says which one it is (Kairouz, Oh, Viswanath 2015). They have four values
and meet the claim with equality. For each method, law and number of trials, every outcome is counted with its
probability, by the code that decides or bounds:

    counts          the decision at a held-out threshold; every held-out sample, every pair of counts
    pooled guesses  the printed bound above epsilon; every held-out sample, every pair of right and wrong guesses
    printed         the bound on epsilon that a verdict prints: of pooled guesses, or of guesses at fixed ranks where
                    the held-out trials have no ties
    nested guesses  the bound above epsilon; every number of trials of each value, every number of right guesses
    joint binomial  the p-value at most alpha; every held-out sample, every pair of counts
    planned ranks   the rank test's half of a decision: 400,000 draws of its statistic, which is no enumeration
    ranks           P(T >= t) by quadrature over the levels of one or two ranks, against the simulated p-value

Held-out samples of a probability below 1e-9 are left out; `left out` is their probability together, and is to be added
to the size. Sides may run out of trials for guesses with probability below 1e-4, which makes a bound 0; that is not
taken off. Results go to `reports/benchmarks/exact_size.json`, row by row.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from rank_tails import planned_rows, rank_rows
from scipy.stats import binom, multinomial
from worst_laws import Law, worst_law

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.audit.game import decide
from dpaudit.estimators import joint_binomial, nested_guesses, pooled_guesses
from dpaudit.estimators.clopper_pearson import excess, rate_lower, rate_upper
from dpaudit.estimators.curves import curve_of
from dpaudit.estimators.held_out_threshold import HELD_OUT, Scores

Floats = NDArray[np.float64]
Size = tuple[int, int]
"""Trials on D and on D'."""

EPSILONS, DELTAS = (0.0, 0.01, 1.0, 4.0, 8.0), (0.0, 1e-12, 1e-5, 1e-3, 0.1)
SIZES: tuple[Size, ...] = ((20, 20), (50, 50), (100, 100), (20, 100), (100, 20))
LEVELS = (0.05, 1e-3, 1e-6)
RARE = 1e-9
JSON = Path(__file__).parent.parent / "reports/benchmarks/exact_size.json"
COMMAND = "python benchmarks/exact_size.py"


def held_out_samples(law: Law, sizes: Size) -> Iterator[tuple[float, Scores]]:
    """Every held-out sample with its probability, above RARE; of the counted trials there is only the number."""
    held = [int(HELD_OUT * size) for size in sizes]
    sides = []
    for number, chances in zip(held, (law.on_data, law.on_other), strict=True):
        counts = [c for c in product(range(number + 1), repeat=4) if sum(c) == number]
        weights = multinomial.pmf(counts, number, chances) if number else [1.0]
        sides.append([(float(w), np.repeat(law.values, c)) for w, c in zip(weights, counts, strict=True) if w > RARE])
    rest = [np.broadcast_to(0.0, (size - number,)) for size, number in zip(sizes, held, strict=True)]
    for (w, held_positive), (v, held_negative) in product(*sides):
        if w * v > RARE:
            yield w * v, Scores(held_positive, held_negative, rest[0], rest[1], unspent=True)


def grouped(law: Law, sizes: Size, chosen: Callable[[Scores], Any]) -> tuple[dict[Any, float], float]:
    """The probability of each thing that held-out samples choose, and of the samples that are left out."""
    found: dict[Any, float] = {}
    for weight, scores in held_out_samples(law, sizes):
        key = chosen(scores)
        found[key] = found.get(key, 0.0) + weight
    return found, max(0.0, 1.0 - sum(found.values()))


def counts_size(law: Law, sizes: Size, alpha: float) -> tuple[float, float]:
    """P(the counts refute the claim), at half of alpha as a decision has them."""
    claim = law.claim

    def chosen(scores: Scores) -> tuple[int, float]:
        choice = scores.choose(lambda f, t: excess(f, t, claim), alpha / 2)
        return law.place(choice.threshold), choice.share

    choices, left_out = grouped(law, sizes, chosen)
    positives, negatives = (size - int(HELD_OUT * size) for size in sizes)
    size = 0.0
    for (place, share), weight in choices.items():
        upper = rate_upper(np.arange(negatives + 1), negatives, alpha / 2 * (1 - share))
        lower = rate_lower(np.arange(positives + 1), positives, alpha / 2 * share)
        refuted = lower[None, :] > largest_true_positive_rate(upper, claim)[:, None] * (1 + 1e-12)
        false = binom.pmf(np.arange(negatives + 1), negatives, law.on_other[place:].sum())
        true = binom.pmf(np.arange(positives + 1), positives, min(law.on_data[place:].sum(), 1.0))
        size += weight * float(false @ refuted @ true)
    return size, left_out


def pooled_size(law: Law, sizes: Size, alpha: float) -> tuple[float, float]:
    """P(the bound of pooled guesses is above epsilon)."""
    rules, left_out = grouped(law, sizes, lambda scores: _rule(law, scores, alpha))
    trials = _coins(sizes)
    return sum(weight * _pooled_error(law, rule, trials, alpha) for rule, weight in rules.items()), left_out


def printed_size(law: Law, sizes: Size, alpha: float) -> tuple[float, float]:
    """P(the printed bound on epsilon is above it): ties among held-out trials, all of them looked at, choose it."""

    def chosen(scores: Scores) -> Any:
        atoms = decide._has_atoms([scores.held_positive, scores.held_negative])
        return _rule(law, scores, alpha) if atoms else None

    rules, left_out = grouped(law, sizes, chosen)
    counted = (sizes[0] - int(HELD_OUT * sizes[0]), sizes[1] - int(HELD_OUT * sizes[1]))
    trials, size = _coins(sizes), 0.0
    for rule, weight in rules.items():
        size += weight * (
            nested_size(law, counted, alpha)[0] if rule is None else _pooled_error(law, rule, trials, alpha)
        )
    return size, left_out


def _rule(law: Law, scores: Scores, alpha: float) -> tuple[int | None, int | None, float]:
    rule = pooled_guesses.choose(scores, law.claim.delta, alpha)
    above, below = (None if end is None else law.place(end) for end in (rule.above, rule.below))
    return above, below, rule.share


def _coins(sizes: Size) -> int:
    rest = [np.broadcast_to(0.0, (size - int(HELD_OUT * size),)) for size in sizes]
    return pooled_guesses._coins(Scores(rest[0], rest[1], rest[0], rest[1]))


def _pooled_error(law: Law, rule: tuple[int | None, int | None, float], trials: int, alpha: float) -> float:
    above, below, share = rule
    says = [[0.0 if above is None else side[above:].sum(), 0.0 if below is None else side[:below].sum()]
            for side in (law.on_data, law.on_other)]  # fmt: skip
    right, wrong = (says[0][0] + says[1][1]) / 2, (says[0][1] + says[1][0]) / 2
    wrongs, rights = (grid.ravel() for grid in np.indices((trials + 1, trials + 1)))
    fits = wrongs + rights <= trials
    wrongs, rights = wrongs[fits], rights[fits]
    chances = multinomial.pmf(
        np.stack([wrongs, rights, trials - wrongs - rights], axis=1),
        trials,
        [wrong, right, max(1 - wrong - right, 0.0)],
    )
    likely = chances > 0
    tails = (above is not None) + (below is not None)
    bounds = pooled_guesses._epsilon(wrongs[likely], rights[likely], trials, tails * law.claim.delta, alpha, share)
    return float(chances[likely][bounds > law.claim.epsilon + 1e-9].sum())


def nested_size(law: Law, sizes: Size, alpha: float) -> tuple[float, float]:
    """P(the bound of nested guesses is above epsilon): that epsilon is refuted at alpha."""
    _, guesses, trials = nested_guesses.counts(np.zeros(sizes[0]), np.zeros(sizes[1]), _Fair())
    if not trials:
        return 0.0, 0.0
    needed = _refuting(law, guesses, trials, alpha)
    if needed is None:
        return 0.0, 0.0
    size = left_out = 0.0
    for weight, shells in law.shells([number // 2 for number in guesses], trials):
        if shells is None:
            left_out += weight
        else:
            size += weight * _reached(law, shells, needed)
    return size, left_out


def _refuting(law: Law, guesses: list[int], trials: int, alpha: float) -> list[int] | None:
    """The least numbers of right guesses with which the bound is above epsilon; None if all of them are too few.

    The bound hangs on the largest of three limits alone, and rises with it.
    """
    limits = [
        (float(limit), place, count)
        for place, size in enumerate(guesses)
        for count, limit in enumerate(rate_lower(np.arange(size + 1), size, alpha / 2))
    ]
    limits.sort()
    low, high = 0, len(limits)
    while low < high:
        middle = (low + high) // 2
        right = [limits[middle][2] if place == limits[middle][1] else 0 for place in range(len(guesses))]
        with patch.object(nested_guesses, "counts", return_value=(right, guesses, trials)):
            bound = nested_guesses.lower_bound([0.0], [0.0], law.claim.delta, alpha, np.random.default_rng(0))
        low, high = (low, middle) if bound.epsilon_lower > law.claim.epsilon else (middle + 1, high)
    if low == len(limits):
        return None
    right = [limits[low][2] if place == limits[low][1] else 0 for place in range(len(guesses))]
    return nested_guesses.thresholds(right, guesses, alpha / 2)


class _Fair(np.random.Generator):
    """Coins that fall evenly, for the numbers of trials and guesses alone."""

    def __init__(self) -> None:
        super().__init__(np.random.PCG64(0))

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        return n // 2


def _reached(law: Law, shells: tuple[tuple[int, int, int], ...], needed: list[int]) -> float:
    """P(some threshold is reached); shells: guesses that are surely right, right with p, and with 1 - p."""
    counts, found = np.ones(1), 0.0
    for (sure, likely, unlikely), number in zip(shells, needed, strict=True):
        for size, chance in ((likely, law.right), (unlikely, 1 - law.right)):
            counts = np.convolve(counts, binom.pmf(np.arange(size + 1), size, chance))
        counts = np.concatenate([np.zeros(sure), counts])
        found += float(counts[number:].sum())
        counts[number:] = 0.0
    return found


def joint_size(law: Law, sizes: Size, alpha: float) -> tuple[float, float]:
    """P(p-value at most alpha) of the joint binomial test."""
    claim, curve = law.claim, curve_of(law.claim)

    def chosen(scores: Scores) -> tuple[int, float]:
        one, other = (np.concatenate(both) for both in ((scores.held_positive, scores.positive),
                                                        (scores.held_negative, scores.negative)))  # fmt: skip
        test = joint_binomial._chosen(one, other, lambda f, t: excess(f, t, claim), 0.05, lambda _: curve)
        assert test is not None
        return law.place(test.point.threshold), test.weight

    tests, left_out = grouped(law, sizes, chosen)
    positives, negatives = (size - int(HELD_OUT * size) for size in sizes)
    size = 0.0
    for (place, weight), chance in tests.items():
        false = binom.pmf(np.arange(negatives + 1), negatives, law.on_other[place:].sum())
        rate = min(float(law.on_data[place:].sum()), 1.0)
        for f in np.flatnonzero(false > 1e-12):
            p_value = partial(joint_p, weight, int(f), negatives=negatives, positives=positives, curve=curve)
            least = _least(p_value, alpha, positives)
            size += chance * float(false[f] * binom.sf(least - 1, positives, rate))
    return size, left_out


def joint_p(weight: float, false: int, true: int, *, negatives: int, positives: int, curve: Any) -> float:
    """The p-value of these counts."""
    point = joint_binomial.OperatingPoint(0.0, false, negatives, true, positives, 0.05)
    return joint_binomial.JointTest(point, weight, 0.5).highest_tail(curve, 1e-10)


def _least(p_value: Callable[[int], float], alpha: float, most: int) -> int:
    """The smallest number with a p-value of at most alpha, or one more than there are; p-values fall."""
    low, high = 0, most + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if p_value(middle) <= alpha else (middle + 1, high)
    return low


METHODS: dict[str, tuple[Callable[[Law, Size, float], tuple[float, float]], tuple[float, ...]]] = {
    "printed": (printed_size, (0.05,)),
    "nested guesses": (nested_size, (0.05,)),
    "counts": (counts_size, LEVELS),
    "pooled guesses": (pooled_size, (0.05,)),
    "joint binomial": (joint_size, (0.05,)),
}


def cells() -> Iterator[tuple[str, float, float, Size, float]]:
    """Method, epsilon, delta, sizes, alpha; the joint test, which decides nothing, on the smaller grid."""
    for method, (_, levels) in METHODS.items():
        for sizes, delta, epsilon, alpha in product(SIZES, DELTAS, EPSILONS, levels):
            slow = method == "joint binomial" and (
                epsilon in (0.01, 8.0) or delta not in (0.0, 1e-3) or sizes not in SIZES[:3]
            )
            if not slow:
                yield method, epsilon, delta, sizes, alpha


def main() -> None:
    """Compute the rows that the file lacks, and write each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], help="methods; also: planned ranks, ranks")
    parser.add_argument("--afresh", action="store_true", help="forget the rows of these methods first")
    options = parser.parse_args()
    data = json.loads(JSON.read_text(encoding="utf-8")) if JSON.exists() else {"rows": [], "ranks": []}
    if options.afresh:
        data["rows"] = [row for row in data["rows"] if options.only and row["method"] not in options.only]
    known = {_key(row) for row in data["rows"]}
    for method, epsilon, delta, sizes, alpha in cells():
        if (options.only and method not in options.only) or (method, epsilon, delta, *sizes, alpha) in known:
            continue
        started = time.perf_counter()
        size, left_out = METHODS[method][0](worst_law(epsilon, delta), sizes, alpha)
        given = alpha / 2 if method == "counts" else alpha
        data["rows"].append(
            {"method": method, "epsilon": epsilon, "delta": delta, "positives": sizes[0], "negatives": sizes[1],
             "alpha": alpha, "promised": given, "size": size, "left out": left_out}
        )  # fmt: skip
        _keep(data)
        print(data["rows"][-1], f"{time.perf_counter() - started:.1f} s", flush=True)
    if not options.only or "planned ranks" in options.only:
        kept = data.setdefault("planned ranks", [])
        known = {(row["epsilon"], row["delta"], (row["positives"], row["negatives"])) for row in kept}
        every = product(EPSILONS, DELTAS, SIZES)
        for row in planned_rows(cell for cell in every if cell not in known):
            data["planned ranks"].append(row)
            _keep(data)
    if not options.only or "ranks" in options.only:
        data["ranks"] = rank_rows()
        _keep(data)


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("method", "epsilon", "delta", "positives", "negatives", "alpha"))


def _keep(data: dict[str, Any]) -> None:
    JSON.write_text(json.dumps(data | {"command": COMMAND}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
