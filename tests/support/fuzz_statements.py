"""Texts of statements, read by the language and by the checker, and certificates."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from fuzz_files import Wrong, put
from random_statements import Maker

from dpaudit.claims.language import expression
from dpaudit.recheck import check as checker
from dpaudit.recheck import terms
from dpaudit.recheck.__main__ import examine
from dpaudit.recheck.proof import Proof
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Outcome

POINTS = 20
"""Exact points at which what a certificate proves is tried."""
AT = {"x": Fraction(3, 7), "y": Fraction(-2), "k": Fraction(5)}
"""Exact values of symbols, at which one text has one value, whoever reads it."""
LONGEST_COMPARED = 10_000
"""Bits of a value that is compared with decimals, which takes the square of them."""


def texts(data: bytes) -> None:
    reads = READS.get(data[:1])
    if reads is None or not data.isascii():
        return
    text = data[1:].decode("ascii")
    try:
        theirs = reads[1](text)
    except (terms.Refused, RecursionError):  # whoever calls it takes both as refusals
        theirs = None
    ours = reads[0](text)
    if isinstance(ours, expression.Expr):
        _same_value(text, ours, theirs)
    elif isinstance(ours, expression.Relation):
        str(ours.left), str(ours.right)
    else:
        str(ours.low), str(ours.high), str(ours.relation.left), str(ours.relation.right)


READS: dict[bytes, tuple[Callable[[str], Any], Callable[[str], Any]]] = {
    b"t": (expression.parse, terms.term),
    b"r": (expression.parse_relation, terms.relation),
    b"c": (expression.parse_condition, terms.condition),
}
"""What reads a text in the language, and in the checker, by the first byte of an input."""


def _same_value(text: str, ours: expression.Expr, theirs: terms.Term | None) -> None:
    """What is rational has one value in language, its own print, and checker."""
    printed = str(ours)
    try:
        value = expression.rational(ours, AT)
    except ContentError:
        return
    with suppress(ContentError):  # a number is a quotient in print, which may be nested too deep
        again = expression.rational(expression.parse(printed), AT)
        if again != value:
            raise Wrong(f"{text!r} is {value}, and its print {printed!r} is {again}")
    if theirs is None or max(value.numerator.bit_length(), value.denominator.bit_length()) > LONGEST_COMPARED:
        return
    with suppress(terms.Refused, RecursionError):
        low, high = _of_the_checker(theirs)
        if not low <= value <= high:
            raise Wrong(f"{text!r} is {value}; the checker says {low} to {high}")


def _of_the_checker(node: terms.Term) -> Any:
    from dpaudit.recheck import evaluate, interval

    with checker.limited():
        return evaluate.enclose(node, {name: interval.enclose(value) for name, value in AT.items()})


MOST_WORK = 100_000
"""Operations that one certificate may cost here, a hundredth of what the checker allows: what is not counted hangs."""


def certificates(data: bytes) -> None:
    with patch.object(checker, "MOST_WORK", MOST_WORK):
        try:
            content = json.loads(data[1:])
            if data[:1] == b"=":
                _put_right(content)
            path = put("one.json", json.dumps(content).encode())
        except (ValueError, RecursionError):
            content, path = None, put("one.json", data[1:])
        found = examine(str(path))
    if not found["accepted"]:
        raise terms.Refused(str(found["reason"]))
    if not found["assuming"] and not found["solvers"]:
        _true(content)


def _put_right(content: Any) -> None:
    """What a certificate says of itself: the goals and side goals of its nodes, as far as the checker comes, what it
    assumes, and its digest. Else hardly a change would come past the first comparison."""
    with suppress(*MALFORMED, terms.Refused), checker.limited():
        proof = Proof(checker.grounds(content), writing=True)
        checker.run(content, proof)
        content["assuming"] = sorted(proof.assuming)
    if isinstance(content, dict):
        content["digest"] = checker.digest(content)


MALFORMED = (ValueError, RecursionError, ArithmeticError, LookupError, TypeError, AttributeError)
"""What the checker may run into where a certificate is malformed; `examine` says so of it, and refuses."""


def _true(content: Mapping[str, Any]) -> None:
    """Wrong if a statement that is proved fails at a point, or is one that is known and ends the other way."""
    said = content["statement"]
    known = _known().get(_key(said))
    if known not in (None, content["outcome"]):
        raise Wrong(f"{said} is {content['outcome']}, and {known} by the certificate that ships")
    rows = [tuple(row) for row in said["symbols"]]
    judged = not said["exists"] and all(kind in ("real", "integer", "vector") for _, kind, _ in rows)
    if known is None and content["outcome"] == Outcome.PROVED and judged:
        try:
            against = Maker(Random(1)).against(rows, tuple(said["conditions"]), said["goal"], POINTS)
        except Exception:  # the judge knows fewer statements than the checker: it says nothing of this one
            return
        if against is not None:
            raise Wrong(f"{said} is proved and fails at {against}")


def _key(said: Mapping[str, Any]) -> str:
    return json.dumps(said, sort_keys=True)


@cache
def _known() -> dict[str, str]:
    """The outcomes of the certificates that ship, by their statements, of those that rest on nothing."""
    files = (Path(__file__).parents[2] / "proofs").glob("*/certificates/*.json")
    found = [json.loads(path.read_text(encoding="utf-8")) for path in files if path.stat().st_size < 4096]
    return {_key(one["statement"]): one["outcome"] for one in found if not one["assuming"]}
