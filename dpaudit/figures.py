"""The plots of a report from the records and scores files of a run, each with the numbers that it draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpaudit import plots, sections
from dpaudit.errors import ContentError
from dpaudit.reading import read_json, read_text
from dpaudit.verdict import Kind, Outcome, Scalar, Verdict
from dpaudit.wording import clean

INLINE_PLOTS = 4
CURVE_POINTS = 32
FOREST_ROWS = 40


@dataclass(frozen=True)
class Figure:
    """The ROC of one target. svg: inline picture, "" where `link` names a file of the run folder;
    rows, claim_rows and exact_rows: every number that the picture draws, exact_rows empty where theory knows none."""

    verdict: Verdict
    svg: str
    link: str
    scores: str
    rows: tuple[tuple[float, float], ...]
    claim_rows: tuple[tuple[float, float], ...]
    claim_label: str
    corner: plots.Corner | None
    floor: float
    exact_rows: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class NullPValues:
    """svg: inline picture; curves: the name of each null control and its p-values, ascending."""

    svg: str
    curves: tuple[tuple[str, tuple[float, ...]], ...]


def forest(verdicts: tuple[Verdict, ...]) -> str:
    """Claimed and measured epsilon of the audits as inline SVG, "" if no audit has either.

    At most FOREST_ROWS: those that are refuted, then those whose bound is nearest to the claim; in their order.
    """
    rows = [
        plots.ForestRow(
            name=clean(v.id)[:60],
            measured=_finite(sections.value(v, "epsilon_lower_95")),
            claimed=_finite(sections.value(v, "epsilon_claimed")),
            exact=_finite(sections.value(v, "epsilon_exact")),
            detectable=_finite(sections.value(v, "smallest_violation_at_90")),
            refuted=v.outcome is Outcome.REFUTED,
        )
        for v in verdicts
        if v.kind is Kind.AUDIT
    ]
    drawable = [row for row in rows if row.measured is not None or row.claimed is not None]
    chosen = sorted(drawable, key=_least_told)[:FOREST_ROWS]
    return inline(plots.forest([row for row in drawable if row in chosen])) if drawable else ""


def _least_told(row: plots.ForestRow) -> tuple[bool, float]:
    """Refuted first, then by the share of the claim that the bound leaves open."""
    return not row.refuted, -(row.measured or 0.0) / row.claimed if row.claimed else 0.0


def null_p_values(folder: Path, verdicts: tuple[Verdict, ...]) -> NullPValues | None:
    """The p-values of the null controls in one plot; None where no control has any."""
    found = []
    for verdict in verdicts:
        if verdict.kind is Kind.CONTROL and _score_path(verdict):
            file = _inside(folder, verdict)
            values = read_json(read_text(file), str(file)).get("null_p_values")
            if values:
                found.append((clean(verdict.id), tuple(sorted(map(_rate, values)))))
    return NullPValues(inline(plots.p_values(found)), tuple(found)) if found else None


def _finite(value: Scalar) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)


def figures(folder: Path, verdicts: tuple[Verdict, ...]) -> dict[str, Figure]:
    """By verdict id, the ROC of every audit and control with scores; surprises come first into the page."""
    games = [v for v in verdicts if v.kind in (Kind.AUDIT, Kind.CONTROL) and _score_path(v)]
    games.sort(key=lambda v: (v.as_expected, v.kind is Kind.CONTROL, v.outcome is not Outcome.REFUTED))
    return {v.id: _figure(folder, v, in_page=place < INLINE_PLOTS) for place, v in enumerate(games)}


def _score_path(verdict: Verdict) -> str:
    return next((path for path in verdict.attachments if path.startswith("scores/")), "")


def _figure(folder: Path, verdict: Verdict, in_page: bool) -> Figure:
    path, file = _score_path(verdict), _inside(folder, verdict)
    data = read_json(read_text(file), str(file))
    try:
        measured = _curve(data["false_positive_rate"], data["true_positive_rate"])
        claim = _curve(data["claim_false_positive_rate"], data["claim_true_positive_rate"])
        known = data.get("exact_true_positive_rate")
        exact = _curve(data["claim_false_positive_rate"], known) if known else None
        point = data.get("point")
        corner = plots.Corner(**{k: _rate(v) for k, v in point.items()}) if point else None
        label, floor = clean(str(data["claim_label"])), 0.5 / max(int(data["trials_per_side"]), 2)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ContentError(f"{file}: not a scores file ({type(error).__name__}: {error})") from error
    svg = plots.roc(clean(verdict.id), measured, claim, label, corner, floor, exact)
    link = ""
    if not in_page:
        link = f"plots/{file.stem}.svg"
        (folder / "plots").mkdir(exist_ok=True)
        (folder / link).write_text(svg, encoding="utf-8")
    rows, claim_rows, exact_rows = (tuple(zip(c.x, c.y, strict=True)) if c else () for c in (measured, claim, exact))
    picture = inline(svg) if in_page else ""
    return Figure(verdict, picture, link, path, rows, claim_rows, label, corner, floor, exact_rows)


def _inside(folder: Path, verdict: Verdict) -> Path:
    """The scores file of a verdict; ContentError if it lies outside of the run folder."""
    path = _score_path(verdict)
    if not (folder / path).resolve().is_relative_to(folder.resolve()):
        raise ContentError(f"{verdict.id}: the attachment {path!r} points outside of the run folder")
    return folder / path


def _curve(x: list[float], y: list[float]) -> plots.Curve:
    pairs = sorted((_rate(a), _rate(b)) for a, b in zip(x, y, strict=True))
    if not pairs:
        raise ValueError("an empty curve")
    return plots.thin(plots.Curve(tuple(a for a, _ in pairs), tuple(b for _, b in pairs)), CURVE_POINTS)


def _rate(value: Any) -> float:
    rate = float(value)
    if not 0 <= rate <= 1:  # NaN fails here too
        raise ValueError(f"a rate must be in [0, 1], got {value!r}")
    return rate


def inline(svg: str) -> str:
    """`svg` for use inside HTML, which knows the namespace already."""
    return svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
