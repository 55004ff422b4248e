"""Branch and bound proves what is true, leaves open what is not, and reports the worst point."""

from dataclasses import replace
from fractions import Fraction

import pytest

from dpaudit.claims.engines.rigorous.boxes import look, problem, prove, replay, show
from dpaudit.records.claim import Statement, integer, real, vector
from dpaudit.records.errors import ContentError

R, Q = real("r", "[0, 1]"), real("q", "[0, 1/2]")


def test_one_box_is_enough_for_a_monotone_bound():
    proof = prove(Statement("exp((1 - q)*r**2/2) <= 1.64873", (Q, R)), 10)
    assert proof.proved
    assert proof.boxes == 1
    assert proof.ratio == pytest.approx(0.99999, abs=1e-4)
    assert proof.worst == "q = 0, r = 1"


def test_splitting_resolves_a_dependency():
    proof = prove(Statement("r*(1 - r) <= 0.2501", (R,)), 10_000)
    assert proof.proved
    assert proof.boxes > 1
    assert proof.splits.count("0") == proof.splits.count(".") - 1  # a binary tree


def test_a_false_statement_is_left_open_with_a_reason():
    proof = prove(Statement("r*(1 - r) <= 0.2499", (R,)), 2_000)
    assert not proof.proved
    assert "the goal fails at r = " in proof.reason


def test_a_goal_fails_on_a_box_only_where_the_conditions_are_known_to_hold():
    """On [0, 1] whether x <= 1/2 is open, so that the goal may be asked nowhere where it fails."""
    for condition, leaf in (("x <= 1/2", ""), ("x <= 1", "!"), ("x > 1", "-")):
        goal = Statement("x + 2 <= 1", (real("x", "[0, 1]"),), (condition,))
        assert look(problem(goal), {"x": (Fraction(0), Fraction(1))}).leaf == leaf, condition


def test_equality_inside_is_left_open():
    proof = prove(Statement("2*r*q <= r**2 + q**2", (Q, R)), 500)
    assert not proof.proved


def test_unbounded_and_integer_symbols():
    proof = prove(Statement("(1 + 1/n)**n <= 3", (integer("n", "[1, 60]"),)), 1_000)
    assert proof.proved
    tail = prove(Statement("exp(-x) <= 1 + 1/x", (real("x", "[1/100, oo)"),)), 1_000)
    assert tail.proved


def test_conditions_cut_the_domain():
    statement = Statement("r + 0*q <= 0.51", (R, Q), ("r <= q",))
    assert prove(statement, 200).proved
    assert not prove(Statement("r <= 0.51", (R, Q)), 200).proved


def test_an_integer_box_shrinks_to_single_points():
    assert not prove(Statement("k <= 2", (integer("k", "[1, 3]"),)), 100).proved
    reason = prove(Statement("k <= 2", (integer("k", "[1, 3]"),)), 100).reason
    assert "fails at k = 3" in reason


def test_vectors_must_be_substituted_first():
    with pytest.raises(ContentError, match="substitute scalars"):
        prove(Statement("norm(v) <= 1", (vector("v"),)), 10)


def test_boxes_are_shown_in_words():
    from fractions import Fraction

    assert show({"q": (Fraction(0), Fraction(1, 4)), "x": (Fraction(1), None)}) == "q in [0, 1/4], x in [1, oo]"


X, Y, N = real("x", "[0, 1]"), real("y", "[0, 1]"), integer("n", "[1, 20]")
PROVED = [
    Statement("x*(1 - x) <= 0.2501", (X,)),
    Statement("x**2*y - y**2*x <= 0.26", (X, Y)),
    Statement("x + y <= 1.01", (X, Y), ("x <= 1 - y",)),
    Statement("sum(k, 1, n, 1/k**2) <= 1.65 - 1/(n + 1)", (N,)),
    Statement("sum(k, 1, n, x**k) <= n", (N, X)),
    Statement("binomial_cdf(floor(n/2), n, 1/2) >= 1/2", (N,)),
    Statement("gamma_tail(n, n) < 1/2", (N,)),
    Statement("integral(z, 0, 1, exp(-x*z**2)) <= 1 - x/3 + x**2/10 + 1/200", (X,)),
    Statement("ceil(log2(n)) <= n - 1 + floor(1/n)", (N,)),
    Statement("1 + 10**(-60) <= exp(10**(-60)) + 10**(-150)", ()),
]


@pytest.mark.parametrize("statement", PROVED, ids=lambda s: s.expression)
def test_a_split_tree_can_be_walked_again(statement):
    proof = prove(statement, 3_000)
    assert proof.proved, proof.reason
    assert replay(statement, proof)


@pytest.mark.parametrize("change", ["drop", "extra", "leaf", "cut"])
def test_a_damaged_split_tree_is_refused(change):
    statement = PROVED[2]
    proof = prove(statement, 3_000)
    splits = list(proof.splits)
    assert {".", "-"} <= set(splits)
    if change == "drop":
        splits.pop()
    elif change == "extra":
        splits.append(".")
    elif change == "leaf":
        splits[splits.index("-")] = "."
    else:
        splits = ["."]
    assert not replay(statement, replace(proof, splits=splits))


def test_a_tree_of_another_statement_is_refused():
    assert not replay(Statement("x*(1 - x) <= 0.2499", (X,)), prove(PROVED[0], 3_000))


def test_rounding_is_met_with_more_bits_and_the_proof_says_how_many():
    fine = prove(PROVED[-1], 100)
    assert fine.proved
    assert fine.precision == 512
    assert not replay(PROVED[-1], replace(fine, precision=128))
    assert prove(PROVED[0], 3_000).precision == 128


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (Statement("sqrt(2)**2 <= 2", ()), "boundary equality"),
        (Statement("sqrt(x)**2 <= x", (X,)), "boundary equality"),
        (Statement("2*x*y <= x**2 + y**2", (X, Y)), "equality nearby"),
        (Statement("x/x <= 1", (X,)), "0/0"),
        (Statement("log(x - 1) - log(x - 1) <= 1", (X,)), "undefined there"),
        (Statement("log(x) <= x - 1/2", (real("x", "[1, oo)"),)), "unbounded domain"),
        (Statement("0 < x", (real("x", "(0, 1]"),)), "which Boxes() closes"),
        (Statement("x*y <= 0.2499", (X, Y), ("x + y <= 1",)), "the goal fails at"),
        (Statement("x + 2 <= y", (X, Y)), "the goal fails at"),
        (Statement("n <= 19", (N,)), "the goal fails at n = 20"),
        (Statement("1 < x", (real("x", "(1, 2]"),)), "which Boxes() closes"),
        (Statement("2 <= n", (integer("n", "(1, 5]"),)), "which Boxes() closes"),
        (Statement("exp(x)*exp(-x) <= 1.000001", (X,)), "budget of 1000 boxes spent"),
    ],
)
def test_a_search_that_stops_says_why(statement, reason):
    proof = prove(statement, 1_000)
    assert not proof.proved
    assert reason in proof.reason


@pytest.mark.parametrize(
    "statement",
    [
        Statement("x == x", (X,)),
        Statement("x <= 2", (X,), exists=True),
        Statement("n <= 1", (integer("n", "(1/3, 2/3)"),)),
    ],
)
def test_what_boxes_do_not_prove_is_refused(statement):
    with pytest.raises(ContentError, match=r"Boxes\(\) proves|no integer"):
        prove(statement, 10)


def test_fractional_ends_of_integers_are_rounded_inwards():
    proof = prove(Statement("k**2 <= 1", (integer("k", "[-3/2, 7/4]"),)), 100)
    assert proof.proved
    assert proof.worst in ("k = -1", "k = 1")


def test_conditions_may_be_equations():
    assert prove(Statement("x + y <= 1.6", (X, Y), ("x**2 + y**2 == 1",)), 3_000).proved


@pytest.mark.deep
def test_panels_are_added_where_they_are_needed():
    tight = Statement("integral(z, 0, 1, exp(x*z)) <= exprel(x) + 3/250", (real("x", "[7/8, 1]"),))
    proof = prove(tight, 400)
    assert proof.proved
    assert proof.panels > 64
    assert replay(tight, proof)
    assert not replay(tight, replace(proof, panels=8))


def test_a_proof_uses_only_what_a_plain_checker_can_repeat():
    """At a point the quadrature is much sharper than panels, but a certificate cannot hold it."""
    integral = "integral(z, 0, 1, exp(-n*z)) <= 1/n"
    assert prove(Statement(integral, (integer("n", "[1, 5]"),)), 1_000).panels > 64
    assert not prove(Statement(integral, (integer("n", "[1, 20]"),)), 1_000).proved
    sums = prove(Statement("sum(k, 1, n, 1) <= 21", (N,)), 100)
    assert sums.proved
    assert sums.boxes == 39  # down to single n
