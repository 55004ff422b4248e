"""Induction: base and step must cover the domain, and the hypothesis must be said where the step starts."""

import pytest
from domains import stated, why_not

from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import prove, tried
from dpaudit.recheck import check
from dpaudit.records.claim import (
    Boxes,
    ByTheorem,
    Combine,
    Enumerate,
    Identical,
    Induct,
    Rewrite,
    Solve,
    Statement,
    gaussian,
    integer,
    real,
    vector,
)
from dpaudit.records.errors import ContentError

N, X, S, B = integer("n", "[1, oo)"), real("x"), (Solve(),), (Boxes(),)


def found(expression, symbols, base, step, conditions=()):
    return tried(Statement(expression, symbols, conditions), (Induct("n", base, step),))


@pytest.mark.parametrize(
    ("expression", "symbols", "base", "step"),
    [
        ("sum(k, 1, n, k) == n*(n + 1)/2", (N,), (Identical(),), (Identical(),)),
        ("sum(k, 1, n, 2*k - 1) <= n**2", (N,), B, S),
        ("sum(k, 0, n - 1, 2**k) == 2**n - 1", (N,), (Identical(),), (Identical(),)),
        ("1 + n*x <= (1 + x)**n", (N, real("x", "[0, oo)")), S, (Rewrite(right="(1 + x)*(1 + x)**n"), *S)),
        ("sum(k, 5, n, 1) == n - 4", (integer("n", "[4, oo)"),), (Identical(),), (Identical(),)),
        ("n <= 3", (integer("n", "[1, 3]"),), S, S),
        ("-2 <= n", (integer("n", "[-2, oo)"),), B, S),
        (
            "sum(q, 2, n, x**q) + x**(n + 1)/(1 - x) == x**2/(1 - x)",
            (integer("n", "[2, oo)"), real("x", "(0, 1)")),
            (Identical(),),
            (Identical(),),
        ),
    ],
)
def test_what_is_proved(expression, symbols, base, step):
    assert found(expression, symbols, base, step).closed


@pytest.mark.parametrize(
    ("expression", "symbols", "base", "step", "conditions"),
    [
        ("n <= 2", (N,), B, S, ()),
        ("n <= 3", (integer("n", "[1, 4]"),), S, S, ()),
        ("2 <= n", (N,), S, S, ()),
        ("sum(k, 1, n, k) == n*(n + 1)/2 + 1", (N,), (Identical(),), (Identical(),), ()),
        ("sum(k, 1, n, n) == n**2", (N,), (Identical(),), (Identical(),), ()),  # true, but n is inside
        ("sum(k, n, n, k) == n*(n + 1)/2", (N,), (Identical(),), (Identical(),), ()),  # the lower end moves as well
        ("x <= 1", (N, X), S, S, ("x <= n",)),
        ("n <= 3", (N, X), S, S, ("x == n",)),  # the condition at n does not follow from that at n + 1
    ],
)
def test_what_is_false_or_not_shown_stays_open(expression, symbols, base, step, conditions):
    assert not found(expression, symbols, base, step, conditions).closed


def test_a_condition_that_holds_earlier_is_carried():
    assert found("n <= n**2*x", (N, X), S, S, ("0 < n", "1 <= x")).closed


@pytest.mark.parametrize(
    ("expression", "step"),
    [
        ("-(x + 1)*(1 + sqrt(x + n)**2) <= 0", S),
        ("-(x + 1)*(1 + sum(k, n, 3, sqrt(x + k))**2) <= 0", S),
        ("-(x + 1)*(1 + integral(z, 0, 1, sqrt(x + n + z))**2) <= 0", S),
        ("abs(x + 1) + sqrt(x + n) == x + 1 + sqrt(x + n)", (Identical(),)),
        ("abs(x + 1) + sum(k, n, 3, sqrt(x + k)) == x + 1 + sum(k, n, 3, sqrt(x + k))", (Identical(),)),
    ],
)
def test_a_hypothesis_without_a_value_is_no_hypothesis(expression, step, monkeypatch):
    """At n = 1 the terms exist for x >= -1 alone and the statement is true there; at n = 2 it is false at x = -3/2."""
    monkeypatch.setattr(check, "refuse_without_value", lambda goal: None)  # a goal inside of a proof
    base = S if "integral" not in expression else (ByTheorem("base"),)
    result = found(expression, (integer("n", "[1, 3]"), real("x", "[-10, 10]")), base, step)
    assert not result.closed
    assert "not shown to have a value" in result.evidence[-1].detail


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (Statement("n <= x", (integer("n", "(0, oo)"), X)), "whole closed low end"),
        (Statement("n <= x", (integer("n", "(-oo, 3]"), X)), "whole closed low end"),
        (Statement("n <= x", (real("n", "[0, oo)"), X)), "whole closed low end"),
    ],
    ids=str,
)
def test_where_induction_does_not_apply_is_an_error(statement, reason):
    with pytest.raises(ContentError, match=reason):
        prove(statement, (Induct("n", (ByTheorem("base"),), (Combine(()),)),), Search())


def test_a_range_that_ends_is_left_in_time():
    """The step runs to one less than the upper end: at the end there is no next number."""
    statement = Statement("n**2 <= 9", (integer("n", "[1, 3]"),))
    assert tried(statement, (Induct("n", (Enumerate(),), (Enumerate(),)),)).closed
    longer = Statement("n**2 <= 9", (integer("n", "[1, 4]"),))
    assert not tried(longer, (Induct("n", (Enumerate(),), (Enumerate(),)),)).closed


def test_a_base_that_fails_is_not_made_good_by_the_step():
    result = found("n + 5 <= n", (N,), B, S)
    assert not result.closed


@pytest.mark.parametrize(
    "expression",
    [
        "n*E(S**2) <= n*E(S)**2",
        "n*E(1 + S**2) <= n + n*E(S)*E(S)",
        "n*E((1 + S)**2) <= n*(1 + E(S))**2",
        "n*sum(j, 1, 2, E(j*S**2)) <= n*(1 + 2)*E(S)**2",
    ],
)
@pytest.mark.parametrize("total", ["sum(k, 1, 60, abs(dot(xi, v)))", "sum(k, 1, 50, abs(dot(xi, v))*k)"])
def test_a_random_sum_is_no_number_under_a_mean(expression, total):
    """Each says that the variance of a sum is not positive. Were the sum a number, its mean would be that number."""
    symbols = (integer("n", "[0, oo)"), vector("v"), gaussian("xi"))
    assert not found(expression.replace("S", f"{total}"), symbols, (Identical(),), S).closed


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (Statement("n <= x", (integer("n", "[1/2, oo)"), X)), "whole closed low end"),
        (Statement("sum(k, 1, n, k) <= sum_1", (N, real("sum_1", "[1, oo)"))), "a name of its own"),
        (Statement("E(norm(xi)**3) <= x", (N, X, gaussian("xi", "n"))), "a law hangs on n"),
    ],
    ids=str,
)
def test_what_induction_cannot_do_is_named(statement, reason):
    moves = (Induct("n", (ByTheorem("base"),), (Combine(()),)),)
    assert reason in prove(statement, moves, Search()).evidence[-1].detail


def test_an_inner_sum_with_an_outer_variable_is_no_number():
    """sum(k, 1, 50, j) hangs on j: it may not be named under the integral over j."""
    inner = "integral(j, 0, 1, sum(k, 1, 50, j**2)) + n*sum(k, 1, 50, 2)"
    statement = Statement(f"n*({inner}) <= n*({inner})", (integer("n", "[0, oo)"),))
    trail = tried(statement, (Induct("n", (Identical(),), (Identical(),)),))
    named = [e.detail for e in trail.evidence if "stands for" in e.detail]
    assert trail.closed
    assert named == ["sum_1 stands for sum(k, 1, 50, 2)"]


V = "v vector"


@pytest.mark.parametrize(
    ("ground", "text", "rows", "at", "reason"),
    [
        (
            ("E(dot(xi, v)**2) == s**2*dot(v, v)", V, "s real [0, oo)", "xi gaussian s"),
            "E(dot(xi, v)**2) == (2*s)**2*dot(v, v)",
            (V, "s real [0, oo)", "xi gaussian s"),
            [["s", "2*s"]],
            "not shown to be equal",
        ),
        (
            ("E(dot(xi, v)*dot(eta, v)) == 0", V, "xi gaussian 1", "eta gaussian 1"),
            "E(dot(xi, v)*dot(xi, v)) == 0",
            (V, "xi gaussian 1"),
            [["eta", "xi"]],
            "stand for different ones",
        ),
        (("0 <= x**2", "x real (-oo, oo)"), "0 <= dot(v, v)", (V,), [["x", "v"]], "a number is wanted"),
        (
            ("E(dot(xi, v)**2) == s**2*dot(v, v)", V, "s real [0, oo)", "xi gaussian s"),
            "E(dot(eta, v)**2) == (2*t)**2*dot(v, v)",
            (V, "t real [0, oo)", "eta gaussian 2*t"),
            [["s", "2*t"], ["xi", "eta"]],
            "",
        ),
    ],
)
def test_symbols_of_a_ground_keep_their_kind_and_their_law(ground, text, rows, at, reason):
    statement, *symbols = ground
    node = {"by": "instance", "of": "g", "at": at}
    said = why_not(stated(text, *rows), node, grounds={"g": stated(statement, *symbols)})
    assert reason in said
    assert bool(reason) == bool(said)
