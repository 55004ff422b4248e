"""What a proof rests on, followed through steps and other claims to the named theorems below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dpaudit.records.verdict import Basis, Evidence, Outcome, Verdict

ASSUMED = "assumed"
"""The number of an evidence that names a statement which a proof rests on without being shown to be an instance."""


def settle(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Where a verdict rests on another of the list, take over what that one rests on; if the
    other is not PROVED, or rests on the first, neither is the first. Grounds outside of the list are left, and so is
    a ground that a move was not shown to be an instance of.

    A verdict that is PROVED from a printed conclusion which is refuted, or which itself is inferred from one, is a
    valid inference and no more."""
    known = {v.id: v for v in verdicts}
    assumed = {v.id: {value for e in v.evidence for name, value in e.numbers if name == ASSUMED} for v in verdicts}

    def grounds(name: str, above: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
        """Everything below `name`: theorems, what is not in the list, and what is there but not proved."""
        for ground in known[name].assuming:
            if ground not in known or ground in assumed[name]:
                yield ground, True
            if ground not in known:
                continue
            if ground in above or not known[ground].shown_true:
                yield ground, False
            else:
                yield from grounds(ground, (*above, ground))

    def settled(verdict: Verdict) -> Verdict:
        found = dict.fromkeys(grounds(verdict.id, (verdict.id,)))
        missing = [name for name, firm in found if not firm]
        verdict = replace(verdict, assuming=tuple(name for name, firm in found if firm))
        if taken_over := [name for name in verdict.assuming if name in known and name not in assumed[verdict.id]]:
            said = f"rests on what assumes {', '.join(taken_over)}"
            inherited = Evidence("theorem", Outcome.PROVED, said, tuple((ASSUMED, name) for name in taken_over))
            verdict = replace(verdict, evidence=(*verdict.evidence, inherited))
        # A refutation by a witness or a test stands for itself, one by an argument rests on its grounds like a proof.
        itself = verdict.outcome is Outcome.REFUTED and any(e.outcome is Outcome.REFUTED for e in verdict.evidence)
        if not missing or itself or verdict.outcome not in (Outcome.PROVED, Outcome.CONSISTENT, Outcome.REFUTED):
            return verdict
        names = ", ".join(missing)
        detail = f"rests on {names}, which is not proved; to settle it: prove {names}, or rest on something else"
        reason = Evidence("argument", Outcome.INCONCLUSIVE, detail)
        return replace(verdict, outcome=Outcome.INCONCLUSIVE, basis=None, evidence=(*verdict.evidence, reason))

    def start(name: str, above: tuple[str, ...] = ()) -> set[str]:
        """The refuted conclusions that this verdict, or what it rests on, takes as hypotheses."""
        if name not in known or name in above:
            return set()
        own = {g for g in known[name].given if g in known and known[g].outcome is Outcome.REFUTED}
        return own.union(*(start(one, (*above, name)) for one in (*known[name].given, *known[name].assuming)))

    def inferred(verdict: Verdict) -> Verdict:
        refuted = start(verdict.id) if verdict.outcome is Outcome.PROVED else set()
        if not refuted:
            return verdict
        said = f"a valid inference, from what is refuted: {', '.join(sorted(refuted))}"
        reason = Evidence("argument", Outcome.CONSISTENT, said)
        basis, evidence = Basis.REFUTED_GIVEN, (*verdict.evidence, reason)
        return replace(verdict, outcome=Outcome.CONSISTENT, basis=basis, evidence=evidence)

    return [inferred(settled(verdict)) for verdict in verdicts]
