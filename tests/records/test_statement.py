"""Symbols and their ranges, as claim files write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.claims.argument.proof import tried
from dpaudit.records.claim import Identical
from dpaudit.records.errors import ContentError
from dpaudit.records.statement import (
    Statement,
    SymbolKind,
    Unit,
    gaussian,
    homogeneous,
    integer,
    real,
    sequence,
    vector,
    vector_sequence,
)


@given(st.sampled_from("[("), st.integers(-9, 9), st.integers(-9, 9), st.sampled_from("])"))
def test_a_range_is_read_as_written(left: str, low: int, high: int, right: str) -> None:
    symbol = real("x", f"{left}{low}, {high}{right}")
    assert (symbol.lower, symbol.upper) == (str(low), str(high))
    assert (symbol.lower_open, symbol.upper_open) == (left == "(", right == ")")


@pytest.mark.parametrize("text", ["0, 1", "[0; 1]", "[0, 1, 2]", "", "]0, 1["])
def test_a_wrong_range_is_named(text: str) -> None:
    with pytest.raises(ContentError, match="the range of p must look like"):
        real("p", text)


def test_kinds_of_symbols() -> None:
    assert integer("n", "[1, oo)").kind is SymbolKind.INTEGER
    assert vector("v").kind is SymbolKind.VECTOR
    assert gaussian("z", "sigma").scale == "sigma"
    assert real("x").lower == "-oo"


def test_a_statement_reads_like_the_lemma() -> None:
    symbols = (real("p", "[2, oo)"), integer("k", "(0, 3]"), vector("v"), gaussian("xi", "2*p"))
    text = str(Statement("E(exp(dot(v, xi))) <= p*k", symbols, ("norm(v) <= 1",)))
    expected = "for all p in [2, oo); k integer in (0, 3]; v a vector; xi ~ N(0, (2*p)^2 I) with norm(v) <= 1: "
    assert text == expected + "E(exp(dot(v, xi))) <= p*k"


L, R_, EPS = real("L", "(0, oo)"), real("R", "(0, oo)"), real("eps", "(0, oo)")
UNITS = {"L": (1, -1), "R": (0, 1)}


@pytest.mark.parametrize(
    ("relation", "same"),
    [
        ("L*R <= 2*sqrt(L**2*R**2)", True),
        ("L*R*eps == 3*L*R", True),
        ("L*R >= 2*L*R", True),
        ("L*R > L*R/2", True),
        ("L**2*R <= L*R", False),  # a lost square
        ("L*R + R <= L*R", False),
        ("L*R <= eps", False),
        ("L <= L_2*R", False),
    ],
)
def test_units_of_both_sides_agree_or_do_not(relation: str, same: bool) -> None:
    made = homogeneous(relation, (L, R_, EPS, real("L_2", "(0, oo)")), UNITS)
    assert tried(made, (Identical(),)).closed is same


@pytest.mark.parametrize(
    ("relation", "same"),
    [
        ("error <= C*sqrt(sum(j, 1, d, L[j]**2/M[j]))*sqrt(sum(j, 1, d, M[j]*w[j]**2))", True),
        ("error <= C*sqrt(sum(j, 1, d, L[j]**2/M[j]))*sqrt(sum(j, 1, d, w[j]**2))", False),
        ("error <= C*sum(j, 1, d, L[j]**2/M[j])*sqrt(sum(j, 1, d, M[j]*w[j]**2))", False),
    ],
)
def test_each_coordinate_may_have_a_unit_of_its_own(relation: str, same: bool) -> None:
    """Gradients L[j], curvatures M[j] and distances w[j] along each coordinate."""
    rows = tuple(sequence(name, "(0, oo)") for name in "LMw")
    units: dict[str, Unit] = {"error": (1, 0), "L": (1, 0, -1), "M": (1, 0, -2), "w": (0, 0, 1)}
    made = homogeneous(
        relation, (integer("d", "[1, oo)"), real("C", "(0, oo)"), real("error", "(0, oo)"), *rows), units
    )
    assert tried(made, (Identical(),)).closed is same


@pytest.mark.parametrize(
    ("relation", "same"),
    [
        ("sum(t, 0, T, dot(g[t], x[t])) <= b", True),
        ("sum(t, 0, T, e[t]) <= b", True),
        ("sum(t, 0, T, norm(x[t])**2) <= b", False),
        ("sum(t, 0, T, e[t]**2) <= b", False),
    ],
)
def test_what_a_sequence_has_at_each_index_has_its_unit(relation: str, same: bool) -> None:
    """Iterates x[t], gradients g[t] and gaps e[t] of the objective."""
    symbols = (vector_sequence("x"), vector_sequence("g"), sequence("e", "[0, oo)"), integer("T", "[0, oo)"), real("b"))
    units: dict[str, Unit] = {"x": (0, 1), "g": (1, -1), "e": (1, 0), "b": (1, 0)}
    assert tried(homogeneous(relation, symbols, units), (Identical(),)).closed is same


@pytest.mark.parametrize("relation", ["0 <= L*R + R", "L*R + R <= 0", "L + R < 0"])
def test_a_zero_has_every_unit(relation: str) -> None:
    """0 == 0 was all that was checked."""
    with pytest.raises(ContentError, match="homogeneous whatever"):
        homogeneous(relation, (L, R_), UNITS)
