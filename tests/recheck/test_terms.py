"""The checker's language: exact numbers, no surprises, and no text that costs more than it says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpaudit.recheck import check as checking
from dpaudit.recheck.check import check, digest
from dpaudit.recheck.interval import METER, MOST_WORK
from dpaudit.recheck.terms import Evaluator, Refused, number, relation


def certificate(goal: str, low: str = "0", high: str = "1", kind: str = "real", **more: object) -> dict[str, object]:
    part = {"goal": goal, "conditions": [], "symbols": [["x", kind, low, high]], "splits": ".", "panels": 1}
    data = {"format": 2, "claim": "toy/LEM-1", "source": "0", "parts": [part | more]}
    return data | {"digest": digest(data)}


def value(text: str) -> tuple[Fraction, Fraction]:
    found = relation(f"{text} <= 0")
    low, high = Evaluator(found.text, 4).value(found.left, {})
    return Fraction(low), Fraction(high)


@pytest.mark.parametrize("text", ["0.1", "1e-3", "1.5e2", "12_000", " 0.7 ", "7"])
def test_numbers_are_exact(text: str) -> None:
    low, high = value(text)
    assert low <= Fraction(text.strip()) <= high
    assert number(text) == Fraction(text.strip())
    assert number(f"-{text.strip()}/3") == -Fraction(text.strip()) / 3


def test_a_number_is_read_at_its_own_place() -> None:
    assert value("max(0.25,\n   10,  0.5)") == (10, 10)
    assert value("1 - 3*(2 - 0.5)/4") == (Fraction(-1, 8), Fraction(-1, 8))


@pytest.mark.parametrize("text", ["1/0", "x", "1 + 1", "0x10", "1j", "True", "'1'", "", "1e99999999", "9" * 5000, "--"])
def test_what_is_no_rational_number_is_refused(text: str) -> None:
    with pytest.raises((Refused, ValueError)):
        number(text)


SHORT_BUT_LONG = {
    "a literal": "x <= 1e999999999",
    "a small literal": "x <= 1 + 1e-999999999",
    "a power as an exponent": "2**((10**10000)**10000) <= x",
    "a power of powers": "2**(((10**10000)**10000)**10000) <= x",
    "a tower": "10**10**10 <= x",
    "a far index": "2 <= x + 0*sum(k, (10**10000)**10000, (10**10000)**10000, k)",
    "sums of sums": "2 <= x + sum(a, 1, 5000, sum(b, 1, 5000, sum(c, 1, 5000, 1)))",
    "sums of series": "2 <= sum(k, 1, 5000, gamma_tail(10**4 + k, 10**4 - x))",
    "a large factorial": "factorial((10**10000)**10000) <= x",
    "a large binomial": "binomial(10**10000, 1000) <= x",
    "a far integral": "integral(z, 0, (10**10000)**10000, 1) <= x",
    "integrals of integrals": "2 <= integral(z, 0, 1, integral(w, 0, 1, integral(u, 0, 1, x)))",
    "a product of powers": "1 <= " + "*".join(["x**9999"] * 300),
    "a long list": f"2 <= max({', '.join(['x'] * 20_000)})",
}


@pytest.mark.parametrize("name", SHORT_BUT_LONG)
def test_a_short_text_cannot_run_for_long(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these once ran for hours or took all memory; all are false, and refused after so many steps."""
    monkeypatch.setattr(checking, "MOST_WORK", 200_000)
    with pytest.raises((Refused, ArithmeticError)):
        check(certificate(SHORT_BUT_LONG[name], panels=10_000))


def test_the_ends_of_a_range_are_short_too() -> None:
    for end in ("1e999999999", "1/" * 3000 + "1"):
        with pytest.raises(Refused):
            check(certificate("x <= 2", high=end))


def test_a_tree_does_not_run_away_to_infinity() -> None:
    splits = " ".join(["0", "."] * 20_000 + ["."])
    with pytest.raises(Refused, match="bits"):
        check(certificate("0 <= 1", high="oo", splits=splits))
    assert check(certificate("0 <= 1", high="oo", splits=" ".join(["0", "."] * 200 + ["."]))) == 401


def test_the_meter_runs_during_a_check_alone() -> None:
    check(certificate("x <= 1"))
    assert METER.left == float("inf")
    with pytest.raises(Refused):
        check(certificate("2 <= x"))
    assert METER.left == float("inf")
    assert MOST_WORK <= 10**8


@pytest.mark.parametrize("ends", [("1/3", "2/3"), ("1/2", "-1/2"), ("1", "0")])
def test_an_integer_range_without_an_integer_shows_nothing(ends: tuple[str, str]) -> None:
    with pytest.raises(Refused, match="empty"):
        check(certificate("5 <= x", *ends, kind="integer", splits="0 . ."))


def test_integer_ends_are_rounded_inwards() -> None:
    assert check(certificate("0 <= x*(x - 1)", "1/2", "5/2", kind="integer")) == 1
    assert check(certificate("x*(3 - x) <= 2", "1/2", "5/2", kind="integer", splits="0 . .")) == 3
    with pytest.raises(Refused):
        check(certificate("x*(3 - x) <= 2", "1/2", "5/2", splits="0 . ."))


def test_pi_is_no_variable() -> None:
    with pytest.raises(Refused, match="pi"):
        check(certificate("sum(pi, 1, 3, pi) <= 9.5"))
    with pytest.raises(Refused):
        check(certificate("22/7 <= pi"))
    assert check(certificate("pi <= 22/7")) == 1
