"""What got better or worse between two runs, verdict by verdict.

The order, best first: as expected; accepted by a baseline; undecided, weaker than expected or not run; crashed;
refuted, or not refuted where it should be. Among verdicts that stand alike: PROVED, CONSISTENT, INCONCLUSIVE and
NOT_RUN, ERROR, REFUTED; mutants and controls are about the checks, so that there only the first order counts.
A required check that is gone is worse whatever it was; a new one is better if as expected, worse if it is a surprise.
One that is NOT_RUN as expected is no check: what becomes that is gone, and what it becomes is new.
Bounds and evidence that moved are neither: whether a larger epsilon is a better attack or a worse leak, no record says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from dpaudit.records.serial import Json
from dpaudit.records.verdict import GRAVEST_FIRST, ExitCode, Kind, Outcome, Scalar, Verdict, count, exit_code
from dpaudit.runs.differences import Difference, differences
from dpaudit.runs.reading import Run

SAMPLED = ("epsilon_lower_95", "tightness")
"""Lower bounds from trials. Seeds alone moved them by up to a third of the larger value (docs/baseline.md)."""
HALF, NEGLIGIBLE = 0.5, 0.25
"""Such a bound has moved if it did by more than half of the larger value, and that value is not below a quarter."""
POWER = "_at_90"
"""How the names end of what would be caught with probability 0.9. No seed moves it: one in a hundred is a move."""
_GRAVITY = (ExitCode.EXPECTED, ExitCode.INCONCLUSIVE, ExitCode.CRASHED, ExitCode.REFUTED)


class Direction(StrEnum):
    """Which way a verdict went."""

    WORSE = "worse"
    BETTER = "better"
    OTHER = "other"


class What(StrEnum):
    """What changed most about a verdict."""

    OUTCOME = "outcome"
    EXPECTED = "expected"
    ACCEPTED = "accepted"
    GONE = "gone"
    NEW = "new"
    BOUND = "bound"
    EVIDENCE = "evidence"


@dataclass(frozen=True)
class Change:
    """One verdict that is not the same in both runs; before or after is None where a run has no such verdict."""

    direction: Direction
    what: What
    before: Verdict | None
    after: Verdict | None
    differences: tuple[Difference, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The newer of the two."""
        found = self.after or self.before
        assert found is not None
        return found


@dataclass(frozen=True)
class Diff:
    """What differs between two runs: verdicts, worse first, and what the runs were made with; same: verdicts that do
    not differ; counts: of each outcome before and after."""

    changes: tuple[Change, ...]
    context: tuple[Difference, ...]
    same: int
    counts: tuple[tuple[Outcome, int, int], ...]

    @property
    def exit_code(self) -> ExitCode:
        """1 if anything is worse."""
        worse = any(change.direction is Direction.WORSE for change in self.changes)
        return ExitCode.REFUTED if worse else ExitCode.EXPECTED


def diff(before: Run, after: Run, *, ignore_missing: bool = False) -> Diff:
    """Compare two runs; ignore_missing: leave out verdicts that only one of them has."""
    was, now = ({verdict.id: verdict for verdict in run.verdicts} for run in (before, after))
    both = [name for name in was if name in now]
    found = [change for name in both if (change := _changed(was[name], now[name])) is not None]
    if not ignore_missing:
        found += [_gone(was[name]) for name in was if name not in now]
        found += [_new(now[name]) for name in now if name not in was]
    found.sort(key=lambda change: (_DIRECTIONS[change.direction], _WHATS[change.what], change.verdict.id))
    old, new = count(was.values()), count(now.values())
    differing = sum(change.before is not None and change.after is not None for change in found)
    counts = tuple((outcome, old[outcome], new[outcome]) for outcome in Outcome)
    return Diff(tuple(found), tuple(_context(before.header, after.header)), len(both) - differing, counts)


_DIRECTIONS = {direction: place for place, direction in enumerate(Direction)}
_WHATS = {what: place for place, what in enumerate(What)}


def grade(verdict: Verdict) -> tuple[int, bool, int]:
    """Where a verdict stands in the order of this module: less is better."""
    about_checks = verdict.kind in (Kind.MUTANT, Kind.CONTROL)
    weakness = 0 if about_checks else _weakness(verdict.outcome)
    return _GRAVITY.index(exit_code([verdict])), not verdict.as_expected, weakness


def _weakness(outcome: Outcome) -> int:
    """How grave it is; what was not run stands like what could not be decided."""
    return list(reversed(GRAVEST_FIRST)).index(Outcome.INCONCLUSIVE if outcome is Outcome.NOT_RUN else outcome)


def _changed(before: Verdict, after: Verdict) -> Change | None:
    """What changed most between two verdicts of one id; None if nothing did."""
    found = differences(before, after)
    graver = (grade(after) > grade(before)) - (grade(after) < grade(before))
    direction = (Direction.OTHER, Direction.WORSE, Direction.BETTER)[graver]
    if _idle(before) != _idle(after):
        direction = (_new(after) if _idle(before) else _gone(before)).direction
    if before.outcome is not after.outcome:
        return Change(direction, What.OUTCOME, before, after, found)
    if before.expected is not after.expected:
        return Change(direction, What.EXPECTED, before, after, found)
    if before.surprising != after.surprising:
        return Change(direction, What.ACCEPTED, before, after, found)
    if not found:
        return None
    what = What.BOUND if bounds(found) else What.EVIDENCE
    return Change(Direction.OTHER, what, before, after, found)


def bounds(found: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """The lower bounds and powers that moved by more than seeds make them."""
    return tuple(row for row in found if _moved(row.what.rpartition(" ")[2], row.before, row.after))


def _moved(name: str, before: Scalar, after: Scalar) -> bool:
    if name not in SAMPLED and not name.endswith(POWER):
        return False
    if not isinstance(before, (int, float)) or not isinstance(after, (int, float)):
        return True
    if name.endswith(POWER):
        return not math.isclose(before, after, rel_tol=0.01)
    return max(abs(before), abs(after)) >= NEGLIGIBLE and not math.isclose(before, after, rel_tol=HALF)


def _idle(verdict: Verdict) -> bool:
    """Is it no check at all: one that was not run, as expected?"""
    return verdict.outcome is verdict.expected is Outcome.NOT_RUN


def _gone(verdict: Verdict) -> Change:
    required = verdict.expected is not Outcome.NOT_RUN
    return Change(Direction.WORSE if required else Direction.OTHER, What.GONE, verdict, None)


def _new(verdict: Verdict) -> Change:
    if verdict.surprising:
        return Change(Direction.WORSE, What.NEW, None, verdict)
    better = verdict.as_expected and verdict.expected is not Outcome.NOT_RUN
    return Change(Direction.BETTER if better else Direction.OTHER, What.NEW, None, verdict)


def _context(before: Json, after: Json) -> Iterator[Difference]:
    """What the runs were made with and is not the same: settings, versions, source, machine; no times, no places."""
    was, now = (dict(_facts(header)) for header in (before, after))
    for name in [*was, *(name for name in now if name not in was)]:
        if was.get(name) != now.get(name):
            yield Difference(name, was.get(name), now.get(name))


def _facts(header: Json) -> Iterator[tuple[str, Scalar]]:
    yield "finished", "yes" if header.get("finished") and header.get("exit_code") != ExitCode.INTERRUPTED else "no"
    for name in ("command", "level", "seed", "device"):
        yield name, header.get(name)
    budget = header.get("error_budget") or {}
    yield from ((f"error budget {name}", budget.get(name)) for name in ("total", "planned"))
    for name, value in (header.get("versions") or {}).items():
        yield f"version of {name}", value
    yield "source of dpaudit", header.get("source")
    yield from ((f"checkout {name}", value) for name, value in (header.get("checkout") or {}).items())
    yield from ((name, (header.get("hardware") or {}).get(name)) for name in ("system", "machine"))
    for row in header.get("content") or ():
        yield f"{row.get('kind')} of {row.get('folder')}", row.get("digest")
