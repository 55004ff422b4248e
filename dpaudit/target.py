"""The description of an audit target; its code lives in the file that carries it."""

from __future__ import annotations

import math
from enum import StrEnum

from dpaudit.errors import ContentError
from dpaudit.mechanism import Mechanism
from dpaudit.privacy import PrivacyClaim, View
from dpaudit.serial import record
from dpaudit.verdict import Outcome


class Control(StrEnum):
    """Why a target is shipped."""

    NONE = "an implementation to audit"
    KNOWN_BAD = "a planted bug that must be refuted"
    NULL = "releases nothing about the data and must stay silent"


@record
class TrialPlan:
    """Trials per side at each level; each at least 2."""

    smoke: int
    standard: int
    deep: int

    def __post_init__(self) -> None:
        if min(self.smoke, self.standard, self.deep) < 2:
            raise ContentError(f"a trial plan needs at least 2 trials per side, got {self}")


@record
class Target:
    """One implementation under audit.

    name: unique, for example `opacus/dp-sgd`; claim: what the implementation states;
    needs: importable module names and the extra that installs each, as pairs;
    truth: the exact mechanism where theory knows it, else None (tightness is
    measured against it); expects: the outcome of a run that succeeds;
    effect: what goes wrong in practice when the guarantee is refuted, in words.
    """

    name: str
    title: str
    view: View
    claim: PrivacyClaim
    trials: TrialPlan
    needs: tuple[tuple[str, str], ...] = ()
    control: Control = Control.NONE
    expects: Outcome = Outcome.CONSISTENT
    truth: Mechanism | None = None
    effect: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.claim.delta < 1 or math.isnan(self.claim.delta):
            raise ContentError(f"{self.name}: the delta of a claim must be in (0, 1), got {self.claim.delta}")
