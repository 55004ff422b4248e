"""Random statements with the nodes of a proof of each kind: right if the side goals of the moves hold, which is left to
chance. What the checker accepts of them must hold at every point."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from random_pieces import Attempt, Pieces
from random_statements import INTEGERS, REALS

from dpaudit.recheck.calculus import derivative
from dpaudit.recheck.terms import Refused, show, term

CHANGES = (
    ("t**2", "sqrt(x)", "[0, oo)", "[0, oo)"), ("t - 1", "x + 1", "(-oo, oo)", "(-oo, oo)"),
    ("1/t", "1/x", "(0, 1]", "[1, oo)"), ("exp(t)", "log(x)", "(0, oo)", "(-oo, oo)"),
    ("sqrt(t)", "x**2", "[0, 1]", "[0, 1]"), ("-t", "-x", "[0, oo)", "(-oo, 0]"),
    ("t/(1 + t)", "x/(1 - x)", "[0, 1)", "[0, oo)"), ("log(t)", "exp(x)", "(-oo, oo)", "(0, oo)"),
    ("t**2", "abs(x)", "[0, oo)", "[0, oo)"), ("2*t", "x/2", "[2, 3]", "[1, 3/2]"),
    ("abs(t)", "x", "[0, oo)", "[0, oo)"), ("floor(t)", "x", "(-oo, oo)", "(-oo, oo)"),
    ("max(t, 0)", "x", "[0, 1]", "[0, 1]"),
)  # fmt: skip
"""Values of x, their inverses, and ranges of both that fit; others are tried as well."""


class Prover(Pieces):
    """Makes attempts from one stream of random numbers."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.kinds: dict[str, Callable[[], Attempt]] = {
            name.removeprefix("_by_"): getattr(self, name) for name in dir(self) if name.startswith("_by_")
        }

    def attempt(self, kind: str = "") -> Attempt:
        """An attempt of a kind, or of any."""
        kind = kind or self.rng.choice(sorted(self.kinds))
        while True:
            self.maker.domain()
            try:
                made = self.kinds[kind]()
            except (Refused, RecursionError):
                continue
            made.kind, made.rows = kind, made.rows or list(self.maker.rows)
            return made

    def spoilt(self, attempt: Attempt) -> Attempt:
        """The same proof of a statement with one change."""
        rng, goal, conditions = self.rng, attempt.goal, attempt.conditions
        rows = [(n, k, rng.choice({"real": REALS, "integer": INTEGERS}.get(k, (t,)))) for n, k, t in attempt.rows]
        stricter = re.sub("<=|==", "<", goal, count=1)
        (left, _, right), more = goal.partition(" <= "), rng.choice(("1/1000", "1/10", "1"))
        changed = rng.choice((
            (stricter, attempt.rows, conditions), (goal, rows, conditions), (goal, attempt.rows, conditions[1:]),
            (f"{left} + {more} <= {right}" if right else stricter, attempt.rows, conditions),
            (goal.replace(rng.choice("0123"), rng.choice("0123"), 1), attempt.rows, conditions),
        ))  # fmt: skip
        return replace(attempt, goal=changed[0], rows=list(changed[1]), conditions=changed[2])

    # Kinds ---------------------------------------------------------------------------------------------------------

    def _by_closing(self) -> Attempt:
        made = self.simple({}, self.rng.choice((1, 2)))
        made.node = self.closing(*made.conditions)
        return made

    def _by_scale(self) -> Attempt:
        left, right = self.pair()
        factor = self.rng.choice((self.term(0), self.maker.nonnegative(0), self.term(1)))
        back = {"by": "rewrite", "left": left, "right": right, "then": self.closing()}
        goal = f"({left})*({factor}) {self.rng.choice(('<=', '<', '=='))} ({right})*({factor})"
        return Attempt("", goal, [], {"by": "scale", "factor": f"1/({factor})", "then": back}, self.conditions())

    def _by_shift(self) -> Attempt:
        return self.simple(self.then("shift", term=self.term(1)))

    def _by_logarithm(self) -> Attempt:
        left, right = self.pair()
        goal = self.rng.choice((f"exp({left}) <= exp({right})", f"{left} <= {right}", f"{left} == {right}"))
        return Attempt("", goal, [], self.then("logarithm"), self.conditions())

    def _by_power(self) -> Attempt:
        left, right = self.pair(0)
        right = self.rng.choice((right, f"-({right})", f"-2*abs({left})"))
        e, root = self.rng.choice((("2", "(1/2)"), ("2", "1"), ("2", "1"), ("1/2", "2"), ("3", "(1/3)"), ("2", "0")))
        goal = f"({left})**{root} {self.rng.choice(('<=', '<', '=='))} ({right})**{root}"
        return Attempt("", goal, [], self.then("power", exponent=e), self.conditions())

    def _by_rewrite(self) -> Attempt:
        left, right = self.pair()
        left = self.rng.choice((left, left, "0", "-1"))
        node = self.then("rewrite", left=left, right=self.altered(right))
        if self.rng.random() < 0.3:
            node.pop("left")
            node["inner"] = self.closing()
        goal = f"{self.altered(left)} {self.rng.choice(('<=', '<', '=='))} {right}"
        return Attempt("", goal, [], node, self.conditions())

    def _by_bound(self) -> Attempt:
        left, right = self.pair()
        middle = self.rng.choice((f"{left} + {self.maker.nonnegative(0)}", self.altered(left), self.altered(right)))
        side = self.rng.choice(("left", "right"))
        node = self.then("bound", **{side: middle}, inner=self.closing())
        return Attempt("", f"{left} {self.rng.choice(('<=', '<'))} {right}", [], node, self.conditions())

    def _by_subtract(self) -> Attempt:
        conditions = self.conditions() or (self.relation(),)
        fact = self.rng.choice((*conditions, f"0 <= {self.maker.nonnegative(0)}"))
        a, b = (part.strip() for part in re.split("<=|==|<", fact))
        goal = f"{self.term(0)} + {a} <= {b} + {self.term(0)}"
        return Attempt("", goal, [], self.then("subtract", fact=fact), conditions)

    def _by_have(self) -> Attempt:
        fact = self.relation()
        node = {"by": "have", "fact": fact, "inner": self.closing(), "then": self.closing(fact)}
        made = self.simple(node)
        a, b = (part.strip() for part in re.split("<=|==|<", fact))
        made.goal = self.rng.choice((made.goal, f"{a} <= {b} + {self.maker.nonnegative(0)}"))
        return made

    def _by_narrow(self) -> Attempt:
        made = self.simple(self.then("narrow"))
        x, c = self.rng.choice(self.maker.scalars()), self.rng.choice(("0", "1", "1/2", "-1"))
        return Attempt("", made.goal, [], made.node, (*made.conditions, self.rng.choice((f"{x} <= {c}", f"{c} < {x}"))))

    def _by_name(self) -> Attempt:
        named = self.term(1)
        node = self.then("name", symbol=["h", "real", self.rng.choice(REALS)], term=named)
        goal = f"{named} <= {named} + {self.maker.nonnegative(0)}"
        return Attempt("", self.rng.choice((goal, f"{self.term(0)} <= ({named})**2")), [], node, self.conditions())

    def _by_cases(self) -> Attempt:
        case = f"{self.term(1)} {self.rng.choice(('<=', '<'))} {self.term(0)}"
        inner = self.then("narrow") if self.rng.random() < 0.3 else self.closing(case)
        parts = [{"case": case, "proof": inner}, {"case": "otherwise", "proof": self.closing()}]
        return self.simple({"by": "cases", "parts": parts})

    def _by_monotone(self) -> Attempt:
        name = self.rng.choice(self.maker.scalars())
        f, at = self.term(2), self.rng.choice(("low", "high"))
        text = next(row[2] for row in self.maker.rows if row[0] == name)
        end = text[1:-1].split(",")[at == "high"].strip()
        value = re.sub(rf"\b{name}\b", f"({end})", f) if "oo" not in end else self.term(0)
        goal = self.rng.choice((f"{value} <= {f}", f"{value} < {f} + 1", f"{f} <= {value}"))
        slope = show(derivative(term("({1}) - ({0})".format(*re.split("<=|<", goal))), name))
        return Attempt("", goal, [], self.then("monotone", variable=name, at=at, slope=slope, inner=self.closing()))

    def _by_tangent(self) -> Attempt:
        f, point = self.term(2), self.rng.choice(("0", "1", "1/2", "y", "2"))
        point = point if point != "y" or "y" in self.maker.scalars() else "1"
        slope = derivative(term(f), "x")
        at = (re.sub(r"\bx\b", f"({point})", one) for one in (f, show(slope)))
        goal = "{} + ({})*(x - ({})) <= {}".format(*at, point, f)
        bend = show(derivative(derivative(("-", term(f), term(goal.split("<=")[0])), "x"), "x"))
        return Attempt("", goal, [], {"by": "tangent", "variable": "x", "point": point, "curvature": bend})

    def _by_antiderivative(self) -> Attempt:
        f = re.sub(r"\bx\b", "z", self.term(2))
        low, high = self.rng.choice((("0", "1"), ("1", "2"), ("0", "x"), ("x", "x + 1"), ("1", "0")))
        slope = show(derivative(term(f), "z"))
        body = self.rng.choice((slope, slope, self.altered(slope)))
        ends = (re.sub(r"\bz\b", f"({end})", f) for end in (high, low))
        integral = f"integral(z, {low}, {high}, {body})"
        node = {"by": "antiderivative", "integral": integral, "primitive": f, "then": {"by": "identical"}}
        return Attempt("", f"{integral} == {next(ends)} - ({next(ends)})", [], node, self.conditions())

    def _by_substitute(self) -> Attempt:
        value, inverse, old, new = self.rng.choice(CHANGES)
        fresh = ["t", *self.rng.choice((("real", self.rng.choice(REALS)), ("integer", self.rng.choice(INTEGERS))))]
        if self.rng.random() < 0.6:
            self.maker.rows[0], fresh = ("x", "real", old), ["t", "real", new]
        node = self.then("substitute", symbols=[fresh], values=[["x", value]], inverse=[["t", inverse]])
        return self.simple(node)

    def _by_induct(self) -> Attempt:
        low, a, b = self.rng.choice(("0", "1")), self.term(0), self.term(0)
        self.maker.rows = [row for row in self.maker.rows if row[0] != "n"]
        self.maker.rows.append(("n", "integer", self.rng.choice(("[0, oo)", "[1, oo)", "[0, 4]", "[1/2, oo)"))))
        goal = self.rng.choice((
            f"sum(k, {low}, n, {a}) <= (n + 1)*({b})", f"sum(k, {low}, n, k) == n*(n + {b})/2",
            f"n + {a} <= 2**n + {b}",
            f"0 <= {a} + n*({b})", f"1 + n*({a}) <= (1 + {a})**n", f"sum(k, {low}, n, abs(x)**k) <= n + {b}",
        ))  # fmt: skip
        step = self.closing(goal)
        node = {"by": "induct", "variable": "n", "base": self.closing(), "step": step}
        return Attempt("", goal, [], node, self.conditions())

    def _by_termwise(self) -> Attempt:
        rng = self.rng
        high = "n" if "n" in self.maker.named("integer") else "3"
        low = rng.choice(("0", "1"))
        a = self.maker.term(1, ("k",))
        b = rng.choice((f"{a} + {self.maker.nonnegative(0)}", f"{a} + abs(k)", self.altered(a)))
        goal = rng.choice((f"sum(k, {low}, {high}, {a}) <= sum(k, {low}, {high}, {b})",
                           f"integral(k, {low}, x, {a}) <= integral(k, {low}, x, {b})"))  # fmt: skip
        if self.maker.named("gaussian") and rng.random() < 0.7:
            c, d = (
                rng.choice(("dot(xi, v)", "E(dot(xi, v)**2)", "norm(xi)")),
                rng.choice(("abs(dot(xi, v))", "1", "2*x")),
            )
            goal = f"E({c}) <= E({rng.choice((f'abs({c})', f'{c} + {d}', f'({c})**2 + 1/4', f'{c}*({d})'))})"
        return Attempt("", goal, [], {"by": "termwise", "inner": self.closing()}, self.conditions())

    def _by_instance(self) -> Attempt:
        ground = self.maker.true()
        rows = ground.rows
        self.maker.domain()
        at, goal = [], ground.goal
        for name, kind, _ in rows:
            value = self.rng.choice((name, self.term(1))) if kind in ("real", "integer") else name
            at.append([name, value])
            goal = re.sub(rf"\b{name}\b", f"<{len(at) - 1}>", goal)
        for i, (_, value) in enumerate(at):
            goal = goal.replace(f"<{i}>", f"({value})")
        return Attempt(
            "", goal, [], {"by": "instance", "of": "toy/g", "at": at}, (), {"toy/g": (ground.goal, list(rows))}
        )
