"""Moves that put another relation on the same domain: it is enough to show that one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpaudit.recheck.goals import Goal, read_symbol, refuse_mixed
from dpaudit.recheck.proof import Needs, Node, Proof, in_range, known, rule
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import (
    Refused,
    Relation,
    Term,
    free,
    relation,
    replaced,
    term,
)


def sides(goal: Goal, node: Node) -> tuple[Term, Term]:
    """The new sides of a node, those that it does not name as they were."""
    left = term(node["left"]) if "left" in node else goal.relation.left
    return left, term(node["right"]) if "right" in node else goal.relation.right


@rule
def rewrite(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Sides of the same value, by normal forms, or `inner` proves that old == new."""
    old, new = (goal.relation.left, goal.relation.right), sides(goal, node)
    for a, b in zip(old, new, strict=True):
        if a != b:
            needs.value(b)
            if "inner" in node:
                proof.part(goal.with_relation(Relation(a, "==", b)), node, "inner")
            else:
                needs.equal(a, b)
    if "inner" in node and sum(a != b for a, b in zip(old, new, strict=True)) != 1:
        raise Refused("a rewriting with a proof of its own changes one side")
    proof.part(goal.with_sides(*new), node, "then")


@rule
def bound(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """A larger left side or a smaller right one, as `inner` proves."""
    new = sides(goal, node)
    if goal.relation.sign == "==" or ("left" in node) == ("right" in node):
        raise Refused("a bound changes one side of an inequality")
    pair = (goal.relation.left, new[0]) if "left" in node else (new[1], goal.relation.right)
    needs.value(new[0] if "left" in node else new[1])
    proof.part(goal.with_relation(Relation(pair[0], "<=", pair[1])), node, "inner")
    proof.part(goal.with_sides(*new), node, "then")


@rule
def scale(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Both sides times a positive factor."""
    factor = term(node["factor"])
    needs.positive(factor)
    proof.part(goal.with_sides(("*", factor, goal.relation.left), ("*", factor, goal.relation.right)), node, "then")


@rule
def shift(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """A term added to both sides."""
    more = term(node["term"])
    needs.value(more)
    proof.part(goal.with_sides(("+", more, goal.relation.left), ("+", more, goal.relation.right)), node, "then")


@rule
def logarithm(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """The logarithm of both sides, which are positive."""
    needs.positive(goal.relation.left)
    needs.positive(goal.relation.right)
    proof.part(goal.with_sides(("log", goal.relation.left), ("log", goal.relation.right)), node, "then")


@rule
def power(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """The same power of both sides, which are not negative. The exponent is positive: x**a grows with x >= 0."""
    left, _, right = goal.relation
    exponent = term(node["exponent"])
    if not isinstance(exponent, Fraction):
        needs.positive(exponent)
    elif exponent <= 0:
        raise Refused("both sides are raised to a positive number")
    needs.nonnegative(left)
    needs.nonnegative(right)
    proof.part(goal.with_sides(("**", left, exponent), ("**", right, exponent)), node, "then")


@rule
def subtract(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """A known a <= b: L <= R follows from L - a <= R - b."""
    fact = relation(node["fact"])
    known(needs, fact)
    if goal.relation.sign == "==" and fact.sign != "==":
        raise Refused("an equation follows by equations alone")
    left, right = ("-", goal.relation.left, fact.left), ("-", goal.relation.right, fact.right)
    proof.part(goal.with_sides(left, right), node, "then")


@rule
def have(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """A fact with a proof of its own is one condition more."""
    fact = relation(node["fact"])
    needs.value(fact.left)
    needs.value(fact.right)
    proof.part(goal.with_relation(fact), node, "inner")
    proof.part(goal.given(fact), node, "then")


@rule
def narrow(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Conditions that compare a symbol with a number become part of its range."""
    symbols = tuple(narrowed(s, goal.context.given) for s in goal.context.symbols)
    proof.part(goal.on(symbols, goal.context.given, goal.relation, goal.every), node, "then")


def narrowed(s: Symbol, conditions: tuple[Relation, ...]) -> Symbol:
    """The symbol with the part of its range that meets these conditions."""
    for c in conditions:
        left, strict, right = c.left, c.sign == "<", c.right
        if right == s.name and isinstance(left, Fraction) and (s.low is None or (left, strict) > (s.low, s.low_open)):
            s = replace(s, low=left, low_open=strict)
        if (
            left == s.name
            and isinstance(right, Fraction)
            and (s.high is None or (-right, strict) > (-s.high, s.high_open))
        ):
            s = replace(s, high=right, high_open=strict)
    return s


@rule
def name(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """A term that is one number everywhere stands for a new real symbol, of which conditions alone say something."""
    new, old = read_symbol(node["symbol"]), term(node["term"])
    context = goal.context
    if new.kind != "real" or new.name in context.by_name or free(old) & set(context.gaussians()):
        raise Refused("a term without gaussian symbols gets a name of its own")
    refuse_mixed(old, {s.name: s.kind for s in context.symbols})
    for fact in in_range(new, old):
        needs.relation(fact)
    conditions = tuple(replaced(c, {old: new.name}) for c in context.given)
    relation_ = replaced(goal.relation, {old: new.name})
    # Conditions at every index stay as they are: they say nothing of the new symbol.
    proof.part(goal.on((*context.symbols, new), conditions, relation_, goal.every), node, "then")
