"""Sequences of vectors in the language of claims: what is read, that both readers agree, and what is proved."""

from __future__ import annotations

import random

import pytest
from depth import repeats

from dpaudit.claims.argument import attempts
from dpaudit.claims.argument.nodes import Search, as_data
from dpaudit.claims.argument.nodes import statement_of as goal_statement
from dpaudit.claims.argument.proof import prove
from dpaudit.claims.certificates.certificate import statement_of
from dpaudit.claims.engines.empirical import candidate_points
from dpaudit.claims.engines.rigorous.witness import certify, inside
from dpaudit.claims.judge import judge
from dpaudit.claims.language.expression import has_mean, is_vector, parse
from dpaudit.claims.language.gram import Translator, scalar_expr, to_expr
from dpaudit.claims.language.sequences import indexed, vector_row, written_out
from dpaudit.claims.language.statements import parse_goal
from dpaudit.claims.source import Source
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.points import Point
from dpaudit.recheck.terms import term
from dpaudit.records.claim import (
    AtIndex,
    Boxes,
    Induct,
    Statement,
    Step,
    gaussian,
    integer,
    real,
    sequence,
    vector,
    vector_sequence,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError, DpauditError
from dpaudit.records.verdict import Outcome

T, ETA, L = integer("T", "[1, oo)"), real("eta", "(0, oo)"), real("L", "[0, oo)")
X, G, Z = vector_sequence("x", "iterates"), vector_sequence("g", "gradients"), vector("z")
SEED = 20261127


def said(goal: str, *conditions: str) -> Statement:
    return Statement(goal, (T, X, G, Z), conditions)


def at(steps: int, x: str, g: str = "[(0, 0)]", z: str = "(0, 0)") -> tuple[tuple[str, str], ...]:
    return (("T", str(steps)), ("x", x), ("g", g), ("z", z))


def test_its_kind_is_said() -> None:
    assert str(X) == "x a sequence of vectors"
    assert indexed(said("norm(z) <= 1"))
    assert is_vector(parse("2*x[T] - z"), (X, Z))
    assert not is_vector(parse("e[T]"), (sequence("e"), Z))


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("norm(x) <= 1", "'x' is a sequence: it stands with an index"),
        ("norm(z[0]) <= 1", "'z' is no sequence"),
        ("norm(y[0]) <= 1", "unknown symbol.*'y'"),
    ],
)
def test_what_cannot_be_meant_is_said(goal: str, words: str) -> None:
    with pytest.raises(DpauditError, match=words):
        parse_goal(said(goal))


def test_a_vector_is_no_number() -> None:
    with pytest.raises(ContentError, match="is a vector"):
        scalar_expr(parse("x[0] + 1"), (X, Z))


@pytest.mark.parametrize("text", ["(1, 2)", "[1, 2]", "[]", "[(1, 2]", "[((1, 2))]", "[(1, 2), 3]", "[(1, 2)(3, 4)]"])
def test_a_row_of_vectors_looks_like_one(text: str) -> None:
    with pytest.raises(ContentError):
        vector_row(text)


def test_a_statement_is_written_out_at_a_point() -> None:
    made = written_out(said("sum(t, 0, T, dot(x[t], z)) <= norm(x[T + 5])"), at(2, "[(3, 0), (2, 0), (1, 0)]"))
    assert made is not None
    statement, point = made
    assert statement.expression == "dot(x_0, z) + (dot(x_1, z) + dot(x_2, z)) <= norm(x_2)"
    assert [s.name for s in statement.symbols] == ["T", "z", "x_0", "x_1", "x_2", "g_0"]
    assert dict(point)["x_1"] == "(2, 0)"


def test_a_new_name_is_no_old_one() -> None:
    """x_0 is a symbol already, and x__1 the variable of a sum."""
    taken = Statement("norm(x[0]) <= x_0 + sum(x__1, 0, 1, x__1)", (X, real("x_0")))
    made = written_out(taken, (("x", "[(3, 4)]"), ("x_0", "1")))
    assert made is not None
    assert made[0].expression == "norm(x___0) <= x_0 + sum(x__1, 0, 1, x__1)"
    assert certify(taken, (("x", "[(3, 4)]"), ("x_0", "1"))) is not None
    assert certify(taken, (("x", "[(3, 4)]"), ("x_0", "4"))) is None


def test_a_witness_names_the_row() -> None:
    away = at(1, "[(1, 0), (2, 0)]")
    found = certify(said("norm(x[T]) <= norm(x[0])"), away)
    assert found is not None
    assert found.point == away
    assert certify(said("norm(x[T]) <= norm(x[0])", "all(t, 0, T - 1, norm(x[t + 1]) <= norm(x[t]))"), away) is None
    with pytest.raises(ContentError, match="no value for 'x'"):
        certify(Statement("norm(x[T]) <= 1", (T, X)), (("T", "1"),))
    with pytest.raises(ContentError, match="one dimension"):
        certify(said("norm(x[T] - z) <= 1"), at(1, "[(1,)]"))


def test_rows_of_vectors_are_drawn() -> None:
    rows = [vector_row(dict(point)["x"]) for point in candidate_points(said("norm(x[0]) <= 1"), SEED, 50)]
    assert {len(row) for row in rows} == {1, 2, 3, 4}


@pytest.mark.parametrize(
    "text",
    [
        "norm(x[T + 1] - z)**2 - dot(g[T], 2*x[T]/T)",
        "sum(t, 0, T, dot(x[t], g[t] - z)*T)",
        "norm(3*x[T])",
        "sqrt(dot(x[0], g[0])**2)",
        "norm(T*x[0] - T*z)",
        "sum(t, 0, T, sum(s, 0, t, dot(x[s], x[t])))",
    ],
)
def test_sympy_and_back(text: str) -> None:
    again = to_expr(Translator((T, X, G, Z)).scalar_form(parse(text)))
    context = read_statement(as_data(said("0 <= 1"))).context
    assert context.equal(term(str(again)), term(text))


def test_a_product_with_something_random_stays_in_its_mean() -> None:
    """The checker takes it out; in SymPy the product of two vectors is no symbol that a mean is taken over."""
    symbols = (T, X, gaussian("xi", "1"))
    assert has_mean(scalar_expr(parse("E(exp(dot(xi, x[T])))"), symbols))
    statement = Statement("E(exp(dot(xi, x[T]))) == exp(norm(x[T])**2/2)", symbols)
    assert prove(statement, (), Search("toy/LEM-1")).closed
    wrong = Statement("E(exp(dot(xi, x[T]))) == exp(norm(x[0])**2/2)", symbols)
    assert not prove(wrong, (), Search("toy/LEM-1")).closed


STEP = "all(t, 0, T - 1, norm(x[t + 1] - z)**2 <= norm(x[t] - eta*g[t] - z)**2)"
BOUNDED = "all(t, 0, T - 1, norm(g[t])**2 <= L**2)"
REGRET = "sum(t, 0, T - 1, dot(g[t], x[t] - z)) <= (norm(x[0] - z)**2 - norm(x[T] - z)**2)/(2*eta) + {}*L**2*T"


def regret(last: str, *conditions: str) -> Statement:
    return Statement(REGRET.format(last), (T, ETA, L, X, G, Z), conditions)


@pytest.mark.deep
def test_the_regret_of_projected_gradient_descent_is_bounded_over_t() -> None:
    """Zinkevich (2003), Theorem 1 with one step size, in every dimension: a third of eta is too little."""
    assert prove(regret("eta/2", STEP, BOUNDED), (Induct("T"),), Search("toy/LEM-1")).closed
    assert not prove(regret("eta/3", STEP, BOUNDED), (Induct("T"),), Search("toy/LEM-1")).closed
    assert not prove(regret("eta/2", STEP), (Induct("T"),), Search("toy/LEM-1")).closed
    moved = (("T", "1"), ("eta", "1"), ("L", "1"), ("x", "[(0,), (1,)]"), ("g", "[(-1,)]"), ("z", "(0,)"))
    assert certify(regret("eta/3", STEP, BOUNDED), moved) is not None
    assert certify(regret("eta/2", STEP, BOUNDED), moved) is None


@pytest.mark.deep
def test_a_proof_by_squares_needs_no_argument() -> None:
    """One step of gradient descent from the smoothness of its function, with vectors of sequences."""
    statement = said(
        "norm(x[T + 1] - z)**2 <= norm(x[T] - z)**2",
        "dot(x[T] - x[T + 1], x[T] - z) >= norm(x[T] - x[T + 1])**2",
    )
    assert prove(statement, (), Search("toy/LEM-1")).closed
    shifted = said(statement.expression, statement.conditions[0].replace("x[T + 1]", "x[T + 2]"))
    assert not prove(shifted, (), Search("toy/LEM-1")).closed


def test_a_box_is_for_numbers_alone() -> None:
    trail = prove(said("-1 <= norm(x[0])"), (Boxes(),), Search("toy/LEM-1"))
    assert not trail.closed


RELATIONS = (
    "norm(x[T + {i}] - z)**2 <= norm(x[{j}] - z)**2 + {k}",
    "dot(x[{i}], x[T]) <= {k}*norm(x[T])**2",
    "sum(s, 0, T + {i}, dot(x[s], g[s])) <= {k}*norm(x[0])**2",
    "norm(x[T])**2 <= norm(x[T + {i}])**2",
    "sum(s, 0, T - 1, norm(x[s + 1])**2 - norm(x[s])**2) == norm(x[T + {i}])**2 - norm(x[{j}])**2",
    "2*dot(x[{i}], g[T]) <= norm(x[{i}])**2 + norm(g[T])**2",
)
CONDITIONS = (
    "all(t, {i}, T + {j}, norm(x[t + 1] - z)**2 <= norm(x[t] - z)**2)",
    "all(t, 0, T + {i}, norm(x[t])**2 <= {k})",
    "all(t, {i}, {k}, dot(x[t], g[t]) <= norm(x[t + {j}])**2)",
)


def drawn(rng: random.Random) -> Statement:
    def filled(texts: tuple[str, ...]) -> str:
        return rng.choice(texts).format(i=rng.randint(-1, 1), j=rng.randint(-1, 1), k=rng.randint(0, 2))

    return said(filled(RELATIONS), *(filled(CONDITIONS) for _ in range(rng.randint(0, 2))))


def points(rng: random.Random, count: int) -> list[tuple[tuple[str, str], ...]]:
    def one(length: int) -> str:
        return f"[{', '.join(f'({rng.randint(-2, 2)}, {rng.randint(-1, 1)})' for _ in range(length))}]"

    return [at(rng.randint(1, 2), one(4), one(2), f"({rng.randint(-1, 1)}, 0)") for _ in range(count)]


@pytest.mark.parametrize("number", range(20))
def test_both_readers_agree_at_points(number: int) -> None:
    """The engines write a statement out, the checker looks each vector up."""
    rng = random.Random(SEED + number)
    statement = drawn(rng)
    goal = read_statement(as_data(statement))
    for point in points(rng, 12):
        place = Point(goal.context, dict(point))
        met = all(place.holds(c) for c in goal.context.given) and all(place.holds_at_every(c) for c in goal.every)
        assert inside(statement, point) is (met and place.holds(goal.relation) is not None)
        assert (certify(statement, point) is not None) is (met and place.holds(goal.relation) is False)


ARGUMENTS = ((Induct("T"),), (), (AtIndex("0"),), (AtIndex("T - 1"),), (AtIndex("T"),))


@pytest.mark.deep
def test_what_is_proved_has_no_counterexample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random statements, most of them false: what an argument proves holds at small points."""
    monkeypatch.setattr(attempts, "MOST", 3)
    rng, closed = random.Random(SEED), 0
    for _ in range(repeats(14, 80)):
        statement = drawn(rng)
        trail = prove(statement, rng.choice(ARGUMENTS), Search("toy/LEM-1"))
        if trail.closed and not trail.partial:
            closed += 1
            assert not [point for point in points(rng, 60) if certify(statement, point)], str(statement)
    assert closed >= 3


def test_a_certificate_says_the_same_statement() -> None:
    assert str(statement_of(as_data(regret("eta/2", STEP, BOUNDED)))) == str(regret("eta/2", STEP, BOUNDED))


def test_what_a_goal_does_not_name_is_left_out_of_its_statement() -> None:
    goal = read_statement(as_data(said("norm(x[T]) <= 1", "norm(g[T]) <= norm(x[T])", "norm(x[0]) <= 1")))
    made = goal_statement(goal)
    assert [s.name for s in made.symbols] == ["T", "x", "z"]
    assert len(made.conditions) == 1


def test_conditions_that_hold_where_nothing_moves_are_no_empty_domain() -> None:
    """Every drawn row but that of 0 breaks the condition."""
    still = Step("s1", "words", said("norm(x[0])**2 <= 1", "norm(x[0])**2 + norm(g[0])**2 + norm(z)**2 <= 0"))
    assert judge("toy/LEM-1/s1", still, Source(), Context(SEED, Level.SMOKE, 1e-6)).outcome is Outcome.PROVED
