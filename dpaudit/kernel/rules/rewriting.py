"""Rules that put another relation on the same domain."""

from __future__ import annotations

from fractions import Fraction

from dpaudit.kernel.lemmas import Here, refused, rule
from dpaudit.kernel.rules.closing import Product
from dpaudit.kernel.scripts import known, split, then
from dpaudit.recheck.rules.rewriting import sides
from dpaudit.recheck.terms import ONE, relation, term


@rule
def rewrite(here: Here) -> str:
    """Sides of the same value."""
    (left, _, right), new = here.goal.relation, sides(here.goal, here.node)
    scripts = []
    for a, b in zip((left, right), new, strict=True):
        if a == b:
            scripts.append("reflexivity")
        elif "inner" in here.node:
            scripts.append(here.part("inner"))
        else:
            scripts.append(here.prover.equations.prove(a, b))
    real = here.prover.text.real
    head = f"apply (sides_{here.suffix} _ {real(new[0])} _ {real(new[1])})"
    return split(head, *scripts, here.part("then"))


@rule
def bound(here: Here) -> str:
    """A larger left side or a smaller right one."""
    strict = here.goal.relation.sign == "<"
    new, real = sides(here.goal, here.node), here.prover.text.real
    if "left" in here.node:
        lemma = "Rle_lt_trans" if strict else "Rle_trans"
        return split(f"apply ({lemma} _ {real(new[0])} _)", here.part("inner"), here.part("then"))
    lemma = "Rlt_le_trans" if strict else "Rle_trans"
    return split(f"apply ({lemma} _ {real(new[1])} _)", here.part("then"), here.part("inner"))


@rule
def scale(here: Here) -> str:
    """Both sides times a positive factor."""
    factor = term(here.node["factor"])
    head = f"apply (scale_{here.suffix} {here.prover.text.real(factor)})"
    return split(head, here.prover.signs.prove(factor, True), here.part("then"))


@rule
def shift(here: Here) -> str:
    """A term added to both sides."""
    more = here.prover.text.real(term(here.node["term"]))
    return then(f"apply (shift_{here.suffix} {more})", here.part("then"))


@rule
def logarithm(here: Here) -> str:
    """The logarithm of both sides."""
    left, sign, right = here.goal.relation
    lemma = {"<=": "ln_le_back", "<": "ln_lt_inv", "==": "ln_eq_back"}[sign]
    positive = [here.prover.signs.prove(side, True) for side in (left, right)]
    return split(f"apply {lemma}", *positive, here.part("then"))


@rule
def power(here: Here) -> str:
    """The same power of both sides."""
    left, sign, right = here.goal.relation
    exponent = term(here.node["exponent"])
    assert isinstance(exponent, Fraction)
    lemma = {"<=": "pow_back", "<": "pow_back_lt", "==": "pow_inj"}[sign]
    signs = [here.prover.signs.prove(side, False) for side in (left, right)]
    if exponent.denominator == 1:
        return split(f"apply ({lemma} {exponent.numerator - 1})", *signs, here.part("then"))
    if sign != "<=":
        raise refused(here, "a root on both sides")
    value = here.prover.text.real(exponent)
    return split(f"apply (pw_back _ _ {value})", "clear; lra", *signs, here.part("then"))


@rule
def subtract(here: Here) -> str:
    """A known a <= b: L <= R follows from L - a <= R - b."""
    fact = relation(here.node["fact"])
    made = Product(here, ONE, [fact])
    name = made.names[0]
    if here.goal.relation.sign != "==" and fact.sign != "<=":
        name = f"({'Rlt_le' if fact.sign == '<' else 'Req_le'} _ _ {name})"
    return then(*made.setup, f"apply (subtract_{here.suffix} _ _ _ _ {name})", here.part("then"))


@rule
def have(here: Here) -> str:
    """A fact with a proof of its own."""
    fact = relation(here.node["fact"])
    name = here.prover.fresh("K")
    place = f"given_{len(here.goal.context.given)}"
    held = known(name, here.prover.text.relation(fact), here.part("inner"))
    return then(held, here.part("then", shown={place: f"exact {name}"}))


@rule
def narrow(here: Here) -> str:
    """Conditions that compare a symbol with a number become part of its range."""
    return here.part("then")


@rule
def name(here: Here) -> str:
    """A term that is one number everywhere stands for a new real symbol."""
    return here.part("then", {here.node["symbol"][0]: term(here.node["term"])})
