"""Tactics of Coq put together."""

from __future__ import annotations

from collections.abc import Sequence

NUMERIC = "clear; lra"
"""What closes an inequality between numbers."""
REALS = "rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR, ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR"
"""Whole numbers as real ones, however they are built."""


def then(*parts: str) -> str:
    """One after the other."""
    return "; ".join(part for part in parts if part)


def split(head: str, *parts: str) -> str:
    """A tactic, and one script for each goal that it leaves."""
    return f"{head}; [{' | '.join(parts)}]" if len(parts) != 1 else f"{head}; {parts[0]}"


def known(name: str, proposition: str, script: str) -> str:
    """A fact with its proof."""
    return f"assert ({name} : {proposition}) by ({script})"


def first(*parts: str) -> str:
    """The first that succeeds."""
    return parts[0] if len(parts) == 1 else f"first [{' | '.join(f'solve [{part}]' for part in parts)}]"


def together(scripts: Sequence[str]) -> str:
    """Scripts side by side, for `;`."""
    return f"[{' | '.join(scripts)}]"
