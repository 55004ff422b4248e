"""Rules over a variable: changes of variables, slopes, and what holds at every index."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.kernel import sums
from dpaudit.kernel.derivatives import Derivatives
from dpaudit.kernel.domain import Domain, quantified
from dpaudit.kernel.lemmas import Here, Lemma, refused, replaced_in, rule
from dpaudit.kernel.prover import Prover
from dpaudit.kernel.scripts import first, known, split, then
from dpaudit.kernel.text import NotExported, identifier
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.rules.variables import exchanged
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import ZERO, Relation, Term, free, replaced, substitute, term


@rule
def substitute_(here: Here) -> str:
    """New symbols in the place of old ones: the part at the values that they have here, turned back."""
    values = {term(old): term(new) for old, new in here.node["values"]}
    back: dict[Term, Term] = {new: term(old) for new, old in here.node["inverse"]}
    prover, step = here.prover, here.step.parts["then"]
    if any(isinstance(old, tuple) for old in values):
        raise refused(here, "products of vectors as symbols")
    names, setup = [], []
    for old, value in values.items():
        names.append(prover.fresh("E"))
        there, now = substitute(value, back), prover.text.real(old)
        equal = prover.equations.prove(there, old)
        setup.append(known(names[-1], f"{prover.text.real(there)} = {now}", equal))
    turned = f"rewrite {', '.join(f'?{name}' for name in names)}"
    assert step.domain is not None
    head, scripts = _turned(here, step.lemma, step.domain, back, turned)
    fact = prover.fresh("K")
    last = then(f"{turned} in {fact}", f"exact {fact}")
    return then(*setup, split(f"unshelve epose proof {head} as {fact}", *scripts, last))


def _turned(here: Here, lemma: str, domain: Domain, back: dict[Term, Term], turned: str) -> tuple[str, list[str]]:
    """The lemma of the part at the old symbols, and scripts for what it supposes."""
    shown = {}
    for name, fact in domain.hypotheses.items():
        written = f"{turned}; first [assumption | apply Rlt_le; assumption]"
        try:
            shown[name] = first(written, here.prover.fact(replaced_in(fact, back, here.prover.text)))
        except NotExported:
            shown[name] = written
    return here.applied(lemma, domain, back, shown)


def _kept(goal: Goal, name: str) -> tuple[Relation, ...]:
    return tuple(c for c in goal.context.given if name not in free(c.left) | free(c.right))


class Sloped:
    """right - left as a function of one symbol, with lemmas on its slope at each point of a domain."""

    def __init__(self, here: Here, context: Context, name: str) -> None:
        self.here, self.name = here, name
        left, _, right = here.goal.relation
        self.plain: Term = ("-", right, left)
        self.slack = term(here.node["slack"]) if "slack" in here.node else self.plain
        self.goal = Goal(context, Relation(ZERO, "<=", self.slack))
        self.made = 0

    def prover(self, given: Term) -> Prover:
        """Who proves what is said of a term on the domain."""
        return Prover(Goal(self.goal.context, Relation(ZERO, "<=", given)))

    def lemma(self, prover: Prover, conclusion: str, script: str) -> tuple[str, Domain]:
        """One more lemma on the domain."""
        self.made += 1
        writer, domain = self.here.writer, prover.domain
        name = f"node_{len(writer.lemmas) + 1}"
        names = [*(one for one, _ in domain.binders), *domain.hypotheses]
        statement = quantified(domain.binders, [fact.text for fact in domain.hypotheses.values()], conclusion)
        writer.lemmas.append(Lemma(name, statement, f"intros {' '.join(names)}; " if names else "", script))
        return name, domain

    def slope(self, node: Term) -> tuple[Term, str, Domain]:
        """The derivative of a term, and the lemma that says so."""
        prover = self.prover(node)
        made = Derivatives(prover, self.name)
        found, proof = made.of(node)
        lemma, domain = self.lemma(prover, made.claim(node, found), f"exact {proof}")
        return found, lemma, domain

    def signed(self, stated: Term, slope: Term) -> tuple[str, Domain]:
        """The lemma that a slope is not negative, as another term of the same value is not."""
        prover = self.prover(stated)
        zero = prover.text.real(stated)
        equal = prover.equations.prove(slope, stated)
        head = f"apply (sides_le _ 0 _ {zero})"
        script = split(head, "reflexivity", equal, prover.signs.prove(stated, False))
        return self.lemma(prover, f"0 <= {prover.text.real(slope)}", script)

    def same(self) -> tuple[str, Domain]:
        """The lemma that right - left is what the node writes for it."""
        prover = self.prover(("-", self.plain, self.slack))
        script = prover.equations.prove(self.plain, self.slack)
        real = prover.text.real
        return self.lemma(prover, f"{real(self.plain)} = {real(self.slack)}", script)

    def applied(self, lemma: str, domain: Domain, at: str, ends: dict[str, str]) -> str:
        """The lemma at another value of the symbol. ends: proofs that it lies in the range."""
        given = ["V_"] if domain.vectors else []
        for s in domain.goal.context.symbols:
            given.append(at if s.name == self.name else identifier(s.name))
        for name, fact in domain.hypotheses.items():
            own = ends.get(name) or self.here.prover.name_of(fact.text)
            if own is None:
                raise refused(self.here, f"{fact.text[:60]} is not known")
            given.append(own)
        return f"({' '.join([lemma, *given])})"


def _ends(here: Here, s: Symbol, point: Term) -> tuple[list[str], dict[str, str]]:
    """Facts on a point, and proofs that `t_` between it and the symbol lies in the range of the symbol."""
    setup, ends = [], {}
    for side, end, is_open in (("low", s.low, s.low_open), ("high", s.high, s.high_open)):
        if end is None:
            continue
        sign = "<" if is_open else "<="
        fact = Relation(end, sign, point) if side == "low" else Relation(point, sign, end)
        name = here.prover.fresh("P")
        setup.append(known(name, here.prover.text.relation(fact), here.prover.relation(fact)))
        lemma = f"between_{side}{'_open' if is_open else ''}"
        ends[f"{side}_{s.name}"] = f"({lemma} {here.prover.text.real(end)} _ _ _ {name} {side}_{s.name} B_)"
    return setup, ends


@rule
def tangent(here: Here) -> str:
    """right - left is convex in one variable, and 0 with slope 0 at a point of its range."""
    name, point, curvature = here.node["variable"], term(here.node["point"]), term(here.node["curvature"])
    prover, s = here.prover, here.goal.context.by_name[name]
    sloped = Sloped(here, Context(here.goal.context.symbols, _kept(here.goal, name)), name)
    slope, first_, domain = sloped.slope(sloped.slack)
    second, second_, domain2 = sloped.slope(slope)
    signed, domain3 = sloped.signed(curvature, second)
    setup, ends = _ends(here, s, point)
    function = Derivatives(prover, name).function
    head = f"apply (tangent {function(sloped.slack)} {function(slope)} {function(second)} {prover.text.real(point)})"
    parts = [
        f"intros t_ B_; exact {sloped.applied(lemma, on, 't_', ends)}"
        for lemma, on in ((first_, domain), (second_, domain2), (signed, domain3))
    ]
    parts += [_at(prover, part, name, point) for part in (sloped.slack, slope)]
    return then(*setup, "apply slack_le", _as_slack(here, sloped), split(head, *parts))


def _at(prover: Prover, node: Term, name: str, point: Term) -> str:
    there = substitute(node, {name: point})
    return then("cbv beta", prover.equations.prove(there, ZERO)) if prover.text.real(there) != "0" else "reflexivity"


def _as_slack(here: Here, sloped: Sloped) -> str:
    """right - left as the node writes it."""
    if sloped.slack == sloped.plain:
        return ""
    real, equal = here.prover.text.real, here.prover.equations.prove(sloped.plain, sloped.slack)
    return f"replace {real(sloped.plain)} with {real(sloped.slack)} by (symmetry; {equal})"


@rule
def monotone(here: Here) -> str:
    """right - left is monotone in one variable: one end is enough."""
    name, at = here.node["variable"], here.node["at"]
    old = here.goal.context.by_name[name]
    end = old.low if at == "low" else old.high
    assert end is not None
    closed = replace(old, kind="real", low_open=old.low is None, high_open=old.high is None)
    sloped = Sloped(here, Context(exchanged(here.goal, closed), _kept(here.goal, name)), name)
    slope, first_, domain = sloped.slope(sloped.slack)
    signed, domain2 = _signed(here, sloped, slope, at)
    same, domain3 = sloped.same()
    setup, ends = _ends(here, closed, end)
    real, function = here.prover.text.real, Derivatives(sloped.prover(sloped.slack), name).function
    lemma, order = ("rising", "low") if at == "low" else ("falling", "high")
    head = f"apply ({lemma} {function(sloped.slack)} {function(slope)} {real(end)} {real(name)})"
    parts = [f"first [exact {order}_{name} | apply Rlt_le; exact {order}_{name}]"]
    parts += [f"intros t_ B_; exact {sloped.applied(one, on, 't_', ends)}"
              for one, on in ((first_, domain), (signed, domain2))]  # fmt: skip
    rise = known("F_", f"{function(sloped.slack)} {real(end)} <= {function(sloped.slack)} {real(name)}",
                 split(head, *parts))  # fmt: skip
    between = {side: proof.replace(" B_)", " (between_{}))") for side, proof in ends.items()}
    equal = [
        f"assert (S_{i} := {sloped.applied(same, domain3, where, {k: v.format(which) for k, v in between.items()})})"
        for i, (where, which) in enumerate(((real(end), "first _ _"), (real(name), "second _ _")))
    ]
    there = known("K_", here.prover.text.relation(replaced(here.goal.relation, {name: end})), here.part("then"))
    return then(*setup, rise, there, *equal, "cbv beta in F_", "lra")


def _signed(here: Here, sloped: Sloped, slope: Term, at: str) -> tuple[str, Domain]:
    """The lemma on the sign of the slope, of the part that says it of another term."""
    stated = term(here.node["slope"])
    prover = sloped.prover(stated)
    equal, written = prover.equations.prove(slope, stated), prover.text.real(stated)
    inner = replace_prover(here, prover).part("inner")
    if at == "low":
        script = split(f"apply (sides_le _ 0 _ {written})", "reflexivity", equal, inner)
        return sloped.lemma(prover, f"0 <= {prover.text.real(slope)}", script)
    script = split(f"apply (sides_le _ {written} _ 0)", equal, "reflexivity", inner)
    return sloped.lemma(prover, f"{prover.text.real(slope)} <= 0", script)


def replace_prover(here: Here, prover: Prover) -> Here:
    """The same with another prover, for a lemma of its own."""
    return replace(here, prover=prover)


@rule
def termwise(here: Here) -> str:
    """Two sums over one range: the part compares what stands inside, at every index."""
    left, sign, right = here.goal.relation
    if not isinstance(left, tuple) or not isinstance(right, tuple) or left[0] != "sum":
        raise refused(here, "integrals or means")
    if sign == "==":
        raise refused(here, "sums that are equal term by term")
    count = len(here.goal.context.given)
    ends = {f"given_{count}": "assumption", f"given_{count + 1}": "assumption"}
    return sums.compared(here.prover, left, right, here.part("inner", shown=ends))
