"""Verdicts on a claim: its statement, each printed step, its constants, and the mutants of all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType

from dpaudit.claims import citations, constants, experiment
from dpaudit.claims.argument.choice import chosen
from dpaudit.claims.certificates import shipped
from dpaudit.claims.certificates.shipped import Shipped
from dpaudit.claims.citations import Citations, citations_of, items_of
from dpaudit.claims.judge import SETTLED, Finding, judge
from dpaudit.claims.judge_mutants import judge_mutant
from dpaudit.claims.language import mutants, work
from dpaudit.claims.source import Source
from dpaudit.content import faults
from dpaudit.records.claim import (
    ByTheorem,
    Claim,
    Move,
    Mutant,
    Point,
    Reads,
    Statement,
    Step,
    SymbolKind,
    Termwise,
    Tightness,
    given,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import MissingPackageError
from dpaudit.records.verdict import OWN_SENTENCE, Evidence, Kind, Numbers, Outcome, Verdict

NOT_ENCODED = "the statement is not encoded yet"
DEEP_ONLY = "proved at level deep only"


@dataclass(frozen=True)
class Case:
    """A statement to judge, `item`, under the id `name`, and what it comes from; `paper` in words.

    proofs: the shipped certificates of the claim, by the id of their statement; cited: what its arguments may cite.
    """

    name: str
    item: Claim | Step
    claim: Claim
    origin: Source
    context: Context
    paper: str
    proofs: Mapping[str, Shipped] = field(default_factory=dict)
    cited: Citations = citations.NONE

    @property
    def source(self) -> str:
        """Paper and place."""
        place = self.item.place or self.claim.place
        return f"{self.paper}, {place}" if self.paper else place


def verify_claim(claim: Claim, module: ModuleType | None, context: Context, paper: str = "") -> list[Verdict]:
    """The verdicts of the claim, its steps, their constants and all mutants, in that order, each for itself: what one
    rests on in others is for `grounds.settle`.

    A crash in one check is an ERROR verdict of that check alone.
    """
    origin = Source.of(module)
    cited = citations_of(claim, origin.file)
    verdicts, proofs = [], shipped.of_claim(claim, origin, context, cited)
    for name, item in items_of(claim).items():
        for row in item.tightness:
            constants.refuse_other_form(name, item, row)
        context.at_work(name)
        case = Case(name, item, claim, origin, context, paper, proofs, cited)
        found = _verdict(case)
        verdicts.append(found)
        if item.statement is not None:
            verdicts += [*_constants(case), *_mutants(case, found)]
    return verdicts


def planned_verdicts(claim: Claim, context: Context) -> dict[str, Kind]:
    """The ids of all verdicts that `verify_claim` gives, in its order, and what each is about; none of the work."""
    planned = {}
    for name, item in items_of(claim).items():
        planned[name] = _kind(item)
        if item.statement is not None:
            case = Case(name, item, claim, Source(), context, "")
            planned |= {row.best_id(name): Kind.REDUCTION for row in item.tightness if row.proved}
            planned |= {f"{name}~{mutant.name}": Kind.MUTANT for mutant in _planted(case)}
    return planned


def refuted_as_printed(claim: Claim, module: ModuleType | None, context: Context) -> list[Verdict]:
    """The verdicts on the claim and its steps that are expected to be REFUTED, without mutants."""
    origin = Source.of(module)
    cited = citations_of(claim, origin.file)
    wrong = [(name, item) for name, item in items_of(claim).items() if item.expects is Outcome.REFUTED]
    found = [_verdict(Case(name, item, claim, origin, context, "", cited=cited)) for name, item in wrong]
    return [v for v in found if v.outcome is Outcome.REFUTED]


def _kind(item: Claim | Step) -> Kind:
    if isinstance(item, Claim):
        return Kind.CLAIM
    return Kind.REDUCTION if item.read_as is Reads.OURS else Kind.STEP


def statistical_tests(claim: Claim) -> int:
    """How many shares of the error budget the claim needs at level standard; below, some are not used."""
    items: list[Claim | Step] = [claim, *claim.steps]
    return sum(
        isinstance(check, experiment.STATISTICAL) for item in items for check in (*item.empirical, *item.from_standard)
    )


def _verdict(case: Case, kind: Kind | None = None, absent: str = NOT_ENCODED) -> Verdict:
    """The verdict on a statement; `absent`: why there is none to judge."""
    started = time.perf_counter()
    item, context = case.item, case.context
    if item.statement is None and not (item.empirical or item.from_standard):
        found = Finding(Outcome.NOT_RUN, (Evidence("argument", Outcome.NOT_RUN, absent),))
    else:
        proof = case.proofs.get(case.name, shipped.NONE)
        found = _guarded(partial(judge, case.name, item, case.origin, context, proof, case.cited), case.origin)
    return Verdict(
        id=case.name,
        kind=kind or _kind(item),
        outcome=found.outcome,
        expected=item.expects,
        title=item.title if isinstance(item, Claim) else item.words,
        evidence=found.evidence,
        source=case.source,
        seed=context.seed,
        basis=found.basis,
        rests_on=tuple(dict.fromkeys((*item.rests_on, *found.assuming))),
        statement=str(item.statement or ""),
        witness=found.witness,
        effect=item.finding,
        repair=item.repair,
        numbers=found.numbers,
        attachments=found.attachments,
        duration_s=time.perf_counter() - started,
        reads=item.read_as,
        given=given(item),
        origins=tuple((one.text, one.origin.value) for one in item.origins if one.text),
        formula=item.printed,
    )


def _constants(case: Case) -> Iterator[Verdict]:
    """For each constant, the verdict on the best value that is proved here; its numbers are a row of the table."""
    assert case.item.statement is not None
    for row in case.item.tightness:
        if not row.proved:
            continue
        skipped = row.deep and case.context.level is not Level.DEEP
        best = Step(
            f"best-{row.name}",
            _changed(case.item, row, row.proved),
            None if skipped else row.with_value(case.item.statement, row.proved),
            argument=() if skipped else row.argument or case.item.argument,
            rests_on=case.item.rests_on,
            candidates=(*row.candidates, *case.item.candidates),
            origins=case.item.origins,
            place=case.item.place,
            expects=Outcome.NOT_RUN if skipped else _of_best(case.item),
        )
        verdict = _verdict(replace(case, name=row.best_id(case.name), item=best), Kind.REDUCTION, DEEP_ONLY)
        yield replace(verdict, numbers=(*_row(row), *verdict.numbers))


def _of_best(item: Claim | Step) -> Outcome:
    """What is expected of a best constant: it rests on what its statement rests on."""
    return Outcome.CONSISTENT if item.expects is Outcome.CONSISTENT else Outcome.PROVED


def _changed(item: Claim | Step, row: Tightness, value: str) -> str:
    """A constant with another value, in words: only what the paper says is printed."""
    return f"{row.name}: {value} ({'stated' if item.read_as is Reads.OURS else 'printed'}: {row.printed})"


def _row(row: Tightness) -> Numbers:
    return (("constant", row.name), ("printed", row.printed), ("proved", row.proved), ("refuted", row.refuted))


def _planted(case: Case) -> Iterator[Mutant]:
    """Those written by hand, those of refuted constants, those by fixed operators (of inequalities on request).

    Of a statement that is itself refuted only the constants: the other mutants prove nothing.
    """
    item = case.item
    assert item.statement is not None
    if item.expects is not Outcome.REFUTED:
        yield from item.mutants
    for row in item.tightness:
        if row.refuted:
            change = _changed(item, row, row.refuted)
            false = row.with_value(item.statement, row.refuted).expression
            yield Mutant(f"{row.name}-{row.refuted}", change, false, candidates=row.candidates)
    # A named theorem says nothing of a variant: whether one made blindly is true could not be told.
    if item.expects is Outcome.REFUTED or _by_theorem(item.argument):
        return
    yield from mutants.of(item.statement)
    if case.context.mutants:
        yield from mutants.of_inequality(item.statement)


def _by_theorem(moves: tuple[Move, ...]) -> bool:
    last = moves[-1] if moves else None
    return isinstance(last, ByTheorem) or (isinstance(last, Termwise) and _by_theorem(last.argument))


def _mutants(case: Case, original: Verdict) -> Iterator[Verdict]:
    """One verdict per mutant."""
    item, context = case.item, case.context
    assert item.statement is not None
    for mutant in _planted(case):
        started = time.perf_counter()
        statement = mutants.applied(item.statement, mutant)
        proved = original.outcome is Outcome.PROVED
        found = _guarded(partial(_judged, case, mutant, statement, proved), case.origin)
        yield Verdict(
            id=f"{case.name}~{mutant.name}",
            kind=Kind.MUTANT,
            outcome=found.outcome,
            expected=Outcome.REFUTED if mutant in item.mutants else _expected(mutant, found),
            title=mutant.change,
            evidence=found.evidence,
            source=case.source,
            seed=context.seed,
            statement=str(chosen(statement, item.argument)),
            witness=found.witness,
            numbers=((OWN_SENTENCE, True),) if mutant.own_sentence else (),
            duration_s=time.perf_counter() - started,
        )


def _judged(case: Case, mutant: Mutant, statement: Statement, proved: bool) -> Finding:
    """The finding on a mutant; proved: whether the original is."""
    item = case.item
    assert item.statement is not None
    if mutant in item.mutants:
        mutants.refuse_unnamed_sentence(mutant, item.statement, statement)
    return judge_mutant(statement, _points(mutant, item, statement), item, case.context, proved)


def _points(mutant: Mutant, item: Claim | Step, statement: Statement) -> tuple[Point, ...]:
    """Points where a witness may lie: those given with the mutant, then all others of the item that fit its symbols."""
    others = (point for one in item.mutants for point in one.candidates)
    free = {s.name for s in statement.symbols if s.kind is not SymbolKind.GAUSSIAN}
    fitting = (point for point in (*item.candidates, *others) if free <= {name for name, _ in point})
    return (*mutant.candidates, *fitting)


def _expected(mutant: Mutant, found: Finding) -> Outcome:
    """A mutant by a fixed operator may be true: PROVED is then the right answer, and it is slack."""
    true = mutant.name.startswith("auto-") and found.outcome is Outcome.PROVED
    return Outcome.PROVED if true else Outcome.REFUTED


SMALLER = "state it with a smaller term, or give it a symbol and conditions for what is known of the term"


def _guarded(check: Callable[[], Finding], origin: Source) -> Finding:
    """The finding of `check`; an exception becomes an ERROR with its message and place."""
    try:
        with work.limited():
            return check()
    except work.TooMuchWork as error:
        said = f"{error}; {SETTLED}{SMALLER}"
        return Finding(Outcome.INCONCLUSIVE, (Evidence("harness", Outcome.INCONCLUSIVE, said),))
    except MissingPackageError as error:
        return Finding(Outcome.NOT_RUN, (Evidence("harness", Outcome.NOT_RUN, str(error)),))
    except Exception as error:
        said = faults.describe(error, origin.file or Path("claim"))
        return Finding(Outcome.ERROR, (Evidence("harness", Outcome.ERROR, said),))
