"""Verdicts on a claim: its statement, each printed step, and the mutants of both."""

from __future__ import annotations

import hashlib
import json
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType

from dpaudit import argument, empirical, mutants
from dpaudit.claim import Claim, Empirical, Mutant, Point, Sampling, Statement, Step, SymbolKind
from dpaudit.context import Context
from dpaudit.errors import ContentError, DpauditError
from dpaudit.expression import parse_relation
from dpaudit.gram import has_mean, scalar_expr
from dpaudit.rigorous.boxes import BoxProof
from dpaudit.rigorous.witness import Witness, certify, describe
from dpaudit.serial import encode
from dpaudit.verdict import Basis, Evidence, Kind, Numbers, Outcome, Verdict

POINTS = 60
"""Points of the falsification search that runs before every proof."""


@dataclass
class Finding:
    """What all engines found about one statement."""

    outcome: Outcome
    evidence: tuple[Evidence, ...]
    basis: Basis | None = None
    assuming: tuple[str, ...] = ()
    witness: Numbers = ()
    numbers: Numbers = ()
    attachments: tuple[str, ...] = ()


def verify_claim(claim: Claim, module: ModuleType | None, context: Context, paper: str = "") -> list[Verdict]:
    """The verdicts of the claim, its steps and all mutants, in that order.

    A crash in one check is an ERROR verdict of that check alone.
    """
    verdicts = []
    for name, item in ((claim.id, claim), *((f"{claim.id}/{s.name}", s) for s in claim.steps)):
        verdicts.append(_verdict(name, item, claim, module, context, paper))
        if item.statement is not None:
            verdicts.extend(_mutant_verdicts(name, item, claim, context, paper))
    return _settle(verdicts)


def _settle(verdicts: list[Verdict]) -> list[Verdict]:
    """Where a statement rests on a step of the same claim, take over what that step rests on;
    if the step is not PROVED, neither is the statement."""
    known = {v.id: v for v in verdicts}

    def settled(verdict: Verdict) -> Verdict:
        own = [known[name] for name in verdict.assuming if name in known and name != verdict.id]
        missing = [v.id for v in own if v.outcome is not Outcome.PROVED]
        inherited = (name for v in own for name in v.assuming)
        assuming = tuple(dict.fromkeys((*(n for n in verdict.assuming if n not in known), *inherited)))
        verdict = replace(verdict, assuming=assuming)
        if not missing or verdict.outcome not in (Outcome.PROVED, Outcome.CONSISTENT):
            return verdict
        reason = Evidence("argument", Outcome.INCONCLUSIVE, f"rests on {', '.join(missing)}, which is not proved")
        return replace(verdict, outcome=Outcome.INCONCLUSIVE, basis=None, evidence=(*verdict.evidence, reason))

    return [settled(verdict) for verdict in verdicts]


def statistical_tests(claim: Claim) -> int:
    """How many shares of the error budget the claim needs."""
    return sum(isinstance(check, Sampling) for item in (claim, *claim.steps) for check in item.empirical)


def _verdict(
    name: str, item: Claim | Step, claim: Claim, module: ModuleType | None, context: Context, paper: str
) -> Verdict:
    started = time.perf_counter()
    if item.statement is None and not item.empirical:
        found = Finding(Outcome.NOT_RUN, (Evidence("argument", Outcome.NOT_RUN, "the statement is not encoded yet"),))
    else:
        found = _guarded(lambda: _judge(name, item, module, context))
    return Verdict(
        id=name,
        kind=Kind.CLAIM if isinstance(item, Claim) else Kind.STEP,
        outcome=found.outcome,
        expected=item.expects,
        title=item.title if isinstance(item, Claim) else item.words,
        evidence=found.evidence,
        source=f"{paper}, {claim.place}" if paper else claim.place,
        seed=context.seed,
        basis=found.basis,
        assuming=tuple(dict.fromkeys((*item.rests_on, *found.assuming))),
        statement=_text(item.statement),
        witness=found.witness,
        effect=item.finding,
        repair=item.repair,
        numbers=found.numbers,
        attachments=found.attachments,
        duration_s=time.perf_counter() - started,
    )


def _mutant_verdicts(name: str, item: Claim | Step, claim: Claim, context: Context, paper: str) -> list[Verdict]:
    """One verdict per mutant; the mutant of a statement that is itself refuted proves nothing and is left out."""
    assert item.statement is not None
    if item.expects is Outcome.REFUTED:
        return []
    verdicts = []
    for mutant in (*item.mutants, *mutants.of(item.statement)):
        started = time.perf_counter()
        statement = _mutated(item.statement, mutant)
        points = (*mutant.candidates, *item.candidates)
        found = _guarded(partial(_judge_mutant, statement, points, item, context))
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
                statement=_text(statement),
                witness=found.witness,
                duration_s=time.perf_counter() - started,
            )
        )
    return verdicts


def _guarded(check: Callable[[], Finding]) -> Finding:
    """The finding of `check`; an exception becomes an ERROR with its message and place."""
    try:
        return check()
    except DpauditError as error:
        return Finding(Outcome.ERROR, (Evidence("harness", Outcome.ERROR, str(error)),))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({place.filename.rsplit('/', 1)[-1]}:{place.lineno})"
        return Finding(Outcome.ERROR, (Evidence("harness", Outcome.ERROR, detail),))


def _judge(name: str, item: Claim | Step, module: ModuleType | None, context: Context) -> Finding:
    witness, trail = None, argument.Trail()
    if item.statement is not None:
        witness = _find_witness(item.statement, item.candidates, context.seed)
        if item.argument:
            argument.walk(item.statement, item.argument, trail)
    proved = bool(item.argument) and trail.closed and not trail.partial
    if witness is not None and proved:
        raise ContentError(f"the argument proves what a witness refutes, {describe(witness)}: an engine is wrong")
    tests = [_test(name, check, module, context) for check in item.empirical]
    evidence = (*trail.evidence, *(e for e, _ in tests))
    files = tuple(_certificate(name, i, s, b, context) for i, (s, b) in enumerate(trail.boxes) if context.folder)
    if witness is not None:
        refuted = Evidence("rigorous", Outcome.REFUTED, describe(witness))
        return Finding(Outcome.REFUTED, (refuted, *evidence), witness=_numbers(witness))
    outcome, basis = _combine(proved, trail, tests)
    return Finding(outcome, evidence, basis, tuple(trail.assuming), (), _tightness(trail), files)


def _combine(
    proved: bool, trail: argument.Trail, tests: list[tuple[Evidence, Basis]]
) -> tuple[Outcome, Basis | None]:
    """One outcome from all engines: a refutation outranks a proof, a proof outranks a test."""
    if any(e.outcome is Outcome.REFUTED for e, _ in tests):
        if proved:
            raise ContentError("a test refutes what the argument proves: the encoding or an engine is wrong")
        return Outcome.REFUTED, None
    if proved:
        undecided = [e for e, _ in tests if e.outcome is not Outcome.CONSISTENT]
        return (Outcome.INCONCLUSIVE, None) if undecided else (Outcome.PROVED, None)
    if trail.evidence and trail.closed and trail.partial:
        return Outcome.CONSISTENT, Basis.PARTIAL_PROOF
    if tests and all(e.outcome is Outcome.CONSISTENT for e, _ in tests):
        return Outcome.CONSISTENT, tests[0][1]
    return Outcome.INCONCLUSIVE, None


def _judge_mutant(statement: Statement, points: tuple[Point, ...], item: Claim | Step, context: Context) -> Finding:
    witness = _find_witness(statement, points, context.seed)
    if witness is not None:
        detail = Evidence("rigorous", Outcome.REFUTED, describe(witness))
        return Finding(Outcome.REFUTED, (detail,), witness=_numbers(witness))
    trail = argument.Trail()
    if item.argument:
        argument.walk(statement, item.argument, trail)
    if item.argument and trail.closed and not trail.partial:
        return Finding(Outcome.PROVED, (*trail.evidence, Evidence("argument", Outcome.PROVED, "the mutant is true: slack")))
    return Finding(Outcome.INCONCLUSIVE, (Evidence("rigorous", Outcome.INCONCLUSIVE, "no witness found: it escapes"),))


def _find_witness(statement: Statement, candidates: tuple[Point, ...], seed: int) -> Witness | None:
    goal = parse_relation(statement.expression)
    # A mean without a closed form in general may have one at a proposed point, for example at an
    # even power; trying random points would only cost time.
    closed = not any(has_mean(scalar_expr(side, statement.symbols)) for side in (goal.left, goal.right))
    random = empirical.candidate_points(statement, seed, POINTS) if closed else ()
    for point in (*candidates, *random):
        witness = certify(statement, point)
        if witness is not None:
            return witness
    return None


def _test(name: str, check: Empirical, module: ModuleType | None, context: Context) -> tuple[Evidence, Basis]:
    draw = getattr(module, check.function, None)
    if draw is None:
        raise ContentError(f"{name}: the claim file has no function {check.function!r}")
    purpose = f"{name}:{check.function}"
    if isinstance(check, Sampling):
        return _sampled(check, draw, purpose, context), Basis.SAMPLING
    largest, broken = empirical.search(check, draw, context.seed, purpose)
    numbers: Numbers = (("largest_ratio", largest), ("trials", check.trials), ("near_miss", check.near_miss))
    detail = f"largest ratio {largest:.6g} in {check.trials} searched cases; a limit of {check.near_miss} would be refuted"
    if broken:
        return Evidence("empirical", Outcome.REFUTED, f"ratio {largest:.17g} exceeds 1", numbers), Basis.SEARCH
    seen = largest > check.near_miss
    return Evidence("empirical", Outcome.CONSISTENT if seen else Outcome.INCONCLUSIVE, detail, numbers), Basis.SEARCH


def _sampled(check: Sampling, draw: empirical.Draw, purpose: str, context: Context) -> Evidence:
    """Monte Carlo at half the item's share of the budget; a violation must repeat on a fresh stream."""
    first = empirical.sample(check, draw, context.seed, purpose, context.alpha / 2)
    numbers: Numbers = (
        ("mean", first.value), ("deviation", first.deviation), ("limit", check.limit),
        ("near_miss", check.near_miss), ("trials", first.trials), ("alpha", context.alpha),
    )  # fmt: skip
    said = f"mean {first.value:.6g} +- {first.deviation:.2g} over {first.trials} trials against {check.relation} {check.limit:.6g}"
    if empirical.violates(first, check.relation, check.limit):
        again = empirical.sample(check, draw, context.seed, f"{purpose}:again", context.alpha / 2)
        if empirical.violates(again, check.relation, check.limit):
            return Evidence("empirical", Outcome.REFUTED, f"statistical: {said}; repeated on a fresh stream", numbers)
        return Evidence("empirical", Outcome.INCONCLUSIVE, f"{said}; did not repeat on a fresh stream", numbers)
    if not empirical.violates(first, check.relation, check.near_miss):
        return Evidence("empirical", Outcome.INCONCLUSIVE, f"{said}; cannot even refute {check.near_miss}", numbers)
    return Evidence("empirical", Outcome.CONSISTENT, f"{said}; {check.near_miss} would be refuted", numbers)


def _mutated(statement: Statement, mutant: Mutant) -> Statement:
    return replace(
        statement,
        expression=mutant.expression or statement.expression,
        conditions=statement.conditions if mutant.conditions is None else mutant.conditions,
        symbols=statement.symbols if mutant.symbols is None else mutant.symbols,
    )


def _numbers(witness: Witness) -> Numbers:
    return (*witness.point, ("left", str(witness.left)), ("right", str(witness.right)))


def _tightness(trail: argument.Trail) -> Numbers:
    if not trail.boxes:
        return ()
    _, last = trail.boxes[-1]
    return (("largest_ratio", last.ratio), ("at", last.worst), ("boxes", last.boxes))


def _certificate(name: str, index: int, statement: Statement, proof: BoxProof, context: Context) -> str:
    """Everything that a checker needs to repeat the proof: statement, exact domain, split tree."""
    body = encode(statement)
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    data = {"format": 1, "claim": name, "statement": body, "digest": digest, "splits": " ".join(proof.splits)}
    return context.attach(f"certificates/{_slug(name)}-{index}.json", json.dumps(data, indent=1) + "\n")


def _slug(name: str) -> str:
    return "".join(c if c.isalnum() or c in ".-~" else "_" for c in name)


def _text(statement: Statement | None) -> str:
    """The statement as one line: for all symbols in their ranges with the conditions, the relation."""
    if statement is None:
        return ""
    words = []
    for s in statement.symbols:
        if s.kind is SymbolKind.GAUSSIAN:
            words.append(f"{s.name} ~ N(0, ({s.scale})^2 I)")
        elif s.kind is SymbolKind.VECTOR:
            words.append(f"{s.name} a vector")
        else:
            ends = f"{'(' if s.lower_open else '['}{s.lower}, {s.upper}{')' if s.upper_open else ']'}"
            words.append(f"{s.name} {'integer ' if s.kind is SymbolKind.INTEGER else ''}in {ends}")
    given = f" with {', '.join(statement.conditions)}" if statement.conditions else ""
    return f"for all {'; '.join(words)}{given}: {statement.expression}"
