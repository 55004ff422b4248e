"""Sequences in the language of claims: what is read and refused, and that both readers agree at points."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from dpaudit.claims.argument import attempts
from dpaudit.claims.argument.nodes import Search, as_data
from dpaudit.claims.argument.proof import prove
from dpaudit.claims.certificates.certificate import statement_of
from dpaudit.claims.engines import falsify, smt
from dpaudit.claims.engines.empirical import candidate_points
from dpaudit.claims.engines.rigorous.witness import certify, inside
from dpaudit.claims.language.expression import (
    parse,
    parse_condition,
    parse_relation,
)
from dpaudit.claims.language.gram import Translator, to_expr
from dpaudit.claims.language.mutants import places
from dpaudit.claims.language.sequences import deciding, indexed, row, unrolled, written_out
from dpaudit.claims.language.statements import parse_goal, parse_statement
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.points import Point
from dpaudit.recheck.terms import term
from dpaudit.records.claim import (
    AtIndex,
    Boxes,
    Have,
    Induct,
    Name,
    Narrow,
    Statement,
    constant,
    gaussian,
    integer,
    real,
    sequence,
    vector,
)
from dpaudit.records.errors import ContentError, DpauditError

T, E, X = integer("T", "[1, oo)"), sequence("e", "[0, oo)"), real("x", "[0, 1]")
FALLS = "all(t, 0, T - 1, e[t + 1] <= e[t])"
SEED = 20261125


def said(goal: str, *conditions: str) -> Statement:
    return Statement(goal, (T, E, X), conditions)


@pytest.mark.parametrize(
    "text", ["e[t]", "e[t + 1]*2", "sum(k, 0, T, e[k - 1])", "e[2*T - 1]**2", "-e[0]", "(1 - x)*e[T]"]
)
def test_what_is_shown_is_read_again(text: str) -> None:
    assert str(parse(text)) == text.replace("*", " * ").replace(" *  * ", "**")
    assert parse(str(parse(text))) == parse(text)


def test_a_condition_is_shown_as_it_is_read() -> None:
    assert str(parse_condition(FALLS)) == FALLS
    assert parse_condition("x <= 1") == parse_relation("x <= 1")
    exact = "0.1000000000000000000000000000000001"
    assert str(parse_condition(f"all(t, 0, T, {exact} <= e[t])").relation.left) == str(Fraction(exact))


@pytest.mark.parametrize(
    ("goal", "conditions", "words"),
    [
        ("e <= 1", (), "'e' is a sequence: it stands with an index"),
        ("x + e <= 1", (), "'e' is a sequence"),
        ("e[e] <= 1", (), "'e' is a sequence"),
        ("x[1] <= 1", (), "'x' is no sequence"),
        ("g[1] <= 1", (), "unknown symbol.*'g'"),
        ("e[1, 2] <= 1", (), "not part of the statement language"),
        ("e[0] <= 1", ("all(T, 0, 3, e[T] <= 1)",), "'T' is a symbol and the index"),
        ("e[0] <= 1", ("all(t, 0, t, e[t] <= 1)",), "unknown symbol.*'t'"),
        ("e[0] <= 1", ("all(t, 0, T, e[s] <= 1)",), "unknown symbol.*'s'"),
        ("e[0] <= 1", ("all(t, 0, T, e[t])",), "expected one relation"),
        ("e[0] <= 1", ("all(t, 0, e[t] <= 1)",), "needs a bare name, two ends and a relation"),
        ("e[0] <= 1", ("all(1, 0, T, e[0] <= 1)",), "needs a bare name, two ends and a relation"),
        ("e[0] <= 1", ("all(t, 0, T, e <= 1)",), "'e' is a sequence"),
        ("all(t, 0, T, e[t] <= 1)", (), "expected one relation"),
        ("e[0x1] <= 1", (), "decimal digits"),
    ],
)
def test_what_cannot_be_meant_is_said(goal: str, conditions: tuple[str, ...], words: str) -> None:
    with pytest.raises(DpauditError, match=words):
        parse_goal(said(goal, *conditions))


def test_only_a_point_reads_a_condition_at_every_index() -> None:
    with pytest.raises(ContentError, match="at a point alone"):
        parse_statement(said("e[0] <= 1", FALLS))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (said("x <= 1"), True),
        (Statement("x <= 1", (X,), ("all(t, 0, 3, t*x <= 3)",)), True),
        (Statement("x <= 1", (X,)), False),
    ],
)
def test_what_has_indices(statement: Statement, expected: bool) -> None:
    assert indexed(statement) is expected


@pytest.mark.parametrize("text", ["1/2", "[]", "(1, 2)", "[1", "[ ]", "[a]", "[0x1]", "[1/0]", "[nan]", "[1; 2]"])
def test_a_row_of_numbers_looks_like_one(text: str) -> None:
    with pytest.raises(ContentError):
        row(text)


def test_a_long_sum_is_written_out_in_time_or_not_at_all() -> None:
    """The sums inside of sums count together."""
    double = said("0 <= sum(i, 0, T, sum(j, 0, i, e[i]*e[j]))")
    assert inside(double, at(60, "[1, 2]"))
    assert written_out(double, at(100, "[1, 2]")) is None
    assert certify(said("sum(k, 0, T, e[k]) <= 1"), at(1_900, "[1]")) is not None


def at(steps: int, numbers: str, x: str = "1/2") -> tuple[tuple[str, str], ...]:
    return (("T", str(steps)), ("e", numbers), ("x", x))


def test_a_statement_is_written_out_at_a_point() -> None:
    made = written_out(said("sum(k, 0, T, e[k]) <= x*e[T + 5]", FALLS, "x <= 1"), at(2, "[3, 2, 1]"))
    assert made is not None
    statement, point = made
    assert statement.expression == "3 + (2 + 1) <= x * 1"
    assert statement.conditions == ("2 <= 3", "1 <= 2", "x <= 1")
    assert point == (("T", "2"), ("x", "1/2"))
    assert [s.name for s in statement.symbols] == ["T", "x"]


@pytest.mark.parametrize(
    ("goal", "point"),
    [
        ("e[0] <= 1", at(1, "[-1]")),  # out of range
        ("e[x] <= 1", at(1, "[1]")),  # no whole index
        ("e[1/0] <= 1", at(1, "[1]")),
        ("sum(k, 0, T, e[k]) <= 1", at(5_000, "[1]")),  # too many
        ("sum(k, 0, x, e[k]) <= 1", at(1, "[1]")),
    ],
)
def test_where_it_has_no_value_nothing_is_written(goal: str, point: tuple[tuple[str, str], ...]) -> None:
    assert written_out(said(goal), point) is None
    assert certify(said(goal), point) is None
    assert not inside(said(goal), point)


def test_a_witness_names_the_row() -> None:
    found = certify(said("e[T] <= e[0]"), at(2, "[1, 2, 3]"))
    assert found is not None
    assert found.point == at(2, "[1, 2, 3]")
    assert certify(said("e[T] <= e[0]", FALLS), at(2, "[1, 2, 3]")) is None
    assert certify(said("e[T] <= e[0]"), at(2, "[1, 2, 1]")) is None


def test_a_point_without_the_row_is_an_error() -> None:
    with pytest.raises(ContentError, match="no value for 'e'"):
        certify(said("e[0] <= 1"), (("T", "1"), ("x", "0")))


def test_other_engines_leave_sequences_alone() -> None:
    statement = said("e[T] <= e[0]", FALLS)
    assert "sequences are not said" in smt.solve(statement, (), 1_000).detail
    assert (
        "sequences are not said" in smt.solve(Statement("x <= 1", (X,)), (parse_relation("0 <= e[1]"),), 1_000).detail
    )


@pytest.mark.parametrize(
    ("statement", "false"),
    [
        (said("e[T] <= e[0] + 1/100", "all(t, 0, T - 1, e[t + 1] <= e[t] + 1/50)"), True),
        (said("sum(k, 1, T, e[k])**2 <= 3/2*sum(k, 1, T, e[k]**2)", "T >= 2"), True),
        (said("e[T] <= (1 - x)**T*e[0] + 1/(2*x)", "0 < x", "all(t, 0, T - 1, e[t + 1] <= (1 - x)*e[t] + 1)"), True),
        (Statement("x <= 1/2", (X,), ("all(t, 0, 3, t*x <= 3)",)), True),
        (said("e[T] <= e[0]", FALLS), False),
        (said("sum(k, 1, T, e[k])**2 <= T*sum(k, 1, T, e[k]**2)"), False),
    ],
)
def test_points_of_short_sequences_are_looked_for(statement: Statement, false: bool) -> None:
    """Number by number, along what conditions bound: the points meet them, and the false ones are refuted."""
    found = list(falsify.points(statement, SEED))
    assert any(certify(statement, point) for point in found) is false
    assert any(inside(statement, point) for point in found)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (said("x <= 1", "all(t, 0, T - 1, t*x <= 1)"), {"T"}),
        (said("e[T + 1] <= x"), {"T"}),
        (said("sum(k, 0, T, e[k]) <= x"), {"T"}),
        (said("e[0] <= T*x"), set()),
    ],
)
def test_which_symbols_say_what_indices_there_are(statement: Statement, expected: set[str]) -> None:
    assert deciding(statement) == expected


def test_a_statement_with_a_symbol_for_each_number() -> None:
    """Behind the last one the sequence does not change; the integer stays what it was written out for."""
    made = unrolled(said("sum(k, 1, T, e[k]) <= T*x + e[9]", FALLS), {"T": 2}, 3)
    assert made is not None
    statement, rows = made
    assert statement.expression == "e_1 + e_2 <= T * x + e_2"
    assert statement.conditions == ("e_1 <= e_0", "e_2 <= e_1")
    assert rows == {"e": ("e_0", "e_1", "e_2")}
    assert [str(s) for s in statement.symbols[:2]] == ["T integer in [2, 2]", "e_0 in [0, oo)"]
    assert unrolled(said("e[T] <= x"), {}, 3) is None


@pytest.mark.parametrize(
    "statement",
    [
        Statement("e[floor(x)] <= 1", (X, E)),
        Statement("e[0] <= C", (constant("C"), E)),
        Statement("sum(k, 0, T, e[k]) <= 1", (integer("T", "[5000, oo)"), E)),
    ],
)
def test_where_indices_are_not_small_integers_no_points_are_looked_for(statement: Statement) -> None:
    assert list(falsify.points(statement, SEED)) == []


def test_a_box_is_for_named_numbers_alone() -> None:
    """One number of a sequence may get a name, and the sequence stays a symbol that says nothing more."""
    statement = Statement("e[1]*(1 - e[1]) <= 1/3", (sequence("e", "[0, 1]"),), ("all(t, 0, 3, e[t] <= 1)",))
    bare = prove(statement, (Boxes(),), Search("toy/LEM-1"))
    assert "give them names" in bare.evidence[-1].detail
    named = (Have("0 <= e[1]"), Have("e[1] <= 1"), Name("y", "e[1]"), Narrow(), Boxes())
    assert prove(statement, named, Search("toy/LEM-1")).closed


@pytest.mark.deep
def test_a_step_reads_its_conditions_at_the_new_index() -> None:
    """And the base at the indices that are numbers."""
    contraction = said("e[T] <= (1 - x)**T*e[0] + 1/x", "0 < x", "all(t, 0, T - 1, e[t + 1] <= (1 - x)*e[t] + 1)")
    trail = prove(contraction, (Induct("T"),), Search("toy/LEM-1"))
    assert trail.closed
    used = [row.detail for row in trail.evidence if row.detail.startswith("all(")]
    assert [detail.rpartition(" at ")[2] for detail in used] == ["0", "T"]


def test_what_hangs_on_an_index_is_tried_by_induction() -> None:
    tried = list(attempts.of(read_statement(as_data(said("e[T] <= x", FALLS))), deep=True))
    assert (Induct("T"),) in tried
    short = said("e[1] <= x", "all(t, 0, 1, e[t] <= x)", "all(t, 0, 99, e[t] <= x)", "e[0] <= x")
    assert next(attempts.of(read_statement(as_data(short)), deep=True)) == (AtIndex("1"),)


def test_an_index_out_of_range_is_named() -> None:
    trail = prove(said("e[T] <= e[0]", FALLS), (AtIndex("T"),), Search("toy/LEM-1"))
    assert "T is not shown to be a whole number in the range" in trail.evidence[-1].detail
    assert FALLS.replace("T - 1", "(T - 1)").replace("e[t + 1]", "e[(t + 1)]") in trail.evidence[-1].detail


def test_rows_are_drawn_in_their_range() -> None:
    rows = [row(dict(point)["e"]) for point in candidate_points(said("e[0] <= 1"), SEED, 50)]
    assert all(x >= 0 for one in rows for x in one)
    assert {len(one) for one in rows} == {1, 2, 3, 4}


def test_sympy_and_back() -> None:
    expr = parse("e[T + 1]*x - e[T]")
    again = to_expr(Translator((T, E, X)).scalar_form(expr))
    context = read_statement(as_data(said("0 <= x"))).context
    assert context.equal(term(str(again)), term(str(expr)))


@pytest.mark.parametrize(
    ("changed", "count"),
    [
        ("all(t, 0, T - 2, e[t + 1] <= e[t])", 1),
        ("all(t, 1, T, e[t + 1] <= e[t])", 2),
        ("all(t, 0, T - 1, e[t + 1] < 2*e[t])", 2),
        ("all(t, 0, T - 1, e[t + 2] <= e[t])", 1),
        ("e[1] <= e[0]", 1),
    ],
)
def test_a_mutant_may_change_one_place_of_a_condition(changed: str, count: int) -> None:
    assert places(said("e[T] <= e[0]", FALLS), said("e[T] <= e[0]", changed)) == count


RELATIONS = (
    "e[T + {i}] <= e[{j}] + {k}",
    "e[{i}] <= {k}*e[T]",
    "sum(s, 0, T + {i}, e[s]) <= {k}*e[0]",
    "e[T] <= e[T + {i}]",
    "sum(s, 0, T - 1, e[s + 1] - e[s]) == e[T + {i}] - e[{j}]",
)
CONDITIONS = (
    "all(t, {i}, T + {j}, e[t + 1] <= e[t])",
    "all(t, 0, T + {i}, e[t] <= {k}*x)",
    "all(t, {i}, {k}, e[t] <= e[t + {j}])",
    "all(t, {j}, T, e[t + {i}] == e[t])",
)


def drawn(rng: random.Random) -> Statement:
    def filled(texts: tuple[str, ...]) -> str:
        return rng.choice(texts).format(i=rng.randint(-1, 1), j=rng.randint(-1, 1), k=rng.randint(0, 2))

    return said(filled(RELATIONS), *(filled(CONDITIONS) for _ in range(rng.randint(0, 2))))


def points() -> list[tuple[tuple[str, str], ...]]:
    return [at(steps, f"[{a}, {b}, {c}]", x) for steps, a, b, c, x in product((1, 2, 3), *[(0, 1, 2)] * 3, ("0", "1"))]


@pytest.mark.parametrize("number", range(40))
def test_both_readers_agree_at_points(number: int) -> None:
    """The engines write a statement out, the checker looks each number up."""
    statement = drawn(random.Random(SEED + number))
    goal = read_statement(as_data(statement))
    for point in points()[number % 4 :: 4]:
        place = Point(goal.context, dict(point))
        met = all(place.holds(c) for c in goal.context.given) and all(place.holds_at_every(c) for c in goal.every)
        assert inside(statement, point) is (met and place.holds(goal.relation) is not None)
        assert (certify(statement, point) is not None) is (met and place.holds(goal.relation) is False)


ARGUMENTS = (
    (Induct("T"),),
    (),
    (AtIndex("0"),),
    (AtIndex("T - 1"),),
    (AtIndex("T"),),
    (Induct("T", step=(AtIndex("T"),)),),
)


@pytest.mark.deep
def test_what_is_proved_has_no_counterexample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random statements, most of them false: what an argument proves holds at each small point."""
    monkeypatch.setattr(attempts, "MOST", 3)
    rng, closed, every = random.Random(SEED), 0, points()
    for _ in range(40):
        statement = drawn(rng)
        trail = prove(statement, rng.choice(ARGUMENTS), Search("toy/LEM-1"))
        if trail.closed and not trail.partial:
            closed += 1
            assert not [point for point in every if certify(statement, point)], str(statement)
    assert closed >= 5


def test_no_law_hangs_on_a_sequence() -> None:
    statement = Statement("0 <= x", (X, E, gaussian("xi", "e[0]")))
    with pytest.raises(ContentError, match="must hold no number of a sequence"):
        inside(statement, (("x", "0"), ("e", "[1]")))


def test_a_certificate_says_the_same_statement() -> None:
    statement = Statement("e[1] <= C", (constant("C"), T, E), (FALLS,))
    assert str(statement_of(as_data(statement))) == str(statement)


def test_constants_and_vectors_may_stand_beside_sequences() -> None:
    statement = Statement("e[1] <= C*norm(v)", (constant("C"), vector("v"), E), ("all(t, 0, 1, e[t] <= norm(v))",))
    assert read_statement(as_data(statement)).every
