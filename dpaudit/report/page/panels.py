"""The four plots of one audited target, as SVG text: ROC, trade-off, epsilon over trials, power.

They draw the numbers of a scores file and compute none: every number that is drawn stands in a table beside the plots.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from dpaudit.report.page.drawing import CLAIMED, INK, MEASURED, QUIET, axes_in, legend, log_axis, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

SIZE = (4.8, 3.7)
_MOST_DRAWN = 4_096

Known = float | None


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
class Band:
    """Limits of both rates at some thresholds, all at once with probability 0.95; rates in [0, 1]."""

    false_positive_rate_lower: tuple[float, ...]
    false_positive_rate_upper: tuple[float, ...]
    true_positive_rate_lower: tuple[float, ...]
    true_positive_rate_upper: tuple[float, ...]


@dataclass(frozen=True)
class Progress:
    """Epsilon after more and more trials a side, between limits that hold at all of them; None where infinite."""

    trials: tuple[int, ...]
    epsilon_lower: tuple[Known, ...]
    epsilon: tuple[Known, ...]
    epsilon_upper: tuple[Known, ...]


@dataclass(frozen=True)
class Power:
    """The chance, in [0, 1], that violations of these epsilons are caught; how: "at least" or "simulated"."""

    how: str
    epsilon: tuple[float, ...]
    chance: tuple[float, ...]


@dataclass(frozen=True)
class Measurement:
    """What a scores file holds of one target; floor: the rate at which zeros are drawn on logarithmic axes, in (0, 1);
    claimed, exact_epsilon: None where unknown or infinite."""

    name: str
    measured: Curve
    claim: Curve
    claim_label: str
    floor: float
    trials: int
    exact: Curve | None = None
    corner: Corner | None = None
    band: Band | None = None
    ruled_out: Curve | None = None
    progress: Progress | None = None
    power: Power | None = None
    claimed: Known = None
    exact_epsilon: Known = None


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


@lru_cache(maxsize=_MOST_DRAWN)
def panels(found: Measurement) -> tuple[str, ...]:
    """The plots that the numbers allow, in the order ROC, trade-off, epsilon over trials, power."""
    drawn = [roc(found), tradeoff(found)]
    if found.progress is not None:
        drawn.append(epsilon_over_trials(found, found.progress))
    if found.power is not None and found.power.epsilon:
        drawn.append(power(found, found.power))
    return tuple(drawn)


def roc(found: Measurement) -> str:
    """True-positive against false-positive rate, both logarithmic: measured with its band, claimed, exact where known.

    The shaded region is what the claim rules out: a corner inside it refutes the claim."""
    if not 0 < found.floor < 1:
        raise ValueError(f"floor must be in (0, 1), got {found.floor}")

    def draw(figure: Figure) -> None:
        axes, edges = axes_in(figure), (found.floor, 1.15)
        axes.set(xscale="log", yscale="log", xlim=edges, ylim=edges)
        log_axis(axes.xaxis)
        log_axis(axes.yaxis)
        _draw_rates(axes, found)
        if found.corner is not None:
            _draw_corner(axes, found.corner, found.floor)
        axes.set(xlabel="false-positive rate", ylabel="true-positive rate")
        _named(axes, "ROC, both axes logarithmic")
        legend(axes, "lower right")

    description = (
        f"Measured curve of {len(found.measured.x)} points{' with its band' if found.band else ''}, the line of the "
        f"claim {found.claim_label}, and the region above it that the claim rules out."
    )
    return picture(draw, SIZE, f"ROC curve of {found.name}, both axes logarithmic", description)


def _draw_rates(axes: Axes, found: Measurement) -> None:
    floor = found.floor

    def raised(curve: Curve) -> tuple[list[float], list[float]]:
        return [max(x, floor) for x in curve.x], [max(y, floor) for y in curve.y]

    axes.fill_between(*raised(found.claim), 1.0, color=CLAIMED, alpha=0.13, linewidth=0, label="excluded by the claim")
    axes.plot([floor, 1], [floor, 1], color=QUIET, linestyle=":", linewidth=1, label="guessing")
    label = f"claim: {found.claim_label}"
    axes.plot(*raised(found.claim), color=CLAIMED, linestyle="--", linewidth=1.4, label=label)
    if found.exact is not None:
        axes.plot(*raised(found.exact), color=INK, linestyle="-.", linewidth=1, label="exact")
    if found.band is not None:
        x, y = zip(*_below(found.band), *reversed(_above(found.band)), strict=True)
        axes.fill(*raised(Curve(x, y)), color=MEASURED, alpha=0.25, linewidth=0, label="95 % band")
    axes.plot(*raised(found.measured), color=MEASURED, linewidth=1.4, drawstyle="steps-post", label="measured")


def tradeoff(found: Measurement) -> str:
    """Type-II against type-I error: what the claim allows no test to reach, and what the measurement rules out."""
    claim = found.claim

    def draw(figure: Figure) -> None:
        axes = axes_in(figure)
        missed = [1 - y for y in claim.y]
        axes.fill_between(claim.x, missed, 0.0, color=CLAIMED, alpha=0.13, linewidth=0, label="excluded by the claim")
        axes.plot([0, 1], [1, 0], color=QUIET, linestyle=":", linewidth=1, label="guessing")
        axes.plot(claim.x, missed, color=CLAIMED, linestyle="--", linewidth=1.4, label=f"claim: {found.claim_label}")
        if found.exact is not None:
            exact = [1 - y for y in found.exact.y]
            axes.plot(found.exact.x, exact, color=INK, linestyle="-.", linewidth=1, label="exact")
        if found.ruled_out is not None:
            edge = [1 - y for y in found.ruled_out.y]
            axes.fill_between(
                found.ruled_out.x, edge, 1.0, color=MEASURED, alpha=0.2, linewidth=0, label="ruled out, 95 %"
            )
        missed = [1 - y for y in found.measured.y]
        axes.plot(found.measured.x, missed, color=MEASURED, linewidth=1.4, label="measured")
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="type-I error", ylabel="type-II error")
        _named(axes, "Trade-off")
        legend(axes, "upper right")

    region = "the region above it that the band rules out, " if found.ruled_out else ""
    description = (
        f"Measured curve, {region}the line of the claim {found.claim_label}, and the region below that line which the "
        f"claim leaves to no test. Errors are the false-positive rate and one minus the true-positive rate."
    )
    return picture(draw, SIZE, f"Trade-off curve of {found.name}", description)


def epsilon_over_trials(found: Measurement, progress: Progress) -> str:
    """Epsilon that one test shows, against the trials counted so far, in a band valid at all of them."""
    highest = [e for e in (found.claimed, found.exact_epsilon, progress.epsilon_upper[-1], progress.epsilon[-1]) if e]
    top = 1.6 * max([*highest, *(e for e in progress.epsilon_lower if e), 0.1])

    def draw(figure: Figure) -> None:
        axes = axes_in(figure)
        axes.set(xscale="log", ylim=(0, top), xlabel="trials counted on each side", ylabel="epsilon")
        _named(axes, "Epsilon over trials")
        log_axis(axes.xaxis)
        upper = [2 * top if e is None else e for e in progress.epsilon_upper]
        lower = [0.0 if e is None else e for e in progress.epsilon_lower]
        axes.fill_between(progress.trials, lower, upper, color=MEASURED, alpha=0.25, linewidth=0, label="95 % band")
        axes.plot(progress.trials, lower, color=MEASURED, linewidth=0.7)
        seen = [math.nan if e is None else e for e in progress.epsilon]
        axes.plot(progress.trials, seen, color=MEASURED, linewidth=1.4, marker=".", markersize=3, label="observed")
        _levels(axes.axhline, found)
        legend(axes, "upper right")

    description = "Observed epsilon of one test, its band, and the claimed epsilon, at growing numbers of "
    description += "trials; the band holds at all of them at once."
    return picture(draw, SIZE, f"Epsilon over trials of {found.name}", description)


def power(found: Measurement, curve: Power) -> str:
    """The chance of catching a violation against its epsilon."""

    def draw(figure: Figure) -> None:
        axes = axes_in(figure)
        edges = [e for e in (found.claimed, *curve.epsilon) if e is not None]
        reach = max(max(edges) - min(edges), 1e-3)
        axes.set(xlim=(min(edges) - 0.1 * reach, max(edges) + 0.1 * reach), ylim=(0, 1.02))
        axes.plot(curve.epsilon, curve.chance, color=MEASURED, marker="o", markersize=3, label=f"caught, {curve.how}")
        axes.axhline(0.9, color=QUIET, linestyle=":", linewidth=1, label="9 in 10")
        _levels(axes.axvline, found, exact=False)
        axes.set(xlabel="epsilon of the violation", ylabel="chance that it is caught")
        _named(axes, "Power")
        legend(axes, "lower right")

    description = f"The chance of catching a violation, {curve.how}, with {found.trials} trials a side at the target's "
    description += "share of the error budget, against its epsilon."
    return picture(draw, SIZE, f"Power of the audit of {found.name}", description)


def _named(axes: Axes, name: str) -> None:
    axes.set_title(name, fontsize=8, loc="left")


def _levels(line: Callable[..., Line2D], found: Measurement, exact: bool = True) -> None:
    if found.claimed is not None:
        line(found.claimed, color=CLAIMED, linestyle="--", linewidth=1.4, label="claimed")
    if exact and found.exact_epsilon is not None:
        line(found.exact_epsilon, color=INK, linestyle="-.", linewidth=1, label="exact")


def _below(band: Band) -> list[tuple[float, float]]:
    """Corners of the steps that the ROC curve lies above, from rate 0 to rate 1."""
    corners, reached = [(0.0, 0.0)], 0.0
    for x, y in sorted(zip(band.false_positive_rate_upper, band.true_positive_rate_lower, strict=True)):
        if y > reached:
            corners += [(x, reached), (x, y)]
            reached = y
    return [*corners, (1.0, reached)]


def _above(band: Band) -> list[tuple[float, float]]:
    """Corners of the steps that the ROC curve lies below, from rate 0 to rate 1."""
    corners, allowed = [(1.0, 1.0)], 1.0
    pairs = zip(band.false_positive_rate_lower, band.true_positive_rate_upper, strict=True)
    for x, y in sorted(pairs, reverse=True):
        if y < allowed:
            corners += [(x, allowed), (x, y)]
            allowed = y
    return [*corners, (0.0, allowed)][::-1]


def _draw_corner(axes: Axes, corner: Corner, floor: float) -> None:
    x, y = max(corner.false_positive_rate, floor), max(corner.true_positive_rate, floor)
    edge_x, edge_y = max(corner.false_positive_rate_upper, floor), max(corner.true_positive_rate_lower, floor)
    axes.plot([x, edge_x], [edge_y, edge_y], color=INK, linewidth=1)
    axes.plot([edge_x, edge_x], [y, edge_y], color=INK, linewidth=1)
    label = "decision point, limits of its rates"
    axes.plot([x], [y], color=INK, marker="o", markersize=4, linestyle="none", label=label)
