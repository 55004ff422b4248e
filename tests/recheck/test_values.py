"""Which terms have a value on a whole domain, and which do not."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.recheck.terms import term


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        ("1/x", True),
        ("1/y", False),
        ("sqrt(x)", True),
        ("sqrt(y)", False),
        ("log(x)", True),
        ("log(x - 1)", False),
        ("y**n", True),
        ("y**x", False),
        ("y**(-n)", False),
        ("x**y", True),
        ("norm(v)/x", True),
        ("norm(xi)", False),
        ("E(norm(xi)**2)", True),
        ("E(exp(norm(xi)**2))", False),
        ("e[n]", True),
        ("e[n/2]", False),
        ("norm(w[2*n])", True),
        ("norm(w[y])", False),
        ("sum(k, 1, n, 1/k)", True),
        ("sum(k, 0, n, 1/k)", False),
        ("sum(k, 1, y, x)", False),
        ("sum(k, 1, n, sqrt(e[k]))", True),
        ("sum(k, 1, n, norm(w[k/2]))", False),
        ("integral(z, 0, x, 1/(1 + z))", True),
        ("integral(z, 0, y, z)", False),
        ("binomial(n, 2)", True),
        ("factorial(y)", False),
        ("beta_tail(x, x, y)", True),
        ("beta_tail(y, x, x)", False),
    ],
)
def test_where_a_term_has_a_value(text: str, defined: bool) -> None:
    rows = ("x real (0, oo)", "y real (-oo, oo)", "n integer [1, oo)", "v vector", "e sequence [0, oo)")
    context = domain(*rows, "w vector_sequence", "xi gaussian 1")
    assert context.defined(term(text)) is defined
