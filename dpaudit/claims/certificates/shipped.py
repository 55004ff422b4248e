"""Shipped certificates in place of searches that would only find the same again.

At the levels smoke and standard an argument whose certificate lies in `proofs/<paper>/certificates/` is not searched
through: the checker goes through the certificate now. It must be that of the statement and the argument as they read
now. One that is stale or refused counts for nothing: the search is made, and the verdict says why. At level deep
everything is searched for again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.argument.proof import Told, checked
from dpaudit.claims.certificates import certificate
from dpaudit.claims.citations import Citations
from dpaudit.claims.source import Source
from dpaudit.recheck.terms import Refused
from dpaudit.records.claim import Claim, Move, Statement
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import EDITED


@dataclass(frozen=True)
class Shipped:
    """What the shipped certificate of a statement is worth in this run: itself and its nodes where it counts, else the
    reason."""

    data: Mapping[str, Any] | None = None
    nodes: Told | None = None
    reason: str = ""


NONE = Shipped()
"""No certificate is shipped."""


def of_claim(claim: Claim, source: Source, context: Context, cited: Citations) -> Mapping[str, Shipped]:
    """The shipped certificates by the id of their statement, checked now; empty at level deep. cited: what the
    arguments of the claim may cite."""
    if context.level is Level.DEEP or source.paper is None:
        return {}
    folder = source.paper / certificate.FOLDER
    found = {}
    for name, statement, argument in certificate.certifiable(claim):
        path = folder / certificate.file_name(name)
        if statement is not None and os.path.lexists(path):
            found[name] = _worth(path, name, statement, argument, cited)
    return found


def _worth(path: Path, name: str, statement: Statement, argument: tuple[Move, ...], cited: Citations) -> Shipped:
    try:
        data = certificate.read(path)
        nodes = checked(data)
        named = (data["claim"], data["source"], data["statement"])
        wanted = (name, certificate.source(statement, argument), as_data(statement))
        reason = "" if named == wanted else f"stale: {EDITED}"
        if not reason and (said := certificate.unsound_ground(data, argument, cited)):
            reason = f"stale: {said}"
    except (
        Refused,
        ContentError,
        OSError,
        RecursionError,
        MemoryError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        ArithmeticError,
    ) as error:
        reason = f"refused by the checker: {error}"
    if reason:
        return Shipped(reason=f"the shipped certificate is {reason}; it was searched for again")
    return Shipped(data, nodes)
