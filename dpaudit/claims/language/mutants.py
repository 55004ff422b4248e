"""False variants of a statement, made by fixed operators; hand-written ones stand in the claim.

A mutant differs from its statement in one place, so that a check which refutes it has seen that place. What differs in
more is a sentence of its own: it may be refuted for any of its differences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dpaudit.claims.language.expression import Every, Expr, Relation, number, parse_condition, parse_relation
from dpaudit.records.claim import Mutant, Statement
from dpaudit.records.errors import ContentError

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


# In how many places a variant differs. ------------------------------------------------------------


def applied(statement: Statement, mutant: Mutant) -> Statement:
    """The statement with the change of the mutant."""
    return replace(
        statement,
        expression=mutant.expression or statement.expression,
        conditions=statement.conditions if mutant.conditions is None else mutant.conditions,
        symbols=statement.symbols if mutant.symbols is None else mutant.symbols,
    )


def refuse_unnamed_sentence(mutant: Mutant, original: Statement, changed: Statement) -> None:
    """ContentError for a mutant whose statement differs in no place, or in several and does not say so."""
    number = places(original, changed)
    if number == 0 or (number > 1 and not mutant.own_sentence):
        raise ContentError(
            f"the mutant {mutant.name!r} differs from its statement in {number} places; change one, or say that it is "
            "a sentence of its own (own_sentence=True), which must be refuted too and is not counted"
        )


def places(original: Statement, changed: Statement) -> int:
    """In how many places two statements differ: of the relation, of the conditions, and symbols with their ranges.

    A place is a part of a term that is another one, an operand that is left out or added, the sign of a relation, or a
    condition.
    """
    lost, new = _unlike(original.conditions, changed.conditions)
    conditions = _between(lost[0], new[0]) if len(lost) == len(new) == 1 else max(len(lost), len(new))
    symbols = max(map(len, _unlike(list(map(str, original.symbols)), list(map(str, changed.symbols)))))
    return _between(original.expression, changed.expression) + conditions + symbols


def _unlike(before: Sequence[str], after: Sequence[str]) -> tuple[list[str], list[str]]:
    """What only one of the two lists has."""
    was, now = Counter(before), Counter(after)
    return list((was - now).elements()), list((now - was).elements())


def _between(original: str, changed: str) -> int:
    """In how many places two relations differ; two sides that are exchanged are one."""
    was, now = parse_condition(original), parse_condition(changed)
    if isinstance(was, Every) and isinstance(now, Every) and was.variable == now.variable:
        return _apart(was.low, now.low) + _apart(was.high, now.high) + _between(str(was.relation), str(now.relation))
    if isinstance(was, Every) or isinstance(now, Every):
        return 1
    pairs = [(_folded(a), _folded(b)) for a, b in ((was.left, now.left), (was.right, now.right))]
    (left, new_left), (right, new_right) = pairs
    if was.sign == now.sign and (left, right) == (new_right, new_left) and left != right:
        return 1
    return (was.sign != now.sign) + sum(_apart(*pair) for pair in pairs)


def _apart(one: Expr, other: Expr) -> int:
    if one == other:
        return 0
    if other in one.args or one in other.args:
        return 1
    if one.head == other.head and one.args and len(one.args) == len(other.args):
        return sum(map(_apart, one.args, other.args))
    return 1


def _folded(expr: Expr) -> Expr:
    """With numbers such as 5/4 and -1 as one number each."""
    args = tuple(map(_folded, expr.args))
    values = [arg.value for arg in args if arg.head == "number"]
    if expr.head == "/" and len(values) == 2 and values[1]:
        return number(values[0] / values[1])
    return number(-values[0]) if expr.head == "neg" and values else Expr(expr.head, args, expr.value, expr.name)
