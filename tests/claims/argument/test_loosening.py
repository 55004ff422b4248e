"""A changed inequality is called weaker only where the original implies it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpaudit.claims.argument.loosening import facts, grows, weaker
from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.language.expression import parse
from dpaudit.recheck.goals import read_statement
from dpaudit.records.claim import Combine, Statement, integer, real

X, Y, Q, N = real("x", "(0, oo)"), real("y", "[1, 4]"), real("q", "(0, 1)"), integer("n", "[1, oo)")
SYMBOLS = (X, Y, Q, N)


DOMAIN = read_statement(as_data(Statement("0 <= 1", SYMBOLS))).context


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("3*x + 2", "4*x + 2"),
        ("x - y/2", "x - y/3"),
        ("exp(2*x)", "exp(3*x)"),
        ("log(1 + x)", "log(2 + x)"),
        ("y**2", "y**3"),
        ("q**3", "q**2"),
        ("(1 + x)**n", "(2 + x)**n"),
        ("x/(3 + y)", "x/(2 + y)"),
        ("x - y", "x + y"),
        ("max(x, 2*x)", "max(x, 3*x)"),
        ("sqrt(x)*2", "sqrt(x)*3"),
        ("-3*x", "-2*x"),
    ],
)
def test_monotone_changes_are_seen_and_not_the_other_way_round(small, large):
    assert grows(parse(small), parse(large), DOMAIN)
    assert not grows(parse(large), parse(small), DOMAIN)


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("(x - y)*2", "(x - y)*3"),
        ("(x - 5)**2", "(x - 4)**2"),
        ("x**2", "x**3"),
        ("1/(x - 2)", "1/(x - 3)"),
        ("1/(x + 2)", "1/(x - 2)"),
    ],
)
def test_what_depends_on_a_sign_that_is_not_known_is_not_claimed(small, large):
    assert not grows(parse(small), parse(large), DOMAIN)


def test_a_loosened_statement_follows_and_a_tightened_one_does_not():
    original = Statement("x*q <= 3*x", SYMBOLS)
    assert weaker(original, replace(original, expression="x*q <= 4*x"), ())
    assert weaker(original, replace(original, expression="x*q/2 <= 3*x"), ())
    assert not weaker(original, replace(original, expression="x*q <= 2*x"), ())
    assert not weaker(original, replace(original, expression="x*q/2 <= 4*x"), ())  # both sides changed: not asked
    assert not weaker(original, replace(original, expression="x*q <= 4*x", conditions=("x <= 1",)), ())


def test_an_equation_implies_another_only_where_the_sides_are_equal():
    original = Statement("x*q == y", SYMBOLS, ("x*q == y",))
    assert not weaker(original, replace(original, expression="x*q == 2*y"), ())
    assert not weaker(original, replace(original, expression="x*q/2 == y"), ())
    assert weaker(original, replace(original, expression="x*q == y + 0"), ())


def test_where_the_original_says_nothing_the_change_does_not_follow():
    original = Statement("x <= sqrt(x - 2) + 10**9*x", SYMBOLS)
    assert not weaker(original, replace(original, expression="x <= sqrt(x - 1) + 10**9*x"), ())


def test_the_facts_of_an_argument_are_the_inequalities_that_it_names():
    assert facts((Combine((("1", "x <= y"), ("2", "0 <= 1"))),)) == ("x <= y", "0 <= 1")
