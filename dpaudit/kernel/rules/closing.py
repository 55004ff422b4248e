"""Rules that settle a goal, or split it into cases."""

from __future__ import annotations

from dpaudit.kernel import facts
from dpaudit.kernel.lemmas import Here, refused, rule
from dpaudit.kernel.scripts import first, known, split, then
from dpaudit.kernel.text import NotExported
from dpaudit.recheck import facts as recheck_facts
from dpaudit.recheck.terms import ZERO, Relation, Term, relation, term


@rule
def identical(here: Here) -> str:
    """Both sides are one value."""
    left, sign, right = here.goal.relation
    head = "" if sign == "==" else "apply le_of_eq"
    return then(head, here.prover.equations.prove(left, right))


@rule
def positive(here: Here) -> str:
    """right - left has its sign."""
    return here.prover.relation(here.goal.relation)


@rule
def boxes(here: Here) -> str:
    """Enclosures on smaller and smaller boxes."""
    left, sign, right = here.goal.relation
    shown = here.prover.signs.find(("-", right, left), sign == "<")
    try:
        split_ = here.prover.enclosed(here.goal.relation, split=True)
    except NotExported:
        if shown is None:
            raise
        return here.prover.relation(here.goal.relation)
    return split_ if shown is None else first(here.prover.relation(here.goal.relation), split_)


@rule
def combine(here: Here) -> str:
    """right - left times something positive is a sum of products of what is known and what is not negative."""
    left, sign, right = here.goal.relation
    times = term(here.node.get("times", "1"))
    parts = [Product(here, term(factor), [relation(text) for text in texts]) for factor, *texts in here.node["terms"]]
    whole: Term = ("*", times, ("-", right, left))
    scripts = [part.script(sign) for part in parts]
    nodes, strict = [part.node for part in parts], [part.strict for part in parts]
    rest = _rest(here, whole, nodes)
    if rest is not None:
        scripts.append(here.prover.signs.prove(rest, False))
        nodes.append(rest)
        strict.append(False)
    total, script = _total(sign, nodes, scripts, strict)
    setup = [one for part in parts for one in part.setup]
    head = f"apply (combined_{here.suffix} {here.prover.text.real(times)} _ _ {here.prover.text.real(total)})"
    equation = here.prover.equations.prove(whole, total)
    return then(*setup, split(head, here.prover.signs.prove(times, True), script, equation))


def _rest(here: Here, whole: Term, nodes: list[Term]) -> Term | None:
    """What the products leave of the whole, by its normal form; None for nothing."""
    left = whole
    for node in nodes:
        left = ("-", left, node)
    context = here.prover.context
    if context.zero(left):
        return None
    return context.forms.node(context.forms.form(left))


def _total(sign: str, nodes: list[Term], scripts: list[str], strict: list[bool]) -> tuple[Term, str]:
    """The sum of the products, and a script for its sign."""
    if not nodes:
        return ZERO, "reflexivity" if sign == "==" else "clear; lra"
    total, script, positive_ = nodes[0], scripts[0], strict[0]
    for node, more, one in zip(nodes[1:], scripts[1:], strict[1:], strict=True):
        if sign == "==":
            lemma = "zero_plus"
        elif sign == "<" and (positive_ or one):
            lemma = "add_pos_l" if positive_ else "add_pos_r"
        else:
            lemma = "add_nonneg"
        if sign == "<" and positive_ and one:
            more = f"apply Rlt_le; {more}"
        total, script, positive_ = ("+", total, node), split(f"apply {lemma}", script, more), positive_ or one
    return total, script


class Product:
    """A factor times the slacks of known relations. setup: facts that are shown first."""

    def __init__(self, here: Here, factor: Term, relations: list[Relation]) -> None:
        self.here, self.factor, self.relations = here, factor, relations
        self.setup: list[str] = []
        self._strict = all(r.sign == "<" for r in relations) and here.prover.context.positive(factor)
        self.names = [self._known(given) for given in relations]
        self.node = factor
        for given in relations:
            self.node = ("*", self.node, ("-", given.right, given.left))

    @property
    def strict(self) -> bool:
        """Is the product shown to be positive?"""
        return self._strict and self.here.goal.relation.sign == "<"

    def _known(self, given: Relation) -> str:
        prover = self.here.prover
        written = prover.text.relation(given)
        name = prover.name_of(written)
        if name is None:
            name = prover.fresh("K")
            self.setup.append(known(name, written, _shown(self.here, given)))
        return name

    def script(self, sign: str) -> str:
        """A script for the sign of the product."""
        if sign == "==" or any(r.sign == "==" for r in self.relations):
            return self._zero(sign)
        script = self.here.prover.signs.prove(self.factor, self.strict)
        for given, name in zip(self.relations, self.names, strict=True):
            if self.strict:
                script = split("apply mul_pos", script, f"apply lt_slack; exact {name}")
            else:
                slack = f"apply le_slack; {'apply Rlt_le; ' if given.sign == '<' else ''}exact {name}"
                script = split("apply mul_nonneg", script, slack)
        return script

    def _zero(self, sign: str) -> str:
        """One of the relations is an equation."""
        place = next((i for i, r in enumerate(self.relations) if r.sign == "=="), None)
        if place is None:
            raise refused(self.here, "an equation of inequalities")
        outer = "apply zero_l; " * (len(self.relations) - 1 - place)
        script = f"{outer}apply zero_r; apply eq_slack; exact {self.names[place]}"
        return script if sign == "==" else f"apply Req_le_sym; {script}"


def _shown(here: Here, given: Relation) -> str:
    """A script for a known relation that is no hypothesis."""
    try:
        return here.prover.relation(given)
    except NotExported:
        if not recheck_facts.instance(here.prover.context, given):
            raise
        return facts.script(here.prover, given)


@rule
def cases(here: Here) -> str:
    """Conditions that cover the domain, the last one all the rest."""
    steps = list(here.step.parts)
    names = [here.prover.fresh("C") for _ in steps]
    given = [relation(part["case"]) for part in here.node["parts"][:-1]]
    number = len(here.goal.context.given)
    script = here.part(steps[-1], shown={f"given_{number + i}": f"first [exact {name} | apply Rlt_le; exact {name}]"
                                         for i, name in enumerate(names[:-1])})  # fmt: skip
    for key, one, name in reversed(list(zip(steps, given, names, strict=False))):
        real = here.prover.text.real
        head = f"destruct ({'Rle_or_lt' if one.sign == '<=' else 'Rlt_or_le'} {real(one.left)} {real(one.right)})"
        script = f"{head} as [{name}|{name}]; [{here.part(key, shown={f'given_{number}': f'exact {name}'})} | {script}]"
    return script
