"""Engine `exact`: every case of finitely many integers, in rational arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, floor

from dpaudit.claims.language.expression import Relation, bound, parse_statement, rational
from dpaudit.records.claim import Statement, SymbolKind
from dpaudit.records.errors import ContentError

LIMIT = 2_000_000


def enumerate_cases(statement: Statement) -> tuple[int, dict[str, Fraction] | None]:
    """Check every combination of the integer symbols that meets the conditions.

    Returns the number of cases and the first that fails, or None. ContentError if a
    symbol is not an integer with a finite range or an expression is not rational.
    """
    goal, conditions = parse_statement(statement)
    axes = []
    for s in statement.symbols:
        low, high = bound(s.lower), bound(s.upper)
        if s.kind is not SymbolKind.INTEGER or low is None or high is None:
            raise ContentError(
                f"Enumerate() needs integers with finite ranges, {s.name} is {s.kind} in {s.lower}..{s.upper}"
            )
        first = floor(low) + 1 if s.lower_open else ceil(low)
        last = ceil(high) - 1 if s.upper_open else floor(high)
        axes.append(range(first, last + 1))
    cases = 0
    for values in product(*axes):
        case = dict(zip((s.name for s in statement.symbols), map(Fraction, values), strict=True))
        cases += 1
        if cases > LIMIT:
            raise ContentError(f"more than {LIMIT} cases: narrow the ranges or use Boxes()")
        if not all(holds(c, case) for c in conditions):
            continue
        if not holds(goal, case):
            return cases, case
    return cases, None


def holds(relation: Relation, values: dict[str, Fraction]) -> bool:
    """The truth of `relation` at exact values."""
    left, right = rational(relation.left, values), rational(relation.right, values)
    return {"<=": left <= right, "<": left < right, "==": left == right}[relation.sign]
