"""One item of the plan of a run."""

from __future__ import annotations

from dataclasses import dataclass

from dpaudit.records.context import Level
from dpaudit.records.target import Target
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs.settings import Part


@dataclass(frozen=True)
class Task:
    """One item of the plan, plain data that a worker process can be handed.

    title, kind, expected: of the verdict that stands in when the engine gives none; tests:
    statistical tests of the item; error: why its file could not be loaded; missing: all
    that it lacks is an optional package; optional: it is not required where a package is missing;
    target: of an audit, as it was when its tests were counted; begins: the level at which it is played first, where the
    run is below it and does not name it; again: the command that repeats its verdicts alone; error_share: of the error
    budget, what all items of its file share, None where the file sets none; cited: the files of the claims that a claim
    cites, and that these cite in turn; gives: of a claim file that did not come with dpaudit, the ids that its verdicts
    may have, without those of mutants by fixed operators.
    """

    part: Part
    name: str
    path: str
    title: str
    kind: Kind
    expected: Outcome
    tests: int = 0
    needs: tuple[tuple[str, str], ...] = ()
    error: str = ""
    missing: bool = False
    optional: bool = False
    target: Target | None = None
    begins: Level | None = None
    again: str = ""
    error_share: float | None = None
    cited: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
