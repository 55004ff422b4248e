"""Offline HTML from a run folder: reads the records, computes no outcome.

The pages ask the network for nothing, and say all that they have to say without their script, which searches. The same
records give the same bytes; durations and dates stand in the provenance section alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from dpaudit.records.errors import ContentError
from dpaudit.report.page import figures
from dpaudit.report.page.pages import FRONT, Texts, pages
from dpaudit.runs import store
from dpaudit.runs.executors import local
from dpaudit.runs.executors.dask import WorkerDied
from dpaudit.runs.reading import Run, load_run

FEW = 16
"""Targets whose plots are drawn sooner than another process is there."""


def write_report(folder: Path, jobs: int = 1) -> Path:
    """Write the pages, and plots/ with the plots of each target, into `folder`; the path of the front page.

    jobs: processes that make them, where there are more than FEW targets.
    """
    for path, text in texts(load_run(folder), jobs):
        _put(folder / path, text)
    return folder / FRONT


def texts(run: Run, jobs: int = 1) -> Iterator[tuple[str, str]]:
    """The pages and the plots of a run, each with its path in the run folder; jobs as of `write_report`."""
    drawn = list(figures.figures(run.folder, run.verdicts).values())
    makers: list[Callable[[], Texts]] = [partial(pages, run), *(partial(_plots, figure) for figure in drawn)]
    for place, made in local.execute(_made, makers, jobs if len(drawn) > FEW else 1):
        yield from (makers[place]() if isinstance(made, WorkerDied) else made).items()


def _made(maker: Callable[[], Texts]) -> Texts:
    return maker()


def _plots(figure: figures.Figure) -> Texts:
    return {figure.link: figure.document}


def _put(file: Path, text: str) -> None:
    if file.parent.is_symlink() and file.name != FRONT:
        raise ContentError(f"{file.parent} is a link: pages and plots are written into the run folder alone")
    file.parent.mkdir(exist_ok=True)
    store.put(file, text)
