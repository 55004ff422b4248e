"""Claims: from the statement of a paper to the verdicts on it, its steps and its mutants."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from dpaudit.content import by_id, loading, papers, places
from dpaudit.content import items as content_items
from dpaudit.content.apart import apart, came_with_dpaudit, load_claims, names_of, with_names_of_their_own
from dpaudit.content.copies import in_copy
from dpaudit.content.items import Broken, ClaimItem
from dpaudit.noise import machine_code
from dpaudit.records import documents
from dpaudit.records.claim import Claim
from dpaudit.records.context import Context, Level, slug
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs import cache
from dpaudit.runs.flows.flow import Collected, Flow, chosen, find, limit_words, once, unique
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

NOWHERE = Context(0, Level.SMOKE, 1.0)
"""Of what has no seed and no level."""


class Claims(Flow):
    """Verifies claims. Files that did not come with dpaudit are loaded and judged in copies of this process that end
    afterwards: what one of them changes in dpaudit reaches no other claim."""

    part = Part.VERIFY
    kinds = (Kind.CLAIM, Kind.STEP, Kind.REDUCTION, Kind.MUTANT)
    content = "proofs"
    alone = ("--no-cache",)
    variables = frozenset({"CLAIM", "CLAIMS"})

    def collect(self, settings: Settings) -> Collected:
        items, origins = list(load_claims(settings.paths, settings.limits)), []
        seen = [*items]
        if settings.ids or not settings.paths:
            folder, searched = self.searched(settings)
            every = load_claims([folder], settings.limits)
            items += content_items.select(every, settings.ids, "claim")
            seen += every
            origins.append(searched)
        items = once(with_names_of_their_own(unique(items)))
        names = tuple(item.name for item in items)
        with by_id.planning(unique(seen), settings.limits):
            return Collected(tuple(map(self._task, chosen(items, settings))), tuple(origins), names)

    def _task(self, item: ClaimItem) -> Task:
        if isinstance(item, Broken):
            return self.broken(item, Kind.CLAIM, Outcome.PROVED)
        from dpaudit.claims.verify import statistical_tests

        claim, path = item.record, item.path
        gives = () if came_with_dpaudit(path) else tuple(names_of(item))
        task = Task(self.part, claim.id, str(path), claim.title, Kind.CLAIM, claim.expects, gives=gives)
        try:
            task = replace(task, tests=statistical_tests(claim), cited=_cited(claim, path))
        except ContentError as error:
            return replace(task, error=f"{places.shown(path)}: {error}")
        said = _unreadable(self._beside(task), places.paper_of(path)) if gives else ""
        return replace(task, tests=0, error=said) if said else task

    def perform(self, task: Task, settings: Settings, context: Context) -> Sequence[Verdict]:
        from dpaudit.claims.certificates import certificate
        from dpaudit.claims.grounds import settle

        if came_with_dpaudit(Path(task.path)) or not hasattr(os, "fork"):
            return settle(certificate.confirm(_judged(task, context), context.folder))
        return settle(_judged_apart(task, settings, context))

    def decides(self, task: Task, settings: Settings) -> tuple[str | Path, ...] | None:
        return tuple(map(Path, task.cited)) if cache.self_contained(Path(task.path)) else None

    def verdicts(self, task: Task, context: Context) -> dict[str, Kind]:
        own = super().verdicts(task, context)
        if task.error:
            return own
        from dpaudit.claims.verify import planned_verdicts

        try:
            claim = find(load_claims([Path(task.path)]), task).record
            listed = apart(Path(task.path), lambda: [*planned_verdicts(claim, context).items()])
            return own | {name: Kind(kind) for name, kind in listed}
        except Exception:  # a statement that cannot be read: the claim then has one verdict, which says so
            return own

    def files(self, task: Task) -> list[Path]:
        """The claim's parts, the files of the claims that it cites, what its paper is, the named theorems, the
        certificates that ship with the claim."""
        return [file for file in self._beside(task) if _regular(file)]

    def _beside(self, task: Task) -> list[Path]:
        """As `files`, with what is there under their names and is no file that can be read."""
        claim = Path(task.path)
        home = places.paper_of(claim)
        parts = [part for part in places.claim_files(claim) if part != claim]
        paper = home / places.PAPER_FILE
        theorems = sorted((home.parent / places.THEOREMS).glob("*.toml"))
        certificates = sorted((home / "certificates").glob(f"{slug(task.name)}*.json"))
        return [*parts, *map(Path, task.cited), *([paper] if paper.is_file() else []), *theorems, *certificates]

    def words(self, settings: Settings) -> list[str]:
        return [*(["--mutants"] if settings.mutants else []), *limit_words(settings)]


def _judged(task: Task, context: Context) -> list[Verdict]:
    """The verdicts of a claim, made by the code of its file."""
    from dpaudit.claims import verify

    path = Path(task.path)
    item = find(loading.load_claims([path]), task)
    return list(verify.verify_claim(item.record, item.carrier, context, _paper(path)))


def _judged_apart(task: Task, settings: Settings, context: Context) -> list[Verdict]:
    """As `_judged`, and confirmed, in copies of this process: verdicts and certificates come back as data, and are kept
    here. The checker works in a copy of its own, which has never loaded the file, so that its word is its own."""
    if task.tests:
        machine_code.prepare()
    with contextlib.ExitStack() as undone:
        stages = -1
        if context.stages is not None:  # a copy writes no file of ours but what it was handed
            stages = undone.enter_context(open(context.stages, "ab")).fileno()
        there = replace(context, stages=None if stages < 0 else f"/dev/fd/{stages}")
        path, bounds = Path(task.path), settings.limits.of_judging
        cited = [file for file in map(Path, task.cited) if not places.is_notation(file)]
        known = load_claims(cited, settings.limits)
        found, files = _own(in_copy(path, partial(_with_files, task, there, known), bounds, stages), task)
    if not files:
        return found
    confirmed = in_copy(path, partial(_confirmed, found, files), bounds)
    for name, text in files.items():
        context.attach(name, text)
    return list(confirmed)


def _confirmed(verdicts: list[Verdict], files: Mapping[str, str]) -> list[Verdict]:
    from dpaudit.claims.certificates import certificate

    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            replace(NOWHERE, folder=folder).attach(name, text)
        return certificate.confirm(verdicts, folder)


def _with_files(task: Task, context: Context, known: Sequence[ClaimItem]) -> list[Any]:
    """The verdicts, and the names and texts of the files that go with them. known: the claims that it cites."""
    with by_id.judging(Path(task.path), known), tempfile.TemporaryDirectory() as folder:
        if context.folder is None:
            return [_judged(task, context), []]
        verdicts = _judged(task, replace(context, folder=folder))
        names = dict.fromkeys(name for one in verdicts for name in one.attachments)
        return [verdicts, [[name, (Path(folder) / name).read_text(encoding="utf-8")] for name in names]]


def _own(told: object, task: Task) -> tuple[list[Verdict], dict[str, str]]:
    """The verdicts, where all of them are of this claim, and their certificates by their names; ContentError else."""
    from dpaudit.claims.certificates import certificate

    match told:
        case (tuple(verdicts), tuple(files)) if all(map(_is_file, files)):
            found = [one for one in verdicts if isinstance(one, Verdict) and _gives(task, one.id)]
            kept, own = dict(files), {f"{certificate.FOLDER}/{certificate.file_name(one.id)}" for one in found}
            named = {name for one in found for name in one.attachments}
            if len(found) == len(verdicts) and named == kept.keys() and named <= own:
                return found, kept
    raise ContentError(f"{task.name}: its file gives verdicts or files that are not of this claim as it was planned")


def _is_file(one: object) -> bool:
    return isinstance(one, tuple) and len(one) == 2 and all(isinstance(part, str) for part in one)


def _gives(task: Task, name: str) -> bool:
    """May a verdict of the task be called so? One that no plan has made says nothing of others."""
    if not task.gives:
        return name == task.name or name.startswith((f"{task.name}/", f"{task.name}~"))
    return name in task.gives or ("~auto-" in name and name.partition("~auto-")[0] in task.gives)


def _regular(file: Path) -> bool:
    """Is it a file that can be read within the limits of a document?"""
    try:
        found = file.stat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size <= documents.MOST


def _unreadable(files: Iterable[Path], home: Path) -> str:
    """What is wrong with the first file that is none, or is a link out of its paper; "" where all can be read."""
    for file in files:
        inside = home if file.is_relative_to(home) else None
        try:
            documents.read_bytes(file, inside=inside)
        except (ContentError, OSError) as error:
            said = error if isinstance(error, ContentError) else f"{file}: {error.strerror}"
            name = places.shown(file) if inside is None else f"{places.shown(home)}/{file.relative_to(home)}"
            return str(said).replace(str(file), name).replace(str(home), places.shown(home))
    return ""


def _cited(claim: Claim, path: Path) -> tuple[str, ...]:
    """The files of the claims that a claim cites, its own left out."""
    from dpaudit.claims.citations import citations_of

    parts = {part for file in citations_of(claim, path).files for part in places.claim_files(file)}
    return tuple(sorted(map(str, parts - {*places.claim_files(path)})))


def _paper(path: Path) -> str:
    paper = papers.load_paper(places.paper_of(path))
    return f"{paper.authors} ({paper.year}), {paper.title}" if paper else ""
