"""The content that a run was made of, as files of its archive: claims with what they rest on, and targets.

A file is taken only if it is still the one that the run was made of: run.json has a digest for each item of its plan.
To know what a claim rests on it is loaded, as for a run. Algorithms are part of dpaudit, and are not taken.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath

from dpaudit.content import places
from dpaudit.records.digests import sha256
from dpaudit.records.documents import read_bytes
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.serial import Json
from dpaudit.runs import provenance, resume
from dpaudit.runs.flows import flow_of
from dpaudit.runs.reading import Run
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

KINDS = (".py", ".toml", ".json")
"""Suffixes of what belongs to a paper: claims, descriptions, certificates."""


@dataclass
class Content:
    """files: bytes by path, as the run called the folders; ours: did all of it come with dpaudit?"""

    files: dict[str, bytes] = field(default_factory=dict)
    ours: bool = True

    def add(self, path: Path, name: str, inside: Path) -> None:
        """Take the regular file `path`, which lies in the folder `inside`, under `name`; ContentError where two files
        would share it."""
        data = read_bytes(path, inside=inside)
        if self.files.setdefault(name, data) != data:
            raise ContentError(f"two files of the run are called {name}; archive it where they have names of their own")
        self.ours = self.ours and sha256(data) in _shipped()


def content_of(run: Run, proofs: Path | None = None) -> Content:
    """All content of the run but algorithms; proofs: where its claims lie now.

    Raises ConfigurationError for a file that is not here, or no longer what the run was made of, and for a run of a
    dpaudit that kept no plan; ContentError for one that leads out of its folder.
    """
    if "plan" not in run.header:
        raise ConfigurationError(f"{str(run.folder)!r} holds no plan, since an older dpaudit made it: start it anew")
    settings = resume.recorded_settings(run.header)
    settings = settings if proofs is None else replace(settings, proofs=proofs)
    found = Content()
    rows = {part: [row for row in run.header["plan"] if row["part"] == part] for part in Part}
    if rows[Part.VERIFY]:
        _claims(found, run.header, rows[Part.VERIFY], settings)
    for row in rows[Part.AUDIT]:
        _target(found, run.header, row, settings)
    return found


def _claims(found: Content, header: Json, rows: Iterable[Json], settings: Settings) -> None:
    """The claims of these rows of the plan, with all of their papers and the named theorems."""
    flow = flow_of(Part.VERIFY)
    tasks = {task.name: task for task in flow.collect(settings).tasks}
    taken: set[str] = set()
    for row in rows:
        task = tasks.get(row["name"])
        if task is None:
            raise ConfigurationError(f"the claim {row['name']} of {row['file']} is not here; {_remedy(header)}")
        own = [Path(task.path), *flow.files(task)]
        _hold(header, row, own)
        for path in own:
            found.add(path, _name(row, task.path, path), path.parent)
        folders = {_name(row, task.path, folder): folder for folder in _folders(header, row, task)}
        for folder in (folder for name, folder in folders.items() if name not in taken):
            for path in _listed(folder):
                found.add(path, _name(row, task.path, path), folder)
        taken |= {*folders}


def _folders(header: Json, row: Json, task: Task) -> Iterator[Path]:
    """The folders of the papers of a claim and of those that it cites, and of the named theorems. A claim that was
    named by path, and is in no paper, comes alone."""
    for file in map(Path, (task.path, *task.cited)):
        home = places.paper_of(file)
        if _below(header, row) or (home / places.PAPER_FILE).is_file():
            yield from (home, home.parent / places.THEOREMS)


def _listed(folder: Path) -> Iterator[Path]:
    """The files of a folder of content, without what is hidden and what tools leave there."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part[0] == "." or part == "__pycache__" for part in path.relative_to(folder).parts)
        if path.suffix in KINDS and path.is_file() and not hidden:
            yield path


def _target(found: Content, header: Json, row: Json, settings: Settings) -> None:
    """The file of a target; in a folder of content also those beside it that are no targets, which it may load."""
    path = _located(header, row, settings)
    _hold(header, row, [path])
    found.add(path, row["file"], path.parent)
    if _below(header, row):
        for other in sorted(path.parent.glob("_*.py")):
            found.add(other, _name(row, path, other), path.parent)


def _located(header: Json, row: Json, settings: Settings) -> Path:
    """The file that the run calls by this name: from here, in the content of the package, or where the run looked."""
    here = places.located(row["file"])
    if here is not None:
        return here
    folders = [path for path in (settings.audits, *settings.paths) if path is not None and path.exists()]
    for path in places.files_of_targets(folders):
        if places.shown(path) == row["file"]:
            return path
    raise ConfigurationError(f"the file {row['file']} is not here; {_remedy(header)}")


def _hold(header: Json, row: Json, files: Iterable[Path]) -> None:
    """ConfigurationError where the files of an item are not those that the run was made of."""
    if provenance.content_digest(files) != row["digest"]:
        raise ConfigurationError(
            f"the file {row['file']}, or what it rests on, has changed since the run; {_remedy(header)}"
        )


def _remedy(header: Json) -> str:
    commit = (header.get("checkout") or {}).get("commit")
    where = f", such as a checkout of the commit {commit[:12]}," if commit else ""
    return f"archive the run in the folder in which it was made{where} or name the folder of its claims with --proofs"


def _below(header: Json, row: Json) -> bool:
    """Does the file lie in a folder of content that the run searched, and was not named by path?"""
    folders: Iterable[Mapping[str, str]] = header.get("content") or ()
    return any(PurePosixPath(row["file"]).is_relative_to(PurePosixPath(one["folder"])) for one in folders)


def _name(row: Json, task: str | Path, path: Path) -> str:
    """What a file is called, from the name that the run gave to the file of its item."""
    home = PurePosixPath(row["file"]).parent
    beside = os.path.relpath(places.real(path.parent) / path.name, places.real(Path(task)).parent).replace(os.sep, "/")
    name = os.path.normpath((home / beside).as_posix()).replace(os.sep, "/")
    if name.startswith(".."):
        where = f"lies too far from what the run calls {row['file']}"
        raise ContentError(f"{path} {where}; make the run in a folder that is above both")
    return name


@cache
def _shipped() -> frozenset[str]:
    """The digests of what came with dpaudit; a checkout has its own copies of it."""
    folders = map(places.shipped_folder, ("proofs", "audits"))
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix in KINDS)
    return frozenset(sha256(path.read_bytes()) for path in files)
