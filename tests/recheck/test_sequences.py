"""Sequences and conditions at every index in the checker: what is read, what follows, and what must not."""

from __future__ import annotations

from itertools import product

import pytest
from domains import certificate, goal, stated, why_not, written

from dpaudit.recheck.check import check
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.points import Point
from dpaudit.recheck.terms import Every, Refused, condition, everywhere, show, term

T, E, F = "T integer [1, oo)", "e sequence [0, oo)", "f sequence [0, oo)"
FALLS = "all(t, 0, T - 1, e[t + 1] <= e[t])"
AUTO = {"by": "positive"}


def at_index(index: str, then: dict, of: int = 0) -> dict:
    return {"by": "at-index", "of": of, "index": index, "then": then}


def induct(base: dict, step: dict) -> dict:
    return {"by": "induct", "variable": "T", "base": dict(base), "step": dict(step)}


def falling() -> dict:
    """A proof by induction that e[T] <= e[0] where e falls."""
    added = {"by": "combine", "terms": [["1", "e[T + 1] <= e[T]"], ["1", "e[T] <= e[0]"]]}
    return induct(at_index("0", AUTO), at_index("T", added))


def test_an_index_that_falls_proves_the_bound_at_the_end() -> None:
    assert check(written(stated("e[T] <= e[0]", T, E, conditions=(FALLS,)), falling())).steps == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("e <= 1", "stands with an index alone"),
        ("e[e] <= 1", "stands with an index alone"),
        ("T[1] <= 1", "not one of a sequence"),
        ("e[v] <= 1", "where a number is wanted"),
        ("norm(e[1]) <= 1", "not one of a sequence"),
        ("e[1, 2] <= 1", "not part of the language"),
        ("e[1:2] <= 1", "not part of the language"),
        ("e[0x1] <= 1", "not written in decimal digits"),
        ("g[1] <= 1", "no symbol"),
        ("e[T/2] <= 1", "a whole index"),
        ("all(t, 0, T, e[t] <= 1)", "not one relation"),
        ("e[log(T - 1)] <= 1", "a whole index|needs 0 <"),
    ],
)
def test_what_is_no_number_of_a_sequence_is_refused(text: str, words: str) -> None:
    try:
        reason = why_not(stated(text, T, E, "v vector"), AUTO)
    except Refused as error:
        reason = str(error)
    assert any(one in reason for one in words.split("|")), reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("all(T, 0, 3, e[T] <= 1)", "a symbol as its index"),
        ("all(t, 0, t, e[t] <= 1)", "no symbol"),
        ("all(t, 0, T, e[s] <= 1)", "no symbol"),
        ("all(t, 0, T, sum(T, 0, 3, e[T]) <= 1)", "as the variable of a sum"),
        ("all(t, 0, T, sum(t, 0, 3, e[t]) <= 1)", "as the variable of a sum"),
        ("all(t, 0, T, e[t])", "not one relation"),
        ("all(t, 0, e[t] <= 1)", "not one relation"),
        ("all(t, 0, T, all(s, 0, T, e[s] <= e[t]))", "not one relation"),
        ("all(1, 0, T, e[t] <= 1)", "not one relation"),
        ("all(t, 0, v, e[t] <= 1)", "where a number is wanted"),
        ("all(all, 0, T, e[all] <= 1)", "cannot be the name"),
        ("all(t, 0, T, e <= 1)", "stands with an index alone"),
    ],
)
def test_what_is_no_condition_at_every_index_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        read_statement(stated("e[0] <= 1", T, E, "v vector", conditions=(text,)))


def test_no_law_hangs_on_a_sequence() -> None:
    with pytest.raises(Refused, match="one of a sequence"):
        read_statement(stated("e[0] <= 1", E, "xi gaussian e[0]"))


@pytest.mark.parametrize(
    ("conditions", "node", "words"),
    [
        ((FALLS,), at_index("T", AUTO), "T <= (T - 1) is not shown"),
        ((FALLS,), at_index("-1", AUTO), "0 <= (-1) is not shown"),
        ((FALLS,), at_index("T/2", AUTO), "not shown to be an integer"),
        ((FALLS,), at_index("0", AUTO, of=1), "there are 1 conditions"),
        ((FALLS,), at_index("0", AUTO, of=-1), "there are 1 conditions"),
        ((FALLS,), at_index("0", AUTO, of=True), "there are 1 conditions"),
        (("e[1] <= e[0]",), at_index("0", AUTO), "there are 0 conditions"),
        ((FALLS,), at_index("e", AUTO), "stands with an index alone"),
    ],
)
def test_a_condition_holds_at_indices_in_its_range_alone(conditions: tuple[str, ...], node: dict, words: str) -> None:
    assert words in why_not(stated("e[1] <= e[0]", T, E, conditions=conditions), node)


@pytest.mark.parametrize(
    ("condition_", "words"),
    [
        ("all(t, 0, T - 1, e[t + 1] <= e[t] + 1/T)", "says something else at T + 1"),
        ("all(t, 0, 5 - T, e[t + 1] <= e[t])", "is not shown"),
        ("all(t, 1 - T, 0, e[t + 1] <= e[t])", ""),
        ("all(t, T, 2*T, e[t + 1] <= e[t])", "is not shown"),
    ],
)
def test_the_hypothesis_of_an_induction_needs_the_conditions_at_n(condition_: str, words: str) -> None:
    """Its range may only grow, on both sides: else what is supposed at n is not known."""
    reason = why_not(stated("0 <= e[T]", T, E, conditions=(condition_,)), induct(AUTO, AUTO))
    assert words in reason
    assert bool(words) == bool(reason)


def test_two_numbers_of_a_sequence_are_two_numbers() -> None:
    """x (1 - x) <= 1/4 for one number; e[0] (1 - e[1]) may be 1."""
    statement = stated("e[0]*(1 - e[1]) <= 1/3", "e sequence [0, 1]")
    boxes = {"by": "boxes", "splits": "0 0 . . 0 . .", "panels": 1}
    assert "a sequence has no box" in why_not(statement, boxes)
    same = stated("e[0]*(1 - e[1 - 1]) <= 1/3", "e sequence [0, 1]")
    named = {"by": "name", "symbol": ["x", "real", "[0, 1]"], "term": "e[0]"}
    rewritten = {"by": "rewrite", "left": "e[0] - e[0]**2", "then": named | {"then": {"by": "boxes", "splits": "."}}}
    assert "a sequence has no box" not in why_not(same, rewritten)


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("e[T + 1]", "e[1 + T]", True),
        ("e[T]", "e[T + 1]", False),
        ("e[T]", "f[T]", False),
        ("sum(k, 0, 3, e[k])", "e[0] + e[1] + e[2] + e[3]", True),
        ("sum(k, 0, T, e[k])", "sum(j, 0, T - 1, e[j]) + e[T]", True),
        ("sum(k, 0, T, e[k])", "sum(j, 0, T, e[j + 1])", False),
        ("sum(k, 0, T, e[0])", "(T + 1)*e[0]", True),
        ("sum(k, 0, T, e[k])", "(T + 1)*e[0]", False),
        ("sum(k, 0, T, e[k]*f[k])", "sum(k, 0, T, e[k])*sum(k, 0, T, f[k])", False),
        ("e[floor(T)]", "e[T]", True),
    ],
)
def test_equal_indices_give_equal_numbers(left: str, right: str, equal: bool) -> None:
    context = goal("0 <= 1", T, E, F).context
    assert context.equal(term(left), term(right)) is equal


@pytest.mark.parametrize(
    ("text", "rows", "sign"),
    [
        ("e[T]", (E,), 0),
        ("e[T]", ("e sequence (0, oo)",), 1),
        ("e[T]", ("e sequence (-oo, oo)",), None),
        ("2 - e[T]", ("e sequence [0, 1]",), 1),
        ("e[T]*e[T - 1]", (E,), 0),
        ("sum(k, 0, T, e[k])", (E,), 0),
        ("e[0] - e[1]", (E,), None),
    ],
)
def test_signs_come_from_the_range(text: str, rows: tuple[str, ...], sign: int | None) -> None:
    assert goal("0 <= 1", T, *rows).context.sign(term(text)) == sign


def test_an_index_has_no_slope() -> None:
    node = {"by": "monotone", "variable": "T", "at": "low", "slope": "0", "inner": AUTO, "then": AUTO}
    assert "T is not shown to be one" in why_not(stated("e[1] <= e[T]", T, E), node)


@pytest.mark.parametrize(
    ("rows", "point", "inside"),
    [
        ((FALLS,), {"T": "2", "e": "[0, 1]"}, False),  # breaks the condition
        ((FALLS,), {"T": "3", "e": "[2, 1, 1, 0]"}, True),
        ((FALLS,), {"T": "3", "e": "[2, 1, -1]"}, False),  # out of range
        ((FALLS,), {"T": "3000", "e": "[1]"}, False),  # too many indices to go through
        (("all(t, 0, T - 1/2, e[t] <= 2)",), {"T": "3", "e": "[1, 1, 1, 3]"}, True),  # 3 is behind the end
        (("all(t, 1, 0, e[t] <= -1)",), {"T": "1", "e": "[0]"}, True),  # no index
        (("all(t, 0, 1, 1/e[t] <= 9)",), {"T": "1", "e": "[1, 0]"}, False),  # no value at index 1
    ],
)
def test_a_witness_meets_each_condition_at_each_index(rows: tuple[str, ...], point: dict, inside: bool) -> None:
    """The statement fails at every point."""
    witness = {"by": "witness", "point": [[name, value] for name, value in point.items()]}
    data = certificate(stated("e[0] + e[T] + 1 <= 0", T, E, conditions=rows), witness, outcome="REFUTED")
    if inside:
        assert check(data)
    else:
        with pytest.raises(Refused, match="not"):
            check(data)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("e[0] == 1", True),
        ("e[1] == 1/2", True),
        ("e[7] == 0", True),
        ("e[-7] == 1", True),
        ("e[T + 1] == 0", True),
        ("sum(k, 0, T, e[k]) == 3/2", True),
        ("sum(k, 0, T, sum(j, 0, k, e[j])) == 4", True),
        ("sum(k, 0, T, e[T - k]) == 3/2", True),
        ("sum(k, 1, 0, e[k]) == 0", True),
        ("sum(k, 0, 1900, e[k]) == 3/2", True),
        ("e[floor(e[1])] == 1", True),
        ("e[ceil(e[1])] == 1/2", True),
        ("e[2*e[1]] == 1/2", True),
        ("e[e[1]] <= 9", None),
        ("sum(k, 0, e[1], e[k]) <= 9", None),
        ("sum(k, e[1], 1, e[k]) <= 9", None),
        ("e[1/0] <= 9", None),
        ("sum(k, 0, 3000, e[k]) <= 9", None),
        ("integral(z, 0, 1, e[z]) <= 9", None),
    ],
)
def test_terms_at_a_point(text: str, value: bool | None) -> None:
    one = goal(text, T, E)
    assert Point(one.context, {"T": "2", "e": "[1, 1/2, 0]"}).holds(one.relation) is value


@pytest.mark.parametrize("text", ["", "[]", "(1, 2)", "1", "[1, x]", "[1; 2]"])
def test_a_sequence_at_a_point_is_a_row_of_numbers(text: str) -> None:
    with pytest.raises(Refused):
        Point(goal("0 <= e[0]", E).context, {"e": text})


@pytest.mark.parametrize(
    ("conditions", "at", "words"),
    [
        ((FALLS,), [["T", "T"]], ""),
        ((FALLS,), [["T", "T - 1"]], "1 <= (T - 1) is not shown"),
        (("all(t, 0, T, e[t + 1] <= e[t])",), [["T", "T + 1"]], ""),
        (("all(t, 0, T - 2, e[t + 1] <= e[t])",), [], "is not shown"),
        (("all(t, 1, T - 1, e[t + 1] <= e[t])",), [], "is not shown"),
        (("all(s, 0, T - 1, e[s + 1] <= e[s])",), [], ""),
        (("all(t, 0, T - 1, e[t + 1] <= e[t] + 1)",), [], "is none of the conditions"),
        (("all(t, 0, T - 1, f[t + 1] <= f[t])",), [["e", "f"]], "stands for another sequence"),
        ((), [], "is none of the conditions"),
        ((FALLS,), [["e", "e[0]"]], "stands for another sequence"),
        ((FALLS,), [["e", "T"]], "stands for another sequence"),
    ],
)
def test_an_instance_needs_the_conditions_of_its_ground(
    conditions: tuple[str, ...], at: list[list[str]], words: str
) -> None:
    name = dict(at).get("T", "T")
    of = dict(at).get("e", "e")
    text = f"{of if of in ('e', 'f') else 'e'}[{name}] <= {of if of in ('e', 'f') else 'e'}[0]"
    rows = (T, E, "f sequence [1, oo)")
    grounds = {"toy/LEM-0": stated("e[T] <= e[0]", T, E, conditions=(FALLS,))}
    node = {"by": "instance", "of": "toy/LEM-0", "at": at}
    reason = why_not(stated(text, *rows, conditions=conditions), node, grounds=grounds)
    assert words in reason
    assert bool(words) == bool(reason)


def test_a_name_is_not_caught_by_the_index_of_a_condition() -> None:
    one = condition("all(t, 0, T, e[t] <= T)")
    assert isinstance(one, Every)
    assert show(everywhere(one, {"T": term("t + 1")})) == "all(t_1, 0, (t + 1), e[t_1] <= (t + 1))"
    assert show(everywhere(one, {"t": term("9")})) == show(one)


def test_conditions_outlive_the_moves_that_keep_their_symbols() -> None:
    """Named, narrowed, in a case, under a sum: the condition may still be used."""
    used = at_index("0", {"by": "combine", "terms": [["1", "e[1] <= e[0]"]]})
    statement = stated("e[1] <= e[0]", T, E, conditions=(FALLS,))
    split = {"by": "cases", "parts": [{"case": "T <= 5", "proof": used}, {"case": "otherwise", "proof": used}]}
    kept = [
        {"by": "name", "symbol": ["x", "real", "(-oo, oo)"], "term": "e[2]", "then": used},
        {"by": "narrow", "then": used},
        split,
    ]
    assert [why_not(statement, node) for node in kept] == [""] * 3


@pytest.mark.parametrize("k", ["k", "t"])
def test_sums_are_compared_at_each_index(k: str) -> None:
    """The variable of a sum may have the name of the index of a condition."""
    inner = at_index(k, {"by": "combine", "terms": [["1", f"e[{k} + 1] <= e[{k}]"]]})
    sums = stated(f"sum({k}, 0, T - 1, e[{k} + 1]) <= sum({k}, 0, T - 1, e[{k}])", T, E, conditions=(FALLS,))
    assert why_not(sums, {"by": "termwise", "inner": inner}) == ""
    longer = stated(f"sum({k}, 0, T, e[{k} + 1]) <= sum({k}, 0, T, e[{k}])", T, E, conditions=(FALLS,))
    assert f"{k} <= (T - 1) is not shown" in why_not(longer, {"by": "termwise", "inner": inner})


def test_constants_are_chosen_in_conditions_at_every_index_too() -> None:
    statement = stated("e[1] <= C*e[0]", "C constant (0, oo)", E, conditions=("all(t, 0, 0, e[t + 1] <= C*e[t])",))
    used = at_index("0", {"by": "combine", "terms": [["1", "e[1] <= 3*e[0]"]]})
    assert why_not(statement, {"by": "choose", "values": [["C", "3"]], "then": used}) == ""
    other = at_index("0", {"by": "combine", "terms": [["1", "e[1] <= 2*e[0]"]]})
    assert why_not(statement, {"by": "choose", "values": [["C", "3"]], "then": other})
    every = {"by": "for-every", "at": [["e", "C"]], "conditions": [], "then": AUTO}
    assert "at every index" in why_not(statement, every, outcome="REFUTED")


def test_there_is_a_point_with_its_conditions_at_every_index() -> None:
    statement = stated("1 <= e[0]", T, E, conditions=(FALLS,), exists=True)
    exhibit = {"by": "exhibit", "point": [["T", "2"], ["e", "[2, 1, 0]"]]}
    assert why_not(statement, exhibit) == ""
    exhibit["point"][1][1] = "[2, 1, 3]"
    assert "does not meet" in why_not(statement, exhibit)


def test_what_is_proved_holds_for_all_small_sequences() -> None:
    """The bound of `falling`, gone through: rows of numbers 0 to 2, T to 3."""
    one = goal("e[T] <= e[0]", T, E, conditions=(FALLS,))
    met = 0
    for steps, *row in product((1, 2, 3), *[(0, 1, 2)] * 4):
        at = Point(one.context, {"T": str(steps), "e": f"[{', '.join(map(str, row))}]"})
        if at.holds_at_every(one.every[0]):
            met += 1
            assert at.holds(one.relation)
    assert met > 20
