"""A claim of a paper as data: statement, argument, printed proof steps, mutants.

The statement is written once, in the expression language of `dpaudit.claims.language.expression`; every engine reads
that one text. The argument is a list of moves from the statement to something that an engine can
close. Claim files import these by `dpaudit.claims.writing`.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from dpaudit.records.arguments import stated
from dpaudit.records.errors import ContentError
from dpaudit.records.moves import (
    Antiderivative,
    AtIndex,
    Bound,
    Boxes,
    ByTheorem,
    Cases,
    Choose,
    Combine,
    Enumerate,
    Exhibit,
    ForEvery,
    Have,
    Identical,
    Induct,
    Logarithm,
    Monotone,
    Move,
    Name,
    Narrow,
    Nowhere,
    Open,
    Positive,
    Power,
    Rewrite,
    Scale,
    Shift,
    Solve,
    Substitute,
    Tangent,
    Taylor,
    Termwise,
)
from dpaudit.records.reading import Condition, Origin, Reads
from dpaudit.records.statement import (
    Point,
    Statement,
    Symbol,
    SymbolKind,
    constant,
    gaussian,
    homogeneous,
    integer,
    real,
    sequence,
    vector,
    vector_sequence,
)
from dpaudit.records.verdict import Outcome

__all__ = [
    "Antiderivative",
    "AtIndex",
    "Bound",
    "Boxes",
    "ByTheorem",
    "Cases",
    "Chance",
    "Choose",
    "Claim",
    "ClaimKind",
    "Combine",
    "Condition",
    "Count",
    "Empirical",
    "Enumerate",
    "Exhibit",
    "ForEvery",
    "Have",
    "Identical",
    "Induct",
    "Logarithm",
    "Monotone",
    "Move",
    "Mutant",
    "Name",
    "Narrow",
    "Nowhere",
    "Open",
    "Origin",
    "Outcome",
    "Point",
    "Positive",
    "Power",
    "Reads",
    "Rewrite",
    "Sampling",
    "Scale",
    "Search",
    "Shift",
    "Slope",
    "Solve",
    "Statement",
    "Step",
    "Substitute",
    "Symbol",
    "SymbolKind",
    "Tangent",
    "Taylor",
    "Termwise",
    "Tightness",
    "constant",
    "gaussian",
    "homogeneous",
    "integer",
    "real",
    "sequence",
    "vector",
    "vector_sequence",
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


@stated
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


@stated
class Chance:
    """Monte Carlo of an event: `function(stream, trials)` returns one truth value a trial.

    The claim is P(event) <= limit, decided by the exact binomial (Clopper-Pearson) bound;
    near_miss: a smaller limit that the same check, at the same cost, must refute.
    """

    function: str
    limit: float
    near_miss: float
    trials: int = 100_000


@stated
class Search:
    """Falsification search: ratios that must not exceed 1 by more than `rounding`.

    `function(stream, trials)` returns the ratios of `trials` cases; with `ranges` (pairs low,
    high of real parameters) it is `function(points)` for points (m, k), and the engine seeks
    the largest ratio itself: at the boundary, at random, then by an optimiser. near_miss: a
    smaller limit that the search must break.
    """

    function: str
    near_miss: float
    rounding: float = 1e-12
    trials: int = 20_000
    ranges: tuple[tuple[float, float], ...] = ()


@stated
class Count:
    """Counted cost: `function(stream, cases)` runs the algorithm and returns two integer arrays,
    what was counted and what the formula says. relation: `==` or `<=`; near_miss: with `<=`, a
    share of the formula that the counts must exceed somewhere (with `==` one call more must fail)."""

    function: str
    relation: str = "=="
    near_miss: float = 1.0
    cases: int = 200


@stated
class Slope:
    """Scaling law: `function(stream, trials)` returns sizes (k,) and positive costs (trials, k).

    The claim is that the median over trials of the least-squares slope of log cost in log
    size is at most `claimed` + `slack` (the slack stands for what O(.) hides at these sizes);
    near_miss: a smaller slope that the same check must refute. Never more than CONSISTENT.
    """

    function: str
    claimed: float
    slack: float
    near_miss: float
    trials: int = 200


Empirical = Sampling | Chance | Search | Count | Slope


@stated
class Tightness:
    """An explicit constant of a statement and how tight it is: one row of the looseness table.

    printed: its printed value; form: the relation with `{c}` in its place; proved: the best value
    that `argument` (that of the item if empty) proves; refuted: a value for which the relation
    fails, at one of `candidates`; deep: proved at level deep only.
    """

    name: str
    printed: str
    form: str
    proved: str = ""
    refuted: str = ""
    argument: tuple[Move, ...] = ()
    candidates: tuple[Point, ...] = ()
    deep: bool = False

    def best_id(self, name: str) -> str:
        """The id of the verdict on the proved value, for the statement `name`."""
        return f"{name}~best-{self.name}"

    def with_value(self, original: Statement, value: str) -> Statement:
        """`original` with its relation replaced by `form`, and `value` in the place of the constant."""
        return replace(original, expression=self.form.replace("{c}", f"({value})"))


@stated
class Mutant:
    """A false variant of a statement; the checks must refute it. Empty fields are inherited.

    candidates: points where a witness may lie; they only help the search, the check decides; own_sentence: it differs
    from the statement in more than one place, so that it is a false sentence of its own, and not counted as a mutant.
    """

    name: str
    change: str
    expression: str = ""
    conditions: tuple[str, ...] | None = None
    symbols: tuple[Symbol, ...] | None = None
    candidates: tuple[Point, ...] = ()
    own_sentence: bool = False


EXPECTED = (Outcome.PROVED, Outcome.REFUTED, Outcome.CONSISTENT, Outcome.NOT_RUN)
"""What may be expected of a statement: nobody plans a crash, or that nothing decides."""


def _refuse(name: str, item: Claim | Step) -> None:
    if item.expects not in EXPECTED:
        raise ContentError(f"{name} expects {item.expects}; a claim or step expects {', '.join(EXPECTED)}")
    if item.statement is not None and item.statement.exists and item.statement.constants:
        raise ContentError(f"{name}: a statement that there is a point has no constants beside it")
    if item.statement is not None and item.statement.constants and any(row.refuted for row in item.tightness):
        raise ContentError(f"{name}: with constants in the statement, one point refutes no value of another constant")
    known = item.statement.conditions if item.statement else ()
    for condition in item.origins:
        if condition.text and condition.text not in known:
            raise ContentError(f"{name}: {condition.text!r} is said to be {condition.origin} and is no condition of it")


def given(item: Claim | Step) -> tuple[str, ...]:
    """The ids of the claims and steps whose conclusions the statement takes as hypotheses."""
    return tuple(dict.fromkeys(condition.of for condition in item.origins if condition.of))


@stated
class Step:
    """One step with its own verdict. name: `s1`, `s2`, ... for steps of the paper (`s4-bound`
    for a part of one); any other name, and `s1~repaired`, for steps of ours.

    reads: what of the paper the statement says; if it is not given, printed for a step of the paper and else ours.
    origins: the conditions that are no hypotheses of the paper. printed: the formula as the paper has it, in TeX;
    place: where it stands, if that is not the place of the claim.
    rests_on: named theorems (of the folder assumed) or ids of other claims that carry the printed
    words over to the expression; from_standard: empirical checks that begin at level standard, of what is decided
    without them; finding: what is wrong and whether the conclusion survives,
    for a refuted step; repair: the id that says it right; candidates: see `Mutant`.
    """

    name: str
    words: str
    statement: Statement | None
    argument: tuple[Move, ...] = ()
    empirical: tuple[Empirical, ...] = ()
    mutants: tuple[Mutant, ...] = ()
    expects: Outcome = Outcome.PROVED
    kind: ClaimKind = ClaimKind.INEQUALITY
    rests_on: tuple[str, ...] = ()
    candidates: tuple[Point, ...] = ()
    finding: str = ""
    repair: str = ""
    tightness: tuple[Tightness, ...] = ()
    from_standard: tuple[Empirical, ...] = ()
    reads: Reads | None = None
    origins: tuple[Condition, ...] = ()
    printed: str = ""
    place: str = ""

    def __post_init__(self) -> None:
        _refuse(f"the step {self.name!r}", self)

    @property
    def read_as(self) -> Reads:
        """What of the paper the statement says."""
        of_paper = self.name[:1] == "s" and self.name[1:2].isdigit() and "~" not in self.name
        return self.reads or (Reads.PRINTED if of_paper else Reads.OURS)


@stated
class Claim:
    """A numbered statement of a paper. id: `<paper>/<ID of the spec>`, `~name` for a variant of ours;
    place: where in the paper; statement: None while only steps are encoded (NOT_RUN); reads: printed if it is not
    given and the id names no variant; see `Step`."""

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
    tightness: tuple[Tightness, ...] = ()
    from_standard: tuple[Empirical, ...] = ()
    reads: Reads | None = None
    origins: tuple[Condition, ...] = ()
    printed: str = ""

    def __post_init__(self) -> None:
        _refuse(f"the claim {self.id!r}", self)

    @property
    def read_as(self) -> Reads:
        """What of the paper the statement says."""
        return self.reads or (Reads.OURS if "~" in self.id else Reads.PRINTED)
