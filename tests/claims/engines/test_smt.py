"""Both solvers must agree, and the encoding says no more than the statement."""

import pytest

from dpaudit.claims.argument.proof import tried
from dpaudit.claims.engines import smt
from dpaudit.records.claim import Solve, Statement, integer, real, vector
from dpaudit.records.errors import MissingPackageError

X, U, V = real("x"), vector("u"), vector("v")
N, K = integer("n", "[0, oo)"), integer("k", "[0, oo)")


def solved(expression, symbols, conditions=(), facts=()):
    return tried(Statement(expression, symbols, conditions), (Solve(facts),)).closed


@pytest.mark.parametrize(
    ("expression", "symbols", "conditions"),
    [
        ("2*x <= x**2 + 1", (X,), ()),
        ("0 <= sqrt(x)", (X,), ("0 <= x",)),
        ("x <= abs(x)", (X,), ()),
        ("min(x, 1) <= max(x, 2)", (X,), ()),
        ("x**(-3/2) <= 1", (real("x", "[1, oo)"),), ()),
        ("x**(3/2) <= x**2", (real("x", "[1, oo)"),), ()),
        ("1/x <= 1/2", (X,), ("2 <= x",)),
        ("dot(u, v) <= norm(u)*norm(v)", (U, V), ()),
        ("norm(u + v) <= norm(u) + norm(v)", (U, V), ()),
        ("0 < exp(x)", (X,), ()),
        ("factorial(n) <= factorial(n) + 1", (N,), ()),
    ],
)
def test_what_is_proved(expression, symbols, conditions):
    assert solved(expression, symbols, conditions)


@pytest.mark.parametrize(
    ("expression", "symbols", "conditions"),
    [
        ("2*x < x**2 + 1", (X,), ()),
        ("x <= sqrt(x)", (X,), ()),
        ("abs(x) <= x", (X,), ()),
        ("x**(-3/2) <= 1", (real("x", "(0, oo)"),), ()),
        ("1/x <= 1", (X,), ("x <= 1",)),
        ("norm(u)*norm(v) <= dot(u, v)", (U, V), ()),
        ("exp(x) <= 1", (real("x", "[0, oo)"),), ()),
        ("0 < x", (real("x", "[0, oo)"),), ()),
        ("x < 1", (real("x", "[0, 1]"),), ()),
        # binomial(n, k) is 0 for k > n, Gamma(n - k + 2) is 1 for k = n + 1, factorial(0) is 1.
        ("0 < binomial(n, k)**2", (N, K), ()),
        ("Gamma(n - k + 2)**2 <= 0", (N, K), ("n - k + 1 == 0",)),
        ("0 < sum(j, 1, n + 1, j*binomial(n, k)**2)", (N, K), ()),
        ("1 <= n", (N,), ("factorial(n) == 1",)),
        ("0**x <= 1/2", (real("x", "[0, 1]"),), ()),
    ],
)
def test_what_is_false_is_not_proved(expression, symbols, conditions):
    assert not solved(expression, symbols, conditions)


@pytest.mark.parametrize("fact", ["0 <= sqrt(x)", "x/x <= 1", "1/0 <= 1/0", "0 <= sqrt(x)*sqrt(x)", "0 <= x - 5"])
def test_a_fact_with_an_undefined_term_is_no_fact(fact):
    assert not solved("0 <= x", (X,), facts=(fact,))


def test_a_fact_helps_where_it_is_known():
    assert not solved("x <= exp(x)", (real("x", "[0, 1]"),))
    assert solved("x <= exp(x)", (real("x", "[0, 1]"),), facts=("1 <= exp(x)",))


def test_one_solver_alone_proves_nothing(monkeypatch):
    monkeypatch.setattr(smt, "CVC5", 'print("sat")')
    assert not solved("2*x <= x**2 + 1", (X,))
    monkeypatch.undo()
    monkeypatch.setattr(smt, "Z3", 'print("unknown")')
    assert not solved("2*x <= x**2 + 1", (X,))


@pytest.mark.parametrize(("code", "said"), [('raise ValueError("no")', "failed (ValueError: no)"), ("", "z3: ,")])
def test_a_solver_that_fails_is_named(monkeypatch, code, said):
    monkeypatch.setattr(smt, "Z3", code)
    found = smt.solve(Statement("0 <= x", (X,)), (), 1000)
    assert not found.proved
    assert said in found.detail


def test_a_missing_solver_names_its_extra(monkeypatch):
    monkeypatch.setattr(smt, "Z3", "import z3_that_is_not_there")
    with pytest.raises(MissingPackageError, match=r"'\.\[smt\]'"):
        smt.solve(Statement("0 <= x", (X,)), (), 1000)


def test_a_solver_that_hangs_is_ended(monkeypatch):
    monkeypatch.setattr(smt, "CLOCK_S", 0.01)
    assert "clock" in smt.solve(Statement("0 <= x**2", (X,)), (), 1000).detail


def test_a_model_is_proposed_as_a_witness():
    found = smt.solve(Statement("x**2 <= 4", (real("x", "[3, 5]"),)), (), 1_000_000)
    assert dict(found.model)["x"]
    assert smt.solve(Statement("dot(u, v) <= 1", (U, V)), (), 1_000_000).model == ()
