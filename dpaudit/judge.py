"""What all engines together find about one statement."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from dpaudit import argument, empirical, registry
from dpaudit.claim import (
    Bound,
    ByTheorem,
    Cases,
    Claim,
    Empirical,
    Move,
    Point,
    Rewrite,
    Sampling,
    Statement,
    Step,
    SymbolKind,
)
from dpaudit.context import Context, slug
from dpaudit.errors import ContentError, UnknownNameError
from dpaudit.expression import parse_relation
from dpaudit.gram import has_mean, scalar_expr
from dpaudit.rigorous.boxes import BoxProof
from dpaudit.rigorous.witness import Witness, certify, describe, inside
from dpaudit.serial import encode
from dpaudit.verdict import Basis, Evidence, Numbers, Outcome

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


def judge(name: str, item: Claim | Step, module: ModuleType | None, context: Context) -> Finding:
    witness, trail = None, argument.Trail()
    _refuse_unlisted((*item.rests_on, *theorems_of(item.argument)), module)
    if item.argument and item.statement is None:
        raise ContentError(f"{name} has an argument but no statement")
    if item.statement is not None:
        witness = _find_witness(item.statement, item.candidates, context.seed)
        if item.argument:
            argument.walk(item.statement, item.argument, trail)
            if trail.closed and not _has_point(item.statement, item, context.seed):
                trail.note("argument", False, "no point of the domain was found: the statement may hold for nothing")
    proved = bool(item.argument) and trail.closed and not trail.partial
    if witness is not None and proved:
        raise ContentError(f"the argument proves what a witness refutes, {describe(witness)}: an engine is wrong")
    tests = [_test(name, check, module, context) for check in item.empirical]
    evidence = (*trail.evidence, *(e for e, _ in tests))
    files = tuple(_certificate(name, i, s, b, context) for i, (s, b) in enumerate(trail.boxes) if context.folder)
    if witness is not None:
        refuted = Evidence("rigorous", Outcome.REFUTED, describe(witness))
        return Finding(Outcome.REFUTED, (refuted, *evidence), witness=_numbers(witness))
    outcome, basis = combine(proved, trail, tests)
    return Finding(outcome, evidence, basis, tuple(trail.assuming), (), _tightness(trail), files)


def theorems_of(moves: tuple[Move, ...]) -> Iterator[str]:
    for move in moves:
        if isinstance(move, ByTheorem):
            yield move.theorem
        elif isinstance(move, Bound):
            yield from (move.by,) if move.by else theorems_of(move.argument)
        elif isinstance(move, Rewrite) and move.by != "symbolic":
            yield move.by
        elif isinstance(move, Cases):
            for _, inner in move.cases:
                yield from theorems_of(inner)


def _refuse_unlisted(names: tuple[str, ...], module: ModuleType | None) -> None:
    """A theorem that nobody can look up is no ground: it must be listed in the folder beside the papers."""
    needed = sorted({name for name in names if "/" not in name})
    if not needed:
        return
    known = registry.load_theorems(Path(getattr(module, "__file__", None) or ".").resolve().parent.parent)
    for name in needed:
        if name not in known:
            raise UnknownNameError(f"theorem (not listed in {registry.THEOREMS}/)", name, known)


def combine(proved: bool, trail: argument.Trail, tests: list[tuple[Evidence, Basis]]) -> tuple[Outcome, Basis | None]:
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


def judge_mutant(statement: Statement, points: tuple[Point, ...], item: Claim | Step, context: Context) -> Finding:
    witness = _find_witness(statement, points, context.seed)
    if witness is not None:
        detail = Evidence("rigorous", Outcome.REFUTED, describe(witness))
        return Finding(Outcome.REFUTED, (detail,), witness=_numbers(witness))
    trail = argument.Trail()
    if item.argument:
        argument.walk(statement, item.argument, trail)
    if item.argument and trail.closed and not trail.partial:
        return Finding(
            Outcome.PROVED, (*trail.evidence, Evidence("argument", Outcome.PROVED, "the mutant is true: slack"))
        )
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


def _has_point(statement: Statement, item: Claim | Step, seed: int) -> bool:
    """Is some proposed point in the domain? A statement about no point at all is true and says nothing."""
    free = {s.name for s in statement.symbols if s.kind is not SymbolKind.GAUSSIAN}
    given = (*item.candidates, *(point for mutant in item.mutants for point in mutant.candidates))
    complete = (point for point in given if free <= {name for name, _ in point})
    return any(inside(statement, p) for p in (*complete, *empirical.candidate_points(statement, seed, POINTS)))


def _test(name: str, check: Empirical, module: ModuleType | None, context: Context) -> tuple[Evidence, Basis]:
    draw = getattr(module, check.function, None)
    if draw is None:
        raise ContentError(f"{name}: the claim file has no function {check.function!r}")
    purpose = f"{name}:{check.function}"
    if isinstance(check, Sampling):
        return _sampled(check, draw, purpose, context), Basis.SAMPLING
    largest, broken = empirical.search(check, draw, context.seed, purpose)
    numbers: Numbers = (("largest_ratio", largest), ("trials", check.trials), ("near_miss", check.near_miss))
    detail = (
        f"largest ratio {largest:.6g} in {check.trials} searched cases; a limit of {check.near_miss} would be refuted"
    )
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
    said = f"mean {first.value:.6g} +- {first.deviation:.2g} over {first.trials} trials"
    said += f" against {check.relation} {check.limit:.6g}"
    if empirical.violates(first, check.relation, check.limit):
        again = empirical.sample(check, draw, context.seed, f"{purpose}:again", context.alpha / 2)
        if empirical.violates(again, check.relation, check.limit):
            return Evidence("empirical", Outcome.REFUTED, f"statistical: {said}; repeated on a fresh stream", numbers)
        return Evidence("empirical", Outcome.INCONCLUSIVE, f"{said}; did not repeat on a fresh stream", numbers)
    if not empirical.violates(first, check.relation, check.near_miss):
        return Evidence("empirical", Outcome.INCONCLUSIVE, f"{said}; cannot even refute {check.near_miss}", numbers)
    return Evidence("empirical", Outcome.CONSISTENT, f"{said}; {check.near_miss} would be refuted", numbers)


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
    return context.attach(f"certificates/{slug(name)}-{index}.json", json.dumps(data, indent=1) + "\n")
