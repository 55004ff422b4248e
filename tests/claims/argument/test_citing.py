"""A goal is taken from another statement where that applies, and where it does not the condition is named."""

from __future__ import annotations

from typing import Any

import pytest
from domains import goal

from dpaudit.claims.argument import citing
from dpaudit.recheck.proof import Proof
from dpaudit.recheck.terms import Refused

ROWS = ("x real [0, 1]", "z real (-oo, oo)", "n integer [1, oo)")
GROUNDS: dict[str, Any] = {
    "hump": ("y*(1 - y) <= 1/4", ("y real [0, 1]",), ()),
    "half": ("y*(1 - y) <= 1/4", ("y real (-oo, oo)",), ("y <= 1/2",)),
    "tail": ("2*exp(-n) <= 1/n", ("n integer [1, oo)",), ()),
    "zero": ("sum(k, 0, n, (-1)**k*binomial(n, k)) == 0", ("n integer [1, oo)",), ()),
}
KNOWN = {name: goal(text, *rows, conditions=given) for name, (text, rows, given) in GROUNDS.items()}
ZERO = "sum(k, 0, n, (-1)**k*binomial(n, k))"


def way(text: str, by: str, *at: tuple[str, str], conditions: tuple[str, ...] = ()) -> str:
    """The rules of the proof that is found, from outside in; what is not shown, where there is none."""
    asked = goal(text, *ROWS, conditions=conditions)
    try:
        found = citing.node(asked, by, at, KNOWN)
    except Refused as error:
        return str(error)
    proof = Proof(dict(KNOWN), writing=True)
    proof.check(asked, found)
    assert proof.assuming == [by]
    rules = []
    while True:
        rules.append(found["by"])
        if "then" not in found:
            return " ".join(rules)
        found = found["then"]


@pytest.mark.parametrize(
    ("text", "by", "at", "conditions", "rules"),
    [
        ("x*(1 - x) <= 1/4", "hump", (("y", "x"),), (), "instance"),
        ("2*exp(-n) <= 1/n", "tail", (), (), "instance"),
        ("z*(1 - z) <= 1/4", "half", (("y", "z"),), ("z <= 1/2",), "instance"),
        # both ends of a range, by known inequalities
        ("(z - floor(z))*(1 - z + floor(z)) <= 1/4", "hump", (("y", "z - floor(z)"),), (), "have have instance"),
        ("z*(1 - z) <= 1/4", "half", (("y", "z"),), ("2*z <= x",), "instance"),
        # what follows: a multiple, a larger side, a factor of an equation
        ("3*x*(1 - x) <= 3/4", "hump", (("y", "x"),), (), "have combine"),
        ("2*exp(-n) <= 1/n + x", "tail", (), (), "have combine"),
        (f"z*2**n*{ZERO} == 0", "zero", (), (), "have combine"),
        (f"x + z*{ZERO}/n == x", "zero", (), (), "have combine"),
    ],
)
def test_what_applies_is_used(text: str, by: str, at: Any, conditions: tuple[str, ...], rules: str) -> None:
    assert way(text, by, *at, conditions=conditions) == rules


@pytest.mark.parametrize(
    ("text", "by", "at", "conditions", "reason"),
    [
        ("z*(1 - z) <= 1/4", "hump", (("y", "z"),), ("0 <= z",), "z <= 1 is not shown"),
        ("z*(1 - z) <= 1/4", "half", (("y", "z"),), ("z <= x",), "z <= (1/2) is not shown"),
        ("2*exp(-x - 1) <= 1/(x + 1)", "tail", (("n", "x + 1"),), (), "(x + 1) is not shown to be an integer"),
        ("2*exp(1 - n) <= 1/(n - 1)", "tail", (("n", "n - 1"),), ("2*x <= n",), "1 <= (n - 1) is not shown"),
        ("sqrt(z)*(1 - sqrt(z)) <= 1/4", "hump", (("y", "sqrt(z)"),), ("z <= 1",), "sqrt(z) needs 0 <= z"),
        ("x*(1 - x) <= 1/5", "hump", (("y", "x"),), (), "are not shown to be equal"),
        ("z*(1 - z) <= 1/4", "hump", (), (), "y is not sure to exist"),
        (f"z + {ZERO}**2 == x", "zero", (), (), "are not shown to be equal"),
    ],
)
def test_what_does_not_apply_is_refused_with_the_condition(
    text: str, by: str, at: Any, conditions: tuple[str, ...], reason: str
) -> None:
    said = way(text, by, *at, conditions=conditions)
    assert said.startswith(f"no instance of {by} is shown: ")
    assert reason in said
