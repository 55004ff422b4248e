"""Every planted bug is caught by the check that names it; the correct twins raise nothing.

The figures over 1,000 seeds are those of benchmarks/structural.py.
"""

from __future__ import annotations

import numpy as np
import pytest
from depth import DEEP, repeats

from dpaudit.accounting import epsilon as accounting
from dpaudit.audit.planted import dp_sgd
from dpaudit.audit.planted.dp_sgd import Bug, Plan
from dpaudit.audit.structural import examine as structural
from dpaudit.audit.structural.finding import Finding
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
EXPECTED = {bug: bug.check for bug in Bug if bug.check}
TWINS = {
    "Poisson": Plan(),
    "fixed size, replace one": Plan(relation=Neighbours.REPLACE_ONE),
    "two workers": Plan(workers=2),
}


def examine(bug: Bug, settings: Plan, seed: int) -> tuple[Finding, ...]:
    data, neighbour = dp_sgd.neighbours(np.random.default_rng(seed), settings)
    epsilon = 1.0 if bug is Bug.WRONG_CALIBRATION else 5.0
    return structural.examine(
        dp_sgd.instrument(bug, settings),
        data,
        [(settings.relation, neighbour)],
        dp_sgd.claim(epsilon, settings),
        dp_sgd.mechanism(bug, settings),
        seed=seed,
        alpha=ALPHA,
        assumptions=structural.Assumptions(ordered=settings.workers > 1),  # records belong to workers by their number
    )


def refuted(found: tuple[Finding, ...]) -> set[str]:
    return {finding.check for finding in found if finding.outcome is Outcome.REFUTED}


def test_every_bug_has_a_check() -> None:
    assert set(EXPECTED) == set(Bug) - {Bug.NONE}


@pytest.mark.parametrize("bug", sorted(EXPECTED) if DEEP else [Bug.WRONG_CALIBRATION], ids=lambda bug: bug.name)
def test_the_bug_is_caught_by_the_check_that_names_it(bug: Bug) -> None:
    """Those with a target of their own are tried in tests/content/audits/test_known_bad.py, with their cost."""
    found = examine(bug, dp_sgd.plan(bug), seed=1)
    assert EXPECTED[bug] in refuted(found)
    witness = next(f for f in found if f.check == EXPECTED[bug])
    assert witness.numbers, "a refutation has its witness"


@pytest.mark.deep
@pytest.mark.usefixtures("few_data_sets_far_away")
@pytest.mark.parametrize("block", range(repeats(2, 5)))
@pytest.mark.parametrize(("name", "number"), [("Poisson", 6), ("fixed size, replace one", 2), ("two workers", 2)])
def test_the_correct_twins_raise_nothing(name: str, number: int, block: int) -> None:
    """Four statistical checks of 1e-6 each, 20 seeds in all (50 deep): chance refutes one in 12,500 (5,000) times."""
    for seed in range(number * block, number * (block + 1)):
        found = examine(Bug.NONE, TWINS[name], seed)
        assert refuted(found) == set(), seed
        assert not any(f.outcome is Outcome.INCONCLUSIVE for f in found)


def test_the_claim_is_that_of_the_accountant() -> None:
    settings = Plan()
    bounds = accounting.epsilon_bounds(dp_sgd.mechanism(), dp_sgd.DELTA, settings.relation)
    assert 0.99 * dp_sgd.EPSILON < bounds.lower <= bounds.upper <= dp_sgd.EPSILON
