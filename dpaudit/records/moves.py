"""The moves of an argument, as data; `dpaudit.claims.argument.nodes` makes them parts of a proof.

A move turns the goal into one that implies it; a closing move settles it. `because` says in words why. Where an
argument is empty, or ends with the goal open, a proof of the rest is looked for.
"""

from __future__ import annotations

from dpaudit.records.arguments import stated
from dpaudit.records.statement import Point, Symbol


@stated
class Rewrite:
    """Replace a side by an equal one. by: `symbolic`, the name of a theorem of the folder assumed, or the id of a
    statement of this or another claim, which is shown to apply; at: what stands for the symbols of that statement,
    where it is not a symbol of the same name."""

    left: str = ""
    right: str = ""
    by: str = "symbolic"
    because: str = ""
    at: tuple[tuple[str, str], ...] = ()


@stated
class Bound:
    """Replace the left side by a larger one or the right by a smaller one.

    The checks in `argument` prove old <= new; with `by` naming a theorem of
    the folder assumed, or the id of a statement, which is shown to apply, the step rests on that. A bound may prove,
    never refute.
    at: as in `Rewrite`.
    """

    left: str = ""
    right: str = ""
    argument: tuple[Move, ...] = ()
    by: str = ""
    because: str = ""
    at: tuple[tuple[str, str], ...] = ()


@stated
class Substitute:
    """Change variables. values: old symbol or atom (such as `dot(v, v)`) -> expression in the new
    symbols; inverse: new symbol -> expression in the old ones, which shows that nothing is lost."""

    symbols: tuple[Symbol, ...]
    values: tuple[tuple[str, str], ...]
    inverse: tuple[tuple[str, str], ...]
    because: str = ""


@stated
class Scale:
    """Multiply both sides by a factor that is positive on the domain."""

    factor: str
    because: str = ""


@stated
class Shift:
    """Add a term to both sides."""

    term: str
    because: str = ""


@stated
class Logarithm:
    """Take the logarithm of both sides, which must be positive."""

    because: str = ""


@stated
class Power:
    """Raise both sides to a positive power; neither side may be negative."""

    exponent: str
    because: str = ""


@stated
class Have:
    """Show a fact by an argument of its own, and use it from then on as a condition."""

    fact: str
    argument: tuple[Move, ...] = ()
    because: str = ""


@stated
class Narrow:
    """Conditions that compare a symbol with a number become part of its range. `Monotone`, `Tangent` and `Taylor` do
    this by themselves for their variable."""

    because: str = ""


@stated
class Name:
    """A new real symbol stands for a term that is not random, wherever it occurs; conditions alone say more of it."""

    symbol: str
    term: str
    because: str = ""


@stated
class Cases:
    """Split the domain; each case is a condition and the argument that closes it. The first
    conditions must cover the domain: the last case may have the condition `otherwise`."""

    cases: tuple[tuple[str, tuple[Move, ...]], ...]
    because: str = ""


@stated
class Monotone:
    """right - left is monotone in one variable, so that it is enough to look at one end of its range.

    at: `low` or `high`, the end where right - left is least; where the range is unbounded there, 0 and the limit of
    right - left at infinity are the new sides; argument: proves the sign of the
    derivative, that is `0 <= d(right - left)/dv` for `low` and `d(right - left)/dv <= 0` for `high`.
    """

    variable: str
    at: str
    argument: tuple[Move, ...] = ()
    because: str = ""


@stated
class Antiderivative:
    """Replace `integral(z, a, b, f)`, as it stands in the goal, by F(b) - F(a). primitive: F as an expression in z;
    its derivative must be f, and both must be defined on the whole of [a, b]."""

    integral: str
    primitive: str
    because: str = ""


# Closing moves: each settles the goal. ---------------------------------------------------------


@stated
class Identical:
    """symbolic: both sides are the same expression (exact normal form)."""


@stated
class Combine:
    """symbolic: right - left is a sum of multiplier * (greater - lesser) over known inequalities
    `lesser <= greater`, each multiplier nonnegative on the domain. A known inequality is a
    condition, or an instance of: triangle inequality, Cauchy-Schwarz, a square, a norm."""

    terms: tuple[tuple[str, str], ...]
    because: str = ""


@stated
class Tangent:
    """symbolic: the goal is convex in one variable, and both sides and their slopes agree at `point`."""

    variable: str
    point: str
    because: str = ""


@stated
class Taylor:
    """symbolic: no term of the Taylor polynomial of right - left at `point` is negative, and neither is the rest.

    side: `above` the point, `below` it, or on `both` sides, where odd terms are 0 and the order is even; argument:
    proves the sign of the derivative of this order, `0 <= f`, or `f <= 0` for an odd order below the point."""

    variable: str
    point: str
    order: int
    side: str = "above"
    argument: tuple[Move, ...] = ()
    because: str = ""


@stated
class Termwise:
    """Both sides are sums over one range, integrals over one interval, or means: `argument` compares what stands
    inside, at every index or draw."""

    argument: tuple[Move, ...] = ()
    because: str = ""


@stated
class Boxes:
    """rigorous: ball arithmetic over the box of the remaining symbols, split at most `budget` times."""

    budget: int = 20_000
    because: str = ""


@stated
class Enumerate:
    """exact: every combination of the integer symbols, in rational arithmetic."""

    because: str = ""


@stated
class Positive:
    """symbolic: with every symbol counted from the end of its range, right - left is a quotient of
    polynomials without negative coefficients."""

    because: str = ""


@stated
class Solve:
    """symbolic (SMT): the conditions and the negated goal have no model, say z3 and cvc5; vectors enter
    through Gram scalars. facts: further known inequalities, as in `Combine`; effort: solver resource units."""

    facts: tuple[str, ...] = ()
    effort: int = 20_000_000
    because: str = ""


@stated
class Induct:
    """Induction over an integer symbol: `base` proves the goal at the low end of its range, `step` proves it
    at variable + 1 with the goal at variable as a further condition.

    A `sum(k, a, variable + 1, f)` is split into the sum to `variable` and its last term, and each different sum
    becomes a symbol `sum_1`, `sum_2`, ... of the step, in the order of their first occurrence. An identity is
    shown by its increments: left(n + 1) - left(n) == right(n + 1) - right(n)."""

    variable: str
    base: tuple[Move, ...] = ()
    step: tuple[Move, ...] = ()
    because: str = ""


@stated
class AtIndex:
    """Every condition `all(t, a, b, relation)` that has this whole number in its range: the relation there is one
    condition more. In the step of an induction this is done without being asked, at the index that is new."""

    index: str
    because: str = ""


@stated
class Exhibit:
    """For a statement with `exists`: this exact point meets every condition and the relation."""

    point: Point
    because: str = ""


@stated
class Nowhere:
    """For a statement with `exists`: `argument` proves the opposite relation for all points, so that it is refuted."""

    argument: tuple[Move, ...]
    because: str = ""


@stated
class Choose:
    """For a statement with constants, the first move: `values`, numbers, for them; the rest proves it with these."""

    values: Point
    because: str = ""


@stated
class ForEvery:
    """For a statement with constants: it is false whatever they are. at: for each other symbol a term in the constants;
    conditions: an argument for each condition at that point, in their order, empty to look for one; argument: that the
    opposite of the relation holds there."""

    at: Point
    argument: tuple[Move, ...] = ()
    conditions: tuple[tuple[Move, ...], ...] = ()
    because: str = ""


@stated
class Open:
    """Nothing is proved here: the rest of the domain. The claim is then at most CONSISTENT (partial proof)."""

    because: str


@stated
class ByTheorem:
    """The goal is taken from a named theorem of the folder assumed; or it is shown to follow from an instance of
    another statement, of this or another claim (never of the claim itself); at: as in `Rewrite`."""

    theorem: str
    because: str = ""
    at: tuple[tuple[str, str], ...] = ()


Move = (
    Rewrite
    | Bound
    | Substitute
    | Scale
    | Shift
    | Logarithm
    | Power
    | Have
    | Narrow
    | Name
    | Monotone
    | Antiderivative
    | Cases
    | Identical
    | Combine
    | Tangent
    | Taylor
    | Termwise
    | Boxes
    | Enumerate
    | Positive
    | Solve
    | Induct
    | AtIndex
    | Exhibit
    | Nowhere
    | Choose
    | ForEvery
    | ByTheorem
    | Open
)
