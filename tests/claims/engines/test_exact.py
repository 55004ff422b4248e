"""Exhaustive enumeration in rational arithmetic."""

import pytest

from dpaudit.claims.engines import exact
from dpaudit.claims.language.expression import parse_relation
from dpaudit.records.claim import Statement, integer, real
from dpaudit.records.errors import ContentError

N = integer("n", "[1, 12]")


def test_all_cases_are_visited():
    cases, failing = exact.enumerate_cases(Statement("n*(n + 1)/2 <= n**2", (N, integer("m", "(0, 3)"))))
    assert (cases, failing) == (24, None)


def test_the_first_failing_case_is_named():
    _, failing = exact.enumerate_cases(Statement("2**n <= n**3 + 1", (N,)))
    assert failing is not None
    assert failing["n"] == 10


def test_conditions_leave_cases_out():
    _, failing = exact.enumerate_cases(Statement("n <= 6", (N, integer("k", "[1, 6]")), ("n <= k",)))
    assert failing is None


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (Statement("x <= 1", (real("x", "[0, 1]"),)), "integers with finite ranges"),
        (Statement("n <= n", (integer("n", "[1, oo)"),)), "integers with finite ranges"),
        (Statement("exp(n) <= 3", (N,)), "no rational value"),
        (Statement("n <= n", (integer("n", "[1, 3000]"),)), "more than"),
    ],
)
def test_what_cannot_be_enumerated_is_refused(statement, reason, monkeypatch):
    monkeypatch.setattr(exact, "LIMIT", 2_000)
    with pytest.raises(ContentError, match=reason):
        exact.enumerate_cases(statement)


def test_relations_at_a_point():
    from fractions import Fraction

    point = {"n": Fraction(1, 3)}
    assert exact.holds(parse_relation("3*n == 1"), point)
    assert not exact.holds(parse_relation("3*n < 1"), point)


def test_the_ends_of_a_range_need_not_be_integers():
    for ends in ("(-1/2, 1]", "[-1, 1/2)"):
        _, failing = exact.enumerate_cases(Statement("k**2 == 1", (integer("k", ends),)))
        assert failing == {"k": 0}


@pytest.mark.parametrize(
    "text",
    [
        "sum(k, 0, n, binomial(n, k)) == 2**n",
        "sum(k, 1, n, k**3) == binomial(n + 1, 2)**2",
        "factorial(n) <= n**n",
        "binomial_cdf(n, 2*n, 1/2) >= 1/2",
        "binomial_cdf(floor(n/2), n, 1/3) == sum(k, 0, floor(n/2), binomial(n, k)*(1/3)**k*(2/3)**(n - k))",
        "2**floor(log2(n)) <= n",
        "n <= 2**ceil(log2(n))",
        "ceil(sqrt(n))**2 < n + 2*floor(sqrt(n)) + 1",
    ],
)
def test_tables_of_exact_values(text):
    assert exact.enumerate_cases(Statement(text, (N,))) == (12, None)
