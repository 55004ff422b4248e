"""One equation made rational: see `equations`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpaudit.kernel import special
from dpaudit.kernel.canonical import Canonical
from dpaudit.kernel.proving import Proving
from dpaudit.kernel.scripts import known, split, then
from dpaudit.kernel.text import FUNCTIONS
from dpaudit.recheck.polynomials import Poly
from dpaudit.recheck.terms import Term, args

RATIONAL = ("+", "-", "*", "/", "neg")
CARRY = {"<": ("lt_carry", "0 < {}"), "<=": ("le_carry", "0 <= {}"), "<>": ("ne_carry", "{} <> 0")}


class Flat:
    """The script of one equation."""

    def __init__(self, prover: Proving, a: Term, b: Term) -> None:
        self.prover, self.sides = prover, (a, b)
        self.forms = prover.context.forms
        self.canonical = Canonical(prover, self.forms, self.carry)
        self.setup = self.canonical.setup
        self._flat: dict[Term, str] = {}
        self._names: dict[str, str] = {}
        """The names of equations by what they rewrite."""
        self._rules: list[tuple[Term, str]] = []
        """Terms with the names of the equations that rewrite them, inner ones first."""

    def real(self, node: Term) -> str:
        """The text of a term as it stands."""
        return self.prover.text.real(node)

    def script(self) -> str:
        """The whole proof."""
        a, b = self.sides
        self.canonical.read(self._form(part) for side in self.sides for part in parts(side) if self._special(part))
        self._denominators()
        self.flat(a), self.flat(b)
        return then(*self.setup, *self.rewritten((a, b)), self.algebra())

    def _special(self, node: Term) -> bool:
        """Is the term a number that is no rational function of others?"""
        if not isinstance(node, tuple) or node[0] in RATIONAL or node[0] == "pi":
            return False
        return not (node[0] == "**" and isinstance(node[2], Fraction) and node[2].denominator == 1)

    def _form(self, node: Term) -> Poly:
        return self.forms.form(node)

    # Rational parts -----------------------------------------------------------------------------------------------

    def algebra(self) -> str:
        """What closes an equation of rational functions."""
        relations = f" [{' '.join(self.canonical.relations)}]" if self.canonical.relations else ""
        return f"first [ring{relations} | field{relations}; nz]"

    def _denominators(self) -> None:
        """That what stands below a fraction line is not 0, before it is rewritten."""
        for node in dict.fromkeys(part for side in self.sides for part in _divisors(side)):
            if isinstance(node, Fraction):
                continue
            script = self.prover.signs.nonzero(node)
            if not script.startswith("exact "):
                written = self.flat(node)
                name = self.prover.fresh("N")
                self.setup.append(known(name, f"{written} <> 0", self.carry("<>", node, written, script)))

    def carry(self, sign: str, node: Term, written: str, script: str) -> str:
        """A script for the sign of the text, made of one for the term as it stands."""
        original = self.real(node)
        if original == written:
            return script
        lemma, shape = CARRY[sign]
        flat, name = self.flat(node), self.prover.fresh("H")
        held = [known(name, shape.format(original), script), *self.rewritten((node,), f" in {name}")]
        return then(*held, f"exact {name}" if flat == written else split(f"apply ({lemma} _ _ {name})", self.algebra()))

    def rewritten(self, nodes: tuple[Term, ...], where: str = "") -> list[str]:
        """Tactics that bring terms to their text here; where: in which hypothesis, if not in the goal."""
        inside = {part for node in nodes for part in parts(node)}
        names = dict.fromkeys(name for part, name in self._rules if part in inside)
        return [f"try rewrite {name}{where}" for name in names]

    # What is not rational -----------------------------------------------------------------------------------------

    def flat(self, node: Term) -> str:
        """The text that a term becomes; the equations for it are added to the setup."""
        if node not in self._flat:
            self._flat[node] = self._made_flat(node)
        return self._flat[node]

    def _made_flat(self, node: Term) -> str:
        match node:
            case Fraction() | str() | ("pi",):
                return self.real(node)
            case ("neg", a):
                return f"(- {self.flat(a)})"
            case ("+" | "-" | "*" | "/" as sign, a, b):
                return f"({self.flat(a)} {sign} {self.flat(b)})"
            case ("**", a, Fraction() as n) if n.denominator == 1:
                return f"({self.flat(a)} ^ {n})" if n >= 0 else f"(/ ({self.flat(a)} ^ {-n}))"
        before, (after, script) = self._before(node), special.equal(self, node)
        if before == after:
            return after
        if before not in self._names:
            self._names[before] = self.prover.fresh("E")
            self.setup.append(known(self._names[before], f"{before} = {after}", script))
        self._rules.append((node, self._names[before]))
        return after

    def _before(self, node: Any) -> str:
        """The term with its arguments flat."""
        head, *parts = node
        match head, parts:
            case "dot" | "norm" | "sum", _:
                return self.real(node)
            case "**", (a, n):
                whole = self.prover.text.whole(n)
                return (
                    f"(pw {self.flat(a)} {self.flat(n)})" if whole is None else f"(powerRZ {self.flat(a)} ({whole})%Z)"
                )
            case "min" | "max", (first, *rest):
                made = self.flat(first)
                for other in rest:
                    made = f"(R{head} {made} {self.flat(other)})"
                return made
            case _, (a,) if head in FUNCTIONS:
                return f"({FUNCTIONS[head]} {self.flat(a)})"
        return self.real(node)


def parts(node: Term) -> Iterator[Term]:
    """The parts of a term, but for those inside of sums."""
    yield node
    if isinstance(node, tuple) and node[0] != "sum":
        for arg in args(node):
            yield from parts(arg)


def _divisors(node: Term) -> Iterator[Term]:
    """What stands below a fraction line in a term, factor by factor."""
    for part in parts(node):
        match part:
            case ("/", _, b):
                yield from _factors(b)
            case ("**", a, Fraction() as n) if n < 0 and n.denominator == 1:
                yield from _factors(a)


def _factors(node: Term) -> Iterator[Term]:
    match node:
        case ("*" | "/", a, b):
            yield from _factors(a)
            yield from _factors(b)
        case ("neg", a):
            yield from _factors(a)
        case ("**", a, Fraction() as n) if n.denominator == 1:
            yield from _factors(a)
        case _:
            yield node
