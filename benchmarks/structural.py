"""What the structural checks catch, how often they are wrong, and what they cost.

    python benchmarks/structural.py                        everything, about fifteen minutes on one core
    python benchmarks/structural.py --only bugs checks     parts: bugs, twins, checks (rows of earlier calls stay)

bugs: every planted bug of `audit.planted.dp_sgd` over seeds: how often the check that names it refutes, at 1e-6 a
test, and which others do. twins: correct trainings over 1,000 seeds: how often each check refutes at 0.01 and at 1e-6
a test. checks: milliseconds of each check beside one training, and the limits of detection of the statistical ones.
Results go to `reports/benchmarks/structural.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

from dpaudit.audit.planted import dp_sgd
from dpaudit.audit.planted.dp_sgd import Bug, Plan
from dpaudit.audit.structural import examine as structural
from dpaudit.audit.structural.accounted import sampling_of
from dpaudit.audit.structural.checks import (
    accountant,
    bad_records,
    calls,
    declared_epsilon,
    draws,
    freshness,
    noise_law,
    noise_scale,
    order,
    outputs,
    outside_batch,
    public_values,
    released_values,
    replays,
    sampler,
    sensitivity,
)
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.training import Training
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Outcome

JSON = Path(__file__).parent.parent / "reports" / "benchmarks" / "structural.json"
COMMAND = "python benchmarks/structural.py"
ALPHA, COARSE = 1e-6, 0.01
"""Of one statistical test: in an audit, and for counting false alarms."""

TWINS = {
    "Poisson batches": Plan(),
    "batches of fixed size, replace one": Plan(relation=Neighbours.REPLACE_ONE),
    "two workers": Plan(workers=2),
}
Row = dict[str, Any]


def examine(bug: Bug, settings: Plan, seed: int, alpha: float) -> tuple[Finding, ...]:
    """The findings on one training with its replays."""
    data, neighbour = dp_sgd.neighbours(np.random.default_rng(seed), settings)
    return structural.examine(
        dp_sgd.instrument(bug, settings),
        data,
        [(settings.relation, neighbour)],
        dp_sgd.claim(1.0 if bug is Bug.WRONG_CALIBRATION else 5.0, settings),
        dp_sgd.mechanism(bug, settings),
        seed=seed,
        alpha=alpha,
        assumptions=structural.Assumptions(ordered=settings.workers > 1),
    )


def refuted(task: tuple[Bug, int]) -> list[str]:
    """The checks that refute a training with this bug and seed."""
    bug, seed = task
    return [f.check for f in examine(bug, dp_sgd.plan(bug), seed, ALPHA) if f.outcome is Outcome.REFUTED]


def bug_rows(seeds: int, jobs: int) -> list[Row]:
    """How often each bug is caught by the check that names it, and by others."""
    named = [(bug.check, bug) for bug in dp_sgd.Bug if bug.check]
    rows = []
    with Pool(jobs) as pool:
        for check, bug in named:
            lists = pool.map(refuted, [(bug, seed) for seed in range(seeds)])
            found = Counter(name for listed in lists for name in listed)
            others = {name: count for name, count in sorted(found.items()) if name != check}
            rows.append({"bug": bug.value, "check": check, "caught": found[check], "of": seeds, "others": others})
            print(f"{bug.value:50s} {check:26s} {found[check]:4d} of {seeds}", flush=True)
    return rows


def alarms(task: tuple[str, int]) -> list[tuple[str, str]]:
    """(check, kind) of every false alarm on one correct training; kinds: coarse, fine, inconclusive."""
    name, seed = task
    found = []
    for finding in examine(Bug.NONE, TWINS[name], seed, COARSE):
        numbers = dict(finding.numbers)
        if finding.outcome is Outcome.INCONCLUSIVE:
            found.append((finding.check, "inconclusive"))
        if finding.outcome is Outcome.REFUTED:
            found.append((finding.check, "coarse"))
            if numbers.get("p_value", 0.0) <= numbers.get("alpha", 1.0) * ALPHA / COARSE:
                found.append((finding.check, "fine"))
    return found


def twin_row(name: str, seeds: int, jobs: int) -> Row:
    """False alarms of every check on a correct training, at COARSE and at ALPHA a test."""
    with Pool(jobs) as pool:
        lists = pool.map(alarms, [(name, seed) for seed in range(seeds)], chunksize=10)
    counts = Counter(pair for listed in lists for pair in listed)
    kinds = {f"refuted_at_{COARSE:g}": "coarse", f"refuted_at_{ALPHA:g}": "fine", "inconclusive": "inconclusive"}
    by_kind = {
        label: {check: n for (check, what), n in counts.items() if what == kind} for label, kind in kinds.items()
    }
    print(name, by_kind, flush=True)
    return {"twin": name, "seeds": seeds} | by_kind


def milliseconds(run: Callable[[], object], repeats: int = 15) -> float:
    """The median of repeats after one call that is not counted."""
    run()
    found = []
    for _ in range(repeats):
        started = time.perf_counter()
        run()
        found.append(1e3 * (time.perf_counter() - started))
    return round(statistics.median(found), 3)


def check_rows() -> Row:
    """Milliseconds of each check on what it is given in an audit, of one training, and of all together."""
    settings, training = Plan(), Training(dp_sgd.instrument(), 1, sampled=True)
    data, neighbour = dp_sgd.neighbours(np.random.default_rng(1), settings)
    (base, _), (second, _) = training.record(data), training.record(data, seed=2)
    pairs, same = training.pairs(data, neighbour), ("the same data", base, training.replay(base, data))
    bad, unseen = training.bad_pairs(data, settings.relation)[0], training.unseen_pairs(base, data, settings.relation)
    odd, permuted = training.odd_batches(base, data)[0], training.permuted(base, data)
    mechanism, claim = dp_sgd.mechanism(), dp_sgd.claim()
    sampling = sampling_of(mechanism, dp_sgd.RECORDS)
    both = (*base.batches, *second.batches)
    runs: dict[str, Callable[[], object]] = {
        replays.NAME: lambda: replays.check(same),
        sensitivity.NAME: lambda: sensitivity.check(pairs),
        public_values.NAME: lambda: public_values.check(pairs),
        calls.NAME: lambda: calls.check(pairs),
        outputs.NAME: lambda: outputs.check(pairs),
        draws.NAME: lambda: draws.check([same]),
        bad_records.NAME: lambda: bad_records.check(bad, odd),
        outside_batch.NAME: lambda: outside_batch.check(unseen),
        order.NAME: lambda: order.check(permuted),
        released_values.NAME: lambda: released_values.check(base),
        accountant.NAME: lambda: accountant.check(base, pairs, mechanism),
        noise_scale.NAME: lambda: noise_scale.check(base, ALPHA),
        noise_law.NAME: lambda: noise_law.check(base, ALPHA),
        freshness.NAME: lambda: freshness.check(base, ALPHA, second),
        sampler.NAME: lambda: sampler.check(both, sampling, ALPHA),
    }
    costs = {name: milliseconds(run) for name, run in runs.items()}
    started = time.perf_counter()
    declared_epsilon.check(claim, mechanism)
    costs[f"{declared_epsilon.NAME} (once a claim)"] = round(1e3 * (time.perf_counter() - started), 3)
    whole = {
        "one training": milliseconds(lambda: training.record(data)),
        "all checks and replays": milliseconds(lambda: examine(Bug.NONE, settings, 1, ALPHA), 5),
    }
    print(costs | whole, flush=True)
    return {"milliseconds": costs | whole, "limits": limits()}


def limits() -> list[Row]:
    """What the statistical checks see with probability 0.9 at ALPHA, by noise coordinates and by batches."""
    noise = [
        {
            "coordinates": n,
            "factor_on_the_noise": round(noise_scale.smallest_factor(n / 2, ALPHA), 4),
            "correlation": round(freshness.smallest_correlation(n // 2, ALPHA / freshness.PAIRINGS), 4),
            "distance_of_the_law": round(noise_law.smallest_distance(n, ALPHA), 4),
        }
        for n in (100, 300, 500, 1_000, 10_000, 100_000)
    ]
    poisson = sampler.Sampling("Poisson", 200, 20.0)
    rate = [
        {"batches": t, "factor_on_the_rate": round(sampler.rate_caught(t, poisson, ALPHA / 8) or 0.0, 4)}
        for t in (12, 48, 200, 1_000)
    ]
    return [*noise, *rate]


def main() -> None:
    """Measure the parts that are asked for, and write them."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=("bugs", "twins", "checks"), default=("bugs", "twins", "checks"))
    parser.add_argument("--seeds", type=int, default=1_000, help="of each correct twin")
    parser.add_argument("--bug-seeds", type=int, default=20, help="of each bug")
    parser.add_argument("--twin", nargs="*", choices=tuple(TWINS), default=tuple(TWINS))
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    if "checks" in options.only:
        keep(check_rows())
    if "bugs" in options.only:
        keep({"bugs": bug_rows(options.bug_seeds, options.jobs)})
    for name in options.twin if "twins" in options.only else ():
        row = twin_row(name, options.seeds, options.jobs)
        keep({"twins": [*(other for other in kept().get("twins", []) if other["twin"] != name), row]})


def kept() -> Row:
    """What was written before."""
    return dict(json.loads(JSON.read_text(encoding="utf-8"))) if JSON.exists() else {}


def keep(rows: Row) -> None:
    """Write these rows beside what was written before."""
    JSON.write_text(json.dumps(kept() | rows | {"command": COMMAND}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
