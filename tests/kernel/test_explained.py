"""Why a term is not negative: sums that are equal to it, whose terms have a sign each."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.kernel import ends, squared
from dpaudit.kernel.explained import sums
from dpaudit.recheck.terms import term

CONTEXT = domain("x real [0, 1]", "y real [2, oo)", "t real (-oo, oo)", "u vector", "v vector", conditions=("t <= x",))


@pytest.mark.parametrize("text", ["x*(1 - x)", "y**2 - 4", "t**2 - 2*t + 1", "dot(u - v, u - v)", "3*x - 3*t", "y - x"])
def test_each_way_adds_up(text: str) -> None:
    ways = list(sums(CONTEXT, term(text)))
    assert ways
    for by, total in ways:
        assert CONTEXT.equal(("*", by, term(text)), total)
        assert CONTEXT.positive(by)


def test_ends_and_squares() -> None:
    forms = CONTEXT.forms
    assert list(ends.counted(CONTEXT, forms, forms.form(term("t + x")))) == []
    assert squared.total(forms, forms.form(term("t**2 - 1"))) is None
    assert squared.total(forms, forms.form(term("t**2 + 2*t + 1"))) is not None
