"""What the arguments of a claim may cite: statements of its own, and those of other claims by their ids.

A cited statement enters a proof as an instance alone, with its ranges and conditions shown. It must be one that is
expected to be proved, and must not rest on what cites it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from pathlib import Path

from dpaudit.content.by_id import claim_of, find_claim
from dpaudit.records.claim import Bound, ByTheorem, Claim, Move, Rewrite, Statement, Step
from dpaudit.records.verdict import Outcome

Item = Claim | Step


def theorems_of(moves: Iterable[object]) -> Iterator[str]:
    """Every theorem or statement that the moves cite, those of inner arguments included, wherever a move holds one."""
    for move in moves:
        if isinstance(move, tuple):
            yield from theorems_of(move)
        elif is_dataclass(move):
            if isinstance(move, ByTheorem):
                yield move.theorem
            elif isinstance(move, Bound | Rewrite) and move.by not in ("", "symbolic"):
                yield move.by
            yield from theorems_of(getattr(move, field.name) for field in fields(move))


def items_of(claim: Claim) -> dict[str, Item]:
    """The claim and its steps by the ids of their verdicts."""
    return {claim.id: claim, **{f"{claim.id}/{step.name}": step for step in claim.steps}}


def statements_in(moves: Iterable[object]) -> set[str]:
    """The ids of the statements that the moves cite."""
    return {name for name in theorems_of(moves) if "/" in name}


def cited_by(item: Item) -> set[str]:
    """The ids of the statements that the arguments of an item, and of its constants, cite."""
    return statements_in((item.argument, *(row.argument for row in item.tightness)))


@dataclass(frozen=True)
class Citations:
    """items: those of a claim and of all claims that it cites, these in turn included, by id; files: where the cited
    ones stand."""

    items: Mapping[str, Item] = field(default_factory=dict)
    files: tuple[Path, ...] = ()

    @cached_property
    def statements(self) -> dict[str, Statement]:
        """What may be cited, by id."""
        return {name: item.statement for name, item in self.items.items() if item.statement is not None}

    def barred(self, name: str, argument: Iterable[Move]) -> dict[str, str]:
        """The statements that the argument cites and that a proof of `name` may not use, and why."""
        of = self.items.get(name) or self.items.get(name.rpartition("~best-")[0])
        allowed = {Outcome.PROVED, *({of.expects} if of is not None and of.expects is Outcome.CONSISTENT else ())}
        found = {}
        for by in statements_in(argument) & set(self.items):
            expects = self.items[by].expects
            if expects not in allowed:
                found[by] = f"{by} is expected to be {expects}, and proves nothing"
            elif name in self.below(by):
                found[by] = f"{by} itself rests on {name}, which is what is to be proved"
        return found

    def below(self, name: str) -> set[str]:
        """The statements that the proof of `name` cites, and those that their proofs cite."""
        found: set[str] = set()
        waiting = [name]
        for one in waiting:
            new = statements_in(self.items[one].argument) - found if one in self.items else set()
            found |= new
            waiting += new
        return found


NONE = Citations()
"""Nothing may be cited."""


def citations_of(claim: Claim, file: Path | None) -> Citations:
    """What the arguments of `claim` cite, as it reads now. file: where the claim stands; None for one made in memory,
    which finds its own statements alone."""
    items, asked, files = items_of(claim), {claim.id}, list[Path]()
    waiting = [(item, file) for item in items.values()]
    for item, near in waiting:
        for name in sorted(set(map(claim_of, cited_by(item))) - asked):
            asked.add(name)
            found = find_claim(name, near) if near is not None else None
            if found is not None:
                files.append(found.path)
                new = items_of(found.record)
                items |= new
                waiting += [(one, found.path) for one in new.values()]
    return Citations(items, tuple(files))
