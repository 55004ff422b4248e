"""Monotone: one end of a range is enough only where right - left moves one way all along it."""

import pytest

from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import prove, tried
from dpaudit.records.claim import (
    Boxes,
    ByTheorem,
    Cases,
    Combine,
    Have,
    Identical,
    Monotone,
    Name,
    Narrow,
    Positive,
    Power,
    Scale,
    Shift,
    Solve,
    Statement,
    Tangent,
    Taylor,
    Termwise,
    gaussian,
    integer,
    real,
    vector,
)
from dpaudit.records.errors import ContentError

X, Y, W = real("x", "[0, 1]"), real("y", "[0, 1]"), real("w", "[-1, 1]")


def closed(statement, *moves):
    return tried(statement, moves).closed


@pytest.mark.parametrize(
    ("statement", "moves"),
    [
        (Statement("x*y <= y", (X, Y)), (Monotone("x", "high", (Positive(),)), Positive())),
        (Statement("1 <= exp(x)", (X,)), (Monotone("x", "low", (Boxes(),)), Boxes())),
        (Statement("log(1 + x) <= 1", (X,)), (Monotone("x", "high", (Boxes(),)), Boxes())),
        (Statement("sqrt(x) <= 1", (X,)), (Monotone("x", "high", (Solve(),)), Solve())),
        (Statement("3 <= n**2", (integer("n", "[2, oo)"),)), (Monotone("n", "low", (Positive(),)), Boxes())),
        (
            Statement("norm(v) <= s*norm(v)", (vector("v"), real("s", "[1, 2]"))),
            (Monotone("s", "low", (Combine((("norm(v)", "0 <= 1"),)),)), Combine(())),
        ),
    ],
    ids=lambda case: str(case) if isinstance(case, Statement) else "",
)
def test_the_right_end_is_enough(statement, moves):
    assert closed(statement, *moves)


@pytest.mark.parametrize(
    ("statement", "moves"),
    [
        # the other end, and a direction that changes
        (Statement("x <= 1/2", (X,)), (Monotone("x", "low", (Positive(),)), Boxes())),
        (Statement("x*(1 - x) <= 1/8", (X,)), (Monotone("x", "low", (Boxes(200),)), Boxes())),
        (Statement("x*(1 - x) <= 1/8", (X,)), (Monotone("x", "high", (Boxes(200),)), Boxes())),
        # a strict goal that is an equality at the open end, which is closed
        (Statement("0 < x", (real("x", "(0, 1)"),)), (Monotone("x", "low", (Positive(),)), Solve())),
        # undefined on the way to the end
        (Statement("1/x <= 2", (real("x", "(0, 1]"),)), (Monotone("x", "low", (Solve(),)), Solve())),
        (Statement("1/(x - 1/2) <= 2", (X,)), (Monotone("x", "high", (Solve(),)), Solve())),
        # a condition on the variable does not hold on the way
        (Statement("x <= x**2", (real("x", "[0, 2]"),), ("1 <= x**2",)), (Monotone("x", "low", (Solve(),)), Solve())),
    ],
    ids=str,
)
def test_what_is_false_or_not_shown_stays_open(statement, moves):
    assert not closed(statement, *moves)


@pytest.mark.parametrize(
    "statement",
    [
        Statement("y <= sqrt(w + w**2*y)", (W, Y), ("0 <= w", "w <= 0")),
        Statement("y <= sqrt(x + w*y)", (X, real("w", "[0, 1]"), Y), ("x + w <= 0",)),
        Statement("y <= sqrt(x + w*y)", (real("x", "[0, 0]"), real("w", "[0, 0]"), Y)),
    ],
    ids=str,
)
def test_a_slope_that_is_nowhere_defined_has_no_sign(statement):
    """The slope was 0/0 on the whole domain, so that it had every sign, and y <= 0 was proved."""
    found = tried(statement, (Monotone("y", "low", (Solve(),)), Solve()))
    assert not found.closed
    assert "not shown to have a value" in found.evidence[-1].detail


def test_a_power_that_jumps_at_zero_is_not_monotone():
    """x**y at x = 0 is 1 for y = 0 and else 0, with a slope of 0 wherever that exists."""
    found = tried(Statement("x**y <= 1/2", (real("x", "[0, 0]"), Y)), (Monotone("y", "high", (Solve(),)), Solve()))
    assert not found.closed


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("floor(x) <= x - 1/2", "no rule gives the derivative of floor(x)"),
        ("abs(x - 1/2) <= 1/4", "no rule gives the derivative of abs("),
        ("max(x, 1 - x) <= 3/4", "no rule gives the derivative of max("),
        ("integral(z, 0, x, z) <= 0", "no rule gives the derivative of integral("),
    ],
)
def test_what_has_no_plain_slope_is_named(expression, reason):
    found = prove(Statement(expression, (X,)), (Monotone("x", "high", (Positive(),)), Boxes()), Search())
    assert reason in found.evidence[-1].detail


@pytest.mark.parametrize(("name", "at"), [("x", "oo"), ("v", "low"), ("absent", "low")])
def test_the_end_must_be_one_of_a_scalar(name, at):
    symbols = (X, real("t", "[0, oo)"), vector("v"))
    with pytest.raises(ContentError):
        prove(Statement("x <= t + 1", symbols), (Monotone(name, at, (Positive(),)), Boxes()), Search())


def test_the_law_of_a_mean_must_not_depend_on_the_variable():
    """E(f(xi)) with xi of scale rho has no rho in its text: its slope in rho was taken for 0."""
    statement = Statement("E(norm(xi)**3) <= c", (real("rho", "[1, 2]"), real("c"), gaussian("xi", "rho")))
    found = prove(statement, (Monotone("rho", "low", (Combine(()),)), ByTheorem("some-theorem")), Search())
    assert "a law hangs on rho" in found.evidence[-1].detail


def test_a_bad_inner_argument_leaves_the_goal_open():
    found = tried(Statement("x <= 2", (X,)), (Monotone("x", "high", (Identical(),)), Boxes()))
    assert not found.closed


CASES = Cases((("x <= 0", (Monotone("x", "high"),)), ("otherwise", (Monotone("x", "low"),))))


def test_a_case_narrows_the_range_of_the_variable():
    assert closed(Statement("x - x**2 <= log(1 + x)", (real("x", "[-1/2, oo)"),)), CASES)
    assert closed(Statement("x <= x**2", (real("x", "[0, 2]"),), ("1 <= x",)), Monotone("x", "low"))
    assert closed(Statement("2*x <= 1 + x**2", (real("x"),), ("0 <= x",)), Tangent("x", "1"))
    assert not closed(Statement("x - x**2/3 <= log(1 + x)", (real("x", "[-1/2, oo)"),)), CASES)
    # a point beyond the narrowed range is one of the whole range still
    assert closed(Statement("2*x <= 1 + x**2", (real("x"),), ("2 <= x",)), Tangent("x", "1"))
    # the condition is on two symbols, so that it narrows nothing
    assert not closed(Statement("x <= x**2", (real("x", "[0, 2]"), Y), ("1 <= x*y",)), Monotone("x", "low"))


def test_moves_that_use_rules_of_the_checker():
    t, s = real("t", "[0, oo)"), real("s", "(0, oo)")
    assert closed(Statement("(1 - 1/n)**n <= exp(-1)", (integer("n", "[1, oo)"),)), Power("1/n"))
    assert closed(Statement("t*(1 - t) <= 1", (t,), ("t <= 1",)), Narrow(), Positive())
    assert closed(Statement("t*exp(-t) <= 1", (t,)), Have("t <= exp(t)"), Scale("exp(t)"))
    assert closed(Statement("2*exp(s) <= exp(s)**2 + 1", (s,)), Name("e", "exp(s)"), Shift("-2*e"), Positive())
    assert closed(Statement("sum(k, 1, n, 1/k**2) <= sum(k, 1, n, 1/k)", (integer("n", "[1, oo)"),)), Termwise())
    assert closed(Statement("1 + t + t**2/2 <= exp(t)", (t,)), Taylor("t", "0", 3))
    assert closed(Statement("0 <= (1 - x)**3", (X,)), Taylor("x", "1", 3, side="below"))


@pytest.mark.parametrize(
    ("statement", "moves"),
    [
        (Statement("-2 <= w", (W,)), (Power("2"),)),
        (Statement("x <= y", (X, Y)), (Power("x"),)),
        (Statement("w <= 0", (W,)), (Have("w <= 0"),)),
        (Statement("w <= 0", (W,)), (Have("w <= 1"), Narrow(), Positive())),
        (Statement("x <= 1/2", (X,)), (Name("h", "x"),)),
        (Statement("sum(k, 1, 3, k) <= sum(k, 1, 3, 2)", ()), (Termwise(),)),
        (Statement("x <= x**2", (X,)), (Taylor("x", "0", 2),)),
        (Statement("0 <= w**3", (W,)), (Taylor("w", "0", 3, side="both"),)),
    ],
    ids=str,
)
def test_and_their_uses_that_would_prove_too_much(statement, moves):
    assert not closed(statement, *moves)
