"""Numbers of audits in sentences."""

from __future__ import annotations

LEAST = 1e-300
"""Below it probabilities lose their digits, and then are 0."""


def probability(value: float, relation: str = "=") -> str:
    """`= 0.0123` or, with another relation, `at most 0.0123`; one that is too small for a float is not 0."""
    return f"{relation} {value:.3g}" if value >= LEAST else f"below {LEAST:g}"
