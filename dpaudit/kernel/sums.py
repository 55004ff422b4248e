"""Finite sums: what holds at every index, the last term apart, sums between numbers written out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpaudit.kernel.canonical import Flattening
from dpaudit.kernel.proving import Proving
from dpaudit.kernel.scripts import REALS, known, split, then
from dpaudit.kernel.text import NotExported, identifier
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import Poly, as_number, constant, minus
from dpaudit.recheck.sums import MOST_SUM
from dpaudit.recheck.terms import ONE, ZERO, Relation, Term, substitute


class Inside:
    """What is known at an index of a sum. intros: brings the index and what is known of it into a proof."""

    def __init__(self, prover: Proving, index: str, low: Term, high: Term) -> None:
        context = prover.text.inside(index, low, high).context
        self.prover = prover.inner(Goal(context, Relation(ZERO, "==", ZERO)))
        below, above = prover.fresh("H"), prover.fresh("H")
        facts = [f"apply IZR_le in {name}; {REALS} in {name}" for name in (below, above)]
        outer = {(name, fact.text) for name, fact in prover.domain.hypotheses.items()}
        new = [
            known(name, fact.text, "lra")
            for name, fact in self.prover.domain.hypotheses.items()
            if (name, fact.text) not in outer
        ]
        self.intros = then(f"intros {identifier(index)} [{below} {above}]", *facts, *new)


def sign(prover: Proving, node: Any) -> str | None:
    """A script for a sum whose terms are not negative."""
    _, index, low, high, body = node
    inside = Inside(prover, index, low, high)
    script = inside.prover.signs.find(body, False)
    return None if script is None else then("apply zsum_nonneg", inside.intros, script)


def compared(prover: Proving, left: Any, right: Any, script: str) -> str:
    """A script for sums over one range, whose terms the script compares."""
    inside = Inside(prover, left[1], left[2], left[3])
    return then("apply zsum_le", inside.intros, script)


def equal(flat: Flattening, node: Any) -> tuple[str, str]:
    """The normal form of a sum, and a script."""
    _, index, low, high, body = node
    ends = flat.forms.form(low), flat.forms.form(high)
    first, last = (as_number(end) for end in ends)
    if first is not None and last is not None and last - first < MOST_SUM:
        return _written_out(flat, index, int(first), int(last), body)
    shift = ends[1].get((), Fraction(0))
    form = flat.forms.form(node)
    if abs(shift) == 1 and last is None and any(_is_sum_to(flat, form, minus(ends[1], constant(shift)))):
        return _with_last(flat, node, minus(ends[1], constant(shift)), int(shift))
    return _by_terms(flat, node, form)


def _is_sum_to(flat: Flattening, form: Poly, high: Poly) -> list[bool]:
    """For every sum in the form that has this end, true."""
    atoms = [flat.forms.atoms[a] for mono in form for a, _ in mono]
    return [True for atom in atoms if atom.head == "sum" and not minus(atom.args[2], high)]


def _through(flat: Flattening, expanded: Term, script: str) -> tuple[str, str]:
    """A sum that a script shows to be another term, and the normal form of that."""
    after, written = flat.flat(expanded), flat.real(expanded)
    rest = then(*flat.rewritten((expanded,)), "reflexivity")
    return after, split(f"transitivity {written}", script, rest)


def _written_out(flat: Flattening, index: str, first: int, last: int, body: Term) -> tuple[str, str]:
    total: Term = ZERO
    for k in range(first, last + 1):
        total = ("+", total, substitute(body, {index: Fraction(k)}))
    return _through(flat, total, f"unfold zsum; cbn; {REALS}; first [reflexivity | ring | field; nz]")


def _with_last(flat: Flattening, node: Any, shorter: Poly, shift: int) -> tuple[str, str]:
    """A sum to n + 1 as one to n and a term, or a sum to n - 1 as one to n without its last term."""
    _, index, low, high, body = node
    text, end = flat.prover.text, flat.forms.node(shorter)
    before, after = (end, high) if shift == 1 else (high, end)
    last = substitute(body, {index: ("+", end, ONE) if shift == 1 else end})
    ends = [text.whole(one) for one in (low, before, after)]
    if None in ends:
        raise NotExported("the end of a sum is not built as a whole number")
    sign_ = flat.prover.relation(Relation(low, "<=", ("+", before, ONE)))
    function = text.real(node).partition("(fun")[2]
    head = f"rewrite (zsum_last ({ends[0]})%Z ({ends[1]})%Z ({ends[2]})%Z (fun{function[:-1]}"
    scripts = [f"apply le_IZR; {REALS}; {sign_}", "lia"]
    expanded = ("+" if shift == 1 else "-", ("sum", index, low, end, body), last)
    closing = f"cbv beta; {REALS}; first [ring | f_equal; f_equal; lia]"
    return _through(flat, expanded, f"{head}); [{closing} | {scripts[1]} | {scripts[0]}]")


def _by_terms(flat: Flattening, node: Any, form: Poly) -> tuple[str, str]:
    """Sums over the same range, each times what does not depend on the index."""
    _, index, low, high, body = node
    after = flat.canonical.sum(form)
    if not any(flat.forms.atoms[a].head == "sum" for mono in form for a, _ in mono):
        return _counted(flat, node)
    inside = Inside(flat.prover, index, low, high)
    total: Term = ZERO
    for mono, c in form.items():
        total = ("+", total, flat.forms.node({mono: c}))
    same = _opened(total, index)
    script = inside.prover.equations.prove(body, same)
    ends = ", ".join(f"({_plain(flat, end)})%Z" for end in (low, high))
    ones = f"rewrite ?(zsum_ones {ends.replace(', ', ' ')}) by (apply le_IZR; {REALS}; lra)"
    back = f"{_ends(flat, (low, high))}symmetry; {ones}; rewrite ?zsum_scal; rewrite ?zsum_plus; symmetry"
    return after, then(back, "apply zsum_ext", inside.intros, f"cbv beta; {script}")


def _plain(flat: Flattening, end: Term) -> str:
    """The end of a sum, as it is written in normal forms."""
    whole = flat.prover.text.whole(flat.forms.node(flat.forms.form(end)))
    if whole is None:
        raise NotExported("the end of a sum is not built as a whole number")
    return whole


def _ends(flat: Flattening, ends: tuple[Term, Term]) -> str:
    """Brings the ends of a sum to what they are in normal forms."""
    pairs = [(flat.prover.text.whole(end), _plain(flat, end)) for end in ends]
    return "".join(f"replace ({old})%Z with ({new})%Z by lia; " for old, new in pairs if old != new)


def _counted(flat: Flattening, node: Any) -> tuple[str, str]:
    """A sum of one term, as often as there are indices."""
    _, index, low, high, body = node
    inside = Inside(flat.prover, index, low, high)
    forms = inside.prover.context.forms
    form = forms.form(body)
    if any(index in forms.atoms[a].names for mono in form for a, _ in mono):
        raise NotExported("a sum without a normal form")
    term = forms.node(form)
    ends = [f"({flat.prover.text.whole(end)})%Z" for end in (low, high)]
    written = flat.real(term)
    same = then("apply zsum_ext", inside.intros, f"cbv beta; {inside.prover.equations.prove(body, term)}")
    order = f"apply le_IZR; {REALS}; {flat.prover.relation(Relation(low, '<=', ('+', high, ONE)))}"
    count = f"rewrite (zsum_const {' '.join(ends)} {written}) by ({order})"
    total = ("*", term, ("+", ("-", high, low), ONE))
    after = flat.flat(total)
    rest = then(count, REALS, *flat.rewritten((total,)), flat.algebra())
    first = f"(zsum {' '.join(ends)} (fun _ => {written}))"
    return after, split(f"transitivity {first}", same, rest)


def _opened(node: Term, index: str) -> Term:
    """A combination of sums as that of what stands in them."""
    match node:
        case ("sum", str() as name, _, _, body):
            return substitute(body, {name: index})
        case ("+" | "-" as head, a, b):
            return head, _opened(a, index), _opened(b, index)
        case ("*", a, b):
            return "*", _opened(a, index), _opened(b, index)
        case ("neg", a):
            return "neg", _opened(a, index)
    return node
