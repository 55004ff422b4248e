"""What comes before the moves of a step of an induction: conditions at every index are read at the one that is new,
sums are taken apart, and each gets a name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpaudit.recheck.goals import Goal
from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import ONE, Relation, Term, free, replaced, show, substitute

Node = dict[str, Any]


def first_steps(goal: Goal, name: str) -> list[Node]:
    """What comes before the moves of a step of an induction over `name`: each condition at every index at the one that
    is new, sums that end at n + 1 are split, an equation is shown by its increments, each sum gets a name."""
    before = goal.context.given[-1]
    steps, facts = _new_indices(goal, name)
    sides = [_unfolded(side, name, goal.context) for side in (before.left, before.right)]
    made, named = Relation(sides[0], before.sign, sides[1]), (*facts, *goal.context.given)
    if made != goal.relation:
        old = (goal.relation.left, goal.relation.right)
        changed = {at: show(new) for at, was, new in zip(("left", "right"), old, sides, strict=True) if was != new}
        steps.append({"by": "rewrite", **changed})
    if before.sign == "==":
        steps.append({"by": "subtract", "fact": show(before)})
        made, named = Relation(("-", sides[0], before.left), "==", ("-", sides[1], before.right)), named[:-1]
    for i, total in enumerate(dict.fromkeys(_sums((made, *named), goal.context))):
        steps.append({"by": "name", "symbol": [f"sum_{i + 1}", "real", "(-oo, oo)"], "term": show(total)})
    return steps


def _new_indices(goal: Goal, name: str) -> tuple[list[Node], list[Relation]]:
    """Nodes that read each condition at every index at the last index where that hangs on n, and what they say."""
    steps: list[Node] = []
    facts = []
    for i, one in enumerate(goal.every):
        if name in free(one.high):
            index = goal.context.forms.node(goal.context.forms.form(one.high))
            steps.append({"by": "at-index", "of": i, "index": show(index)})
            facts.append(replaced(one.relation, {one.variable: index}))
    return steps, facts


def _unfolded(node: Term, name: str, context: Context) -> Term:
    """A term at n + 1, with sums that end at n + 1 split into the sum to n and the last term."""
    after: dict[Term, Term] = {name: ("+", name, ONE)}
    match node:
        case ("sum", index, low, high, body) if free(high) == {name} and name not in free(low) | free(body):
            if context.equal(("-", substitute(high, after), high), ONE):
                return "+", node, substitute(body, {index: ("+", high, ONE)})
    if not isinstance(node, tuple) or not any(name in free(arg) for arg in node[1:] if not isinstance(arg, str)):
        return substitute(node, after)
    if node[0] in ("sum", "integral"):
        return node[0], node[1], *(_unfolded(arg, name, context) for arg in node[2:])
    return node[0], *(_unfolded(arg, name, context) for arg in node[1:])


def _sums(relations: tuple[Relation, ...], context: Context) -> Iterator[Term]:
    """The sums that are one number each: none with a gaussian symbol, or with the variable of a sum around it."""
    unfixed = set(context.gaussians())
    for given in relations:
        for side in (given.left, given.right):
            yield from _collected(side, unfixed)


def _collected(node: Term, unfixed: set[str]) -> Iterator[Term]:
    if isinstance(node, tuple):
        if node[0] == "sum" and not unfixed & free(node):
            yield node
            return
        inner = unfixed | {node[1]} if node[0] in ("sum", "integral") else unfixed
        for arg in node[1:]:
            yield from _collected(arg, inner)
