"""Inequalities by coq-interval: enclosures on the whole domain, or on boxes that it halves itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpaudit.kernel.proving import Proving
from dpaudit.kernel.scripts import NUMERIC, REALS, known, then
from dpaudit.kernel.text import NotExported, identifier, number
from dpaudit.recheck.terms import Relation, Term, free, walk

DEPTH = 30
NOT_ENCLOSED = frozenset(("dot", "norm", "min", "max", "factorial", "sum"))


def script(prover: Proving, given: Relation, split: bool) -> str:
    """A script for the relation."""
    heads = {part[0] for side in (given.left, given.right) for part in walk(side) if isinstance(part, tuple)}
    if heads & NOT_ENCLOSED:
        raise NotExported(f"an enclosure of {', '.join(sorted(heads & NOT_ENCLOSED))}")
    names = sorted(free(given.left) | free(given.right))
    whole = [identifier(name) for name in names if prover.context.kind(name) == "integer"]
    unfolded = "unfold log2, floorR, ceilR"
    if not (split and names):
        return then(*_powers(prover, given), unfolded, "reals", "enclosed")
    real = [f"set (real_{name} := IZR {name}) in *; clearbody real_{name}" for name in whole]
    made = [f"real_{name}" if name in whole else name for name in map(identifier, names)]
    return then(*_powers(prover, given), unfolded, REALS, *real, "reals", _on_boxes(made))


def _on_boxes(names: list[str]) -> str:
    parts = ", ".join(f"i_bisect {name}" for name in names)
    tactic = f"interval with (i_prec 40, {parts}, i_depth {DEPTH})"
    return f"first [enclosed | {tactic} | apply Rminus_le; {tactic} | apply Rminus_lt; {tactic}]"


def _powers(prover: Proving, given: Relation) -> Iterator[str]:
    """Powers with other than whole numbers as exponent, by exponentials; outer ones first."""
    for node in dict.fromkeys(part for side in (given.left, given.right) for part in walk(side)):
        match node:
            case ("**", Fraction() as base, str() as n) if base >= 1 and prover.text.whole(n) is not None:
                yield from _from_low(prover, base, n)
            case ("**", base, exponent) if not (isinstance(exponent, Fraction) and exponent.denominator == 1):
                name = prover.fresh("P")
                below, whole = prover.text.real(base), prover.text.whole(exponent)
                yield known(name, f"0 < {below}", _positive(prover, base))
                above = prover.text.real(exponent) if whole is None else f"({whole})%Z"
                yield f"rewrite ({'pw' if whole is None else 'zpow'}_exp {below} {above} {name})"


def _from_low(prover: Proving, base: Fraction, n: str) -> Iterator[str]:
    """A power of a number from 1 on, with a whole symbol as exponent: at least the power at its low end."""
    s, written = prover.context.by_name[n], prover.text.real(("**", base, n))
    if s.low is None or s.low < 0 or s.low.denominator != 1:
        raise NotExported(f"an enclosure of {written}")
    below, name = number(base), prover.fresh("P")
    script = f"apply (zpow_from {below} {s.low}); [{NUMERIC} | exact low_{n}]"
    yield known(name, f"{below} ^ {s.low} <= {written}", script)
    yield f"generalize dependent {written}; intros"


def _positive(prover: Proving, base: Term) -> str:
    return prover.signs.prove(base, True)
