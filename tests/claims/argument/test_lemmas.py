"""The 42 lemmas go through, each in at most five moves; most of them without an argument."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from lemmas import FALSE, LEMMAS, MADE, NAMED, Lemma

from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import prove, tried
from dpaudit.recheck.check import check
from dpaudit.records.claim import Move, Statement

MOST_MOVES = 5
BY_HAND = ("zCDP optimum", "amplification by sampling", "Gaussian tail")
"""Those that need an argument."""
IDS = [one.name for one in LEMMAS]
QUICK = (
    "Young",
    "contraction",
    "harmonic sum",
    "logarithm below the root",
    "far end: 1/q - 1",
    "mean of a larger term",
)
"""False statements that are also tried without an argument."""


def accepted(statement: Statement, moves: tuple[Move, ...]) -> bool:
    """Is there a proof, without a theorem or the word of a solver, that the checker accepts?"""
    found = prove(statement, moves, Search("toy/LEM-1"))
    if not found.closed or found.partial or found.assuming or found.data is None:
        return False
    return check(json.loads(json.dumps(found.data))).solvers == 0


def moves_in(value: object) -> Iterator[Move]:
    """Every move of an argument, those of its parts included."""
    if isinstance(value, tuple):
        for one in value:
            yield from moves_in(one)
    elif isinstance(value, Move):
        yield value
        for field in fields(value):
            yield from moves_in(getattr(value, field.name))


def test_there_are_42() -> None:
    assert (len(NAMED), len(MADE), len(set(IDS))) == (32, 10, 42)
    assert set(FALSE) <= set(IDS)


@pytest.mark.parametrize("lemma", LEMMAS, ids=IDS)
def test_each_goes_through_in_five_moves(lemma: Lemma) -> None:
    assert 1 <= len(list(moves_in(lemma.argument))) <= MOST_MOVES
    assert accepted(lemma.statement, lemma.argument)


@pytest.mark.deep(keep=8)
@pytest.mark.parametrize("lemma", [one for one in LEMMAS if one.name not in BY_HAND], ids=lambda one: one.name)
def test_most_go_through_without_an_argument(lemma: Lemma) -> None:
    assert accepted(lemma.statement, ())


@pytest.mark.deep(keep=8)
@pytest.mark.parametrize("lemma", [one for one in LEMMAS if one.name in FALSE], ids=lambda one: one.name)
def test_with_another_number_none_does(lemma: Lemma) -> None:
    false = replace(lemma.statement, expression=FALSE[lemma.name])
    assert not tried(false, lemma.argument).closed
    if lemma.name in QUICK:
        assert not tried(false, ()).closed
