"""Engine `monomials`: a sum of products of powers below another, by comparisons of products that conditions give.

    T <= n, d <= n**2, 1 <= n    give    T**(3/2)*d**(1/4) <= n**3

A product on the left times powers of greater over lesser sides of conditions is a product on the right: the powers are
the weights of a linear program over exponents, made exact. What share of a product on the left stays below which one
on the right is a second program. The checker goes through powers and combinations again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from dpaudit.arithmetic import equations
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import Mono, Poly, minus
from dpaudit.recheck.proof import in_range
from dpaudit.recheck.terms import ONE, ZERO, Refused, Relation, Term

MOST_PRODUCTS = 6
"""On each side."""
MOST_FACTS = 30
MOST_POWER = 64
SMALL = 1e-7
DENOMINATOR = 10**4
"""Of shares, and largest of powers."""


@dataclass(frozen=True)
class Link:
    """A condition with both sides to a power, times a positive product."""

    power: Fraction
    raised: Relation
    times: Term


@dataclass(frozen=True)
class Chain:
    """A product, 1 times powers, below another one, by links one after the other; share: how much of it is used."""

    fact: Relation
    links: tuple[Link, ...]
    share: Fraction


@dataclass(frozen=True)
class _Fact:
    """A condition between two positive products, and the exponents and logarithm of greater over lesser."""

    relation: Relation
    lesser: Poly
    greater: Poly
    exponents: dict[int, Fraction]
    logarithm: float


def chains(goal: Goal) -> tuple[Chain, ...]:
    """Comparisons that add up to the goal, none where these are not found, as with numbers too large for a program."""
    try:
        return _found(goal)
    except (Refused, OverflowError):
        return ()


def _found(goal: Goal) -> tuple[Chain, ...]:
    forms = goal.context.forms
    target = minus(forms.form(goal.relation.right), forms.form(goal.relation.left))
    left, right = ({mono: c for mono, c in target.items() if (c < 0) is lesser} for lesser in (True, False))
    sizes = 0 < len(left) <= MOST_PRODUCTS and 0 < len(right) <= MOST_PRODUCTS
    if goal.relation.sign == "==" or not sizes or not all(_positive(goal, mono) for mono in target):
        return ()
    facts = list(_facts(goal))[:MOST_FACTS]
    pairs = {(a, b): _chain(goal, facts, a, b) for a in left for b in right}
    return _shared(goal, left, right, {pair: chain for pair, chain in pairs.items() if chain is not None})


def _positive(goal: Goal, mono: Mono) -> bool:
    """Is a product positive, and are its numbers such that they can be compared with others?"""
    return goal.context.forms.plain_sign({mono: ONE}) == 1 and math.isfinite(_constant(goal, mono))


def _facts(goal: Goal) -> Iterator[_Fact]:
    """Conditions and ends of ranges whose sides are positive products; of a sum on the left each part."""
    forms, known = goal.context.forms, list(goal.context.given)
    for s in goal.context.symbols:
        known += in_range(s, s.name) if s.kind in ("real", "integer") else ()
    for given in known:
        left, right = forms.form(given.left), forms.form(given.right)
        turned = ((left, right), (right, left)) if given.sign == "==" else ((left, right),)
        for lesser, greater in turned:
            if len(greater) != 1 or not all(
                c > 0 and _positive(goal, m) for m, c in (*lesser.items(), *greater.items())
            ):
                continue
            for mono, c in lesser.items():
                yield _fact(goal, given, {mono: c}, greater, whole=len(lesser) == 1 and given.sign != "==")


def _fact(goal: Goal, given: Relation, lesser: Poly, greater: Poly, whole: bool) -> _Fact:
    forms = goal.context.forms
    relation = given if whole else Relation(forms.node(lesser), "<=", forms.node(greater))
    exponents, logarithm = dict[int, Fraction](), 0.0
    for form, sign in ((greater, 1), (lesser, -1)):
        ((mono, c),) = form.items()
        logarithm += sign * (math.log(c.numerator) - math.log(c.denominator) + _constant(goal, mono))
        for a, e in mono:
            if forms.atoms[a].names:
                exponents[a] = exponents.get(a, ZERO) + sign * e
    return _Fact(relation, lesser, greater, {a: e for a, e in exponents.items() if e}, logarithm)


def _constant(goal: Goal, mono: Mono) -> float:
    """The logarithm of the numbers in a product: powers of primes, e, log(2). NaN where it is not known."""
    forms = goal.context.forms
    numbers = tuple((a, e) for a, e in mono if not forms.atoms[a].names)
    low, high = map(float, goal.context.enclosure(forms.node({numbers: ONE}))) if numbers else (1.0, 1.0)
    return math.log(low) if 0 < low <= high < 2 * low else math.nan


def _chain(goal: Goal, facts: list[_Fact], a: Mono, b: Mono) -> Chain | None:
    """The links from one product to a multiple of the other, the least that is found."""
    forms = goal.context.forms
    wanted = forms.merged(b, tuple((x, -e) for x, e in a))
    powers = _powers(facts, {x: Fraction(e) for x, e in wanted.items() if forms.atoms[x].names})
    if powers is None:
        return None
    links, here = list[Link](), Poly({a: ONE})
    for fact, power in zip(facts, powers, strict=True):
        if not power:
            continue
        raised = Relation(_power(fact.relation.left, power), "<=", _power(fact.relation.right, power))
        times = forms.form(("/", forms.node(here), _power(forms.node(fact.lesser), power)))
        here = forms.times(times, forms.form(_power(forms.node(fact.greater), power)))
        links.append(Link(power, fact.relation if power == 1 else raised, forms.node(times)))
    return Chain(Relation(forms.node({a: ONE}), "<=", forms.node(here)), tuple(links), ONE)


def _power(node: Term, power: Fraction) -> Term:
    return node if power == 1 else ("**", node, power)


def _powers(facts: list[_Fact], wanted: dict[int, Fraction]) -> list[Fraction] | None:
    """How often each fact is used, so that the exponents come out and the multiple is least; exact."""
    atoms = sorted({a for fact in facts for a in fact.exponents} | set(wanted))
    if not facts:
        return None if wanted else []
    matrix = np.array([[float(fact.exponents.get(a, 0)) for fact in facts] for a in atoms]).reshape(
        len(atoms), len(facts)
    )
    cost = [fact.logarithm + 1e-6 for fact in facts]
    found = linprog(
        cost, A_eq=matrix, b_eq=[float(wanted.get(a, 0)) for a in atoms], bounds=(0, MOST_POWER), method="highs-ds"
    )
    if found.status != 0:
        return None
    support = [j for j, x in enumerate(found.x) if x > SMALL]
    exact = equations.solved([facts[j].exponents for j in support], wanted)
    if exact is None or any(x <= 0 or x.denominator > DENOMINATOR for x in exact):
        return None
    chosen = dict(zip(support, exact, strict=True))
    return [chosen.get(j, ZERO) for j in range(len(facts))]


def _shared(goal: Goal, left: Poly, right: Poly, found: dict[tuple[Mono, Mono], Chain]) -> tuple[Chain, ...]:
    """The chains with shares such that each product on the left is used up and none on the right is exceeded."""
    pairs = list(found)
    multiples = [_multiple(goal, found[pair], pair[1]) for pair in pairs]
    # The unknowns are the shares, and last the part of the right side that stays unused, which is to be the largest.
    used = np.array([[float(a == mono) for a, _ in pairs] + [0.0] for mono in left])
    above = np.array(
        [
            [m / float(c) if b == mono else 0.0 for (_, b), m in zip(pairs, multiples, strict=True)] + [1.0]
            for mono, c in right.items()
        ]
    )
    cost = [0.0] * len(pairs) + [-1.0]
    bounds = [(0, None)] * len(pairs) + [(-SMALL, 1)]
    program = linprog(
        cost, above, np.ones(len(right)), used, [-float(c) for c in left.values()], bounds, method="highs-ds"
    )
    if program.status != 0:
        return ()
    return tuple(_exact(left, {pair: (found[pair], x) for pair, x in zip(pairs, program.x, strict=False) if x > SMALL}))


def _exact(left: Poly, used: dict[tuple[Mono, Mono], tuple[Chain, float]]) -> Iterator[Chain]:
    """Shares as fractions; the largest of a product is what the others leave."""
    for mono, c in left.items():
        parts = sorted((x, k) for k, ((a, _), (_, x)) in enumerate(used.items()) if a == mono)
        rest, chosen = -c, [chain for chain, _ in used.values()]
        for x, k in parts[:-1]:
            share = Fraction(x).limit_denominator(DENOMINATOR)
            rest -= share
            yield Chain(chosen[k].fact, chosen[k].links, share)
        last = chosen[parts[-1][1]]
        yield Chain(last.fact, last.links, rest)


def _multiple(goal: Goal, chain: Chain, b: Mono) -> float:
    ((mono, c),) = goal.context.forms.form(chain.fact.right).items()
    return float(c) * math.exp(_constant(goal, mono) - _constant(goal, b))
