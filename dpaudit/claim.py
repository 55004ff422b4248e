"""A claim of a paper as data: statement, argument, printed proof steps, mutants.

The statement is written once, in the expression language of `dpaudit.expression`; every engine reads
that one text. The argument is a list of moves from the statement to something that an engine can
close. A claim file finds everything that it needs in this module.
"""

from __future__ import annotations

from enum import StrEnum

from dpaudit.moves import (
    Bound,
    Boxes,
    ByTheorem,
    Cases,
    Combine,
    Enumerate,
    Identical,
    Logarithm,
    Move,
    Open,
    Rewrite,
    Scale,
    Shift,
    Substitute,
    Tangent,
)
from dpaudit.serial import record
from dpaudit.statement import Point, Statement, Symbol, SymbolKind, gaussian, integer, real, vector
from dpaudit.verdict import Outcome

__all__ = [
    "Bound",
    "Boxes",
    "ByTheorem",
    "Cases",
    "Claim",
    "ClaimKind",
    "Combine",
    "Empirical",
    "Enumerate",
    "Identical",
    "Logarithm",
    "Move",
    "Mutant",
    "Open",
    "Outcome",
    "Point",
    "Rewrite",
    "Sampling",
    "Scale",
    "Search",
    "Shift",
    "Statement",
    "Step",
    "Substitute",
    "Symbol",
    "SymbolKind",
    "Tangent",
    "gaussian",
    "integer",
    "real",
    "vector",
]


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
