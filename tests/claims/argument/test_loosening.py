"""A changed inequality is called weaker only where the original implies it."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.claims.argument.loosening import facts, follows, spared, weaker
from dpaudit.records.claim import Combine, Statement, integer, real, sequence

X, Y, Q, N = real("x", "(0, oo)"), real("y", "[1, 4]"), real("q", "(0, 1)"), integer("n", "[1, oo)")
SYMBOLS = (X, Y, Q, N)


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


def test_a_change_without_a_value_somewhere_does_not_follow():
    original = Statement("q <= 2*x/(n + 1) + 1", SYMBOLS)
    assert not weaker(original, replace(original, expression="q <= 2*x/(n - 1) + 1"), ())
    assert weaker(original, replace(original, expression="q <= 2*x/n + 1"), ())
    below = Statement("log(x + 1) <= x", SYMBOLS)
    assert not weaker(below, replace(below, expression="log(x - 1) <= x"), ())


def test_a_condition_that_the_others_imply_can_be_left_out():
    original = Statement("x <= 3", SYMBOLS, ("x <= 2*q", "n*x <= q", "x <= y"))
    assert spared(original, replace(original, conditions=("n*x <= q", "x <= y")))
    assert not spared(original, replace(original, conditions=("x <= 2*q", "x <= y")))
    assert not spared(original, replace(original, conditions=("n*x <= q", "x <= y"), expression="x <= 2"))
    assert not spared(original, original)
    assert follows(original, replace(original, conditions=("n*x <= q", "x <= y")), ())


def test_a_condition_that_has_no_value_everywhere_is_not_implied():
    original = Statement("x <= 3", SYMBOLS, ("x/(y - 1) <= x/(y - 1)",))
    assert not spared(original, replace(original, conditions=()))


def test_a_condition_at_every_index_is_not_looked_for():
    symbols = (*SYMBOLS, sequence("e", "[0, oo)"))
    original = Statement("x <= 3", symbols, ("all(t, 0, n, 0 <= e[t])",))
    assert not spared(original, replace(original, conditions=()))
