"""The command `replay`: repeats one verdict of a run and says whether it comes out as recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from dpaudit.cli import options, running
from dpaudit.cli.exports import opened
from dpaudit.cli.format_flag import Export
from dpaudit.cli.progress import shown
from dpaudit.report.formats import text
from dpaudit.runs import replay, store
from dpaudit.runs.differences import Difference
from dpaudit.runs.execute import asked_for
from dpaudit.runs.executors import local
from dpaudit.runs.reading import Run
from dpaudit.runs.replay import Comparison, Likeness

_SENTENCES = {
    Likeness.IDENTICAL: "identical to what is recorded",
    Likeness.SAME_OUTCOME: "the recorded outcome, with these differences",
    Likeness.DIFFERENT: "another outcome than the recorded one",
}


class _Text(text.Text):
    """For people; the comparison stands last, since the exit code is not that of a run."""

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        self._write(f"run folder {run.folder}" if self._quiet else "")
        for note in notes:
            self._write(note)


@click.command(name="replay")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("name", metavar="ID")
@click.option(
    "--run-dir",
    type=click.Path(path_type=Path),
    help="Folder of the replay, new or empty.  [default: runs/TIME-replay-SEED]",
)
@click.option("--anyway", is_flag=True, help="Replay even if the file of the claim or target has changed.")
@click.option("--exact", is_flag=True, help="Exit with code 1 if any value differs, not only the outcome.")
@click.option("--report/--no-report", default=True, show_default=True, help="Write report.html.")
@options.baseline_option
@options.export_options
@options.verbose_option
def command(
    folder: Path,
    name: str,
    *,
    forms: tuple[Export, ...],
    output: Path | None,
    run_dir: Path | None,
    report: bool,
    durations: int,
    anyway: bool,
    exact: bool,
    baseline: Path | None,
) -> None:
    """Repeat one verdict of a RUN, alone.

    It says whether the outcome is the recorded one; the exit code is 1 if it is not.
    """
    context = click.get_current_context()
    local.limit_threads()
    quiet = options.is_quiet(context)
    with shown(quiet) as progress, opened(forms, output, progress.heard, _Text) as view:
        again = replay.prepare(folder, name, anyway=anyway, known=baseline)
        seed = again.plan.settings.seed
        view.announce(f"seed {seed}")
        target = run_dir or store.default_folder("replay", seed)
        context.find_root().meta[running.FOLDER] = target
        view.start(asked_for(again.plan), target)
        observe = running.observer(view, progress, again.plan)
        result, found = replay.carry_out(again, target, observe, exact=exact)
        notes = running.notes(result, report, progress, durations)
        said = [*again.notes, *notes, *_comparison(found, exact)]
        view.end(Run(result.folder, result.header, result.verdicts), said)
    context.exit(int(found.exit_code(exact)))


def _comparison(found: Comparison, exact: bool) -> Iterator[str]:
    """What came out, the values that differ, the exit code."""
    yield text.one_line(f"{found.recorded.id}: {_SENTENCES[found.likeness]}")
    if found.found is None:
        yield "  the task gave no verdict of this id"
    yield from map(difference, found.differences)
    code = found.exit_code(exact)
    wanted = "every value of the verdict is" if exact else "the outcome is"
    yield f"Exit code {int(code)}: {wanted}{' not' if code else ''} as recorded."


def difference(row: Difference) -> str:
    """One value that is not the same, on a line."""
    return text.one_line(f"  {row.what}: was {row.before!r}, is {row.after!r}")
