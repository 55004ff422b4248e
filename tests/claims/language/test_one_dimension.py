"""Statements about vectors as statements about numbers, and their points as points of vectors."""

from __future__ import annotations

from dpaudit.claims.engines.rigorous.witness import certify
from dpaudit.claims.language.one_dimension import with_numbers, with_vectors
from dpaudit.records.claim import Statement, real, sequence, vector, vector_sequence

V, ROWS, E, X = vector("v"), vector_sequence("g"), sequence("e", "[0, oo)"), real("x", "[0, 1]")
GIVEN = ("norm(v) <= x", "all(t, 0, 1, norm(g[t] - v) <= 1)")
STATEMENT = Statement("dot(v, g[1]) + e[0] <= x", (V, ROWS, E, X), GIVEN)


def test_vectors_become_numbers_norms_absolute_values_and_dot_products_products():
    plain = with_numbers(STATEMENT)
    assert plain.expression == "v * g[1] + e[0] <= x"
    assert plain.conditions == ("abs(v) <= x", "all(t, 0, 1, abs(g[t] - v) <= 1)")
    assert [s.kind.value for s in plain.symbols] == ["real", "sequence", "sequence", "real"]
    assert [(s.lower, s.upper) for s in plain.symbols] == [("-oo", "oo"), ("-oo", "oo"), ("0", "oo"), ("0", "1")]


def test_a_point_of_numbers_is_one_of_vectors():
    point = (("v", "1/2"), ("g", "[-1/3, 3/2]"), ("e", "[0, 1]"), ("x", "1/2"))
    made = with_vectors(STATEMENT, point)
    assert made == (("v", "(1/2,)"), ("g", "[(-1/3,), (3/2,)]"), ("e", "[0, 1]"), ("x", "1/2"))
    assert certify(with_numbers(STATEMENT), point)
    assert certify(STATEMENT, made)


def test_a_statement_without_vectors_is_left_as_it_is():
    plain = Statement("x <= 1", (X,))
    assert with_numbers(plain) is plain
