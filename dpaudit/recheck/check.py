"""Whether a certificate proves its inequality: every box of its split tree is enclosed again.

A certificate is a JSON object: `format` 2; `claim`, the id of the statement that was proved;
`source`, the digest of that statement with its argument; `parts`, one for each box proof
of the argument; `digest`, the SHA-256 of all the rest in canonical JSON. A part holds

* `goal`, an inequality; `conditions`, more relations; `symbols`, rows of name, `real` or
  `integer`, low end, high end (`-oo` and `oo` for none);
* `splits`, the tree, depth first, parents before children, the lower half first: `.` a box
  on which the goal holds, `-` a box on which some condition fails everywhere, a number the place of
  the symbol that is split. A range is cut in the middle; without a high end at max(2 low, low + 1),
  without a low end at min(2 high, high - 1), without both at 0; of an integer the ends are rounded inwards
  first, the lower half ends at the whole number at or below the cut, and the upper one begins behind it;
* `panels`, the number of pieces of each integral.

The domain is closed, and the boxes cover it by construction. What is shown is the goal on all points of
the domain that meet the conditions; a `-` leaf uses a condition, a `.` leaf none.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpaudit.recheck import special
from dpaudit.recheck.interval import INFINITY, METER, MOST_WORK, Exhausted, Interval, enclose
from dpaudit.recheck.terms import Evaluator, Refused, Relation, number, relation

FORMAT = 2
FIELDS = {"format", "claim", "source", "parts", "digest"}
PART = {"goal", "conditions", "symbols", "splits", "panels"}
MOST_BOXES = 2_000_000
MOST_BITS = 4_096
"""Longest end of a box: every cut may double it."""
DEPTH = 6
"""How often the checker halves a box itself, where its own enclosure is a little wider than the prover's."""

Side = tuple[Fraction | None, Fraction | None]
Box = tuple[Side, ...]


@dataclass(frozen=True)
class Part:
    """One box proof, read and found well formed."""

    goal: Relation
    conditions: tuple[Relation, ...]
    names: tuple[str, ...]
    whole: tuple[bool, ...]
    domain: Box
    splits: tuple[str, ...]
    panels: int


def check(data: Any) -> int:
    """The number of boxes that were checked; raises Refused, with the reason, for anything that is no proof."""
    _shape(data)
    boxes, METER.left = 0, MOST_WORK
    try:
        for place, part in enumerate(data["parts"]):
            boxes += _numbered(place, part)
    finally:
        METER.left = math.inf
    return boxes


def _numbered(place: int, part: Any) -> int:
    """The number of boxes of a part; a refusal says which part it is."""
    try:
        return _check_part(_part(part))
    except Refused as error:
        raise Refused(f"part {place}: {error}") from error
    except Exhausted as error:
        raise Refused(f"part {place}: more than {MOST_WORK} operations") from error


def digest(data: Mapping[str, Any]) -> str:
    """The SHA-256 of a certificate without its own `digest`, in canonical JSON."""
    body = {key: value for key, value in data.items() if key != "digest"}
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _shape(data: Any) -> None:
    if not isinstance(data, dict) or set(data) != FIELDS:
        raise Refused(f"a certificate has the fields {', '.join(sorted(FIELDS))}")
    if data["format"] != FORMAT or type(data["format"]) is not int:
        raise Refused(f"format {data['format']!r}, this checker reads {FORMAT}")
    if not isinstance(data["claim"], str) or not isinstance(data["source"], str) or not data["claim"]:
        raise Refused("claim and source must be texts")
    if not isinstance(data["parts"], list) or not data["parts"]:
        raise Refused("there is no part, so nothing is shown")
    if data["digest"] != digest(data):
        raise Refused("the digest does not fit the content: something was changed")


def _part(data: Any) -> Part:
    if not isinstance(data, dict) or set(data) != PART:
        raise Refused(f"a part has the fields {', '.join(sorted(PART))}")
    texts = [data["goal"], *(data["conditions"] if isinstance(data["conditions"], list) else [None])]
    if not all(isinstance(text, str) for text in (*texts, data["splits"])):
        raise Refused("goal, conditions and splits must be texts")
    if type(data["panels"]) is not int or not 1 <= data["panels"] <= 10_000:
        raise Refused("panels must be a whole number from 1 to 10000")
    rows = data["symbols"]
    if not isinstance(rows, list) or not all(isinstance(r, list) and len(r) == 4 for r in rows):
        raise Refused("symbols must be rows of name, kind, low end, high end")
    if not all(isinstance(x, str) for row in rows for x in row) or len({row[0] for row in rows}) != len(rows):
        raise Refused("symbols must be texts, each name once")
    goal = relation(texts[0])
    if goal.sign == "==" or not goal.names <= {row[0] for row in rows}:
        raise Refused("the goal must be an inequality between terms in the symbols")
    domain = tuple(_range(row[1], _end(row[2], "-oo"), _end(row[3], "oo")) for row in rows)
    if any(low is not None and high is not None and low > high for low, high in domain):
        raise Refused("the range of a symbol is empty, so nothing is shown")
    return Part(
        goal=goal,
        conditions=tuple(map(relation, texts[1:])),
        names=tuple(row[0] for row in rows),
        whole=tuple(_is_whole(row[1]) for row in rows),
        domain=domain,
        splits=tuple(data["splits"].split()),
        panels=data["panels"],
    )


def _range(kind: str, low: Fraction | None, high: Fraction | None) -> Side:
    """The range itself; of an integer, its ends rounded inwards."""
    if not _is_whole(kind):
        return low, high
    return (None if low is None else Fraction(math.ceil(low)), None if high is None else Fraction(math.floor(high)))


def _is_whole(kind: str) -> bool:
    if kind not in ("real", "integer"):
        raise Refused(f"a symbol is real or integer, not {kind!r}")
    return kind == "integer"


def _end(text: str, infinite: str) -> Fraction | None:
    return None if text == infinite else number(text)


def _check_part(part: Part) -> int:
    """Walk the tree with a stack of boxes; every token settles or splits the box on top."""
    if len(part.splits) > MOST_BOXES:
        raise Refused(f"more than {MOST_BOXES} boxes")
    goal = Evaluator(part.goal.text, part.panels)
    conditions = [(c, Evaluator(c.text, part.panels)) for c in part.conditions]
    stack = [part.domain]
    for token in part.splits:
        if not stack:
            raise Refused("there are tokens behind the end of the tree")
        box = stack.pop()
        if token == ".":
            if not _holds(part, goal, box, DEPTH):
                raise Refused(f"the goal is not certain on the box {_show(part, box)}")
        elif token == "-":
            if not any(_fails(part, c, evaluator, box) for c, evaluator in conditions):
                raise Refused(f"no condition fails for certain on the box {_show(part, box)}")
        elif token.isdigit() and len(token) < 4 and int(token) < len(box):
            stack.extend(reversed(_halves(box, int(token), part.whole[int(token)])))
        else:
            raise Refused(f"the token {token[:20]!r} has no meaning")
    if stack:
        raise Refused(f"the tree ends with {len(stack)} boxes left, the next: {_show(part, stack[-1])}")
    return len(part.splits)


def _halves(box: Box, place: int, whole: bool) -> list[Box]:
    low, high = box[place]
    if low is not None and low == high:
        raise Refused("a single point is split")
    cut = _cut(low, high)
    if max(cut.numerator.bit_length(), cut.denominator.bit_length()) > MOST_BITS:
        raise Refused(f"an end of a box has more than {MOST_BITS} bits")
    upper = cut
    if whole:
        cut = Fraction(cut.numerator // cut.denominator)
        upper = cut + 1
    return [(*box[:place], side, *box[place + 1 :]) for side in ((low, cut), (upper, high))]


def _cut(low: Fraction | None, high: Fraction | None) -> Fraction:
    if low is None:
        return Fraction(0) if high is None else min(2 * high, high - 1)
    return max(2 * low, low + 1) if high is None else (low + high) / 2


def _values(part: Part, box: Box) -> dict[str, Interval]:
    def interval(side: Side) -> Interval:
        low, high = side
        return (-INFINITY if low is None else enclose(low)[0], INFINITY if high is None else enclose(high)[1])

    return {name: interval(side) for name, side in zip(part.names, box, strict=True)}


def _holds(part: Part, evaluator: Evaluator, box: Box, depth: int) -> bool:
    """Is the goal certain on the whole box? Boxes without a point (an integer range that is empty) hold nothing."""
    METER.spend(1)
    if any(low is not None and high is not None and low > high for low, high in box):
        return True
    values = _values(part, box)
    a, b = evaluator.value(part.goal.left, values), evaluator.value(part.goal.right, values)
    slack = special.minus(b, a)[0]
    if (a[1] < b[0] or slack > 0) if part.goal.sign == "<" else (a[1] <= b[0] or slack >= 0):
        return True
    wide = [i for i, (low, high) in enumerate(box) if low is None or low != high]
    if depth == 0 or not wide:
        return False
    place = max(wide, key=lambda i: _width(box[i], part.domain[i]))
    return all(_holds(part, evaluator, half, depth - 1) for half in _halves(box, place, part.whole[place]))


def _width(side: Side, domain: Side) -> Fraction:
    if None in side or None in domain:
        return Fraction(1)
    return (side[1] - side[0]) / (domain[1] - domain[0])  # type: ignore[operator]


def _fails(part: Part, condition: Relation, evaluator: Evaluator, box: Box) -> bool:
    """Does the condition fail at every point of the box?"""
    METER.spend(1)
    if not condition.names <= set(part.names):
        return False
    values = _values(part, box)
    a, b = evaluator.value(condition.left, values), evaluator.value(condition.right, values)
    if condition.sign == "==":
        return a[1] < b[0] or b[1] < a[0]
    return a[0] >= b[1] if condition.sign == "<" else a[0] > b[1]


def _show(part: Part, box: Box) -> str:
    ends = [("-oo" if low is None else str(low), "oo" if high is None else str(high)) for low, high in box]
    return ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in zip(part.names, ends, strict=True))
