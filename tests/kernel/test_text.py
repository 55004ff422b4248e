"""Terms and relations as Coq text, and names that could be mistaken."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.kernel.text import RESERVED, NotExported, Text, identifier
from dpaudit.recheck.terms import relation, term

TEXT = Text(domain("x real (0, oo)", "y real (-oo, oo)", "n integer [1, oo)", "C real [0, 1]", "u vector", "v vector"))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("x + 1/3", "(x + (1 / 3))"),
        ("-y", "(- y)"),
        ("y**2", "(y ^ 2)"),
        ("x**(-2)", "(/ (x ^ 2))"),
        ("x**(1/2)", "(pw x (1 / 2))"),
        ("x**n", "(powerRZ x (n)%Z)"),
        ("y**n", "(powerRZ y (n)%Z)"),
        ("n*C", "((IZR n) * C')"),
        ("max(x, y, 2)", "(Rmax (Rmax x y) 2)"),
        ("log2(x)", "(log2 x)"),
        ("log(x)", "(ln x)"),
        ("floor(y)", "(floorR y)"),
        ("pi", "PI"),
        ("factorial(n)", "(factZ (n)%Z)"),
        ("dot(u - v, 2*u)", "(dot (vsub u v) (vscal 2 u))"),
        ("norm(-u)", "(norm (vneg u))"),
        ("sum(k, 0, n, k*x**k)", "(zsum ((0))%Z (n)%Z (fun k : Z => ((IZR k) * (powerRZ x (k)%Z))))"),
    ],
)
def test_terms(written: str, expected: str) -> None:
    assert TEXT.real(term(written)) == expected


def test_relations() -> None:
    assert TEXT.relation(relation("y >= x")) == "x <= y"
    assert TEXT.relation(relation("y == x")) == "y = x"


@pytest.mark.parametrize("written", ["Phi(x)", "binomial(n, 1)", "integral(t, 0, 1, t)", "sum(k, 0, n, 1/(k - 1))"])
def test_what_has_no_counterpart_is_not_exported(written: str) -> None:
    with pytest.raises(NotExported):
        TEXT.real(term(written))


def test_no_two_symbols_get_one_name() -> None:
    names = [*RESERVED, "low_x", "given_1", "node_1", "K_1", "x", "_a", "index_0", "real_n", "t"]
    made = [identifier(name) for name in names]
    assert len(set(made)) == len(names)
    assert not set(made) & RESERVED
    assert identifier("x") == "x"
