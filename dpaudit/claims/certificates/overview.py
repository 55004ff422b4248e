"""Which certificates there are, what the independent checker says, which are stale or absent; and how new ones ship."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpaudit.claims.certificates import certificate
from dpaudit.claims.citations import Citations, items_of
from dpaudit.content import by_id, places
from dpaudit.content.apart import load_claims
from dpaudit.content.items import Loaded
from dpaudit.records import documents
from dpaudit.records.claim import Claim
from dpaudit.records.context import slug
from dpaudit.records.digests import sha256
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.lines import read_verdict
from dpaudit.records.verdict import Basis, ExitCode, Kind, Outcome, Verdict

RECORDS = "records.jsonl"
"""What makes a folder that of a run."""
ACCEPTED, REFUSED, STALE, ABSENT = "accepted", "refused", "stale", "absent"
Row = dict[str, str]


def overview(names: Sequence[str], proofs: Path | None) -> Iterator[Row]:
    """One row a certificate: state, id of the statement, detail; those of `proofs` if nothing is named."""
    folder = proofs or places.content_folder("proofs")[0]
    rows = [_row(found) for found in certificate.recheck(certificates(names, proofs))]
    yield from rows
    known = {row["name"] for row in rows}
    if not names:
        yield from _absent(folder, known)
    for run in (Path(name) for name in names if (Path(name) / RECORDS).is_file()):
        yield from _unproved(run, known)


def certificates(names: Sequence[str], proofs: Path | None) -> list[Path]:
    """The files that are meant: those of `proofs` if nothing is named."""
    folder = proofs or places.content_folder("proofs")[0]
    return [path for name in names for path in _named(name, folder)] if names else _files(folder)


def exit_code(rows: Sequence[Row]) -> ExitCode:
    """1 if one is not accepted, 5 if there is none."""
    if not rows:
        return ExitCode.NOTHING_COLLECTED
    return ExitCode.EXPECTED if all(row["state"] == ACCEPTED for row in rows) else ExitCode.REFUTED


def ship(run: Path, proofs: Path | None) -> int:
    """Copy the certificates of a run beside the claims that they prove, in place of older ones of these claims.

    Returns how many there are. Raises ConfigurationError for a certificate of no claim of the folder.
    """
    folder = proofs or places.content_folder("proofs")[0]
    items = load_claims([folder])
    claims = {item.name: places.paper_of(item.path) for item in items if isinstance(item, Loaded)}
    accepted = [found for found in certificate.recheck(_files(run)) if not found.reason]
    owners = {found.path: next((name for name in claims if _of(found.claim, name)), "") for found in accepted}
    for found in accepted:
        if not owners[found.path]:
            raise ConfigurationError(f"{found.claim} is no statement of {places.shown(folder)}")
    for name in set(owners.values()):
        for old in (claims[name] / certificate.FOLDER).glob("*.json"):
            if old.stem == slug(name) or _below(old.stem, slug(name)):
                old.unlink()
    for path, name in owners.items():
        (claims[name] / certificate.FOLDER).mkdir(exist_ok=True)
        shutil.copy(path, claims[name] / certificate.FOLDER / path.name)
    return len(accepted)


def _of(statement: str, claim: str) -> bool:
    """Is `statement` the claim, a step of it, or a constant of one of the two?"""
    return statement == claim or statement.startswith((f"{claim}/", f"{claim}~best-"))


def _named(name: str, folder: Path) -> list[Path]:
    """The certificates of a path, or of a paper or statement of `folder`."""
    path = Path(name).expanduser()
    own = [] if path.exists() else [p for p in _files(folder) if p.stem == slug(name) or _below(p.stem, slug(name))]
    return own or _files(path)


def _below(stem: str, name: str) -> bool:
    return stem.startswith((f"{name}_", f"{name}~best-"))


def _files(path: Path) -> list[Path]:
    """The certificates that a path stands for: a file, a run folder, or a folder of claims."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ConfigurationError(f"{str(path)!r} is no certificate, run folder, folder of claims, paper or claim")
    found = sorted(path.rglob(f"{certificate.FOLDER}/*.json"))
    for one in found:
        if not Path(os.path.realpath(one)).is_relative_to(os.path.realpath(path)):
            raise ContentError(f"{one} points outside of the folder {path}; put the file itself there")
    return found


def _row(found: certificate.Checked) -> Row:
    home = Path(os.path.realpath(found.path)).parent.parent  # resolve() fails where links lead to themselves
    name = found.claim or str(found.path)
    if found.reason:
        return {"state": REFUSED, "name": name, "detail": found.reason}
    run = (home / RECORDS).is_file()
    stale = _astray(found, _verdicts(home)) if run else _stale(found, home)
    boxes = f", {found.boxes} boxes" if found.boxes else ""
    solvers = f", {found.solvers} goals rest on two solvers" if found.solvers else ""
    said = f"{found.outcome.lower()}: {certificate.counted(found.steps or 1)}{boxes}{solvers}, {found.seconds:.2f} s"
    return {"state": STALE if stale else ACCEPTED, "name": name, "detail": stale or said}


def _stale(found: certificate.Checked, home: Path) -> str:
    """Why an accepted certificate of a paper belongs to no statement of it as it reads now; empty if it does."""
    papers = {name.partition("/")[0] for name in _grounds(found.path)} - {found.claim.partition("/")[0]}
    return certificate.stale(found, _claims(home), _citable(home, frozenset(papers)))


def _grounds(path: Path) -> Mapping[str, Any]:
    grounds: Mapping[str, Any] = certificate.read(path)["grounds"]
    return grounds


@lru_cache(maxsize=8)
def _citable(home: Path, papers: frozenset[str]) -> Citations:
    """The statements of a paper, and of others that its certificates rest on."""
    folders = dict.fromkeys(folder for paper in sorted(papers) for folder in by_id.paper_folders(paper, home))
    found = [claim for folder in (home, *folders) if folder.is_dir() for claim in _claims(folder)]
    return Citations({name: item for claim in reversed(found) for name, item in items_of(claim).items()})


@lru_cache(maxsize=8)
def _claims(home: Path) -> tuple[Claim, ...]:
    return tuple(item.record for item in load_claims([home]) if isinstance(item, Loaded))


@lru_cache(maxsize=4)
def _verdicts(home: Path) -> Mapping[str, Verdict]:
    """The verdicts of a run folder."""
    path = home / RECORDS
    found: dict[str, Verdict] = {}
    text = documents.read_text(path, documents.MOST_OF_LINES, home)
    for place, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        verdict = read_verdict(line, f"{path}, line {place}")
        found[verdict.id] = verdict
    return found


def _astray(found: certificate.Checked, verdicts: Mapping[str, Verdict]) -> str:
    """Why an accepted certificate belongs to no verdict of its run; empty if it does."""
    verdict = verdicts.get(found.claim)
    if verdict is None:
        return f"the run has no verdict on {found.claim}"
    if _shown(verdict) != found.outcome:
        return f"the run calls {found.claim} {verdict.outcome.value}, the certificate shows {found.outcome}"
    text = documents.read_text(found.path)
    data = documents.parse(text, str(found.path))
    for name, written in ((found.claim, data["statement"]), *data["grounds"].items()):
        if by_id.claim_of(name) in verdicts or name in verdicts:
            said = verdicts[name].statement if name in verdicts else None
        else:  # the run looked at one claim, and not at those that it cites
            said = _elsewhere(name)
        if str(certificate.statement_of(written)) != said:
            return f"it is about another statement than the verdict {name}"
    same = sha256(text) in verdict.digests
    return "" if same else f"it is not the file that was written with the verdict {found.claim}"


def _elsewhere(name: str) -> str:
    """A statement of a claim that the run did not look at, as it reads now; empty if there is none."""
    home = places.content_folder("proofs")[0] / name.partition("/")[0]
    found = by_id.find_claim(by_id.claim_of(name), home / places.PAPER_FILE)
    item = items_of(found.record).get(name) if found is not None else None
    return str(item.statement or "") if item is not None else ""


def _shown(verdict: Verdict) -> str:
    """What a certificate of the verdict shows: an inference that holds is shown like anything that is proved."""
    return Outcome.PROVED if verdict.basis is Basis.REFUTED_GIVEN else verdict.outcome


def _absent(folder: Path, known: Iterable[str]) -> Iterator[Row]:
    """Statements that are expected to be proved, or refuted by a point, and have no certificate."""
    for claim in _claims(folder):
        for name, statement, expected in certificate.expected(claim):
            if name not in known and statement is not None and expected in (Outcome.PROVED, Outcome.REFUTED):
                remedy = "no certificate: dpaudit verify, then dpaudit recheck RUN --ship"
                yield {"state": ABSENT, "name": name, "detail": remedy}


def _unproved(run: Path, known: Iterable[str]) -> Iterator[Row]:
    """Verdicts of a run that say PROVED and leave no certificate."""
    for name, verdict in _verdicts(run.resolve()).items():
        if _shown(verdict) == Outcome.PROVED and verdict.kind is not Kind.MUTANT and name not in known:
            yield {"state": ABSENT, "name": name, "detail": "the run calls it PROVED, and there is no certificate"}
