"""A claim of a paper as data: statement, argument, printed proof steps, mutants.

The statement is written once, in the expression language of `dpaudit.expression`;
every engine reads that one text. The argument is a list of moves from the statement
to something that an engine can close; each move is checked and graded on its own.
"""

from __future__ import annotations

from enum import StrEnum

from dpaudit.errors import ContentError
from dpaudit.serial import record
from dpaudit.verdict import Outcome


class ClaimKind(StrEnum):
    """What sort of statement a claim makes."""

    IDENTITY = "identity"
    INEQUALITY = "inequality"
    MOMENT = "moment"
    TAIL = "tail probability"
    SENSITIVITY = "sensitivity"
    DIVERGENCE = "divergence"
    PRIVACY = "privacy"
    REDUCTION = "reduction"
    COST = "cost"
    CONVERGENCE = "convergence"
    HOMOGENEITY = "homogeneity"
    NON_VACUITY = "non-vacuity"
    INDUCTION = "induction"
    IMPLICATION = "implication"


class SymbolKind(StrEnum):
    """What a symbol stands for."""

    REAL = "real"
    INTEGER = "integer"
    VECTOR = "vector"
    GAUSSIAN = "gaussian"


@record
class Symbol:
    """A named quantity. lower and upper are exact numbers or -oo, oo; `scale` is the standard
    deviation per coordinate of a gaussian vector (an expression in earlier symbols)."""

    name: str
    kind: SymbolKind
    lower: str = "-oo"
    upper: str = "oo"
    lower_open: bool = True
    upper_open: bool = True
    scale: str = ""
    meaning: str = ""


def _interval(name: str, kind: SymbolKind, interval: str, meaning: str) -> Symbol:
    text = interval.strip()
    inner = text[1:-1].split(",")
    if text[:1] not in "[(" or text[-1:] not in "])" or len(inner) != 2:
        raise ContentError(f"the range of {name} must look like '[0, 1)' or '(0, oo)', got {interval!r}")
    return Symbol(name, kind, inner[0].strip(), inner[1].strip(), text[0] == "(", text[-1] == ")", meaning=meaning)


def real(name: str, interval: str = "(-oo, oo)", meaning: str = "") -> Symbol:
    """A real number in `interval`, for example real("p", "[2, oo)", "moment order")."""
    return _interval(name, SymbolKind.REAL, interval, meaning)


def integer(name: str, interval: str, meaning: str = "") -> Symbol:
    """An integer in `interval`, end points included where the bracket is square."""
    return _interval(name, SymbolKind.INTEGER, interval, meaning)


def vector(name: str, meaning: str = "") -> Symbol:
    """A vector of R^d, in every dimension d at once."""
    return Symbol(name, SymbolKind.VECTOR, meaning=meaning)


def gaussian(name: str, scale: str = "1", meaning: str = "") -> Symbol:
    """A random vector N(0, scale^2 I_d); E(...) averages over it."""
    return Symbol(name, SymbolKind.GAUSSIAN, scale=scale, meaning=meaning)


@record
class Statement:
    """`left <= right` or `left == right` for all values of the symbols that meet the conditions."""

    expression: str
    symbols: tuple[Symbol, ...]
    conditions: tuple[str, ...] = ()


# Moves: each turns the goal into another goal that implies it. ---------------------------------


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


# Empirical checks: functions of the claim file that run the shipped algorithms. ----------------


@record
class Sampling:
    """Monte Carlo: `function(stream, trials)` returns one value a trial whose mean is claimed.

    relation: `<=` or `==`; limit: the claimed value; variance: a proved upper bound on the
    variance of one value (heavy tails: median of means, no normal theory); near_miss: a
    limit that the same check, at the same cost, must refute.
    """

    function: str
    relation: str
    limit: float
    variance: float
    near_miss: float
    trials: int = 200_000


@record
class Search:
    """Falsification search: `function(stream, trials)` returns ratios that must not exceed 1
    by more than `rounding`; near_miss: a smaller limit that the search must break."""

    function: str
    near_miss: float
    rounding: float = 1e-12
    trials: int = 20_000


Empirical = Sampling | Search


Point = tuple[tuple[str, str], ...]
"""Exact values of symbols: numbers such as "3/5", vectors such as "(3/5, 4/5)"."""


@record
class Mutant:
    """A false variant of a statement; the checks must refute it. Empty fields are inherited.

    candidates: points where a witness may lie; they only help the search, the check decides.
    """

    name: str
    change: str
    expression: str = ""
    conditions: tuple[str, ...] | None = None
    symbols: tuple[Symbol, ...] | None = None
    candidates: tuple[Point, ...] = ()


@record
class Step:
    """One step with its own verdict. name: `s1`, `s2`, ... for steps that the paper prints (`s4-bound`
    for a part of one); any other name, and `s1~repaired`, for steps of ours.

    rests_on: named theorems (of assumed.toml) or ids of other claims that carry the printed
    words over to the expression; finding: what is wrong and whether the conclusion survives,
    for a refuted step; repair: the id that says it right; candidates: see `Mutant`.
    """

    name: str
    words: str
    statement: Statement
    argument: tuple[Move, ...] = ()
    empirical: tuple[Empirical, ...] = ()
    mutants: tuple[Mutant, ...] = ()
    expects: Outcome = Outcome.PROVED
    kind: ClaimKind = ClaimKind.INEQUALITY
    rests_on: tuple[str, ...] = ()
    candidates: tuple[Point, ...] = ()
    finding: str = ""
    repair: str = ""

    @property
    def printed(self) -> bool:
        """True for a step that the paper prints."""
        return self.name[:1] == "s" and self.name[1:2].isdigit() and "~" not in self.name


@record
class Claim:
    """A numbered statement of a paper. id: `<paper>/<ID of the spec>`, `~name` for a variant of ours;
    place: where in the paper; statement: None while only steps are encoded (NOT_RUN); see `Step`."""

    id: str
    title: str
    words: str
    place: str
    kind: ClaimKind
    statement: Statement | None
    argument: tuple[Move, ...] = ()
    steps: tuple[Step, ...] = ()
    empirical: tuple[Empirical, ...] = ()
    mutants: tuple[Mutant, ...] = ()
    expects: Outcome = Outcome.PROVED
    rests_on: tuple[str, ...] = ()
    candidates: tuple[Point, ...] = ()
    finding: str = ""
    repair: str = ""
