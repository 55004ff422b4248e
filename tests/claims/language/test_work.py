"""What a short text asks for ends by a count, and the term that was too large is named."""

from __future__ import annotations

import pytest

from dpaudit.claims.language import work
from dpaudit.claims.language.enclosures import evaluate
from dpaudit.claims.language.expression import parse
from dpaudit.claims.verify import verify_claim
from dpaudit.records.claim import Boxes, Claim, ClaimKind, Statement, Symbol, integer, real
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome

NESTED = "integral(z, 0, 1, sum(k, 1, 400, z**k)**2)"


def test_evaluations_are_counted_inside_alone() -> None:
    with pytest.raises(work.TooMuchWork, match="too large is"), work.limited(100):
        evaluate(parse("sum(k, 1, 200, k)"), {})
    evaluate(parse("sum(k, 1, 200, k)"), {})


def test_it_is_the_outermost_sum_or_integral_that_is_too_large() -> None:
    with pytest.raises(work.TooMuchWork) as stopped, work.limited(20_000):
        evaluate(parse(f"1 + {NESTED}"), {})
    assert str(stopped.value.term) == str(parse(NESTED))


def test_what_is_raised_while_an_integral_is_taken_comes_out() -> None:
    """Arb calls back from C, where an exception would be lost."""
    with pytest.raises(work.TooMuchWork), work.limited(3_000):
        evaluate(parse("integral(z, 0, 1, sum(k, 1, 90, z**k)**2)"), {})


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("integral(z, 0, 1, sum(k, 1, m, z*floor(m/5001))**2) <= m", (integer("m", "[1, oo)"),)),
        ("x <= 2**(10**9)", (real("x", "[0, 1]"),)),
        ("x <= factorial(10**7)", (real("x", "[0, 1]"),)),
        ("x <= 10**(10**(10**10))", (real("x", "[0, 1]"),)),
        ("x <= exp(10**(10**10))", (real("x", "[0, 1]"),)),
    ],
)
def test_a_claim_that_would_hang_ends_undecided_and_says_why(text: str, symbols: tuple[Symbol, ...]) -> None:
    claim = Claim("toy/LEM-1", "", "", "", ClaimKind.INEQUALITY, Statement(text, symbols), (Boxes(100),))
    (verdict,) = (v for v in verify_claim(claim, None, Context(7, Level.SMOKE, 1e-6)) if v.id == "toy/LEM-1")
    assert verdict.outcome in (Outcome.INCONCLUSIVE, Outcome.PROVED)
    assert verdict.outcome is Outcome.PROVED or "to settle it" in " ".join(e.detail for e in verdict.evidence)
