"""A statement that is refuted by a point: the theorem is that it does not hold of all points."""

from __future__ import annotations

from collections.abc import Mapping

from dpaudit.kernel.domain import Domain
from dpaudit.kernel.scripts import split, then
from dpaudit.kernel.text import NotExported, number
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.terms import number as read_number

SPACES = {1: "line", 2: "plane"}
CONTRARY = {"<=": "Rlt_not_le", "<": "Rle_not_lt"}


def theorem(goal: Goal) -> str:
    """That the statement does not hold."""
    return f"~ ({Domain(goal).statement})"


def script(goal: Goal, point: Mapping[str, str]) -> str:
    """Its proof: the statement at the point, where all that it supposes holds and what it says does not."""
    domain = Domain(goal)
    given, name, contrary = [*_values(domain, point)], "K_1", CONTRARY.get(goal.relation.sign)
    facts = " ".join("_" for _ in domain.hypotheses)
    ending = (
        f"apply {contrary}; at_point" if contrary else "first [apply Rlt_not_eq; at_point | apply Rgt_not_eq; at_point]"
    )
    scripts = ["at_point" for _ in domain.hypotheses]
    last = then(f"revert {name}", ending)
    return then("intro H_1", split(f"unshelve epose proof (H_1 {' '.join(given)} {facts}) as {name}", *scripts, last))


def _values(domain: Domain, point: Mapping[str, str]) -> list[str]:
    kinds = {s.name: s.kind for s in domain.goal.context.symbols}
    given = []
    if domain.vectors:
        sizes = {len(_coordinates(value)) for name, value in point.items() if kinds[name] == "vector"}
        if len(sizes) != 1 or max(sizes) not in SPACES:
            raise NotExported("a point with vectors of more than two coordinates")
        given.append(SPACES[sizes.pop()])
    for name, kind in kinds.items():
        given.append(_value(point[name], kind))
    return given


def _value(written: str, kind: str) -> str:
    if kind == "vector":
        parts = [number(read_number(part)) for part in _coordinates(written)]
        return f"({', '.join(parts)})%R" if len(parts) > 1 else parts[0]
    value = read_number(written)
    return f"({value})%Z" if kind == "integer" else number(value)


def _coordinates(written: str) -> list[str]:
    return [part for part in written.strip()[1:-1].split(",") if part.strip()]
