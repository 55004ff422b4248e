"""Every move of an argument is checked; a wrong move stops the walk with its reason."""

import json

import pytest

from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import Accepted, Told, prove, read
from dpaudit.content import places
from dpaudit.recheck.check import check, grounds
from dpaudit.records.claim import (
    Bound,
    Boxes,
    ByTheorem,
    Cases,
    Combine,
    Enumerate,
    Identical,
    Logarithm,
    Open,
    Positive,
    Rewrite,
    Scale,
    Shift,
    Statement,
    Substitute,
    Tangent,
    gaussian,
    integer,
    real,
    vector,
)
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Outcome

P, V = real("p", "[2, oo)"), vector("v")
GROWTH = Statement("exp((p**2 - p)*dot(v, v)/2) <= 1.65", (P, V), ("norm(v) <= 1/p",))
COMPACT = Substitute(
    (real("q", "[0, 1/2]"), real("r", "[0, 1]")),
    (("p", "1/q"), ("dot(v, v)", "(r*q)**2")),
    (("q", "1/p"), ("r", "norm(v)*p")),
)


def trail(statement, *moves):
    return prove(statement, moves, Search("toy/LEM-1"))


def test_a_full_argument_closes():
    found = trail(GROWTH, COMPACT, Rewrite(left="exp((1 - q)*r**2/2)"), Boxes())
    assert found.closed
    assert not found.partial
    assert [e.engine for e in found.evidence] == ["symbolic", "symbolic", "rigorous"]
    assert found.data is not None
    check(json.loads(json.dumps(found.data)))


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Substitute(COMPACT.symbols, (("p", "2/q"), COMPACT.values[1]), COMPACT.inverse), "are not shown to be equal"),
        (
            Substitute((real("q", "[0, 1/3]"), COMPACT.symbols[1]), COMPACT.values, COMPACT.inverse),
            "is not shown",
        ),
        (
            Substitute((COMPACT.symbols[0], real("r", "[0, 1/2]")), COMPACT.values, COMPACT.inverse),
            "is not shown",
        ),
        (Rewrite(left="exp((p**2 - p)*dot(v, v))"), "are not shown to be equal"),
        (Scale("p - 2"), "is not shown"),
        (Scale("-1"), "is not shown"),
    ],
)
def test_a_wrong_move_leaves_the_argument_open(move, reason):
    found = trail(GROWTH, move, Boxes())
    assert not found.closed
    assert found.evidence[-1].outcome is Outcome.INCONCLUSIVE
    assert reason in found.evidence[-1].detail


def test_a_dropped_condition_is_noticed():
    free = Statement(GROWTH.expression, GROWTH.symbols)
    assert not trail(free, COMPACT, Rewrite(left="exp((1 - q)*r**2/2)"), Boxes()).closed


def test_a_false_last_inequality_stays_open():
    tight = Statement("exp((p**2 - p)*dot(v, v)/2) <= 1.64", GROWTH.symbols, GROWTH.conditions)
    found = trail(tight, COMPACT, Rewrite(left="exp((1 - q)*r**2/2)"), Boxes(500))
    assert not found.closed


X = real("x", "(0, oo)")


def test_bounds_scales_shifts_and_logarithms():
    statement = Statement("2*x*exp(-x) <= 2*x", (X,))
    found = trail(
        statement,
        Scale("1/x"),
        Rewrite(left="2*exp(-x)", right="2"),
        Bound(left="2", argument=(Combine((("2", "exp(-x) <= 1"),)),)),
        Shift("-1"),
        Rewrite(left="1", right="1"),
        Logarithm(),
        Rewrite(left="0", right="0"),
        Identical(),
    )
    assert found.closed, found.evidence


def test_a_bound_must_hold():
    found = trail(Statement("exp(x) <= 3", (X,)), Bound(left="1", argument=(Boxes(50),)), Boxes())
    assert not found.closed


def test_a_bound_by_theorem_is_listed():
    found = trail(Statement("Phi(-x) <= 1/2", (X,)), Bound(left="exp(-x**2/2)/2", by="normal-tail"), Boxes())
    assert found.assuming == ["normal-tail"]
    assert found.closed


def test_cases_must_cover_and_are_all_checked():
    statement = Statement("min(x, 2) <= 2*x", (X,))
    split = Cases(
        (
            ("x <= 2", (Combine((("1", "min(x, 2) <= x"), ("1", "0 <= x"))),)),
            ("otherwise", (Combine((("1", "min(x, 2) <= 2"), ("2", "2 <= x"), ("1", "0 <= 2"))),)),
        )
    )
    assert trail(statement, split).closed
    assert "otherwise" in trail(statement, Cases((split.cases[0],))).evidence[0].detail
    wrong = Cases((split.cases[0], ("otherwise", (Combine((("3", "min(x, 2) <= x"),)),))))
    assert not trail(statement, wrong).closed


def test_an_open_case_makes_a_partial_proof():
    statement = Statement("k**2 <= 100", (integer("k", "[1, 30]"),))
    found = trail(statement, Cases((("k <= 10", (Boxes(),)), ("otherwise", (Open("larger k"),)))))
    assert found.closed
    assert found.partial


def test_the_other_closing_moves():
    assert trail(Statement("n <= n**2", (integer("n", "[1, 9]"),)), Enumerate()).closed
    assert not trail(Statement("n**2 <= n + 5", (integer("n", "[1, 9]"),)), Enumerate()).closed
    assert trail(Statement("log(x) <= x - 1", (X,)), Tangent("x", "1")).closed
    assert trail(Statement("x <= x", (X,)), ByTheorem("post-processing")).assuming == ["post-processing"]


@pytest.mark.deep
def test_where_an_argument_ends_a_proof_of_the_rest_is_looked_for():
    assert trail(GROWTH, COMPACT).closed
    false = Statement("exp((p**2 - p)*dot(v, v)/2) <= 1.6", GROWTH.symbols, GROWTH.conditions)
    found = trail(false, COMPACT, Scale("2"))
    assert not found.closed
    assert found.evidence[-1].detail.startswith("no move is given for 2 * (")
    assert "tried by themselves: Identical, Positive, Combine, Boxes, " in found.evidence[-1].detail


def test_moves_behind_a_closing_one_are_an_error():
    with pytest.raises(ContentError, match="never reached"):
        trail(GROWTH, Identical(), Boxes())


def test_an_identity_is_not_proved_by_a_strict_relation():
    assert not trail(Statement("x < x", (X,)), Identical()).closed


# Holes that were open once: each of these arguments proved something false.
R, S = real("x"), real("s", "[0, 1]")
PAIR = ("s**2 <= y", "y <= L*s")


@pytest.mark.parametrize(
    ("statement", "moves"),
    [
        (Statement("x < x", (R,)), (Combine(()),)),
        (Statement("0 == x**2", (R,)), (Combine((("1", "0 <= x**2"),)),)),
        (Statement("log(x) < x - 1", (X,)), (Tangent("x", "1"),)),
        (Statement("3*x**3 <= x**4", (R,), ("3/2 <= x",)), (Tangent("x", "0"),)),
        (Statement("2*k**3 <= k**4", (integer("k", "(0, oo)"),)), (Tangent("k", "0"),)),
        (Statement("0 <= x", (R,)), (Combine((("1", "0 <= sqrt(x)*sqrt(x)"),)),)),
        (Statement("0 <= x", (R,)), (Combine((("1", "0 <= sqrt(x)**2"),)),)),
        (Statement("0 <= x", (R,)), (Combine((("1", "0 <= exp(log(x))"),)),)),
        (Statement("0 <= x*dot(v, v)", (R, V)), (Combine((("1", "0 <= dot(sqrt(x)*v, sqrt(x)*v)"),)),)),
        (Statement("s <= L", (real("L"), S, real("y")), PAIR), (Combine((("1/s", PAIR[0]), ("1/s", PAIR[1]))),)),
        (Statement("x <= 0", (R, S), ("s*x <= 0",)), (Scale("1/s"), Combine((("1/s**2", "s*x <= 0"),)))),
        (
            Statement("3*p <= p**2 + 2", (real("p", "[1, 2]"),)),
            (Substitute((integer("k", "[1, 2]"),), (("p", "k"),), (("k", "p"),)), Enumerate()),
        ),
        (
            Statement("0 < s", (S,)),
            (Substitute((real("y", "[1, oo)"),), (("s", "1/y"),), (("y", "1/s"),)), Boxes(50)),
        ),
        (
            Statement("0 <= x", (R,)),
            (Cases((("0 <= sqrt(x)", (ByTheorem("a"),)), ("otherwise", (ByTheorem("b"),)))),),
        ),
    ],
)
def test_what_is_false_is_not_proved(statement, moves):
    found = trail(statement, *moves)
    assert not found.closed
    assert found.evidence[-1].outcome is Outcome.INCONCLUSIVE


def test_a_mean_is_no_function_of_a_fixed_draw():
    statement = Statement("E(dot(v, z)**2) <= E(dot(v, z))**2", (V, gaussian("z")))
    move = Substitute((real("t"),), (("dot(v, z)", "t"),), (("t", "dot(v, z)"),))
    assert not trail(statement, move, Combine(())).closed


def test_boxes_prove_no_identity():
    with pytest.raises(ContentError, match="not an identity"):
        trail(Statement("s**2 == 3", (S,)), Boxes())


def test_the_last_row_of_a_failed_argument_says_what_failed():
    """Never a part that went through: the second case fails after the first was proved."""
    found = trail(Statement("s <= 1/2", (S,)), Cases((("s <= 1/2", (Positive(),)), ("otherwise", (Positive(),)))))
    assert not found.closed
    assert found.evidence[-1].outcome is Outcome.INCONCLUSIVE
    assert "the sign of right - left of s <= (1/2) is not shown" in found.evidence[-1].detail
    assert [e.outcome for e in found.evidence[:-1]] == [Outcome.PROVED] * (len(found.evidence) - 1)


def test_a_condition_without_its_comma_is_named():
    with pytest.raises(ContentError, match="and of one item a comma"):
        Statement("s <= 1", (S,), ("0 <= s"))


SHIPPED = [
    "resque/certificates/resque_FACT-5_mean.json",  # a goal on the way is written otherwise where nothing was looked at
    "rbcd/certificates/rbcd_LEM-3.9.json",
    "resque/certificates/resque_LEM-2.1.json",
]


@pytest.mark.parametrize("file", SHIPPED)
def test_what_is_read_of_an_accepted_certificate_is_what_a_full_look_says(file):
    folder, _ = places.content_folder("proofs")
    data = json.loads((folder / file).read_text())
    full = Told(grounds(data))
    check(data, full)
    trail = read(data)
    assert (trail.evidence, trail.assuming) == (full.evidence(), full.assuming)
    assert trail.closed


def test_what_settles_a_goal_is_not_looked_at_again_in_an_accepted_certificate():
    folder, _ = places.content_folder("proofs")
    data = json.loads((folder / SHIPPED[1]).read_text())
    full, accepted = Told(grounds(data)), Accepted(grounds(data))
    check(data, full)
    check(data, accepted)
    assert [node for _, node in accepted.seen] == [node for _, node in full.seen]
    assert accepted.steps < full.steps
