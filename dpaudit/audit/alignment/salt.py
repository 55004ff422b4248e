"""Sets of other draws: numbers with which the call sites of a replay are salted."""

from __future__ import annotations

from collections.abc import Iterable

_DRAWS = "draws number "
"""How the name of a set of draws begins."""


def numbered(sites: Iterable[str], number: int) -> frozenset[str]:
    """These call sites salted with numbers of their own, another set of draws for each number."""
    return frozenset((*sites, f"{_DRAWS}{number}"))


def varied(salted: frozenset[str] | None) -> bool:
    """Are the sites salted by `numbered`?"""
    return salted is not None and any(name.startswith(_DRAWS) for name in salted)
