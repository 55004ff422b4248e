"""A row of the table of constants is about its statement, or it is refused."""

import pytest

from dpaudit.claims.constants import refuse_other_form
from dpaudit.records.claim import Outcome, Statement, Step, Tightness, real
from dpaudit.records.errors import ContentError

X = real("x", "[0, 1]")


def refuse(form, printed="2", expression="x*(1 + x) <= 2", **values):
    row = Tightness("height", printed, form, **values)
    refuse_other_form("test/A", Step("s1", "words", Statement(expression, (X,)), tightness=(row,)), row)


@pytest.mark.parametrize(
    ("form", "values"),
    [
        ("x*(1 + x) <= {c}", {}),
        ("x + x**2 <= {c}", {}),  # the same, written otherwise
        ("x*(1 + x) <= {c}", {"printed": "not given"}),
        ("x*(1 + x) <= {c}", {"printed": "7"}),  # a repaired statement has another constant than the paper
        ("x*(1 + x) <= {c}*1", {"printed": "7", "proved": "2"}),
    ],
)
def test_a_form_of_the_statement_is_accepted(form, values):
    refuse(form, **values)


@pytest.mark.parametrize(
    ("form", "expression"),
    [
        ("0 <= {c}", "x*(1 + x) <= 2"),
        ("x*(1 - x) <= {c}", "x*(1 + x) <= 2"),
        ("x*(1 + x) < {c}", "x*(1 + x) <= 2"),
        ("{c} <= x*(1 + x)", "x*(1 + x) <= 2"),
        ("{c}*x <= {c}", "3*x <= 2"),  # no one value gives both
        ("{c} <= 2", "x <= 2"),  # what stands in its place is no constant
    ],
)
def test_a_form_of_something_else_is_refused(form, expression):
    with pytest.raises(ContentError, match="must be its statement at some value"):
        refuse(form, expression=expression)


def test_a_form_without_a_place_is_refused():
    with pytest.raises(ContentError, match="has no place"):
        refuse("x*(1 + x) <= 2")


@pytest.mark.parametrize("outcome", [Outcome.ERROR, Outcome.INCONCLUSIVE])
def test_nobody_expects_a_crash_or_nothing(outcome):
    with pytest.raises(ContentError, match=f"expects {outcome}; a claim or step expects PROVED, REFUTED"):
        Step("s1", "words", None, expects=outcome)
