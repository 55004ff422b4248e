"""The command `report`: a run that is there, as a page or in any of the formats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli import output as cli_output
from dpaudit.cli.exports import placed, written
from dpaudit.cli.format_flag import Export, ExportType
from dpaudit.report.formats.registry import FORMATS
from dpaudit.runs import baseline
from dpaudit.runs.executors import local
from dpaudit.runs.reading import load_run

PAGE = "html"


@click.command(name="report")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--format", "exports", type=ExportType((PAGE, *FORMATS)), multiple=True, default=(PAGE,),
              help="Format, and its file; may be repeated. html writes report.html into the folder of the RUN.  "
                   "[default: html]")  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
              help="File of the format that names none.")  # fmt: skip
@options.verbose_option
def command(folder: Path, exports: tuple[Export, ...], output: Path | None) -> None:
    """Write the report of a RUN again, or other formats of it.

    They are made from the records of the run alone.
    """
    carry_out(folder, exports, output)


def carry_out(folder: Path, exports: Sequence[Export], output: Path | None) -> None:
    """Write the run of `folder`; nothing but the page changes the folder. The exit code of the run is not repeated."""
    pages = [file or output for form, file in exports if form == PAGE]
    others = placed([export for export in exports if export.form != PAGE], None if pages else output)
    for file in pages:
        _page(folder, file)
    if not others:
        return
    run = load_run(folder)
    with written(others) as view:
        view.start(run.header, run.folder)
        view.show(run.verdicts)
        view.end(run, baseline.notes(run.header) if run.finished else [])


def _page(folder: Path, output: Path | None) -> None:
    from dpaudit.report.page.render import write_report

    if output is None:
        click.echo(str(write_report(folder, local.default_jobs())))
        return
    with cli_output.writer(output) as write:  # first: a place that cannot be written is said before the work
        page = write_report(folder, local.default_jobs())
        write(page.read_text(encoding="utf-8").removesuffix("\n"))
    click.echo(str(output))
    cli_output.complain(f"the pages, plots and scores that the page links lie in {folder}")
