"""A witness is an exact point of the domain where the original statement fails for certain."""

import pytest

from dpaudit.claims.engines.rigorous.witness import certify, describe, inside
from dpaudit.records.claim import Statement, gaussian, integer, real, vector
from dpaudit.records.errors import ContentError

P, RHO = real("p", "[2, oo)"), real("rho", "(0, oo)")
V, Y, XI = vector("v"), vector("y"), gaussian("xi", "rho")
WEIGHT = "exp((2*dot(v, xi) - dot(v, v))/(2*rho**2))"
OTHER = "exp((2*dot(y, xi) - dot(y, y))/(2*rho**2))"
MOMENT = Statement(f"E({WEIGHT}**p) <= 1.6", (P, RHO, V, XI), ("norm(v) <= rho/p",))


def test_a_point_on_the_boundary_refutes():
    witness = certify(MOMENT, (("p", "100"), ("rho", "1"), ("v", "(3/500, 4/500)")))
    assert witness is not None
    assert float(witness.left.low) == pytest.approx(2.718281828 ** (0.99 / 2), rel=1e-6)
    assert "p = 100" in describe(witness)
    assert "> right" in describe(witness)


@pytest.mark.parametrize(
    "point",
    [
        (("p", "100"), ("rho", "1"), ("v", "(1/99,)")),  # outside the ball
        (("p", "3/2"), ("rho", "1"), ("v", "(2/3,)")),  # p out of range
        (("p", "100"), ("rho", "0"), ("v", "(0,)")),  # open end
        (("p", "2"), ("rho", "1"), ("v", "(1/10,)")),  # true there
    ],
)
def test_other_points_do_not(point):
    assert certify(MOMENT, point) is None


@pytest.mark.parametrize(("domain", "ends"), [("[0, 1]", "01"), ("(0, 1]", "1"), ("[0, 1)", "0"), ("(0, 1)", "")])
def test_an_end_that_is_open_is_no_witness(domain, ends):
    """The statement fails at 0, 1/2 and 1, wherever these lie in the domain."""
    false = Statement("x*(1 - x) < 0", (real("x", domain),))
    found = {end for end in "01" if certify(false, (("x", end),)) is not None}
    assert found == set(ends)
    assert certify(false, (("x", "1/2"),)) is not None


def test_an_even_power_has_a_closed_form_at_the_point():
    statement = Statement(f"E(abs({WEIGHT} - {OTHER})**p) <= (0.6*p*norm(v - y)/rho)**p", (P, RHO, V, Y, XI))
    near = (("p", "2"), ("rho", "1"), ("v", "(1/2,)"), ("y", "(499/1000,)"))
    assert certify(statement, near) is not None
    odd = (("p", "3"), *near[1:])
    assert certify(statement, odd) is None  # no closed form: undecided, not refuted


def test_identities_are_refuted_by_disjoint_enclosures():
    assert certify(Statement("k**2 == 2*k", (integer("k", "[1, 9]"),)), (("k", "3"),)) is not None
    assert certify(Statement("k**2 == 2*k", (integer("k", "[1, 9]"),)), (("k", "2"),)) is None
    assert certify(Statement("k**2 == 2*k", (integer("k", "[1, 9]"),)), (("k", "5/2"),)) is None


def test_a_strict_relation_is_refuted_by_equality():
    assert certify(Statement("p < 2", (P,)), (("p", "2"),)) is not None
    assert certify(Statement("p <= 2", (P,)), (("p", "2"),)) is None


ANY, UNIT = real("x"), real("x", "[0, 1]")


@pytest.mark.parametrize(
    ("statement", "at"),
    [
        (Statement("0 <= x", (ANY,), ("sqrt(x) <= 1",)), "-1"),  # sqrt(-1) meets no condition
        (Statement("1 <= x", (UNIT,), ("x/x <= 1/2",)), "0"),  # nor does 0/0
        (Statement("x/x == 1", (UNIT,)), "0"),
        (Statement("-5 <= log(x)", (UNIT,)), "0"),
        (Statement("1 <= x*sqrt(x - 1)", (UNIT,)), "0"),
    ],
)
def test_what_has_no_value_refutes_nothing(statement, at):
    assert certify(statement, (("x", at),)) is None
    assert not inside(statement, (("x", at),))


N = integer("n", "[1, oo)")


@pytest.mark.parametrize(
    "text",
    [
        "sum(k, 1, n, 1/k) <= 2", "integral(z, 0, n, exp(-z)) <= 1/2", "factorial(n) <= 3**n", "ceil(log2(n)) <= 3",
        "binomial_cdf(floor(n/2), n, 1/3) <= 1/2", "exprel(n) <= 2", "binomial(n, 2) <= 10", "gamma_tail(n, n) <= 2/5",
        "floor(n/9 + 2/3 + 1/3) == 1", "Gamma(n/2) <= 11", "log2(n) <= 3",
    ],
)  # fmt: skip
def test_functions_of_integers_refute_at_a_point(text):
    assert certify(Statement(text, (N,)), (("n", "9"),)) is not None


@pytest.mark.parametrize(
    "text", ["sum(k, 1, n/2, k) <= 1", "factorial(-n) <= 1", "log2(9 - n) <= 1", "binomial_cdf(1, n, n) <= 0"]
)
def test_functions_without_a_value_refute_nothing(text):
    assert certify(Statement(text, (N,)), (("n", "9"),)) is None
    assert not inside(Statement(text, (N,)), (("n", "9"),))


def test_sides_that_nearly_agree_are_told_apart():
    near = Statement("exp(10**(-70)*x) <= 1 + 10**(-70)*x + x*10**(-150)", (real("x", "[0, 1]"),))
    assert certify(near, (("x", "1"),)) is not None
    assert certify(near, (("x", "0"),)) is None
    assert certify(Statement("x == 1/3 + 1/10**100", (UNIT,)), (("x", "1/3"),)) is not None


def test_conditions_at_their_boundary_are_met():
    third = Statement("1 <= x", (ANY,), ("-1/3 <= x", "x <= -1/3"))
    assert certify(third, (("x", "-1/3"),)) is not None


def test_a_missing_value_is_named():
    with pytest.raises(ContentError, match="no value for 'n'"):
        certify(Statement("n <= 1", (N,)), ())
