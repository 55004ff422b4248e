"""What a judge says of an answer, and whether a value of a constant is any news."""

from __future__ import annotations

from dataclasses import dataclass

from dpaudit.claims.challenges.unsettled import Unsettled, as_number


@dataclass(frozen=True)
class Judgement:
    """What is said of an answer. reason: why it is refused, empty if it is accepted; outcome: what it shows; value: of
    the constant; assuming: the statements, or the axioms of Coq's library, that it rests on; judge: which program
    accepted it."""

    asked: str
    reason: str
    outcome: str = ""
    value: str = ""
    assuming: tuple[str, ...] = ()
    judge: str = "checker"


def no_news(value: str | None, asked: Unsettled) -> str:
    """Why the value of a constant is no news; empty if it is, or if none is asked."""
    row = asked.constant
    if row is None or value is None:
        return ""
    new, ends = as_number(value), [as_number(row.proved), as_number(row.refuted)]
    low, high = sorted(end for end in ends if end is not None)
    return "" if new is not None and low < new < high else f"{value} is not between {row.proved} and {row.refuted}"
