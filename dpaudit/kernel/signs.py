"""Signs of terms in Coq: scripts that follow the reasons for which the checker takes a sign as shown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpaudit.kernel import explained, sums
from dpaudit.kernel.proving import Proving
from dpaudit.kernel.scripts import NUMERIC, split
from dpaudit.kernel.text import NotExported, identifier
from dpaudit.recheck.terms import ONE, ZERO, Relation, Term, free, show

Way = tuple[str, int]


class Signs:
    """Scripts for 0 < t, 0 <= t and t <> 0 in one lemma."""

    def __init__(self, prover: Proving) -> None:
        self.prover, self.context = prover, prover.context
        self._found: dict[tuple[Term, bool], str | None] = {}

    def prove(self, node: Term, strict: bool) -> str:
        """A script for the sign of a term; NotExported where none is known."""
        script = self.find(node, strict)
        if script is None:
            raise NotExported(f"the sign of {show(node)[:80]} is not shown")
        return script

    def nonzero(self, node: Term) -> str:
        """A script for node <> 0."""
        written = self.prover.text.real(node)
        if (name := self.prover.name_of(f"{written} <> 0")) is not None:
            return f"exact {name}"
        if isinstance(node, Fraction):
            return NUMERIC
        for head, one in (("ne_of_pos", node), ("ne_of_neg", ("neg", node))):
            if (script := self.find(one, True)) is not None:
                return f"apply {head}; {script}"
        raise NotExported(f"{show(node)[:80]} is not shown to be other than 0")

    def find(self, node: Term, strict: bool) -> str | None:
        """The same, None where no script is known."""
        key = node, strict
        if key not in self._found:
            self._found[key] = None  # while it is looked for, nothing may rest on it
            self._found[key] = self._find(node, strict)
        return self._found[key]

    def _find(self, node: Term, strict: bool) -> str | None:
        written = self.prover.text.real(node)
        for sign in ("<", "<=")[: 1 if strict else 2]:
            if (name := self.prover.name_of(f"0 {sign} {written}")) is not None:
                return f"exact {name}" if strict or sign == "<=" else f"apply Rlt_le; exact {name}"
        found = self.context.sign(node)
        if found is None or (strict and found == 0):
            return self._weaker(node, strict)
        ways = (self._plain, self._by_shape, self._by_condition, self._explained, self._at_zero, self._enclosed)
        for way in ways:
            script = way(node, strict)
            if script is not None:
                return script
        return None

    def _weaker(self, node: Term, strict: bool) -> str | None:
        """What the checker does not show: by hypotheses of values alone."""
        return self._by_shape(node, strict) if isinstance(node, tuple) else None

    def _plain(self, node: Term, strict: bool) -> str | None:
        """A number, or a symbol by its range."""
        match node:
            case Fraction():
                return NUMERIC
            case ("-", str() as name, Fraction() as end) | ("-", Fraction() as end, str() as name):
                return self._from_end(name, end, node[1] == name, strict)
        s = self.context.by_name.get(node) if isinstance(node, str) else None
        if s is None or s.low is None or s.low < 0:
            return None
        low = f"low_{s.name}"
        if s.low_open:
            script = f"refine (from_low_open _ _ _ {low}); {NUMERIC}"
            return script if strict else f"apply Rlt_le; {script}"
        if s.low > 0 and strict:
            return f"refine (from_low_up _ _ _ {low}); {NUMERIC}"
        return None if strict else f"refine (from_low _ _ _ {low}); {NUMERIC}"

    def _from_end(self, name: str, end: Fraction, low: bool, strict: bool) -> str | None:
        """The distance of a symbol from the end of its range."""
        s = self.context.by_name[name]
        own, is_open = (s.low, s.low_open) if low else (s.high, s.high_open)
        if own != end or (strict and not is_open):
            return None
        script = f"apply {'lt' if is_open else 'le'}_slack; exact {'low' if low else 'high'}_{name}"
        return f"apply Rlt_le; {script}" if is_open and not strict else script

    def _by_shape(self, node: Term, strict: bool) -> str | None:
        head, *parts = node if isinstance(node, tuple) else (None,)
        suffix = "pos" if strict else "nonneg"
        match head, parts:
            case "exp", _:
                return "apply exp_pos" if strict else "apply Rlt_le, exp_pos"
            case "pi", _:
                return "exact PI_RGT_0" if strict else "apply Rlt_le; exact PI_RGT_0"
            case "factorial", _:
                return "apply fact_pos" if strict else "apply Rlt_le, fact_pos"
            case "sum", _ if not strict:
                return sums.sign(self.prover, node)
            case (("abs" | "norm" | "dot"), _) if not strict:
                return self._never_negative(head, parts)
            case "*", (a, b) if a == b and not strict:
                return "apply square_nonneg"
            case (("*" | "/"), _):
                return self._of_all(f"{'mul' if head == '*' else 'div'}_{suffix}", parts, strict)
            case "+", (a, b):
                return self._of_sum(a, b, strict)
            case "**", (base, exponent):
                return self._of_power(base, exponent, strict)
            case "sqrt", (a,):
                return self._of_all("sqrt_pos_lt", [a], True) if strict else "apply sqrt_pos"
            case (("log" | "log2"), (a,)):
                name = "ln" if head == "log" else "log2"
                return self._of_all(f"{name}_{suffix}", [("-", a, ONE)], strict)
            case "neg", (("log", a),):
                return self._of_below_one(a, strict)
            case "-", (Fraction() as a, ("log", b)) if not a:
                inner = self._of_below_one(b, strict)
                return None if inner is None else f"rewrite Rminus_0_l; {inner}"
            case "min", (a, b):
                return self._of_all(f"min_{suffix}", [a, b], strict)
            case "max", (a, b):
                left = self._of_all(f"max_{suffix}_l", [a], strict)
                return left or self._of_all(f"max_{suffix}_r", [b], strict)
        return None

    def _of_below_one(self, node: Term, strict: bool) -> str | None:
        """The opposite of a logarithm."""
        below, above = self.find(("-", ONE, node), strict), self.find(node, True)
        if below is None or above is None:
            return None
        return split(f"apply ln_below_{'lt' if strict else 'le'}", above, below)

    def _never_negative(self, head: str, parts: list[Any]) -> str | None:
        if head == "dot" and parts[0] != parts[1]:
            return None
        return {"abs": "apply Rabs_pos", "norm": "apply norm_nonneg", "dot": "apply dot_pos"}[head]

    def _of_all(self, lemma: str, parts: list[Any], strict: bool) -> str | None:
        scripts = [self.find(part, strict) for part in parts]
        return None if None in scripts else split(f"apply {lemma}", *(s for s in scripts if s is not None))

    def _of_sum(self, a: Term, b: Term, strict: bool) -> str | None:
        left, right = self.find(a, False), self.find(b, False)
        if left is None or right is None:
            return None
        if not strict:
            return split("apply add_nonneg", left, right)
        if (more := self.find(a, True)) is not None:
            return split("apply add_pos_l", more, right)
        more = self.find(b, True)
        return None if more is None else split("apply add_pos_r", left, more)

    def _of_power(self, base: Term, exponent: Term, strict: bool) -> str | None:
        suffix = "pos" if strict else "nonneg"
        if isinstance(exponent, Fraction) and exponent.denominator == 1:
            n, head = abs(exponent.numerator), "" if exponent >= 0 else f"apply inv_{suffix}; "
            inner = self.find(base, strict)
            if inner is not None:
                return f"{head}apply power_{suffix}; {inner}"
            return None if strict or n % 2 else f"{head}apply (even_nonneg _ {n // 2})"
        if self.prover.text.whole(exponent) is not None:
            return self._of_all(f"zpow_{suffix}", [base], strict)
        return self._of_all("pw_pos", [base], True) if strict else "apply pw_nonneg"

    def _by_condition(self, node: Term, strict: bool) -> str | None:
        """The slack of a condition; or a multiple of one that is 0."""
        if isinstance(node, tuple) and node[0] == "*" and not strict:
            for c in self.context.given:
                if c.sign == "==" and node[2] == ("-", c.right, c.left):
                    return f"apply Req_le_sym; apply zero_r; apply eq_slack; {self.prover.relation(c)}"
        for c in self.context.given:
            if node == ("-", c.right, c.left) and (c.sign == "<" or (c.sign == "<=" and not strict)):
                script = f"apply {'lt' if c.sign == '<' else 'le'}_slack; {self.prover.relation(c)}"
                return script if strict or c.sign == "<=" else f"apply Rlt_le; {script}"
        return None

    def _explained(self, node: Term, strict: bool) -> str | None:
        """As a sum of terms that have their sign by shape, times what is positive."""
        for found in explained.sums(self.context, node):
            script = self._of_sum_of(found, node, strict)
            if script is not None:
                return script
        return None

    def _of_sum_of(self, found: explained.Explained, node: Term, strict: bool) -> str | None:
        by, total = found
        if total == node:
            return None
        below, above = self.find(by, True), self._find_sum(total, strict)
        if below is None or above is None:
            return None
        equation = self.prover.equations.find(("*", by, node), total)
        lemma, written = "pos_by" if strict else "nonneg_by", self.prover.text.real
        head = f"apply ({lemma} {written(by)} _ {written(total)})"
        return None if equation is None else split(head, below, above, equation)

    def _find_sum(self, total: Term, strict: bool) -> str | None:
        match total:
            case ("+", a, b):
                left, right = self._find_sum(a, False), self.find(b, False)
                if not strict or left is None or right is None:
                    return None if left is None or right is None else split("apply add_nonneg", left, right)
                if (more := self._find_sum(a, True)) is not None:
                    return split("apply add_pos_l", more, right)
                more = self.find(b, True)
                return None if more is None else split("apply add_pos_r", left, more)
        return self.find(total, strict)

    def _at_zero(self, node: Term, strict: bool) -> str | None:
        """A logarithm or a power against a number, where what is inside may come near 0."""
        lemma = "_lt" if strict else ""
        match node:
            case ("-", ("log", t), Fraction() as c):
                inner = self._from(("exp", c), t, strict)
                return None if inner is None else f"apply ln_from{lemma}; {inner}"
            case ("-", Fraction() as c, ("log", t)):
                return self._logarithm_to(c, t, strict)
            case ("-", Fraction() as c, ("**", x, n)) if c == 1 and not strict:
                return self._power_below_one(x, n)
        return None

    def _logarithm_to(self, c: Term, t: Term, strict: bool) -> str | None:
        positive, lemma = self.find(t, True), "ln_to_lt" if strict else "ln_to"
        below = self._enclosed(("-", ("exp", c), t), strict)
        if positive is None or below is None:
            return None
        return split(f"apply {lemma}", positive, f"apply slack_{'lt' if strict else 'le'}; {below}")

    def _from(self, low: Term, t: Any, strict: bool) -> str | None:
        """A script for low <= t."""
        slack = f"apply slack_{'lt' if strict else 'le'}; "
        match t:
            case ("/", a, b):
                positive, inner = self.find(b, True), self._enclosed(("-", a, ("*", low, b)), strict)
                if positive is None or inner is None:
                    return None
                return split(f"apply over{'_lt' if strict else ''}", positive, slack + inner)
        inner = self._enclosed(("-", t, low), strict)
        return None if inner is None else slack + inner

    def _power_below_one(self, x: Term, n: Term) -> str | None:
        parts = [self.find(x, False), self.find(("-", ONE, x), False)]
        if isinstance(n, Fraction) and n.denominator == 1:
            lemma = "pow_below_one"
        else:
            lemma = "pw_below_one" if self.prover.text.whole(n) is None else "zpow_below_one"
            parts.append(self.find(n, False))
        return (
            None
            if None in parts or (isinstance(n, Fraction) and n < 0)
            else split(f"apply {lemma}", *(part for part in parts if part is not None))
        )

    def _enclosed(self, node: Term, strict: bool) -> str | None:
        low = self.context.enclosure(node)[0]
        if not (low > 0 if strict else low >= 0):
            return None
        return self.prover.enclosed(Relation(ZERO, "<" if strict else "<=", node))


def symbols_in(node: Term) -> list[str]:
    """The names of symbols in a term, in Coq."""
    return sorted(map(identifier, free(node)))
