"""Branch and bound proves what is true, leaves open what is not, and reports the worst point."""

import pytest

from dpaudit.claim import Statement, integer, real, vector
from dpaudit.errors import ContentError
from dpaudit.rigorous.boxes import prove, show

R, Q = real("r", "[0, 1]"), real("q", "[0, 1/2]")


def test_one_box_is_enough_for_a_monotone_bound():
    proof = prove(Statement("exp((1 - q)*r**2/2) <= 1.64873", (Q, R)), 10)
    assert proof.proved
    assert proof.boxes == 1
    assert proof.ratio == pytest.approx(0.99999, abs=1e-4)
    assert proof.worst == "q = 0, r = 1"


def test_splitting_resolves_a_dependency():
    proof = prove(Statement("r*(1 - r) <= 0.2501", (R,)), 10_000)
    assert proof.proved
    assert proof.boxes > 1
    assert proof.splits.count("0") == proof.splits.count(".") - 1  # a binary tree


def test_a_false_statement_is_left_open_with_a_reason():
    proof = prove(Statement("r*(1 - r) <= 0.2499", (R,)), 2_000)
    assert not proof.proved
    assert "the goal fails at r = " in proof.reason


def test_equality_inside_is_left_open():
    proof = prove(Statement("2*r*q <= r**2 + q**2", (Q, R)), 500)
    assert not proof.proved


def test_unbounded_and_integer_symbols():
    proof = prove(Statement("(1 + 1/n)**n <= 3", (integer("n", "[1, 60]"),)), 1_000)
    assert proof.proved
    tail = prove(Statement("exp(-x) <= 1 + 1/x", (real("x", "[1/100, oo)"),)), 1_000)
    assert tail.proved


def test_conditions_cut_the_domain():
    statement = Statement("r + 0*q <= 0.51", (R, Q), ("r <= q",))
    assert prove(statement, 200).proved
    assert not prove(Statement("r <= 0.51", (R, Q)), 200).proved


def test_an_integer_box_shrinks_to_single_points():
    assert not prove(Statement("k <= 2", (integer("k", "[1, 3]"),)), 100).proved
    reason = prove(Statement("k <= 2", (integer("k", "[1, 3]"),)), 100).reason
    assert "fails at k = 3" in reason


def test_vectors_must_be_substituted_first():
    with pytest.raises(ContentError, match="substitute scalars"):
        prove(Statement("norm(v) <= 1", (vector("v"),)), 10)


def test_boxes_are_shown_in_words():
    from fractions import Fraction

    assert show({"q": (Fraction(0), Fraction(1, 4)), "x": (Fraction(1), None)}) == "q in [0, 1/4], x in [1, oo]"
