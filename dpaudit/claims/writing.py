"""What a claim file writes with: the records of claims, and short forms of those that recur.

    from dpaudit.claims.writing import *

brings all of it, as the words of one language; every name that a claim file uses is one of these or bound in the file
(`tests/content/proofs/test_claims.py`). The short forms give the same records as the long ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypedDict, Unpack

from dpaudit.claims.choices import best_choice
from dpaudit.claims.divergences import (
    averaged,
    composed,
    composed_gaussians,
    converted,
    gaussian_hockey_stick,
    gaussian_renyi,
    mixed,
    processed,
    sampled,
    shift_reduced,
    simply_converted,
    transported,
)
from dpaudit.claims.events import all_of, any_of, any_of_many, bounded_martingale_tail, martingale_tail
from dpaudit.claims.interpolation import (
    convex_at,
    minimised_at,
    projected_at,
    smooth_convex_at,
    smooth_strongly_convex_at,
    worst_function,
)
from dpaudit.claims.moments import conditional_mean, fresh, unbiased, uncorrelated
from dpaudit.claims.operators import projected_by, symmetric_at, trace
from dpaudit.claims.trees import nodes_of_step, prefix_nodes
from dpaudit.records import claim as _records
from dpaudit.records.arguments import checked
from dpaudit.records.claim import *  # noqa: F403
from dpaudit.records.claim import (
    ClaimKind,
    Condition,
    Empirical,
    Identical,
    Move,
    Mutant,
    Origin,
    Outcome,
    Point,
    Reads,
    Statement,
    Step,
    Symbol,
    Tightness,
    real,
)

__all__ = [
    *_records.__all__, "all_of", "any_of", "any_of_many", "averaged", "best_choice", "bounded_martingale_tail",
    "composed", "composed_gaussians", "conditional_mean", "converted", "convex_at", "erratum", "fresh",
    "gaussian_hockey_stick", "gaussian_renyi", "ids", "martingale_tail", "minimised_at", "mixed", "mutant",
    "nodes_of_step", "point", "positive", "prefix_nodes", "processed", "projected_at", "projected_by", "sampled",
    "shift_reduced", "simply_converted", "smooth_convex_at", "smooth_strongly_convex_at", "step", "symmetric_at",
    "trace", "transported", "unbiased", "uncorrelated", "where", "worst_function",
]  # fmt: skip


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
    reads: Reads
    printed: str
    place: str


class Tagged(Rest, total=False):
    """And the conditions by where they come from; see `step`."""

    given: Mapping[str, str | tuple[str, ...]]
    enough: tuple[str, ...]
    ours: tuple[str, ...]


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
def mutant(name: str, change: str, expression: str, *at: str, own_sentence: bool = False) -> Mutant:
    """A false variant of a statement, and points (see `point`) that refute it; own_sentence: as in `Mutant`."""
    return Mutant(name, change, expression, candidates=tuple(point(text) for text in at), own_sentence=own_sentence)


@checked
def step(
    name: str,
    words: str,
    expression: str,
    symbols: tuple[Symbol, ...],
    conditions: tuple[str, ...] = (),
    **rest: Unpack[Tagged],
) -> Step:
    """A step with its statement written in place.

    conditions: what the paper assumes here. The others by where they come from: `given`, the id of each printed
    conclusion that the step uses, and it as a condition ("" if the statement has it built in); `enough`, what "a large
    enough constant" hides; `ours`, what the paper does not assume.
    An equation is an IDENTITY, shown by its normal form (`Identical`), unless `kind` and `argument` say otherwise.
    """
    origins = tuple(_origins(rest.pop("given", {}), rest.pop("enough", ()), rest.pop("ours", ())))
    everything = (*conditions, *(one.text for one in origins if one.text))
    short: Rest = {"kind": ClaimKind.IDENTITY, "argument": (Identical(),)} if "==" in expression else {}
    return Step(name, words, Statement(expression, symbols, everything), origins=origins, **(short | rest))


def _origins(
    given: Mapping[str, str | tuple[str, ...]], enough: tuple[str, ...], ours: tuple[str, ...]
) -> Iterator[Condition]:
    for name, texts in given.items():
        yield from (Condition(text, Origin.GIVEN, name) for text in ((texts,) if isinstance(texts, str) else texts))
    yield from (Condition(text, Origin.ENOUGH) for text in enough)
    yield from (Condition(text, Origin.OURS) for text in ours)


@checked
def erratum(
    name: str,
    words: str,
    expression: str,
    symbols: tuple[Symbol, ...],
    conditions: tuple[str, ...] = (),
    **rest: Unpack[Tagged],
) -> Step:
    """A step of a paper that is refuted; `finding` says what is wrong, `repair` is the id of what is right, and `reads`
    whether it is the printed line that is false, a reading, a reason, a gap, or a boundary case."""
    return step(name, words, expression, symbols, conditions, **({"argument": (), "expects": Outcome.REFUTED} | rest))
