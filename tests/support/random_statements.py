"""Small random statements whose truth is known: true by construction, or false at a planted exact point."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from real_values import Number, Reader, Undefined

REALS = ("(-oo, oo)", "[0, oo)", "(0, oo)", "[0, 1]", "(0, 1]", "[0, 1)", "[-1, 1]", "(-oo, 0]", "[1, oo)", "[-2, 0)",
         "[2, 3]", "(-1, 1)")  # fmt: skip
INTEGERS = ("[0, oo)", "[1, oo)", "[0, 3]", "[-2, 2]", "[1, 4]", "(-oo, oo)", "(0, 5/2]")
NUMBERS = ("0", "1", "2", "3", "1/2", "-1", "-2", "3/2")
POOL = tuple(Fraction(a, b) for a, b in ((0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (3, 1), (1, 2), (-1, 2), (1, 3),
                                         (7, 3), (-5, 3), (1, 100), (13, 11), (5, 2), (-7, 4)))  # fmt: skip


@dataclass(frozen=True)
class Said:
    """A statement as the file of a proof has it. true: True by construction, False at `point`."""

    goal: str
    rows: tuple[tuple[str, str, str], ...]
    conditions: tuple[str, ...]
    true: bool
    point: tuple[tuple[str, str], ...] = ()


class Maker:
    """Makes statements from one stream of random numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.rows: list[tuple[str, str, str]] = []
        self.reader = Reader({})

    # Terms ---------------------------------------------------------------------------------------------------------

    def domain(self) -> None:
        """Take new symbols."""
        pick = self.rng.choice
        self.rows = [("x", "real", pick(REALS)) if self.rng.random() < 0.85 else ("x", "integer", pick(INTEGERS))]
        if self.rng.random() < 0.6:
            self.rows.append(("y", "real", pick(REALS)))
        if self.rng.random() < 0.5:
            self.rows.append(("n", "integer", pick(INTEGERS)))
        if self.rng.random() < 0.3:
            self.rows += [("u", "vector", ""), ("v", "vector", "")]
            if self.rng.random() < 0.5:
                self.rows.append(("xi", "gaussian", pick(("1", "1/2", "x"))))
        self.reader = Reader({name: text for name, kind, text in self.rows if kind == "gaussian"})

    def named(self, kind: str) -> list[str]:
        """The symbols of a kind."""
        return [name for name, other, _ in self.rows if other == kind]

    def scalars(self) -> list[str]:
        """The symbols that are numbers."""
        return [*self.named("real"), *self.named("integer")]

    def term(self, depth: int, more: tuple[str, ...] = ()) -> str:
        """A term; more: variables of sums around it."""
        rng = self.rng
        if not depth or rng.random() < 0.15:
            return rng.choice([*self.scalars(), *self.scalars(), *more, *more, *NUMBERS])
        a, b = self.term(depth - 1, more), self.term(depth - 1, more)
        makes: list[Callable[[], str]] = [
            lambda: f"({a} {rng.choice('+-*')} {b})", lambda: f"({a} {rng.choice('+-*')} {b})",
            lambda: f"({a}/({b}))", lambda: f"({a})**{rng.choice(('2', '3', '(1/2)', '(-1)', '0'))}",
            lambda: f"{rng.choice(('sqrt', 'exp', 'log', 'abs', 'floor', 'ceil', 'abs', 'sqrt'))}({a})",
            lambda: f"{rng.choice(('min', 'max'))}({a}, {b})",
        ]  # fmt: skip
        if "n" in self.named("integer"):
            power = rng.choice(("n", "(n - 1)", "(-n)", "(n + 1)", "(2*n)"))
            makes += [lambda: f"({a})**{power}", lambda: self._sum(depth)]
        if self.named("vector"):
            makes += [lambda: f"dot({self.vector()}, {self.vector()})", lambda: f"norm({self.vector()})"]
        if self.named("gaussian"):
            makes.append(self._mean)
        return rng.choice(makes)()

    def vector(self) -> str:
        """A vector."""
        return self.rng.choice(("u", "v", "(u - v)", "(u + v)", f"({self.term(0)}*u)", "(2*v - u)"))

    def _sum(self, depth: int) -> str:
        low, high = self.rng.choice(("0", "1", "n - 1")), self.rng.choice(("n", "n + 1", "3"))
        name = f"k{depth}"
        return f"sum({name}, {low}, {high}, {self.term(depth - 1, (name,))})"

    def _mean(self) -> str:
        scale = self.term(0)
        return self.rng.choice((
            "E(dot(xi, v)**2)", "E(dot(xi, u)*dot(xi, v))", f"E(exp(dot(xi, {scale}*v)/4))", f"E(dot(xi, v) + {scale})",
            "E(dot(xi, v)**4)", "E(norm(xi))", f"E((dot(xi, v) - {scale})**2)", "E(abs(dot(xi, v)))",
        ))  # fmt: skip

    def nonnegative(self, depth: int) -> str:
        """A term that is not negative wherever it has a value, whatever the symbols are."""
        rng, a, b = self.rng, self.term(depth), self.term(depth)
        if depth and rng.random() < 0.3:
            return f"({self.nonnegative(depth - 1)} {rng.choice('+*')} {self.nonnegative(depth - 1)})"
        makes = [
            f"({a})**2", f"abs({a})", f"sqrt({a})", f"exp({a})", f"max({a}, 0)", f"({a} - floor({a}))",
            f"(ceil({a}) - {a})", f"(max({a}, {b}) - {a})", f"({a} - min({a}, {b}))", f"(exp({a}) - 1 - {a})",
            f"({a} - 1 - log({a}))", f"(abs({a}) + abs({b}) - abs({a} + {b}))", f"({a} - {b})**2", *self._ends(),
        ]  # fmt: skip
        if self.named("vector"):
            u, v = self.vector(), self.vector()
            makes += [f"norm({u})", f"dot({u}, {u})", f"(norm({u})*norm({v}) - dot({u}, {v}))",
                      f"(norm({u}) + norm({v}) - norm({u} + {v}))"]  # fmt: skip
        if self.named("gaussian"):
            makes += ["E(dot(xi, v)**2)", "E(exp(dot(xi, v)/4))", "E(norm(xi))"]
        if "n" in self.named("integer"):
            makes += [f"abs({a})**n", "sum(k, 1, n, k)", f"sum(k, 0, n, abs({a})**k)"]
        return rng.choice(makes)

    def _ends(self) -> list[str]:
        """Distances from the ends of ranges."""
        found = []
        for name, kind, text in self.rows:
            if kind in ("real", "integer"):
                low, high = (end.strip() for end in text[1:-1].split(","))
                found += [f"({name} - ({low}))"] if low != "-oo" else []
                found += [f"({high} - {name})"] if high != "oo" else []
        return found * 3

    # Points and statements -----------------------------------------------------------------------------------------

    def point(self) -> dict[str, Number]:
        """A point of the domain: often with an end of a range, or 0."""
        at: dict[str, Number] = {}
        for name, kind, text in self.rows:
            if kind == "gaussian":
                continue
            inside = [v for v in POOL if kind == "vector" or within(v, text)]
            if kind == "integer":
                inside = [v for v in inside if v.denominator == 1]
            at[name] = self.rng.choice([*inside, *([Fraction(0)] * 3 if Fraction(0) in inside else [])])
        return at

    def true(self) -> Said:
        """left <= left + something that is not negative, or an equation of a term with itself in another form."""
        self.domain()
        left, depth = self.term(self.rng.choice((0, 1, 2))), self.rng.choice((0, 1, 1))
        moved = self.rng.choice((f"{left} + 0", left, f"(2*({left}) - ({left}))", f"({left})*1"))
        if self.rng.random() < 0.15:
            return Said(f"{left} == {moved}", tuple(self.rows), (), True)
        return Said(f"{left} <= {moved} + {self.nonnegative(depth)}", tuple(self.rows), self._conditions(None), True)

    def false(self) -> Said:
        """A relation that fails at a point, often by little."""
        while True:
            self.domain()
            said = self._spoilt() if self.rng.random() < 0.6 else self._planted()
            if said is not None:
                return said

    def _spoilt(self) -> Said | None:
        """A true one made strict, or with a number added, where that fails."""
        said = self.true()
        left, sign, right = said.goal.partition(" <= ")
        if not sign:
            return None
        more = self.rng.choice(("1/100", "1", "1/1000000"))
        goal = self.rng.choice((f"{left} < {right}", f"{left} + {more} <= {right}", f"{right} <= {left}",
                                f"{left} == {right}", f"{right} < {left}"))  # fmt: skip
        return self._failing(goal)

    def _planted(self) -> Said | None:
        goal = f"{self.term(2)} {self.rng.choice(('<=', '<', '=='))} {self.term(2)}"
        return self._failing(goal)

    def _failing(self, goal: str) -> Said | None:
        for _ in range(12):
            at = self.point()
            if _sure(lambda at=at: not self.reader.holds(goal, at)):
                return Said(goal, tuple(self.rows), self._conditions(at), False, self.shown(at))
        return None

    def shown(self, at: Mapping[str, Number]) -> tuple[tuple[str, str], ...]:
        """A point as certificates have it."""
        vectors = self.named("vector")
        return tuple((name, f"({v},)" if name in vectors else str(v)) for name, v in at.items())

    def against(self, rows: list[tuple[str, str, str]], conditions: tuple[str, ...], goal: str, tries: int) -> Any:
        """A point of a domain at which the conditions hold and the goal fails for sure; None where none is found."""
        self.rows = rows
        self.reader = Reader({name: text for name, kind, text in rows if kind == "gaussian"})
        for _ in range(tries):
            at = self.point()
            if _sure(
                lambda at=at: all(self.reader.holds(c, at) for c in conditions) and not self.reader.holds(goal, at)
            ):
                return self.shown(at)
        return None

    def _conditions(self, at: Mapping[str, Number] | None) -> tuple[str, ...]:
        """Conditions that are met at a point, where one is given."""
        found = []
        for _ in range(self.rng.choice((0, 0, 1, 1, 2))):
            a, b, sign = self.term(1), self.term(1), self.rng.choice(("<=", "<=", "<", "=="))
            for text in (f"{a} {sign} {b}", f"{b} {sign} {a}"):
                if at is None or _sure(lambda text=text: self.reader.holds(text, at)):
                    found.append(text)
                    break
        return tuple(text for text in found if "E(" not in text)


def _sure(what: Callable[[], bool]) -> bool:
    try:
        return what()
    except (Undefined, OverflowError):
        return False


def within(value: Fraction, text: str) -> bool:
    """Does a number lie in a range such as (0, 1]?"""
    low, high = (end.strip() for end in text[1:-1].split(","))
    above = low == "-oo" or value > Fraction(low) or (text[0] == "[" and value == Fraction(low))
    return above and (high == "oo" or value < Fraction(high) or (text[-1] == "]" and value == Fraction(high)))
