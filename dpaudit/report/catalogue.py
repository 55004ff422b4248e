"""The catalogue of planted bugs: what a run caught, by which tier, and the page that lists all bugs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dpaudit.content.audits import Audit
from dpaudit.records.serial import Json
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report import sections

UNITS = {
    Tier.ACCOUNTS: "accounts",
    Tier.STRUCTURAL: "trainings",
    Tier.GAME: "trials a side",
    Tier.COVERAGE: "audits",
}
"""What the cost of a bug counts, by the tier that finds it."""
MISSED = "missed"
MARKS = ("<!-- tables -->", "<!-- end of tables -->")
"""Between them lie the tables of docs/catalogue.md."""


@dataclass(frozen=True)
class Caught:
    """One planted bug in a run. tier, check, cost: that it names, check empty where the whole tier finds it; by: the
    cheapest tier that refuted it, or what came instead."""

    verdict: Verdict
    tier: str
    check: str
    cost: int
    by: str

    @property
    def name(self) -> str:
        """Of the target, without its folder."""
        return self.verdict.id.removeprefix("known-bad/")

    @property
    def caught(self) -> bool:
        """Was it refuted at all?"""
        return self.verdict.outcome is Outcome.REFUTED

    @property
    def unit(self) -> str:
        """What the cost counts."""
        return UNITS[Tier[self.tier.upper()]]


def planted(verdicts: Iterable[Verdict]) -> list[Caught]:
    """The planted bugs of a run in its order: controls that say which tier must find them."""
    found = []
    for verdict in verdicts:
        if verdict.kind is Kind.CONTROL and (tier := sections.value(verdict, "planted_tier")):
            check, cost = sections.value(verdict, "planted_check"), sections.value(verdict, "planted_cost")
            found.append(Caught(verdict, str(tier), str(check or ""), int(cost or 0), _by(verdict)))
    return found


def _by(verdict: Verdict) -> str:
    if verdict.outcome is not Outcome.REFUTED:
        return MISSED if verdict.outcome is Outcome.CONSISTENT else verdict.outcome.word
    return next(e.engine for e in verdict.evidence if e.outcome is Outcome.REFUTED)


def score(bugs: Sequence[Caught]) -> str:
    """The mutation score in one sentence: caught of planted, in all and by the tier that must find each."""
    caught, elsewhere = sum(bug.caught for bug in bugs), sum(bug.caught and bug.by != bug.tier for bug in bugs)
    parts = []
    for tier in Tier:
        own = [bug for bug in bugs if bug.tier == tier.name.lower()]
        if own:
            parts.append(f"{tier.name.lower()} {sum(bug.caught for bug in own)} of {len(own)}")
    other = f"; {elsewhere} by another tier than the one they name" if elsewhere else ""
    return f"mutation score of the auditor: {caught} of {len(bugs)} planted bugs caught ({', '.join(parts)}){other}"


def rows(bugs: Sequence[Caught]) -> list[list[str]]:
    """The table of a run as cells, its head first; the bugs that were missed come first."""
    head = ["planted bug", "must be caught by", "was caught by", "check", "cost"]
    ordered = sorted(bugs, key=lambda bug: bug.caught)
    return [head, *([b.name, b.tier, b.by, b.check, f"{b.cost} {b.unit}"] for b in ordered)]


def as_json(bugs: Sequence[Caught]) -> Json:
    """The mutation score and the table of a run as plain data."""
    fields = ("name", "tier", "by", "check", "cost", "unit")
    return {
        "planted": len(bugs),
        "caught": sum(bug.caught for bug in bugs),
        "bugs": [{field: getattr(bug, field) for field in fields} for bug in bugs],
    }


def page(targets: Iterable[Target]) -> str:
    """The tables of docs/catalogue.md: every planted bug by the tier that finds it, cheapest tier first."""
    bugs = [(target, target.bug) for target in targets if target.control is Control.KNOWN_BAD and target.bug]
    parts = [f"{len(bugs)} bugs are planted."]
    for tier in Tier:
        own = sorted(((t, bug) for t, bug in bugs if bug.tier is tier), key=lambda pair: pair[0].name)
        if own:
            parts += [
                f"\n## {tier.name.capitalize()}: {tier.value} ({len(own)})\n",
                f"| bug | what is wrong | {UNITS[tier]} | check | effect | source | put right |",
                "| --- | --- | ---: | --- | --- | --- | --- |",
                *(_line(target, bug) for target, bug in own),
            ]
    return "\n".join(parts) + "\n"


def _line(target: Target, bug: PlantedBug) -> str:
    name = target.name.removeprefix("known-bad/")
    cells = (name, target.title, f"{bug.cost:,}", bug.check, target.effect, bug.source, target.repair)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def alone(subject: Audit, tier: Tier, cost: int) -> Audit:
    """The audit cut down to one tier at this cost: trials a side, or audits of an auditor."""
    plan, game, target = TrialPlan(*[max(cost, 2)] * 3), tier is Tier.GAME, subject.target
    cut = replace(target, trials=plan) if game else replace(target, trials=None, canaries=0, canaries_outside=0)
    return Audit(
        cut,
        neighbours=subject.neighbours,
        run=subject.run if game else None,
        score=subject.score if game else None,
        attacks=subject.attacks if game else {},
        instrument=subject.instrument if tier is Tier.STRUCTURAL else None,
        accounts=subject.accounts if tier is Tier.ACCOUNTS else None,
        bounds=subject.bounds if tier is Tier.COVERAGE else None,
        assumptions=subject.assumptions,
        laws=subject.laws,
        repetitions=plan if tier is Tier.COVERAGE else subject.repetitions,
    )
