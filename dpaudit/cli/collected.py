"""What there is to name: the claims, algorithms and targets that a command can see."""

from __future__ import annotations

from pathlib import Path

from dpaudit.audit.sandbox import planning
from dpaudit.confinement.limits import Limits
from dpaudit.content import loading, places
from dpaudit.content.apart import load_claims
from dpaudit.content.items import Item

COLLECTIONS = ("claims", "algorithms", "targets")


def collection(kind: str, proofs: Path | None, audits: Path | None, limits: Limits, isolate: bool) -> tuple[Item, ...]:
    """The items of one kind; limits: of what loads files of others; isolate: targets of others, in sandboxes."""
    if kind == "algorithms":
        return loading.load_algorithms()
    if kind == "claims":
        return load_claims([proofs or places.content_folder("proofs")[0]], limits)
    folder = audits or places.content_folder("audits")[0]
    return planning.load_targets([folder], limits, isolate)
