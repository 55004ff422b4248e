"""The description of an audit target; its code lives in the file that carries it."""

from __future__ import annotations

from enum import StrEnum

from dpaudit.records.arguments import stated
from dpaudit.records.context import Level
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import ApproximateDP, PrivacyClaim, View
from dpaudit.records.verdict import Outcome


class Control(StrEnum):
    """Why a target is shipped."""

    NONE = "an implementation to audit"
    KNOWN_BAD = "a planted bug that must be refuted"
    NULL = "releases nothing about the data, or exactly what it claims, and must stay silent"


class Tier(StrEnum):
    """The parts of an audit, cheapest first."""

    ACCOUNTS = "stated epsilons against exact accountants"
    STRUCTURAL = "one training, recorded and replayed"
    GAME = "the distinguishing game"
    COVERAGE = "lower bounds of an auditor against known mechanisms"


@stated
class PlantedBug:
    """What a known-bad control has wrong, and who finds it at which cost.

    source: where such a bug was reported, with a link; tier: the one that refutes it; check: name of the structural
    check, or empty; cost: trainings of the structural tier, trials a side of the game (canaries of a one-run audit),
    accounts that are looked at, or audits of an auditor, at which it is refuted nine times in ten.
    """

    source: str
    tier: Tier
    cost: int
    check: str = ""

    def __post_init__(self) -> None:
        if self.cost < 1 or not self.source.strip():
            raise ContentError(
                f"a planted bug needs a source and a cost of at least 1, got {self.source!r}, {self.cost}"
            )


@stated
class TrialPlan:
    """Trials per side at each level; each at least 2."""

    smoke: int
    standard: int
    deep: int

    def __post_init__(self) -> None:
        if min(self.smoke, self.standard, self.deep) < 2:
            raise ContentError(f"a trial plan needs at least 2 trials per side, got {self}")

    def at(self, level: Level) -> int:
        """Trials per side of a run at this level."""
        return {Level.SMOKE: self.smoke, Level.STANDARD: self.standard, Level.DEEP: self.deep}[level]


@stated
class Target:
    """One implementation under audit.

    name: unique, for example `opacus/dp-sgd`; claim: what the implementation states;
    trials: of the distinguishing game, None for a target that has the structural tier alone;
    needs: importable module names and the extra that installs each, as pairs;
    claimed_mechanism: the claim as a mechanism where it is one; its whole privacy profile is then
    decided on, and claim.guarantee is its Gaussian curve, or its (epsilon, delta) at the quoted
    delta, rounded up; truth: the exact mechanism where theory knows it, else None (tightness is measured against it);
    expects: the outcome of a run that succeeds;
    effect: what goes wrong in practice when the guarantee is refuted, in words;
    repair: name of the target in which what is refuted here is put right, or empty;
    canaries: of a one-run audit, 0 for the game on two neighbouring data sets; canaries_outside: so many more are
    scored that no coin includes, for the bound over a claimed mechanism with other noise;
    early_stop: bet on the trials as they come and stop at the first refutation;
    companion: a quick control that joins every audit which names none;
    bug: of a known-bad control, what is planted;
    isolate: run it in a process of its own, with limits; files that did not come with dpaudit always are, unless the
    user says --no-isolate; deterministic: False where a trial cannot be made again from its seed, as with the operating
    system's entropy; optional: not required where its package is missing;
    from_level: a run of everything leaves it out below this level; named by the user it is played at any level.
    """

    name: str
    title: str
    view: View
    claim: PrivacyClaim
    trials: TrialPlan | None
    needs: tuple[tuple[str, str], ...] = ()
    control: Control = Control.NONE
    expects: Outcome = Outcome.CONSISTENT
    truth: Mechanism | None = None
    claimed_mechanism: Mechanism | None = None
    effect: str = ""
    repair: str = ""
    canaries: int = 0
    canaries_outside: int = 0
    early_stop: bool = False
    companion: bool = False
    bug: PlantedBug | None = None
    isolate: bool = False
    deterministic: bool = True
    optional: bool = False
    from_level: Level = Level.SMOKE

    def __post_init__(self) -> None:
        if self.canaries < 0 or (self.canaries and self.early_stop):
            raise ContentError(f"{self.name}: canaries must be at least 0, and a one-run audit cannot stop early")
        if self.canaries_outside < 0 or (self.canaries_outside and not self.canaries):
            raise ContentError(
                f"{self.name}: canaries_outside must be at least 0, and belongs to one training with canaries, got "
                f"{self.canaries_outside} beside canaries={self.canaries}"
            )
        if self.claim.delta == 0:
            self._refuse_no_delta()
        elif not 0 < self.claim.delta < 1:  # NaN too
            raise ContentError(
                f"{self.name}: the delta of a claim must be in (0, 1), or 0 for pure DP, got {self.claim.delta}"
            )

    def _refuse_no_delta(self) -> None:
        """At delta 0 epsilon is quoted of pure DP alone."""
        guarantee = self.claim.guarantee
        if not (isinstance(guarantee, ApproximateDP) and guarantee.delta == 0):
            raise ContentError(
                f"{self.name}: only pure DP, ApproximateDP(epsilon, 0.0), has an epsilon at delta 0, got {guarantee}; "
                "quote it at a delta in (0, 1)"
            )
