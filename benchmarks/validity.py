"""How often each estimator's bound exceeds the truth, at nominal 5 %: python benchmarks/validity.py [--only NAME ...]

Every file of `dpaudit/estimators` that offers `lower_bound` is audited on laws whose epsilon at delta = 1e-5 and
smallest mu are known: in closed form or by summing both densities over a fine grid. Results go to
`reports/benchmarks/validity.json`, one row for each estimator, law and size, and `docs/validity.md` is written from it.

An audit is 500 or 2,000 trials a side. A row is 10,000 audits, numbered: the number is the seed. A call adds the audits
that its rows lack, or as many as fit into `--seconds` a row; each row says how many it has.

The bounds of `betting` and `joint_binomial` are inversions of a test that takes long to invert. They can exceed the
truth only if that test refutes the true guarantee as a claim; that is counted in their place (for betting at any time
up to the last trial), which is never less often. The band of `simultaneous_band` simulates a critical value that
depends on nothing but the sizes; here audits share it in groups of 100, which widens the true intervals by about 3 %.
From the 51st audit on, `rank_test` is spared the search for its bound where the truth has too large a tail probability
for the bound to exceed it; means of its bounds are over the first audits.

`p_values`: 1,000 p-values of the rank test for each of some claims that are kept exactly, and whether small ones are
too many.
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
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import composed_tables
import numpy as np
import promises
from numpy.typing import NDArray
from scipy.special import betaincinv
from score_laws import DELTA, Law, laws

import dpaudit.estimators
from dpaudit.estimators import conditional_gaussian, joint_binomial, one_run, one_run_fdp, rank_test, simultaneous_band
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.clopper_pearson import witnessed_epsilon, witnessed_mu
from dpaudit.estimators.curves import Curve, GaussianCurve, curve_of
from dpaudit.estimators.least_favourable import StepStatistic, tail_probability
from dpaudit.estimators.uniformity import too_many_below, uniformity
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

Floats = NDArray[np.float64]

ALPHA = 0.05
SIZES = (500, 2000)
CANARIES = (100, 1000)
AUDITS = 10_000
SHARING = 100
"""Audits with one critical value of the simultaneous band."""
FULL = 50
"""Audits whose bound is always computed."""
SLACK = 1e-6
"""The truths are known to that."""
P_VALUES, P_VALUE_SIZES = 1_000, (500,)
ROOT = Path(__file__).parent.parent
JSON, MARKDOWN = ROOT / "reports/benchmarks/validity.json", ROOT / "docs/validity.md"
COMMAND = "python benchmarks/validity.py"


def estimators() -> dict[str, ModuleType]:
    """Every file of `dpaudit/estimators` that offers `lower_bound`, by its file name."""
    names = [module.name for module in pkgutil.iter_modules(dpaudit.estimators.__path__)]
    found = {name: importlib.import_module(f"dpaudit.estimators.{name}") for name in names}
    return {name: module for name, module in found.items() if hasattr(module, "lower_bound")}


def audit(name: str, module: ModuleType, law: Law, trials: int, seed: int) -> tuple[bool, bool, float, float]:
    """Whether the bound on epsilon, and that on mu, exceeds the truth in one audit; and both bounds, or NaN."""
    rng = np.random.default_rng((seed, trials))
    x, y = law.scores(rng, trials)
    if name in REFUTE_THE_TRUTH:
        return *REFUTE_THE_TRUTH[name](law, x, y), math.nan, math.nan
    spared = name == "rank_test" and seed >= FULL
    with patch.object(rank_test, "_ceiling", sparing(law)) if spared else nullcontext():
        bound = module.lower_bound(x, y, DELTA, ALPHA, rng)
    epsilon, mu = bound.epsilon_lower, bound.mu_lower
    if spared:
        return epsilon > law.epsilon + SLACK, mu > law.mu + SLACK, math.nan, math.nan
    return epsilon > law.epsilon + SLACK, mu > law.mu + SLACK, epsilon, mu


def sparing(law: Law) -> Callable[..., float]:
    """In place of `rank_test._ceiling`: 0, so that no bound is looked for, where it cannot exceed the truth.

    It can only if the statistic has a tail probability of at most ALPHA under the truth; 3,000 draws tell that from
    1.3 ALPHA by five standard errors.
    """
    ceiling = rank_test._ceiling

    def spared(statistic: StepStatistic, observed: float, family: Callable[[float], Curve]) -> float:
        truth = family(law.mu if family is GaussianCurve else law.epsilon)
        tail = tail_probability(statistic, observed, truth, np.random.default_rng(0), simulations=3_000)
        return 0.0 if tail > 1.3 * ALPHA else ceiling(statistic, observed, family)

    return spared


def betting_refutes(law: Law, x: Floats, y: Floats) -> tuple[bool, bool]:
    """Whether betting refutes the true epsilon, and the true mu, at any time."""
    test = BettingTest((ApproximateDP(law.epsilon, DELTA), GaussianDP(law.mu)), ALPHA)
    test.update(x, y)
    return bool(test.refuted[0]), bool(test.refuted[1])


def joint_binomial_refutes(law: Law, x: Floats, y: Floats) -> tuple[bool, bool]:
    """Whether the tests that `joint_binomial.lower_bound` inverts refute the truth, to the precision of their maximum.

    The p-value at the observed false positive rate alone, which is at most the p-value, spares most of the maxima.
    """
    found = []
    level = ALPHA * (1 + joint_binomial._PRECISION)
    for objective, family, truth in (
        (lambda f, t: witnessed_epsilon(f, t, DELTA), lambda e: curve_of(ApproximateDP(e, DELTA)), law.epsilon),
        (witnessed_mu, GaussianCurve, law.mu),
    ):
        test, curve = joint_binomial._chosen(x, y, objective, ALPHA, family), family(truth + SLACK)
        rate = test.point.false_positive_rate
        at_rate = test.tail(rate, float(curve.value(np.array([rate]))[0]))
        found.append(at_rate <= level and test.highest_tail(curve, ALPHA * joint_binomial._CONFINED) <= level)
    return found[0], found[1]


REFUTE_THE_TRUTH = {"betting": betting_refutes, "joint_binomial": joint_binomial_refutes}


def shared(simulated: Callable[..., float]) -> Callable[..., float]:
    """The simulated critical value of the simultaneous band, one for each group of audits of the same sizes."""
    kept: dict[tuple[int, int], tuple[int, float]] = {}

    def local_error(positives: int, negatives: int, *others: Any) -> float:
        uses, value = kept.get((positives, negatives), (0, math.nan))
        value = value if uses % SHARING else simulated(positives, negatives, *others)
        kept[positives, negatives] = uses + 1, value
        return value

    return local_error


def one_run_audit(name: str, module: ModuleType, law: Law, canaries: int, seed: int) -> tuple[bool, bool, float, float]:
    """The same with one run of `canaries`, each scored by a draw from the side of the law that its coin takes."""
    rng = np.random.default_rng((seed, canaries))
    included = rng.random(canaries) < 0.5
    bound = module.one_run_bound(np.where(included, *law.scores(rng, canaries)), included, DELTA, ALPHA)
    return bound.epsilon_lower > law.epsilon, bound.mu_lower > law.mu, bound.epsilon_lower, bound.mu_lower


def row(name: str, module: ModuleType, law: Law, size: int, numbers: range, seconds: float) -> dict[str, Any]:
    """The false alarms of one estimator on one law: audits with these numbers, until `seconds` have passed."""
    play = one_run_audit if name.startswith("one_run") else audit
    started = time.perf_counter()
    results: list[tuple[bool, bool, float, float]] = []
    for number in numbers:
        results.append(play(name, module, law, size, number))
        if time.perf_counter() - started > seconds:
            break
    wrong_epsilon, wrong_mu, epsilons, mus = (
        np.array(column, dtype=np.float64) for column in zip(*results, strict=True)
    )
    return {
        "estimator": name, "law": law.name, "size": size, "audits": len(results), "covers": bool(module.COVERS),
        "assumes": module.ASSUMES, "epsilon": law.epsilon, "mu": law.mu,
        "epsilon_exceeded": int(wrong_epsilon.sum()), "mu_exceeded": int(wrong_mu.sum()),
        "mean_of": int((~np.isnan(epsilons)).sum()), "mean_epsilon": _mean(epsilons), "mean_mu": _mean(mus),
    }  # fmt: skip


def together(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """One row of the audits of both."""
    sums = {key: old[key] + new[key] for key in ("audits", "epsilon_exceeded", "mu_exceeded")}
    known = [row for row in (old, new) if row["mean_epsilon"] is not None]
    numbers = [row.get("mean_of", row["audits"]) for row in known]
    means = {
        key: round(float(np.average([row[key] for row in known], weights=numbers)), 5) if known else None
        for key in ("mean_epsilon", "mean_mu")
    }
    return new | sums | {"mean_of": sum(numbers)} | means


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


def p_value_rows() -> list[dict[str, Any]]:
    """p-values of the rank test under claims that are kept exactly: too many small ones?, and their shares by level."""
    known = {law.name: law for law in laws()}
    nulls: list[tuple[str, str, Guarantee]] = [
        ("no signal, Gaussian", "epsilon 0, delta 1e-5", ApproximateDP(0.0, DELTA)),
        ("randomised response, epsilon 1", "epsilon 1", ApproximateDP(1.0, 0.0)),
        ("Laplace, epsilon 1", "epsilon 1", ApproximateDP(1.0, 0.0)),
        ("Gaussian, (1, 1e-5)", "its curve", GaussianDP(known["Gaussian, (1, 1e-5)"].mu)),
    ]
    return [
        p_value_row(known[name], label, claim, size) for name, label, claim in nulls for size in P_VALUE_SIZES
    ]  # fmt: skip


def p_value_row(law: Law, label: str, claim: Guarantee, size: int) -> dict[str, Any]:
    """The shares are of p-values at or below 0.01, 0.02, ..., 1."""
    values = []
    for seed in range(P_VALUES):
        rng = np.random.default_rng((seed, size, 1))
        values.append(rank_test.p_value(*law.scores(rng, size), claim, rng))
    found = uniformity(values)
    levels = np.arange(1, 101) / 100
    return {
        "law": law.name, "claim": label, "size": size, "repeats": P_VALUES, "excess": round(found.excess, 5),
        "uniformity_p_value": found.p_value, "too_many_below_0.05": too_many_below(values, 0.05),
        "shares": np.round(np.searchsorted(found.values, levels, "right") / P_VALUES, 4).tolist(),
    }  # fmt: skip


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return round(float(known.mean()), 5) if len(known) else None


def rows(only: list[str], sizes: list[int], audits: int, seconds: float, data: dict[str, Any]) -> Iterator[None]:
    """Add to all rows of the estimators named, or of all; `data` is up to date at each step."""
    for name, module in {**estimators(), "one_run": one_run, "one_run_fdp": one_run_fdp}.items():
        if only and name not in only:
            continue
        for law in laws():
            for size in CANARIES if name.startswith("one_run") else SIZES:
                if sizes and size not in sizes:
                    continue
                key = (name, law.name, size)
                olds = [e for e in data["rows"] if (e["estimator"], e["law"], e["size"]) == key]
                first = olds[0]["audits"] if olds else 0
                if first < audits:
                    new = row(name, module, law, size, range(first, audits), seconds)
                    others = [e for e in data["rows"] if e not in olds]
                    data["rows"] = [*others, together(olds[0], new) if olds else new]
                    yield


def _percent(count: int, audits: int) -> str:
    low, high = interval(count, audits)
    return f"{100 * count / audits:.2f} [{100 * low:.2f}, {100 * high:.2f}]"


def markdown(data: dict[str, Any]) -> str:
    """The page `docs/validity.md`."""
    top = HEAD.format(command=COMMAND, promises=promises.markdown(), composed=composed_tables.markdown())
    lines, order = [top], [law.name for law in laws()]
    names = sorted({entry["estimator"] for entry in data["rows"]})
    for name in names:
        own = [entry for entry in data["rows"] if entry["estimator"] == name]
        own.sort(key=lambda e: (order.index(e["law"]), e["size"]))
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
                f"{_percent(e['epsilon_exceeded'], e['audits'])} | {mean} | {_percent(e['mu_exceeded'], e['audits'])} |"
            )
    lines += [P_VALUES_HEAD, "| law | claim | trials a side | largest excess | its p-value | % at or below 0.05 |",
              "| --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    lines += [
        f"| {e['law']} | {e['claim']} | {e['size']} | {e['excess']:.4f} | {e['uniformity_p_value']:.2g} | "
        f"{100 * e['shares'][4]:.1f} |"
        for e in data.get("p_values", [])
    ]
    lines += ["\n## The guard of the conditional number\n", "How often the guard accepts a distribution.\n",
              "| law | trials a side | audits | % accepted |", "| --- | --- | --- | --- |"]  # fmt: skip
    lines += [
        f"| {e['law']} | {e['size']} | {e['audits']:,} | {100 * e['passed'] / e['audits']:.1f} |" for e in data["guard"]
    ]
    return "\n".join(lines) + "\n"


HEAD = """# Are the numbers valid?

{promises}{composed}
## Estimators, each on its own

An estimator that claims coverage may put its 95 % bound above the truth in at most 5 % of audits, whatever the
distribution of the scores. The tables below have the measured share, with 95 % Clopper-Pearson intervals. The page is
written by

    {command}

from `reports/benchmarks/validity.json`. The truth is epsilon at delta = 1e-5, and the smallest mu for which mu-GDP
holds, for the pair of distributions that the scores come from: a distribution and the same distribution shifted, or a
bit and its opposite. The t distribution is not log-concave, so its best test is not a threshold; its truth is that of
the best test. For betting and the joint binomial test, the share is that of the audits which refute the true
guarantee when it is claimed (for betting: at any time). Whenever the bound is wrong, this guarantee is refuted. Each
row has 10,000 audits where time allowed. Where an audit is slow, a row has fewer audits, and the interval is wider.

The conditional number assumes normal scores. Where they are not normal, its table shows its real error. This error
can be anything up to 100 %, although the [guard](glossary.md#guard) accepts the scores. This is why the conditional
number decides nothing. The Bayesian bound promises nothing either; it counts evidence on both sides of the diagonal,
so it is never exactly 0.

**Guesses at fixed ranks** (`nested_guesses`) bound epsilon where a side has at most 4,000 trials, held-out ones
included, and the scores have no atoms. They assume nothing about the scores. About the trials they assume only that
all are independent, within a side and across sides. They hold out no trial. They use held-out trials that chose
nothing: all but the few in which ties were looked for. Coins that are tossed after the trials were run choose which
trials take part. The ranks of all scores together choose which trials are guessed. Only the coins know the sides. The
three numbers of guesses follow from the number of trials alone. The p-value is the exact probability, under the worst
distribution that (epsilon, delta)-DP admits, that any of the three numbers of guesses does as well; nothing is
simulated and nothing is asymptotic. At delta = 0 this distribution is randomised response, so the row of randomised
response, and that of Laplace noise, are near 5 % and not far below it. These guesses bound no mu (that bound is by
ranks), so the column for mu says nothing about them.
"""


P_VALUES_HEAD = f"""
## p-values of claims that hold exactly

{P_VALUES:,} p-values of the rank test for each claim. Under a claim that holds, a p-value may be stochastically
larger than a uniform variable, not smaller. The excess is the largest amount by which the share of p-values at or
below a level exceeds that level (one-sided Kolmogorov test, Birnbaum and Tingey 1951). Shares at all levels are in
the JSON file.
"""


def main() -> None:
    """Add to the rows, and write the page."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="file names of estimators; also: guard, p_values")
    parser.add_argument("--sizes", nargs="*", type=int, default=[], help="of trials or canaries; all if none is given")
    parser.add_argument("--audits", type=int, default=AUDITS, help="of each row, with those of earlier calls")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each row, at most")
    parser.add_argument("--afresh", action="store_true", help="forget the rows of these estimators first")
    options = parser.parse_args()
    simultaneous_band._local_error = shared(simultaneous_band._local_error)
    data = json.loads(JSON.read_text(encoding="utf-8")) if JSON.exists() else {"rows": [], "guard": []}
    if options.afresh:
        data["rows"] = [e for e in data["rows"] if options.only and e["estimator"] not in options.only]
    for _ in rows(options.only, options.sizes, options.audits, options.seconds, data):
        keep(data)
        new = data["rows"][-1]
        print(
            *(new[key] for key in ("estimator", "law", "size", "audits", "epsilon_exceeded", "mu_exceeded")), flush=True
        )
    if not options.only or "guard" in options.only:
        data["guard"] = guard_rows()
    if not options.only or "p_values" in options.only:
        data["p_values"] = p_value_rows()
    keep(data)
    MARKDOWN.write_text(markdown(data), encoding="utf-8")


def keep(data: dict[str, Any]) -> None:
    """Write the figures."""
    JSON.write_text(json.dumps(data | {"command": COMMAND}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
