"""A term is called at most another one only where that holds wherever both have a value."""

from __future__ import annotations

import pytest

from dpaudit.claims.argument.monotone import below, bounded, share
from dpaudit.claims.argument.nodes import as_data
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.terms import relation, term
from dpaudit.records.claim import Statement, integer, real, sequence, vector

X, Y, Q, N = real("x", "(0, oo)"), real("y", "[1, 4]"), real("q", "(0, 1)"), integer("n", "[1, oo)")
ROWS = (sequence("e", "[0, oo)"), sequence("s", "(0, 1]"), real("r", "[0, 1]"), vector("v"))
SYMBOLS = (X, Y, Q, N, *ROWS)


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
        ("-q/x", "-q/(x + y)"),
        ("q**(-n)", "q**(-n - 1)"),
        ("(2 + x)**(-q)", "(1 + x)**(-q)"),
        ("(x + 2)*(y + 2)", "(x + 3)*(y + 3)"),
        ("(2 + x)/(y + 3)", "(3 + x)/(y + 2)"),
        ("r**3", "r**2"),
        ("((2*x - 1)*y)**2", "((2*x + 1)*y)**2"),
        ("abs((2*x - y)/q)", "abs((2*x + y)/q)"),
        ("Phi(-q/sqrt(2*y))", "Phi(-q/sqrt(3*y))"),
        ("sum(k, 2, n, e[k]**2)", "sum(k, 1, n, e[k]**2)"),
        ("sum(k, 1, n - 1, e[k])", "sum(k, 1, n + 1, e[k])"),
        ("-sum(k, 1, n, e[k])", "-sum(k, 2, n, e[k])"),
        ("sum(k, 1, n, -e[k])", "sum(k, 2, n, -e[k])"),
        ("sum(k, 1, n, s[k]**3*e[k])", "sum(k, 1, n, s[k]**2*e[k])"),
        ("sum(k, 1, n, sum(j, 2, n, e[j]*k))", "sum(k, 1, n, sum(j, 1, n, e[j]*k))"),
        ("sum(k, 1, n, x/3**k)", "sum(k, 1, n, x/2**k)"),
        ("sum(k, 1, n, e[k]/(k + 2))", "sum(k, 1, n, e[k]/(k + 1))"),
    ],
)
def test_monotone_changes_are_seen_and_not_the_other_way_round(small, large):
    assert below(term(small), term(large), DOMAIN)
    assert not below(term(large), term(small), DOMAIN)


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("(x - y)*2", "(x - y)*3"),
        ("(x - 5)**2", "(x - 4)**2"),
        ("x**2", "x**3"),
        ("1/(x - 2)", "1/(x - 3)"),
        ("1/(x + 2)", "1/(x - 2)"),
        ("e[n]**2", "e[n]**3"),
        ("sum(k, 2, n, e[k] - 1)", "sum(k, 1, n, e[k] - 1)"),
        ("sum(k, 1, n, k*e[k] - x)", "sum(k, 1, n, k*e[k] + 1 - n - x)"),
        ("sum(k, 1, n, e[k])", "sum(k, 2, n + 1, e[k])"),
        ("sum(k, 1, n, e[k]**2)", "sum(k, 1, n, e[k]**3)"),
        ("sum(k, 2, n, e[k]**2)", "sum(k, 1, n, e[k])"),
        ("sum(k, 1, n, e[k]*(2 - y))", "sum(k, 1, n, e[k]*(3 - y)/3)"),
        ("r**(-1)", "r**(-2)"),
        ("x**3", "x**2"),
        ("(x - y)**2", "x**2"),
        ("(2*x - y)**3", "(x - y)**3"),
        ("abs(x - y)", "abs(x)"),
        ("norm(v)**2", "norm(v)**3"),
        ("sum(k, 1, n, k*sum(j, 1, n, e[j]))", "sum(k, 1, n, k*sum(j, 1, n, e[k]))"),
    ],
)
def test_what_depends_on_a_sign_that_is_not_known_is_not_claimed(small, large):
    assert not below(term(small), term(large), DOMAIN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("log(x)/(1 + y) <= x", "log(x)/(2 + y) <= x"),
        ("log(x)/2 < x", "log(x)/3 < x"),
        ("log(x)/3 <= -q", "log(x)/2 <= -q"),
        ("0 <= log(x)/2", "0 <= log(x)/3"),
        ("-q <= log(x)/2", "-q <= log(x)/3"),
        ("q <= log(x)/3", "q <= log(x)/2"),
        ("(x - 1)*y*2 <= x", "(x - 1)*y*1 <= x"),
    ],
)
def test_a_share_of_a_side_follows_by_the_sign_of_the_other(old, new):
    assert bounded(relation(old), relation(new), DOMAIN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("log(x)/2 <= x", "log(x)/1 <= x"),
        ("log(x)/2 <= -q", "log(x)/3 <= -q"),
        ("log(x)/2 <= x - y", "log(x)/3 <= x - y"),
        ("q <= log(x)/2", "q <= log(x)/3"),
        ("-q <= log(x)/3", "-q <= log(x)/2"),
        ("(x - 1)*2 <= x", "(x - 1)*0 <= x"),
        ("log(x)/(1 + y) <= x", "log(x)/(y - 1) <= x"),
        ("log(x)/2 <= x", "log(x)/3 <= 2*x"),
        ("log(x)/2 <= x", "log(2*x)/2 <= x"),
        ("q <= x*y", "q <= x*x"),
    ],
)
def test_a_share_that_does_not_follow_is_not_claimed(old, new):
    assert not bounded(relation(old), relation(new), DOMAIN)


def test_a_share_is_one_number_over_another():
    assert share(term("x*(q/(y + 1))"), term("x*(q/y)")) == ("y", term("y + 1"))
    assert share(term("x*q"), term("x*(y/2)")) == ("q", term("y/2"))
