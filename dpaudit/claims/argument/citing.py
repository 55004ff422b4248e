"""A goal that another statement carries: it is an instance of it, or a simple consequence of one.

Ranges and conditions of the cited statement may need a proof of their own, and get one where a combination is enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpaudit.claims.argument import automatic, instances
from dpaudit.recheck import facts
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.proof import Proof, in_range
from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import ONE, ZERO, Refused, Relation, Term, free, replaced, show, term

Node = dict[str, Any]
Values = dict[Term, Term]
"""What stands for the symbols of a cited statement."""


def node(goal: Goal, by: str, at: tuple[tuple[str, str], ...], grounds: Mapping[str, Goal]) -> Node:
    """A proof of the goal by the statement `by`, one of the grounds; Refused, with what is not shown, where none is
    found."""
    values: Values = {name: term(text) for name, text in at}
    instance: Node = {"by": "instance", "of": by, "at": [list(pair) for pair in at]}
    why = _lacks(goal, instance, grounds)
    if not why:
        return instance
    shown = _conditions(goal, grounds[by], values)
    given = goal.given(*(fact for fact, _ in shown))
    found = instance if shown and not _lacks(given, instance, grounds) else None
    found = found or _consequence(given, instance, replaced(grounds[by].relation, values), grounds)
    if found is None:
        fact = given.with_relation(replaced(grounds[by].relation, values))
        raise Refused(f"no instance of {by} is shown: {_lacks(fact, instance, grounds) or why}")
    for fact_, inner in reversed(shown):
        found = {"by": "have", "fact": show(fact_), "inner": inner, "then": found}
    return found


def known(context: Context, given: Relation) -> bool:
    """Is it a condition, an instance of a known inequality, or shown?"""
    return given in context.given or facts.instance(context, given) or context.shown(given)


def _lacks(goal: Goal, instance: Node, grounds: Mapping[str, Goal]) -> str:
    """Why the node does not prove the goal; empty if it does."""
    try:
        Proof(dict(grounds), writing=True).check(goal, instance)
    except Refused as error:
        return str(error)
    return ""


def _conditions(goal: Goal, ground: Goal, values: Values) -> list[tuple[Relation, Node]]:
    """Ranges and conditions of a cited statement that a simple combination shows, each with the node that does."""
    ranges = (one for s in ground.context.symbols for one in in_range(s, values.get(s.name, s.name)))
    found = []
    for one in (*ranges, *(replaced(c, values) for c in ground.context.given)):
        if _of_domain(goal, one) and not known(goal.context, one):
            asked = goal.with_relation(one)
            proved = automatic.proof(asked, instances.proposed(asked), most=1)
            found += [(one, proved)] if proved is not None else []
    return found


def _consequence(goal: Goal, instance: Node, fact: Relation, grounds: Mapping[str, Goal]) -> Node | None:
    """The instance as a fact, from which the goal follows; None where it does not, or where it is no instance."""
    if not _of_domain(goal, fact) or _lacks(goal.with_relation(fact), instance, grounds):
        return None
    given = goal.given(fact)
    then = automatic.accepted(given, _as_factor(goal, fact)) or automatic.proof(given, (fact,), most=1)
    return then and {"by": "have", "fact": show(fact), "inner": instance, "then": then}


def _as_factor(goal: Goal, fact: Relation) -> Node:
    """The fact times what its left side is multiplied by in the goal, where it stands there as a factor."""
    one, none = (replaced(goal.relation, {fact.left: value}) for value in (ONE, ZERO))
    times: Term = ("-", ("-", none.right, none.left), ("-", one.right, one.left))
    return {"by": "combine", "terms": [[show(times), show(fact)]]}


def _of_domain(goal: Goal, given: Relation) -> bool:
    return free(given.left) | free(given.right) <= set(goal.context.by_name)
