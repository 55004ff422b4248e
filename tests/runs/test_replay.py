"""One verdict of a run, repeated alone: the same numbers, or words for what is not the same."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import run_folder
from plans import silent
from small_content import NOISY_SUM, boxed_text, claim_text, target_text, write

from dpaudit.records.digests import with_digest
from dpaudit.records.errors import ConfigurationError, ContentError, UnknownNameError
from dpaudit.records.verdict import ExitCode, Outcome
from dpaudit.runs import baseline_file, replay, resume, store
from dpaudit.runs.baseline import Entry
from dpaudit.runs.differences import Difference
from dpaudit.runs.execute import run
from dpaudit.runs.plan import make_plan
from dpaudit.runs.replay import Comparison, Likeness
from dpaudit.runs.settings import Part, Settings


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Claims and targets, one of them refuted without being expected, and a run of all of them."""
    home = tmp_path_factory.mktemp("original")
    write(home / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(home / "proofs" / "toy" / "lem_2.py", boxed_text("toy/LEM-1~other"))
    write(home / "audits" / "sum.py", target_text("toy/sum", trials=1000))
    write(home / "audits" / "bad.py", target_text("toy/bad", NOISY_SUM.format(scale=0.2), trials=2000))
    late = target_text("toy/late").replace("    view=", "    from_level=Level.STANDARD,\n    view=", 1)
    write(home / "audits" / "late.py", f"from dpaudit.records.context import Level\n{late}")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("DPAUDIT_CACHE", str(tmp_path_factory.mktemp("cache")))
        patched.chdir(home)
        carried_out(Part.VERIFY, Part.AUDIT)
    return home


@pytest.fixture
def content(original: Path, workdir: Path) -> Path:
    """A copy of it to work in."""
    shutil.copytree(original, workdir, dirs_exist_ok=True)
    return workdir


def carried_out(*parts: Part, **more: Any) -> None:
    """A run of what is there, with a share of the error budget that no run of one target would have."""
    settings = {"controls": False, "isolate": False, "seed": 11, "alpha": 0.01} | more
    run(make_plan(Settings("run", parts, **settings)), Path("whole"), silent)


def made() -> Path:
    """The folder of the run."""
    return Path("whole")


def repeated(folder: Path, name: str, target: str = "again", **more: Any) -> Comparison:
    """The replay of one verdict into the folder `target`."""
    return replay.carry_out(replay.prepare(folder, name, **more), Path(target), silent)[1]


def changed(folder: Path, name: str, **fields: Any) -> None:
    """Overwrite fields of one record of a run."""
    path = folder / store.RECORDS
    rows = [json.loads(row) for row in path.read_text().splitlines()]
    assert name in [row["id"] for row in rows]
    rows = [row | fields if row["id"] == name else row for row in rows]
    run_folder.put(folder, resume.header(folder), rows)


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize("name", ["toy/LEM-1", "toy/LEM-1~other", "toy/LEM-1~other/s1", "toy/LEM-1~other~best-height",
                                  "toy/sum", "toy/bad", "toy/late"])  # fmt: skip
def test_every_number_is_that_of_the_run(content: Path, name: str) -> None:
    found = repeated(made(), name)
    assert (found.likeness, found.differences) == (Likeness.IDENTICAL, ())
    assert found.exit_code(exact=True) is ExitCode.EXPECTED


def test_it_runs_one_task_with_the_share_of_the_run_and_without_the_cache(content: Path) -> None:
    folder = made()
    header = json.loads((folder / store.RUN).read_text())
    plan = replay.prepare(folder, "toy/sum").plan
    assert [task.name for task in plan.tasks] == ["toy/sum"]
    assert plan.ledger.share == header["error_budget"]["share"] == 0.005
    assert plan.ledger.total == 0.005
    assert (plan.settings.cache, plan.settings.seed) == (False, 11)


def test_it_has_the_share_that_its_file_set(content: Path) -> None:
    path = content / "audits" / "sum.py"
    path.write_text(path.read_text() + "\nERROR_SHARE = 0.1\n")
    shutil.rmtree(made())
    carried_out(Part.AUDIT)
    folder = made()
    entries = json.loads((folder / store.RUN).read_text())["error_budget"]["entries"]
    assert {row["name"]: row["share"] for row in entries} == {"toy/sum": pytest.approx(1e-3), "toy/bad": None}
    for name, share in (("toy/sum", 1e-3), ("toy/bad", 9e-3)):
        assert replay.prepare(folder, name).plan.ledger.share == pytest.approx(share)
        found = repeated(folder, name, target=name.replace("/", "-"))
        assert (found.likeness, found.differences) == (Likeness.IDENTICAL, ())


def test_the_new_folder_says_what_was_repeated_and_what_came_out(content: Path) -> None:
    found = repeated(made(), "toy/bad")
    header = json.loads(Path("again/run.json").read_text())
    assert header["command"] == "dpaudit replay whole toy/bad"
    assert header["replay"] == {"of": "whole", "id": "toy/bad", "notes": [], "likeness": "identical",
                                "differences": [], "exit_code": 0}  # fmt: skip
    assert header["exit_code"] == 1, "the refutation itself is no less a surprise"
    assert found.found is not None
    assert [Path("again", name).is_file() for name in found.found.attachments] == [True]
    with pytest.raises(ConfigurationError, match="a replay is of one verdict alone"):
        resume.planned(header)


def test_the_longest_name_that_fits_is_the_task(content: Path) -> None:
    assert replay.prepare(made(), "toy/LEM-1~other/s1").plan.tasks[0].name == "toy/LEM-1~other"


def test_another_number_is_named_and_fails_only_if_that_is_asked_for(content: Path) -> None:
    folder = made()
    changed(folder, "toy/sum", numbers=[["epsilon_lower_95", 1.5]], effect="none")
    found = repeated(folder, "toy/sum")
    assert found.likeness is Likeness.SAME_OUTCOME
    names = {row.what: row.before for row in found.differences}
    assert (names["number epsilon_lower_95"], names["effect"], names["number delta"]) == (1.5, "none", "")
    assert (found.exit_code(exact=False), found.exit_code(exact=True)) == (ExitCode.EXPECTED, ExitCode.REFUTED)


def test_another_outcome_fails(content: Path) -> None:
    folder = made()
    changed(folder, "toy/bad", outcome="CONSISTENT")
    found = repeated(folder, "toy/bad")
    assert found.likeness is Likeness.DIFFERENT
    assert Difference("outcome", "CONSISTENT", "REFUTED") in found.differences
    assert found.exit_code(exact=False) is ExitCode.REFUTED


def test_a_verdict_that_no_longer_comes_is_another_outcome(content: Path) -> None:
    folder = made()
    changed(folder, "toy/LEM-1~other/s1", id="toy/LEM-1~other/s9")
    found = repeated(folder, "toy/LEM-1~other/s9")
    assert (found.likeness, found.found) == (Likeness.DIFFERENT, None)


def test_grounds_in_other_claims_are_taken_from_the_run(content: Path) -> None:
    folder = made()
    recorded = replay.load_run(folder).verdicts
    rests = replace(recorded[0], assuming=("toy/LEM-1~other",))
    again = replay.prepare(folder, "toy/LEM-1")
    run_ = replace(again.run, verdicts=(rests, *recorded[1:]))
    alone = replay.Result(Path("x"), {}, (rests,), ExitCode.EXPECTED)
    expected = replay.settle([rests, *recorded[1:]])[0]
    assert expected.assuming == ()
    assert replay.compared(replace(again, run=run_, recorded=expected), alone).likeness is Likeness.IDENTICAL


def test_an_unknown_id_names_the_nearest(content: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'toy/bad'"):
        replay.prepare(made(), "toy/bda")


def test_a_file_that_changed_is_refused_unless_told_so(content: Path) -> None:
    folder = made()
    write(content / "audits" / "bad.py", target_text("toy/bad", trials=2000))
    with pytest.raises(ConfigurationError, match=r"the file audits/bad.py.* has changed since the run.*--anyway"):
        replay.prepare(folder, "toy/bad")
    again = replay.prepare(folder, "toy/bad", anyway=True)
    assert again.notes[0].endswith("replayed as it is now")
    assert replay.carry_out(again, Path("again"), silent)[1].likeness is Likeness.DIFFERENT


def test_a_file_that_is_gone_is_named(content: Path) -> None:
    folder = made()
    (content / "audits" / "bad.py").unlink()
    with pytest.raises(ConfigurationError, match=r"audits/bad.py is not here"):
        replay.prepare(folder, "toy/bad")


def test_a_run_of_named_content_elsewhere_is_found_again(
    content: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = tmp_path_factory.mktemp("away")
    monkeypatch.chdir(away)
    carried_out(Part.VERIFY, proofs=content / "proofs", names=("toy/LEM-1",))
    assert repeated(away / "whole", "toy/LEM-1").likeness is Likeness.IDENTICAL


def test_other_versions_and_another_source_are_noted(content: Path) -> None:
    folder = made()
    header = json.loads((folder / store.RUN).read_text())
    header["versions"]["numpy"], header["source"], header["hardware"]["machine"] = "0.1", "ab" * 32, "abacus"
    (folder / store.RUN).write_text(with_digest(json.dumps(header)))
    first, second, third = replay.prepare(folder, "toy/sum").notes
    assert first.startswith("numpy was 0.1 in the run, is ")
    assert second == "the source of dpaudit is not that of the run"
    assert third.startswith("the run was made on abacus, this is ")


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"plan": []}, ContentError, "no task gives 'toy/sum'; the plan is damaged"),
        ({"plan": None}, ContentError, "plan must be of the type array, got None"),
        ({"plan": [{"name": "toy/sum"}]}, ContentError, r"plan\[0\].part is missing"),
        ({"error_budget": {"share": 2.0}}, ContentError, "error_budget.share must be at most 0.5, got 2.0"),
        ({"settings": [1]}, ContentError, r"settings must be of the type object, got \[1\]"),
    ],
)
def test_a_damaged_run_is_named(content: Path, changes: dict[str, Any], error: type, words: str) -> None:
    folder = made()
    header = json.loads((folder / store.RUN).read_text()) | changes
    (folder / store.RUN).write_text(with_digest(json.dumps(header)))
    with pytest.raises(error, match=words):
        replay.prepare(folder, "toy/sum")


def test_a_run_without_a_plan_says_how_to_repeat_the_verdict(content: Path) -> None:
    folder = made()
    header = json.loads((folder / store.RUN).read_text())
    del header["plan"]
    (folder / store.RUN).write_text(with_digest(json.dumps(header)))
    with pytest.raises(ConfigurationError, match=r"an older dpaudit made it; .*dpaudit audit toy/sum --seed 11"):
        replay.prepare(folder, "toy/sum")


def test_a_file_outside_of_the_content_is_never_run(content: Path) -> None:
    folder = made()
    header = json.loads((folder / store.RUN).read_text())
    for row in header["plan"]:
        row["file"] = "../" * 20 + str(write(content / "evil.py", target_text("toy/sum")))
    (folder / store.RUN).write_text(with_digest(json.dumps(header)))
    with pytest.raises(ConfigurationError, match="is not here"):
        replay.prepare(folder, "toy/sum")


def test_a_baseline_marks_the_verdict_and_changes_no_comparison(content: Path) -> None:
    entry = Entry("toy/bad", Outcome.REFUTED, "known", date(2400, 1, 1))
    baseline_file.extend(Path("known.toml"), [entry])
    found = repeated(made(), "toy/bad", known=Path("known.toml"))
    assert found.likeness is Likeness.IDENTICAL
    header = json.loads(Path("again/run.json").read_text())
    assert (header["exit_code"], header["counts"]["accepted"]) == (0, 1)
