"""Error against epsilon as figures: one small plot a method, in which the others stand pale.

They draw the numbers of a file that `benchmarks/utility/` writes, and compute none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dpaudit.records import shapes
from dpaudit.records.documents import parse, read_text
from dpaudit.records.errors import ContentError
from dpaudit.records.record_schemas import NUMBER, TEXT, Schema, closed, or_null
from dpaudit.records.serial import Json
from dpaudit.report.page import drawing
from dpaudit.report.page.drawing import INK, MEASURED, QUIET, axes_in, log_axis, picture
from dpaudit.report.page.files import Drawing, plain
from dpaudit.report.wording import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS, WIDTH, HEIGHT, FOOT = 3, 2.7, 1.75, 0.3
"""Plots in a row; inches of a plot, and below the last row."""
_ACROSS = COLUMNS * WIDTH
NAME = 40
"""Characters of a method above its plot."""
DECADES = 100.0
"""Axes that span less have a number at twice and five times the powers of ten too."""
NEAR = 30.0
"""A method that is not private is drawn where its error is no smaller than the least other one by this factor."""
_POSITIVE: Schema = {"type": "number", "exclusiveMinimum": 0}
_REAL: Schema = {"type": "number"}
_MEAN = closed({"value": _REAL, "low": _REAL, "high": _REAL})
_ROW = closed({
    "method": TEXT, "epsilon": or_null(_POSITIVE), "noise": _REAL, "setting": TEXT, "trials": NUMBER,
    "errors": {"type": "object", "additionalProperties": _MEAN},
})  # fmt: skip
_TABLE = closed({
    "title": TEXT, "delta": _REAL, "epsilons": {"type": "array", "items": _POSITIVE}, "trials": NUMBER,
    "tuning_trials": NUMBER, "confidence": _REAL, "rows": {"type": "array", "items": _ROW},
})  # fmt: skip
SCHEMA = closed({"command": TEXT, "seed": NUMBER, "tables": {"type": "array", "items": _TABLE}})


@dataclass(frozen=True)
class Method:
    """The mean errors of a method at ascending epsilons, and the ends of their intervals; one that is not private has
    one error and no epsilon."""

    name: str
    epsilons: tuple[float, ...]
    values: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]


@dataclass(frozen=True)
class Errors:
    """One error of all methods of a table; confidence: of each interval; delta: at which the epsilons hold."""

    title: str
    error: str
    delta: float
    confidence: float
    methods: tuple[Method, ...]


def read(file: Path) -> tuple[Errors, ...]:
    """The tables of a file, error by error; ContentError for anything else than such a file."""
    data = parse(read_text(file), str(file))
    shapes.hold(data, SCHEMA, {}, str(file))
    return tuple(
        Errors(clean(table["title"]), clean(error), table["delta"], table["confidence"], _methods(table["rows"], error))
        for table in data["tables"]
        for error in dict.fromkeys(name for row in table["rows"] for name in row["errors"])
    )


def _methods(rows: Sequence[Json], error: str) -> tuple[Method, ...]:
    names = dict.fromkeys(row["method"] for row in rows)
    return tuple(_method(name, [row for row in rows if row["method"] == name], error) for name in names)


def _method(name: str, rows: Sequence[Json], error: str) -> Method:
    private = sorted((row for row in rows if row["epsilon"] is not None), key=lambda row: float(row["epsilon"]))
    means = [row["errors"][error] for row in private or rows if error in row["errors"]]
    values, lows, highs = (tuple(float(mean[key]) for mean in means) for key in ("value", "low", "high"))
    return Method(clean(name), tuple(float(row["epsilon"]) for row in private), values, lows, highs)


def drawings(file: Path) -> tuple[Drawing, ...]:
    """Every figure of the file: `objective-gap`, and `objective-gap-2` for that of its second table."""
    seen: list[str] = []
    found = []
    for one in read(file):
        name = plain(one.error)
        seen.append(name)
        name += f"-{seen.count(name)}" if seen.count(name) > 1 else ""
        words = f"{one.error} against epsilon. {one.title}"
        found.append(Drawing(name, words, f"{plain(file.stem)}-{name}", partial(document, one)))
    return tuple(found)


def document(found: Errors) -> str:
    """The figure as one SVG file."""
    return drawing.together([svg(found)], f"{found.error} against epsilon. {found.title}")


def svg(found: Errors) -> str:
    """One plot a private method, all with the same axes, as SVG text; ContentError where there is nothing to draw."""
    private = [method for method in found.methods if method.epsilons]
    if not private or not any(value > 0 for method in private for value in method.values):
        raise ContentError(
            f"{found.title}: no private method has a positive {found.error}, so there is nothing to draw"
        )
    down = math.ceil(len(private) / COLUMNS)
    height = HEIGHT * down + FOOT

    def draw(figure: Figure) -> None:
        for place, method in enumerate(private):
            left, top = place % COLUMNS * WIDTH, place // COLUMNS * HEIGHT
            box = (left + 0.5) / _ACROSS, 1 - (top + HEIGHT - 0.12) / height
            axes = axes_in(figure, (*box, (WIDTH - 0.6) / _ACROSS, (HEIGHT - 0.4) / height))
            _frame(axes, found, private, labelled=place + COLUMNS >= len(private))
            _curves(axes, method, private)
            _floors(axes, found)

    words = f"One plot for each of {', '.join(method.name for method in private)}: its mean {found.error} at epsilons "
    words += f"with delta {found.delta:g}, with intervals at {found.confidence:.0%}; the other methods are pale. "
    words += "A dotted line is a method that is not private, unless its error is far smaller. "
    words += "The numbers are in the table with this figure."
    return picture(draw, (_ACROSS, height), f"{found.error} against epsilon", words)


def _frame(axes: Axes, found: Errors, private: Sequence[Method], labelled: bool) -> None:
    """Axes that are the same in every plot; labelled: nothing stands below this one."""
    from matplotlib.ticker import FixedLocator, LogLocator

    epsilons = sorted({epsilon for method in private for epsilon in method.epsilons})
    low, high = _range(found, private)
    axes.set(xscale="log", yscale="log", xlim=(epsilons[0] / 1.25, epsilons[-1] * 1.25), ylim=(low, high))
    for axis in (axes.xaxis, axes.yaxis):
        log_axis(axis)
    axes.xaxis.set_major_locator(FixedLocator(epsilons))
    if high < DECADES * low:
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.tick_params(labelsize=7)
    if labelled:
        axes.set_xlabel("epsilon", fontsize=7.5, labelpad=1)


def _range(found: Errors, private: Sequence[Method]) -> tuple[float, float]:
    """Of the errors of all private methods, and of others that are not far below."""
    values = [value for method in private for value in (*method.values, *method.highs) if value > 0]
    least = min(values)
    near = [value for method in found.methods for value in method.values if least / NEAR < value < least]
    return min([least, *near]) / 1.4, max(values) * 1.4


def _curves(axes: Axes, method: Method, private: Sequence[Method]) -> None:
    for other in private:
        if other is not method:
            axes.plot(other.epsilons, other.values, color=QUIET, alpha=0.45, linewidth=0.8)
    floor = axes.get_ylim()[0]
    axes.fill_between(method.epsilons, [max(low, floor) for low in method.lows], method.highs, color=MEASURED,
                      alpha=0.25, linewidth=0)  # fmt: skip
    axes.plot(method.epsilons, method.values, color=MEASURED, linewidth=1.6, marker="o", markersize=3)
    axes.set_title(shortened(method.name), fontsize=8, loc="left", pad=4, parse_math=False)


def _floors(axes: Axes, found: Errors) -> None:
    """What methods that are not private reach, where the plot goes that far down."""
    for method in found.methods:
        for value in () if method.epsilons else filter(axes.get_ylim()[0].__lt__, method.values):
            axes.axhline(value, color=INK, linestyle=":", linewidth=1.0)


def shortened(name: str) -> str:
    """A name that fits above a plot."""
    return name if len(name) <= NAME else f"{name[: NAME - 3]}..."
