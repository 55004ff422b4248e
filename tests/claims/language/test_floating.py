"""Terms over arrays have the values of exact points."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpaudit.claims.engines.rigorous.witness import certify
from dpaudit.claims.language.expression import parse
from dpaudit.claims.language.floating import compiled, computable
from dpaudit.records.claim import Statement, real

X, Y = real("x", "(0, oo)"), real("y", "[0, oo)")


def test_compiled_terms_have_the_values_of_exact_points():
    text = (
        "Phi(x) - log2(1 + x) + min(x, y, 2) - max(x, -y, 1/2)**2 + floor(x)*ceil(y)/3 + sqrt(x)*pi"
        " + exp(-y)*log(x) + abs(y - x)"
    )
    statement = Statement(f"{text} <= -1000", (X, Y))
    columns = {"x": np.array([0.5, 2.25]), "y": np.array([1.5, 0.25])}
    found = compiled(parse(text))(columns)
    for value, x, y in zip(found, columns["x"], columns["y"], strict=True):
        point = (("x", str(Fraction(float(x)))), ("y", str(Fraction(float(y)))))
        assert float(certify(statement, point).left.low) == pytest.approx(value, rel=1e-13)


def test_what_floats_cannot_say_is_named():
    assert computable(parse("exp(x)*Phi(y) - max(x, y, 1)/pi"))
    assert not computable(parse("x + Gamma(y)"))
    assert not computable(parse("norm(x)"))
