"""Plots over the targets of a run, as SVG text: epsilons of all audits, p-values of the null controls.

All numbers that are drawn come back to the reader as a table of the report, so nothing is drawn that the caller did
not pass in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpaudit.report.page.drawing import CLAIMED, INK, MEASURED, QUIET, axes_in, legend, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
    """Claimed against measured epsilon, one line a target, first row on top."""
    if not rows:
        raise ValueError("a forest plot needs at least one row")
    height = 0.95 + 0.44 * len(rows)

    def draw(figure: Figure) -> None:
        axes = axes_in(figure, (0.03, 0.47 / height, 0.94, 1 - 0.9 / height))
        known = [v for r in rows for v in (r.measured, r.claimed, r.detectable) if v is not None]
        right = 1.08 * max([*known, 0.1])
        axes.set_xlim(-0.02 * right, right)
        axes.set_ylim(len(rows) - 0.45, -0.75)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        for place, row in enumerate(rows):
            _draw_row(axes, place, row, right)
        axes.set_xlabel("epsilon")
        _forest_legend(axes, height)

    names = ", ".join(row.name for row in rows)
    description = f"For each of {names}: the lower bound that was measured, the epsilon that is claimed, the exact "
    description += "one where theory knows it, and the smallest violation that would have been caught. "
    description += "The table has the numbers."
    return picture(draw, (4.8, height), "Claimed and measured epsilon per target", description)


def _draw_row(axes: Axes, place: int, row: ForestRow, right: float) -> None:
    axes.text(0, place - 0.28, row.name, fontsize=7.5, parse_math=False, va="bottom")
    if row.measured is not None:
        axes.plot([row.measured, right], [place, place], color=MEASURED, linewidth=0.8, linestyle="-")
        marker = "X" if row.refuted else "o"
        axes.plot([row.measured], [place], color=MEASURED, marker=marker, markersize=6, linestyle="none")
    if row.claimed is not None:
        axes.plot([row.claimed] * 2, [place - 0.2, place + 0.2], color=CLAIMED, linewidth=2, linestyle="-")
    if row.exact is not None and row.exact <= right:
        axes.plot([row.exact], [place], color=INK, marker="D", markersize=4, fillstyle="none", linestyle="none")
    if row.detectable is not None:
        axes.plot([row.detectable], [place], color=QUIET, marker="|", markersize=7, linestyle="none")


def _forest_legend(axes: Axes, height: float) -> None:
    for label, style in (
        ("measured, at least", {"color": MEASURED, "marker": "o"}),
        ("refuted", {"color": MEASURED, "marker": "X"}),
        ("claimed", {"color": CLAIMED, "linewidth": 2}),
        ("exact", {"color": INK, "marker": "D", "markersize": 4, "fillstyle": "none"}),
        ("caught in 9 of 10", {"color": QUIET, "marker": "|", "markersize": 7}),
    ):
        axes.plot([], [], label=label, linestyle="-" if "linewidth" in style else "none", **style)
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=5,
        frameon=False,
        fontsize=6.5,
        handlelength=1.1,
        columnspacing=1.0,
        handletextpad=0.5,
        borderaxespad=0.2,
    )
