"""The command `archive`: a run as one file that can be published, checked and repeated."""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.cli import options, progress
from dpaudit.records.errors import ConfigurationError
from dpaudit.runs import store
from dpaudit.runs.executors import local


@click.command(name="archive")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@options.proofs_option
@click.option("-o", "--into", "file", metavar="FILE.zip", type=click.Path(dir_okay=False, path_type=Path),
              help="The archive.  [default: the name of the RUN, in the working directory]")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace a file that exists.")
@options.verbose_option
def command(folder: Path, proofs: Path | None, file: Path | None, force: bool) -> None:
    """Pack a RUN for an archive that gives DOIs.

    One ZIP file: the page, the records and certificates, the claims and targets that the run was made of, the checker
    of certificates, digests of all files, and a README that says how to check and repeat it. The same run gives the
    same bytes. Claim files are loaded, as by `resume`.
    """
    from dpaudit.report.archive.build import build

    place = file or Path(f"{folder.resolve().name or 'run'}.zip")
    _refuse(place, force)
    with progress.shown() as at:
        packed = build(folder, proofs, local.default_jobs(), at.doing)
        at.doing(f"writing {place}")
        store.put_bytes(place, packed)
    click.echo(str(place))


def _refuse(place: Path, force: bool) -> None:
    """ConfigurationError for a place that cannot take the archive, before the work."""
    if place.suffix != ".zip":
        raise ConfigurationError(f"an archive is a ZIP file, got {str(place)!r}; give it a name that ends in .zip")
    if place.exists() and not (force and place.is_file()):
        raise ConfigurationError(f"{str(place)!r} is there already; name another file, or replace it with --force")
    if not place.parent.is_dir():
        raise ConfigurationError(f"no folder {str(place.parent)!r}; make it, or name another place")
