"""What an archive takes of the content of a run: what occurs in it, as it was, and nothing from elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import archived_runs
import pytest
import run_folder
from small_content import claim_text, write

from dpaudit.content import places
from dpaudit.records.errors import ConfigurationError, ContentError, DpauditError
from dpaudit.report.archive.content import Content, content_of
from dpaudit.runs.execute import run as carry_out
from dpaudit.runs.plan import make_plan
from dpaudit.runs.reading import load_run
from dpaudit.runs.settings import Part, Settings

WHOLE = {
    "proofs/toy/paper.toml", "proofs/toy/lem_1.py", "proofs/toy/lem_2.py", "proofs/assumed/norms.toml",
    "proofs/assumed/norms.py", "audits/a.py", "audits/_helper.py",
}  # fmt: skip


def taken(run: Path, proofs: Path | None = None) -> Content:
    return content_of(load_run(run), proofs)


def test_the_papers_and_targets_of_the_run_are_taken_and_no_others(run: Path, workdir: Path) -> None:
    found = taken(run)
    assert {*found.files} == WHOLE
    assert all(data == (workdir / name).read_bytes() for name, data in found.files.items())
    assert not found.ours


def test_claims_that_have_moved_are_found_by_their_folder_and_keep_their_names(
    run: Path, workdir: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    away = tmp_path_factory.mktemp("away") / "papers"
    shutil.move(workdir / "proofs", away)
    assert {*taken(run, away).files} == WHOLE


def test_a_claim_that_was_named_by_path_comes_alone(workdir: Path) -> None:
    write(workdir / "mine.py", claim_text("mine/LEM-1"))
    write(workdir / "secret.py", "KEY = 1\n")
    carry_out(
        make_plan(Settings("verify", (Part.VERIFY,), ("mine.py",), cache=False)), workdir / "run", lambda *_: None
    )
    assert {*taken(workdir / "run").files} == {"mine.py"}


@pytest.mark.deep
def test_a_claim_brings_its_paper_and_what_ships_is_ours_in_a_copy_too(workdir: Path) -> None:
    named = ("rbcd/LEM-D.8",)
    carry_out(make_plan(Settings("verify", (Part.VERIFY,), named)), workdir / "run", lambda *_: None)
    for name in ("rbcd", "assumed"):
        shutil.copytree(places.shipped_folder("proofs") / name, workdir / "copy" / name)
    found = taken(workdir / "run", workdir / "copy")
    assert found.ours
    assert {"proofs/rbcd/paper.toml", "proofs/rbcd/notation.py"} <= {*found.files}
    assert any(name.startswith("proofs/rbcd/certificates/") for name in found.files)
    assert any(name.startswith("proofs/assumed/") for name in found.files)
    assert not any(name.startswith("proofs/srm/") for name in found.files)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    "name", ["proofs/toy/lem_1.py", "proofs/toy/paper.toml", "proofs/assumed/norms.toml", "audits/a.py"]
)
def test_what_has_changed_since_the_run_is_refused(run: Path, workdir: Path, name: str) -> None:
    path = workdir / name
    path.write_text(path.read_text(encoding="utf-8") + "# later\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="or what it rests on, has changed since the run; archive the run in"):
        taken(run)


@pytest.mark.parametrize(("name", "said"), [("proofs/toy/lem_1.py", "toy/LEM-1"), ("audits/a.py", "audits/a.py")])
def test_what_is_gone_is_named(run: Path, workdir: Path, name: str, said: str) -> None:
    (workdir / name).unlink()
    with pytest.raises(ConfigurationError, match=f"{said}.* is not here"):
        taken(run)


def _link_out(folder: Path) -> None:
    (folder / "proofs" / "toy" / "more.toml").symlink_to("/etc/hostname")


def _two_of_a_name(folder: Path) -> None:
    run_folder.edit(folder / "run" / "run.json", lambda text: text.replace('"audits/a.py"', '"proofs/toy/lem_1.py"'))


@pytest.mark.parametrize(("spoil", "said"), [(_link_out, "points outside of the folder"),
                                             (_two_of_a_name, "has changed since|two files of the run")])  # fmt: skip
def test_what_leads_elsewhere_is_refused(run: Path, workdir: Path, spoil: Callable[[Path], None], said: str) -> None:
    spoil(workdir)
    with pytest.raises(DpauditError, match=said):
        taken(run)


def test_two_files_may_not_share_a_name(workdir: Path) -> None:
    found = Content()
    found.add(write(workdir / "a" / "x.py", "1"), "x.py", workdir)
    found.add(write(workdir / "b" / "x.py", "1"), "x.py", workdir)
    with pytest.raises(ContentError, match=r"two files of the run are called x\.py"):
        found.add(write(workdir / "c" / "x.py", "2"), "x.py", workdir)


def test_a_run_of_an_older_dpaudit_is_refused(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path / "run")
    with pytest.raises(ConfigurationError, match="holds no plan, since an older dpaudit made it"):
        taken(folder)


def test_hidden_files_and_what_tools_leave_are_not_taken(run: Path, workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / ".notes.toml", "private = 1")
    write(workdir / "proofs" / "toy" / "__pycache__" / "kept.json", "{}")
    assert {*taken(run).files} == WHOLE


def test_a_target_that_was_named_by_path_comes_alone(workdir: Path) -> None:
    archived_runs.content(workdir)
    plan = make_plan(Settings("audit", (Part.AUDIT,), ("audits/a.py",), controls=False, cache=False, isolate=False))
    carry_out(plan, workdir / "run", lambda *_: None)
    assert {*taken(workdir / "run").files} == {"audits/a.py"}
