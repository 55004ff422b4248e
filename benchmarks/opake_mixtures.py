"""Do the amplified accountants of opake 0.16.1 cover the truth, in few steps? python benchmarks/opake_mixtures.py

`DPAUDIT_OPAKE_PYTHON` names a Python that has it. Results go to `reports/benchmarks/opake_mixtures.json`.

A record that takes part by chance makes the release of a matrix mechanism a mixture of Gaussians, one for every pattern
of participations (Choquette-Choo et al. 2024, lemma 3.2; Dong, Ganesh 2026, section 5). In few steps all patterns are
listed; delta is then the mean of (1 - exp(epsilon - loss))+ over draws of the release, in both directions, with the
likelihood ratio of the whole mixture. The matrix, and what is sampled, are read off the library; how often each step
has the record, and the noise, are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from dpaudit.content.loading import load_module

Floats = NDArray[np.float64]

ROOT = Path(__file__).parent.parent
JSON = ROOT / "reports" / "benchmarks" / "opake_mixtures.json"
TARGETS = load_module(ROOT / "audits" / "third_party" / "opake" / "accountants.py")
SEED, DRAWS, BATCH = 20251129, 2_000_000, 100_000
EPSILONS = (0.25, 0.5, 1.0, 2.0)
ERRORS = 5
"""A stated delta is too small where it is more standard errors below: with probability below 3e-7 a row by chance."""


MIXTURES: tuple[tuple[str, str, dict[str, Any], float, int, float], ...] = (
    ("b_min_sep", "band_mf_strategy", {"bands": 1}, 1.0, 4, 0.3),
    ("b_min_sep", "band_mf_strategy", {"bands": 2}, 1.0, 4, 0.25),
    ("b_min_sep", "band_mf_strategy", {"bands": 2}, 1.0, 6, 0.1),
    ("b_min_sep", "band_mf_strategy", {"bands": 3}, 1.0, 6, 0.2),
    *(
        ("balls_in_bins", name, options, 2.0, 2 * bins, bins)
        for bins in (2, 3)
        for name, options in (
            ("identity_strategy", {}),
            ("bsr_strategy", {"bandwidth": 2, "alpha": 1.0, "beta": 0.0}),
            ("bisr_strategy", {"bandwidth": 2}),
            ("blt_strategy", {}),
            ("lambda_cgd_strategy", {"lambda_": 0.5}),
        )
    ),
)
"""Amplification, strategy and its options, noise multiplier, steps, rate or number of bins."""


def separated_patterns(steps: int, bands: int, chance: float) -> dict[tuple[int, ...], float]:
    """Every pattern of participations of b-min-sep sampling with its probability; Dong, Ganesh (2026), algorithm 2.

    A record waits for 0 steps with probability 1/(1 + (bands - 1) chance), else for 1 to bands - 1 of them alike.
    """
    found: dict[tuple[int, ...], float] = {}

    def go(wait: int, weight: float, pattern: tuple[int, ...]) -> None:
        if len(pattern) == steps:
            found[pattern] = found.get(pattern, 0.0) + weight
        elif wait:
            go(wait - 1, weight, (*pattern, 0))
        else:
            go(bands - 1, weight * chance, (*pattern, 1))
            go(0, weight * (1 - chance), (*pattern, 0))

    total = 1 + (bands - 1) * chance
    for wait in range(bands):
        go(wait, (chance if wait else 1.0) / total, ())
    return found


def mixture_deltas(means: Floats, weights: Floats, noise: float, seed: int) -> list[tuple[float, float]]:
    """delta at each of EPSILONS, and its standard error: of the mixture of N(mean, noise^2 I) and N(0, noise^2 I).

    The larger of both directions, by DRAWS draws each; means: (patterns, steps).
    """
    rng, sums = np.random.default_rng(seed), np.zeros((2, len(EPSILONS), 2))
    for _ in range(DRAWS // BATCH):
        chosen = rng.choice(len(means), size=BATCH, p=weights)
        noises = noise * rng.normal(size=(BATCH, means.shape[1]))
        for side, outputs in enumerate((noises + means[chosen], noises)):
            logs = outputs @ means.T / noise**2 - (means**2).sum(1) / (2 * noise**2)
            losses = (1 - 2 * side) * logsumexp(logs, b=weights, axis=1)
            parts = np.maximum(0.0, -np.expm1(np.minimum(0.0, np.array(EPSILONS)[:, None] - losses)))
            sums[side] += np.stack([parts.sum(1), (parts**2).sum(1)], axis=1)
    first, second = sums[..., 0] / DRAWS, sums[..., 1] / DRAWS
    errors = np.sqrt(np.maximum(0.0, second - first**2) / DRAWS)
    side = first.argmax(axis=0)
    return [(float(first[s, e]), float(errors[s, e])) for e, s in enumerate(side)]


def mixtures() -> Iterator[dict[str, Any]]:
    """Rows of amplified mechanisms."""
    for number, (kind, strategy, options, noise, steps, size) in enumerate(MIXTURES):
        found = TARGETS.asked("mixtures")({
            "kind": kind, "strategy": strategy, "options": options, "noise": noise, "steps": steps, "size": size,
            "epsilons": EPSILONS,
        })  # fmt: skip
        if kind == "b_min_sep":
            patterns = separated_patterns(steps, options["bands"], found["probability"])
        else:
            bins = range(int(size))
            patterns = {tuple(int(step % size == place) for step in range(steps)): 1 / size for place in bins}
        means = np.array(list(patterns)) @ np.array(found["matrix"]).T
        true = mixture_deltas(means, np.array(list(patterns.values())), noise, SEED + number)
        for epsilon, stated, (delta, error) in zip(EPSILONS, found["deltas"], true, strict=True):
            yield {
                "kind": kind, "strategy": strategy, "steps": steps, "size": size, "noise": noise, "epsilon": epsilon,
                "stated": stated, "delta": delta, "error": error, "too_small": bool(stated < delta - ERRORS * error),
            }  # fmt: skip


def main() -> None:
    """Play all and write the record."""
    rows = []
    for row in mixtures():
        rows.append(row)
        print(row, flush=True)
    record = {"how": "python benchmarks/opake_mixtures.py; opake 0.16.1", "draws": DRAWS, "rows": rows}
    JSON.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
