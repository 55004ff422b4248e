"""What one tier of an audit found, and how the tiers of a target become one verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpaudit.accounting.tradeoff import describe
from dpaudit.audit.structural.finding import Finding
from dpaudit.records.context import Context
from dpaudit.records.mechanism import written
from dpaudit.records.privacy import GaussianDP
from dpaudit.records.target import Control, Target
from dpaudit.records.verdict import Basis, Evidence, Kind, Numbers, Outcome, Verdict, worst


@dataclass(frozen=True)
class Tier:
    """basis: of a CONSISTENT; witness: of a REFUTED; attachments: files of the run folder; statement: what was decided,
    empty for the claim of the target; unseen: what `dpaudit.audit.minimum` asks for and the tier did not see."""

    outcome: Outcome
    evidence: tuple[Evidence, ...]
    basis: Basis | None = None
    witness: Numbers = ()
    numbers: Numbers = ()
    attachments: tuple[str, ...] = ()
    statement: str = ""
    unseen: tuple[str, ...] = ()


def witness(findings: Sequence[Finding]) -> Numbers:
    """The numbers of all findings that refute, named after their checks."""
    refuting = [finding for finding in findings if finding.outcome is Outcome.REFUTED]
    return tuple((f"{f.check}: {name}", number) for f in refuting for name, number in f.numbers)


def decided(outcomes: Iterable[Outcome]) -> Outcome:
    """The worst of the outcomes, of which those that were not run say nothing; NOT_RUN if none was."""
    return worst(outcome for outcome in outcomes if outcome is not Outcome.NOT_RUN) or Outcome.NOT_RUN


def undecided(outcome: Outcome, detail: str) -> Tier:
    """What is said of a target that was not played to an end."""
    return Tier(outcome, (Evidence("game", outcome, detail),))


def told(structural: Tier) -> str:
    """What the structural checks found, in a sentence for those who wait for the game."""
    gravest = next((one for one in structural.evidence if one.outcome is structural.outcome), None)
    if structural.outcome is Outcome.CONSISTENT or gravest is None:
        run = sum(one.outcome is not Outcome.NOT_RUN for one in structural.evidence)
        return f"structural checks {structural.outcome.word}, {run} of {len(structural.evidence)} could look"
    return f"structural checks {structural.outcome.word}: {gravest.detail}"


def _promise(target: Target) -> str:
    """The guarantee; of a point on a curve the mechanism too, where one is named, since its whole curve is decided."""
    guarantee, mechanism = target.claim.guarantee, target.claimed_mechanism
    if mechanism is None or isinstance(guarantee, GaussianDP):
        return describe(guarantee)
    return f"{describe(guarantee)} by the mechanism {written(mechanism)}"


def joined(target: Target, found: Sequence[Tier], context: Context, notes: Sequence[str] = ()) -> Verdict:
    """The verdict on a target: that of its worst tier, of equal ones the last, with the evidence of all.

    The numbers are those of the last tier that has any. notes: sentences of the target about itself.
    """
    gravest = decided(tier.outcome for tier in found)
    said = next(tier for tier in reversed(found) if tier.outcome is gravest)
    refuted, claim = gravest is Outcome.REFUTED, target.claim
    promised = f"{_promise(target)}; neighbours: {claim.neighbours}; the adversary sees {target.view}"
    return Verdict(
        id=target.name,
        kind=Kind.AUDIT if target.control is Control.NONE else Kind.CONTROL,
        outcome=gravest,
        expected=target.expects,
        title=target.title,
        evidence=tuple(one for tier in found for one in tier.evidence),
        source=claim.source,
        seed=context.seed,
        statement="; ".join((said.statement or promised, *notes)),
        basis=said.basis if gravest is Outcome.CONSISTENT else None,
        witness=said.witness if refuted else (),
        effect=target.effect if refuted else "",
        repair=target.repair if refuted else "",
        numbers=next((tier.numbers for tier in reversed(found) if tier.numbers), ()),
        attachments=tuple(file for tier in found for file in tier.attachments),
    )
