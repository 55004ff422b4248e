"""Whether a certificate proves, or refutes, its statement.

A certificate is a JSON object: `format` 3; `claim`, the id of the statement; `outcome`, PROVED or REFUTED;
`source`, a digest of the argument that it was made of;
`statement` as it was written: `symbols`, rows of name, kind and range, `conditions`, `goal`, `exists`; `grounds`, the
statements that parts are instances of, by id; `assuming`, the theorems and grounds that are used; `proof`, a node;
`digest`, the SHA-256 of all the rest in canonical JSON. A node has `by`, the name of its rule (`rules`), what the rule
needs, `needs`, the side goals that are shown on the way, and parts, each with the `goal` that it proves.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from dpaudit.recheck.goals import Goal, read_statement, refuse_without_value
from dpaudit.recheck.interval import METER, MOST_WORK, Exhausted
from dpaudit.recheck.points import Point
from dpaudit.recheck.proof import Proof
from dpaudit.recheck.rules import constants
from dpaudit.recheck.terms import Refused, Relation

FORMAT = 3
FIELDS = {"format", "claim", "source", "outcome", "statement", "grounds", "assuming", "proof", "digest"}


@dataclass(frozen=True)
class Checked:
    """What was checked: nodes, boxes, and goals that rest on the word of solvers."""

    steps: int
    boxes: int
    solvers: int
    assuming: tuple[str, ...]


def check(data: Any, proof: Proof | None = None) -> Checked:
    """Raises Refused, with the reason, for anything that is no proof. proof: what goes through the nodes, with the
    grounds of this certificate; by default one that keeps nothing."""
    _shape(data)
    if data["digest"] != digest(data):
        raise Refused("the digest does not fit the content: something was changed")
    proof = proof or Proof(grounds(data))
    with limited():
        run(data, proof)
    if sorted(proof.assuming) != data["assuming"]:
        raise Refused(f"the proof assumes {sorted(proof.assuming)}, the file says {data['assuming']}")
    return Checked(proof.steps, proof.boxes, proof.solvers, tuple(proof.assuming))


def grounds(data: Mapping[str, Any]) -> dict[str, Goal]:
    """The statements that a certificate rests on, by id."""
    return {name: read_statement(one) for name, one in data["grounds"].items()}


def run(data: Mapping[str, Any], proof: Proof) -> None:
    """Go through the proof of a certificate; raises Refused."""
    goal = read_statement(data["statement"])
    if goal.constants and data["outcome"] == "REFUTED":
        constants.for_every(proof, goal, data["proof"])
    elif data["outcome"] == "PROVED":
        if not goal.constants:  # what is chosen for them comes first
            refuse_without_value(goal)
        proof.check(goal, data["proof"])
    elif goal.exists:
        proof.check(opposite(goal), data["proof"])
    else:
        _refuted(goal, data["proof"])


@contextmanager
def limited() -> Iterator[None]:
    """Within, more than MOST_WORK operations are refused."""
    METER.left = MOST_WORK
    try:
        yield
    except Exhausted as error:
        raise Refused(f"more than {MOST_WORK} operations") from error
    finally:
        METER.left = math.inf


def opposite(goal: Goal) -> Goal:
    """What refutes a statement that there is a point: the opposite holds at all."""
    left, sign, right = goal.relation
    if sign == "==":
        raise Refused("an equation at one point is not refuted by an inequality at all")
    return replace(goal, relation=Relation(right, "<" if sign == "<=" else "<=", left), exists=False)


def _refuted(goal: Goal, node: Any) -> None:
    if not isinstance(node, dict) or set(node) != {"by", "point"} or node["by"] != "witness":
        raise Refused("what refutes a statement for all points is a witness, a point")
    at = Point(goal.context, dict(node["point"]))
    if not at.inside():
        raise Refused("the point is not in the ranges of the symbols")
    met = (*map(at.holds, goal.context.given), *map(at.holds_at_every, goal.every))
    if not all(answer is True for answer in met):
        raise Refused("a condition is not met for certain at the point")
    if at.holds(goal.relation) is not False:
        raise Refused("the relation does not fail for certain at the point")


def digest(data: Mapping[str, Any]) -> str:
    """The SHA-256 of a certificate without its own `digest`, in canonical JSON."""
    body = {key: value for key, value in data.items() if key != "digest"}
    return hashlib.sha256(json.dumps(body, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def _shape(data: Any) -> None:
    if not isinstance(data, dict) or set(data) != FIELDS:
        raise Refused(f"a certificate has the fields {', '.join(sorted(FIELDS))}")
    if data["format"] != FORMAT or type(data["format"]) is not int:
        raise Refused(f"format {data['format']!r}, this checker reads {FORMAT}")
    if (
        not isinstance(data["claim"], str)
        or not data["claim"]
        or not isinstance(data["source"], str)
        or data["outcome"] not in ("PROVED", "REFUTED")
    ):
        raise Refused("claim is an id, and outcome PROVED or REFUTED")
    if not isinstance(data["grounds"], dict) or data["claim"] in data["grounds"]:
        raise Refused("grounds are statements by id, none of them the claim itself")
    assuming = data["assuming"]
    if not isinstance(assuming, list) or not all(isinstance(name, str) for name in assuming):
        raise Refused("assuming is a list of names")
