"""Plots over the targets of a run, as SVG text: epsilons of all audits, p-values of the null controls.

All numbers that are drawn come back to the reader as a table of the report, so nothing is drawn that the caller did
not pass in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpaudit.report.page.drawing import CLAIMED, INK, MEASURED, QUIET, REFUTED, axes_in, legend, log_axis, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator

WIDTH, NAMES, ROW = 8.6, 2.7, 0.21
"""Inches: of a plot of many targets, of their names beside it, and of one target."""


@dataclass(frozen=True)
class ForestRow:
    """One target: epsilons (None where unknown or infinite); `refuted` changes the marker."""

    name: str
    measured: float | None
    claimed: float | None
    exact: float | None
    detectable: float | None
    refuted: bool


def p_values(curves: Sequence[tuple[str, tuple[float, ...]]]) -> str:
    """Of every null control, named: the share of its p-values, ascending in [0, 1], at or below each of them."""
    if not curves:
        raise ValueError("a plot of p-values needs at least one null control")

    def draw(figure: Figure) -> None:
        axes = axes_in(figure)
        axes.plot([0, 1], [0, 1], color=CLAIMED, linestyle="--", linewidth=1.4, label="uniform")
        for place, (name, values) in enumerate(curves):
            shares = [(i + 1) / len(values) for i in range(len(values))]
            style = ("-", ":", "-.", (0, (5, 1)))[place % 4]
            x, y = (0.0, *values, 1.0), (0.0, *shares, 1.0)
            axes.plot(x, y, color=MEASURED, linestyle=style, linewidth=1.1, drawstyle="steps-post", label=name)
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        axes.set_xlabel("p-value")
        axes.set_ylabel("share at or below")
        legend(axes, "lower right")

    names = ", ".join(name for name, _ in curves)
    description = f"Steps of the p-values of {names}, and the diagonal of uniform ones. Steps below the diagonal are "
    description += "cautious, steps far above it would show false alarms. The numbers are in the table below the plot."
    return picture(draw, (4.8, 3.7), "p-values of the null controls", description)


def forest(rows: Sequence[ForestRow]) -> str:
    """Claimed against measured epsilon, one line a target, first row on top; epsilons in logarithmic scale."""
    if not rows:
        raise ValueError("a forest plot needs at least one row")
    height = 0.95 + ROW * len(rows)

    def draw(figure: Figure) -> None:
        axes = axes_in(figure, (NAMES / WIDTH, 0.45 / height, 1 - (NAMES + 0.15) / WIDTH, 1 - 0.85 / height))
        left, right = _ends(rows)
        axes.set_xscale("log")
        axes.set_xlim(left, right)
        log_axis(axes.xaxis)
        axes.xaxis.set_major_locator(_ticks())
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        for place, row in enumerate(rows):
            _draw_row(axes, place, row, left, right)
        axes.set_xlabel("epsilon; 0 is drawn at the left edge")
        _forest_legend(axes)

    names = ", ".join(row.name for row in rows)
    description = f"For each of {names}: the lower bound that was measured, the epsilon that is claimed, the exact "
    description += "one where theory knows it, and the smallest violation that would have been caught. A thick line "
    description += "goes from a claim to the bound that exceeds it. The table has the numbers."
    return picture(draw, (WIDTH, height), "Claimed and measured epsilon per target", description)


def _ends(rows: Sequence[ForestRow]) -> tuple[float, float]:
    """The epsilons between which is drawn: no exact value far away presses the others together."""
    known = [v for r in rows for v in (r.measured, r.claimed, r.detectable) if v]
    return min([*known, 1.0]) / 1.3, 1.3 * max([*known, 0.1])


def _ticks() -> Locator:
    from matplotlib.ticker import LogLocator

    return LogLocator(subs=(1.0, 2.0, 5.0))


def _draw_row(axes: Axes, place: int, row: ForestRow, left: float, right: float) -> None:
    hue = REFUTED if row.refuted else MEASURED
    axes.text(-0.01, place, row.name, transform=axes.get_yaxis_transform(), fontsize=7.5, parse_math=False,
              ha="right", va="center")  # fmt: skip
    if row.measured is not None:
        measured = max(row.measured, left)
        if row.claimed:
            width, style = (2.6, "-") if measured > row.claimed else (0.9, ":")
            axes.plot([row.claimed, measured], [place, place], color=hue, linewidth=width, linestyle=style)
        marker = "X" if row.refuted else "o"
        axes.plot([measured], [place], color=hue, marker=marker, markersize=6, linestyle="none", clip_on=False)
    if row.claimed is not None:
        axes.plot([row.claimed] * 2, [place - 0.34, place + 0.34], color=CLAIMED, linewidth=2, linestyle="-")
    if row.exact is not None and left <= row.exact <= right:
        axes.plot([row.exact], [place], color=INK, marker="D", markersize=4, fillstyle="none", linestyle="none")
    if row.detectable is not None:
        axes.plot([row.detectable], [place], color=QUIET, marker="|", markersize=7, linestyle="none")


def _forest_legend(axes: Axes) -> None:
    for label, style in (
        ("measured, at least", {"color": MEASURED, "marker": "o"}),
        ("refuted: at least this", {"color": REFUTED, "marker": "X"}),
        ("claimed", {"color": CLAIMED, "linewidth": 2}),
        ("exact", {"color": INK, "marker": "D", "markersize": 4, "fillstyle": "none"}),
        ("caught in 9 of 10", {"color": QUIET, "marker": "|", "markersize": 7}),
    ):
        axes.plot([], [], label=label, linestyle="-" if "linewidth" in style else "none", **style)
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.4, 1.0),
        ncols=5,
        frameon=False,
        fontsize=7,
        handlelength=1.1,
        columnspacing=1.2,
        handletextpad=0.5,
        borderaxespad=0.2,
    )
