"""Equations: what is no rational function becomes few atoms, each by an equation of its own, the rest is algebra."""

from __future__ import annotations

import pytest
from domains import goal

from dpaudit.kernel.equations import Equations
from dpaudit.kernel.prover import Prover
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.terms import term

ROWS = ("x real (0, oo)", "y real (-oo, oo)", "n integer [1, oo)", "u vector", "v vector")


def script(left: str, right: str) -> str:
    return Equations(Prover(goal("0 <= 1", *ROWS))).prove(term(left), term(right))


@pytest.mark.parametrize(
    ("left", "right", "parts"),
    [
        ("y + 1", "y + 1", ("reflexivity",)),
        ("(y + 1)**2", "y**2 + 2*y + 1", ("first [ring | field; nz]",)),
        ("x/(x + 1)", "1 - 1/(x + 1)", ("field",)),
        ("sqrt(x)*sqrt(x)", "x", ("sqrt x ^ 2 = x", "ring [")),
        ("log(x**2)", "2*log(x)", ("ln_is", "Lg_pow")),
        ("exp(log(x) + y)", "x*exp(y)", ("exp_is", "Lg_mul")),
        ("dot(u + v, u)", "dot(u, u) + dot(u, v)", ("dots", "dot_sym")),
        ("sum(k, 1, n, k)*2", "sum(k, 1, n, 2*k)", ("zsum_scal", "zsum_ext")),
        ("sum(k, 1, 3, k)", "6", ("unfold zsum",)),
    ],
)
def test_scripts(left: str, right: str, parts: tuple[str, ...]) -> None:
    made = script(left, right)
    for part in parts:
        assert part.replace("sqrt x ^", "(sqrt x) ^") in made


def test_an_unknown_function_is_not_exported() -> None:
    with pytest.raises(NotExported):
        script("Phi(x) + Phi(x)", "2*Phi(x)")
    assert Equations(Prover(goal("0 <= 1", *ROWS))).find(term("Phi(x)*2"), term("Phi(x) + Phi(x)")) is None
