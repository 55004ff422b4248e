"""Engine `linear`: right - left as a combination of products of known inequalities, found by a linear program.

What is looked for are weights, not negative, with which

    (sum of w_k m_k) (right - left) == sum of w_j p_j

where m_k are positive products of atoms and p_j products of atoms and of the slacks of known inequalities. A guess of
the program is made exact: rational weights that solve the equations between coefficients. The checker goes through the
combination again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csc_array

from dpaudit.arithmetic import equations
from dpaudit.recheck.forms import Forms
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import Exponent, Mono, Poly, minus, scaled
from dpaudit.recheck.proof import in_range
from dpaudit.recheck.terms import ONE, ZERO, Refused, Relation, Term, show

EFFORTS, MOST_FACTS, MOST_CANDIDATES, MOST_TERMS = 3, 14, (200, 600, 2_000), 600
ROUNDS = 3
"""How often factors are chosen anew, so that products meet the terms that earlier ones left."""
SMALL = 1e-7
"""Weights below are taken for 0 before the rest is made exact."""
DIGITS = 10**4
"""Denominator of the fractions around numbers such as log(2)."""
Node = dict[str, object]


@dataclass(frozen=True)
class Candidate:
    """A product that is not negative: a product of atoms, `factor`, times the slacks of relations. equation: it is 0;
    factor: None for a part of what is left, whose sign the checker sees by itself."""

    form: Poly
    factor: Term | None
    facts: tuple[Relation, ...] = ()
    equation: bool = False
    strict: bool = False


@dataclass(frozen=True)
class Fact:
    """Known relations with the product of their slacks, times `times`, so that nothing stands below a fraction line."""

    relations: tuple[Relation, ...]
    form: Poly
    times: Term

    @property
    def equation(self) -> bool:
        """Is one of them an equation?"""
        return any(given.sign == "==" for given in self.relations)


def combination(goal: Goal, facts: tuple[Relation, ...], effort: int) -> Node | None:
    """A node that proves the goal by `combine`; None where the program finds none.

    effort: 1 for single relations, 2 for products of two, 3 for multipliers and several rounds.
    """
    try:
        return _found(goal, facts, effort)
    except (Refused, OverflowError):  # numbers that no float holds
        return None


def _found(goal: Goal, facts: tuple[Relation, ...], effort: int) -> Node | None:
    forms = goal.context.forms
    target, times = _whole(forms, minus(forms.form(goal.relation.right), forms.form(goal.relation.left)))
    if not target or len(target) > MOST_TERMS or goal.relation.sign == "==":
        return None
    multipliers = _multipliers(forms, target, goal.relation.sign == "<" or effort < EFFORTS)
    candidates = [*_candidates(goal, facts, target, multipliers, effort), *_shifted(goal, target)]
    candidates += _rounded(goal, (target, *(c.form for c in candidates)))
    monos = dict.fromkeys((*target, *(mono for c in candidates for mono in c.form)))
    signs = ((mono, forms.plain_sign({mono: ONE})) for mono in monos)
    candidates += [Candidate({mono: ONE}, None, strict=sign == 1) for mono, sign in signs if sign is not None]
    weights = _weights(forms, target, multipliers, candidates, goal.relation.sign == "<")
    if weights is None:
        return None
    by = forms.form(times)
    factor = forms.times(by, {mono: w for mono, w in zip(multipliers, weights, strict=False) if w})
    terms = [
        [show(_scaled(weight, c.factor)), *map(show, c.facts)]
        for weight, c in zip(weights[len(multipliers) :], candidates, strict=True)
        if weight and c.factor is not None
    ]
    node = forms.node(factor)
    return {"by": "combine", **({} if node == ONE else {"times": show(node)}), "terms": terms}


def _scaled(weight: Fraction, factor: Term) -> Term:
    return weight if factor == ONE else factor if weight == 1 else ("*", weight, factor)


def _whole(forms: Forms, form: Poly) -> tuple[Poly, Term]:
    """The form times a positive term, so that nothing stands below a fraction line; nothing where none is known."""
    form, below = forms.cleared(form)
    powers: dict[int, Exponent] = dict(below)
    for mono in form:
        for a, e in mono:
            powers[a] = max(powers.get(a, ZERO), -e)
    powers = {a: e for a, e in powers.items() if e > 0}
    if any(forms.atom_sign(a) != 1 for a in powers):
        return {}, ONE
    inner = {a: e for a, e in powers.items() if a not in below}
    times = forms.node({tuple(sorted(powers.items())): ONE}) if powers else ONE
    return forms.times(form, {tuple(sorted(inner.items())): ONE}), times


def _multipliers(forms: Forms, target: Poly, none: bool) -> list[Mono]:
    """What right - left may be multiplied by: positive atoms of the goal, and 1."""
    atoms = sorted({a for mono in target for a, _ in mono if forms.atom_sign(a) == 1})
    return [(), *(() if none else (((a, 1),) for a in atoms[:8]))]


def _candidates(
    goal: Goal, named: tuple[Relation, ...], target: Poly, multipliers: list[Mono], effort: int
) -> Iterator[Candidate]:
    """Products of known relations, with factors that make them meet terms of the target or of each other."""
    forms, facts = goal.context.forms, list(_products(goal, named, effort))
    seen: set[tuple[int, Mono]] = set()
    frontier = dict.fromkeys([mono for m in multipliers for mono in forms.times(target, {m: ONE})])
    small = [
        (),
        *(((a, 1),) for a in sorted({a for mono in target for a, _ in mono}) if forms.atom_sign(a) is not None),
    ]
    for _ in range(2 if effort < EFFORTS else ROUNDS):
        made: dict[Mono, None] = {}
        for i, fact in enumerate(facts):
            for mono in (*_quotients(forms, frontier, fact.form), *(small if len(fact.relations) < 2 else small[:1])):
                if (i, mono) in seen:
                    continue
                if len(seen) >= MOST_CANDIDATES[effort - 1]:
                    return
                seen.add((i, mono))
                found = _candidate(forms, fact, mono)
                made |= dict.fromkeys(found.form)
                yield found
        frontier = {mono: None for mono in made if mono not in frontier}


def _candidate(forms: Forms, fact: Fact, mono: Mono) -> Candidate:
    factor: Poly = {mono: ONE}
    node = forms.node(factor)
    node = node if fact.times == ONE else fact.times if node == ONE else ("*", fact.times, node)
    strict = forms.plain_sign(factor) == 1 and all(given.sign == "<" for given in fact.relations)
    return Candidate(forms.times(factor, fact.form), node, fact.relations, fact.equation, strict and not fact.equation)


def _quotients(forms: Forms, monos: dict[Mono, None], form: Poly) -> Iterator[Mono]:
    """Products of atoms that take a term of a form to one of these; only positive atoms stand below a fraction line."""
    for wanted in monos:
        for term in form:
            powers = dict(wanted)
            for a, e in term:
                powers[a] = powers.get(a, ZERO) - e
            mono = tuple(sorted((a, e) for a, e in powers.items() if e))
            fits = all(e > 0 or forms.atom_sign(a) == 1 for a, e in mono)
            if fits and forms.plain_sign({mono: ONE}) is not None:
                yield mono


def _products(goal: Goal, named: tuple[Relation, ...], effort: int) -> Iterator[Fact]:
    forms, single = goal.context.forms, []
    for given in (*named, *goal.context.given, *_known(goal)):
        form, times = _whole(forms, minus(forms.form(given.right), forms.form(given.left)))
        if form:
            single.append(Fact((given,), form, times))
    single = single[:MOST_FACTS]
    yield from single
    for a, b in () if effort == 1 else combinations_with_replacement(single, 2):
        if not (a.equation or b.equation) and len(a.form) * len(b.form) <= MOST_TERMS:
            times = a.times if b.times == ONE else b.times if a.times == ONE else ("*", a.times, b.times)
            yield Fact((*a.relations, *b.relations), forms.times(a.form, b.form), times)


def _known(goal: Goal) -> Iterator[Relation]:
    """Ends of ranges, and the inequality of Cauchy and Schwarz."""
    for s in goal.context.symbols:
        if s.kind in ("real", "integer"):
            yield from (fact for fact in in_range(s, s.name) if fact.left != 0)
    vectors = [s.name for s in goal.context.symbols if s.kind == "vector"]
    for i, u in enumerate(vectors):
        for v in vectors[:i]:
            for signed in (u, ("neg", u)):
                yield Relation(("dot", signed, v), "<=", ("*", ("norm", signed), ("norm", v)))


def _shifted(goal: Goal, target: Poly) -> Iterator[Candidate]:
    """Products with every symbol counted from the low end of its range, which the checker sees to be not negative."""
    forms = goal.context.forms
    atoms = {atom.args[0]: a for a, atom in enumerate(forms.atoms) if atom.head == "name"}
    present = {a for mono in target for a, _ in mono}
    lows = {atoms[s.name]: s.low for s in goal.context.symbols if s.low and atoms.get(s.name) in present}
    degrees = [int(max(e for mono in target for b, e in mono if b == a)) for a in lows]
    if not lows or len(lows) > 3 or any(d > 6 for d in degrees):
        return
    others = {tuple(pair for pair in mono if pair[0] not in lows) for mono in target}
    for powers in product(*(range(d + 1) for d in degrees)):
        parts = (
            forms.whole_power({((a, ONE),): ONE, (): -low}, n)
            for (a, low), n in zip(lows.items(), powers, strict=True)
            if low is not None
        )
        shifted = forms.times(*parts)
        for mono in others:
            if forms.plain_sign({mono: ONE}) is not None:
                yield Candidate(forms.times(shifted, {mono: ONE}), None)


def _rounded(goal: Goal, forms_of: Iterable[Poly]) -> Iterator[Candidate]:
    """Numbers such as log(2) between fractions, times products that are not negative."""
    forms = goal.context.forms
    for mono in dict.fromkeys(mono for form in forms_of for mono in form):
        number = tuple((a, e) for a, e in mono if not forms.atoms[a].names)
        rest = tuple(pair for pair in mono if pair not in number)
        if not number or forms.plain_sign({rest: ONE}) is None:
            continue
        low, high = goal.context.enclosure(forms.node({number: ONE}))
        if low.is_finite() and high.is_finite():
            below, above = (Fraction(round(float(end) * DIGITS) + step, DIGITS) for end, step in ((low, -1), (high, 1)))
            yield Candidate({mono: ONE, rest: -below}, None)
            yield Candidate({rest: above, mono: -ONE}, None)


def _weights(
    forms: Forms, target: Poly, multipliers: list[Mono], candidates: list[Candidate], strict: bool
) -> list[Fraction] | None:
    """Exact weights of the multipliers, whose sum is 1, and of the candidates."""
    wanted = [scaled(forms.times(target, {mono: ONE}), -1) for mono in multipliers]
    rows = {
        mono: i + 1
        for i, mono in enumerate(dict.fromkeys(m for form in (*wanted, *(c.form for c in candidates)) for m in form))
    }
    columns = [{0: ONE, **{rows[m]: v for m, v in form.items()}} for form in wanted]
    columns += [{rows[m]: v for m, v in c.form.items()} for c in candidates]
    free = [False] * len(wanted) + [c.equation for c in candidates]
    good = [False] * len(wanted) + [strict and c.strict for c in candidates]
    cost = [-1.0 if well else 1e-3 for well in good]
    limits = [(None, None) if any_sign else (0, 1 if well else None) for any_sign, well in zip(free, good, strict=True)]
    matrix = csc_array(
        ([float(v) for column in columns for v in column.values()],
         ([i for column in columns for i in column], [j for j, column in enumerate(columns) for _ in column])),
        shape=(len(rows) + 1, len(columns)),
    )  # fmt: skip
    found = linprog(cost, A_eq=matrix, b_eq=np.eye(1, len(rows) + 1)[0], bounds=limits, method="highs-ds")
    if found.status != 0:
        return None
    support = [j for j, x in enumerate(found.x) if abs(x) > SMALL]
    exact = equations.solved([columns[j] for j in support], {0: ONE})
    if exact is None or any(x < 0 and not free[j] for j, x in zip(support, exact, strict=True)):
        return None
    chosen = dict(zip(support, exact, strict=True))
    if strict and not any(good[j] and x > 0 for j, x in chosen.items()):
        return None
    return [chosen.get(j, ZERO) for j in range(len(columns))]
