"""Verdicts on a claim: its statement, each printed step, and the mutants of both."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType

from dpaudit import mutants, registry
from dpaudit.claim import Claim, Mutant, Sampling, Statement, Step
from dpaudit.context import Context
from dpaudit.judge import Finding, judge, judge_mutant
from dpaudit.verdict import Evidence, Kind, Outcome, Verdict


def verify_claim(claim: Claim, module: ModuleType | None, context: Context, paper: str = "") -> list[Verdict]:
    """The verdicts of the claim, its steps and all mutants, in that order.

    A crash in one check is an ERROR verdict of that check alone.
    """
    verdicts = []
    items: list[tuple[str, Claim | Step]] = [(claim.id, claim), *((f"{claim.id}/{s.name}", s) for s in claim.steps)]
    for name, item in items:
        verdicts.append(_verdict(name, item, claim, module, context, paper))
        if item.statement is not None:
            verdicts.extend(_mutant_verdicts(name, item, claim, module, context, paper))
    return _settle(verdicts)


def _settle(verdicts: list[Verdict]) -> list[Verdict]:
    """Where a statement rests on a step of the same claim, take over what that step rests on;
    if the step is not PROVED, or rests on the statement, neither is the statement."""
    known = {v.id: v for v in verdicts}

    def grounds(name: str, above: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
        """Everything below `name`: theorems and other claims, and steps of this claim that are not proved."""
        for ground in known[name].assuming:
            if ground not in known:
                yield ground, True
            elif ground in above or known[ground].outcome is not Outcome.PROVED:
                yield ground, False
            else:
                yield from grounds(ground, (*above, ground))

    def settled(verdict: Verdict) -> Verdict:
        found = dict.fromkeys(grounds(verdict.id, (verdict.id,)))
        missing = [name for name, firm in found if not firm]
        verdict = replace(verdict, assuming=tuple(name for name, firm in found if firm))
        if not missing or verdict.outcome not in (Outcome.PROVED, Outcome.CONSISTENT):
            return verdict
        reason = Evidence("argument", Outcome.INCONCLUSIVE, f"rests on {', '.join(missing)}, which is not proved")
        return replace(verdict, outcome=Outcome.INCONCLUSIVE, basis=None, evidence=(*verdict.evidence, reason))

    return [settled(verdict) for verdict in verdicts]


def statistical_tests(claim: Claim) -> int:
    """How many shares of the error budget the claim needs."""
    items: list[Claim | Step] = [claim, *claim.steps]
    return sum(isinstance(check, Sampling) for item in items for check in item.empirical)


def _verdict(
    name: str, item: Claim | Step, claim: Claim, module: ModuleType | None, context: Context, paper: str
) -> Verdict:
    started = time.perf_counter()
    if item.statement is None and not item.empirical:
        found = Finding(Outcome.NOT_RUN, (Evidence("argument", Outcome.NOT_RUN, "the statement is not encoded yet"),))
    else:
        found = _guarded(partial(judge, name, item, module, context), module)
    return Verdict(
        id=name,
        kind=Kind.CLAIM if isinstance(item, Claim) else Kind.STEP if item.printed else Kind.REDUCTION,
        outcome=found.outcome,
        expected=item.expects,
        title=item.title if isinstance(item, Claim) else item.words,
        evidence=found.evidence,
        source=f"{paper}, {claim.place}" if paper else claim.place,
        seed=context.seed,
        basis=found.basis,
        assuming=tuple(dict.fromkeys((*item.rests_on, *found.assuming))),
        statement=str(item.statement or ""),
        witness=found.witness,
        effect=item.finding,
        repair=item.repair,
        numbers=found.numbers,
        attachments=found.attachments,
        duration_s=time.perf_counter() - started,
    )


def _mutant_verdicts(
    name: str, item: Claim | Step, claim: Claim, module: ModuleType | None, context: Context, paper: str
) -> list[Verdict]:
    """One verdict per mutant; the mutant of a statement that is itself refuted proves nothing and is left out."""
    assert item.statement is not None
    if item.expects is Outcome.REFUTED:
        return []
    verdicts = []
    for mutant in (*item.mutants, *mutants.of(item.statement)):
        started = time.perf_counter()
        statement = _mutated(item.statement, mutant)
        points = (*mutant.candidates, *item.candidates)
        found = _guarded(partial(judge_mutant, statement, points, item, context), module)
        verdicts.append(
            Verdict(
                id=f"{name}~{mutant.name}",
                kind=Kind.MUTANT,
                outcome=found.outcome,
                expected=Outcome.REFUTED,
                title=mutant.change,
                evidence=found.evidence,
                source=f"{paper}, {claim.place}" if paper else claim.place,
                seed=context.seed,
                statement=str(statement),
                witness=found.witness,
                duration_s=time.perf_counter() - started,
            )
        )
    return verdicts


def _guarded(check: Callable[[], Finding], module: ModuleType | None) -> Finding:
    """The finding of `check`; an exception becomes an ERROR with its message and place."""
    try:
        return check()
    except Exception as error:
        place = Path(getattr(module, "__file__", None) or "claim")
        return Finding(Outcome.ERROR, (Evidence("harness", Outcome.ERROR, registry.describe(error, place)),))


def _mutated(statement: Statement, mutant: Mutant) -> Statement:
    return replace(
        statement,
        expression=mutant.expression or statement.expression,
        conditions=statement.conditions if mutant.conditions is None else mutant.conditions,
        symbols=statement.symbols if mutant.symbols is None else mutant.symbols,
    )
