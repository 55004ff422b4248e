"""How often what a verdict prints and decides is wrong: python benchmarks/composed.py [--audits 20000] [--seconds 3600]

The functions are those that make verdicts: `decide.printed_bounds`, which chooses among estimators, and `decide.judge`,
whose decision joins counts and ranks. The laws meet their claim with equality (`worst_laws`). As they are, their scores
have four values, two of them infinite. `no ties`: a uniform variable is added to each score. `some ties`: to all but
one in eight, so that what is printed is now by counts, now by ranks. `heavy tails`: without ties, through the quantile
function of a Cauchy law, up to 1e15.

Not all of the grid is played: at 100 trials a side all pairs of epsilon 0, 0.01, 1, 4, 8 and delta 0, 1e-12, 1e-5,
0.001, 0.1, and at one pair other numbers of trials and other shapes. An audit is numbered, and its number is its seed;
a call adds audits to the rows, in turn, and writes the record after each portion. `mu` rows bound mu by ranks, which is
slow: they have what time allowed.

Spared, since they cannot be wrong: decisions where no threshold at all contradicts the claim and the rank statistic is
too small at 1.2 times the level; of `mu` rows, the search for bounds that cannot exceed the truth (`validity.sparing`).
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from family_wise import least_notable, refuting_counts
from numpy.typing import NDArray
from validity import interval, sparing
from worst_laws import VALUES, worst_law

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit.game import decide
from dpaudit.estimators import nested_guesses, power, rank_test
from dpaudit.estimators.bound import Bound
from dpaudit.estimators.held_out_threshold import HELD_OUT, Scores, split
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Floats = NDArray[np.float64]

LEVELS = (0.05, 1e-3, 1e-6)
SHAPES = ("as it is", "no ties", "some ties", "heavy tails")
PORTION, AUDITS = 500, 20_000
JSON = Path(__file__).parent.parent / "reports/benchmarks/composed.json"
COMMAND = "python benchmarks/composed.py"


@dataclass(frozen=True)
class Cell:
    """A worst law in one of SHAPES, and the numbers of trials."""

    epsilon: float
    delta: float
    positives: int
    negatives: int
    shape: str = "no ties"


@dataclass(frozen=True)
class MuCell:
    """Normal scores a shift `mu` apart, `trials` a side; epsilon at delta 1e-5."""

    mu: float
    trials: int

    @property
    def epsilon(self) -> float:
        """The true one."""
        return gaussian_epsilon(1e-5, self.mu)


CELLS = (
    *(Cell(e, d, 100, 100) for e, d in ((1.0, 1e-5), (1.0, 0.0), (0.0, 1e-5), (1.0, 1e-3))),
    Cell(1.0, 1e-3, 100, 100, "some ties"), Cell(1.0, 1e-3, 20, 100), Cell(1.0, 1e-3, 100, 100, "as it is"),
    *(Cell(e, d, 100, 100) for e, d in ((4.0, 1e-3), (1.0, 0.1), (0.0, 0.1), (4.0, 1e-5), (0.01, 1e-5), (8.0, 1e-5))),
    Cell(1.0, 1e-12, 100, 100), Cell(1.0, 1e-3, 100, 100, "heavy tails"), Cell(1.0, 1e-3, 100, 20),
    *(Cell(1.0, 1e-3, n, n) for n in (20, 50)), Cell(0.0, 0.0, 100, 100), Cell(4.0, 0.1, 100, 100),
    *(Cell(1.0, 1e-3, n, m, shape) for shape in ("no ties", "some ties") for n, m in ((1000, 1000), (100, 1000))),
    *(Cell(e, d, 100, 100) for e, d in ((0.0, 1e-12), (0.0, 1e-3), (0.01, 0.0), (0.01, 1e-12), (0.01, 1e-3))),
    *(Cell(e, d, 100, 100) for e, d in ((0.01, 0.1), (4.0, 0.0), (4.0, 1e-12), (8.0, 0.1), (8.0, 1e-3))),
    *(Cell(8.0, d, 100, 100) for d in (0.0, 1e-12)),
)  # fmt: skip
MU_CELLS = (MuCell(0.0, 200), MuCell(1.0, 200), MuCell(1.0, 1000), MuCell(1.0, 5000))


def scores_of(cell: Cell, rng: np.random.Generator) -> Scores:
    """The scores of one audit, split as a game splits them where no attack was fitted."""
    sides = worst_law(cell.epsilon, cell.delta).scores(rng, cell.positives, cell.negatives)
    found = split(*(_shaped(side, cell.shape, rng) for side in sides))
    return replace(found, unspent=True)


def _shaped(side: Floats, shape: str, rng: np.random.Generator) -> Floats:
    if shape == "as it is":
        return side
    noise = rng.random(len(side))
    if shape == "some ties":
        noise[rng.random(len(side)) < 1 / 8] = 0.5
    levels = (np.searchsorted(VALUES, side) + noise) / len(VALUES)
    return np.tan(np.pi * (np.clip(levels, 1e-15, 1 - 1e-15) - 0.5)) if shape == "heavy tails" else levels


def audit(cell: Cell, number: int) -> list[bool]:
    """Is the printed bound on epsilon too high, and is the true claim refuted at each of LEVELS?"""
    rng = np.random.default_rng([number, cell.positives, cell.negatives, SHAPES.index(cell.shape)])
    scores, target = scores_of(cell, rng), target_of(cell.epsilon, cell.delta)
    printed = decide.printed_bounds(scores, cell.delta, rng, decide.PRINTED_ALPHA)[0]
    claim = target.claim.guarantee
    found = [printed > cell.epsilon + 1e-9]
    p_value = cache(partial(rank_test.split_p_value, scores, claim, rng))  # the same at each level
    with (
        patch.object(decide, "printed_bounds", return_value=(0.0, 0.0)),  # they have no say in the decision, and
        patch.object(power, "smallest_violation", return_value=0.0),  # neither has what it could have shown
        patch.object(rank_test, "split_p_value", lambda *others: p_value()),
    ):
        for alpha in LEVELS:
            found.append(
                within_reach(scores, claim, alpha / 2)
                and decide.judge(target, scores, claim, alpha, rng).decision.refuted
            )
    return found


@cache
def target_of(epsilon: float, delta: float) -> Target:
    """A target with this claim."""
    claim = PrivacyClaim(ApproximateDP(epsilon, delta), Neighbours.ADD_OR_REMOVE, delta, "the benchmark")
    return Target("benchmark/composed", "composed", View.TRANSCRIPT, claim, TrialPlan(100, 100, 100))


def within_reach(scores: Scores, claim: Any, alpha: float) -> bool:
    """False only if neither any threshold nor the rank test can refute at alpha, however ties are broken."""
    sizes = len(scores.positive), len(scores.negative)
    if min(len(scores.held_positive), len(scores.held_negative)) >= HELD_OUT * rank_test.FEW:
        return True  # the held-out trials choose the statistic
    pooled = np.unique(np.concatenate([scores.positive, scores.negative]))
    false, true = (len(side) - np.searchsorted(side, pooled, "left") for side in (scores.negative, scores.positive))
    if refuting_counts(claim, alpha, *sizes)[false, true].any():
        return True
    statistic = rank_test.planned_statistic(claim, *sizes)
    thresholds = scores.negative[sizes[1] - statistic.ranks]
    most = float((sizes[0] - np.searchsorted(scores.positive, thresholds, "left")) @ statistic.gains)
    return most >= least_notable(claim, 1.2 * alpha, *sizes)


def mu_audit(cell: MuCell, number: int) -> list[bool]:
    """Are the printed bounds on epsilon and on mu too high?"""
    rng = np.random.default_rng([number, cell.trials, round(100 * cell.mu)])
    scores = replace(split(rng.normal(cell.mu, 1, cell.trials), rng.normal(0, 1, cell.trials)), unspent=True)
    with patch.object(rank_test, "_ceiling", sparing(cell)):  # type: ignore[arg-type]
        epsilon, mu = decide.printed_bounds(scores, 1e-5, rng, decide.PRINTED_ALPHA)
    return [epsilon > cell.epsilon + 1e-6, mu > cell.mu + 1e-6]


def without_mu() -> Any:
    """No bound by ranks is looked for, and what is computed of guesses at fixed ranks is remembered: it is a function
    of few counts."""
    tails, least = cache(nested_guesses.tail), cache(nested_guesses.thresholds)

    def tail(needed: list[int], guesses: list[int], *others: Any) -> float:
        return float(tails(tuple(needed), tuple(guesses), *others))

    def thresholds(right: list[int], guesses: list[int], alpha: float) -> list[int]:
        return list(least(tuple(right), tuple(guesses), alpha))

    def bound(scores: Scores, delta: float, alpha: float, rng: np.random.Generator) -> Bound:
        assert len(scores.positive) + len(scores.held_positive) <= decide._FEW
        return Bound(0.0, 0.0, (), alpha)

    return patch.multiple(nested_guesses, tail=tail, thresholds=thresholds), patch.multiple(
        rank_test, split_lower_bound=bound
    )


def add(row: dict[str, Any], play: Callable[[Any, int], list[bool]], cell: Any) -> None:
    """One more portion of audits."""
    first = row["audits"]
    found = np.array([play(cell, number) for number in range(first, first + PORTION)])
    row["audits"] += PORTION
    row["wrong"] = [old + int(new) for old, new in zip(row["wrong"], found.sum(axis=0), strict=True)]
    row["intervals"] = [[100 * end for end in interval(count, row["audits"])] for count in row["wrong"]]


def blank(cell: Cell | MuCell) -> dict[str, Any]:
    """A row without audits; wrong: the printed epsilon, then decisions at each level, or the printed mu."""
    kinds = 1 + len(LEVELS) if isinstance(cell, Cell) else 2
    truth = {} if isinstance(cell, Cell) else {"epsilon": cell.epsilon}
    return {**vars(cell), **truth, "audits": 0, "wrong": [0] * kinds, "intervals": []}


def main() -> None:
    """Play on where the file ends, all rows in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--audits", type=int, default=AUDITS, help="of each row, with those of earlier calls")
    parser.add_argument("--seconds", type=float, default=math.inf, help="at most")
    parser.add_argument("--only", choices=("rows", "mu"), default=None)
    options = parser.parse_args()
    kept = json.loads(JSON.read_text(encoding="utf-8")) if JSON.exists() else {"rows": [], "mu": []}
    started = time.perf_counter()
    for kind, cells in (("rows", CELLS), ("mu", MU_CELLS)):
        known = {_key(row): row for row in kept[kind]}
        kept[kind] = [known.get(_key(blank(cell)), blank(cell)) for cell in cells]
    mu_known, rank_bound = without_mu()
    for goal in sorted({min(1_000, options.audits), options.audits}):
        for kind, cells, play in (("rows", CELLS, audit), ("mu", MU_CELLS, mu_audit)):
            for cell, row in zip(cells, kept[kind], strict=True):
                while options.only in (None, kind) and row["audits"] < goal:
                    if time.perf_counter() - started > options.seconds:
                        return
                    if kind == "rows":
                        with mu_known, rank_bound:
                            add(row, play, cell)
                    else:
                        add(row, play, cell)
                    JSON.write_text(json.dumps(kept | {"command": COMMAND}, indent=1) + "\n", encoding="utf-8")
                    print(f"{time.perf_counter() - started:.0f} s", _key(row), row["audits"], row["wrong"], flush=True)


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in ("epsilon", "delta", "positives", "negatives", "shape", "mu", "trials"))


if __name__ == "__main__":
    main()
