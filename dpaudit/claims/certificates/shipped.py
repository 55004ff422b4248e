"""Shipped certificates in place of searches that would only find the same boxes again.

At the levels smoke and standard a box proof whose certificate lies in `proofs/<paper>/certificates/` is not searched
for: the independent checker goes through the certificate now, and where it accepts, the goals in it count as proved.
It must be the certificate of the statement and the argument as they read now. One that is stale or refused counts for
nothing: the search is made, and the verdict says why. At level deep everything is searched for again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from dpaudit.claims.certificates import certificate
from dpaudit.claims.certificates.certificate import Checked
from dpaudit.claims.source import Source
from dpaudit.records.claim import Claim, Move, Statement
from dpaudit.records.context import Context, Level


@dataclass(frozen=True)
class Shipped:
    """What the shipped certificate of a statement is worth in this run.

    parts: boxes of each goal that it proves; text: the file; reason: why it counts for nothing, empty if it counts.
    """

    parts: Mapping[str, int] = field(default_factory=dict)
    text: str = ""
    reason: str = ""

    def boxes(self, goal: Statement) -> int:
        """How many boxes show `goal`; 0 if the certificate is about other goals."""
        return self.parts.get(_key(certificate.stated(goal)), 0) if self.parts else 0


NONE = Shipped()
"""No certificate is shipped."""


def of_claim(claim: Claim, source: Source, context: Context) -> Mapping[str, Shipped]:
    """The shipped certificates by the id of their statement, checked now; empty at level deep."""
    if context.level is Level.DEEP or source.paper is None:
        return {}
    folder = source.paper / certificate.FOLDER
    places = {name: folder / certificate.file_name(name) for name, _, _ in certificate.certifiable(claim)}
    paths = {name: path for name, path in places.items() if path.is_file()}
    checked = dict(zip(paths, certificate.recheck(list(paths.values())), strict=True))
    return {
        name: _worth(checked[name], name, statement, argument)
        for name, statement, argument in certificate.certifiable(claim)
        if name in checked and statement is not None
    }


def _worth(checked: Checked, name: str, statement: Statement, argument: tuple[Move, ...]) -> Shipped:
    reason = f"refused by the independent checker: {checked.reason}" if checked.reason else ""
    if not reason and (checked.claim, checked.source) != (name, certificate.source(statement, argument)):
        reason = "stale: the statement or its argument was edited after it was made"
    if reason:
        return Shipped(reason=f"the shipped certificate is {reason}; the boxes were searched for again")
    text = checked.path.read_text(encoding="utf-8")
    parts = json.loads(text)["parts"]
    return Shipped({_key(part): len(part["splits"].split()) for part in parts}, text)


def _key(part: Mapping[str, object]) -> str:
    return json.dumps([part[name] for name in certificate.GOAL])
