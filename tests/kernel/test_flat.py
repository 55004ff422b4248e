"""One equation made rational: atoms, their powers, and what is rewritten by which equation."""

from __future__ import annotations

from fractions import Fraction

import pytest
from domains import goal

from dpaudit.kernel import special, sums
from dpaudit.kernel.canonical import Canonical
from dpaudit.kernel.flat import Flat, parts
from dpaudit.kernel.prover import Prover
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.terms import term


def flat(text: str = "x") -> Flat:
    prover = Prover(goal("0 <= 1", "x real (0, oo)", "y real (-oo, oo)", "n integer [1, oo)"))
    return Flat(prover, term(text), term(text))


def test_equal_terms_are_rewritten_by_one_equation() -> None:
    made = flat("sqrt(x) + sqrt(x)*sqrt(1*x)")
    made.flat(made.sides[0])
    names = made.rewritten((made.sides[0],))
    assert len(names) == len(set(names))


def test_parts_do_not_go_into_sums() -> None:
    assert term("k") not in set(parts(term("x + sum(k, 1, n, k)")))
    assert term("x") in set(parts(term("x + sum(k, 1, n, k)")))


def test_products_are_written_in_one_way() -> None:
    made = flat()
    canonical = Canonical(made.prover, made.forms, made.carry)
    form = made.forms.form(term("3*x**2/2*x"))
    assert canonical.sum(form) == "((3 / 2) * (x ^ 3))"
    assert canonical.sum({}) == "0"
    assert canonical.product(Fraction(1), ()) == "1"
    assert canonical.log(Fraction(12), ())[0] == "((2 * ln 2) + (1 * ln 3))"


def test_functions_without_a_normal_form_are_not_said() -> None:
    with pytest.raises(NotExported, match="Phi is not said"):
        special.equal(flat(), term("Phi(x)"))
    assert special.equal(flat(), term("log2(x)"))[0] == "((ln x) / (ln 2))"


def test_sums_have_the_sign_of_their_terms() -> None:
    prover = flat().prover
    assert "zsum_nonneg" in (sums.sign(prover, term("sum(k, 1, n, x/k)")) or "")
    assert sums.sign(prover, term("sum(k, 1, n, y)")) is None
