"""Figures of error against epsilon: every method has its plot, with the numbers of the file and no others."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from dpaudit.records.errors import ContentError
from dpaudit.report.page import utility
from dpaudit.report.page.drawing import INK, MEASURED, QUIET

SHIPPED = sorted((Path(__file__).parents[3] / "reports" / "utility").glob("*.json"))


def row(method: str, epsilon: float | None, value: float, **more: Any) -> dict[str, Any]:
    mean = {"value": value, "low": value * 0.9, "high": value * 1.1}
    return {
        "method": method,
        "epsilon": epsilon,
        "noise": 1.0,
        "setting": "",
        "trials": 9,
        "errors": {"gap": mean},
    } | more


ROWS = [row("A <b> $x$", 2.0, 0.1), row("A <b> $x$", 1.0, 0.2), row("B", 1.0, 0.3), row("B", 2.0, 0.25),
        row("free", None, 0.05)]  # fmt: skip


def written(folder: Path, rows: list[dict[str, Any]], **more: Any) -> Path:
    table = {"title": "Two methods", "delta": 1e-5, "epsilons": [1.0, 2.0], "trials": 9, "tuning_trials": 2,
             "confidence": 0.95, "rows": rows}  # fmt: skip
    file = folder / "some name.json"
    file.write_text(json.dumps({"command": "c", "seed": 1, "tables": [table, table]} | more), encoding="utf-8")
    return file


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_every_error_of_the_shipped_files_can_be_drawn(file: Path, tmp_path: Path) -> None:
    errors = [name for table in json.loads(file.read_text())["tables"] for name in table["rows"][0]["errors"]]
    drawings = utility.drawings(file)
    assert len({drawing.name for drawing in drawings}) == len(drawings) == len(errors)
    for drawing in drawings[:1]:
        assert drawing.write(tmp_path).read_text(encoding="utf-8").startswith("<svg ")


def test_the_numbers_are_those_of_the_file_in_the_order_of_epsilon(tmp_path: Path) -> None:
    first, second = utility.read(written(tmp_path, ROWS))
    assert first == second
    one = first.methods[0]
    assert (one.name, one.epsilons, one.values) == ("A <b> $x$", (1.0, 2.0), (0.2, 0.1))
    assert (one.lows, one.highs) == (pytest.approx((0.18, 0.09)), pytest.approx((0.22, 0.11)))
    assert first.methods[2].epsilons == ()
    assert [drawing.name for drawing in utility.drawings(tmp_path / "some name.json")] == ["gap", "gap-2"]
    assert utility.drawings(tmp_path / "some name.json")[1].stem == "some-name-gap-2"


def test_each_private_method_has_a_plot_in_which_it_alone_has_the_hue_of_what_is_measured(tmp_path: Path) -> None:
    svg = utility.svg(utility.read(written(tmp_path, ROWS))[0])
    texts = [element.text for element in ElementTree.fromstring(svg).iter()]
    assert {"A <b> $x$", "B"} <= set(texts)
    assert "free" not in texts
    assert len(re.findall(rf"fill:none;stroke:{MEASURED};stroke-width:1.6", svg)) == 2
    assert len(re.findall(rf"fill:none;stroke:{QUIET};stroke-opacity:0.45;stroke-width:0.8", svg)) == 2
    assert utility.svg(utility.read(tmp_path / "some name.json")[0]) == svg


def test_what_is_not_private_is_dotted_where_it_is_near(tmp_path: Path) -> None:
    def dotted(value: float) -> int:
        svg = utility.svg(utility.read(written(tmp_path, [*ROWS[:-1], row("free", None, value)]))[0])
        return sum("stroke-dasharray:1" in line for line in re.findall(r"<path[^>]*>", svg))

    assert (dotted(0.05), dotted(1e-9)) == (2, 0)


def test_nothing_to_draw_is_said(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="no private method has a positive gap"):
        utility.svg(utility.read(written(tmp_path, [row("free", None, 1.0)]))[0])


@pytest.mark.parametrize(
    ("change", "words"),
    [({"tables": 1}, "tables must be of the type array"), ({"more": 1}, "more"), ({"seed": -1}, "seed")],
)
def test_another_file_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(ContentError, match=words):
        utility.read(written(tmp_path, ROWS, **change))


def test_a_damaged_row_is_named(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"tables\[0\].rows\[0\].epsilon"):
        utility.read(written(tmp_path, [row("A", -1.0, 1.0)]))


def test_ink_is_that_of_the_page() -> None:
    assert INK not in utility.svg(utility.read(SHIPPED[0])[0])
