"""The bugs of `dp_sgd_bugs` as audit targets, and the correct twin of each."""

from __future__ import annotations

from dpaudit.audit.planted import dp_sgd
from dpaudit.audit.planted.dp_sgd_bugs import Bug
from dpaudit.content.audits import Audit
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier
from dpaudit.records.verdict import Outcome

TRAININGS = 59
"""Recordings and replays of one structural audit, at most."""
_STOPS = 2  # more, where a recording ends early and others are made for what it lacks
_ON_THE_WAY = 300  # more, where what everybody sees hangs on the records: neighbours are looked for, and drawn anew
_DRAWN_ANEW = {Bug.ACTUAL_BATCH_SIZE: 50, Bug.NUMBER_OF_RECORDS: 100, Bug.UNPAID_QUERY: 270}
"""More, where what everybody sees hangs on the records, but another check is named."""

_EPSILON = {Bug.FEWER_STEPS: 3.0215, Bug.REPLACE_AS_REMOVE: 4.0232}
"""Of what the accountant is told, rounded up, where it is not that of `dp_sgd.PLAN`."""
_TWINS = {1: "dp-sgd/structural", 2: "dp-sgd/two-workers"}


def audit(bug: Bug) -> Audit:
    """The audit of the training with one bug."""
    settings = dp_sgd.plan(bug)
    target = Target(
        name=f"known-bad/dp-sgd-{bug.slug}",
        title=f"DP-SGD, planted: {bug.value}",
        view=View.TRANSCRIPT,
        claim=dp_sgd.claim(_EPSILON.get(bug, dp_sgd.EPSILON), settings),
        trials=None,
        claimed_mechanism=dp_sgd.mechanism(bug, settings),
        control=Control.KNOWN_BAD,
        expects=Outcome.REFUTED,
        effect=bug.effect,
        repair=repair(settings),
        companion=bug is Bug.HALF_NOISE,
        bug=PlantedBug(bug.source, Tier.STRUCTURAL, _trainings(bug), bug.check),
        from_level=Level.SMOKE if bug is _first(bug.check) else Level.STANDARD,
    )
    return _audit(target, bug, settings)


def _trainings(bug: Bug) -> int:
    seen = bug.check in ("noisy calls", "public values", "un-noised outputs")
    return TRAININGS + (_STOPS if bug is Bug.EARLY_STOP else 0) + (_ON_THE_WAY if seen else _DRAWN_ANEW.get(bug, 0))


def _first(check: str) -> Bug:
    """The bug that stands for its check at level smoke."""
    return next(bug for bug in Bug if bug.check == check)


def repair(settings: dp_sgd.Plan) -> str:
    """The name of the correct training of this plan."""
    replaced = settings.relation is Neighbours.REPLACE_ONE
    return "dp-sgd/replace-one" if replaced else _TWINS[settings.workers]


def twin(settings: dp_sgd.Plan, title: str, epsilon: float = dp_sgd.EPSILON) -> Audit:
    """The correct training of a plan: every structural check must stay silent."""
    mechanism = dp_sgd.mechanism(Bug.NONE, settings)
    target = Target(
        name=repair(settings),
        title=title,
        view=View.TRANSCRIPT,
        claim=dp_sgd.claim(epsilon, settings),
        trials=None,
        claimed_mechanism=mechanism,
        truth=mechanism if settings.relation is Neighbours.ADD_OR_REMOVE else None,
        effect="a training that is right is called wrong: a check has a false alarm",
    )
    return _audit(target, Bug.NONE, settings)


def _audit(target: Target, bug: Bug, settings: dp_sgd.Plan) -> Audit:
    """Records belong to workers by their number, so that their order matters where there are several."""
    return Audit(
        target,
        neighbours=lambda rng: dp_sgd.neighbours(rng, settings),
        instrument=dp_sgd.instrument(bug, settings),
        assumptions=Assumptions(ordered=settings.workers > 1),
    )
