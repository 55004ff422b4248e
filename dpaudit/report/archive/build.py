"""Builds the archive of a run, one ZIP file: one dpaudit gives the same bytes for the same run, wherever and whenever.

Names are sorted, times and rights are fixed. The page is made of the records, so that it is theirs. Deflated bytes are
those of the zlib that is used; what is in them, and the manifest, are the same everywhere.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from dpaudit import recheck
from dpaudit.content.places import PACKAGE
from dpaudit.records import documents
from dpaudit.records.digests import sha256
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.report.archive import citation, readme
from dpaudit.report.archive.content import content_of
from dpaudit.report.archive.layout import CHECKER, CONTENT, MANIFEST, README, RUN
from dpaudit.report.page.render import texts
from dpaudit.runs import check, opinions, resume, signatures, store
from dpaudit.runs.reading import Run, load_run, read_attachment

TIME = (1980, 1, 1, 0, 0, 0)
"""Of every file: the earliest that a ZIP file can have."""
_MODE = 0o100644 << 16
_UNIX = 3
_MAIN = '''"""Checks certificates with nothing installed; where the archive lies: `python -I -S checker FILE...`."""

import sys

from dpaudit.recheck.__main__ import main

sys.exit(main(sys.argv[1:]))
'''
Files = dict[str, bytes]
"""Bytes by path in the archive."""


def build(
    folder: Path, proofs: Path | None = None, jobs: int = 1, tell: Callable[[str], None] = lambda _: None
) -> bytes:
    """The archive of the run in `folder`; proofs: where its claims lie now; jobs: processes that make its page; tell:
    hears what is done.

    Raises ContentError for a run that is damaged or has files that lead out of it, ConfigurationError for one that is
    not finished or whose content is not here as it was, MissingPackageError without what draws pages.
    """
    tell("looking at the digests of the run")
    run = _whole(folder)
    files = {f"{RUN}/{name}": data for name, data in _of_run(run).items()}
    tell("collecting what the run was made of")
    content = content_of(run, proofs)
    files |= {f"{CONTENT}/{name}": data for name, data in content.files.items()}
    tell("making the page")
    for name, text in texts(run, jobs):
        _add(files, f"{RUN}/{name}", text.encode())
    files |= {f"{CHECKER}/{name}": data for name, data in _checker()}
    made = {
        "CITATION.cff": citation.cff(),
        "codemeta.json": citation.codemeta(),
        citation.LICENCE_FILE: citation.licence(),
        ".zenodo.json": citation.zenodo(run.header, content.ours),
        README: readme.text(run, content.ours, files),
    }
    files |= {name: text.encode() for name, text in made.items()}
    files[MANIFEST] = manifest(files).encode()
    tell(f"packing {len(files)} files")
    return packed(files)


def manifest(files: Mapping[str, bytes]) -> str:
    """A line for each file, as `sha256sum -c` reads it; ContentError for a name that it would read otherwise."""
    for name in files:
        if not name.isprintable() or "\\" in name:
            raise ContentError(f"the run names a file {name!r}, which a list of digests cannot hold; it is damaged")
    return "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files))


def packed(files: Mapping[str, bytes]) -> bytes:
    """The files as a ZIP file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, TIME)
            entry.create_system, entry.external_attr = _UNIX, _MODE
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _whole(folder: Path) -> Run:
    """The run, where it is finished and every digest is right."""
    damaged = [row for row in check.check(folder) if row["state"] == check.DAMAGED]
    if damaged:
        more = f" (and {len(damaged) - 1} more: dpaudit check {folder})" if damaged[1:] else ""
        raise ContentError(f"{damaged[0]['name']}: {damaged[0]['detail']}{more}; what is damaged is not archived")
    run = load_run(folder)
    if resume.finished(folder, run.header) is None:
        raise ConfigurationError(f"the run of {str(folder)!r} is not finished; first: dpaudit resume {folder}")
    return run


def _of_run(run: Run) -> Files:
    """The records of the run, what was kept beside them, and the files that they name."""
    files: Files = {}
    for name, most in ((store.RUN, documents.MOST), (store.RECORDS, documents.MOST_OF_LINES)):
        files[name] = documents.read_bytes(run.folder / name, most, run.folder)
    for name in (signatures.SIGNATURE, opinions.FILE):
        if (run.folder / name).exists():
            files[name] = documents.read_bytes(run.folder / name, inside=run.folder)
    for verdict in run.verdicts:
        for name in verdict.attachments:
            path = PurePosixPath(name)
            if path.as_posix() != name or path.is_absolute() or ".." in path.parts or len(path.parts) < 2:
                raise ContentError(f"{verdict.id} names the file {name!r}; files of verdicts lie in folders of the run")
            _add(files, name, read_attachment(run.folder, verdict, name).encode())
    return files


def _add(files: Files, name: str, data: bytes) -> None:
    if files.setdefault(name, data) != data:
        raise ContentError(f"{name} is a page of the run and a file that a verdict names; the run is damaged")


def _checker() -> Iterator[tuple[str, bytes]]:
    """The source of the checker, and what starts it where nothing is installed."""
    yield "__main__.py", _MAIN.encode()
    home = Path(recheck.__path__[0])
    for path in (PACKAGE / "__init__.py", *sorted(home.rglob("*.py"))):
        yield path.relative_to(PACKAGE.parent).as_posix(), path.read_bytes()
