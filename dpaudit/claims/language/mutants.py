"""False variants of a statement, made by fixed operators; hand-written ones stand in the claim."""

from __future__ import annotations

from collections.abc import Iterator

from dpaudit.claims.language.expression import Expr, Relation, number, parse_relation
from dpaudit.records.claim import Mutant, Statement

LIMIT = 6
"""Most mutants of an identity."""
LIMIT_INEQUALITY = 10
"""Most mutants of an inequality."""


def of(statement: Statement) -> tuple[Mutant, ...]:
    """Mutants of an identity: each integer moved by one, each sum turned into a difference and back."""
    relation = parse_relation(statement.expression)
    if relation.sign != "==" or statement.exists:
        return ()
    made = [Mutant(f"auto-{i + 1}", *text) for i, text in enumerate(_changed(relation))]
    return tuple(made[:LIMIT])


def of_inequality(statement: Statement) -> tuple[Mutant, ...]:
    """Mutants of an inequality: the sides swapped, each condition dropped, integers and exponents moved by
    one, signs flipped. Many only loosen it and are then true: such a survivor is proved, or it is an escape."""
    relation = parse_relation(statement.expression)
    if relation.sign == "==" or statement.exists:
        return ()
    swapped = Relation(relation.right, relation.sign, relation.left)
    made = [Mutant("auto-swapped", "the sides swapped", str(swapped))]
    for i, text in enumerate(statement.conditions):
        rest = (*statement.conditions[:i], *statement.conditions[i + 1 :])
        made.append(Mutant(f"auto-condition-{i + 1}", f"without {text}", conditions=rest))
    made += [Mutant(f"auto-{i + 1}", *text) for i, text in enumerate(_changed(relation))]
    return tuple(made[:LIMIT_INEQUALITY])


def _changed(relation: Relation) -> Iterator[tuple[str, str]]:
    """(what was changed, the changed relation), the right side first."""
    for side in ("right", "left"):
        for changed, change in _variants(getattr(relation, side)):
            sides = {"left": relation.left, "right": relation.right, side: changed}
            yield f"{change}, on the {side}", str(Relation(sides["left"], relation.sign, sides["right"]))


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
