"""Figures of a run as files of their own: the graph of a paper, all audits at once, null controls, one target."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.report import sections
from dpaudit.report.page import drawing, figures, graph, margins
from dpaudit.report.wording import clean
from dpaudit.runs import store
from dpaudit.runs.reading import Run

AUDITS, NULLS = "audits", "null-controls"
"""What the figures of many targets are asked by; an id of a target has a slash."""
CHECKS = "checks:"
"""What stands before the id of a target in the name of the figure of its structural checks."""
SHARP = 2.0
"""Pixels of a PNG for each unit of the drawing: sharp on screens of twice the usual density."""


@dataclass(frozen=True)
class Drawing:
    """name: what the figure is asked by; words: what it shows; stem: of its file; document: its SVG text."""

    name: str
    words: str
    stem: str
    document: Callable[[], str]

    def write(self, folder: Path, png: bool = False) -> Path:
        """The file in `folder`, made anew, which is returned; nobody sees half of it."""
        file = folder / f"{self.stem}.{'png' if png else 'svg'}"
        text = self.document()
        if png:
            store.put_bytes(file, raster(text))
        else:
            store.put(file, text)
        return file


def drawings(run: Run) -> tuple[Drawing, ...]:
    """Every figure of the run: papers with a graph, all audits, null controls, the targets with plots, and those that
    structural checks refute."""
    return (*_of_papers(run), *_of_many(run), *_of_targets(run), *_of_checks(run))


def _of_papers(run: Run) -> Iterator[Drawing]:
    for paper in sections.papers(run.verdicts):
        if graph.svg(run.verdicts, paper.name):
            name = clean(paper.name)
            words = f"The claims of {name}, and what each rests on"
            yield Drawing(name, words, f"graph-{plain(name)}", partial(graph.document, run.verdicts, paper.name))


def _of_many(run: Run) -> Iterator[Drawing]:
    if figures.forest_rows(run.verdicts):
        words = "Claimed and measured epsilon of the audits"
        yield Drawing(AUDITS, words, AUDITS, partial(_forest, run, words))
    nulls = figures.null_p_values(run.folder, run.verdicts)
    if nulls is not None:
        words = "P-values of the null controls"
        yield Drawing(NULLS, words, NULLS, partial(drawing.together, [nulls.svg], words))


def _forest(run: Run, title: str) -> str:
    return drawing.together([figures.forest(run.verdicts)], title)


def _of_targets(run: Run) -> Iterator[Drawing]:
    for name, figure in figures.figures(run.folder, run.verdicts).items():
        words = clean(figure.verdict.title) or "Plots of the game"
        yield Drawing(clean(name), words, Path(figure.link).stem, partial(getattr, figure, "document"))


def _of_checks(run: Run) -> Iterator[Drawing]:
    for verdict in run.verdicts:
        if found := margins.margins(verdict):
            name = clean(verdict.id)
            words = "Structural checks that refute it, each against its limit"
            yield Drawing(f"{CHECKS}{name}", words, f"checks-{plain(name)}", partial(_margins, found, name))


def _margins(found: tuple[margins.Margin, ...], name: str) -> str:
    return drawing.together([margins.svg(found, name)], name)


def raster(svg: str) -> bytes:
    """The drawing as PNG, in the fonts that come with matplotlib: the same picture on every machine.

    MissingPackageError without resvg_py or matplotlib.
    """
    try:
        import resvg_py
    except ImportError as error:
        raise MissingPackageError("resvg_py", "report") from error
    try:
        import matplotlib
    except ImportError as error:
        raise MissingPackageError("matplotlib", "report") from error
    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    try:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                zoom=SHARP,
                skip_system_fonts=True,
                font_dirs=[str(fonts)],
                font_family="DejaVu Sans",
                sans_serif_family="DejaVu Sans",
                monospace_family="DejaVu Sans Mono",
            )
        )
    except ValueError as error:
        raise ContentError(f"the drawing cannot be made a PNG: {error}") from error


def plain(name: str) -> str:
    """A name that is a file name everywhere."""
    return re.sub(r"[^\w.-]+", "-", name)
