"""Plots of a run: every drawn number is kept beside its picture, and a damaged scores file is named."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import run_folder
from run_folder import with_digests

from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.page import render
from dpaudit.report.page.figures import CURVE_POINTS, INLINE_TARGETS, Figure, figures, forest, null_p_values
from dpaudit.runs.executors import local
from dpaudit.runs.executors.dask import WorkerDied

GAMES = tuple(v for v in run_folder.games() if v.attachments)


def drawn(folder: Path, verdicts: Iterable[Verdict]) -> dict[str, Figure]:
    """The figures of verdicts whose files are as they are now."""
    return figures(folder, with_digests(folder, verdicts))


def test_each_game_with_scores_has_a_figure_with_its_numbers(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    made = drawn(folder, GAMES)
    assert set(made) == {v.id for v in GAMES if v.kind is Kind.AUDIT}
    for figure in made.values():
        assert len(figure.pictures) == 4
        assert all(svg.startswith("<svg") and "xmlns=" not in svg.split(">")[0] for svg in figure.pictures)
        captions = " ".join(table.caption for table in figure.tables)
        for words in ("Measured curve", "Line of the claim", "95 % band", "ruled out", "Epsilon over trials", "Power"):
            assert words in captions
        assert all(len(table.rows) <= CURVE_POINTS for table in figure.tables)


def test_controls_have_figures_where_they_did_not_end_as_they_must(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    made = [replace(v, kind=Kind.CONTROL) for v in GAMES]
    missed = {v.id for v in made if not v.as_expected}
    assert set(drawn(folder, made)) == missed
    assert missed
    assert len(missed) < len(made)


def test_tables_hold_every_number_of_the_scores_file(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    data = json.loads((folder / GAMES[0].attachments[0]).read_text())
    found = {item for table in drawn(folder, GAMES)[GAMES[0].id].tables for row in table.rows for item in row}
    for part in (data["band"], data["ruled_out"], data["progress"]):
        assert {number for column in part.values() for number in column} <= found
    assert {*data["power"]["epsilon"], *data["power"]["chance"]} <= found


def test_surprising_refutations_come_into_the_page_first_and_every_target_has_a_file(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    many = tuple(replace(GAMES[0], id=f"copy/{i}") for i in range(INLINE_TARGETS + 2))
    made = drawn(folder, (*many, *GAMES))
    assert [name for name, figure in made.items() if figure.in_page][:2] == ["surprise/optimiser", "third/party"]
    assert sum(figure.in_page for figure in made.values()) == INLINE_TARGETS
    assert not (folder / "plots").exists()  # reading draws nothing and writes nothing
    assert made["copy/3"].document.count("<svg") == 5
    accepted = replace(GAMES[2], accepted="until 2030-01-01: known")
    assert next(iter(drawn(folder, (GAMES[1], accepted)))) == GAMES[2].id


@pytest.mark.parametrize(
    "change",
    [
        {"trials_per_side": float("inf")},
        {"point": 3},
        {"false_positive_rate": [2.0]},
        {"claim_label": None, "trials_per_side": "x"},
        {"band": {"false_positive_rate_lower": [0.1]}},
        {
            "band": {
                f"{rate}_positive_rate_{end}": [0.1] * (1 + (end == "upper" and rate == "true"))
                for rate in ("false", "true")
                for end in ("lower", "upper")
            }
        },
        {"progress": {"trials": [0], "epsilon_lower": [0], "epsilon": [0], "epsilon_upper": [0]}},
        {"progress": {"trials": [1, 2], "epsilon_lower": [0], "epsilon": [0], "epsilon_upper": [0]}},
        {"power": {"how": "at least", "epsilon": [1.0, 2.0], "chance": [0.5]}},
        {"power": {"how": "at least", "epsilon": [-1.0], "chance": [0.5]}},
        {"ruled_out": [1]},
    ],
)
def test_a_damaged_scores_file_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    folder = run_folder.write(tmp_path)
    file = folder / GAMES[0].attachments[0]
    file.write_text(json.dumps(json.loads(file.read_text()) | change), encoding="utf-8")
    with pytest.raises(ContentError, match=file.name):
        drawn(folder, GAMES[:1])


def test_an_attachment_outside_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    with pytest.raises(ContentError, match="points outside of the folder"):
        drawn(folder, (replace(GAMES[0], attachments=("scores/../../x.json",)),))


def test_the_forest_needs_an_audit_with_an_epsilon() -> None:
    assert forest(tuple(v for v in GAMES if v.kind is Kind.AUDIT)).startswith("<svg")
    assert forest(tuple(v for v in GAMES if v.kind is Kind.CONTROL)) == ""
    claimed = tuple((name, None if name == "epsilon_lower_95" else item) for name, item in GAMES[0].numbers)
    assert forest((replace(GAMES[0], numbers=claimed),)) == ""


def test_the_forest_shows_what_is_refuted_first_and_then_what_is_nearest_to_its_claim() -> None:
    def audit(name: str, measured: float, outcome: Outcome) -> Verdict:
        numbers = (("epsilon_lower_95", measured), ("epsilon_claimed", 2.0))
        return replace(GAMES[0], id=f"toy/{name}", numbers=numbers, outcome=outcome)

    held, refuted = Outcome.CONSISTENT, Outcome.REFUTED
    mixed = [audit("d", 0.5, held), audit("b", 2.5, refuted), audit("c", 1.9, held), audit("a", 3.5, refuted)]
    assert re.findall(r">toy/([a-d])<", forest(mixed)) == ["a", "b", "c", "d"]


def test_the_exact_line_is_drawn_and_listed_where_theory_knows_it(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    file = folder / GAMES[0].attachments[0]
    data = json.loads(file.read_text())
    plain = drawn(folder, GAMES[:1])[GAMES[0].id]
    exact = [rate**0.5 for rate in data["claim_false_positive_rate"]]
    file.write_text(json.dumps(data | {"exact_true_positive_rate": exact}), encoding="utf-8")
    known = drawn(folder, GAMES[:1])[GAMES[0].id]
    assert ("exact" in plain.tables[1].columns, "exact" in known.tables[1].columns) == (False, True)
    assert known.pictures[0] != plain.pictures[0]


def test_a_scores_file_of_rates_alone_still_has_its_plots(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    file = folder / GAMES[0].attachments[0]
    data = json.loads(file.read_text())
    file.write_text(json.dumps({k: v for k, v in data.items() if k not in {"band", "ruled_out", "progress", "power"}}))
    assert len(drawn(folder, GAMES[:1])[GAMES[0].id].pictures) == 2


def test_the_p_values_of_null_controls_are_drawn_where_there_are_any(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    assert null_p_values(folder, with_digests(folder, GAMES)) is None
    null = next(v for v in GAMES if v.id.startswith("null/"))
    file = folder / null.attachments[0]
    file.write_text(json.dumps(json.loads(file.read_text()) | {"null_p_values": [0.9, 0.2]}), encoding="utf-8")
    found = null_p_values(folder, with_digests(folder, GAMES))
    assert found is not None
    assert found.curves == ((null.id, (0.2, 0.9)),)
    assert "uniform" in found.svg
    file.write_text(json.dumps(json.loads(file.read_text()) | {"null_p_values": [1.2]}), encoding="utf-8")
    with pytest.raises(ValueError, match="rate"):
        null_p_values(folder, with_digests(folder, GAMES))


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("dead", [False, True])
def test_plots_that_other_processes_draw_are_the_same(
    dead: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies loses no plot: it is drawn here."""
    asked, execute = [], local.execute

    def two_processes(function: Any, items: Any, jobs: int) -> Any:
        asked.append(jobs)
        answers = execute(function, items, jobs)
        return ((place, WorkerDied("killed") if dead and place == 0 else answer) for place, answer in answers)

    one, two = (run_folder.write(tmp_path / name) for name in ("one", "two"))
    render.write_report(one, jobs=2)
    monkeypatch.setattr(render, "FEW", 1)
    monkeypatch.setattr(render.local, "execute", two_processes)
    render.write_report(two, jobs=2)
    assert asked == [2], "few plots are drawn here, more by the jobs that are asked for"
    drawn = [{path.name: path.read_bytes() for path in (folder / "plots").iterdir()} for folder in (one, two)]
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) > 1
