"""What a proof rests on, followed through steps, other claims and conclusions that are given to the theorems below.

A verdict keeps its outcome from before anything else was looked at (`alone`) and its own grounds (`rests_on`). So it
may be settled again, among more verdicts or others, and comes out as if it were settled there for the first time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dpaudit.records.verdict import Basis, Evidence, Outcome, Verdict

ENGINE = "grounds"
"""The engine of an evidence that comes from what a verdict rests on, not from itself."""


def settle(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Where a verdict rests on another of the list, take over what that one rests on; if the
    other is not PROVED, or rests on the first, neither is the first. Grounds outside of the list are left.

    A verdict that is PROVED from a printed conclusion which is refuted, or from what itself is inferred from one, is a
    valid inference and no more."""
    raw = Grounds({v.id: _alone(v) for v in verdicts})
    settled = {v.id: raw.settled(raw.known[v.id]) for v in verdicts}
    return [Grounds(settled).inferred(settled[v.id]) for v in verdicts]


def _alone(verdict: Verdict) -> Verdict:
    """The verdict from before anything else was looked at."""
    evidence = tuple(e for e in verdict.evidence if e.engine != ENGINE)
    plain = replace(verdict, evidence=evidence)
    if verdict.alone is None:
        return plain
    return replace(plain, outcome=verdict.alone, basis=verdict.alone_basis, alone=None, alone_basis=None)


@dataclass(frozen=True)
class Grounds:
    """Verdicts by id, and what each rests on."""

    known: Mapping[str, Verdict]

    def settled(self, verdict: Verdict) -> Verdict:
        """With everything that it rests on; INCONCLUSIVE where that is not proved, but for what stands for itself."""
        found = dict.fromkeys(self._below(verdict.id))
        missing = [name for name, firm in found if not firm]
        firm_ones = (name for name, firm in found if firm)
        verdict = replace(verdict, assuming=tuple(dict.fromkeys((*firm_ones, *self._assumed_below(verdict)))))
        # A refutation by a witness or a test stands for itself, one by an argument rests on its grounds like a proof.
        itself = verdict.outcome is Outcome.REFUTED and any(e.outcome is Outcome.REFUTED for e in verdict.evidence)
        if not missing or itself or verdict.outcome not in (Outcome.PROVED, Outcome.CONSISTENT, Outcome.REFUTED):
            return verdict
        names = ", ".join(missing)
        said = f"rests on {names}, which is not proved; to settle it: prove {names}, or rest on something else"
        return _changed(verdict, Outcome.INCONCLUSIVE, None, said)

    def inferred(self, verdict: Verdict) -> Verdict:
        """A valid inference and no more, where it starts from what is refuted."""
        refuted = self._refuted_below(verdict) if verdict.outcome is Outcome.PROVED else set()
        if not refuted:
            return verdict
        said = f"a valid inference, from what is refuted: {', '.join(sorted(refuted))}"
        return _changed(verdict, Outcome.CONSISTENT, Basis.REFUTED_GIVEN, said)

    def _below(self, name: str) -> Iterator[tuple[str, bool]]:
        """Everything below `name`, once: theorems, what is not in the list, and what is there but not proved."""
        seen: set[str] = set()

        def below(name: str, above: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
            seen.add(name)
            for ground in self.known[name].rests_on:
                if ground not in self.known:
                    yield ground, True
                elif ground in above or self.known[ground].outcome is not Outcome.PROVED:
                    yield ground, False
                elif ground not in seen:
                    yield from below(ground, (*above, ground))

        return below(name, (name,))

    def _assumed_below(self, verdict: Verdict) -> Iterator[str]:
        """The theorems below the proved conclusions that this verdict, or what stands below it, takes as hypotheses."""
        seen, waiting = {verdict.id}, [verdict]
        for one in waiting:
            yield from (name for name in one.rests_on if name not in self.known)
            for name in (*one.given, *one.rests_on):
                below = self.known.get(name)
                if below is not None and name not in seen and below.outcome is Outcome.PROVED:
                    seen.add(name)
                    waiting.append(below)

    def _refuted_below(self, verdict: Verdict) -> set[str]:
        """The refuted conclusions that this verdict, or what is proved and stands below it, takes as hypotheses."""
        found, seen, waiting = set(), {verdict.id}, [verdict]
        for one in waiting:
            for name in (*one.given, *one.rests_on):
                below = self.known.get(name)
                if below is None or name in seen:
                    continue
                if below.outcome is Outcome.REFUTED:  # given, since nothing that is proved rests on it
                    found.add(name)
                elif below.outcome is Outcome.PROVED:
                    seen.add(name)
                    waiting.append(below)
        return found


def _changed(verdict: Verdict, outcome: Outcome, basis: Basis | None, said: str) -> Verdict:
    evidence = (*verdict.evidence, Evidence(ENGINE, outcome, said))
    return replace(
        verdict, outcome=outcome, basis=basis, evidence=evidence, alone=verdict.outcome, alone_basis=verdict.basis
    )
