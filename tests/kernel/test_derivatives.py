"""Derivatives with their proofs, which agree with those of the checker."""

from __future__ import annotations

import pytest
from domains import goal

from dpaudit.kernel.derivatives import Derivatives
from dpaudit.kernel.prover import Prover
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.calculus import derivative
from dpaudit.recheck.terms import term

PROVER = Prover(goal("0 <= 1", "x real (0, oo)", "a real (1, oo)", "n integer [1, oo)"))


@pytest.mark.parametrize(
    ("text", "lemma"),
    [
        ("x**3", "D_pow"),
        ("x**(-2)", "D_inv_pow"),
        ("x**n", "D_zpow"),
        ("x**a", "D_pw_number"),
        ("a**x", "D_pw"),
        ("a*x - x/a", "D_sub"),
        ("exp(-x)", "D_neg"),
        ("log(x) + log2(x)", "D_log2"),
        ("sqrt(x)", "D_sqrt"),
        ("a", "D_const"),
    ],
)
def test_they_are_those_of_the_checker(text: str, lemma: str) -> None:
    found, proof = Derivatives(PROVER, "x").of(term(text))
    assert PROVER.context.equal(found, derivative(term(text), "x"))
    assert f"({lemma} " in proof


@pytest.mark.parametrize("text", ["abs(x)", "Phi(x)", "floor(x)"])
def test_others_are_not_exported(text: str) -> None:
    with pytest.raises(NotExported):
        Derivatives(PROVER, "x").of(term(text))
