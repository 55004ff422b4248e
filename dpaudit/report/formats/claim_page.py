"""A claim as a page of its paper: what is printed, the outcome in the margin, what it rests on and what rests on it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from dpaudit.records.claim import Claim, Step, given
from dpaudit.records.reading import Origin, Reads
from dpaudit.records.verdict import Verdict
from dpaudit.report.severity import Standing

MARGIN, WIDTH = 15, 100


def lines(claim: Claim, place: str, verdicts: Mapping[str, Verdict], standing: Standing) -> Iterator[str]:
    """The page. place: its file; verdicts: those of a run by id, empty for what is expected; standing: all claims."""
    source = "as judged by the run" if verdicts else "as expected; with --run RUN as judged"
    yield f"{claim.id}: {claim.title} ({claim.kind})"
    yield f"{claim.place}, in {place}. Outcomes in the margin: {source}."
    items: list[Claim | Step] = [claim, *claim.steps]
    for item in items:
        name = item.id if isinstance(item, Claim) else f"{claim.id}/{item.name}"
        yield ""
        yield from _item(name, item, verdicts.get(name), standing)


def _item(name: str, item: Claim | Step, verdict: Verdict | None, standing: Standing) -> Iterator[str]:
    """One statement: the first line is what the paper says, the others what is known of it."""
    outcome = item.expects.word if verdict is None else verdict.outcome.word
    head = item.words if isinstance(item, Claim) else f"{item.name}  {item.words}"
    place = item.place if isinstance(item, Step) and item.place else ""
    reads = "" if item.read_as is Reads.PRINTED else f" [{item.read_as}]"
    margins = [outcome, f"({verdict.basis})" if verdict and verdict.basis else ""]
    body = [*_wrapped(f"{head}{f' ({place})' if place else ''}{reads}")]
    for label, text in _known(name, item, standing):
        body += _wrapped(f"{label}: {text}", indent=2)
    notes = [line for margin in margins if margin for line in textwrap.wrap(margin, MARGIN - 2)]
    height = max(len(notes), len(body))
    left, right = (column + [""] * (height - len(column)) for column in (notes, body))
    yield from (f"{a:<{MARGIN}}{b}".rstrip() for a, b in zip(left, right, strict=True))


def _known(name: str, item: Claim | Step, standing: Standing) -> Iterator[tuple[str, str]]:
    """What a reader may ask next, label and text; what there is nothing of is left out."""
    origins = {origin: [one.text for one in item.origins if one.origin is origin and one.text] for origin in Origin}
    fields = (
        ("printed", item.printed),
        ("checked", str(item.statement or "not encoded yet")),
        ("given", ", ".join(given(item))),
        ("large enough means", ", ".join(origins[Origin.ENOUGH])),
        ("assumed by us", ", ".join(origins[Origin.OURS])),
        ("argument", " -> ".join(type(move).__name__ for move in item.argument)),
        ("tested by", ", ".join(check.function for check in (*item.empirical, *item.from_standard))),
        ("rests on", ", ".join(item.rests_on)),
        ("used by", ", ".join(standing.users(name))),
        ("mutants", ", ".join(f"{mutant.name} ({mutant.change})" for mutant in item.mutants)),
        ("finding", item.finding),
        ("repair", item.repair),
    )
    yield from ((label, text) for label, text in fields if text)


def _wrapped(text: str, indent: int = 0) -> list[str]:
    space = " " * indent
    return textwrap.wrap(
        " ".join(text.split()), WIDTH, initial_indent=space, subsequent_indent=f"{space}  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
