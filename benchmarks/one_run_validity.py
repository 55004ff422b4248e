"""How often what one training says is wrong: the conditional bound, and the bounds that assume only the coins.

    python benchmarks/one_run_validity.py --part family -o FILE     2,000 audits a row, about ten minutes of one core
    python benchmarks/one_run_validity.py --part coins -o FILE      10,000 audits a row, minutes

Each row counts the audits at 95 % in which the true guarantee is refuted: 5 % at most, where the assumptions of the
row's estimator hold. FILE keeps the rows of the other part.

    family   `one_run_family` on the training of `benchmarks/one_run.py`, on one step of a subsampled Gaussian mechanism
             (mu 2, q 0.2), and where its assumption is broken: an unsampled Gaussian mechanism of the same epsilon
    coins    `one_run` (counts) and `one_run_fdp` (curve) where a claim holds with equality: randomised response,
             Gaussian canaries, all or nothing, and a mechanism that chooses how many coins it tells: there also an
             adversary who chooses the number of guesses, which no bound here does
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from one_run import ALPHA, CANARIES, DELTA, RATE, canary_scores, noise_multiplier, training

from dpaudit.audit.planning import gaussian_mu
from dpaudit.estimators import one_run_family, one_run_fdp
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper
from dpaudit.estimators.one_run import Guesses, guess_numbers, p_value
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

FEW = 200
"""Audits of a row whose assumption does not hold."""

Audited = tuple[NDArray[np.float64], NDArray[np.bool_]]
Draw = Callable[[np.random.Generator], Audited]


def one_step(rng: np.random.Generator, canaries: int, mu: float) -> Audited:
    """Canaries that one Poisson step takes with rate q and moves by mu, in units of the noise."""
    included = rng.random(canaries) < 0.5
    return rng.normal(size=canaries) + mu * (included & (rng.random(canaries) < RATE)), included


def unsampled(rng: np.random.Generator, mu: float) -> Audited:
    """Independent Gaussian canaries."""
    included = rng.random(CANARIES) < 0.5
    return rng.normal(size=CANARIES) + mu * included, included


def family_cases() -> Iterator[tuple[str, int, bool, Mechanism, Draw]]:
    """Name, canaries, whether the assumption holds, claimed mechanism, and audits whose truth has its epsilon."""
    for epsilon in (1, 2, 4, 8):
        noise = noise_multiplier(epsilon)

        def draw(rng: np.random.Generator, noise: float = noise) -> Audited:
            scores, included = canary_scores(noise, rng)
            return scores[0], included

        yield f"30 Poisson steps, epsilon {epsilon}", CANARIES, True, training(noise), draw
    step = PoissonSampled(RATE, Gaussian(0.5))
    yield "one Poisson step, mu 2", 1_000, True, step, lambda rng: one_step(rng, 1_000, 2.0)
    claimed, mu = training(noise_multiplier(4)), gaussian_mu(4.0, DELTA)
    yield "unsampled Gaussian, epsilon 4", CANARIES, False, claimed, lambda rng: unsampled(rng, mu)


def family(audits: int) -> Iterator[dict[str, object]]:
    """One row a case."""
    for place, (name, canaries, holds, mechanism, draw) in enumerate(family_cases()):
        refuted, number = 0, audits if holds else min(audits, FEW)
        for seed in range(number):
            rng = np.random.default_rng([seed, place, 7])
            refuted += one_run_family.refutes(*draw(rng), mechanism, ALPHA, rng)
        yield row("family", "family", name, canaries, number, refuted) | {"assumption holds": holds}


def row(part: str, bound: str, name: str, canaries: int, audits: int, refuted: int) -> dict[str, object]:
    """A row with its 95 % interval in percent."""
    low, high = (100 * float(limit(refuted, audits, 0.025)) for limit in (rate_lower, rate_upper))
    return {
        "part": part,
        "bound": bound,
        "case": name,
        "canaries": canaries,
        "audits": audits,
        "refuted": refuted,
        "percent": round(100 * refuted / audits, 2),
        "percent_low": math.floor(100 * low) / 100,
        "percent_high": math.ceil(100 * high) / 100,
    }


Batch = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Scores and coins of many audits, (audits, canaries) each."""


@dataclass(frozen=True)
class Coins:
    """A mechanism that keeps `claim` with equality, or nearly; draw: (generator, audits, canaries) -> batch."""

    name: str
    claim: Guarantee
    draw: Callable[[np.random.Generator, int, int], Batch]
    sizes: tuple[int, ...] = (100, 1_000)


def fair(rng: np.random.Generator, audits: int, canaries: int) -> NDArray[np.bool_]:
    """A coin for every canary of every audit."""
    return rng.random((audits, canaries)) < 0.5


def responses(rng: np.random.Generator, audits: int, canaries: int, epsilon: float) -> Batch:
    """Randomised response on every coin; ties are broken by noise."""
    included = fair(rng, audits, canaries)
    told = np.where(rng.random(included.shape) < 1 / (1 + math.exp(-epsilon)), included, ~included)
    return told + 1e-3 * rng.random(included.shape), included


def gaussian(rng: np.random.Generator, audits: int, canaries: int, mu: float) -> Batch:
    """Independent Gaussian canaries."""
    included = fair(rng, audits, canaries)
    return rng.normal(size=included.shape) + mu * included, included


def all_told(rng: np.random.Generator, audits: int, canaries: int, chance: float) -> Batch:
    """All coins with this probability, none otherwise."""
    included = fair(rng, audits, canaries)
    return np.where(rng.random((audits, 1)) < chance, included, rng.random(included.shape)), included


def some_told(rng: np.random.Generator, audits: int, canaries: int) -> Batch:
    """TOLD coins drawn at random with probability TELLS, randomised response on all at epsilon 1 otherwise."""
    scores, included = responses(rng, audits, canaries, 1.0)
    named = rng.random(included.shape).argsort(axis=1) < TOLD
    few = np.where(named, 4.0 * included - 1.5, 0.5 + 1e-3 * rng.random(included.shape))
    return np.where(rng.random((audits, 1)) < TELLS, few, scores), included


TOLD, TELLS, SOME = 27, 0.0444, 900
COINS = (
    Coins("no signal", ApproximateDP(0.0, DELTA), partial(gaussian, mu=0.0)),
    Coins("randomised response, epsilon 1", ApproximateDP(1.0, DELTA), partial(responses, epsilon=1.0)),
    Coins("randomised response, epsilon 3", ApproximateDP(3.0, DELTA), partial(responses, epsilon=3.0)),
    Coins("Gaussian, mu 1", GaussianDP(1.0), partial(gaussian, mu=1.0)),
    Coins("all told once in 25 runs, (0, 0.04)", ApproximateDP(0.0, 0.04), partial(all_told, chance=0.04)),
    Coins("27 coins told once in 23 runs", ApproximateDP(1.0, TELLS * TOLD / SOME), some_told, (SOME,)),
)


def coins(audits: int) -> Iterator[dict[str, object]]:
    """One row a bound, case and number of canaries; and one for guesses whose number the scores choose."""
    for place, case in enumerate(COINS):
        for canaries in case.sizes:
            batch = list(batches(case, np.random.default_rng([place, canaries]), audits, canaries))
            for bound in ("counts", "curve") if isinstance(case.claim, ApproximateDP) else ("curve",):
                found = sum(int(refutations(bound, case.claim, *part).sum()) for part in batch)
                yield row("coins", bound, case.name, canaries, audits, found)
    case = COINS[-1]
    batch = list(batches(case, np.random.default_rng([9, SOME]), audits, SOME))
    found = sum(int(chosen(case.claim, *part).sum()) for part in batch)
    yield row("coins", "number of guesses chosen", case.name, SOME, audits, found)


def batches(case: Coins, rng: np.random.Generator, audits: int, canaries: int) -> Iterator[Batch]:
    """The audits, 500 at a time."""
    for start in range(0, audits, 500):
        yield case.draw(rng, min(500, audits - start), canaries)


def refutations(bound: str, claim: Guarantee, scores: NDArray[np.float64], included: NDArray[np.bool_]) -> Any:
    """Which audits refute the claim, (audits,): those with as many right guesses, of any number, as it takes."""
    audits, canaries = scores.shape
    members = np.take_along_axis(included, np.argsort(-scores, axis=1, kind="stable"), axis=1)
    refuted = np.zeros(audits, dtype=np.bool_)
    for share, made in guess_numbers(canaries):
        largest, smallest = (made + 1) // 2, made // 2
        right = members[:, :largest].sum(axis=1) + smallest - members[:, canaries - smallest :].sum(axis=1)
        refuted |= right >= enough(bound, claim, made, canaries, share)
    return refuted


def chosen(claim: Guarantee, scores: NDArray[np.float64], included: NDArray[np.bool_]) -> Any:
    """As `refutations` of an adversary who guesses the 27 coins where 27 are told, and all where all are."""
    few = scores.max(axis=1) > 2.0
    said = np.where(
        few[:, None], np.where(scores > 0.6, 1, np.where(scores < 0.4, -1, 0)), np.where(scores > 0.5, 1, -1)
    )
    right = ((said > 0) & included).sum(axis=1) + ((said < 0) & ~included).sum(axis=1)
    enough_of = {made: enough("curve", claim, made, SOME, 1.0) for made in (TOLD, SOME)}
    return right >= np.where(few, enough_of[TOLD], enough_of[SOME])


@cache
def enough(bound: str, claim: Guarantee, made: int, canaries: int, share: float) -> int:
    """The least number of right guesses that refutes the claim; made + 1 if none does."""

    def refutes(right: int) -> bool:
        guess = Guesses(right, made, canaries, share)
        if bound == "curve":
            return one_run_fdp.refutes([guess], claim, ALPHA)
        assert isinstance(claim, ApproximateDP)
        return p_value(guess, claim.epsilon, claim.delta) <= ALPHA * share

    low, high = -1, made + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refutes(middle) else (middle, high)
    return high


PARTS = {"family": family, "coins": coins}


def main() -> None:
    """Print the rows, and keep them."""
    parser = argparse.ArgumentParser(description="how often what one training says is wrong")
    parser.add_argument("--part", choices=sorted(PARTS), required=True)
    parser.add_argument("--audits", type=int)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    made: list[dict[str, object]] = []
    for found in PARTS[options.part](options.audits or {"family": 2_000, "coins": 10_000}[options.part]):
        made.append(found)
        print("  ".join(str(value) for value in found.values()), flush=True)
        if options.output:
            keep(options.output, made)


def keep(path: Path, made: list[dict[str, object]]) -> None:
    """Write these rows, and those of other cases that were written before."""
    kept = json.loads(path.read_text())["rows"] if path.exists() else []
    names = {(row["bound"], row["case"], row["canaries"]) for row in made}
    rows = [*(old for old in kept if (old["bound"], old["case"], old["canaries"]) not in names), *made]
    rows.sort(key=lambda each: (each["part"], each["bound"]))
    command = "python benchmarks/one_run_validity.py --part PART"
    path.write_text(json.dumps({"command": command, "alpha": ALPHA, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
