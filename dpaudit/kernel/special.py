"""How roots, powers, exponentials and the like are brought to the normal form of the checker: one equation each."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpaudit.kernel import sums
from dpaudit.kernel.canonical import Flattening
from dpaudit.kernel.scripts import known, split, then
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.polynomials import Mono
from dpaudit.recheck.terms import Relation, Term, show, walk

Equal = tuple[str, str]
"""The text that a term is equal to, and the script that shows it of the term with flat arguments."""


def equal(flat: Flattening, node: Any) -> Equal:
    """The normal form of a term that is no rational function of others."""
    head = node[0]
    match head:
        case "dot":
            return flat.canonical.sum(flat.forms.form(node)), f"{_products(flat, node)}; {flat.algebra()}"
        case "norm":
            return _root(flat, node, "norm_is", _products(flat, node))
        case "abs":
            return _root(flat, node, "abs_is")
        case "sqrt":
            return _root(flat, node, "sqrt_is")
        case "exp":
            return _exp(flat, node)
        case "log":
            return _log(flat, node)
        case "log2":
            return _log2(flat, node)
        case "**":
            return _power(flat, node)
        case "min" | "max":
            return _extreme(flat, node)
        case "sum":
            return sums.equal(flat, node)
        case "floor" | "ceil":
            return flat.canonical.sum(flat.forms.form(node)), f"apply f_equal; {flat.algebra()}"
    raise NotExported(f"{head} is not said in Coq yet")


def _products(flat: Flattening, node: Term) -> str:
    """Dot products written out, each in the order of the names."""
    names = sorted({p for p in walk(node) if isinstance(p, str) and flat.prover.context.kind(p) == "vector"})
    vector = flat.prover.text.vector
    turned = [f"?(dot_sym _ {vector(v)} {vector(u)})" for i, u in enumerate(names) for v in names[i + 1 :]]
    return then("dots", f"rewrite {', '.join(turned)}" if turned else "")


def _factors(flat: Flattening, node: Term) -> tuple[Fraction, Mono]:
    form = flat.forms.form(node)
    if not form:
        raise NotExported(f"{show(node)[:60]}, which is 0, as a product")
    return flat.forms.factors(form)


def _only(flat: Flattening, powers: Mono, c: Fraction, head: str) -> bool:
    """Is the product one atom of this head?"""
    return c == 1 and len(powers) == 1 and powers[0][1] == 1 and flat.forms.atoms[powers[0][0]].head == head


def _root(flat: Flattening, node: Any, lemma: str, before: str = "") -> Equal:
    """What is not negative, by its square."""
    form = flat.forms.form(node)
    if not form:
        return "0", split(f"apply {lemma}", "clear; lra", then(before, flat.algebra()))
    c, powers = flat.forms.factors(form)
    if node[0] == "abs" and _only(flat, powers, c, "abs"):
        return flat.canonical.product(c, powers), f"apply (f_equal Rabs); {flat.algebra()}"
    roots = [a for a, e in powers if flat.forms.atoms[a].head == "sqrt" and e == 1]
    if node[0] != "abs" and len(roots) == 1:
        return _with_root(flat, c, tuple(pair for pair in powers if pair[0] != roots[0]), roots[0], lemma, before)
    after = flat.canonical.product(c, powers)
    return after, split(f"apply {lemma}", _nonneg(flat, powers), then(before, flat.algebra()))


def _with_root(flat: Flattening, c: Fraction, powers: Mono, root: int, lemma: str, before: str) -> Equal:
    """A product with one root of a sum in it, whose sign need not be known."""
    inside, d = flat.canonical.under_root(root)
    flat.canonical.factor(root, 1)
    outside = flat.canonical.product(c / d, powers)
    head = f"apply ({lemma.replace('_is', '_with')} {'_ _' if before else '_'} {outside} {inside})"
    return f"({outside} * (sqrt {inside}))", split(head, _nonneg(flat, powers), then(before, flat.algebra()))


def _nonneg(flat: Flattening, powers: Mono) -> str:
    """A script for a product of atoms that are not negative."""
    facts = [flat.canonical.known_sign(a) for a, e in powers if e.denominator > 1 or e % 2]
    return then(*(fact for fact in facts if fact), "nn")


def _exp(flat: Flattening, node: Any) -> Equal:
    c, powers = _factors(flat, node)
    after = flat.canonical.product(c, powers)
    argument = flat.flat(node[1])
    if after.startswith("(exp ") and len(powers) == 1 and c == 1:
        return after, f"apply (f_equal exp); {flat.algebra()}"
    value, proof = flat.canonical.log(c, powers)
    return after, split(f"apply (exp_is {argument} {after} {value})", f"exact {proof}", flat.algebra())


def _log(flat: Flattening, node: Any) -> Equal:
    form = flat.forms.form(node)
    after, argument = flat.canonical.sum(form), flat.flat(node[1])
    if len(form) == 1 and _only(flat, next(iter(form)), next(iter(form.values())), "log"):
        return after, f"apply (f_equal ln); {flat.algebra()}"
    c, powers = _factors(flat, node[1])
    value, proof = flat.canonical.log(c, powers)
    head = f"apply (ln_is {argument} {flat.canonical.product(c, powers)} {value} {after})"
    return after, split(head, flat.algebra(), f"exact {proof}", flat.algebra())


def _log2(flat: Flattening, node: Any) -> Equal:
    inner = ("log", node[1])
    return f"({flat.flat(inner)} / (ln 2))", then("unfold log2", *flat.rewritten((inner,)), "reflexivity")


def _power(flat: Flattening, node: Any) -> Equal:
    _, base, exponent = node
    c, powers = _factors(flat, node)
    after = flat.canonical.product(c, powers)
    if flat.prover.signs.find(base, True) is not None:
        return after, _positive_power(flat, node, after, flat.canonical.log(c, powers))
    if isinstance(exponent, Fraction) and exponent > 0:
        sign = flat.carry("<=", base, flat.flat(base), flat.prover.signs.prove(base, False))
        head = f"apply (pw_is {flat.flat(base)} {after} {exponent.numerator - 1} {exponent.denominator - 1})"
        return after, split(head, sign, _nonneg(flat, powers), flat.algebra())
    raise NotExported(f"the power {show(node)[:60]} of what may be 0")


def _positive_power(flat: Flattening, node: Any, after: str, log: Equal) -> str:
    """By the logarithms of both."""
    _, base, exponent = node
    c, powers = _factors(flat, base)
    (value, proof), argument, power = flat.canonical.log(c, powers), flat.flat(base), flat.flat(exponent)
    whole = flat.prover.text.whole(exponent)
    same, index = flat.prover.fresh("H"), flat.prover.fresh("H")
    setup = [known(same, f"{argument} = {flat.canonical.product(c, powers)}", flat.algebra())]
    inner = f"(Lg_is _ _ {value} {same} {proof})"
    if whole is None:
        made = f"(Lg_pw _ _ {power} {inner})"
    else:
        setup.append(known(index, f"IZR ({whole})%Z = {power}", "whole"))
        made = f"(Lg_zpow _ _ _ {power} {inner} {index})"
    return then(*setup, f"apply (Lg_eq _ _ ({power} * {value}) {log[0]} {made} {log[1]})", flat.algebra())


def _extreme(flat: Flattening, node: Any) -> Equal:
    """The least or largest of two: one of them where that is shown."""
    head, *parts = node
    form = flat.forms.form(node)
    after = flat.canonical.sum(form)
    if len(parts) != 2:
        raise NotExported(f"{head} of more than two")
    if any(flat.forms.atoms[a].head == head for mono in form for a, _ in mono):
        return after, f"apply f_equal2; {flat.algebra()}"
    a, b = parts
    smaller = a if flat.prover.context.nonnegative(("-", b, a)) else b
    larger = b if smaller is a else a
    side = "l" if (smaller is a) == (head == "min") else "r"
    given = Relation(smaller, "<=", larger)
    name = flat.prover.fresh("H")
    held = [known(name, flat.prover.text.relation(given), flat.prover.relation(given))]
    held += flat.rewritten((smaller, larger), f" in {name}")
    return after, then(*held, split(f"apply {head}_is_{side}", f"exact {name}", flat.algebra()))
