"""How often each estimator's bound exceeds the truth, at nominal 5 %: python benchmarks/validity.py [--only NAME ...]

Every file of `dpaudit/estimators` that offers `lower_bound` is audited on laws whose epsilon at delta = 1e-5 and
smallest mu are known: in closed form or by summing both densities over a fine grid. Results go to
`reports/benchmarks/validity.json`, one row for each estimator, law and size (rows of earlier calls stay), and
`docs/validity.md` is written from it.

An audit is 500 or 2,000 trials a side. There are 10,000 audits a row, or as many as fit into `--seconds`; each row
says how many. The bound of the betting test exceeds the truth only if a claim at least as weak as the truth is
refuted: counted is how often the true guarantee, as a claim, is refuted at any time up to the last trial, which is
what its bound rests on.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import importlib
import json
import math
import pkgutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, gammaln, kve, ndtri

import dpaudit.estimators
from dpaudit.estimators import conditional_gaussian, one_run, one_run_fdp
from dpaudit.estimators.betting import BettingTest
from dpaudit.privacy import ApproximateDP, GaussianDP

Floats = NDArray[np.float64]
Sample = Callable[[np.random.Generator, int], Floats]

DELTA, ALPHA = 1e-5, 0.05
SIZES = (500, 2000)
CANARIES = (100, 1000)
MOST_AUDITS = 10_000
ROOT = Path(__file__).parent.parent
JSON, MARKDOWN = ROOT / "reports/benchmarks/validity.json", ROOT / "docs/validity.md"
COMMAND = "python benchmarks/validity.py"


@dataclass(frozen=True)
class Law:
    """noise: centred draws, of which D has its own plus `shift`; epsilon at DELTA and the smallest mu of the pair."""

    name: str
    noise: Sample
    shift: float
    epsilon: float
    mu: float

    def scores(self, rng: np.random.Generator, trials: int) -> tuple[Floats, Floats]:
        """Trials on D and on D'."""
        return self.noise(rng, trials) + self.shift, self.noise(rng, trials)


@dataclass(frozen=True)
class RandomisedResponse(Law):
    """One bit, true with probability 1 / (1 + e^-shift)."""

    def scores(self, rng: np.random.Generator, trials: int) -> tuple[Floats, Floats]:
        """Trials on D and on D'."""
        keep = 1 / (1 + math.exp(-self.shift))
        return (rng.random(trials) < keep).astype(np.float64), (rng.random(trials) > keep).astype(np.float64)


def laws() -> tuple[Law, ...]:
    """The laws of the table with their exact privacy."""
    five, twenty = math.sqrt(10.0), math.sqrt(40.0)  # shifts by one standard deviation
    keep = 1 / (1 + math.exp(-1.0))
    student = math.exp(gammaln(5.5) - gammaln(5.0)) / math.sqrt(10 * math.pi)
    gaussian = 0.26805116
    return (
        Law("no signal, Gaussian", lambda r, n: r.normal(size=n), 0.0, 0.0, 0.0),
        location("logistic, shift 1", lambda r, n: r.logistic(size=n), 1.0, lambda x: 0.25 / np.cosh(x / 2) ** 2, 80),
        location("t(10), shift 1", lambda r, n: r.standard_t(10, n), 1.0,
                 lambda x: student * (1 + x * x / 10) ** -5.5, 400),
        location("sum of 5 Laplace", lambda r, n: r.laplace(size=(n, 5)).sum(1), five, lambda x: laplace_sum(x, 5), 80),
        location("sum of 20 Laplace", lambda r, n: r.laplace(size=(n, 20)).sum(1), twenty,
                 lambda x: laplace_sum(x, 20), 120),
        Law("Laplace, epsilon 1", lambda r, n: r.laplace(size=n), 1.0, 1 + 2 * math.log1p(-DELTA),
            2 * float(ndtri(1 - math.exp(-0.5) / 2))),
        RandomisedResponse("randomised response, epsilon 1", lambda r, n: r.normal(size=n), 1.0,
                           math.log((keep - DELTA) / (1 - keep)), 2 * float(ndtri(keep))),
        Law("Gaussian, (1, 1e-5)", lambda r, n: r.normal(size=n), gaussian,
            conditional_gaussian.epsilon_at(gaussian, DELTA), gaussian),
    )  # fmt: skip


def laplace_sum(x: Floats, terms: int) -> Floats:
    """The density of a sum of standard Laplace variables: a Bessel function (variance-gamma law)."""
    order, size = terms - 0.5, np.maximum(np.abs(x), 1e-6)
    logs = order * np.log(size) + np.log(kve(order, size)) - size - gammaln(terms) - order * math.log(2)
    return np.asarray(np.exp(logs) / math.sqrt(math.pi))


def location(name: str, noise: Sample, shift: float, density: Callable[[Floats], Floats], reach: float) -> Law:
    """A shifted density, with its privacy from cell masses, of the most telling tests (Neyman and Pearson 1933)."""
    cells = np.linspace(-reach, reach, 400_001)
    p, q = (mass / mass.sum() for mass in (density(cells - shift), density(cells)))
    low, high = 0.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(p - math.exp(middle) * q, 0).sum() > DELTA else (low, middle)
    order = np.argsort(-p / q, kind="stable")
    true_rate, false_rate = np.cumsum(p[order]), np.cumsum(q[order])
    inside = (np.minimum(false_rate, true_rate) > 1e-9) & (np.maximum(false_rate, true_rate) < 1 - 1e-9)
    return Law(name, noise, shift, high, float((ndtri(true_rate[inside]) - ndtri(false_rate[inside])).max()))


def estimators() -> dict[str, ModuleType]:
    """Every file of `dpaudit/estimators` that offers `lower_bound`, by its file name."""
    names = [module.name for module in pkgutil.iter_modules(dpaudit.estimators.__path__)]
    found = {name: importlib.import_module(f"dpaudit.estimators.{name}") for name in names}
    return {name: module for name, module in found.items() if hasattr(module, "lower_bound")}


def audit(name: str, module: ModuleType, law: Law, trials: int, seed: int) -> tuple[bool, bool, float, float]:
    """Whether the bound on epsilon, and that on mu, exceeds the truth in one audit; and both bounds (betting: NaN)."""
    rng = np.random.default_rng((seed, trials))
    x, y = law.scores(rng, trials)
    if name == "betting":
        test = BettingTest((ApproximateDP(law.epsilon, DELTA), GaussianDP(law.mu)), ALPHA)
        test.update(x, y)
        return bool(test.refuted[0]), bool(test.refuted[1]), math.nan, math.nan
    bound = module.lower_bound(x, y, DELTA, ALPHA, rng)
    slack = 1e-6  # the truths are known to that
    return (
        bound.epsilon_lower > law.epsilon + slack,
        bound.mu_lower > law.mu + slack,
        bound.epsilon_lower,
        bound.mu_lower,
    )


def one_run_audit(name: str, module: ModuleType, law: Law, canaries: int, seed: int) -> tuple[bool, bool, float, float]:
    """The same with one run of `canaries`, each scored by a draw from the side of the law that its coin takes."""
    rng = np.random.default_rng((seed, canaries))
    included = rng.random(canaries) < 0.5
    bound = module.one_run_bound(np.where(included, *law.scores(rng, canaries)), included, DELTA, ALPHA)
    return bound.epsilon_lower > law.epsilon, bound.mu_lower > law.mu, bound.epsilon_lower, bound.mu_lower


def row(name: str, module: ModuleType, law: Law, size: int, most: int, seconds: float) -> dict[str, Any]:
    """The false alarms of one estimator on one law, with 95 % Clopper-Pearson intervals.

    `most` audits, or as many as fit into `seconds`, but at least 200 of them.
    """
    play = one_run_audit if name.startswith("one_run") else audit
    started = time.perf_counter()
    results: list[tuple[bool, bool, float, float]] = []
    while len(results) < most and (time.perf_counter() - started < seconds or len(results) < 200):
        results.append(play(name, module, law, size, len(results)))
    wrong_epsilon, wrong_mu, epsilons, mus = (
        np.array(column, dtype=np.float64) for column in zip(*results, strict=True)
    )
    return {
        "estimator": name, "law": law.name, "size": size, "audits": len(results), "covers": bool(module.COVERS),
        "assumes": module.ASSUMES, "epsilon": law.epsilon, "mu": law.mu,
        "epsilon_exceeded": int(wrong_epsilon.sum()),
        "epsilon_interval": interval(int(wrong_epsilon.sum()), len(results)),
        "mu_exceeded": int(wrong_mu.sum()), "mu_interval": interval(int(wrong_mu.sum()), len(results)),
        "mean_epsilon": _mean(epsilons), "mean_mu": _mean(mus),
    }  # fmt: skip


def interval(count: int, trials: int) -> list[float]:
    """Two-sided 95 % Clopper-Pearson interval."""
    low = float(betaincinv(count, trials - count + 1, 0.025)) if count else 0.0
    high = float(betaincinv(count + 1, trials - count, 0.975)) if count < trials else 1.0
    return [low, high]


def guard_rows(audits: int = 2000) -> list[dict[str, Any]]:
    """How often the guard of the conditional number lets each law through."""
    found = []
    for law in laws():
        for size in SIZES:
            passed = sum(
                conditional_gaussian.guard(*law.scores(np.random.default_rng((seed, size)), size)).passes
                for seed in range(audits)
            )
            found.append({"law": law.name, "size": size, "audits": audits, "passed": passed})
    return found


def _mean(values: Floats) -> float | None:
    return None if np.isnan(values).any() else round(float(values.mean()), 4)


def rows(only: list[str], seconds: float) -> Iterator[dict[str, Any]]:
    """All rows of the estimators named, or of all."""
    modules = {**estimators(), "one_run": one_run, "one_run_fdp": one_run_fdp}
    for name, module in modules.items():
        if only and name not in only:
            continue
        for law in laws():
            for size in CANARIES if name.startswith("one_run") else SIZES:
                yield row(name, module, law, size, MOST_AUDITS, seconds)


def _percent(count: int, audits: int, bounds: list[float]) -> str:
    return f"{100 * count / audits:.2f} [{100 * bounds[0]:.2f}, {100 * bounds[1]:.2f}]"


def markdown(data: dict[str, Any]) -> str:
    """The page `docs/validity.md`."""
    lines = [HEAD.format(command=COMMAND)]
    names = sorted({entry["estimator"] for entry in data["rows"]})
    for name in names:
        own = [entry for entry in data["rows"] if entry["estimator"] == name]
        coverage = "claims coverage" if own[0]["covers"] else "claims no coverage"
        assumes = f", assuming: {own[0]['assumes']}" if own[0]["assumes"] else ""
        unit = "canaries" if name.startswith("one_run") else "trials a side"
        lines += [f"\n## {name}\n", f"It {coverage}{assumes}.\n",
                  f"| law | {unit} | audits | % epsilon too high [95 %] | mean of true | % mu too high [95 %] |",
                  "| --- | --- | --- | --- | --- | --- |"]  # fmt: skip
        for e in own:
            mean = "" if e["mean_epsilon"] is None else f"{e['mean_epsilon']:.2f} of {e['epsilon']:.2f}"
            lines.append(
                f"| {e['law']} | {e['size']} | {e['audits']:,} | "
                f"{_percent(e['epsilon_exceeded'], e['audits'], e['epsilon_interval'])} | {mean} | "
                f"{_percent(e['mu_exceeded'], e['audits'], e['mu_interval'])} |"
            )
    lines += ["\n## The guard of the conditional number\n", "How often it lets a law through.\n",
              "| law | trials a side | audits | % let through |", "| --- | --- | --- | --- |"]  # fmt: skip
    lines += [
        f"| {e['law']} | {e['size']} | {e['audits']:,} | {100 * e['passed'] / e['audits']:.1f} |" for e in data["guard"]
    ]
    return "\n".join(lines) + "\n"


HEAD = """# Are the estimators valid?

An estimator that claims coverage may put its 95 % bound above the truth in at most 5 % of audits, whatever the law of
the scores. This table is that share, measured, with 95 % Clopper-Pearson intervals. It is written by

    {command}

from `reports/benchmarks/validity.json`. The truth is epsilon at delta = 1e-5, and the smallest mu of a mu-GDP
guarantee that holds, for the pair of laws that the scores come from: a law and the same law moved, or a bit and its
opposite. The t law is not log-concave: its most telling test is not a threshold, and its truth is that of the best
test. For betting, the share is that of audits in which the true guarantee, as a claim, is refuted at any time.

The conditional number assumes normal scores. Where they are not, its real error is in its table: it can be anything
up to 100 %, although the guard passes. This is why it decides nothing. The Bayesian bound promises nothing either;
it counts evidence on both sides of the diagonal, so that it is never exactly 0.
"""


def main() -> None:
    """Add or replace rows, and write the page."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="file names of estimators")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each row, at most")
    arguments = parser.parse_args()
    only = arguments.only
    data = json.loads(JSON.read_text(encoding="utf-8")) if JSON.exists() else {"rows": [], "guard": []}
    for new in rows(only, arguments.seconds):
        key = (new["estimator"], new["law"], new["size"])
        data["rows"] = [e for e in data["rows"] if (e["estimator"], e["law"], e["size"]) != key] + [new]
        JSON.write_text(json.dumps(data | {"command": COMMAND}, indent=1) + "\n", encoding="utf-8")
        print(
            new["estimator"],
            new["law"],
            new["size"],
            new["audits"],
            new["epsilon_exceeded"],
            new["mu_exceeded"],
            flush=True,
        )
    data["guard"] = guard_rows() if not only or "conditional_gaussian" in only else data["guard"]
    JSON.write_text(json.dumps(data | {"command": COMMAND}, indent=1) + "\n", encoding="utf-8")
    MARKDOWN.write_text(markdown(data), encoding="utf-8")


if __name__ == "__main__":
    main()
