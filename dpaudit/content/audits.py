"""What is audited, as one record: a target, and the functions that the tiers of an audit call.

A target file writes `AUDITS = (Audit(...), ...)`, or the names of the fields beside a TARGET, or objects of
`dpaudit.adapters`; `audit_of` makes one record of each, and every tier reads its fields. None where a tier does not
apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Trials
from dpaudit.records.arguments import checked
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.target import Control, PlantedBug, Target, TrialPlan
from dpaudit.records.verdict import Outcome

Data = Any
"""A data set is whatever `neighbours` makes and `run` takes; only the target knows its type."""
Recorder = Any
"""`dpaudit.audit.structural.recording.Recorder`, which stands after this package."""
Outputs = NDArray[Any]
"""What the adversary sees of some trials: one row a trial, of the type that the target gives."""
Score = Callable[[Outputs, Data, Data], ArrayLike]
"""score(outputs, data, neighbour): one number a trial, larger where the output looks more like `data`."""

AUDITS_OF_AUDITORS = TrialPlan(smoke=200, standard=1_000, deep=10_000)
"""Audits of each known law that an auditor's bounds are played on, unless its file says otherwise."""


class Learner(Protocol):
    """An attack that learns on trials which are not counted."""

    def fit(
        self, on_data: Outputs, on_neighbour: Outputs, data: Data, neighbour: Data, rng: np.random.Generator
    ) -> Callable[[Outputs], ArrayLike]:
        """The score that it found, (trials, ...) -> (trials,)."""


Attack = Score | Learner


@checked
@dataclass(frozen=True)
class Audit:
    """A target and its functions. Those that the game needs: neighbours, run, attacks; the structural tier: neighbours,
    instrument; an accountant: accounts; an auditor: bounds. One training with canaries: run, without_noise.

    neighbours(rng): a pair (data set, neighbour); first_neighbours(rng): another one that is known sooner, for the
    structural checks, where `neighbours` plays trials to choose the pair of the game; run(data, trials): what the
    adversary sees, one row a trial; score: an attack, called "score"; attacks: others by name; instrument(data,
    recorder): one training, recorded or replayed; accounts(): epsilons that an accountant states; bounds(scores_in,
    scores_out, delta, alpha): a lower bound on epsilon; without_noise(included, trials): as `run` with canaries, but
    with the noise left out: what the scores show of a training that is not private; notes(): sentences for the verdict;
    laws: names of those that bounds are played on, None for all; repetitions: how often, at each level; chunk: trials
    that one call of run makes at most, None for as many as memory allows: where trials are slow, fewer let a run say
    how far it is; error_share: of the error budget of a run, what all audits of the file share, in (0, 1), None for
    shares as all others have.
    """

    target: Target
    neighbours: Callable[[np.random.Generator], tuple[Data, Data]] | None = None
    run: Callable[[Data, Trials], ArrayLike] | None = None
    score: Score | None = None
    attacks: Mapping[str, Attack] = field(default_factory=dict)
    instrument: Callable[[Data, Recorder], object] | None = None
    accounts: Callable[[], Iterable[Any]] | None = None
    bounds: Callable[[Array, Array, float, float], float] | None = None
    assumptions: Assumptions = field(default_factory=Assumptions)
    notes: Callable[[], Sequence[str]] | None = None
    without_noise: Callable[[Data, Trials], ArrayLike] | None = None
    laws: Sequence[str] | None = None
    repetitions: TrialPlan = AUDITS_OF_AUDITORS
    chunk: int | None = None
    first_neighbours: Callable[[np.random.Generator], tuple[Data, Data]] | None = None
    error_share: float | None = None

    def __post_init__(self) -> None:
        if self.chunk is not None and self.chunk < 1:
            raise ContentError(f"{self.target.name}: chunk must be at least 1 or None, got {self.chunk}")
        if self.error_share is not None and not 0 < self.error_share < 1:
            raise ContentError(
                f"{self.target.name}: ERROR_SHARE must be above 0 and below 1, the part of the error budget of a run "
                f"that all audits of a file share, got {self.error_share}"
            )
        if self.without_noise is not None and not self.target.canaries:
            raise ContentError(
                f"{self.target.name}: without_noise belongs to one training with canaries, and canaries is 0; "
                "give canaries= or leave without_noise out"
            )

    @property
    def all_attacks(self) -> dict[str, Attack]:
        """`score` and the others by name; ContentError if there are none."""
        own: dict[str, Attack] = {} if self.score is None else {"score": self.score}
        found = own | dict(self.attacks)
        if not found:
            raise ContentError(
                "a target needs a function score(outputs, data, neighbour) or a dict ATTACKS of such functions"
            )
        return found


def planted(
    correct: Target,
    name: str,
    title: str,
    *,
    source: str,
    trials: TrialPlan,
    effect: str,
    bug: PlantedBug,
    truth: Mechanism | None = None,
    from_level: Level | None = None,
) -> Target:
    """The target of a bug in what `correct` audits: it claims the same, must be refuted and is put right by `correct`.

    source: of the claim, which is false now; truth: what the bug leaves of it, None if theory does not know;
    from_level: None for that of `correct`.
    """
    return replace(
        correct,
        name=name,
        title=title,
        claim=replace(correct.claim, source=source),
        trials=trials,
        control=Control.KNOWN_BAD,
        expects=Outcome.REFUTED,
        truth=truth,
        claimed_mechanism=None,
        effect=effect,
        repair=correct.name,
        companion=False,
        bug=bug,
        from_level=from_level or correct.from_level,
    )


def with_record(records: Outputs, here: ArrayLike, there: ArrayLike, at: int = 0) -> tuple[Data, Data]:
    """Neighbours that differ in one record: `records`, shape (records, ...), with `here` and with `there` at `at`."""
    data, neighbour = records.copy(), records.copy()
    data[at], neighbour[at] = here, there
    return data, neighbour


_FIELDS = {
    **{
        name: name
        for name in (
            "neighbours",
            "first_neighbours",
            "run",
            "score",
            "instrument",
            "accounts",
            "bounds",
            "notes",
            "without_noise",
        )
    },
    "ATTACKS": "attacks",
    "ASSUMPTIONS": "assumptions",
    "LAWS": "laws",
    "REPETITIONS": "repetitions",
    "CHUNK": "chunk",
}
"""Names that a target file or an adapter may define beside its TARGET, and the fields that they become."""


def audit_of(carrier: object, target: Target | None = None) -> Audit:
    """The record of what carries the names of a target file: a module, an object of `dpaudit.adapters`, an Audit.

    target: in the place of the carrier's own TARGET.
    """
    if isinstance(carrier, Audit):
        return carrier if target is None else replace(carrier, target=target)
    given = {field: getattr(carrier, name) for name, field in _FIELDS.items() if hasattr(carrier, name)}
    return Audit(getattr(carrier, "TARGET") if target is None else target, **given)  # noqa: B009  # any object
