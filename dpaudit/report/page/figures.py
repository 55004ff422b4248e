"""The figures of a report from the records and scores files of a run, each with the numbers that it draws."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dpaudit.records.documents import parse
from dpaudit.records.errors import ContentError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import Kind, Outcome, Scalar, Verdict
from dpaudit.report import sections
from dpaudit.report.page import drawing, panels, plots
from dpaudit.report.page.panels import Curve, Measurement
from dpaudit.report.wording import clean
from dpaudit.runs.reading import read_attachment

INLINE_TARGETS = 12
CURVE_POINTS = 64
FOREST_ROWS = 40


@dataclass(frozen=True)
class Table:
    """The numbers behind one or more plots; None where a number is infinite or unknown."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True)
class Figure:
    """The plots of one target. scores, link: the files of the run folder with the numbers and with the plots;
    in_page: the page holds them too."""

    verdict: Verdict
    found: Measurement
    scores: str
    link: str
    in_page: bool

    @property
    def pictures(self) -> tuple[str, ...]:
        """Each plot as SVG for use inside HTML."""
        return tuple(map(inline, panels.panels(self.found)))

    @property
    def tables(self) -> tuple[Table, ...]:
        """Every number that the plots draw."""
        return tuple(_tables(self.found))

    @property
    def document(self) -> str:
        """The plots as one SVG file."""
        return drawing.together(panels.panels(self.found), self.found.name)


@dataclass(frozen=True)
class NullPValues:
    """svg: inline picture; curves: the name of each null control and its p-values, ascending."""

    svg: str
    curves: tuple[tuple[str, tuple[float, ...]], ...]


def forest(verdicts: Iterable[Verdict]) -> str:
    """Claimed and measured epsilon of the audits as inline SVG, "" if no audit measured any.

    At most FOREST_ROWS: those that are refuted, then those whose bound is nearest to the claim.
    """
    drawable = forest_rows(verdicts)
    return inline(plots.forest(sorted(drawable, key=_least_told)[:FOREST_ROWS])) if drawable else ""


def forest_rows(verdicts: Iterable[Verdict]) -> list[plots.ForestRow]:
    """The audits that measured an epsilon, in their order."""
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
    return [row for row in rows if row.measured is not None]


def _least_told(row: plots.ForestRow) -> tuple[bool, float]:
    """Refuted first, then by the share of the claim that the bound leaves open."""
    return not row.refuted, -(row.measured or 0.0) / row.claimed if row.claimed else 0.0


def null_p_values(folder: Path, verdicts: Iterable[Verdict]) -> NullPValues | None:
    """The p-values of the null controls in one plot; None where no control has any."""
    found = []
    for verdict in verdicts:
        if verdict.kind is Kind.CONTROL and _score_path(verdict):
            values = _scores(folder, verdict).get("null_p_values")
            if values:
                found.append((clean(verdict.id), tuple(sorted(map(_rate, values)))))
    return NullPValues(inline(plots.p_values(found)), tuple(found)) if found else None


def _finite(value: Scalar) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)


def figures(folder: Path, verdicts: Iterable[Verdict], in_page: int = INLINE_TARGETS) -> dict[str, Figure]:
    """By verdict id, the plots of every audit with scores, and of controls that did not end as they must; the first
    `in_page` are in the page.

    Refutations that are surprises come first, then other surprises, then refuted audits.
    """
    games = [v for v in verdicts if (v.kind is Kind.AUDIT or _strange(v)) and _score_path(v)]
    games.sort(key=_weight)
    return {v.id: _figure(folder, v, place < in_page) for place, v in enumerate(games)}


def _strange(verdict: Verdict) -> bool:
    """Is it a control that did not end as it must? The others are many and alike."""
    return verdict.kind is Kind.CONTROL and not verdict.as_expected


def _weight(verdict: Verdict) -> tuple[bool, ...]:
    refuted = verdict.outcome is Outcome.REFUTED
    return (
        not (verdict.surprising and refuted), not verdict.surprising, verdict.as_expected,
        verdict.kind is Kind.CONTROL, not refuted,
    )  # fmt: skip


def _score_path(verdict: Verdict) -> str:
    return next((path for path in verdict.attachments if path.startswith("scores/")), "")


def _figure(folder: Path, verdict: Verdict, in_page: bool) -> Figure:
    file = folder / _score_path(verdict)
    try:
        found = measurement(clean(verdict.id), _scores(folder, verdict))
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise ContentError(f"{file}: not a scores file ({type(error).__name__}: {error})") from error
    return Figure(verdict, found, _score_path(verdict), f"plots/{file.stem}.svg", in_page)


def measurement(name: str, data: Json) -> Measurement:
    """What the object of a scores file holds; fields that it lacks are plots that are not drawn.

    KeyError, TypeError or ValueError where it is damaged.
    """
    trials = int(data["trials_per_side"])
    known, point, progress, power = (data.get(k) for k in ("exact_true_positive_rate", "point", "progress", "power"))
    band, ruled_out = data.get("band"), data.get("ruled_out")
    return Measurement(
        name=name,
        measured=_curve(data["false_positive_rate"], data["true_positive_rate"]),
        claim=_curve(data["claim_false_positive_rate"], data["claim_true_positive_rate"]),
        claim_label=clean(str(data["claim_label"])),
        floor=0.5 / max(trials, 2),
        trials=trials,
        exact=_curve(data["claim_false_positive_rate"], known) if known else None,
        corner=panels.Corner(**{k: _rate(v) for k, v in point.items()}) if point else None,
        band=_band(band) if band else None,
        ruled_out=_curve(ruled_out["false_positive_rate"], ruled_out["true_positive_rate"]) if ruled_out else None,
        progress=_progress(progress) if progress else None,
        power=_power(power) if power else None,
        claimed=_finite(data.get("epsilon_claimed")),
        exact_epsilon=_finite(data.get("epsilon_exact")),
    )


def _band(data: Json) -> panels.Band:
    columns = {name: tuple(map(_rate, values)) for name, values in data.items()}
    if len({*map(len, columns.values())}) != 1:
        raise ValueError("a band needs both limits of both rates at each threshold")
    return panels.Band(**columns)


def _progress(data: Json) -> panels.Progress:
    trials = tuple(int(number) for number in data["trials"])
    names = ("epsilon_lower", "epsilon", "epsilon_upper")
    columns = [tuple(None if e is None else _epsilon(e) for e in data[name]) for name in names]
    if not trials or min(trials) < 1 or any(len(column) != len(trials) for column in columns):
        raise ValueError("a progress needs numbers of trials from 1 up, and three epsilons at each")
    return panels.Progress(trials, *columns)


def _power(data: Json) -> panels.Power:
    how, epsilon = clean(str(data["how"])), tuple(map(_epsilon, data["epsilon"]))
    chance = tuple(map(_rate, data["chance"]))
    if len(epsilon) != len(chance):
        raise ValueError("a power curve needs one chance for each epsilon")
    return panels.Power(how, epsilon, chance)


def _tables(found: Measurement) -> Iterable[Table]:
    rates = ("false-positive rate", "true-positive rate")
    words = f"Measured curve of {found.name}; the type-II error is 1 - the true-positive rate"
    yield Table(words, rates, _rows(found.measured.x, found.measured.y))
    if found.exact:
        rows = _rows(found.claim.x, found.claim.y, found.exact.y)
        yield Table(f"Line of the claim, {found.claim_label}, and exact line", (*rates, "exact"), rows)
    else:
        yield Table(f"Line of the claim, {found.claim_label}", rates, _rows(found.claim.x, found.claim.y))
    if found.band:
        limits = ("false-positive rate, from", "to", "true-positive rate, from", "to")
        yield Table(f"95 % band of {found.name}", limits, _rows(*vars(found.band).values()))
    if found.ruled_out:
        yield Table("Edge of the region that is ruled out", rates, _rows(found.ruled_out.x, found.ruled_out.y))
    if found.progress:
        epsilons = ("trials", "epsilon, from", "observed", "to")
        yield Table("Epsilon over trials; none: no finite value", epsilons, _rows(*vars(found.progress).values()))
    if found.power and found.power.epsilon:
        power = ("epsilon of the violation", f"chance that it is caught, {found.power.how}")
        yield Table("Power", power, _rows(found.power.epsilon, found.power.chance))


def _rows(*columns: Sequence[Scalar]) -> tuple[tuple[Scalar, ...], ...]:
    return tuple(zip(*columns, strict=True))


def _scores(folder: Path, verdict: Verdict) -> Json:
    """What the scores file of a verdict holds; ContentError as of `read_attachment`."""
    name = _score_path(verdict)
    data: Json = parse(read_attachment(folder, verdict, name), str(folder / name))
    return data


def _curve(x: list[float], y: list[float]) -> Curve:
    pairs = sorted((_rate(a), _rate(b)) for a, b in zip(x, y, strict=True))
    if not pairs:
        raise ValueError("an empty curve")
    return panels.thin(Curve(tuple(a for a, _ in pairs), tuple(b for _, b in pairs)), CURVE_POINTS)


def _rate(value: str | float) -> float:
    rate = float(value)
    if not 0 <= rate <= 1:  # NaN fails here too
        raise ValueError(f"a rate must be in [0, 1], got {value!r}")
    return rate


def _epsilon(value: str | float) -> float:
    epsilon = float(value)
    if not 0 <= epsilon < math.inf:
        raise ValueError(f"an epsilon must be at least 0 and finite, got {value!r}")
    return epsilon


def inline(svg: str) -> str:
    """`svg` for use inside HTML, which knows the namespace already."""
    return svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
