"""Plots of a run: every drawn number is kept beside its picture, and a damaged scores file is named."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import run_folder

from dpaudit.errors import ContentError
from dpaudit.figures import INLINE_PLOTS, figures, forest, null_p_values
from dpaudit.verdict import Kind

GAMES = tuple(v for v in run_folder.games() if v.attachments)


def test_each_game_with_scores_has_a_figure_with_its_numbers(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    made = figures(folder, GAMES)
    assert set(made) == {v.id for v in GAMES}
    drawn = [figure for figure in made.values() if figure.svg]
    assert len(drawn) == min(INLINE_PLOTS, len(GAMES))
    for figure in drawn:
        assert figure.svg.startswith("<svg")
        assert "xmlns=" not in figure.svg.split(">")[0]
        assert len(figure.rows) <= 48
        assert all(0 <= rate <= 1 for row in (*figure.rows, *figure.claim_rows) for rate in row)


def test_plots_beyond_the_first_are_files_of_the_run_folder(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    many = tuple(replace(GAMES[0], id=f"copy/{i}") for i in range(INLINE_PLOTS + 2))
    made = figures(folder, many)
    linked = [figure for figure in made.values() if figure.link]
    assert len(linked) == 2
    assert all((folder / figure.link).is_file() and not figure.svg for figure in linked)


@pytest.mark.parametrize(
    "change", [{"point": 3}, {"false_positive_rate": [2.0]}, {"claim_label": None, "trials_per_side": "x"}]
)
def test_a_damaged_scores_file_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    folder = run_folder.write(tmp_path)
    file = folder / GAMES[0].attachments[0]
    file.write_text(json.dumps(json.loads(file.read_text()) | change), encoding="utf-8")
    with pytest.raises(ContentError, match=file.name):
        figures(folder, GAMES[:1])


def test_an_attachment_outside_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    with pytest.raises(ContentError, match="outside of the run folder"):
        figures(folder, (replace(GAMES[0], attachments=("scores/../../x.json",)),))


def test_the_forest_needs_an_audit_with_an_epsilon() -> None:
    assert forest(tuple(v for v in GAMES if v.kind is Kind.AUDIT)).startswith("<svg")
    assert forest(tuple(v for v in GAMES if v.kind is Kind.CONTROL)) == ""


def test_the_exact_line_is_drawn_and_listed_where_theory_knows_it(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    file = folder / GAMES[0].attachments[0]
    data = json.loads(file.read_text())
    plain = figures(folder, GAMES[:1])[GAMES[0].id]
    exact = [rate**0.5 for rate in data["claim_false_positive_rate"]]
    file.write_text(json.dumps(data | {"exact_true_positive_rate": exact}), encoding="utf-8")
    known = figures(folder, GAMES[:1])[GAMES[0].id]
    assert (plain.exact_rows, len(known.exact_rows) > 10) == ((), True)
    assert "exact" in known.svg.replace("exactly", "")
    assert known.svg != plain.svg


def test_the_p_values_of_null_controls_are_drawn_where_there_are_any(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path)
    assert null_p_values(folder, GAMES) is None
    null = next(v for v in GAMES if v.id.startswith("null/"))
    file = folder / null.attachments[0]
    file.write_text(json.dumps(json.loads(file.read_text()) | {"null_p_values": [0.9, 0.2]}), encoding="utf-8")
    found = null_p_values(folder, GAMES)
    assert found is not None
    assert found.curves == ((null.id, (0.2, 0.9)),)
    assert "uniform" in found.svg
    file.write_text(json.dumps(json.loads(file.read_text()) | {"null_p_values": [1.2]}), encoding="utf-8")
    with pytest.raises(ValueError, match="rate"):
        null_p_values(folder, GAMES)
