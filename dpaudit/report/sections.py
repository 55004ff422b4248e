"""What the sections of a report show, grouped and counted from the one list of verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from dpaudit.records.reading import Reads
from dpaudit.records.serial import Json
from dpaudit.records.verdict import GRAVEST_FIRST, OWN_SENTENCE, Evidence, Kind, Outcome, Scalar, Verdict, count, worst
from dpaudit.runs import opinions

MARKS = {
    Outcome.PROVED: "=",
    Outcome.CONSISTENT: "~",
    Outcome.REFUTED: "x",
    Outcome.INCONCLUSIVE: "?",
    Outcome.NOT_RUN: "-",
    Outcome.ERROR: "!",
}
ENGINES = ("symbolic", "rigorous", "exact", "empirical", "recheck")
OTHER = "other"
KERNEL = opinions.ENGINE
"""A column where Coq was asked for a second opinion."""
UNKNOWN_PAPER = "files that could not be checked"
OWN = "dpaudit"
"""The folder of dpaudit's own lemmas, which no paper has."""
OF_PAPERS = (Kind.CLAIM, Kind.STEP, Kind.REDUCTION)
PLURALS = {
    Kind.CLAIM: "claims",
    Kind.STEP: "proof steps",
    Kind.REDUCTION: "added proof steps",
    Kind.MUTANT: "mutants",
    Kind.AGREEMENT: "backend agreements",
    Kind.AUDIT: "audits",
    Kind.CONTROL: "controls",
}


def sentence(verdicts: Iterable[Verdict]) -> str:
    """Counts of every outcome, in the order of the table of outcomes; mutants apart, because those must be refuted."""
    listed = list(verdicts)
    others = [v for v in listed if v.kind is not Kind.MUTANT]
    counts = count(others)
    parts = [f"{counts[outcome]} {outcome.word}" for outcome in Outcome]
    refuted = [v for v in others if v.outcome is Outcome.REFUTED]
    if refuted:
        expected = sum(v.as_expected for v in refuted)
        parts[list(Outcome).index(Outcome.REFUTED)] += f" ({expected} of them expected)"
    tried = count(mutants(listed))
    caught = f"; {tried[Outcome.REFUTED]} of {tried.total()} mutants caught" if tried else ""
    return ", ".join(parts) + caught


def mutants(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Those that count: each differs from its statement in one place."""
    return [v for v in verdicts if v.kind is Kind.MUTANT and not is_own_sentence(v)]


def is_own_sentence(verdict: Verdict) -> bool:
    """Is it a false sentence that differs from a statement in several places, and no mutant that counts?"""
    return (OWN_SENTENCE, True) in verdict.numbers


def uncounted(verdicts: Iterable[Verdict]) -> str:
    """How many sentences of their own were refuted beside the mutants, in words; empty where there are none."""
    own = [v.outcome is Outcome.REFUTED for v in verdicts if is_own_sentence(v)]
    return f"{sum(own)} of {len(own)} false sentences of their own refuted, which are not counted" if own else ""


def unexpected(wrong: int, total: int) -> str:
    """How many of all outcomes are not as expected, in words."""
    return f"{wrong} of {total} outcomes {'is' if wrong == 1 else 'are'} not as expected"


def surprises(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """What is not as expected and not accepted, gravest first; escaped mutants after everything else."""
    wrong = [v for v in verdicts if v.surprising]
    # An expected refutation that did not happen outranks a crash, as in the exit code.
    rank = (Outcome.REFUTED, Outcome.PROVED, Outcome.CONSISTENT, *GRAVEST_FIRST)
    return sorted(wrong, key=lambda v: (v.kind is Kind.MUTANT, rank.index(v.outcome)))


@dataclass(frozen=True)
class Tally:
    """One line of the table of counts; `counts` in the order of Outcome."""

    label: str
    counts: tuple[int, ...]
    total: int
    unexpected: int


def tallies(verdicts: Sequence[Verdict]) -> tuple[Tally, ...]:
    """Counts by kind, for the kinds that occur, and the sum of all as last line."""
    groups = [(PLURALS[kind], [v for v in verdicts if v.kind is kind]) for kind in Kind]
    return tuple(_tally(label, chosen) for label, chosen in (*groups, ("all", verdicts)) if chosen)


READ = {
    Reads.PRINTED: "printed lines",
    Reads.READING: "readings of a line",
    Reads.REASON: "reasons given for a line",
    Reads.GAP: "gaps of a proof",
    Reads.BOUNDARY: "boundary cases",
    Reads.OURS: "added by us",
}


def reading_tallies(verdicts: Sequence[Verdict]) -> tuple[Tally, ...]:
    """Counts of claims and steps by what they read of a paper, for what occurs; older runs do not say it."""
    groups = [(label, [v for v in verdicts if v.reads is reads]) for reads, label in READ.items()]
    return tuple(_tally(label, chosen) for label, chosen in groups if chosen)


def _tally(label: str, chosen: Sequence[Verdict]) -> Tally:
    counts = count(chosen)
    unexpected = sum(v.surprising for v in chosen)
    return Tally(label, tuple(counts[o] for o in Outcome), len(chosen), unexpected)


def is_statistical(verdict: Verdict) -> bool:
    """True for a refutation that rests on sampling alone: it can be wrong, within the error budget."""
    refuting = [e for e in verdict.evidence if e.outcome is Outcome.REFUTED]
    sampled = [e.engine == "game" or e.detail.startswith("statistical") for e in refuting]
    return verdict.outcome is Outcome.REFUTED and bool(sampled) and all(sampled)


@dataclass(frozen=True)
class Row:
    """A claim or one of its steps in the matrix; `cells` holds (outcome, number of checks) per engine."""

    verdict: Verdict
    name: str
    cells: tuple[tuple[Outcome | None, int], ...]
    steps: int
    proof: Outcome | None
    settled: int
    planted: int
    caught: int


@dataclass(frozen=True)
class Paper:
    """The claims of one paper, in the order of the run."""

    name: str
    rows: tuple[Row, ...]
    planted: int
    caught: int
    survivors: tuple[Verdict, ...]
    uncounted: str = ""


def work(paper: Paper) -> str:
    """Authors, year and title of the paper: what the sources of all its claims begin with; empty where nothing is."""
    sources = [row.verdict.source.split(", ") for row in paper.rows if row.verdict.kind is Kind.CLAIM]
    alike = takewhile(lambda parts: len(set(parts)) == 1, zip(*sources, strict=False))
    return ", ".join(parts[0] for parts in alike) if len(sources) > 1 else ""


def outcomes(paper: Paper) -> tuple[int, ...]:
    """How many of its claims and steps have each outcome, in the order of Outcome."""
    counts = count(row.verdict for row in paper.rows)
    return tuple(counts[outcome] for outcome in Outcome)


def engines(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """The columns of the matrix: ENGINES, Coq if it was asked, and `other` if a claim or step names another one."""
    found = {e.engine for v in verdicts if v.kind in OF_PAPERS for e in v.evidence}
    columns = (*ENGINES, KERNEL) if KERNEL in found else ENGINES
    return (*columns, OTHER) if found - set(columns) else columns


def whose(kind: Kind) -> str:
    """What stands before the id of a control in a line, so that nobody takes it for a finding."""
    return "control " if kind is Kind.CONTROL else ""


def claim_of(verdict: Verdict) -> str:
    """Id of the claim, `<paper>/<ID>`, that a claim, step or mutant belongs to."""
    name = verdict.id.rsplit("~", 1)[0] if verdict.kind is Kind.MUTANT else verdict.id
    return "/".join(name.split("/")[:2])


def paper_of(verdict: Verdict) -> str:
    """The paper of a claim, step or mutant; a file that the run could not load has none that is known."""
    crashed = [e.engine for e in verdict.evidence] == ["run"] and verdict.outcome is Outcome.ERROR
    return UNKNOWN_PAPER if crashed else verdict.id.split("/", 1)[0]


def papers(verdicts: Sequence[Verdict]) -> tuple[Paper, ...]:
    """The claims matrix: per paper its claims, each followed by its steps."""
    listed = [v for v in verdicts if v.kind in OF_PAPERS]
    of_mutants = [v for v in verdicts if v.kind is Kind.MUTANT]
    order = {name: place for place, name in enumerate(dict.fromkeys(claim_of(v) for v in listed))}
    listed.sort(key=lambda v: (order[claim_of(v)], v.kind is not Kind.CLAIM))
    columns = engines(verdicts)
    of_paper: dict[str, tuple[list[Verdict], list[Verdict]]] = {}
    for v in [*listed, *of_mutants]:
        of_paper.setdefault(paper_of(v), ([], []))[v.kind is Kind.MUTANT].append(v)
    made = []
    for name, (own, tried) in of_paper.items():
        planted = mutants(tried)
        steps = grouped((w for w in own if w.kind is Kind.STEP), claim_of)
        mutated = grouped(planted, lambda one: one.id.rsplit("~", 1)[0])
        rows = [_row(v, steps.get(v.id, []), mutated.get(v.id, []), columns) for v in own]
        caught = sum(v.outcome is Outcome.REFUTED for v in planted)
        survivors = tuple(v for v in tried if v.outcome is not Outcome.REFUTED)
        made.append(Paper(name, tuple(rows), len(planted), caught, survivors, uncounted(tried)))
    return tuple(made)


def grouped(verdicts: Iterable[Verdict], of: Callable[[Verdict], str]) -> dict[str, list[Verdict]]:
    """The verdicts by what `of` says of each, in their order."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(of(verdict), []).append(verdict)
    return groups


def _row(verdict: Verdict, steps: list[Verdict], planted: list[Verdict], columns: tuple[str, ...]) -> Row:
    found: dict[str, list[Outcome]] = {name: [] for name in columns}
    for evidence in verdict.evidence:
        found[evidence.engine if evidence.engine in columns else OTHER].append(evidence.outcome)
    claimed = verdict.kind is Kind.CLAIM
    return Row(
        verdict=verdict,
        name=verdict.id.split("/", 1)[-1] if claimed else verdict.id.rsplit("/", 1)[-1],
        cells=tuple((worst(outcomes), len(outcomes)) for outcomes in found.values()),
        steps=len(steps),
        proof=worst(v.outcome for v in steps) if claimed else None,
        settled=sum(v.outcome is Outcome.PROVED for v in steps),
        planted=len(planted),
        caught=sum(v.outcome is Outcome.REFUTED for v in planted),
    )


def by_claim(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """The rows of a paper in groups, each a claim with its steps; the id of the claim and its rows."""
    return [(name, list(group)) for name, group in groupby(rows, key=lambda row: claim_of(row.verdict))]


@dataclass(frozen=True)
class Refutations:
    """Refuted outcomes by what they mean; mutants and known-bad controls, which must be refuted, are not among them."""

    unexpected: tuple[Verdict, ...]
    errata: tuple[Verdict, ...]
    implementations: tuple[Verdict, ...]


def refutations(verdicts: Sequence[Verdict]) -> Refutations:
    """Expected errata of papers apart from expected refutations of implementations and from surprises."""
    listed = [v for v in verdicts if v.outcome is Outcome.REFUTED and v.kind is not Kind.MUTANT]
    expected = [v for v in listed if v.as_expected]
    return Refutations(
        unexpected=tuple(v for v in listed if v.surprising),
        errata=tuple(v for v in expected if v.kind in OF_PAPERS),
        implementations=tuple(v for v in expected if v.kind in (Kind.AGREEMENT, Kind.AUDIT)),
    )


def unsettled(verdicts: Sequence[Verdict]) -> tuple[tuple[Outcome, tuple[Verdict, ...]], ...]:
    """What was given up, not run or crashed, in this order."""
    chosen = (Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.ERROR)
    listed = sorted((v for v in verdicts if v.outcome in chosen), key=lambda v: chosen.index(v.outcome))
    return tuple((outcome, tuple(group)) for outcome, group in groupby(listed, key=lambda v: v.outcome))


def value(verdict: Verdict, *names: str) -> Scalar:
    """The first of the numbers called `names` that the verdict or its evidence carries, else None."""
    found: Json = {}
    for numbers in (verdict.numbers, *(e.numbers for e in verdict.evidence)):
        for name, number in numbers:
            found.setdefault(name, number)
    return next((found[name] for name in names if name in found), None)


QUIET = "{} structural checks that found nothing or could not run; they are in records.jsonl"


def by_reason(verdicts: Iterable[Verdict]) -> list[tuple[str, list[Verdict]]]:
    """Verdicts, mutants left out, that say the same, together, in the order of the first of them."""
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.kind is not Kind.MUTANT:
            found.setdefault(reason(verdict), []).append(verdict)
    return list(found.items())


def quiet(verdict: Verdict) -> list[Evidence]:
    """The structural checks that found nothing or could not run, where others say why the target is refuted."""
    found = [
        e for e in verdict.evidence if e.engine == "structural" and e.outcome not in (Outcome.REFUTED, Outcome.ERROR)
    ]
    return found if verdict.outcome is Outcome.REFUTED and len(found) < len(verdict.evidence) else []


def told(verdict: Verdict) -> list[Evidence]:
    """The evidence that a page tells: all but the quiet checks."""
    left_out = quiet(verdict)
    return [e for e in verdict.evidence if e not in left_out]


def briefly(verdict: Verdict, evidence: Evidence) -> str:
    """What a piece of evidence says, beside the witness of its verdict: it is not said twice."""
    named = ", ".join(f"{name} = {value}" for name, value in verdict.witness if name not in ("left", "right"))
    rest = evidence.detail.removeprefix(f"at {named}")
    return evidence.detail if not named or rest == evidence.detail else f"at the witness{rest}"


def reason(verdict: Verdict) -> str:
    """Why the outcome is what it is: the details of the evidence that has this outcome, else of all."""
    same = [e.detail for e in verdict.evidence if e.outcome is verdict.outcome]
    return "; ".join(dict.fromkeys(same or [e.detail for e in verdict.evidence]))


def agreement_parts(verdict: Verdict) -> tuple[str, str, str]:
    """Algorithm, backend and dtype of an id `agree/<algorithm>/<backend>/<dtype>`."""
    parts = verdict.id.split("/")
    if len(parts) < 4:
        return verdict.id, "", ""
    return "/".join(parts[1:-2]), parts[-2], parts[-1]


_NAMED = 6
"""Papers that a sentence names."""


def subject(verdicts: Sequence[Verdict]) -> str:
    """What was checked, in words and numbers; what was not run is named apart."""
    planned = Counter(v.kind for v in verdicts)
    idle = Counter(v.kind for v in verdicts if v.outcome is Outcome.NOT_RUN)
    plural = {kind: words if planned[kind] != 1 else words.removesuffix("s") for kind, words in PLURALS.items()}
    of_papers = {Kind.CLAIM: _works({paper_of(v) for v in verdicts if v.kind is Kind.CLAIM} - {UNKNOWN_PAPER})}
    parts = [
        f"{planned[kind]} {plural[kind]}{of_papers.get(kind, '')}" + (f" ({idle[kind]} not run)" if idle[kind] else "")
        for kind in Kind
        if planned[kind]
    ]
    return ", ".join(parts) or "nothing"


def _works(names: set[str]) -> str:
    """Of how many papers, and of which if they are few; dpaudit's own lemmas are of no paper."""
    papers = sorted(names - {OWN})
    named = f" ({', '.join(papers)})" if len(papers) <= _NAMED else ""
    parts = [f" of {len(papers)} {'paper' if len(papers) == 1 else 'papers'}{named}"] if papers else []
    return " and".join([*parts, *([" of dpaudit's own"] if OWN in names else [])])


def durations(verdicts: Sequence[Verdict]) -> tuple[tuple[str, int, float, Verdict], ...]:
    """Per kind: its name, number of checks, seconds in all, and the longest check."""
    groups = [(kind, [v for v in verdicts if v.kind is kind]) for kind in Kind]
    return tuple(
        (PLURALS[kind], len(own), sum(v.duration_s for v in own), max(own, key=lambda v: v.duration_s))
        for kind, own in groups
        if own
    )
