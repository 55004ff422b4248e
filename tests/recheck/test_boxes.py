"""Box proofs: every box is enclosed again, and gaps, wrong leaves and endless trees are refused."""

from __future__ import annotations

import pytest
from domains import stated, why_not, written

from dpaudit.claims.certificates.certificate import statement_of
from dpaudit.claims.engines.rigorous.boxes import prove
from dpaudit.recheck.check import check

STATED = {
    "two": stated("exp((1 - q)*r**2/2) <= 1.65", "q real [0, 1/2]", "r real [0, 1]"),
    "ridged": stated("x*(1 - x) <= 0.2501", "x real [0, 1]"),
    "outside": stated("x <= 2", "x real [0, oo)", conditions=("x**2 <= 3",)),
    "counted": stated("Phi(-n) + sum(k, 1, 3, 1/2**k) <= 1.05", "n integer [1, oo)"),
    "unused": stated(
        "r <= n", "unused real [0, 1]", "n integer [1/2, 3]", "r real [0, 1]", conditions=("unused <= r",)
    ),
}


def node(name: str) -> dict[str, object]:
    proof = prove(statement_of(STATED[name]), 5_000)
    assert proof.proved, proof.reason
    return {"by": "boxes", "splits": " ".join(proof.splits), "panels": proof.panels}


@pytest.mark.parametrize("name", STATED)
def test_what_the_prover_made_is_accepted(name: str) -> None:
    made = node(name)
    assert check(written(STATED[name], made)).boxes == len(str(made["splits"]).split())


@pytest.mark.parametrize(("condition", "outside"), [("x <= 1/2", False), ("x < 1/2", True), ("x <= 1/3", True)])
def test_a_box_is_outside_of_a_condition_only_where_no_end_meets_it(condition: str, outside: bool) -> None:
    """On [1/2, 1] the first condition holds at 1/2, where the goal fails."""
    asked = stated("x < 1/2", "x real [1/2, 1]", conditions=(condition,))
    assert why_not(asked, {"by": "boxes", "splits": "-"}) == (
        "" if outside else why_not(asked, {"by": "boxes", "splits": "-"})
    )
    assert (why_not(asked, {"by": "boxes", "splits": "-"}) == "") is outside


TREE = "0 0 . . 0 . ."


@pytest.mark.parametrize(
    ("splits", "reason"),
    [
        ("", "boxes left"),
        ("0 . ", "boxes left"),
        ("0 . . .", "behind the end"),
        ("-", "no condition fails"),
        ("7 . .", "no meaning"),
        ("x", "no meaning"),
        ("-1", "no meaning"),
        ("00000 . .", "no meaning"),
    ],
)
def test_a_tree_that_is_none_is_refused(splits: str, reason: str) -> None:
    assert reason in why_not(stated("x*(1 - x) <= 0.26", "x real [0, 1]"), {"by": "boxes", "splits": splits})


@pytest.mark.parametrize(
    "more", [{"panels": 0}, {"panels": 1.5}, {"panels": True}, {"panels": 10**6}, {"splits": 3}], ids=str
)
def test_odd_fields_are_refused(more: dict[str, object]) -> None:
    assert why_not(stated("x <= 2", "x real [0, 1]"), {"by": "boxes", "splits": "."} | more)


@pytest.mark.parametrize(
    ("text", "rows", "splits"),
    [
        ("x == x", ("x real [0, 1]",), "."),
        ("x <= 0.9", ("x real [0, 1)",), "."),
        ("x < 1", ("x real [0, 1)",), "."),
        ("0 <= log(x) + 99", ("x real (0, 1]",), "."),
        ("1/x <= 99", ("x real (0, 1]",), "0 . ."),
        ("x <= 99", ("x real [0, oo)",), "0 . ."),
        ("x*(3 - x) <= 2", ("x real [1/2, 5/2]",), "0 . ."),
        ("dot(u, u) <= 1", ("u vector",), "."),
        ("22/7 <= pi", ("x real [0, 1]",), "."),
    ],
)
def test_what_is_not_certain_is_refused(text: str, rows: tuple[str, ...], splits: str) -> None:
    assert why_not(stated(text, *rows), {"by": "boxes", "splits": splits})


def test_integer_ends_are_rounded_inwards() -> None:
    assert why_not(stated("0 <= x*(x - 1)", "x integer [1/2, 5/2]"), {"by": "boxes", "splits": "."}) == ""
    assert why_not(stated("x*(3 - x) <= 2", "x integer [1/2, 5/2]"), {"by": "boxes", "splits": "0 . ."}) == ""


def test_a_tree_does_not_run_away_to_infinity() -> None:
    asked = stated("0 <= 1 + 0*x", "x real [0, oo)")
    assert "bits" in why_not(asked, {"by": "boxes", "splits": " ".join(["0", "."] * 20_000 + ["."])})
    assert why_not(asked, {"by": "boxes", "splits": " ".join(["0", "."] * 200 + ["."])}) == ""
