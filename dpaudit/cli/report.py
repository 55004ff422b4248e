"""The command `report`: a run that is there, as a page or in any of the formats."""

from __future__ import annotations

from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli import output as cli_output
from dpaudit.report.formats.registry import FORMATS
from dpaudit.runs import baseline
from dpaudit.runs.reading import load_run

PAGE = "html"


@click.command(name="report")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--format", "export", type=click.Choice((PAGE, *FORMATS)), default=PAGE,
              show_default=True, help="Format; html writes report.html into the folder of the RUN.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@options.verbose_option
def command(folder: Path, export: str, output: Path | None) -> None:
    """Write the report of a RUN again, or another format of it.

    It is made from the records of the run alone.
    """
    carry_out(folder, export, output)


def carry_out(folder: Path, form: str, output: Path | None) -> None:
    """Write the run of `folder`; nothing but the page changes the folder. The exit code of the run is not repeated."""
    if form == PAGE:
        _page(folder, output)
        return
    run = load_run(folder)
    with cli_output.writer(*cli_output.destination(form, output)) as write:
        verbose = options.is_verbose(click.get_current_context())
        view = FORMATS[form].view(write, cli_output.announce, verbose)
        view.start(run.header, run.folder)
        view.show(run.verdicts)
        view.end(run, baseline.notes(run.header) if run.finished else [])


def _page(folder: Path, output: Path | None) -> None:
    from dpaudit.report.page.render import write_report

    if output is None:
        click.echo(str(write_report(folder)))
        return
    with cli_output.writer(output) as write:  # first: a place that cannot be written is said before the work
        page = write_report(folder)
        write(page.read_text(encoding="utf-8").removesuffix("\n"))
    click.echo(str(output))
    cli_output.complain(f"the plots and scores that the page links lie in {folder}")
