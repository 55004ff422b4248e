"""The errata for the command line: from the records of a run, or from the claims with their witnesses found again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain, writer
from dpaudit.confinement.limits import Limits
from dpaudit.content import by_id, loading, places
from dpaudit.content.apart import apart, load_claims
from dpaudit.content.items import Loaded
from dpaudit.records.claim import Claim
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.formats import text
from dpaudit.report.severity import Erratum, Standing, ordered
from dpaudit.runs.reading import load_run
from dpaudit.runs.settings import DEFAULT_SEED


@click.command(name="errata")
@click.argument("folder", metavar="[RUN]", required=False, type=click.Path(path_type=Path))
@options.proofs_option
@options.listing_options
@options.verbose_option
def command(folder: Path | None, proofs: Path | None, form: str, output: Path | None) -> None:
    """Print the errata of papers: what is printed and false.

    With a RUN: the errata that it found. Without: those of the claims as they are now.
    """
    found = errata(folder, proofs)
    with writer(output) as write:
        write(text.errata(found, form))


def _of(claim: Claim, path: Path, judged: Callable[[], list[Verdict]]) -> list[Verdict]:
    """What is refuted of a claim; nothing, and a line that says why, where its file cannot be judged."""
    try:
        found = apart(path, judged, Limits().of_judging)
    except ContentError as error:
        complain(f"dpaudit: {claim.id} is left out: {error}")
        return []
    own = (claim.id, *(f"{claim.id}/{step.name}" for step in claim.steps))
    return [one for one in found if isinstance(one, Verdict) and one.id in own]


def errata(folder: Path | None, proofs: Path | None) -> list[Erratum]:
    """The refuted statements and steps of papers, and the reductions that they print and that are false."""
    if folder is not None:
        papers = (Kind.CLAIM, Kind.STEP, Kind.REDUCTION)
        verdicts = load_run(folder).verdicts
        refuted = [v for v in verdicts if v.outcome is Outcome.REFUTED]
        found = [v for v in refuted if v.kind in papers or (v.kind is Kind.AGREEMENT and v.expected is v.outcome)]
        return ordered(found, Standing.of_run(verdicts))
    from dpaudit.agreement.compare import reduced
    from dpaudit.claims.verify import refuted_as_printed

    home = proofs or places.content_folder("proofs")[0]
    context = Context(DEFAULT_SEED, Level.SMOKE, 1e-7)
    items = [item for item in load_claims([home]) if isinstance(item, Loaded)]

    def judged(claim: Claim, path: Path) -> list[Verdict]:
        loaded = (item for item in loading.load_claims([path]) if isinstance(item, Loaded) and item.name == claim.id)
        with by_id.judging(path, items):
            return [v for item in loaded for v in refuted_as_printed(claim, item.carrier, context)]

    found = [v for item in items for v in _of(item.record, item.path, partial(judged, item.record, item.path))]
    ours = home.resolve() == places.shipped_folder("proofs").resolve()  # the algorithms belong to these papers
    algorithms = [item for item in loading.load_algorithms() if isinstance(item, Loaded)] if ours else []
    found += [
        reduced(item.record, stated, context)
        for item in algorithms
        for stated in item.carrier.reductions(context.seed)
        if stated.expects is Outcome.REFUTED
    ]
    return ordered(found, Standing.of_claims(item.record for item in items))
