"""What a run shows and what it does not: strength of its outcomes, threat models, power, gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.verdict import Basis, Kind, Outcome, Verdict
from dpaudit.report.sections import KERNEL, is_statistical, value

CHECKER, SOLVERS = "recheck", "smt"
"""Engines in evidence: the checker of certificates, and goals that two solvers call settled without a proof."""


@dataclass(frozen=True)
class Strength:
    """How much the outcomes of a run can carry. checked: proofs that the checker accepted; two_solvers: those of them
    with a part that rests on the word of two solvers."""

    proved: int
    checked: int
    two_solvers: int
    unconditional: int
    theorems: tuple[tuple[str, int], ...]
    consistent: int
    bases: tuple[tuple[str, int], ...]
    statistical: int


def strength(verdicts: Sequence[Verdict]) -> Strength:
    """Proofs with and without assumptions, CONSISTENT apart by basis, refutations that rest on sampling.

    Mutants are left out: they say how strong the checks are, not what holds.
    """
    verdicts = [v for v in verdicts if v.kind is not Kind.MUTANT]
    proved = [v for v in verdicts if v.outcome is Outcome.PROVED]
    by_id = {v.id: v for v in verdicts}
    resting = [foundations(v, by_id) for v in proved]
    theorems = Counter(name for names in resting for name in names)
    bases = Counter(v.basis for v in verdicts if v.outcome is Outcome.CONSISTENT)
    named = [(basis.value, bases[basis]) for basis in Basis] + [("basis not stated", bases[None])]
    return Strength(
        proved=len(proved),
        checked=sum(_has(v, CHECKER) for v in proved),
        two_solvers=sum(_has(v, SOLVERS) for v in proved),
        unconditional=sum(not names for names in resting),
        theorems=tuple(sorted(theorems.items(), key=lambda pair: (-pair[1], pair[0]))),
        consistent=bases.total(),
        bases=tuple((name, number) for name, number in named if number or name != "basis not stated"),
        statistical=sum(is_statistical(v) for v in verdicts),
    )


def second_opinion(verdicts: Sequence[Verdict]) -> str:
    """What Coq said of the certificates of the run, in a sentence; empty where it was not asked."""
    said = Counter(e.outcome for v in verdicts for e in v.evidence if e.engine == KERNEL)
    asked, accepted = said.total(), said[Outcome.PROVED] + said[Outcome.REFUTED]
    if not asked:
        return ""
    return (
        f"A second opinion was asked for on {asked} certificates: Coq accepted {accepted} and refused "
        f"{said[Outcome.INCONCLUSIVE]}, and {said[Outcome.NOT_RUN]} were not put to it."
    )


def _has(verdict: Verdict, engine: str) -> bool:
    return any(e.engine == engine and e.outcome is Outcome.PROVED for e in verdict.evidence)


def foundations(verdict: Verdict, by_id: Mapping[str, Verdict], above: frozenset[str] = frozenset()) -> frozenset[str]:
    """What a proof rests on and this run did not prove: named theorems, and claims with another outcome than PROVED.

    A claim that the run proved hands on what it rests on itself.
    """
    found: set[str] = set()
    above |= {verdict.id}
    for name in verdict.assuming:
        other = by_id.get(name)
        if other is None:
            found.add(name)
        elif name in above:
            found.add(f"{name} (in a circle)")
        elif other.outcome is not Outcome.PROVED:
            found.add(f"{name} ({other.outcome.word} here)")
        else:
            found |= foundations(other, by_id, above)
    return frozenset(found)


def views(verdicts: Sequence[Verdict]) -> str:
    """The threat models of the audits in one sentence."""
    return "here it saw " + "; ".join(f"{model} ({number})" for model, number in models(verdicts))


def models(verdicts: Sequence[Verdict]) -> tuple[tuple[str, int], ...]:
    """The threat models of the audits: what the adversary saw, for which neighbours, in how many audits."""
    return tuple(
        sorted(
            Counter(
                threat_model(v) for v in verdicts if v.kind is Kind.AUDIT and v.outcome is not Outcome.NOT_RUN
            ).items()
        )
    )


def threat_model(verdict: Verdict) -> str:
    """View of the adversary and neighbouring relation, as the statement of an audit names them."""
    # Some of these texts begin or end like others: the longest that fits is the one that is meant.
    seen = [one.value for one in View if verdict.statement.endswith(one.value)]
    relations = [one.value for one in Neighbours if one.value in verdict.statement]
    view, relation = max(seen, key=len, default="a view that is not recorded"), max(relations, key=len, default="")
    return f"{view}, neighbours that {relation}" if relation else view


def hardest(verdicts: Sequence[Verdict]) -> tuple[Verdict, float] | None:
    """The audit without a violation whose smallest violation caught in 9 of 10 runs is the largest.

    Audits of one training are left out: theirs is that of the best canaries there could be.
    """
    played = [v for v in verdicts if v.kind is Kind.AUDIT and value(v, "canaries") is None]
    pairs = [(v, value(v, "smallest_violation_at_90")) for v in played]
    known = [(v, float(e)) for v, e in pairs if v.outcome is Outcome.CONSISTENT and isinstance(e, (int, float))]
    return max(known, key=lambda pair: pair[1]) if known else None


def untouched(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Whole areas of which the run says nothing."""
    present = {v.kind for v in verdicts}
    areas = (
        (Kind.CLAIM, "No claim of a paper was checked in this run."),
        (Kind.MUTANT, "No mutant was tried, so nothing shows here that the checks of claims can fail."),
        (Kind.AGREEMENT, "No backend was compared with its reference in this run."),
        (Kind.CONTROL, "No control was run, so nothing shows here that the auditor can find a planted bug."),
    )
    return tuple(words for kind, words in areas if kind not in present)
