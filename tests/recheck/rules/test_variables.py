"""A change of variables loses no point, and no value at one."""

from typing import Any

import pytest
from domains import stated, why_not

from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import prove, tried
from dpaudit.recheck import check
from dpaudit.records.claim import Boxes, Solve, Statement, Substitute, integer, real, vector

W, X, U, S = real("w", "[-1, 1]"), real("x", "[0, oo)"), vector("u"), real("s", "[-1, 1]")


def reason(expression, symbols, move, *rest, conditions=()):
    found = prove(Statement(expression, symbols, conditions), (move, *(rest or (Boxes(),))), Search())
    return found.evidence[-1].detail


@pytest.mark.parametrize(
    ("new", "values", "inverse"),
    [
        ((real("r", "[0, 1]"),), (("w", "r"),), (("w**2", "r"),)),  # a term for the new symbol: half is lost
        ((real("r", "[0, 1]"),), (("w", "r"),), (("abs(w)", "w"),)),
        ((real("r", "[0, 1]"),), (("w", "r"),), ()),
        ((real("r", "[-1, 1]"),), (("w", "r"),), (("r", "w"), ("r", "-w"))),
        ((real("r", "[-1, 1]"), real("q", "[0, 1]")), (("w", "r"),), (("r", "w"),)),
    ],
)
def test_the_inverse_gives_each_new_symbol_once(new, values, inverse):
    assert "the inverse gives each new symbol once" in reason("0 <= w", (W,), Substitute(new, values, inverse))


def test_new_symbols_are_scalars_and_old_ones_have_one_value():
    other = Substitute((vector("v"),), (("dot(u, u)", "dot(v, v)"),), (("v", "u"),))
    assert "real or integer numbers" in reason("0 <= dot(u, u)", (U,), other)
    twice = (("w", "r"), ("w", "r**2"))
    assert "one value" in reason("0 <= w", (W,), Substitute((real("r", "[-1, 1]"),), twice, (("r", "w"),)))


SQUARED = Substitute((real("r", "[0, oo)"),), (("dot(u, u)", "r**2"),), (("r", "norm(u)"),))


@pytest.mark.parametrize(
    "expression",
    [
        "-s*dot(u, u) - s <= 4*sqrt(dot(u, u)*s)",
        "0 <= s + sqrt(s*dot(u, u)**2)",
        "0 <= s + (dot(u, u)*s)**(5/2)",
    ],
)
def test_a_side_that_loses_its_value_without_vectors_is_named(expression, monkeypatch):
    """All are false at u = 0, s = -1, where the root of a product is 0 and the product of roots nothing."""
    monkeypatch.setattr(check, "refuse_without_value", lambda goal: None)  # a goal inside of a proof
    found = tried(Statement(expression, (S, U)), (SQUARED, Solve()))
    assert not found.closed
    assert "is not shown" in found.evidence[0].detail


def test_a_condition_that_loses_its_value_without_vectors_is_dropped():
    """sqrt(dot(u, u)*s) <= 1 holds at u = 0, s = -1; in two roots it would be a condition that is not met there."""
    said = Statement("0 <= s", (S, U), ("sqrt(dot(u, u)*s) <= 1",))
    assert not tried(said, (SQUARED, Solve())).closed
    kept = Statement("r <= 1", (real("r"), U), ("r <= sqrt(dot(u, u))", "norm(u) <= 1"))
    root = Substitute((real("t", "[0, oo)"),), (("dot(u, u)", "t**2"),), (("t", "norm(u)"),))
    assert tried(kept, (root, Solve())).closed


def test_a_change_of_variables_that_loses_nothing_goes_through():
    whole = Substitute((integer("k", "[0, oo)"),), (("n", "k + 1"),), (("k", "n - 1"),))
    assert tried(Statement("1 <= n", (integer("n", "[1, oo)"),)), (whole, Boxes())).closed
    assert tried(Statement("0 <= norm(u)*x", (X, U)), (SQUARED, Solve())).closed


def test_the_variable_of_an_integral_is_no_symbol():
    """What is known of x >= 5 would be used on [0, 1]."""
    integral = "integral(x, 0, 1, abs(x - 3))"
    inner = {"by": "antiderivative", "integral": integral, "primitive": "x**2/2 - 3*x", "then": {"by": "positive"}}
    said = stated("integral(t, 0, 1, abs(t - 3)) <= -2", "x real (-oo, oo)", conditions=("5 <= x",))
    assert "is a symbol as well" in why_not(said, {"by": "rewrite", "left": integral, "then": inner})


def test_a_mean_inside_of_a_mean_is_a_number():
    """It may not be compared draw by draw: E <xi, v>^4 is 3 |v|^4, E(E(<xi, v>^2) <xi, v>^2) is |v|^4."""
    said = stated("E(dot(xi, v)**4) <= E(E(dot(xi, v)**2)*dot(xi, v)**2)", "v vector", "xi gaussian 1")
    assert "inside of a mean" in why_not(said, {"by": "termwise", "inner": {"by": "identical"}})
    plain = stated("E(norm(xi)) <= E(norm(xi) + 1)", "xi gaussian 1")
    assert why_not(plain, {"by": "termwise", "inner": {"by": "positive"}}) == ""


def test_sums_are_equal_if_they_are_so_at_every_index_and_no_less_if_they_are_not_more():
    rows, inner = ("n integer [1, oo)", "f real [0, 1]", "g real [0, 2]"), {"by": "identical"}
    known = {"by": "combine", "terms": [["k**2", "f == g"]]}
    equal = stated("sum(k, 1, n, f*k**2) == sum(i, 1, n, g*i**2)", *rows, conditions=("f == g",))
    assert why_not(equal, {"by": "termwise", "inner": known}) == ""
    assert why_not(stated("E(norm(xi)) == E(norm(-xi))", "xi gaussian 1"), {"by": "termwise", "inner": inner}) == ""
    less = stated(equal["goal"], *rows, conditions=("f <= g",))
    assert "does not prove ==" in why_not(less, {"by": "termwise", "inner": {**known, "terms": [["k**2", "f <= g"]]}})
    strict = stated("sum(k, n, 0, f) < sum(k, n, 0, f + 1)", *rows)  # both are empty
    assert "by <= or ==" in why_not(strict, {"by": "termwise", "inner": {"by": "positive"}})


def test_a_condition_on_a_mean_says_nothing_of_one_draw():
    """E <xi, v>^4 is 3 |v|^4, more than 1 where E <xi, v>^2 = |v|^2 is 1."""
    rows, known = ("v vector", "xi gaussian 1"), ("E(dot(xi, v)**2) <= 1",)
    said = stated("E(dot(xi, v)**4) <= E(1)", *rows, conditions=known)
    inner = {"by": "combine", "terms": [["1 + dot(xi, v)**2", known[0]]]}
    assert "E((dot(xi, v)**2)) <= 1 is not shown" in why_not(said, {"by": "termwise", "inner": inner})
    rest = stated("E(s*norm(xi)) <= E(norm(xi))", "s real [0, 2]", *rows, conditions=(*known, "s <= 1"))
    inner = {"by": "combine", "terms": [["norm(xi)", "s <= 1"]]}
    assert why_not(rest, {"by": "termwise", "inner": inner}) == ""


# One end, the limit, and Taylor polynomials ---------------------------------------------------------------------------

ROWS = ("x real (0, 1)", "y real [0, 3)", "z real [0, oo)", "w real (-oo, oo)", "s real [-1, 1]", "n integer [1, oo)")


def positive() -> dict[str, Any]:
    return {"by": "positive"}


def moved(text: str, name: str, at: str, slope: str, *conditions: str) -> str:
    """Why one end, or the limit, is not enough."""
    node = {"by": "monotone", "variable": name, "at": at, "slope": slope, "inner": positive(), "then": positive()}
    return why_not(stated(text, *ROWS, conditions=conditions), node)


@pytest.mark.parametrize(
    ("text", "name", "at", "slope"),
    [
        ("0 <= y/(3 - y)", "y", "low", "3/(3 - y)**2"),
        ("0 <= exp(-z)", "z", "high", "-exp(-z)"),
        ("0 <= 1/(1 + z)", "z", "high", "-1/(1 + z)**2"),
        ("0 <= Phi(w)", "w", "low", "exp(-w**2/2)/sqrt(2*pi)"),
        ("0 < 1 + exp(-n)", "n", "high", "-exp(-n)"),
        ("s <= 1 + exp(-z)", "z", "high", "-exp(-z)"),
    ],
)
def test_one_end_or_the_limit_is_enough(text: str, name: str, at: str, slope: str) -> None:
    assert moved(text, name, at, slope) == ""


@pytest.mark.parametrize(
    ("text", "name", "at", "slope"),
    [
        ("0 <= y/(3 - y)", "y", "high", "3/(3 - y)**2"),  # no value at that end
        ("0 < exp(-z)", "z", "high", "-exp(-z)"),  # falls to 0, which is not positive
        ("1/10 <= exp(-z)", "z", "high", "-exp(-z)"),
        ("1/10**6 <= exp(-z)", "z", "high", "-exp(-z)"),
        ("1/2 <= Phi(w)", "w", "low", "exp(-w**2/2)/sqrt(2*pi)"),
        ("0 <= 1 - z", "z", "high", "-1"),  # falls without a limit
        ("0 <= z - 1", "z", "high", "1"),  # grows: the limit is the largest
        ("0 <= 1 - exp(-z) - 1/2", "z", "high", "exp(-z)"),
        ("0 <= exp(-s*z)", "z", "high", "-s*exp(-s*z)"),
        ("0 <= s + exp(-z)", "z", "high", "-exp(-z)"),
    ],
)
def test_another_end_or_a_smaller_limit_is_not(text: str, name: str, at: str, slope: str) -> None:
    assert moved(text, name, at, slope)


def expanded(text: str, name: str, point: str, side: str, *derivatives: str, conditions: tuple[str, ...] = ()) -> str:
    """Why a Taylor polynomial is no proof."""
    node = {"by": "taylor", "variable": name, "point": point, "side": side, "derivatives": list(derivatives)}
    return why_not(stated(text, *ROWS, conditions=conditions), {**node, "inner": positive()})


@pytest.mark.parametrize(
    ("text", "name", "point", "side", "derivatives"),
    [
        ("1 + z + z**2/2 <= exp(z)", "z", "0", "above", ("exp(z) - 1 - z", "exp(z) - 1", "exp(z)")),
        ("1 + z <= exp(z) + z**3", "z", "0", "above", ("exp(z) - 1 + 3*z**2", "exp(z) + 6*z")),
        ("1 + w <= exp(w)", "w", "0", "both", ("exp(w) - 1", "exp(w)")),
        ("2*s*w <= s**2 + w**2", "w", "s", "both", ("2*w - 2*s", "2")),
        ("0 <= (1 - s)**3", "s", "1", "below", ("-3*(1 - s)**2", "6*(1 - s)", "-6")),
        ("1 <= n**2", "n", "1", "above", ("2*n",)),
        ("x <= 1", "x", "1", "below", ("-1",)),
        ("0 <= y**2/(3 - y)", "y", "0", "above", ("(6*y - y**2)/(3 - y)**2",)),
    ],
)
def test_taylor_polynomials(text: str, name: str, point: str, side: str, derivatives: tuple[str, ...]) -> None:
    assert expanded(text, name, point, side, *derivatives) == ""


@pytest.mark.parametrize(
    ("text", "name", "point", "side", "derivatives", "conditions"),
    [
        # a term of the polynomial that is negative, or the value itself
        ("z <= z**2", "z", "0", "above", ("2*z - 1", "2"), ()),
        ("1/100 <= z**2", "z", "0", "above", ("2*z", "2"), ()),
        ("w <= w**2", "w", "0", "both", ("2*w - 1", "2"), ()),
        ("-w <= w**2", "w", "0", "both", ("2*w + 1", "2"), ()),
        # a last derivative of the wrong sign, or a wrong one
        ("z**2 <= z", "z", "0", "above", ("1 - 2*z", "-2"), ()),
        ("z**2 <= z", "z", "0", "above", ("1 - 2*z", "2"), ()),
        ("z**2 <= z", "z", "0", "above", ("1",), ()),
        ("exp(z) <= 1 + z + z**2", "z", "0", "above", ("1 + 2*z - exp(z)", "2 - exp(z)"), ()),
        # the wrong side: below the point odd powers are negative
        ("0 <= w**3", "w", "0", "above", ("3*w**2", "6*w", "6"), ()),
        ("0 <= s**3", "s", "1", "below", ("3*s**2",), ()),
        ("0 <= s", "s", "-1", "below", ("1",), ()),
        ("0 <= w**3", "w", "0", "both", ("3*w**2", "6*w", "6"), ()),
        ("0 <= w", "w", "0", "both", ("1", "0"), ()),
        ("0 <= s**3", "s", "0", "above", ("3*s**2", "6*s", "6"), ("0 <= s + 2",)),
        # a point outside of the range, or no value on the way
        ("1 <= z", "z", "1", "above", ("1",), ()),
        ("x <= 1/2", "x", "2", "below", ("-1",), ()),
        ("3*z**3 <= z**4", "z", "0", "both", ("4*z**3 - 9*z**2", "12*z**2 - 18*z"), ("3/2 <= z",)),
        ("0 <= w**3/w**2", "w", "0", "both", ("1", "0"), ()),
        ("sqrt(z) <= z", "z", "0", "above", ("1 - 1/(2*sqrt(z))",), ()),
        ("z <= z**(3/2)", "z", "0", "above", ("3/2*sqrt(z) - 1", "3/(4*sqrt(z))"), ()),
        ("0 <= y/(3 - y) - 1", "y", "3", "below", ("3/(3 - y)**2",), ()),
        ("abs(w) <= 0", "w", "0", "both", ("0", "0"), ()),
        # no relation of the right kind, no derivatives, no side
        ("0 < z**2", "z", "0", "above", ("2*z", "2"), ()),
        ("z == 0", "z", "0", "above", ("1",), ()),
        ("z <= 0", "z", "0", "above", (), ()),
        ("0 <= z", "z", "0", "left", ("1",), ()),
    ],
)
def test_what_a_taylor_polynomial_does_not_show(
    text: str, name: str, point: str, side: str, derivatives: tuple[str, ...], conditions: tuple[str, ...]
) -> None:
    assert expanded(text, name, point, side, *derivatives, conditions=conditions)


def test_a_taylor_polynomial_in_a_scale_is_refused() -> None:
    """The text of a mean does not show that it hangs on the scale of a gaussian."""
    node = {"by": "taylor", "variable": "a", "point": "1", "side": "above", "derivatives": ["0"], "inner": positive()}
    said = stated("E(norm(xi)) <= E(norm(xi))", "a real [1, 2]", "xi gaussian a")
    assert "a law hangs on a" in why_not(said, node)


Y, Z = real("y", "[0, oo)"), real("z", "[0, oo)")


@pytest.mark.parametrize("condition", ["z == x**2 + y", "x**2 + y == z", "z - y == x**2", "0 == z - x**2 - y"])
def test_a_symbol_that_an_equation_defines_is_put_away(condition):
    away = Substitute((), (("z", "x**2 + y"),), ())
    assert tried(Statement("y <= z", (X, Y, Z), (condition,)), (away,)).closed
    assert not tried(Statement("x <= z", (X, Y, Z), (condition,)), (away,)).closed


@pytest.mark.parametrize("condition", ["z <= x**2 + y", "z == x**2 - y", "z == 2*x**2 + y", "x == x", "x == z**2 + y"])
def test_what_is_no_such_equation_puts_nothing_away(condition):
    away = Substitute((), (("z", "x**2 + y"),), ())
    assert "are not shown to be equal" in reason("y <= z", (X, Y, Z), away, conditions=(condition,))
