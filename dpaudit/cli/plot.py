"""The command `plot`: figures of a run as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import complain
from dpaudit.records.errors import UnknownNameError
from dpaudit.runs.reading import load_run


@click.command(name="plot")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--png", is_flag=True, help="Write PNG files instead of SVG.")
@click.option("-o", "--into", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path), default=Path(),
              help="Folder of the files, made where it is not there.  [default: the working directory]")  # fmt: skip
@options.verbose_option
def command(folder: Path, names: Sequence[str], png: bool, into: Path) -> None:
    """Draw figures of a RUN, each as a file.

    NAME is the id of a target, checks: and the id of one that structural checks refute, the name of a paper, audits or
    null-controls. Without a NAME the figures are listed. In the place of a RUN a file of errors against epsilon, as
    reports/utility/ has them, is drawn too.
    """
    from dpaudit.report.page import files, utility

    drawings = utility.drawings(folder) if folder.is_file() else files.drawings(load_run(folder))
    found = {drawing.name: drawing for drawing in drawings}
    for name in names:
        if name not in found:
            raise UnknownNameError("figure", name, found, see=f"dpaudit plot {folder}")
    if not names:
        for name, drawing in found.items():
            click.echo(f"{name}  {drawing.words}")
        if not found:
            complain("the run has no figure: no target was played, and no claim rests on another")
        return
    into.mkdir(parents=True, exist_ok=True)
    for name in dict.fromkeys(names):
        click.echo(str(found[name].write(into, png=png)))
