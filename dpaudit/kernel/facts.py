"""Instances of what holds for all numbers and vectors, as in `recheck.facts`: each fact is a lemma of Support."""

from __future__ import annotations

from dpaudit.kernel.proving import Proving
from dpaudit.kernel.scripts import known, split, then
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.facts import VECTORS
from dpaudit.recheck.terms import Relation, Term, relation, replaced, show

LEMMAS = {
    "norm(u + v) <= norm(u) + norm(v)": "norm_add", "norm(u - v) <= norm(u) + norm(v)": "norm_sub",
    "dot(u, v) <= norm(u)*norm(v)": "cauchy", "0 <= x**2": "power_even", "x <= abs(x)": "Rle_abs",
    "-x <= abs(x)": "minus_abs", "abs(x + y) <= abs(x) + abs(y)": "Rabs_triang",
    "abs(x - y) <= abs(x) + abs(y)": "abs_minus", "min(x, y) <= x": "Rmin_l", "min(x, y) <= y": "Rmin_r",
    "x <= max(x, y)": "Rmax_l", "y <= max(x, y)": "Rmax_r", "floor(x) <= x": "floor_low",
    "x < floor(x) + 1": "floor_high", "x <= ceil(x)": "ceil_low", "ceil(x) < x + 1": "ceil_high",
    "1 + x <= exp(x)": "exp_ineq1_le", "log(x) <= x - 1": "ln_below",
}  # fmt: skip
FACTS = {relation(text): lemma for text, lemma in LEMMAS.items()}


def script(prover: Proving, given: Relation) -> str:
    """A script for a relation that is an instance of one of them."""
    for fact, lemma in FACTS.items():
        for pattern, node in ((fact.right, given.right), (fact.left, given.left)):
            found: dict[Term, Term] = {}
            if not isinstance(pattern, str) and _match(prover, pattern, node, found):
                made = replaced(fact, found)
                equal = prover.context.equal
                if not all(equal(a, b) for a, b in zip(given[::2], made[::2], strict=True)):
                    continue
                scripts = [prover.equations.find(a, b) for a, b in zip(given[::2], made[::2], strict=True)]
                if None not in scripts:
                    return _applied(prover, lemma, made, [s for s in scripts if s is not None], given.sign)
    raise NotExported(f"{show(given)[:80]} is no known fact")


def _applied(prover: Proving, lemma: str, made: Relation, equal: list[str], sign: str) -> str:
    name, real = prover.fresh("K"), prover.text.real
    positive = prover.signs.prove(made.left[1], True) if lemma == "ln_below" else ""  # type: ignore[index]
    weaker = f"apply Rlt_le; exact {name}" if (made.sign, sign) == ("<", "<=") else f"exact {name}"
    head = f"apply (sides_{'lt' if sign == '<' else 'le'} _ {real(made.left)} _ {real(made.right)})"
    return then(known(name, prover.text.relation(made), then(f"apply {lemma}", positive)), split(head, *equal, weaker))


def _match(prover: Proving, pattern: Term, node: Term, found: dict[Term, Term]) -> bool:
    """Is the term the pattern, with a term for each of its letters?"""
    if isinstance(pattern, str):
        if prover.context.forms.is_vector(node) != (pattern in VECTORS):
            return False
        return found.setdefault(pattern, node) == node
    if isinstance(pattern, tuple) and isinstance(node, tuple) and pattern[0] == node[0] and len(pattern) == len(node):
        return all(_match(prover, a, b, found) for a, b in zip(pattern[1:], node[1:], strict=True))
    return pattern == node
