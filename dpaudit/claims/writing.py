"""What a claim file writes with: the records of claims, and short forms of those that recur.

    from dpaudit.claims.writing import *

brings all of it, as the words of one language; every name that a claim file uses is one of these or bound in the file
(`tests/content/proofs/test_claims.py`). The short forms give the same records as the long ones.
"""

from __future__ import annotations

from typing import TypedDict, Unpack

from dpaudit.records import claim as _records
from dpaudit.records.arguments import checked
from dpaudit.records.claim import *  # noqa: F403
from dpaudit.records.claim import (
    ClaimKind,
    Empirical,
    Identical,
    Move,
    Mutant,
    Outcome,
    Point,
    Statement,
    Step,
    Symbol,
    Tightness,
    real,
)

__all__ = [*_records.__all__, "erratum", "ids", "mutant", "point", "positive", "step", "where"]


class Rest(TypedDict, total=False):
    """The fields of a `Step` that its short forms hand on as they are."""

    argument: tuple[Move, ...]
    empirical: tuple[Empirical, ...]
    mutants: tuple[Mutant, ...]
    expects: Outcome
    kind: ClaimKind
    rests_on: tuple[str, ...]
    candidates: tuple[Point, ...]
    finding: str
    repair: str
    tightness: tuple[Tightness, ...]
    from_standard: tuple[Empirical, ...]


def where(text: str) -> tuple[tuple[str, str], ...]:
    """Symbols and what stands for each, as `Substitute` takes them: where("n=u**3 eps=w**3").

    The pairs `name=term` have blanks between them; a term without blanks. ValueError for a pair without `=`.
    """
    pairs = tuple((name, term) for name, _, term in (pair.partition("=") for pair in text.split()))
    if not all(name and term for name, term in pairs):
        raise ValueError(f"not pairs name=term: {text!r}")
    return pairs


def point(text: str) -> Point:
    """An exact point: point("n=8 eps=1/8 v=(3/5,4/5)"); see `where`."""
    return where(text)


def positive(name: str, meaning: str = "") -> Symbol:
    """A positive real number."""
    return real(name, "(0, oo)", meaning)


def ids(claim: str, names: str) -> tuple[str, ...]:
    """The ids of steps of a claim: ids("resque/LEM-5", "s1 s2")."""
    return tuple(f"{claim}/{name}" for name in names.split())


@checked
def mutant(name: str, change: str, expression: str, *at: str) -> Mutant:
    """A false variant of a statement, and points (see `point`) that refute it."""
    return Mutant(name, change, expression, candidates=tuple(point(text) for text in at))


@checked
def step(
    name: str,
    words: str,
    expression: str,
    symbols: tuple[Symbol, ...],
    conditions: tuple[str, ...] = (),
    **rest: Unpack[Rest],
) -> Step:
    """A step with its statement written in place.

    An equation is an IDENTITY, shown by its normal form (`Identical`), unless `kind` and `argument` say otherwise.
    """
    short: Rest = {"kind": ClaimKind.IDENTITY, "argument": (Identical(),)} if "==" in expression else {}
    return Step(name, words, Statement(expression, symbols, conditions), **(short | rest))


@checked
def erratum(
    name: str,
    words: str,
    expression: str,
    symbols: tuple[Symbol, ...],
    conditions: tuple[str, ...] = (),
    **rest: Unpack[Rest],
) -> Step:
    """A printed step that is refuted; `finding` says what is wrong, `repair` is the id of what is right."""
    return step(name, words, expression, symbols, conditions, **({"argument": (), "expects": Outcome.REFUTED} | rest))
