"""What all engines together find about one statement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from dpaudit.claims import citations, experiment
from dpaudit.claims.argument.choice import chosen
from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import Trail, prove, read
from dpaudit.claims.certificates import certificate, shipped
from dpaudit.claims.certificates.shipped import Shipped
from dpaudit.claims.citations import Citations, theorems_of
from dpaudit.claims.engines import empirical, falsify
from dpaudit.claims.engines.rigorous.witness import Witness, certify, describe, inside
from dpaudit.claims.language.expression import (
    Relation,
    has_mean,
)
from dpaudit.claims.language.gram import NoValueError, scalar_expr
from dpaudit.claims.language.one_dimension import has_vectors
from dpaudit.claims.language.statements import parse_goal
from dpaudit.claims.source import Source
from dpaudit.content import papers, places
from dpaudit.records.claim import (
    Claim,
    Empirical,
    Point,
    Statement,
    Step,
    SymbolKind,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError, UnknownNameError
from dpaudit.records.verdict import Basis, Evidence, Numbers, Outcome

POINTS = 60
"""Points of the falsification search that runs before every proof. At level smoke it is not made again for a statement
whose shipped certificate the checker accepts: before it was shipped, at level standard, it found nothing."""
FEW = 5
"""Points of those that are tried again with nothing moving."""
SETTLED = "to settle it: "
"""Begins what an INCONCLUSIVE says would end it."""


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


def judge(
    name: str,
    item: Claim | Step,
    source: Source,
    context: Context,
    proof: Shipped = shipped.NONE,
    cited: Citations = citations.NONE,
) -> Finding:
    """Falsification first, then the argument, then the empirical checks; a witness and a proof at once is an error.

    proof: the shipped certificate of the statement; cited: the statements that moves may be instances of.
    """
    witness, trail = None, Trail()
    _refuse_unlisted((*item.rests_on, *theorems_of(item.argument)), source)
    if item.argument and item.statement is None:
        raise ContentError(f"{name} has an argument but no statement")
    if item.statement is not None:
        again = context.level.includes(Level.STANDARD) or proof.data is None
        witness = find_witness(item.statement, item.candidates, context.seed, POINTS if again else 0)
        if item.argument or (witness is None and _alone(item)):
            trail = _argued(name, item.statement, item, proof, context.seed, cited)
            models = complete(item.statement, trail.models)  # a model of a goal on the way may have other symbols
            witness = witness or find_witness(item.statement, models, context.seed, count=0)
    proved = bool(trail.evidence) and trail.closed and not trail.partial and not trail.refuted
    if witness is not None and proved:
        raise ContentError(f"the argument proves what a witness refutes, {describe(witness)}: an engine is wrong")
    now, later = _sorted(item, context)
    tests = [experiment.run(name, check, source, context) for check in now]
    evidence = (*trail.evidence, *(e for e, _ in tests), *later)
    if witness is not None:
        refuted = Evidence("rigorous", Outcome.REFUTED, describe(witness))
        files = _refutation(name, item, witness.point, context)
        return Finding(Outcome.REFUTED, (refuted, *evidence), witness=numbers(witness), attachments=files)
    files = _file(name, trail.data, context)
    outcome, basis = combine(proved, trail, tests)
    if outcome is Outcome.INCONCLUSIVE and not any(SETTLED in one.detail for one in evidence):
        evidence = (*evidence, _undecided(item))
    return Finding(outcome, evidence, basis, tuple(trail.assuming), (), _tightness(trail), files)


def _alone(item: Claim | Step) -> bool:
    """Is nothing given but the statement? Then a proof is looked for."""
    checks = (*item.argument, *item.empirical, *item.from_standard)
    plain = item.statement is not None and not (item.statement.exists or item.statement.constants)
    return not checks and plain


def _sorted(item: Claim | Step, context: Context) -> tuple[tuple[Empirical, ...], tuple[Evidence, ...]]:
    """The empirical checks of this level, and what is said of those that begin at a higher one."""
    if context.level.includes(Level.STANDARD):
        return (*item.empirical, *item.from_standard), ()
    said = (f"{check.function}: begins at level {Level.STANDARD}" for check in item.from_standard)
    return item.empirical, tuple(Evidence("empirical", Outcome.NOT_RUN, one) for one in said)


def _argued(name: str, statement: Statement, item: Claim | Step, proof: Shipped, seed: int, cited: Citations) -> Trail:
    """Go through the argument; a statement about no point at all is true and says nothing, so it is not proved."""
    if proof.data is not None:
        trail = read(proof.data)
    else:
        search = Search(name, cited.statements, barred=cited.barred(name, item.argument))
        trail = prove(statement, item.argument, search, certificate.source(statement, item.argument))
    if proof.reason:
        trail.evidence.append(Evidence(certificate.CHECKER, Outcome.INCONCLUSIVE, proof.reason))
    of_all = trail.closed and not (statement.exists or trail.refuted)
    if of_all and not _has_point(chosen(statement, item.argument, trail.data), item, seed):
        trail.left_open(
            "no point of the domain was found: the statement may hold for nothing; "
            f"{SETTLED}name one among the candidates"
        )
        trail.data = None
    return trail


def _refuse_unlisted(names: tuple[str, ...], source: Source) -> None:
    """A theorem that nobody can look up is no ground: it must be listed in the folder beside the papers."""
    needed = sorted({name for name in names if "/" not in name})
    if not needed:
        return
    known = papers.load_theorems((source.paper or Path.cwd()).parent)
    for name in needed:
        if name not in known:
            raise UnknownNameError(f"theorem (not listed in {places.THEOREMS}/)", name, known)


def combine(proved: bool, trail: Trail, tests: list[tuple[Evidence, Basis]]) -> tuple[Outcome, Basis | None]:
    """One outcome from all engines: a refutation outranks a proof, a proof outranks a test."""
    if trail.refuted:
        return Outcome.REFUTED, None
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


def _undecided(item: Claim | Step) -> Evidence:
    """Why no engine decided where none has said so itself, and what would settle it."""
    if not item.argument and not item.empirical:
        why, settled = "there is neither an argument nor a check", "give it one, or a point that refutes it"
    else:
        why = "the argument stays open where its evidence says so"
        settled = "close it by another move or by finer boxes (a higher level), or name a point that refutes it"
    return Evidence("argument", Outcome.INCONCLUSIVE, f"undecided: {why}; {SETTLED}{settled}")


def find_witness(
    statement: Statement, candidates: tuple[Point, ...], seed: int, count: int = POINTS, vectors: bool = False
) -> Witness | None:
    """The first of the candidates and of `count` random points that refutes; none does with `exists` or constants.

    vectors: look for them in one dimension too. For a claim that is left to the semidefinite search, which also says
    with what factor it holds.
    """
    if statement.exists or statement.constants:
        return None
    goal, _ = parse_goal(statement)
    # A mean without a closed form in general may have one at a proposed point, for example at an
    # even power; trying random points would only cost time.
    closed = _is_closed(goal, statement)
    searched = falsify.points(statement, seed) if vectors or not has_vectors(statement) else ()
    proposed = (searched, empirical.candidate_points(statement, seed, count))
    for point in chain(candidates, *(proposed if closed and count else ())):
        witness = certify(statement, point)
        if witness is not None:
            return witness
    return None


def _is_closed(goal: Relation, statement: Statement) -> bool:
    """Is no mean left in either side, once those that have a closed form are eliminated?"""
    try:
        return not any(has_mean(scalar_expr(side, statement.symbols)) for side in (goal.left, goal.right))
    except NoValueError:  # which the verdict says
        return False


def _has_point(statement: Statement, item: Claim | Step, seed: int) -> bool:
    """Is some proposed point in the domain? A statement about no point at all is true and says nothing."""
    given = (*item.candidates, *(point for mutant in item.mutants for point in mutant.candidates))
    drawn = [*empirical.candidate_points(statement, seed, POINTS)]
    # Many bounds on functions are met with equality where nothing moves: no vector, and no value but 0.
    free = {s.name: "(0,)" for s in statement.symbols if s.kind is SymbolKind.VECTOR}
    free |= {s.name: "[(0,)]" for s in statement.symbols if s.kind is SymbolKind.VECTOR_SEQUENCE}
    free |= {
        s.name: "0" for s in statement.symbols if s.kind is SymbolKind.REAL and (s.lower, s.upper) == ("-oo", "oo")
    }
    still = (tuple((name, free.get(name, value)) for name, value in p) for p in drawn[:FEW])
    proposed = chain(complete(statement, given), drawn, still, falsify.points(statement, seed))
    return any(inside(statement, point) for point in proposed)


def complete(statement: Statement, points: Iterable[Point]) -> tuple[Point, ...]:
    """The points that have a value for every symbol."""
    free = {s.name for s in statement.symbols if s.kind is not SymbolKind.GAUSSIAN}
    return tuple(point for point in points if free <= {name for name, _ in point})


def numbers(witness: Witness) -> Numbers:
    """The point of a witness and both sides there."""
    return (*witness.point, ("left", str(witness.left)), ("right", str(witness.right)))


def _tightness(trail: Trail) -> Numbers:
    """How close the last box proof of the argument was; its goal need not be the statement itself."""
    settled = (e for e in reversed(trail.evidence) if e.outcome is Outcome.PROVED)
    return next((e.numbers for e in settled if e.engine == "rigorous"), ())


def _refutation(name: str, item: Claim | Step, point: Point, context: Context) -> tuple[str, ...]:
    assert item.statement is not None
    of = certificate.source(item.statement, item.argument)
    return _file(name, certificate.by_witness(name, item.statement, point, of), context)


def _file(name: str, data: dict[str, Any] | None, context: Context) -> tuple[str, ...]:
    """The path of a certificate, written into the run folder."""
    if data is None or context.folder is None:
        return ()
    return (context.attach(f"{certificate.FOLDER}/{certificate.file_name(name)}", certificate.text(data)),)
