"""Outcomes, evidence, verdicts and the exit code: the one list everything is counted from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum, StrEnum

from dpaudit.records.reading import Reads
from dpaudit.records.serial import SCHEMA, record

Scalar = str | int | float | bool | None
Numbers = tuple[tuple[str, Scalar], ...]

OWN_SENTENCE = "own_sentence"
"""Among the numbers of a mutant that is a sentence of its own (`claim.Mutant`)."""


class Outcome(StrEnum):
    """The answers of a check; the table of ARCHITECTURE.md says what each means."""

    PROVED = "PROVED"
    CONSISTENT = "CONSISTENT"
    REFUTED = "REFUTED"
    INCONCLUSIVE = "INCONCLUSIVE"
    NOT_RUN = "NOT_RUN"
    ERROR = "ERROR"

    @property
    def word(self) -> str:
        """The outcome in running text."""
        return self.value.lower().replace("_", " ")


GRAVEST_FIRST = (
    Outcome.REFUTED, Outcome.ERROR, Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.CONSISTENT, Outcome.PROVED,
)  # fmt: skip
"""The one order of outcomes: which of several a reader must not miss. A witness of what is false outranks a check that
crashed, a crash what nobody could decide; then what was not looked at, and what was found in order, weaker first."""


class Basis(StrEnum):
    """What a CONSISTENT rests on; each is counted apart."""

    PARTIAL_PROOF = "partial-proof"
    SEARCH = "search"
    SAMPLING = "sampling"
    UNCHECKED_PROOF = "unchecked-proof"
    REFUTED_GIVEN = "valid inference from a refuted step"


class Kind(StrEnum):
    """What a verdict is about; a step is printed in the paper, a reduction is a step of ours."""

    CLAIM = "claim"
    STEP = "step"
    REDUCTION = "reduction"
    MUTANT = "mutant"
    AGREEMENT = "agreement"
    AUDIT = "audit"
    CONTROL = "control"


class ExitCode(IntEnum):
    """Exit codes of the command line; documented in ARCHITECTURE.md, tested against it."""

    EXPECTED = 0
    REFUTED = 1
    USAGE = 2
    CRASHED = 3
    INCONCLUSIVE = 4
    NOTHING_COLLECTED = 5
    INTERRUPTED = 130


EDITED = "the statement or its argument was edited after it was made"
"""What the evidence on a statement says of its shipped certificate where that is of another statement or argument."""


@record
class Evidence:
    """What one engine found: its outcome, one sentence, and the numbers behind it."""

    engine: str
    outcome: Outcome
    detail: str
    numbers: Numbers = ()


@record
class Verdict:
    """One line of records.jsonl.

    id: unique in a run; assuming: named theorems that the proof rests on; witness: the
    numbers that refute; effect: what the refutation means, in words; repair: id of the
    repaired statement; attachments: paths in the run folder; digests: the SHA-256 of each of them; duration_s: seconds;
    replay: the command that repeats this verdict alone; accepted: why a baseline lets an outcome
    pass that is not as expected, "until DATE: REASON (FILE)", empty if none does. Of claims and steps alone:
    reads: what of the paper the statement says; given: ids of claims and steps whose conclusions it takes as
    hypotheses; origins: pairs of a condition and where it comes from, for those that the paper does not assume;
    formula: as the paper has it, in TeX; rests_on: its own grounds; `assuming` has all theorems below these and
    below what is given; alone and alone_basis: the outcome from before these were looked at, where that was another
    one.
    """

    id: str
    kind: Kind
    outcome: Outcome
    expected: Outcome
    title: str
    evidence: tuple[Evidence, ...]
    source: str
    seed: int
    basis: Basis | None = None
    assuming: tuple[str, ...] = ()
    statement: str = ""
    witness: Numbers = ()
    effect: str = ""
    repair: str = ""
    numbers: Numbers = ()
    attachments: tuple[str, ...] = ()
    duration_s: float = 0.0
    replay: str = ""
    schema: int = SCHEMA
    accepted: str = ""
    reads: Reads | None = None
    given: tuple[str, ...] = ()
    origins: Numbers = ()
    formula: str = ""
    rests_on: tuple[str, ...] = ()
    alone: Outcome | None = None
    alone_basis: Basis | None = None
    digests: tuple[str, ...] = ()

    @property
    def as_expected(self) -> bool:
        """True if the outcome is the expected one, or stronger (PROVED where CONSISTENT was expected)."""
        stronger = self.outcome is Outcome.PROVED and self.expected is Outcome.CONSISTENT
        return self.outcome is self.expected or stronger

    @property
    def shown_true(self) -> bool:
        """True if the statement is proved as it is encoded, also where one of its hypotheses is refuted."""
        return self.outcome is Outcome.PROVED or self.basis is Basis.REFUTED_GIVEN

    @property
    def surprising(self) -> bool:
        """True if the outcome is not as expected and no baseline accepts it; what the exit code counts."""
        return not self.as_expected and not self.accepted


def count(verdicts: Iterable[Verdict]) -> Counter[Outcome]:
    """How many verdicts have each outcome."""
    return Counter(verdict.outcome for verdict in verdicts)


def worst(outcomes: Iterable[Outcome]) -> Outcome | None:
    """The gravest of `outcomes`, None if there is none."""
    return min(outcomes, key=GRAVEST_FIRST.index, default=None)


def exit_code(verdicts: Iterable[Verdict], allow_inconclusive: bool = False) -> ExitCode:
    """The exit code of a run: a refutation outranks a crash, a crash what is undecided; accepted ones never count."""
    listed = list(verdicts)
    if not listed:
        return ExitCode.NOTHING_COLLECTED
    wrong = [v for v in listed if v.surprising]
    # An expected refutation that was found consistent or proved has not happened: exit 1 as well.
    decided = (Outcome.PROVED, Outcome.CONSISTENT)
    if any(v.outcome is Outcome.REFUTED or (v.expected is Outcome.REFUTED and v.outcome in decided) for v in wrong):
        return ExitCode.REFUTED
    if any(v.outcome is Outcome.ERROR for v in wrong):
        return ExitCode.CRASHED
    if wrong and not allow_inconclusive:
        return ExitCode.INCONCLUSIVE
    return ExitCode.EXPECTED
