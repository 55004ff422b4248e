"""The structural tier: one training recorded, replayed on neighbours, and held against properties that it must have.

    recorded with own seeds   noise scale, law and freshness; sampler; released values; global random state
    replayed on its own data  the control: a difference there is randomness that was not frozen, and no replay counts
    replayed on neighbours    sensitivity, public values, noisy calls, un-noised outputs, draws, accountant
    replayed far away         public values, noisy calls, un-noised outputs
    replayed on odd data      bad records, records outside the batch, order of the records

About sixty trainings, most of them replays, and up to eight more recordings where noise and batches are few; some
hundred and fifty more where what everybody sees is another one far away. A check refutes by a witness; deterministic
ones have no false alarms, statistical ones have the probability `alpha` each, and `planned_tests` says how many there
will be before any data is seen.

Data are an array whose first axis is the records, or a tuple of such arrays. Record ids are positions.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from dpaudit.audit.alignment.sites import described
from dpaudit.audit.structural import checks
from dpaudit.audit.structural.checks import accountant, bad_records, calls, public_values, replays, sensitivity
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.handed import of_another_batch
from dpaudit.audit.structural.moved_by_noise import settled
from dpaudit.audit.structural.observed import SALTS, UNSETTLED_READS, Observed
from dpaudit.audit.structural.processed import Made, explained
from dpaudit.audit.structural.training import Instrument
from dpaudit.content.audits import Data
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import Neighbours, PrivacyClaim
from dpaudit.records.verdict import Evidence, Outcome

__all__ = ["every_check", "evidence", "examine", "planned_tests"]

ENGINE = "structural"
USUAL = Assumptions()


class Check(Protocol):
    """What a module of `dpaudit.audit.structural.checks` has; that package's docstring says what each is."""

    NAME: str
    FALSE_ALARM: str
    PLACE: int
    REPLAYS: bool
    SPLIT: bool
    EXCEPTION: str

    def examine(self, seen: Observed) -> Finding:
        """The finding on what was observed of one training."""


class Statistical(Check, Protocol):
    """A check whose FALSE_ALARM is "alpha"."""

    def tests(self, mechanism: Mechanism | None, assumptions: Assumptions) -> int:
        """How many shares of the error budget it takes at most."""


@cache
def every_check() -> tuple[Check, ...]:
    """The modules of the folder of checks, in the order of their places."""
    names = (found.name for found in pkgutil.iter_modules(checks.__path__, f"{checks.__name__}."))
    return tuple(
        sorted((cast(Check, import_module(name)) for name in names), key=lambda check: (check.PLACE, check.NAME))
    )


def planned_tests(mechanism: Mechanism | None = None, assumptions: Assumptions = USUAL) -> int:
    """How many statistical tests `examine` makes at most; each needs a share of the error budget."""
    statistical = (check for check in every_check() if check.FALSE_ALARM == "alpha")
    return sum(cast(Statistical, check).tests(mechanism, assumptions) for check in statistical)


def examine(
    instrument: Instrument,
    data: Data,
    neighbours: Sequence[tuple[Neighbours, Data]],
    claim: PrivacyClaim,
    mechanism: Mechanism | None = None,
    *,
    seed: int,
    alpha: float,
    assumptions: Assumptions = USUAL,
    at_work: Callable[[str], None] = lambda on: None,
    left_out: Sequence[str] = (),
) -> tuple[Finding, ...]:
    """One finding of every check, in a fixed order; those that could see nothing are NOT_RUN and say why.

    neighbours: data sets that differ from `data` in one record, with their relation, beside the natural one of the
    claim; pairs of another relation than the claim's are left out. mechanism: what is claimed to be run, for the
    accountant. alpha: false-alarm probability of each statistical test. at_work: told which check is made. left_out:
    names of checks that are not made. Whatever the training raises on `data` itself is raised.
    """
    listed = [neighbour for relation, neighbour in neighbours if relation is claim.neighbours]
    seen = Observed(instrument, data, listed, claim, mechanism, assumptions, seed, alpha)
    reason = "replays on the same data do not repeat: randomness is not frozen"
    found: list[Finding] = []
    for check in every_check():
        at_work(f"structural check: {check.NAME}")
        if check.NAME in left_out:
            found.append(Finding(check.NAME, Outcome.NOT_RUN, "left out by --select or --ignore"))
            continue
        stopped = check.REPLAYS and found[0].outcome is not Outcome.CONSISTENT
        found.append(Finding(check.NAME, Outcome.NOT_RUN, reason) if stopped else _examined(check, seen))
    made = zip(found, every_check(), strict=True)
    told = explained([Made(finding, one.SPLIT, one.REPLAYS, one.examine) for finding, one in made], seen)
    return tuple(settled(told, [one.examine for one in every_check()], seen))


def _examined(check: Check, seen: Observed) -> Finding:
    """The check's finding; INCONCLUSIVE where a refutation rests on replays whose other draws, or whose reads that are
    no batch, may explain it."""
    try:
        finding = check.examine(seen)
    except Exception as error:
        if check.NAME == replays.NAME or not of_another_batch(error):
            raise
        return Finding(check.NAME, Outcome.INCONCLUSIVE, str(error))
    if finding.outcome is not Outcome.REFUTED or not check.REPLAYS:
        return finding
    if check.NAME in OF_MOVES and seen.shadows:
        alone = [check.examine(seen.shadowed(one)) for one in seen.shadows]
        if all(one.outcome is not Outcome.REFUTED for one in alone):
            return replace(alone[0], detail=f"{alone[0].detail}; {_SHADOWED}")
    if seen.idle and check.NAME not in (calls.NAME, public_values.NAME):  # they are the same whatever is read
        return Finding(check.NAME, Outcome.INCONCLUSIVE, f"{finding.detail}; {UNSETTLED_READS}")
    if not (sites := seen.misaligned()):
        return finding
    again = check.examine(seen.aligned())
    if again.outcome is Outcome.REFUTED:
        return again
    if not seen.hangs_on(sites):
        return finding
    if check.NAME == calls.NAME and seen.calls_apart(sites):
        return replace(finding, detail=f"{finding.detail}; {_ANY_DRAWS}")
    other = f"the replay cannot draw the random numbers of the recording ({described(sites)})"
    detail = f"{finding.detail}; but {other}, and the statistics hang on them; {_SETTLED}"
    return Finding(check.NAME, Outcome.INCONCLUSIVE, detail)


OF_MOVES = (sensitivity.NAME, accountant.NAME, bad_records.NAME)
"""Checks in which the record joins every batch."""
_SHADOWED = "the record joined the batches of one other record at a time, since none was in all of them"
_ANY_DRAWS = (
    f"so it is for {SALTS} different draws of what cannot be aligned, which by chance is below 2^-{2 * SALTS - 1}"
)
_SETTLED = (
    "to settle it: draw one row or one number for every record of the batch with functions of torch, numpy.random, "
    "random or jax.random, and what is the same for all records from a generator of its own, seeded for each step"
)


def evidence(findings: Sequence[Finding]) -> tuple[Evidence, ...]:
    """The findings as evidence of the engine "structural", in the same order."""
    return tuple(Evidence(ENGINE, f.outcome, f"{f.check}: {f.detail}", f.numbers) for f in findings)
