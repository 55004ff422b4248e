"""The moves of an argument, as data; `dpaudit.argument` checks them.

A move turns the goal into one that implies it; a closing move settles it. `because` says in words why.
"""

from __future__ import annotations

from dpaudit.serial import record
from dpaudit.statement import Symbol


@record
class Rewrite:
    """Replace a side by an equal one. by: `symbolic`, or the name of a theorem of assumed.toml."""

    left: str = ""
    right: str = ""
    by: str = "symbolic"
    because: str = ""


@record
class Bound:
    """Replace the left side by a larger one or the right by a smaller one.

    The checks in `argument` prove old <= new; with `by` naming a theorem of
    assumed.toml the step rests on that theorem. A bound may prove, never refute.
    """

    left: str = ""
    right: str = ""
    argument: tuple[Move, ...] = ()
    by: str = ""
    because: str = ""


@record
class Substitute:
    """Change variables. values: old symbol or atom (such as `dot(v, v)`) -> expression in the new
    symbols; inverse: new symbol -> expression in the old ones, which shows that nothing is lost."""

    symbols: tuple[Symbol, ...]
    values: tuple[tuple[str, str], ...]
    inverse: tuple[tuple[str, str], ...]
    because: str = ""


@record
class Scale:
    """Multiply both sides by a factor that is positive on the domain."""

    factor: str
    because: str = ""


@record
class Shift:
    """Add a term to both sides."""

    term: str
    because: str = ""


@record
class Logarithm:
    """Take the logarithm of both sides, which must be positive."""

    because: str = ""


@record
class Cases:
    """Split the domain; each case is a condition and the argument that closes it. The first
    conditions must cover the domain: the last case may have the condition `otherwise`."""

    cases: tuple[tuple[str, tuple[Move, ...]], ...]
    because: str = ""


# Closing moves: each settles the goal. ---------------------------------------------------------


@record
class Identical:
    """symbolic: both sides are the same expression (exact normal form)."""


@record
class Combine:
    """symbolic: right - left is a sum of multiplier * (greater - lesser) over known inequalities
    `lesser <= greater`, each multiplier nonnegative on the domain. A known inequality is a
    condition, or an instance of: triangle inequality, Cauchy-Schwarz, a square, a norm."""

    terms: tuple[tuple[str, str], ...]
    because: str = ""


@record
class Tangent:
    """symbolic: the goal is convex in one variable, and both sides and their slopes agree at `point`."""

    variable: str
    point: str
    because: str = ""


@record
class Boxes:
    """rigorous: ball arithmetic over the box of the remaining symbols, split at most `budget` times."""

    budget: int = 20_000
    because: str = ""


@record
class Enumerate:
    """exact: every combination of the integer symbols, in rational arithmetic."""

    because: str = ""


@record
class Open:
    """Nothing is proved here: the rest of the domain. The claim is then at most CONSISTENT (partial proof)."""

    because: str


@record
class ByTheorem:
    """The goal is an instance of a named theorem of assumed.toml (never of the claim itself)."""

    theorem: str
    because: str = ""


Move = (
    Rewrite
    | Bound
    | Substitute
    | Scale
    | Shift
    | Logarithm
    | Cases
    | Identical
    | Combine
    | Tangent
    | Boxes
    | Enumerate
    | ByTheorem
    | Open
)
