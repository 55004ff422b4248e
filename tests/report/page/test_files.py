"""Figures of a run as files: every one has a name, an SVG that any program reads, and a PNG of the same picture."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import run_folder

from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.report.page import figures
from dpaudit.report.page.files import AUDITS, NULLS, Drawing, drawings, raster
from dpaudit.runs.reading import load_run

LEMMA = run_folder.verdict("toy/LEM-1", Kind.CLAIM, Outcome.REFUTED, Outcome.REFUTED)
STEP = run_folder.verdict("toy/THM-1/s1", Kind.STEP, Outcome.PROVED, given=("toy/LEM-1",))
THEOREM = run_folder.verdict("toy/THM-1", Kind.CLAIM, Outcome.PROVED)
NUMBERS = (("epsilon_lower_95", 0.0), ("epsilon_claimed", 1.0))
NULL = run_folder.verdict(
    "null/coin", Kind.CONTROL, Outcome.CONSISTENT, attachments=("scores/coin.json",), numbers=NUMBERS
)
TITLES = {
    "toy": "Claims of toy and what each rests on",
    AUDITS: "Claimed and measured epsilon of the audits",
    NULLS: "P-values of the null controls",
}
SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><rect width="30" height="20" fill="white"/>{}</svg>'
)


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Drawing]:
    folder = run_folder.write(tmp_path / "run", [LEMMA, THEOREM, STEP, NULL, *run_folder.games()])
    run_folder.change_file(folder, NULL.attachments[0], json.dumps({"null_p_values": [0.2, 0.9]}))
    return {one.name: one for one in drawings(load_run(folder))}


def size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_papers_all_audits_and_every_target_with_plots_have_one(found: dict[str, Drawing], tmp_path: Path) -> None:
    run = load_run(tmp_path / "run")
    targets = figures.figures(run.folder, run.verdicts)
    assert targets
    assert set(found) == {"toy", AUDITS, NULLS, *targets}
    assert len({one.stem for one in found.values()}) == len(found)


def test_each_file_is_a_document_with_its_title_and_no_link(found: dict[str, Drawing], tmp_path: Path) -> None:
    for one in found.values():
        file = one.write(tmp_path)
        root = ElementTree.fromstring(file.read_bytes())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        [title] = [e.text for e in root if e.tag.endswith("title")]
        assert title == TITLES.get(one.name, one.name)
        assert not [e for e in root.iter() if e.tag.endswith("}a") or "class" in e.attrib], one.name


def test_a_graph_keeps_the_colour_of_each_outcome_without_a_style_sheet(found: dict[str, Drawing]) -> None:
    root = ElementTree.fromstring(found["toy"].document())
    paths = [e for e in root.iter() if e.tag.endswith("path")]
    nodes = {e.get("stroke") for e in paths if e.get("fill") != "none"}
    edges = {e.get("stroke") for e in paths if e.get("fill") == "none"}
    assert len(nodes) == 2
    assert len(edges) == 1
    assert edges < nodes, "an edge from a refuted claim has its colour"


def test_a_png_is_the_same_picture_with_its_text(found: dict[str, Drawing], tmp_path: Path) -> None:
    file = found[AUDITS].write(tmp_path, png=True)
    root = ElementTree.fromstring(found[AUDITS].document())
    wide, high = map(float, root.attrib["viewBox"].split()[2:])
    width, height = size(file.read_bytes())
    assert width == pytest.approx(2 * wide, abs=2)
    assert height == pytest.approx(2 * high, abs=2)
    blank, written = (raster(SQUARE.format(words)) for words in ("", '<text y="15" font-size="15">ab</text>'))
    assert blank != written, "there are fonts"
    assert size(blank) == (60, 40)


def test_without_its_packages_the_line_that_installs_them_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingPackageError, match="resvg_py is not installed; run: "):
        raster(SQUARE.format(""))


def test_what_is_no_drawing_is_refused() -> None:
    with pytest.raises(ContentError, match="cannot be made a PNG"):
        raster("<svg")


def test_a_run_without_audits_null_controls_and_graphs_has_none(tmp_path: Path) -> None:
    assert drawings(load_run(run_folder.write(tmp_path / "run", [LEMMA, THEOREM]))) == ()
