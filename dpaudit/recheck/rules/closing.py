"""Moves that settle a goal, or split it into cases."""

from __future__ import annotations

import math
from itertools import product

from dpaudit.recheck import lacking
from dpaudit.recheck.boxes import Boxes, whole_range
from dpaudit.recheck.goals import SEQUENCES, Goal
from dpaudit.recheck.points import Point
from dpaudit.recheck.proof import Needs, Node, Proof, known, rule
from dpaudit.recheck.terms import (
    Refused,
    Relation,
    Term,
    free,
    relation,
    show,
    term,
)

MOST_CASES = 100_000
"""Cases that are counted over integers."""


@rule
def identical(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Both sides are one value."""
    if goal.relation.sign == "<":
        raise Refused("equal sides are not less than each other")
    needs.equal(goal.relation.left, goal.relation.right)


@rule
def combine(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """right - left, times a positive factor, is a sum of products of nonnegative factors and known inequalities, and of
    what is shown not to be negative."""
    left, sign, right = goal.relation
    times = term(node.get("times", "1"))
    needs.positive(times)
    total: Term = ("*", times, ("-", right, left))
    kinds = set()
    for factor, *texts in node["terms"]:
        product_, kind = _product(needs, term(factor), list(map(relation, texts)))
        total = ("-", total, product_)
        kinds.add(kind)
    if not goal.context.zero(total):
        rest = goal.context.sign(total)
        if sign == "==" or rest is None:
            more = lacking.difference(goal.context, total)
            raise Refused(f"the combination does not add up to right - left of {show(goal.relation)}: {more} is left")
        needs.listed.append(f"{show(total)} is {'positive' if rest == 1 else 'not negative'}")
        kinds.add("<" if rest == 1 else "<=")
    if (sign == "==" and kinds != {"=="}) or (sign == "<" and "<" not in kinds):
        raise Refused(f"the combination does not prove {sign}")


def _product(needs: Needs, factor: Term, relations: list[Relation]) -> tuple[Term, str]:
    """A factor times the slacks of known relations, and its sign: == for 0, < for positive, <= for not negative."""
    product_ = factor
    for given in relations:
        known(needs, given)
        product_ = ("*", product_, ("-", given.right, given.left))
    if any(given.sign == "==" for given in relations):
        needs.value(factor)
        return product_, "=="
    needs.nonnegative(factor)
    strict = all(given.sign == "<" for given in relations) and needs.goal.context.positive(factor)
    return product_, "<" if strict else "<="


@rule
def positive(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """right - left is shown to have its sign."""
    slack = ("-", goal.relation.right, goal.relation.left)
    found = goal.context.sign(slack)
    if goal.relation.sign == "==" or found is None or (goal.relation.sign == "<" and found == 0):
        left = lacking.difference(goal.context, slack)
        raise Refused(f"the sign of right - left of {show(goal.relation)} is not shown: that of {left}")


@rule
def boxes(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Every box of a split tree is enclosed."""
    splits, panels = node["splits"], node.get("panels", 1)
    if not isinstance(splits, str) or type(panels) is not int or not 1 <= panels <= 10_000:
        raise Refused("splits is a text, and panels a whole number from 1 to 10000")
    if goal.relation.sign == "==":
        raise Refused("boxes prove an inequality")
    named = free(goal.relation.left) | free(goal.relation.right)
    symbols = tuple(s for s in goal.context.symbols if s.name in named)
    if any(s.kind in SEQUENCES for s in symbols):
        raise Refused("a sequence has no box: what stands at an index may get a name of its own")
    proof.boxes += Boxes(goal.relation, goal.context.given, symbols, panels).check(splits.split())


@rule
def enumerate_(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Every combination of integers, each by exact numbers."""
    symbols = goal.context.symbols
    if any(s.kind != "integer" or s.low is None or s.high is None for s in symbols):
        raise Refused("cases are counted over integers with two ends")
    spans = [
        range(int(low), int(high) + 1)
        for low, high in map(whole_range, symbols)
        if low is not None and high is not None
    ]
    if math.prod(max(span.stop - span.start, 0) for span in spans) > MOST_CASES:
        raise Refused(f"more than {MOST_CASES} cases")
    if not all(spans):
        raise Refused("there is no case")
    for values in product(*spans):
        at = Point(goal.context, {s.name: str(v) for s, v in zip(symbols, values, strict=True)})
        if (
            at.inside()
            and all(at.holds(c) is not False for c in goal.context.given)
            and at.holds(goal.relation) is not True
        ):
            raise Refused(f"the case {values} is not shown")


@rule
def exhibit(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """A point that meets every condition and the relation."""
    at = Point(goal.context, dict(node["point"]))
    met = (*map(at.holds, (*goal.context.given, goal.relation)), *map(at.holds_at_every, goal.every))
    if not goal.exists or not at.inside() or not all(met):
        raise Refused("the point does not meet the conditions and the relation for certain")


@rule
def theorem(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """The goal is taken from a named theorem of the literature. What has an id, with a slash, is another statement,
    which enters as an instance."""
    if not isinstance(node.get("theorem"), str) or not node["theorem"]:
        raise Refused("a theorem has a name")
    if "/" in node["theorem"]:
        raise Refused(f"{node['theorem']} is a statement and no named theorem: a goal is shown to be an instance of it")
    proof.assume(node["theorem"])


@rule
def solvers(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Two solvers say that there is no counter-example; nothing is checked here."""
    proof.solvers += 1


@rule
def cases(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Conditions that cover the domain, the last one all the rest."""
    seen: list[Relation] = []
    parts = node["parts"]
    if not parts or parts[-1]["case"] != "otherwise":
        raise Refused("the last case is `otherwise`, so that the cases cover the domain")
    for part in parts:
        if part["case"] == "otherwise":
            extra = [Relation(c.right, "<=", c.left) for c in seen]
        else:
            extra = [relation(part["case"])]
            if extra[0].sign == "==":
                raise Refused("the complement of an equation is no condition")
            needs.value(extra[0].left)
            needs.value(extra[0].right)
            seen += extra
        proof.part(goal.given(*extra), part, "proof")
