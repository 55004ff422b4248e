"""Splitting rules that search and replay share."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from dpaudit.claims.engines.rigorous.domain import cut, middle, relative_width, show, whole
from dpaudit.records.claim import SymbolKind

ENDS = st.none() | st.fractions(min_value=-50, max_value=50, max_denominator=9)


@settings(derandomize=True, deadline=None, database=None)
@given(ENDS, ENDS)
def test_a_cut_lies_inside(a, b):
    low, high = (a, b) if a is None or b is None or a <= b else (b, a)
    at = cut(low, high)
    assert low is None or low <= at
    assert high is None or at <= high
    assert low is None or high is None or low == high or low < at < high
    assert (middle(SymbolKind.REAL, (low, high))) == at


def test_integers():
    assert whole(SymbolKind.INTEGER, (Fraction(-3, 2), Fraction(7, 4))) == (-1, 1)
    assert whole(SymbolKind.REAL, (Fraction(-3, 2), None)) == (Fraction(-3, 2), None)
    assert middle(SymbolKind.INTEGER, (Fraction(2), Fraction(5))) == 3


def test_widths():
    unit, half_line = (Fraction(0), Fraction(1)), (Fraction(0), None)
    assert relative_width((Fraction(1, 4), Fraction(1, 2)), unit) == 0.25
    assert relative_width((Fraction(1), Fraction(1)), half_line) == 0
    assert relative_width(half_line, half_line) == 1
    assert relative_width((Fraction(3), None), half_line) == 0.25


def test_boxes_in_words():
    box = {"q": (Fraction(0), Fraction(1, 4)), "x": (None, None), "n": (Fraction(3), Fraction(3))}
    assert show(box) == "q in [0, 1/4], x in [-oo, oo], n = 3"
