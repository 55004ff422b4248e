"""The domain of a goal in Coq: its symbols, and as hypotheses its ranges, its conditions, and that terms have a value.

Coq's functions have a value everywhere (1/0 is 0), so that a claim "wherever both sides have a value" needs hypotheses.
One that the checker shows on the whole domain is left out: the theorem without it says more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpaudit.kernel.text import NotExported, Text, identifier, number
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import Relation, Term, args

SPACE = "V_"


@dataclass(frozen=True)
class Fact:
    """One thing that is supposed, or to be shown. kind: nonzero, nonneg or positive, said of `node`; relation, which is
    `given`; other, where only the text says it."""

    kind: str
    text: str
    node: Term | None = None
    given: Relation | None = None


def said(text: Text, kind: str, node: Term) -> Fact:
    """What is said of the sign of one term."""
    written = text.real(node)
    shape = {"nonzero": f"{written} <> 0", "nonneg": f"0 <= {written}", "positive": f"0 < {written}"}
    return Fact(kind, shape[kind], node)


def needed(text: Text, node: Term) -> Iterator[Fact]:
    """What a term needs to have a value, inner terms first, beyond what the checker shows on the whole domain."""
    context = text.context
    for arg in args(node):
        if not (isinstance(node, tuple) and node[0] in ("sum", "integral", "E")):
            yield from needed(text, arg)
    match node:
        case ("/", _, b) if not (isinstance(b, Fraction) and b) and not context.nonzero(b):
            yield said(text, "nonzero", b)
        case ("sqrt", a) if not context.nonnegative(a):
            yield said(text, "nonneg", a)
        case ("factorial", a) if not context.nonnegative(a):
            yield said(text, "nonneg", a)
        case ("log" | "log2", a) if not context.positive(a):
            yield said(text, "positive", a)
        case ("**", a, n):
            yield from _of_power(text, a, n)


def _of_power(text: Text, base: Term, exponent: Term) -> Iterator[Fact]:
    context = text.context
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        if exponent < 0 and not (isinstance(base, Fraction) and base) and not context.nonzero(base):
            yield said(text, "nonzero", base)
        return
    if context.positive(base) or (context.nonnegative(base) and context.nonnegative(exponent)):
        return
    below, whole = text.real(base), text.whole(exponent)
    if whole is not None:
        if not context.nonnegative(exponent) and not context.nonzero(base):
            yield Fact("other", f"({below} <> 0 \\/ (0 <= {whole})%Z)")
        return
    yield Fact("other", f"(0 < {below} \\/ ({below} = 0 /\\ 0 <= {text.real(exponent)}))")


class Domain:
    """The binders of a goal and its hypotheses by name, in their order."""

    def __init__(self, goal: Goal) -> None:
        self.goal, self.text = goal, Text(goal.context)
        self.vectors = any(s.kind == "vector" for s in goal.context.symbols)
        self.hypotheses: dict[str, Fact] = {}
        for s in goal.context.symbols:
            self._range(s)
        for i, c in enumerate(goal.context.given):
            self._add(f"given_{i}", self._related(c))
            for side in (c.left, c.right):
                for fact in needed(self.text, side):
                    self._add(f"value_{len(self.hypotheses)}", fact)
        for side in (goal.relation.left, goal.relation.right):
            for fact in needed(self.text, side):
                self._add(f"value_{len(self.hypotheses)}", fact)

    def _related(self, given: Relation) -> Fact:
        return Fact("relation", self.text.relation(given), given=given)

    def _add(self, name: str, fact: Fact) -> None:
        if all(fact.text != old.text for old in self.hypotheses.values()):
            self.hypotheses[name] = fact

    def _range(self, s: Symbol) -> None:
        if s.kind == "gaussian":
            raise NotExported("means over gaussian symbols are not said in Coq yet")
        if s.kind == "vector":
            return
        if s.low is not None:
            self._add(f"low_{s.name}", self._related(Relation(s.low, "<" if s.low_open else "<=", s.name)))
        if s.high is not None:
            self._add(f"high_{s.name}", self._related(Relation(s.name, "<" if s.high_open else "<=", s.high)))

    @property
    def binders(self) -> list[tuple[str, str]]:
        """Names with their types."""
        space = [(SPACE, "space")] if self.vectors else []
        types = {"real": "R", "integer": "Z", "vector": SPACE}
        return [*space, *((identifier(s.name), types[s.kind]) for s in self.goal.context.symbols)]

    @property
    def conclusion(self) -> str:
        """The relation of the goal."""
        return self.text.relation(self.goal.relation)

    @property
    def statement(self) -> str:
        """The whole of it as one proposition."""
        return quantified(self.binders, [fact.text for fact in self.hypotheses.values()], self.conclusion)


def quantified(binders: list[tuple[str, str]], hypotheses: list[str], conclusion: str) -> str:
    """For all binders: the hypotheses imply the conclusion."""
    named = "forall " + " ".join(f"({name} : {kind})" for name, kind in binders) + ",\n  " if binders else ""
    return named + " ->\n  ".join([*hypotheses, conclusion])


def low_of(s: Symbol) -> str:
    """The low end of a range as text; empty where it has none."""
    return "" if s.low is None else number(s.low)


def symbol_of(context: Context, name: Term) -> Symbol | None:
    """The symbol that a term is."""
    return context.by_name.get(name) if isinstance(name, str) else None
