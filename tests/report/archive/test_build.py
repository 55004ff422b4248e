"""The archive of a run: what it holds, that it repeats byte by byte, and what it refuses."""

from __future__ import annotations

import io
import json
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import run_folder

from dpaudit.records.errors import ConfigurationError, ContentError, DpauditError
from dpaudit.report.archive import build
from dpaudit.report.page.render import write_report
from dpaudit.runs import store


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


@pytest.mark.deep
def test_two_builds_are_equal_whatever_times_rights_and_pages_the_run_has(run: Path) -> None:
    first = build.build(run)
    write_report(run)
    (run / "report.html").write_text("another page", encoding="utf-8")
    for path in run.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    assert build.build(run, jobs=2) == first


def test_names_are_sorted_and_times_and_rights_fixed(run: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(build.build(run))) as packed:
        entries = packed.infolist()
    assert [one.filename for one in entries] == sorted(one.filename for one in entries)
    assert {(one.date_time, one.external_attr >> 16, one.create_system) for one in entries} == {
        ((1980, 1, 1, 0, 0, 0), stat.S_IFREG | 0o644, 3)
    }


def test_the_run_is_there_with_its_page_and_nothing_that_no_record_names(run: Path) -> None:
    (run / "notes.txt").write_text("private", encoding="utf-8")
    found = members(build.build(run))
    (run / "notes.txt").unlink()
    write_report(run)
    kept = {f"run/{path.relative_to(run).as_posix()}": path.read_bytes() for path in run.rglob("*") if path.is_file()}
    assert {name: data for name, data in found.items() if name.startswith("run/")} == kept
    assert any(name.startswith("run/certificates/") for name in kept)
    assert any(name.startswith("run/scores/") for name in kept)


def test_what_is_kept_beside_the_records_comes_too(run: Path) -> None:
    (run / "run.json.sig").write_text("a signature", encoding="utf-8")
    found = members(build.build(run))
    assert found["run/run.json.sig"] == b"a signature"
    assert "says by whom" in found["README.md"].decode()


def test_the_manifest_has_every_file_but_itself(run: Path) -> None:
    found = members(build.build(run))
    listed = [line.split("  ", 1)[1] for line in found["MANIFEST"].decode().splitlines()]
    assert listed == sorted({*found} - {"MANIFEST"})
    assert {"README.md", "LICENSE", "CITATION.cff", "codemeta.json", ".zenodo.json"} <= {*listed}
    assert "license" not in json.loads(found[".zenodo.json"]), "the content is not ours"


def test_every_step_is_told(run: Path) -> None:
    said: list[str] = []
    build.build(run, tell=said.append)
    assert [one.split()[0] for one in said] == ["looking", "collecting", "making", "packing"]


# What is refused. -----------------------------------------------------------------------------------


def _damaged(run: Path) -> None:
    path = run / "records.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("PROVED", "REFUTED", 1), encoding="utf-8")


def _certificate_changed(run: Path) -> None:
    path = next((run / "certificates").iterdir())
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")


def _linked_out(run: Path) -> None:
    path = next((run / "certificates").iterdir())
    path.rename(run.parent / "elsewhere.json")
    path.symlink_to(run.parent / "elsewhere.json")


def _signature_linked_out(run: Path) -> None:
    (run / "run.json.sig").symlink_to("/etc/hostname")


def _marks_left(run: Path) -> None:
    (run / store.TASKS).touch()


def _stopped(run: Path) -> None:
    run_folder.edit(run / "run.json", lambda text: text.replace('"exit_code": 0', '"exit_code": 130'))


def _empty(run: Path) -> None:
    (run / "run.json").unlink()


REFUSED = (
    (_damaged, ContentError, "line 1: its digest .*; what is damaged is not archived"),
    (_certificate_changed, ContentError, "its digest is not the one that the record"),
    (_linked_out, ContentError, "points outside of the folder"),
    (_signature_linked_out, ContentError, "points outside of the folder"),
    (_marks_left, ConfigurationError, "is not finished; first: dpaudit resume "),
    (_stopped, ConfigurationError, "is not finished; first: dpaudit resume "),
    (_empty, ConfigurationError, "no run began there"),
)


@pytest.mark.parametrize(("spoil", "error", "said"), REFUSED)
def test_a_run_that_is_no_whole_one_is_refused(
    run: Path, spoil: Callable[[Path], None], error: type[DpauditError], said: str
) -> None:
    spoil(run)
    with pytest.raises(error, match=said):
        build.build(run)


@pytest.mark.parametrize("name", ["../a.json", "report.html", "certificates/../../x.json", "papers//a.json"])
def test_a_file_of_a_verdict_lies_in_a_folder_of_the_run(run: Path, name: str) -> None:
    there = next((run / "certificates").iterdir())
    (run / name).resolve().parent.mkdir(exist_ok=True)
    (run / name).resolve().write_bytes(there.read_bytes())
    old = f"certificates/{there.name}"
    run_folder.edit(run / "records.jsonl", lambda line: line.replace(f'["{old}"]', f'["{name}"]'))
    with pytest.raises(ContentError, match=r"files of verdicts lie in folders|points outside"):
        build.build(run)


def test_a_page_takes_no_place_of_a_file_of_a_verdict(run: Path) -> None:
    write_report(run)
    plot = next((run / "plots").iterdir())
    plot.write_text("other", encoding="utf-8")
    there = next((run / "certificates").iterdir())
    old, digest = f"certificates/{there.name}", run_folder.file_digest(there)
    name = f"plots/{plot.name}"
    run_folder.edit(
        run / "records.jsonl",
        lambda line: line.replace(f'["{old}"]', f'["{name}"]').replace(digest, run_folder.file_digest(plot)),
    )
    with pytest.raises(ContentError, match="is a page of the run and a file that a verdict names"):
        build.build(run)


@pytest.mark.parametrize("name", ["a\nb", "a\\b", "a\u202eb"])
def test_a_name_that_a_list_of_digests_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(ContentError, match="which a list of digests cannot hold"):
        build.manifest({name: b""})
