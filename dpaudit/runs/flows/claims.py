"""Claims: from the statement of a paper to the verdicts on it, its steps and its mutants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dpaudit.content import items as content_items
from dpaudit.content import loading, papers, places
from dpaudit.content.apart import apart, load_claims
from dpaudit.content.items import Broken, ClaimItem
from dpaudit.records.claim import Claim
from dpaudit.records.context import Context, slug
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs import cache
from dpaudit.runs.flows.flow import Collected, Flow, chosen, find, once
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


class Claims(Flow):
    """Verifies claims. Files that did not come with dpaudit are loaded and judged in copies of this process that end
    afterwards: what one of them changes in dpaudit reaches no other claim."""

    part = Part.VERIFY
    kinds = (Kind.CLAIM, Kind.STEP, Kind.REDUCTION, Kind.MUTANT)
    content = "proofs"
    alone = ("--no-cache",)
    variables = frozenset({"CLAIM", "CLAIMS"})

    def collect(self, settings: Settings) -> Collected:
        items, origins = list(load_claims(settings.paths)), []
        if settings.ids or not settings.paths:
            folder, searched = self.searched(settings)
            items += content_items.select(load_claims([folder]), settings.ids, "claim")
            origins.append(searched)
        items = once(items)
        names = tuple(item.name for item in items)
        return Collected(tuple(map(self._task, chosen(items, settings))), tuple(origins), names)

    def _task(self, item: ClaimItem) -> Task:
        if isinstance(item, Broken):
            return self.broken(item, Kind.CLAIM, Outcome.PROVED)
        from dpaudit.claims.verify import statistical_tests

        claim, path = item.record, item.path
        tests, cited = statistical_tests(claim), apart(path, lambda: _cited(claim, path))
        return Task(self.part, claim.id, str(path), claim.title, Kind.CLAIM, claim.expects, tests, cited=cited)

    def perform(self, task: Task, settings: Settings, context: Context) -> Sequence[Verdict]:
        from dpaudit.claims import verify
        from dpaudit.claims.certificates import certificate
        from dpaudit.claims.grounds import settle

        path = Path(task.path)

        def judged() -> list[Verdict]:
            item = find(loading.load_claims([path]), task)
            return list(verify.verify_claim(item.record, item.carrier, context, _paper(path)))

        return settle(certificate.confirm(_own(apart(path, judged), task), context.folder))

    def decides(self, task: Task, settings: Settings) -> tuple[str | Path, ...] | None:
        return tuple(map(Path, task.cited)) if cache.self_contained(Path(task.path)) else None

    def verdicts(self, task: Task, context: Context) -> dict[str, Kind]:
        own = super().verdicts(task, context)
        if task.error:
            return own
        from dpaudit.claims.verify import planned_verdicts

        try:
            return own | planned_verdicts(find(load_claims([Path(task.path)]), task).record, context)
        except Exception:  # a statement that cannot be read: the claim then has one verdict, which says so
            return own

    def files(self, task: Task) -> list[Path]:
        """The claim's parts, the files of the claims that it cites, what its paper is, the named theorems, the
        certificates that ship with the claim."""
        claim = Path(task.path)
        home = places.paper_of(claim)
        parts = [part for part in places.claim_files(claim) if part != claim]
        paper = home / places.PAPER_FILE
        theorems = sorted((home.parent / places.THEOREMS).glob("*.toml"))
        certificates = sorted((home / "certificates").glob(f"{slug(task.name)}*.json"))
        return [*parts, *map(Path, task.cited), *([paper] if paper.is_file() else []), *theorems, *certificates]

    def words(self, settings: Settings) -> list[str]:
        return ["--mutants"] if settings.mutants else []


def _own(verdicts: Sequence[object], task: Task) -> list[Verdict]:
    """The verdicts, where all of them are of this claim; ContentError else."""
    found = [one for one in verdicts if isinstance(one, Verdict)]
    below = (f"{task.name}/", f"{task.name}~")
    if len(found) < len(verdicts) or not all(one.id == task.name or one.id.startswith(below) for one in found):
        raise ContentError(f"{task.name}: its file gives verdicts that are not of this claim")
    return found


def _cited(claim: Claim, path: Path) -> tuple[str, ...]:
    """The files of the claims that a claim cites, its own left out."""
    from dpaudit.claims.citations import citations_of

    parts = {part for file in citations_of(claim, path).files for part in places.claim_files(file)}
    return tuple(sorted(map(str, parts - {*places.claim_files(path)})))


def _paper(path: Path) -> str:
    paper = papers.load_paper(places.paper_of(path))
    return f"{paper.authors} ({paper.year}), {paper.title}" if paper else ""
