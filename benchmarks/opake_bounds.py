"""How often the one-run bounds of opake 0.16.1 are too large: python benchmarks/opake_bounds.py [--only PART ...]

`DPAUDIT_OPAKE_PYTHON` names a Python that has it. Results go to `reports/benchmarks/opake_bounds.json`. Parts:

    guesses    audits of `one_run(...).eps_delta()`: laws of known epsilon, fair coins; thresholds: the default, the
               median of all scores, one fixed beforehand, the best of one half of the canaries for the other half.
               The number of wrong guesses is counted here (tests/benchmarks/test_opake_bounds.py: as the library does),
               and the library is asked for the bounds of such numbers, which fall with them. `exact`: of scores that
               know nothing, by reflection
    gaussian   the same of `.gdp()`; the library is asked for the largest number of wrong guesses above the truth
               `told together`: where one |loss| is drawn for all canaries, by quadrature
    separated  `.gdp()` where few guesses are wrong: mu that is stated, and the exact probability at a fixed threshold

A rate is of AUDITS audits: its standard error is at most 0.005, and 0.002 near 0.05.
"""

from __future__ import annotations

import argparse
import bisect
import itertools
import json
import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, ndtri
from scipy.stats import binom

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.content.loading import load_module

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]

ROOT = Path(__file__).parent.parent
JSON = ROOT / "reports" / "benchmarks" / "opake_bounds.json"
TARGETS = load_module(ROOT / "audits" / "third_party" / "opake" / "one_run.py")
SEED, AUDITS, SEPARATED = 20251129, 10_000, 4_000
SIZES, SIGNIFICANCES, DELTAS = (100, 1_000, 10_000), (0.05, 0.01), (0.0, 1e-5)
LAWS = ("no signal", "ranked 0.1", "ranked 0.5", "ranked 1", "response 1", "response 4", "Laplace 1", "Gaussian 1")
"""ranked: randomised response whose answers are ordered by public noise; the number is epsilon, or mu."""


@cache
def worker(kind: str) -> Any:
    """A worker of the audits of opake."""
    library = TARGETS.LIBRARY
    return TARGETS.ASKED.Asked(lambda: (library.executable(), str(library.worker), kind))


def scores_of(law: str, rng: np.random.Generator, coins: Flags) -> Floats:
    """Scores of canaries, larger if they look included; coins and scores: (audits, canaries)."""
    name, _, size = law.rpartition(" ")
    if law == "no signal":
        return rng.normal(size=coins.shape)
    if name in ("ranked", "response"):
        told = np.where(rng.random(coins.shape) < 1 / (1 + math.exp(-float(size))), coins, ~coins)
        return told + (rng.random(coins.shape) if name == "ranked" else 0.0)
    noise = rng.laplace(size=coins.shape) if name == "Laplace" else rng.normal(size=coins.shape)
    return float(size) * coins + noise


def truth(law: str, delta: float) -> float:
    """The epsilon of a law at `delta`; infinite for Gaussian noise at 0."""
    name, _, size = law.rpartition(" ")
    if law == "no signal":
        return 0.0
    if name == "Gaussian":
        return gaussian_epsilon(delta, float(size)) if delta else math.inf
    kept = 1 / (1 + math.exp(-float(size)))
    return (
        max(0.0, float(size) + 2 * math.log1p(-delta)) if name == "Laplace" else math.log((kept - delta) / (1 - kept))
    )


def middle(law: str) -> float:
    """A threshold that is fixed beforehand: the one that a likelihood ratio of 1 gives."""
    if law == "no signal":
        return 0.0
    name, _, size = law.rpartition(" ")
    return {"ranked": 1.0, "response": 0.5}.get(name, float(size) / 2)


def fewest_errors(scores: Floats, coins: Flags) -> tuple[Integers, Floats]:
    """Of each audit the wrong guesses at the best threshold, and that threshold; a score guesses "in" from there on."""
    order = np.argsort(scores, axis=1, kind="stable")
    ranked, included = np.take_along_axis(scores, order, 1), np.take_along_axis(coins, order, 1)
    below = np.cumsum(2 * included.astype(np.int64) - 1, axis=1)  # what guessing "out" up to here adds to the errors
    below[:, :-1][ranked[:, 1:] == ranked[:, :-1]] = scores.shape[1]  # a threshold does not part equal scores
    place = below.argmin(axis=1)
    rows = np.arange(len(scores))
    least = below[rows, place]
    above = np.concatenate([ranked[:, 1:], np.full((len(scores), 1), np.inf)], axis=1)[rows, place]
    none = least >= 0
    errors = (~coins).sum(1) + np.where(none, 0, least)
    return errors, np.where(none, -np.inf, above)


def wrong_guesses(scores: Floats, coins: Flags, threshold: Any) -> Integers:
    """Of each audit the wrong guesses at a threshold, one for all or (audits, 1)."""
    return ((scores >= threshold) != coins).sum(1)


def counted(law: str, canaries: int) -> dict[str, tuple[int, Integers]]:
    """Of each threshold the number of canaries that are counted, and the wrong guesses of AUDITS audits."""
    rng = np.random.default_rng([SEED, canaries, LAWS.index(law)])
    found: dict[str, list[Integers]] = {name: [] for name in ("default", "median", "fixed", "held out")}
    for size in _batches(AUDITS, max(1, 2_000_000 // canaries)):
        coins = rng.random((size, canaries)) < 0.5
        scores = scores_of(law, rng, coins)
        found["default"].append(fewest_errors(scores, coins)[0])
        found["median"].append(wrong_guesses(scores, coins, np.median(scores, axis=1)[:, None]))
        found["fixed"].append(wrong_guesses(scores, coins, middle(law)))
        half = canaries // 2
        best = fewest_errors(scores[:, :half], coins[:, :half])[1][:, None]
        found["held out"].append(wrong_guesses(scores[:, half:], coins[:, half:], best))
    joined = {name: np.concatenate(parts) for name, parts in found.items()}
    return {name: (canaries - half if name == "held out" else canaries, wrong) for name, wrong in joined.items()}


def _batches(total: int, most: int) -> Iterator[int]:
    for start in range(0, total, most):
        yield min(most, total - start)


def without_signal(canaries: int, most: int) -> float:
    """The exact probability of at most so many errors at the best threshold, of scores that know nothing.

    Errors are (canaries - R)/2 with R = 2 max S - S_canaries of a fair walk; by reflection P(R = r) is
    (r + 1)(P(S = r) - P(S = r + 2)).
    """
    reached = np.arange(canaries - 2 * most, canaries + 1, 2)
    ends = binom.pmf((canaries + reached) // 2, canaries, 0.5), binom.pmf((canaries + reached) // 2 + 1, canaries, 0.5)
    return float(((reached + 1) * (ends[0] - ends[1])).sum())


@cache
def bound(canaries: int, wrong: int, delta: float, significance: float) -> float:
    """What `eps_delta()` says of so many wrong guesses."""
    return float(
        worker("of_errors")({
            "canaries": canaries, "wrong": wrong, "method": "eps_delta", "delta": delta, "significance": significance,
        })
    )  # fmt: skip


def guesses() -> Iterator[dict[str, Any]]:
    """Rows of `eps_delta()`."""
    for law, canaries in itertools.product(LAWS, SIZES):
        found = counted(law, canaries)
        for delta, significance in itertools.product(DELTAS, SIGNIFICANCES):
            true = truth(law, delta)
            if true == math.inf:
                continue
            for name, (number, wrong) in found.items():
                asked = partial(bound, number, delta=delta, significance=significance)
                row = _row(law, canaries, delta, significance, name) | _errs(wrong, asked, true)
                if law == "no signal" and name == "default":
                    row["exact"] = without_signal(canaries, row["most_wrong"])
                yield row


def _row(law: str, canaries: int, delta: float, significance: float, threshold: str) -> dict[str, Any]:
    return {
        "law": law, "canaries": canaries, "delta": delta, "significance": significance, "threshold": threshold,
    }  # fmt: skip


def _errs(wrong: Integers, asked: Callable[[int], float], true: float) -> dict[str, Any]:
    """How often and how far bounds are above the truth. asked: the bound of a number of wrong guesses."""
    numbers = np.unique(wrong)
    # Bounds fall: those above the truth come first.
    first = bisect.bisect_left(numbers, True, key=lambda number: asked(int(number)) <= true + 1e-9)
    most = int(numbers[first - 1]) if first else -1
    places = np.quantile(wrong, (0.5, 0.05, 0.01, 0.0), method="inverted_cdf")
    return {
        "epsilon": round(true, 5), "audits": len(wrong), "most_wrong": most, "above": float((wrong <= most).mean()),
        "excess_median_95_99_largest": [round(asked(int(place)) - true, 4) for place in places],
    }  # fmt: skip


def stated_mu(canaries: int, wrong: int, significance: float) -> float:
    """The mu that `gdp()` infers from so many wrong guesses."""
    asked = {"canaries": canaries, "wrong": wrong, "method": "gdp", "delta": 1e-5, "significance": significance}
    return float(2 * ndtri((1 + worker("of_errors")(asked)[1]) / 2))


def most_above(canaries: int, low: int, mu: float, significance: float) -> int:
    """The largest number of wrong guesses whose bound is above `mu`, -1 if that of `low` is not."""
    if stated_mu(canaries, low, significance) <= mu + 1e-6:
        return -1
    high = canaries // 2 + 1
    while high - low > 1:
        place = (low + high) // 2
        low, high = (place, high) if stated_mu(canaries, place, significance) > mu + 1e-6 else (low, place)
    return low


def gaussian() -> Iterator[dict[str, Any]]:
    """Rows of `gdp()`."""
    for law, canaries, significance in itertools.product(("no signal", "Gaussian 1"), SIZES[:2], SIGNIFICANCES):
        found = counted(law, canaries)
        low = max(0, min(int(wrong.min()) for name, (_, wrong) in found.items() if name != "held out") - 1)
        most = most_above(canaries, low, 0.0 if law == "no signal" else 1.0, significance)
        row = {"law": law, "canaries": canaries, "significance": significance, "audits": AUDITS, "most_wrong": most}
        if law != "no signal":
            row["told together"] = told_together(canaries, most)
        yield row | {name: float((found[name][1] <= most).mean()) for name in ("default", "median", "fixed")}


def told_together(canaries: int, most: int) -> float:
    """The probability of at most so many errors where all canaries have one |loss|, drawn by the law of 1-GDP.

    The release tells it, and answers for each canary by a randomised response with it as epsilon: 1-GDP for each.
    """
    places = np.linspace(-9, 10, 20_001)
    density = np.exp(-(places**2) / 2) + np.exp(-((places - 1) ** 2) / 2)
    wrong = 1 / (1 + np.exp(np.abs(0.5 - places)))
    return float((density / density.sum()) @ binom.cdf(most, canaries, wrong))


def separated() -> Iterator[dict[str, Any]]:
    """mu just below what `gdp()` says of few wrong guesses: how probable so few are, at a threshold of mu/2."""
    for canaries, significance, wrong in itertools.product((20, 100, 1_000), SIGNIFICANCES, (0, 1, 2, 5)):
        stated = stated_mu(canaries, wrong, significance)
        mu, rng, alarms = stated - 1e-3, np.random.default_rng([SEED, canaries]), 0
        if mu <= 0:
            continue
        for size in _batches(SEPARATED, 1_000):
            coins = rng.random((size, canaries)) < 0.5
            alarms += int((fewest_errors(scores_of(f"Gaussian {mu}", rng, coins), coins)[0] <= wrong).sum())
        exact = float(binom.cdf(wrong, canaries, ndtr(-mu / 2)))
        valid = -2 * ndtri(1 - betaincinv(canaries - wrong, wrong + 1, significance))
        yield {
            "canaries": canaries, "significance": significance, "wrong": wrong, "stated_mu": round(stated, 4),
            "valid_mu": round(float(valid), 4), "exact_at_fixed_threshold": exact,
            "at_default_threshold": alarms / SEPARATED,
        }  # fmt: skip


PARTS: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
    "guesses": guesses, "gaussian": gaussian, "separated": separated,
}  # fmt: skip


def main() -> None:
    """Play the parts and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=PARTS, action="append")
    record: dict[str, Any] = json.loads(JSON.read_text(encoding="utf-8")) if JSON.exists() else {}
    for part in parser.parse_args().only or PARTS:
        record[part] = []
        for row in PARTS[part]():
            record[part].append(row)
            print(row, flush=True)
    record["how"] = "python benchmarks/opake_bounds.py; opake 0.16.1"
    JSON.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
