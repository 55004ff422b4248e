"""The figure of structural checks that refute: each value with its limit, and no other check."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest
import run_folder
from report_page import page_of

from dpaudit.records.verdict import Evidence, Kind, Numbers, Outcome, Verdict
from dpaudit.report.page import margins
from dpaudit.report.page.drawing import CLAIMED, REFUTED
from dpaudit.report.page.margins import Margin

SEEN, HELD = Outcome.REFUTED, Outcome.CONSISTENT


def refuted(*found: tuple[str, Numbers], name: str = "a/b") -> Verdict:
    """A target that these checks refute, after one that found nothing."""
    verdict = run_folder.verdict(name, Kind.AUDIT, SEEN, HELD, title="a training")
    quiet = Evidence("structural", HELD, "sensitivity: nothing", (("distance", 0.1), ("sensitivity", 0.5)))
    return run_folder.replace(
        verdict, evidence=(quiet, *(Evidence("structural", SEEN, detail, numbers) for detail, numbers in found))
    )


@pytest.mark.parametrize(
    ("detail", "numbers", "wanted"),
    [
        ("sensitivity: squares moves", (("pair", "added"), ("release", "squares"), ("step", 23), ("distance", 2.84),
         ("sensitivity", 0.5)), Margin("sensitivity", "squares, step 23, added", 2.84, 0.5)),
        ("accountant: moves", (("pair", "removed"), ("step", 0), ("move", 7.0), ("accounted", 1.0)),
         Margin("accountant", "step 0, removed", 7.0, 1.0)),
        ("accountant: all", (("total", 3.0), ("accounted", 1.0)), Margin("accountant", "", 3.0, 1.0)),
        ("accountant: w declares", (("release", "w"), ("noise_multiplier", 0.5), ("accounted", 1.0)),
         Margin("accountant", "w", 0.5, 1.0)),
        ("accountant: steps", (("steps", 9), ("compositions", 8)), Margin("accountant", "", 9.0, 8.0)),
        ("noise scale: half", (("tested", "all"), ("p_value", 0.0), ("measured_over_declared", 0.5)),
         Margin("noise scale", "all", 0.5, 1.0)),
        ("un-noised outputs: w", (("release", "w"), ("step", 0), ("distance", 0.28)),
         Margin("un-noised outputs", "w, step 0", 0.28, 0.0)),
        ("bad records: NaN", (("case", "NaN record"), ("step", 0), ("distance", math.inf)),
         Margin("bad records", "NaN record, step 0", math.inf, None)),
        ("released values: w", (("largest_difference", 0.7),), Margin("released values", "", 0.7, 0.0)),
    ],
)  # fmt: skip
def test_each_check_gives_its_value_and_its_limit(detail: str, numbers: Numbers, wanted: Margin) -> None:
    assert margins.margins(refuted((detail, numbers))) == (wanted,)


def test_a_check_without_a_value_gives_nothing() -> None:
    assert margins.margins(refuted(("public values: n", (("value", "200"), ("neighbour", "199"))))) == ()
    huge = (("case", "huge record"), ("release", "cubes"), ("step", 0), ("distance", 0.76))
    assert margins.margins(refuted(("bad records: cubes moves by 0.76, declared is 0.74", huge))) == (), (
        "no limit known"
    )
    assert margins.margins(run_folder.claims()[2]) == ()


ROWS = (Margin("sensitivity", "<b> $x$, step 3", 2.84, 0.5), Margin("noise scale", "", 0.5, 1.0),
        Margin("bad records", "NaN", math.inf, None))  # fmt: skip


def test_every_row_says_its_value_against_its_limit_and_hostile_names_stay_text() -> None:
    svg = margins.svg(ROWS, "a/<i>")
    texts = {element.text for element in ElementTree.fromstring(svg).iter()}
    assert {"sensitivity (<b> $x$, step 3)", "noise scale", "2.84 against 0.5", "0.5 against 1"} <= texts
    assert "not finite" in texts
    assert Margin("un-noised outputs", "", 0.28, 0.0).said == "0.28, where none is allowed"
    assert svg.count(f"stroke:{REFUTED};stroke-width:2.6") == 3
    assert svg.count(f"stroke:{CLAIMED};stroke-width:2") == 1
    assert margins.svg(ROWS, "a/<i>") == svg


def test_a_value_is_drawn_on_its_side_of_the_limit() -> None:
    assert margins._ends(ROWS) == (0.25, pytest.approx(11.36))
    assert margins._ends(ROWS[2:]) == (0.5, 2.0)


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one check"):
        margins.svg((), "a/b")


def test_the_finding_of_a_target_has_the_figure_and_that_of_others_none(tmp_path: Path) -> None:
    seen = refuted(("sensitivity: w moves", (("step", 1), ("distance", 2.0), ("sensitivity", 0.5))))
    html = page_of(tmp_path / "a", [seen])
    part = html[html.index('<article class="finding wrong"') : html.index("</article>")]
    assert part.count("<svg ") == 1
    assert "2 against 0.5" in part
    assert "<dt>Limits</dt>" in part
    other = page_of(tmp_path / "b", [refuted(("public values: n", (("value", "200"),)))])
    assert "<svg " not in other[other.index('<article class="finding wrong"') : other.index("</article>")]
