"""Shipped certificates in place of searches that would only find the same again.

At the levels smoke and standard an argument whose certificate lies in `proofs/<paper>/certificates/` is not searched
through: the checker goes through the certificate now, in a fresh process. It must be that of the statement and the
argument as they read now. One that is stale or refused counts for nothing: the search is made, and the verdict says
why. At level deep everything is searched for again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.certificates import certificate
from dpaudit.claims.certificates.certificate import Checked
from dpaudit.claims.citations import Citations
from dpaudit.claims.source import Source
from dpaudit.records import digests, documents
from dpaudit.records.claim import Claim, Move, Statement
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import EDITED


@dataclass(frozen=True)
class Shipped:
    """What the shipped certificate of a statement is worth in this run: itself where it counts, else the reason."""

    data: Mapping[str, Any] | None = None
    reason: str = ""


NONE = Shipped()
"""No certificate is shipped."""


def of_claim(claim: Claim, source: Source, context: Context, cited: Citations) -> Mapping[str, Shipped]:
    """The shipped certificates by the id of their statement, checked now, by a fresh process; empty at level deep.
    cited: what the arguments of the claim may cite."""
    if context.level is Level.DEEP or source.paper is None:
        return {}
    folder = source.paper / certificate.FOLDER
    given = {}
    for name, statement, argument in certificate.certifiable(claim):
        path = folder / certificate.file_name(name)
        if statement is not None and os.path.lexists(path):
            given[path] = name, statement, argument
    return {given[one.path][0]: _worth(one, *given[one.path], cited) for one in certificate.recheck([*given])}


def _worth(one: Checked, name: str, statement: Statement, argument: tuple[Move, ...], cited: Citations) -> Shipped:
    data, reason = None, f"refused by the checker: {one.reason}"
    if not one.reason:
        data, reason = _read(one)
    if data is not None:
        named = (data["claim"], data["source"], data["statement"])
        wanted = (name, certificate.source(statement, argument), as_data(statement))
        reason = "" if named == wanted else f"stale: {EDITED}"
        if not reason and (said := certificate.unsound_ground(data, argument, cited)):
            reason = f"stale: {said}"
    if reason:
        return Shipped(reason=f"the shipped certificate is {reason}; it was searched for again")
    return Shipped(data)


def _read(one: Checked) -> tuple[Mapping[str, Any] | None, str]:
    """The certificate that was accepted; nothing, and why, where the file is another one now."""
    try:
        text = documents.read_text(one.path)
        if digests.sha256(text) == one.sha256:
            return documents.parse(text, str(one.path)), ""
        return None, "another one than the checker has read"
    except (ContentError, OSError) as error:
        return None, f"gone since the checker has read it: {error}"
