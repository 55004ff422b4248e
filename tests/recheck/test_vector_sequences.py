"""Sequences of vectors in the checker: what is read, which terms are equal, and what must not follow."""

from __future__ import annotations

import random
from itertools import product

import pytest
from domains import goal, stated, why_not, written

from dpaudit.recheck.check import check
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.points import Point
from dpaudit.recheck.terms import Refused, relation, term

T, X, G, Z = "T integer [1, oo)", "x vector_sequence", "g vector_sequence", "z vector"
E, XI = "e sequence [0, oo)", "xi gaussian 1"
AUTO = {"by": "positive"}
SEED = 20261127


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x <= 1", "stands with an index alone"),
        ("norm(x) <= 1", "stands with an index alone"),
        ("x[0] <= 1", "a number is wanted"),
        ("norm(e[0]) <= 1", "a vector is wanted"),
        ("norm(z[0]) <= 1", "not one of a sequence"),
        ("dot(x[0], e[0]) <= 1", "a vector is wanted"),
        ("norm(x[0] + 1) <= 1", "where a vector is wanted"),
        ("norm(x[0]*x[1]) <= 1", "a number is wanted"),
        ("norm(x[z]) <= 1", "where a number is wanted"),
        ("norm(x[x[0]]) <= 1", "a number is wanted"),
        ("norm(x[T/2]) <= 1", "a whole index"),
        ("E(norm(x[floor(norm(xi))])) <= 1", "random"),
        ("norm(y[0]) <= 1", "no symbol"),
        ("sum(t, 0, T, x[t]) <= 1", "a number is wanted"),
    ],
)
def test_what_is_no_vector_of_a_sequence_is_refused(text: str, words: str) -> None:
    try:
        reason = why_not(stated(text, T, X, Z, E, XI), AUTO)
    except Refused as error:
        reason = str(error)
    assert words in reason, reason


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("norm(x[T] - z)**2", "norm(x[T])**2 - 2*dot(x[T], z) + norm(z)**2", True),
        ("dot(x[T + 1], x[1 + T])", "norm(x[T + 1])**2", True),
        ("dot(x[T], x[0])", "dot(x[0], x[T])", True),
        ("norm(2*x[T])", "2*norm(x[T])", True),
        ("norm((x[T] - x[0])/T)", "norm(x[0] - x[T])/T", True),
        ("norm(x[T + 1])**2", "norm(x[T])**2", False),
        ("dot(x[T], g[T])", "dot(g[T], g[T])", False),
        ("dot(x[0], x[1])", "norm(x[0])*norm(x[1])", False),
        ("norm(x[0] - x[T])", "norm(x[0]) - norm(x[T])", False),
        ("sum(t, 0, T, dot(x[t], z))", "sum(s, 0, T, dot(z, x[s]))", True),
        ("sum(t, 0, T, dot(x[t], z))", "sum(s, 0, T, dot(z, x[s + 1]))", False),
        ("sum(t, 0, T, dot(x[t], x[0] + z))", "sum(t, 0, T, dot(x[t], z)) + sum(t, 0, T, dot(x[t], x[0]))", True),
        ("sum(t, 0, T, dot(x[0], z))", "(T + 1)*dot(x[0], z)", True),
        ("sum(t, 0, T, dot(x[t], z))", "(T + 1)*dot(x[0], z)", False),
        ("sum(t, 0, T, sum(s, 0, T, dot(x[t], x[s])))", "sum(s, 0, T, sum(t, 0, T, dot(x[s], x[t])))", True),
        ("sum(t, 0, T, sum(s, 0, T, dot(x[t], x[s])))", "sum(t, 0, T, norm(x[t])**2)", False),
        ("sum(t, 0, T, sum(s, 0, T, norm(x[t])**2))", "(T + 1)*sum(t, 0, T, norm(x[t])**2)", True),
        ("sum(t, 0, T + 1, norm(x[t])**2)", "sum(t, 0, T, norm(x[t])**2) + norm(x[T + 1])**2", True),
        ("E(exp(dot(xi, x[T])))", "exp(norm(x[T])**2/2)", True),
        ("E(dot(xi, x[0])*dot(xi, x[1]))", "dot(x[0], x[1])", True),
        ("E(dot(xi, x[0])**2)", "norm(x[1])**2", False),
        ("E(norm(x[T])*dot(xi, z))", "norm(x[T])", False),
    ],
)
def test_which_terms_are_equal(left: str, right: str, equal: bool) -> None:
    context = read_statement(stated("0 <= 1", T, X, G, Z, XI)).context
    assert context.equal(term(left), term(right)) is equal


def point(rng: random.Random) -> dict[str, str]:
    """Small vectors of two coordinates."""

    def drawn() -> str:
        return f"({rng.randint(-3, 3)}, {rng.randint(-3, 3)})"

    rows = {name: f"[{', '.join(drawn() for _ in range(5))}]" for name in ("x", "g")}
    return {"T": str(rng.randint(1, 3)), "z": drawn(), **rows}


def vector(rng: random.Random, depth: int) -> str:
    if not depth or rng.random() < 0.3:
        return rng.choice(("z", "x[T]", "x[T + 1]", "x[0]", "g[T]", "x[t]", "g[t]", "x[t + 1]", "x[T - t]"))
    a, b = vector(rng, depth - 1), vector(rng, depth - 1)
    return rng.choice((f"({a} + {b})", f"({a} - {b})", f"(2*{a})", f"({a}*T)", f"({a}/(T + 1))", f"(-{a})"))


def scalar(rng: random.Random) -> str:
    a, b = vector(rng, 2), vector(rng, 2)
    inner = rng.choice((f"dot({a}, {b})", f"norm({a})**2", f"dot({a}, {a} - {b})", f"dot({a}, {b})*T"))
    return f"sum(t, 0, T, {inner})"


@pytest.mark.deep
def test_forms_say_what_points_say() -> None:
    """Random terms: the normal form of one, read again, has its value; two that are equal have one value."""
    context = read_statement(stated("0 <= 1", T, X, G, Z)).context
    rng = random.Random(SEED)
    for _ in range(150):
        one, other = term(scalar(rng)), term(scalar(rng))
        again = context.forms.node(context.forms.form(one))
        for _ in range(3):
            at = Point(context, point(rng))
            assert at.holds(relation_of(one, again)) is True
            if context.equal(one, other):
                assert at.holds(relation_of(one, other)) is True


def relation_of(left: object, right: object):
    return relation("0 == 0")._replace(left=left, right=right)


def test_squares_are_found_at_indices() -> None:
    context = goal("0 <= 1", T, X, Z).context
    assert context.sign(term("norm(x[T])**2 - 2*dot(x[T], z) + norm(z)**2")) == 0
    assert context.sign(term("norm(x[T])**2 - 2*dot(x[T + 1], z) + norm(z)**2")) is None
    assert context.sign(term("sum(t, 0, T, norm(x[t])**2 - 2*dot(x[t], z) + norm(z)**2)")) == 0
    assert context.sign(term("dot(x[T], x[0])")) is None
    assert context.sign(term("dot(x[T], x[T])")) == 0


DESCENT = "all(t, 0, T - 1, norm(x[t + 1] - z)**2 <= norm(x[t] - z)**2)"


def falling(used: str = "T") -> dict:
    """A proof by induction that the distance to z falls."""
    added = [["1", "norm(x[T + 1] - z)**2 <= norm(x[T] - z)**2"], ["1", "norm(x[T] - z)**2 <= norm(x[0] - z)**2"]]
    base = {"by": "at-index", "of": 0, "index": "0", "then": AUTO}
    step = {"by": "at-index", "of": 0, "index": used, "then": {"by": "combine", "terms": added}}
    return {"by": "induct", "variable": "T", "base": base, "step": step}


def test_a_distance_that_falls_at_each_step_falls() -> None:
    statement = stated("norm(x[T] - z)**2 <= norm(x[0] - z)**2", T, X, Z, conditions=(DESCENT,))
    assert check(written(statement, falling())).steps == 5
    assert "is not shown" in why_not(statement, falling("T + 1"))
    shifted = stated("norm(x[T + 1] - z)**2 <= norm(x[0] - z)**2", T, X, Z, conditions=(DESCENT,))
    assert why_not(shifted, falling())


def test_what_is_proved_holds_for_all_small_sequences() -> None:
    one = goal("norm(x[T] - z)**2 <= norm(x[0] - z)**2", T, X, Z, conditions=(DESCENT,))
    met = 0
    for steps, *row in product((1, 2), *[(-1, 0, 2)] * 3):
        at = Point(one.context, {"T": str(steps), "z": "(1,)", "x": f"[{', '.join(f'({k},)' for k in row)}]"})
        if at.holds_at_every(one.every[0]):
            met += 1
            assert at.holds(one.relation)
    assert met > 10


@pytest.mark.parametrize(
    "text",
    ["(1, 2)", "[1, 2]", "[]", "[(1, 2]", "[((1, 2))]", "[(1, 2), 3]", "[(1, 2)(3, 4)]", "[(1, 2), (3,)]", "[(a,)]"],
)
def test_a_sequence_of_vectors_at_a_point_is_a_row_of_them(text: str) -> None:
    context = goal("norm(x[0]) <= 1", X).context
    with pytest.raises(Refused):
        Point(context, {"x": text})


def test_vectors_of_a_point_have_one_dimension() -> None:
    context = goal("norm(x[0] - z) <= 1", X, Z).context
    assert Point(context, {"x": "[(1, 2)]", "z": "(0, 0)"})
    with pytest.raises(Refused, match="one dimension"):
        Point(context, {"x": "[(1, 2)]", "z": "(0,)"})


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ([["x", "g"]], ""),
        ([["x", "z"]], "stands for another sequence"),
        ([["x", "g[0]"]], "stands for another sequence"),
        ([["x", "e"]], "stands for another sequence"),
        ([["z", "g"], ["x", "g"]], "another kind of symbol"),
    ],
)
def test_an_instance_takes_a_sequence_of_vectors_for_one(at: list[list[str]], words: str) -> None:
    ground = stated("norm(x[T] - z) <= 1", T, X, Z, conditions=("all(t, 0, T, norm(x[t] - z) <= 1)",))
    there = stated("norm(g[T] - z) <= 1", T, G, Z, E, conditions=("all(t, 0, T, norm(g[t] - z) <= 1)",))
    node = {"by": "instance", "of": "lemma", "at": at}
    assert words in why_not(there, node, grounds={"lemma": ground})


def test_nothing_is_between_two_indices() -> None:
    statement = stated("0 <= norm(x[T])**2 + 1", T, X)
    monotone = {"by": "monotone", "variable": "T", "at": "low", "slope": "0", "inner": AUTO, "then": AUTO}
    assert "a whole index" in why_not(statement, monotone)


def test_a_sequence_of_vectors_has_no_box() -> None:
    assert "has no box" in why_not(stated("-1 <= norm(x[0])", X), {"by": "boxes", "splits": ""})


@pytest.mark.parametrize(("text", "words"), [("x[0]", "is a vector"), ("x", "is a sequence"), ("z", "is a vector")])
def test_a_vector_has_no_form_of_a_number(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        goal("norm(x[0] - z) <= 1", X, Z).context.forms.form(term(text))


def test_an_index_that_is_no_whole_number_has_no_vector() -> None:
    one = goal("norm(x[y]) <= 5", X, "y real [0, 1]")
    assert Point(one.context, {"x": "[(1,), (2,)]", "y": "1"}).holds(one.relation) is True
    with pytest.raises(Refused, match="no whole number"):
        Point(one.context, {"x": "[(1,), (2,)]", "y": "1/2"}).holds(one.relation)
