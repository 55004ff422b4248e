"""That a value of a parameter is the best one: statements that a claim file can use."""

from __future__ import annotations

from dpaudit.claims.language.expression import names, parse, refuse_name, substitute, symbol
from dpaudit.records.errors import ContentError


def best_choice(parameter: str, value: str, cost: str) -> str:
    """`parameter = value` makes `cost` least: its cost there is at most that of every other value in the range.

    For what is to be largest, the cost is its negative. The statement says nothing of whether `value` is in the range,
    which is a statement of its own, nor that it is the only best one.
    """
    refuse_name(parameter)
    if parameter not in names(parse(cost)):
        raise ContentError(f"every value of {parameter!r} costs the same: {cost!r} does not hang on it")
    if parameter in names(parse(value)):
        raise ContentError(f"the best {parameter!r} is a term in the other symbols, got {value!r}")
    return f"{substitute(parse(cost), {symbol(parameter): parse(value)})} <= {cost}"
