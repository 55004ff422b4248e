"""Does a row of the table of constants speak of its statement? Its form must be the statement at some value."""

from __future__ import annotations

from collections.abc import Iterator

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.language.expression import Expr, names, parse, parse_relation, symbol
from dpaudit.recheck.goals import read_statement
from dpaudit.records.claim import Claim, Statement, Step, Tightness
from dpaudit.records.errors import ContentError

PLACE = "constant_in_its_place"


def refuse_other_form(name: str, item: Claim | Step, row: Tightness) -> None:
    """ContentError for a form without a place for the constant, or that is another statement whatever the constant is.

    The value is the printed one, or in a repaired statement another one.
    """
    if "{c}" not in row.form:
        raise ContentError(f"the form of the constant {row.name!r} of {name} has no place {{c}} for its value")
    if item.statement is None:
        raise ContentError(f"{name} has a constant {row.name!r} and no statement")
    if not any(_is_statement(row, item.statement, value) for value in _values(row, item.statement)):
        raise ContentError(
            f"the form of the constant {row.name!r} of {name} must be its statement at some value: {row.form} is not "
            f"{item.statement.expression}"
        )


def _values(row: Tightness, statement: Statement) -> Iterator[str]:
    """The values that the row names, then those that stand in the place of the constant in the statement."""
    yield from (value for value in (row.printed, row.proved, row.refuted) if value)
    form, stated = parse_relation(row.form.replace("{c}", f"({PLACE})")), parse_relation(statement.expression)
    found = {*_in_place(form.left, stated.left), *_in_place(form.right, stated.right)}
    yield from (str(value) for value in found if not names(value))


def _in_place(form: Expr, stated: Expr) -> Iterator[Expr]:
    if form == symbol(PLACE):
        yield stated
    elif form.head == stated.head and len(form.args) == len(stated.args):
        for one, other in zip(form.args, stated.args, strict=True):
            yield from _in_place(one, other)


def _is_statement(row: Tightness, statement: Statement, value: str) -> bool:
    try:
        parse(value)
    except ContentError:  # in words, such as "not given"
        return False
    there, stated = (read_statement(as_data(one)) for one in (row.with_value(statement, value), statement))
    if there.relation.sign != stated.relation.sign:
        return False
    pairs = zip((there.relation.left, there.relation.right), (stated.relation.left, stated.relation.right), strict=True)
    return all(stated.context.equal(a, b) for a, b in pairs)
