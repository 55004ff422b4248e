"""How often what one training says is wrong: the conditional bound, and the bounds that assume only the coins.

    python benchmarks/one_run_validity.py --part family -o FILE     2,000 audits a row, about ten minutes of one core
    python benchmarks/one_run_validity.py --part coins -o FILE      10,000 audits a row, minutes

Each row counts the audits at 95 % in which the true guarantee is refuted: 5 % at most, where the assumptions of the
row's estimator hold. FILE keeps the rows of the other part.

    family   `one_run_family` on the training of `benchmarks/one_run.py`, on one step of a subsampled Gaussian mechanism
             (mu 2, q 0.2), and where its assumption is broken: an unsampled Gaussian mechanism of the same epsilon
    coins    `one_run` (counts) and `one_run_fdp` (curve) where a claim holds with equality: randomised response,
             independent and correlated Gaussian canaries, all or nothing, and a mechanism that chooses how many coins
             it tells, against which the number of guesses must be fixed
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from one_run import ALPHA, CANARIES, DELTA, RATE, STEPS, canary_scores, noise_multiplier

from dpaudit.audit.planning import gaussian_mu
from dpaudit.estimators import one_run_family
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled, SelfComposed

Audited = tuple[NDArray[np.float64], NDArray[np.bool_]]
Draw = Callable[[np.random.Generator], Audited]


def training(noise: float) -> Mechanism:
    """The training of `benchmarks/one_run.py`."""
    return SelfComposed(PoissonSampled(RATE, Gaussian(noise)), STEPS)


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
    for canaries in (1_000, 10_000):
        yield "one Poisson step, mu 2", canaries, True, step, lambda rng, m=canaries: one_step(rng, m, 2.0)  # type: ignore[misc]
    claimed, mu = training(noise_multiplier(4)), gaussian_mu(4.0, DELTA)
    yield "unsampled Gaussian, epsilon 4", CANARIES, False, claimed, lambda rng: unsampled(rng, mu)


def family(audits: int) -> Iterator[dict[str, object]]:
    """One row a case."""
    for place, (name, canaries, holds, mechanism, draw) in enumerate(family_cases()):
        refuted = 0
        for seed in range(audits):
            rng = np.random.default_rng([seed, place, 7])
            refuted += one_run_family.refutes(*draw(rng), mechanism, ALPHA, rng)
        yield row("family", "family", name, canaries, audits, refuted) | {"assumption holds": holds}


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


PARTS = {"family": family}


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
