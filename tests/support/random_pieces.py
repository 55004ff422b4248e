"""Pieces of random proofs: terms that are nearly one another, relations, and nodes that settle a goal or go on."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from random_statements import Maker

Node = dict[str, Any]
CLOSING = ("positive", "positive", "positive", "identical", "boxes", "enumerate", "combine")


@dataclass
class Attempt:
    """A statement in the form of a file, with a proof. grounds: statements that are true by construction."""

    kind: str
    goal: str
    rows: list[tuple[str, str, str]]
    node: Node
    conditions: tuple[str, ...] = ()
    grounds: dict[str, tuple[str, list[tuple[str, str, str]]]] = field(default_factory=dict)


class Pieces:
    """Makes pieces from one stream of random numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.maker = rng, Maker(rng)

    def term(self, depth: int = 1) -> str:
        return self.maker.term(depth)

    def pair(self, depth: int = 1) -> tuple[str, str]:
        """Two terms, the second mostly the larger one, or the same in another form."""
        left = self.term(depth)
        right = self.rng.choice((
            f"{left} + {self.maker.nonnegative(0)}", f"{left} + {self.maker.nonnegative(1)}", self.altered(left),
            self.altered(left), self.term(depth),
        ))  # fmt: skip
        return left, right

    def altered(self, text: str) -> str:
        """A term with one change, which may or may not keep its value."""
        makes: list[Callable[[], str]] = [
            lambda: text.replace("abs(", "(", 1), lambda: re.sub(r"sqrt\((.*?)\)", r"(\1)**(1/2)", text, count=1),
            lambda: text.replace("min(", "max(", 1), lambda: text.replace("floor(", "(", 1),
            lambda: text.replace(" - ", " + -1*", 1), lambda: text.replace("**n", "**(n - 1)", 1),
            lambda: text.replace("**(n - 1)", "**n/(x)", 1), lambda: f"({text})*x/x", lambda: f"sqrt(({text})**2)",
            lambda: f"exp(log({text}))", lambda: f"sqrt({text})**2", lambda: f"log(exp({text}))",
            lambda: f"abs({text})",
            lambda: f"(({text})**2)**(1/2)", lambda: f"max({text}, {self.term(0)})", lambda: f"({text})**n/({text})**n",
            lambda: f"({text})**(n + 1)/({text})**n", lambda: f"1/(1/({text}))", lambda: f"({text}) + 0*{self.term(1)}",
        ]  # fmt: skip
        found = self.rng.choice(makes)()
        return found if "n" in self.maker.named("integer") or not re.search(r"\bn\b", found) else text

    def closing(self, *conditions: str) -> Node:
        """A node that settles a goal."""
        if self.rng.random() < 0.12:
            return self.wrapped(*conditions)
        by = self.rng.choice(CLOSING)
        if by == "enumerate" and (self.maker.named("real") or self.maker.named("vector")):
            by = "positive"
        if by == "boxes":
            return {"by": by, "splits": self.rng.choice((".", "0 . .", "0 . 0 . .", "0 0 . . 0 . ."))}
        if by == "combine":
            known = [*conditions, f"0 <= {self.maker.nonnegative(0)}"]
            terms = [[self.rng.choice(("1", self.term(0), self.maker.nonnegative(0))), text] for text in known[:2]]
            return {"by": by, "terms": terms}
        return {"by": by}

    def wrapped(self, *conditions: str) -> Node:
        """A node that goes on with another goal."""
        fact, inner = self.relation(), self.closing(*conditions)
        case = fact.replace("==", "<=")
        return self.rng.choice((
            {"by": "narrow", "then": inner}, {"by": "logarithm", "then": inner},
            {"by": "power", "exponent": self.rng.choice(("2", "1/2")), "then": inner},
            {"by": "shift", "term": self.term(0), "then": inner},
            {"by": "scale", "factor": self.term(0), "then": inner},
            {"by": "have", "fact": fact, "inner": self.closing(), "then": inner},
            {"by": "subtract", "fact": self.rng.choice([*conditions, fact]), "then": inner},
            {"by": "cases", "parts": [{"case": case, "proof": inner}, {"case": "otherwise", "proof": self.closing()}]},
        ))  # fmt: skip

    def relation(self) -> str:
        left, right = self.pair(0) if self.rng.random() < 0.5 else (self.term(1), self.term(0))
        return f"{left} {self.rng.choice(('<=', '<=', '<', '=='))} {right}"

    def conditions(self) -> tuple[str, ...]:
        return tuple(self.relation() for _ in range(self.rng.choice((0, 0, 1, 1, 2))))

    def simple(self, node: Node, depth: int = 1) -> Attempt:
        """An inequality with a node, and conditions."""
        left, right = self.pair(depth)
        sign = self.rng.choice(("<=", "<=", "<", "=="))
        return Attempt("", f"{left} {sign} {right}", [], node, self.conditions())

    def then(self, by: str, **fields: Any) -> Node:
        return {"by": by, **fields, "then": self.closing()}
