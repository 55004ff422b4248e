"""Plots of a report, as SVG text: same numbers in, same bytes out.

Neutral ink is `currentColor`, so that a plot follows the light or dark page around it;
the two hues keep a contrast of 3:1 on both. Nothing is told by colour alone: every
series has its own line style or marker. All numbers that are drawn come back to the
reader as a table of the report, so nothing is drawn that the caller did not pass in.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from dpaudit.errors import MissingPackageError

INK = "#000000"  # becomes currentColor
MEASURED = "#3a7fc4"
CLAIMED = "#c9661a"
QUIET = "#808080"
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}"


@dataclass(frozen=True)
class Curve:
    """A step function: `y[i]` from `x[i]` up to `x[i + 1]`; rates in [0, 1], x ascending."""

    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Corner:
    """A measured operating point and the two one-sided limits that the decision uses; rates in [0, 1]."""

    false_positive_rate: float
    true_positive_rate: float
    false_positive_rate_upper: float
    true_positive_rate_lower: float


@dataclass(frozen=True)
class ForestRow:
    """One target: epsilons (None where unknown or infinite); `refuted` changes the marker."""

    name: str
    measured: float | None
    claimed: float | None
    exact: float | None
    detectable: float | None
    refuted: bool


def thin(curve: Curve, points: int) -> Curve:
    """At most `points` points of `curve`, evenly spread along the logarithm of x, both ends kept.

    A subset of the points of a rising step function lies on or below it, so that thinning
    never draws more leakage than was measured.
    """
    count = len(curve.x)
    if count <= points:
        return curve
    floor = min((x for x in curve.x if x > 0), default=1.0)
    place = [math.log(max(x, floor)) for x in curve.x]
    span = max(place[-1] - place[0], 1e-300)
    kept = {0, count - 1}
    cells: set[int] = set()
    for index in range(count):
        cell = math.floor((place[index] - place[0]) / span * (points - 3))
        if cell not in cells:
            cells.add(cell)
            kept.add(index)
    chosen = sorted(kept)
    return Curve(tuple(curve.x[i] for i in chosen), tuple(curve.y[i] for i in chosen))


def roc(
    name: str,
    measured: Curve,
    claim: Curve,
    claim_label: str,
    corner: Corner | None,
    floor: float,
    exact: Curve | None = None,
) -> str:
    """The ROC curve of one target on log-log axes, with the line of the claim and, where it is known, the exact one.

    floor: rate at which zeros are drawn, in (0, 1). The shaded region is what the claim
    rules out: a corner inside it refutes the claim.
    """
    if not 0 < floor < 1:
        raise ValueError(f"floor must be in (0, 1), got {floor}")

    def draw(figure: Any) -> None:
        axes = _axes(figure, (0.155, 0.14, 0.825, 0.82))
        _log_rates(axes, floor)
        above = [max(v, floor) for v in claim.y]
        below = [max(v, floor) for v in claim.x]
        axes.fill_between(below, above, 1.0, color=CLAIMED, alpha=0.13, linewidth=0)
        axes.plot([floor, 1], [floor, 1], color=QUIET, linestyle=":", linewidth=1, label="guessing")
        axes.plot(below, above, color=CLAIMED, linestyle="--", linewidth=1.4, label=f"claim: {claim_label}")
        if exact is not None:
            x, y = [max(v, floor) for v in exact.x], [max(v, floor) for v in exact.y]
            axes.plot(x, y, color=INK, linestyle="-.", linewidth=1, label="exact")
        x, y = [max(v, floor) for v in measured.x], [max(v, floor) for v in measured.y]
        axes.plot(x, y, color=MEASURED, linewidth=1.4, drawstyle="steps-post", label="measured")
        if corner is not None:
            _draw_corner(axes, corner, floor)
        axes.set_xlabel("false-positive rate")
        axes.set_ylabel("true-positive rate")
        _legend(axes, "lower right")

    description = f"Measured curve of {len(measured.x)} points, the line of the claim {claim_label}, "
    description += "and the region above it that the claim rules out. The numbers are in the table below the plot."
    return _svg(draw, (4.8, 3.7), f"ROC curve of {name}, both axes logarithmic", description)


def p_values(curves: Sequence[tuple[str, tuple[float, ...]]]) -> str:
    """Of every null control, named: the share of its p-values, ascending in [0, 1], at or below each of them."""
    if not curves:
        raise ValueError("a plot of p-values needs at least one null control")

    def draw(figure: Any) -> None:
        axes = _axes(figure, (0.155, 0.14, 0.825, 0.82))
        axes.plot([0, 1], [0, 1], color=CLAIMED, linestyle="--", linewidth=1.4, label="uniform")
        for place, (name, values) in enumerate(curves):
            shares = [(i + 1) / len(values) for i in range(len(values))]
            style = ("-", ":", "-.", (0, (5, 1)))[place % 4]
            x, y = (0.0, *values, 1.0), (0.0, *shares, 1.0)
            axes.plot(x, y, color=MEASURED, linestyle=style, linewidth=1.1, drawstyle="steps-post", label=name)
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        axes.set_xlabel("p-value")
        axes.set_ylabel("share at or below")
        _legend(axes, "lower right")

    names = ", ".join(name for name, _ in curves)
    description = f"Steps of the p-values of {names}, and the diagonal of uniform ones. Steps below the diagonal are "
    description += "cautious, steps far above it would show false alarms. The numbers are in the table below the plot."
    return _svg(draw, (4.8, 3.7), "p-values of the null controls", description)


def forest(rows: Sequence[ForestRow]) -> str:
    """Claimed against measured epsilon, one line a target, first row on top."""
    if not rows:
        raise ValueError("a forest plot needs at least one row")
    height = 0.95 + 0.44 * len(rows)

    def draw(figure: Any) -> None:
        axes = _axes(figure, (0.03, 0.47 / height, 0.94, 1 - 0.9 / height))
        known = [v for r in rows for v in (r.measured, r.claimed, r.exact, r.detectable) if v is not None]
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
    return _svg(draw, (4.8, height), "Claimed and measured epsilon per target", description)


def _draw_corner(axes: Any, corner: Corner, floor: float) -> None:
    x, y = max(corner.false_positive_rate, floor), max(corner.true_positive_rate, floor)
    edge_x, edge_y = max(corner.false_positive_rate_upper, floor), max(corner.true_positive_rate_lower, floor)
    axes.plot([x, edge_x], [edge_y, edge_y], color=INK, linewidth=1)
    axes.plot([edge_x, edge_x], [y, edge_y], color=INK, linewidth=1)
    label = "decision point, limits of its rates"
    axes.plot([x], [y], color=INK, marker="o", markersize=4, linestyle="none", label=label)


def _draw_row(axes: Any, place: int, row: ForestRow, right: float) -> None:
    axes.text(0, place - 0.28, row.name, fontsize=7.5, parse_math=False, va="bottom")
    if row.measured is not None:
        axes.plot([row.measured, right], [place, place], color=MEASURED, linewidth=0.8, linestyle="-")
        marker = "X" if row.refuted else "o"
        axes.plot([row.measured], [place], color=MEASURED, marker=marker, markersize=6, linestyle="none")
    if row.claimed is not None:
        axes.plot([row.claimed] * 2, [place - 0.2, place + 0.2], color=CLAIMED, linewidth=2, linestyle="-")
    if row.exact is not None:
        axes.plot([row.exact], [place], color=INK, marker="D", markersize=4, fillstyle="none", linestyle="none")
    if row.detectable is not None:
        axes.plot([row.detectable], [place], color=QUIET, marker="|", markersize=7, linestyle="none")


def _forest_legend(axes: Any, height: float) -> None:
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


def _axes(figure: Any, place: tuple[float, float, float, float]) -> Any:
    axes = figure.add_axes(place)
    axes.patch.set_visible(False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(visible=True, color=QUIET, alpha=0.25, linewidth=0.5)
    axes.set_axisbelow(True)
    return axes


def _log_rates(axes: Any, floor: float) -> None:
    from matplotlib.ticker import FuncFormatter, NullLocator

    axes.set(xscale="log", yscale="log", xlim=(floor, 1.15), ylim=(floor, 1.15))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))  # no mathtext: plain words
        axis.set_minor_locator(NullLocator())


def _legend(axes: Any, place: str) -> None:
    legend = axes.legend(loc=place, frameon=False, fontsize=7, handlelength=2.2, borderaxespad=0.4)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _svg(draw: Callable[[Any], None], size: tuple[float, float], title: str, description: str) -> str:
    """Run `draw` on a fresh figure of `size` inches and return clean, deterministic SVG."""
    try:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError("matplotlib", "report") from error
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # a user's matplotlibrc must not change the bytes of a report
        matplotlib.rcParams.update({"svg.hashsalt": "dpaudit", "svg.fonttype": "none", "font.size": 8})
        matplotlib.rcParams.update({"axes.linewidth": 0.6, "xtick.major.width": 0.6, "ytick.major.width": 0.6})
        figure = Figure(figsize=size)
        FigureCanvasSVG(figure)
        draw(figure)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return _clean(buffer.getvalue(), title, description)


def _clean(text: str, title: str, description: str) -> str:
    """Drop metadata and unused ids, name the picture, and make the ids unique on a page."""
    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(text.encode())
    for parent in list(root.iter()):  # the style element would reach the whole page around the picture
        for child in list(parent):
            if child.tag in {f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"}:
                parent.remove(child)
    body = ElementTree.tostring(root, encoding="unicode")
    used = set(re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", body))
    prefix = f"p{_digest(title + text)}-"
    for element in root.iter():
        _rename(element, used, prefix)
    for key in ("width", "height"):
        root.attrib.pop(key)
    root.attrib.update({"role": "img", "aria-labelledby": f"{prefix}t {prefix}d", "fill": "currentColor"})
    root.attrib.update({"stroke-linejoin": "round", "font-family": "system-ui, sans-serif"})
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(f"{{{_SVG}}}{tag}", {"id": prefix + tag[0]})
        element.text = words
        root.insert(place, element)
    body = ElementTree.tostring(root, encoding="unicode")
    body = re.sub(r"font-family: [^;\"]*;? ?", "", body)
    return re.sub(r">\s+<", "><", body).replace(INK, "currentColor")


def _rename(element: ElementTree.Element, used: set[str], prefix: str) -> None:
    name = element.attrib.pop("id", None)
    if name in used:
        element.set("id", f"{prefix}{name}")
    for key, value in list(element.attrib.items()):
        if key == f"{_XLINK}href":
            del element.attrib[key]
            key = "href"
        element.set(key, re.sub(r"^#|(?<=url\()#", f"#{prefix}", value) if key in {"href", "clip-path"} else value)


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()[:8]
