"""False variants of a statement, made by fixed operators; hand-written ones stand in the claim."""

from __future__ import annotations

from collections.abc import Iterator

from dpaudit.claim import Mutant, Statement
from dpaudit.expression import Expr, Relation, number, parse_relation

LIMIT = 6


def of(statement: Statement) -> tuple[Mutant, ...]:
    """Mutants of an identity: each integer moved by one, each sum turned into a difference and back.

    An inequality usually survives such a change (it is then merely less tight), so its
    mutants are written by hand, with the constant that must fail.
    """
    relation = parse_relation(statement.expression)
    if relation.sign != "==":
        return ()
    made: list[Mutant] = []
    for side in ("right", "left"):
        expr = getattr(relation, side)
        for changed, change in _variants(expr):
            sides = {"left": relation.left, "right": relation.right, side: changed}
            new = Relation(sides["left"], "==", sides["right"])
            made.append(Mutant(f"auto-{len(made) + 1}", f"{change}, on the {side}", str(new)))
    return tuple(made[:LIMIT])


def _variants(expr: Expr) -> Iterator[tuple[Expr, str]]:
    if expr.head == "number" and expr.value.denominator == 1 and expr.value != 0:
        yield number(expr.value + 1), f"{expr.value} becomes {expr.value + 1}"
    if expr.head in ("+", "-"):
        other = "-" if expr.head == "+" else "+"
        yield Expr(other, expr.args), f"{expr.head} becomes {other} in {expr}"
    for position, arg in enumerate(expr.args):
        for changed, change in _variants(arg):
            yield (
                Expr(expr.head, (*expr.args[:position], changed, *expr.args[position + 1 :]), expr.value, expr.name),
                change,
            )
