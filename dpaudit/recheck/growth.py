"""How fast a term grows with the draws of gaussian symbols, which says that its mean exists.

A mean of something that grows at most like a power, or like the exponential of something linear, exists; of what grows
faster, such as the exponential of a square, it may not.
"""

from __future__ import annotations

from typing import Protocol

from dpaudit.recheck.terms import Term, free

NOT, LINEAR, POWER, EXPONENTIAL = range(4)
"""Not at all, at most linearly, like a power, like the exponential of something linear."""


class Domain(Protocol):
    """What is asked of a context."""

    def gaussians(self) -> tuple[str, ...]:
        """The gaussian symbols."""
        ...

    def nonnegative(self, node: Term) -> bool:
        """0 <= node, wherever it has a value."""
        ...


def growth(domain: Domain, node: Term) -> int | None:
    """NOT, LINEAR, POWER or EXPONENTIAL; None where the mean of the term may not exist."""
    if not any(name in free(node) for name in domain.gaussians()):
        return NOT
    match node:
        case str():
            return LINEAR
        case ("abs" | "norm" | "neg" | "min" | "max" | "floor" | "ceil" | "+" | "-", *parts):
            return _most(domain, *parts)
        case ("Phi", _):
            return LINEAR
        case ("dot" | "*", a, b):
            most = _most(domain, a, b)
            return most if most is None or NOT in (growth(domain, a), growth(domain, b)) else max(POWER, most)
        case ("/", a, b):
            return growth(domain, a) if growth(domain, b) == NOT else None
        case ("sqrt", a):
            inner = growth(domain, a)
            return None if inner is None else max(POWER, inner)
        case ("**", a, n):
            grown = growth(domain, a)
            fits = grown is not None and growth(domain, n) == NOT and domain.nonnegative(n)
            return max(POWER, grown) if fits and grown is not None else None
        case ("exp", a):
            return EXPONENTIAL if growth(domain, a) in (NOT, LINEAR) else None
    return None


def _most(domain: Domain, *parts: Term) -> int | None:
    grown = [growth(domain, part) for part in parts]
    return None if None in grown else max(g for g in grown if g is not None)
