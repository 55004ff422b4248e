"""Induction, named theorems, and goals that are instances of other statements."""

from __future__ import annotations

import re

from dpaudit.kernel.domain import Domain, Fact
from dpaudit.kernel.lemmas import Axiom, Here, refused, rule
from dpaudit.kernel.scripts import known, split, then
from dpaudit.kernel.text import identifier
from dpaudit.recheck.terms import Term, replaced, term


@rule
def theorem(here: Here) -> str:
    """The goal is taken from a named theorem: an axiom, on the domain of the node."""
    name = _axiom(here, here.node["theorem"], here.prover.domain)
    head, scripts = here.applied(name, here.prover.domain, {})
    return split(f"refine {head}", *scripts) if scripts else f"exact {head}"


def _axiom(here: Here, of: str, domain: Domain) -> str:
    name = f"theorem_{len(here.writer.axioms) + 1}_{re.sub(r'[^A-Za-z0-9]', '_', of)}"
    here.writer.axioms.append(Axiom(name, of, domain.statement))
    return name


@rule
def instance(here: Here) -> str:
    """The goal is another statement at terms of this domain."""
    ground = here.writer.grounds[here.node["of"]]
    domain = Domain(ground)
    values: dict[Term, Term] = {name: term(text) for name, text in here.node.get("at", [])}
    head, scripts = here.applied(_axiom(here, here.node["of"], domain), domain, values)
    found, real = replaced(ground.relation, values), here.prover.text.real
    name = here.prover.fresh("K")
    held = known(
        name, here.prover.text.relation(found), split(f"refine {head}", *scripts) if scripts else f"exact {head}"
    )
    if found.sign != here.goal.relation.sign:
        raise refused(here, f"an instance with {found.sign}")
    equal = [here.prover.equations.prove(a, b) for a, b in zip(here.goal.relation[::2], found[::2], strict=True)]
    sides = f"apply (sides_{here.suffix} _ {real(found.left)} _ {real(found.right)})"
    return then(held, split(sides, *equal, f"exact {name}"))


@rule
def induct(here: Here) -> str:
    """From a whole number on."""
    name = here.node["variable"]
    s = here.goal.context.by_name[name]
    dependent = [one for one, fact in here.prover.domain.hypotheses.items() if _mentions(fact, name)]
    if s.high is not None or dependent != [f"low_{name}"]:
        raise refused(here, "an induction under conditions, or up to an end")
    assert s.low is not None
    whole, low, real = identifier(name), f"({s.low.numerator})%Z", here.prover.text.real(s.low)
    count = here.prover.fresh("H")
    supposed = f"given_{len(here.goal.context.given)}"
    later = then(f"assert (low_{name} : {real} <= IZR {whole}) by (apply IZR_le; exact {count})", "rewrite ?plus_IZR")
    after = here.part("step", shown={supposed: f"exact {supposed}"})
    return then(
        known(count, f"({low} <= {whole})%Z", f"apply le_IZR; exact low_{name}"),
        f"clear low_{name}; revert {whole} {count}; apply z_induct",
        f"[{here.part('base')} | intros {whole} {count} {supposed}; {later}; {after}]",
    )


def _mentions(fact: Fact, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9_']){re.escape(identifier(name))}(?![A-Za-z0-9_'])", fact.text) is not None
