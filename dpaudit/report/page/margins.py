"""How far structural checks that refute are from their limits: which step, which value, against which limit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpaudit.records.verdict import Evidence, Outcome, Scalar, Verdict
from dpaudit.report.page.drawing import CLAIMED, REFUTED, axes_in, log_axis, picture
from dpaudit.report.wording import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LIMITED = (
    ("distance", "sensitivity"), ("move", "accounted"), ("total", "accounted"), ("noise_multiplier", "accounted"),
    ("steps", "compositions"),
)  # fmt: skip
"""Numbers of a check: a value, and the limit that it is held to."""
NONE_ALLOWED = {"un-noised outputs": "distance", "released values": "largest_difference"}
"""By check, a number that must be 0 up to rounding."""
RATIO = "measured_over_declared"
"""A number whose limit is 1."""
WIDTH, NAMES, ROW = 8.6, 3.4, 0.3
"""Inches: of the plot, of the names beside it, of one row."""
_SPACE = 2.0  # of the axis, on both sides of what is drawn


@dataclass(frozen=True)
class Margin:
    """One check that refutes. where: the release, the step and the neighbours, as far as they are known; value: what
    was measured, may be infinite; limit: what is allowed, None for what is not finite and may never be."""

    check: str
    where: str
    value: float
    limit: float | None

    @property
    def said(self) -> str:
        """The value against its limit, in words."""
        if not math.isfinite(self.value):
            return "not finite"
        return (
            f"{self.value:.3g} against {self.limit:.3g}" if self.limit else f"{self.value:.3g}, where none is allowed"
        )

    @property
    def ratio(self) -> float:
        """The value in units of the limit, infinite where there is none."""
        return self.value / self.limit if self.limit else math.inf


def margins(verdict: Verdict) -> tuple[Margin, ...]:
    """The structural checks that refute a verdict and say a value, in its order."""
    found = (e for e in verdict.evidence if e.engine == "structural" and e.outcome is Outcome.REFUTED)
    return tuple(margin for evidence in found for margin in _margin(evidence))


def _margin(evidence: Evidence) -> Iterator[Margin]:
    numbers = dict(evidence.numbers)
    check, where = clean(evidence.detail.partition(":")[0], 60), clean(_where(numbers), 60)
    if RATIO in numbers:
        yield Margin(check, where, _number(numbers[RATIO]), 1.0)
        return
    for value, limit in LIMITED:
        if value in numbers and _number(numbers.get(limit)) > 0:
            yield Margin(check, where, _number(numbers[value]), _number(numbers[limit]))
            return
    if (value := NONE_ALLOWED.get(check, "")) in numbers:
        yield Margin(check, where, _number(numbers[value]), 0.0)
    elif _number(numbers.get("distance")) == math.inf:
        yield Margin(check, where, math.inf, None)


def _number(value: Scalar) -> float:
    """A number as it is; 0 for everything else."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else 0.0


def _where(numbers: dict[str, Scalar]) -> str:
    parts = [str(numbers[name]) for name in ("release", "tested", "case") if name in numbers]
    parts += [f"step {numbers['step']}"] if "step" in numbers else []
    parts += [str(numbers["pair"])] if "pair" in numbers else []
    return ", ".join(parts)


def svg(found: Sequence[Margin], name: str) -> str:
    """A row for each check, its value in units of its limit, in a logarithmic scale; name: of the target."""
    if not found:
        raise ValueError("a plot of margins needs at least one check that refutes with a value")
    height = 0.75 + ROW * len(found)

    def draw(figure: Figure) -> None:
        axes = axes_in(figure, (NAMES / WIDTH, 0.45 / height, 0.6 - 0.2 / WIDTH, 1 - 0.6 / height))
        low, high = _ends(found)
        axes.set(xscale="log", xlim=(low, high), ylim=(len(found) - 0.4, -0.6))
        log_axis(axes.xaxis)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.axvline(1.0, color=CLAIMED, linewidth=2)
        for place, margin in enumerate(found):
            _draw_row(axes, place, margin, low, high)
        axes.set_xlabel("measured, in units of the limit; where none is allowed, or not finite: at the right edge")

    rows = "; ".join(f"{one.check}{', ' if one.where else ''}{one.where}: {one.said}" for one in found)
    return picture(draw, (WIDTH, height), f"Structural checks that refute {clean(name)}", f"{rows}.")


def _draw_row(axes: Axes, place: int, margin: Margin, low: float, high: float) -> None:
    at = min(max(margin.ratio, low), high)
    axes.text(-0.01, place, f"{margin.check} ({margin.where})" if margin.where else margin.check, ha="right",
              va="center", transform=axes.get_yaxis_transform(), fontsize=7.5, parse_math=False)  # fmt: skip
    axes.plot([1.0, at], [place, place], color=REFUTED, linewidth=2.6)
    axes.plot([at], [place], color=REFUTED, marker="X", markersize=6, linestyle="none", clip_on=False)
    axes.text(0.98, place + 0.32, margin.said, ha="right", va="center", transform=axes.get_yaxis_transform(),
              fontsize=7, parse_math=False)  # fmt: skip


def _ends(found: Sequence[Margin]) -> tuple[float, float]:
    """The ends of the axis, with what is finite and the limit, 1, between them."""
    ratios = [one.ratio for one in found if 0 < one.ratio < math.inf]
    return min([1.0, *ratios]) / _SPACE, max([1.0, *ratios]) * _SPACE
