"""Domains, goals and certificates for tests of the checker, from short texts such as "x real [0, 1]"."""

from __future__ import annotations

from typing import Any

from dpaudit.recheck import check as checking
from dpaudit.recheck.check import FORMAT, digest
from dpaudit.recheck.goals import Goal, read_statement
from dpaudit.recheck.proof import Proof
from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import Refused


def stated(goal: str, *rows: str, conditions: tuple[str, ...] = (), exists: bool = False) -> dict[str, Any]:
    """The statement of a certificate. rows: name, kind and range (or scale), with a blank between them."""
    symbols = [[*row.split(" ", 2), "", ""][:3] for row in rows]
    return {"symbols": symbols, "conditions": list(conditions), "goal": goal, "exists": exists}


def goal(text: str, *rows: str, conditions: tuple[str, ...] = (), exists: bool = False) -> Goal:
    """A goal on a domain."""
    return read_statement(stated(text, *rows, conditions=conditions, exists=exists))


def domain(*rows: str, conditions: tuple[str, ...] = ()) -> Context:
    """A domain."""
    return goal("0 <= 1", *rows, conditions=conditions).context


def certificate(statement: dict[str, Any], node: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A certificate with a digest that fits, its nodes as they stand; more: other fields."""
    data = {"format": FORMAT, "claim": "toy/LEM-1", "source": "0", "outcome": "PROVED", "statement": statement,
            "grounds": {}, "assuming": [], "proof": node}  # fmt: skip
    data |= more
    return data | {"digest": digest(data)}


def written(statement: dict[str, Any], node: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The same, with what the nodes say of themselves filled in; Refused where they are no proof."""
    data = certificate(statement, node, **more)
    proof = Proof({name: read_statement(one) for name, one in data["grounds"].items()}, writing=True)
    with checking.limited():
        checking.run(data, proof)
    data["assuming"] = sorted(proof.assuming)
    return data | {"digest": digest(data)}


def why_not(statement: dict[str, Any], node: dict[str, Any], **more: Any) -> str:
    """Why nodes are no proof of a statement; empty if they are one."""
    try:
        checking.check(written(statement, node, **more))
    except Refused as error:
        return str(error)
    return ""
